/* SPDX-License-Identifier: MIT */
/* cilk, tokens: keywords of Cilk in preprocessed text, and where everything stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "build/cilk.h"
#include "build/tokens.h"

/* The text as it is rewritten, without line markers and with one blank for many; NULL when it is refused. */
static char *rewritten(const char *text, struct fail *why)
{
	char path[] = "/tmp/skein-test-XXXXXX";
	struct blob in = {(const unsigned char *)text, strlen(text)}, out;
	bool cxx;

	close(mkstemp(path));
	int failed = cilk_rewrite(in, CILK_SERIAL, path, &cxx, why);
	char *result = NULL;
	if (!failed && blob_read(path, &out, why) == 0) {
		size_t n = 0;
		result = calloc(out.size + 1, 1);
		for (const char *p = (const char *)out.at, *end = p + out.size; p < end; p++) {
			while (p + 1 < end && *p == '#')
				for (p++; p + 1 < end && *p != '\n';)
					p++;
			bool blank = *p == ' ' || *p == '\n';
			if (!blank || (n && result[n - 1] != ' '))
				result[n++] = blank ? ' ' : *p;
		}
		blob_free(&out);
	}
	unlink(path);
	return result;
}

static void becomes(const char *text, const char *expected)
{
	struct fail why;
	char *result = rewritten(text, &why);

	assert_non_null(result);
	assert_string_equal(result, expected);
	free(result);
}

static void is_refused(const char *text, const char *where)
{
	struct fail why;

	assert_null(rewritten(text, &why));
	assert_memory_equal(why.text, where, strlen(where));
}

static void tokens_know_their_places(void **state)
{
	(void)state;
	const char *text = "# 7 \"a.c\"\n int x = 1'000e+3;\n# 40 \"b.h\" 1\nR\"q(\n)\" )q\" \"a\\\"b\" a->*b >>= 'x'\n";
	static const struct {
		const char *word;
		unsigned line, column;
		const char *file;
	} expected[] = {{"int", 7, 2, "a.c"}, {"x", 7, 6, "a.c"}, {"=", 7, 8, "a.c"}, {"1'000e+3", 7, 10, "a.c"}, {";", 7, 18, "a.c"},
			{"R\"q(\n)\" )q\"", 40, 1, "b.h"}, {"\"a\\\"b\"", 41, 8, "b.h"}, {"a", 41, 15, "b.h"}, {"->*", 41, 16, "b.h"},
			{"b", 41, 19, "b.h"}, {">>=", 41, 21, "b.h"}, {"'x'", 41, 25, "b.h"}};
	struct tokens t;

	tokens_read(&t, text, strlen(text));
	assert_int_equal(t.count, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < t.count; i++) {
		assert_true(tokens_is(&t, i, expected[i].word));
		assert_int_equal(t.at[i].line, expected[i].line);
		assert_int_equal(t.at[i].column, expected[i].column);
		assert_string_equal(t.files.at[t.at[i].file], expected[i].file);
	}
	tokens_free(&t);
}

static void brackets_find_their_partners(void **state)
{
	(void)state;
	const char *text = "( [ { ) \"(\" ] ) }"; /* wrongly nested, too */
	struct tokens t;

	tokens_read(&t, text, strlen(text));
	assert_int_equal(t.at[2].match, 3);
	assert_int_equal(t.at[1].match, 5);
	assert_int_equal(t.at[0].match, 6);
	assert_int_equal(t.at[4].match, 4);
	assert_int_equal(t.at[7].match, 7);
	tokens_free(&t);
}

static void calls_are_marked(void **state)
{
	(void)state;
	becomes("; __sk_spawn f(x);", "; (__skein_mark_spawn(0) ? *(__typeof__(f ( x ) ) *)0 : f(x)) ;");
	becomes("{ int y = __sk_spawn f(x), z; }", "{ int y = (__skein_mark_spawn(0) ? *(__typeof__(f ( x ) ) *)0 : f(x)) , z; }");
	becomes("__skein_is_cxx; y = __sk_spawn f<a,b>(x);", "__skein_is_cxx; y = (__skein_mark_spawn(0) ? throw : f<a,b>(x)) ;");
	becomes("; __sk_sync;", "; __skein_mark_sync(0) ;");
}

static void scopes_have_numbers(void **state)
{
	(void)state;
	const char *open = "char __attribute__((cleanup(__skein_mark_scope_end))) __skein_scope = __skein_mark_scope";
	char expected[512];

	snprintf(expected, sizeof expected, "; { %s(1); { __skein_mark_sync(1) ; } } __skein_mark_sync(0) ;", open);
	becomes("; __sk_scope { __sk_sync; } __sk_sync;", expected);
	snprintf(expected, sizeof expected, "; for (;c;__skein_mark_for(1, 3), i++) { %s(1); (__skein_mark_spawn(1) ? *(__typeof__(f ( ) ) *)0 : f()) ; } x;", open);
	becomes("; __sk_for (;c;i++) __sk_spawn f(); x;", expected);
	becomes("; __sk_for (;;) if (a) b; else { __sk_sync; } x;", "; for (;;__skein_mark_for(1, 3) ) if (a) b; else { ((void)0) ; } x;");
}

static void blocks_are_marked(void **state)
{
	(void)state;
	becomes("; __sk_spawn { g(); } x;", "; { __skein_mark_block(0, 1); { { g(); } } __skein_mark_block_end(1); } x;");
	becomes("; __sk_spawn y = f(x) + 1; x;", "; { __skein_mark_block(0, 1); { y = f(x) + 1; } __skein_mark_block_end(1); } x;");
	becomes("__skein_is_cxx; __sk_spawn { g(); __sk_sync; } x;",
		"__skein_is_cxx; (__skein_mark_spawn(0) ? throw : [&]() __attribute__((always_inline)) -> void { { g(); __skein_mark_sync(0) ; } }()); x;");
}

static void what_cannot_be_had_is_refused_at_its_place(void **state)
{
	(void)state;
	is_refused("# 5 \"a.c\"\n y = 1 + __sk_spawn f(x);\n", "a.c:5:10: error: ");
	is_refused("; g(__sk_spawn f(x));", "-:1:5: error: ");
	is_refused("; y = __sk_spawn f(x) * 2;", "-:1:7: error: ");
	is_refused("; y = __sk_spawn x;", "-:1:7: error: ");
	is_refused("; return __sk_spawn f(x);", "-:1:10: error: ");
	is_refused("; __sk_spawn { return; }", "-:1:3: error: ");
	is_refused("; __sk_spawn { if (a) break; }", "-:1:3: error: ");
	is_refused("; __sk_for (x : y) z;", "-:1:3: error: ");
}

static void text_that_ends_too_early_is_survived(void **state)
{
	(void)state;
	static const char *const texts[] = {"; __sk_spawn", "; __sk_for", "; __sk_for (", "; __sk_scope", "; __sk_scope {", "; __sk_spawn {", "; x = __sk_spawn f(",
					    "; __sk_for (;;", "; __sk_spawn if (", "; __sk_spawn try {} catch", "# 3 \"", "R\"(", "'", "__sk_spawn f();"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct fail why;
		free(rewritten(texts[i], &why));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_know_their_places), cmocka_unit_test(brackets_find_their_partners), cmocka_unit_test(calls_are_marked),
		cmocka_unit_test(scopes_have_numbers), cmocka_unit_test(blocks_are_marked), cmocka_unit_test(what_cannot_be_had_is_refused_at_its_place),
		cmocka_unit_test(text_that_ends_too_early_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
