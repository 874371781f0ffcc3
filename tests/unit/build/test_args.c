/* SPDX-License-Identifier: MIT */
/* args: what a compiler's command line asks for. */
#include "unit/lib.h"

#include "build/args.h"

/* Parses a line of words divided by spaces. */
static struct args parse(const char *line)
{
	struct strv words = {0};
	struct args args;
	struct fail why;

	args_split(line, strlen(line), &words);
	assert_int_equal(args_parse(&args, (int)words.count, words.at, &why), 0);
	strv_free(&words);
	return args;
}

static void actions_are_told_apart(void **state)
{
	static const struct {
		const char *line;
		enum args_action action;
	} cases[] = {{"-c a.c", ARGS_COMPILE},
	             {"a.c -o a", ARGS_LINK},
	             {"a.o b.a -lm", ARGS_LINK},
	             {"-E a.c", ARGS_PASS},
	             {"-S a.c", ARGS_PASS},
	             {"-M a.c", ARGS_PASS},
	             {"-MM -c a.c", ARGS_PASS},
	             {"-MD -c a.c", ARGS_COMPILE},
	             {"", ARGS_PASS},
	             {"--version", ARGS_PASS},
	             {"-v", ARGS_PASS},
	             {"-print-file-name=x", ARGS_PASS},
	             {"-### -c a.c", ARGS_PASS},
	             {"-c -fsyntax-only a.c", ARGS_PASS},
	             {"-dumpmachine", ARGS_PASS},
	             {"a.h", ARGS_PASS},
	             {"-x c-header -c a.x", ARGS_PASS},
	             {"-x c -", ARGS_LINK},
	             {"-c -o a.o -include a.h a.c", ARGS_COMPILE},
	             {"-L . -l m", ARGS_PASS},
	             {"-shared a.o", ARGS_LINK}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct args args = parse(cases[i].line);
		if (args.action != cases[i].action)
			fail_msg("%s: action %d", cases[i].line, (int)args.action);
		args_free(&args);
	}
}

