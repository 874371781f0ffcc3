/* SPDX-License-Identifier: MIT */
/* main.c: skein-cc, skein-c++, and beside them skein-llvm-ar and skein-llvm-ranlib for CMake.
 *
 * Which of them we are, our name says. Everything that does not end in an object or a link is clang's own affair and
 * goes to it unchanged; objects get a bitcode half (compile.h), links a note (link.h). The exit status is the compiler's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/spawn.h"
#include "build/args.h"
#include "build/compile.h"
#include "build/driver.h"
#include "build/link.h"

static int become(const char *tool, char **argv)
{
	struct fail why;

	argv[0] = (char *)tool;
	execvp(tool, argv);
	fail_set(&why, FAIL_NOT_FOUND, "cannot start %s: %s; run `skein doctor` to see what is missing", tool, strerror(errno));
	return fail_print("skein-cc", &why);
}

/* A command line for clang as it is, but that our headers are found, too. */
static struct strv with_headers(const char *driver, char *const *words)
{
	struct strv all = {0};
	char *libdir = folder_libdir();

	strv_add(&all, driver);
	if (words && *words && !str_starts(*words, "-cc1")) /* which must stay the first */
		compile_add_headers(libdir, &all);
	for (; words && *words; words++)
		strv_add(&all, *words);
	free(libdir);
	return all;
}

/* Words of a paragraph, in lines of at most 80 columns. */
static void put_paragraph(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t length = strcspn(text, " ");
		bool breaks = column && column + 1 + length > 80;
		printf("%s%.*s", breaks ? "\n" : column ? " " : "", (int)length, text);
		column = (breaks || !column ? 0 : column + 1) + length;
		text += length + strspn(text + length, " ");
	}
	putchar('\n');
}

/* Clang's help follows ours: its options are skein-cc's. */
static void put_help(const char *name)
{
	printf("%s: the compiler to build with, for `skein record`\n\n", name);
	put_paragraph(ARGS_ABOUT);
	puts("\nExamples");
	for (const char *at = ARGS_EXAMPLES; *at; at += strcspn(at, "\n"), at += *at == '\n')
		printf("  %.*s\n", (int)strcspn(at, "\n"), at);
	puts("\nSkein's own option\n"
	     "  -fcilk=parallel, -fcilk=serial   at the link: run spawned calls in parallel or\n"
	     "                                   serially (default serial)\n\n"
	     "All other options are clang's:\n");
	fflush(stdout);
}

static bool asks_for_help(char **argv)
{
	for (; *argv; argv++)
		if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-help") == 0)
			return true;
	return false;
}

static int pass(const char *driver, char **argv)
{
	struct strv words = with_headers(driver, argv + 1);

	return become(driver, words.at);
}

/* What clang refuses it refuses in its own words. */
static int pass_whole(const struct args *args, const char *driver, int *status, struct fail *why)
{
	struct strv words = with_headers(driver, args->words.at);
	struct spawn whole = {.argv = words.at};
	int failed = spawn_start(&whole, why);

	if (!failed)
		*status = spawn_wait(&whole);
	strv_free(&words);
	return failed;
}

static char *object_name(const char *source)
{
	const char *base = strcmp(source, "-") == 0 ? "-" : str_base(source), *dot = strrchr(base, '.');
	return str_format("%.*s.o", dot ? (int)(dot - base) : (int)strlen(base), base);
}

static int compile_all(const struct args *args, const char *driver, int *status, struct fail *why)
{
	for (size_t i = 0; i < args->inputs_count; i++) {
		char *name = object_name(args->words.at[args->inputs[i].at]);
		struct compile job = {.args = args,
		                      .input = &args->inputs[i],
		                      .driver = driver,
		                      .output = args->output ? args->output : name};
		int one = 0, failed = args->inputs[i].kind == ARGS_LINKED ? 0 : compile_run(&job, &one, why);
		free(name);
		if (failed)
			return -1;
		*status = one ? one : *status;
	}
	return 0;
}

/* With nothing to compile, or with one output for many inputs, clang has its own words. */
static bool is_clangs_affair(const struct args *args)
{
	size_t sources = 0;

	for (size_t i = 0; i < args->inputs_count; i++)
		sources += args->inputs[i].kind != ARGS_LINKED;
	return args->action == ARGS_PASS || (args->action == ARGS_COMPILE && (sources == 0 || (sources > 1 && args->output)));
}

int main(int argc, char **argv)
{
	const char *name = str_base(argv[0]);
	bool cxx = strstr(name, "++") != NULL;
	const char *driver = cxx ? "clang++-19" : "clang-19";
	struct args args;
	struct fail why;
	int status = 0, failed;
	bool accepts = true;

	if (strstr(name, "llvm-ar"))
		return become("llvm-ar-19", argv);
	if (strstr(name, "llvm-ranlib"))
		return become("llvm-ranlib-19", argv);
	if (args_parse(&args, argc - 1, argv + 1, &why) < 0)
		return fail_print("skein-cc", &why);
	if (is_clangs_affair(&args) && asks_for_help(argv + 1))
		put_help(name);
	if (is_clangs_affair(&args))
		return pass(driver, argv);
	spawn_guard();
	failed = driver_is_divided(&args) ? driver_ask(&args, driver, &accepts, &why) : 0;
	if (!failed && !accepts)
		failed = pass_whole(&args, driver, &status, &why);
	else if (!failed)
		failed = args.action == ARGS_COMPILE ? compile_all(&args, driver, &status, &why)
						     : link_run(&args, cxx, driver, &status, &why);
	args_free(&args);
	spawn_raise();
	return failed ? fail_print("skein-cc", &why) : status;
}
