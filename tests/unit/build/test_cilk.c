/* SPDX-License-Identifier: MIT */
/* cilk, tokens: keywords of Cilk in preprocessed text, and where everything stands. */
#include "unit/lib.h"

#include "build/cilk/cilk.h"
#include "build/cilk/loop.h"
#include "build/cilk/tokens.h"

/* The text as it is rewritten, without line markers and with one blank for many; NULL when it is refused. */
static char *rewritten(const char *text, enum cilk_form form, struct fail *why)
{
	char path[] = "/tmp/skein-test-XXXXXX";
	struct blob in = {(const unsigned char *)text, strlen(text)}, out;
	bool cxx;

	close(mkstemp(path));
	int failed = cilk_rewrite(in, form, path, &cxx, why);
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

static void becomes_as(enum cilk_form form, const char *text, const char *expected)
{
	struct fail why;
	char *result = rewritten(text, form, &why);

	assert_non_null(result);
	assert_string_equal(result, expected);
	free(result);
}

static void becomes(const char *text, const char *expected)
{
	becomes_as(CILK_SERIAL, text, expected);
}

static void is_refused(const char *text, const char *where)
{
	struct fail why;

	assert_null(rewritten(text, CILK_SERIAL, &why));
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
	} expected[] = {{"int", 7, 2, "a.c"},         {"x", 7, 6, "a.c"},     {"=", 7, 8, "a.c"},
	                {"1'000e+3", 7, 10, "a.c"},   {";", 7, 18, "a.c"},    {"R\"q(\n)\" )q\"", 40, 1, "b.h"},
	                {"\"a\\\"b\"", 41, 8, "b.h"}, {"a", 41, 15, "b.h"},   {"->*", 41, 16, "b.h"},
	                {"b", 41, 19, "b.h"},         {">>=", 41, 21, "b.h"}, {"'x'", 41, 25, "b.h"}};
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
	snprintf(expected, sizeof expected,
	         "; for (;c;__skein_mark_for(1, 3), i++) { %s(1); (__skein_mark_spawn(1) ? *(__typeof__(f ( ) ) *)0 : f()) ; } x;", open);
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
	static const char *const texts[] = {"; __sk_spawn",
	                                    "; __sk_for",
	                                    "; __sk_for (",
	                                    "; __sk_scope",
	                                    "; __sk_scope {",
	                                    "; __sk_spawn {",
	                                    "; x = __sk_spawn f(",
	                                    "; __sk_for (;;",
	                                    "; __sk_for (i = 0; i <",
	                                    "; __sk_for (i = 0; i < n; i",
	                                    "; __sk_for (i = 0; i < n; i++)",
	                                    "; __sk_spawn if (",
	                                    "; __sk_spawn try {} catch",
	                                    "# 3 \"",
	                                    "R\"(",
	                                    "'",
	                                    "__sk_spawn f();"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct fail why;
		free(rewritten(texts[i], CILK_SERIAL, &why));
		free(rewritten(texts[i], CILK_PARALLEL, &why));
	}
}

static void reads(const char *text, const char *name, const char *comparison, const char *bound, const char *stride, bool up, bool plus)
{
	struct tokens t;
	struct loop loop;

	tokens_read(&t, text, strlen(text));
	assert_true(loop_read(&t, 0, &loop));
	assert_string_equal(loop.name, name);
	assert_string_equal(loop.comparison, comparison);
	assert_string_equal(loop.bound, bound);
	assert_string_equal(loop.stride, stride);
	assert_int_equal(loop.up, up);
	assert_int_equal(loop.plus, plus);
	loop_free(&loop);
	tokens_free(&t);
}