static void inputs_get_their_language(void **state)
{
	struct args args = parse("-o out a.c -x c++ b.txt -xnone c.o -x assembler d -x none e.S -I f.c -Xlinker g.c -lh.c i.bc j");
	static const enum args_kind kinds[] = {ARGS_SOURCE,   ARGS_SOURCE, ARGS_LINKED, ARGS_ASSEMBLY,
	                                       ARGS_ASSEMBLY, ARGS_SOURCE, ARGS_LINKED};

	(void)state;
	assert_int_equal(args.inputs_count, 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(args.inputs[i].kind, kinds[i]);
	assert_null(args.inputs[0].language);
	assert_string_equal(args.inputs[1].language, "c++");
	assert_null(args.inputs[2].language);
	assert_string_equal(args.output, "out");
	args_free(&args);
}

static void options_are_read(void **state)
{
	struct args args = parse("-O2 -g -MMD -MF deps.d -flto=thin -oprog a.c -Os");

	(void)state;
	assert_string_equal(args.output, "prog");
	assert_string_equal(args.dep_file, "deps.d");
	assert_true(args.dep_wanted && args.lto && !args.dep_target);
	assert_int_equal(args.level, '2');
	args_free(&args);
	args = parse("-flto -fno-lto -Ofast -- -a.c b.c");
	assert_false(args.lto);
	assert_int_equal(args.level, '3');
	assert_int_equal(args.inputs_count, 2);
	assert_string_equal(args.words.at[args.inputs[0].at], "./-a.c");
	args_free(&args);
	args = parse("-fcilk=serial a.o -fcilk=parallel");
	assert_true(args.parallel);
	assert_int_equal(args.words.count, 1);
	args_free(&args);
}

static void words_are_told_apart(void **state)
{
	struct args args = parse("-c a.c -o x -x c -MF d -L lib -Wl,-z,now -flto --coverage -I inc -undef");
	static const enum args_word is[] = {ARGS_MODE,       ARGS_INPUT,      ARGS_OUTPUT, ARGS_OUTPUT, ARGS_LANGUAGE, ARGS_LANGUAGE,
	                                    ARGS_DEPENDENCY, ARGS_DEPENDENCY, ARGS_LINKER, ARGS_LINKER, ARGS_LINKER,   ARGS_LTO,
	                                    ARGS_SIDE_FILE,  ARGS_OPTION,     ARGS_OPTION, ARGS_OPTION};

	(void)state;
	assert_int_equal(args.words.count, sizeof is / sizeof *is);
	for (size_t i = 0; i < args.words.count; i++)
		if (args.is[i] != is[i])
			fail_msg("%s is %d", args.words.at[i], (int)args.is[i]);
	args_free(&args);
}

static void quotes_are_read_as_gnu_tools_do(void **state)
{
	const char *text = " a\\ b 'c \\d' \"e \\\" f\"\n\tg\"\"h ''  \"unended";
	static const char *const words[] = {"a b", "c \\d", "e \" f", "gh", "", "unended"};
	struct strv got = {0};

	(void)state;
	args_split(text, strlen(text), &got);
	assert_int_equal(got.count, 6);
	for (size_t i = 0; i < got.count; i++)
		assert_string_equal(got.at[i], words[i]);
	strv_free(&got);
}

static void response_files_nest_but_not_for_ever(void **state)
{
	char inner[] = "/tmp/skein-test-XXXXXX", outer[] = "/tmp/skein-test-XXXXXX", line[64];
	int a = mkstemp(inner), b = mkstemp(outer);
	struct fail why;
	struct args args;

	(void)state;
	dprintf(a, "-O2 'a b.c'");
	dprintf(b, "-c @%s", inner);
	snprintf(line, sizeof line, "@%s", outer);
	args = parse(line);
	assert_int_equal(args.action, ARGS_COMPILE);
	assert_string_equal(args.words.at[2], "a b.c");
	args_free(&args);
	dprintf(a, " @%s", outer);
	char *word = line;
	assert_int_equal(args_parse(&args, 1, &word, &why), -1);
	assert_int_equal(why.status, FAIL_USAGE);
	args_free(&args);
	args = parse("@/no/such/file a.c");
	assert_int_equal(args.inputs_count, 2);
	args_free(&args);
	close(a);
	close(b);
	unlink(inner);
	unlink(outer);
}

static void linker_options_are_laid_flat(void **state)
{
	static const char *const words[] = {"a.o", "-rpath", "/x", "-soname", "-z", "now", "-lm", "b"};
	static const bool linker[] = {false, true, true, true, true, true, false, true};
	struct args args = parse("a.o -Wl,-rpath,/x -Xlinker -soname -z now -lm -Wl,b");
	struct args_flat flat;

	(void)state;
	args_flatten(&args.words, &flat);
	assert_int_equal(flat.words.count, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(flat.words.at[i], words[i]);
		assert_int_equal(flat.linker[i], linker[i]);
	}
	args_flat_free(&flat);
	args_free(&args);
}

static void options_that_clang_does_not_know_stay(void **state)
{
	(void)state;
	struct args args = parse("-O2 -fipa-pta -Wduplicated-cond -I -fipa-pta -c a.c");
	assert_int_equal(args.words.count, 7);
	assert_string_equal(args.words.at[1], "-fipa-pta");
	assert_string_equal(args.words.at[2], "-Wduplicated-cond");
	assert_int_equal(args.inputs_count, 1);
	args_free(&args);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_are_told_apart),
		cmocka_unit_test(inputs_get_their_language),
		cmocka_unit_test(options_are_read),
		cmocka_unit_test(words_are_told_apart),
		cmocka_unit_test(quotes_are_read_as_gnu_tools_do),
		cmocka_unit_test(response_files_nest_but_not_for_ever),
		cmocka_unit_test(linker_options_are_laid_flat),
		cmocka_unit_test(options_that_clang_does_not_know_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
