/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <string.h>

#include "options/arguments.h"

const struct command commands[] = {
	{"record", cmd_record, "LENS [OPTION…] [-o FILE] -- PROGRAM [ARG…]", "run a program under a lens, then print the verdict",
         "Build PROGRAM with skein-cc or skein-c++ first; the idle and input lenses take any program. The program's standard streams, signals and exit status pass through unchanged. The verdict "
         "goes to standard output if that is a terminal, else to standard error.",
         "skein record calls -- ./prog input.txt\n"
         "skein record calls --skip 'log_*' -o run.skein -- ./prog\n"
         "skein record span --what-if partition=0 -- ./prog\n"
         "skein record idle -- python3 script.py\n"
         "skein record input -- ./sort 1000\n"
         "skein record paths --copies 2 -- ./prog\n"
         "skein record paths --plan tests.skein --only-paths f:never-executed -- ./prog"},
	{"report", cmd_report, "[LENS] [FILE] [--view VIEW] [--sort COLUMN] [--top N] [--csv|--json]", "show a recording",
         "FILE defaults to the newest recording in this folder. If FILE holds several lenses, name LENS to see more than an overview.",
         "skein report calls --view family --routine parse\n"
         "skein report calls --csv >calls.csv\n"
         "skein report span --source sort.c\n"
         "skein report idle --view folded --metric idle | flamegraph.pl >idle.svg\n"
         "skein report input --routine insert --svg insert.svg\n"
         "skein report paths --view never --routine parse\n"
         "skein report paths --dot parse | dot -Tsvg >parse.svg"},
	{"check", cmd_check, "'ROUTINE: O(n log n)' … [FILE]", "test that cost grows no faster than stated",
         "Compares a recording of the input lens with stated bounds: O(1), O(log n), O(n), O(n log n), O(n^1.5), O(n^2 log n), O(2^n) … Exits with 0 if no routine grows faster than stated; with 1 if "
         "the whole 95 % confidence interval of one lies above its bound; with 3 if one has too few input sizes to tell.",
         "skein check 'merge_sort: O(n log n)' prog.skein\n"
         "skein check 'lookup: O(1)' 'parse_*: O(n)'"},
	{"export", cmd_export, "lcov|llvm-profdata [FILE] [-o OUT]", "write the counts of the paths lens for other tools",
         "lcov: coverage of lines, branches and functions, for genhtml and similar tools. llvm-profdata: a profile for clang -fprofile-use, as text for llvm-profdata merge. FILE defaults to the newest "
         "recording in this folder.",
         "skein export lcov -o prog.info && genhtml --branch-coverage prog.info -o html\n"
         "skein export llvm-profdata -o prog.proftext"},
	{"recover", cmd_recover, "FOLDER [-o FILE]", "turn an interrupted session into a recording",
         "While a program runs, its data is in a session folder .NAME.session-… beside the recording. The folder stays there if skein is killed or the disk is full.",
         "skein recover .prog.skein.session-Ab12Cd"},
	{"doctor", cmd_doctor, "", "list what is missing, with the commands that fix it",
         "Exits with 0 if nothing is missing, else with 1.", "skein doctor"},
	{"help", cmd_help, "[COMMAND [LENS]]", "explain a command", NULL, "skein help record"},
	{"version", cmd_version, "", "print the version", NULL, "skein version"},
	{0}};

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

int command_unknown(const char *typed, struct fail *why)
{
	const char *names[sizeof commands / sizeof *commands];
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		names[i] = commands[i].name;
	const char *near = nearest(typed, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no command %.100s; did you mean `skein %s`?", typed, near);
	return fail_set(why, FAIL_USAGE, "there is no command %.100s; see `skein help`", typed);
}