static void heads_of_loops_are_read(void **state)
{
	(void)state;
	static const char *const others[] = {"(int i = 0; i * i < n; i++)",
	                                     "(int i = 0; i < n; i = i + 1)",
	                                     "(int i = 0; i < n; i++, j++)",
	                                     "(int i = 0; i < n; i += 1, j++)",
	                                     "(; i < n; i++)",
	                                     "(int i = 0; ; i++)",
	                                     "(int i = 0; i < n; )",
	                                     "(int i = 0; j < n; i++)",
	                                     "(int i = 0; i == n; i++)",
	                                     "(x : y)",
	                                     "("};

	reads("(int i = 0; i < n; i++)", "i", "<", "n ", "1", true, true);
	reads("(i = a[f(1)]; i >= b - 1; --i)", "i", ">=", "b - 1 ", "1", false, false);
	reads("(long q = 0, r = 1; f(x, y) > q; q += s * 2)", "q", "<", "f ( x , y ) ", "s * 2 ", true, true);
	reads("(auto p = v.begin(); v.end() != p; ++p)", "p", "!=", "v . end ( ) ", "1", true, true);
	reads("(T p(e); p != b; p -= (1, 2))", "p", "!=", "b ", "( 1 , 2 ) ", false, false);
	reads("(int i{9}; 0 <= i; i += -3)", "i", ">=", "0 ", "- 3 ", false, true);
	for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
		struct tokens t;
		struct loop loop;
		tokens_read(&t, others[n], strlen(others[n]));
		assert_false(loop_read(&t, 0, &loop));
		tokens_free(&t);
	}
}

static void parallel_form_has_loops_over_some_iterations(void **state)
{
	(void)state;
	const char *count =
		"{ int i = 0 ; __typeof__(i) __skein_first = i; __typeof__(n ) __skein_bound = n ; long __skein_stride = (long)(1); unsigned long __skein_count = "
		"__skein_first < __skein_bound && __skein_stride > 0 ? ((unsigned long)((__skein_bound - 0L) - (__skein_first - 0L)) + __skein_stride - 1) / __skein_stride : 0;";
	const char *value =
		"__typeof__(__skein_first) i = (__typeof__(__skein_first))(__skein_first + (long)(__skein_k * __skein_stride));";
	char expected[2048];

	snprintf(
		expected, sizeof expected,
		"; %s unsigned long __skein_bounds[2]; __skein_mark_loop(1, __skein_count, &__skein_bounds); for (unsigned long __skein_k = __skein_bounds[0], __skein_end = "
		"__skein_bounds[1]; __skein_k < __skein_end; __skein_k++) { %s { f(i); } } __skein_mark_loop_end(1); } x;",
		count, value);
	becomes_as(CILK_PARALLEL, "; __sk_for (int i = 0; i < n; i++) f(i); x;", expected);
	snprintf(
		expected, sizeof expected,
		"__skein_is_cxx; %s [&](unsigned long __skein_k, unsigned long __skein_end) -> void { for (; __skein_k < __skein_end; __skein_k++) { %s { f(i); } } }"
		"(__skein_mark_low(), __skein_count); } x;",
		count, value);
	becomes_as(CILK_PARALLEL, "__skein_is_cxx; __sk_for (int i = 0; i < n; i++) f(i); x;", expected);
	becomes_as(CILK_PARALLEL, "; __sk_for (int i = 0; i < n; i++) if (a) break; x;",
	           "; for (int i = 0; i < n; __skein_mark_for(1, 3), i++) if (a) break; x;");
	becomes_as(CILK_PARALLEL, "__skein_is_cxx; __sk_sync;", "__skein_is_cxx; __skein_mark_join(0) ;");
	becomes("; int __sk_reducer x;", "; int x;");
	struct fail why;
	assert_null(rewritten("; int __sk_reducer x;", CILK_PARALLEL, &why));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tokens_know_their_places),
	                                   cmocka_unit_test(brackets_find_their_partners),
	                                   cmocka_unit_test(calls_are_marked),
	                                   cmocka_unit_test(scopes_have_numbers),
	                                   cmocka_unit_test(blocks_are_marked),
	                                   cmocka_unit_test(what_cannot_be_had_is_refused_at_its_place),
	                                   cmocka_unit_test(text_that_ends_too_early_is_survived),
	                                   cmocka_unit_test(heads_of_loops_are_read),
	                                   cmocka_unit_test(parallel_form_has_loops_over_some_iterations)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
