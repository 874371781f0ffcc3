/* SPDX-License-Identifier: MIT */
/* help.c: help, man pages and shell completion, all made from the tables of commands, options, lenses and views. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "build/args.h"
#include "cli/commands.h"
#include "report/lens.h"

enum { WIDTH = 80 };

/* All lines of the text begin at column `indent`; the label stands before the first one. */
static void put_wrapped(FILE *file, const char *label, const char *text, size_t indent)
{
	size_t column = indent;
	fprintf(file, "%-*s", (int)indent, label);
	while (*text) {
		size_t length = strcspn(text, " ");
		if (column + 1 + length > WIDTH && column > indent) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		}
		fprintf(file, "%s%.*s", column > indent ? " " : "", (int)length, text);
		column += length + (column > indent);
		text += length + strspn(text + length, " ");
	}
	fputc('\n', file);
}

/* One entry of a list: a name, indented, and its explanation beside it. */
static void put_indented(FILE *file, const char *name, const char *text, size_t indent)
{
	char label[64];
	snprintf(label, sizeof label, "  %.60s", name);
	put_wrapped(file, label, text, indent);
}

void help_overview(FILE *file)
{
	fputs("skein: a profiler for parallel C and C++ programs, with one lens per question\n\n", file);
	for (const struct command *command = commands; command->name; command++)
		fprintf(file, "  skein %-8s %s\n", command->name, command->summary);
	fputs("  skein-cc, skein-c++   the compilers to build with\n\nLenses\n", file);
	for (size_t i = 0; i < lens_count; i++)
		put_indented(file, lenses[i]->name, lenses[i]->question, 12);
	fputs("\nFirst steps\n  make CC=skein-cc\n  skein record calls -- ./prog\n  skein report --view family\n", file);
}

static void option_head(char *to, size_t room, const struct option_row *row)
{
	char letter[8] = "";
	if (row->letter)
		snprintf(letter, sizeof letter, "-%c, ", row->letter);
	snprintf(to, room, "%s--%s%s%s", letter, option_names[row->is], row->value ? " " : "", row->value ? row->value : "");
}

static void put_option(FILE *file, const struct option_row *row)
{
	char head[64];
	option_head(head, sizeof head, row);
	put_indented(file, head, row->help, 25);
}

/* Without a lens, `only_common` leaves out the options that belong to some lenses only. */
static void put_options(FILE *file, const struct command *command, bool only_common, const struct lens *lens)
{
	bool any = false;
	for (const struct option_row *row = NULL; (row = option_next(command->id, row));)
		if (lens ? arguments_is_for(row, lens->name) : !only_common || !row->lens) {
			fputs(any ? "" : "\n", file);
			put_option(file, row);
			any = true;
		}
}

/* An option of the view's name explains it. */
static bool is_option(const struct view *view)
{
	return view->chosen_by != OPTION_NONE && strcmp(option_names[view->chosen_by], view->name) == 0;
}

static void put_views(FILE *file, const struct lens *lens)
{
	fprintf(file, "\nViews of %s\n", lens->name);
	for (const struct view *const *view = lens->views; *view; view++)
		if (!is_option(*view))
			put_indented(file, (*view)->name, (*view)->help, 19);
}

/* Views and options of all lenses by name only: explanations of all of them would not fit on one screen. */
static void list_by_lens(FILE *file, const struct command *command, bool with_views)
{
	struct pool pool = {0};
	fprintf(file, "\n%s by lens; `skein %s LENS --help` explains them\n", with_views ? "Views and options" : "Options", command->name);
	for (size_t i = 0; i < lens_count; i++) {
		const char *list = "";
		for (const struct view *const *view = lenses[i]->views; with_views && *view; view++)
			list = pool_print(&pool, "%s %s%s", list, (*view)->name, view[1] ? "," : ";");
		for (const struct option_row *row = NULL; (row = option_next(command->id, row));)
			if (row->lens && arguments_is_for(row, lenses[i]->name))
				list = pool_print(&pool, "%s --%s", list, option_names[row->is]);
		put_indented(file, lenses[i]->name, list + 1, 9);
	}
	pool_free(&pool);
}

/* All examples of the command; if a lens is given, only those that name this lens. */
static void put_examples(FILE *file, const struct command *command, const struct lens *lens)
{
	struct pool pool = {0};
	const char *start = lens ? pool_print(&pool, "skein %s %s ", command->name, lens->name) : "";
	fputs("\nExamples\n", file);
	for (const char *at = command->examples; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, start, strlen(start)) == 0)
			fprintf(file, "  %.*s\n", (int)strcspn(at, "\n"), at);
	pool_free(&pool);
}

static void put_command(FILE *file, const struct command *command, const char *lens_name)
{
	const struct lens *lens = lens_name ? lens_find(lens_name) : NULL;
	bool is_report = command->id == COMMAND_REPORT, is_brief = is_report || command->id == COMMAND_RECORD;
	fprintf(file, "skein %s: %s\n\n  skein %s%s%s\n", command->name, command->summary, command->name, *command->synopsis ? " " : "",
	        command->synopsis);
	if (is_brief && lens) {
		fputc('\n', file);
		put_wrapped(file, "", lens->question, 0);
	}
	if (command->text) {
		fputc('\n', file);
		put_wrapped(file, "", command->text, 0);
	}
	put_options(file, command, is_brief, lens);
	if (is_report && lens)
		put_views(file, lens);
	else if (is_brief && !lens)
		list_by_lens(file, command, is_report);
	put_examples(file, command, is_brief ? lens : NULL);
}

void help_command(FILE *file, const struct command *command, const char *lens_name)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *page = open_memstream(&text, &bytes);
	if (!page)
		return;
	put_command(page, command, lens_name);
	fclose(page);
	locale_put(file, text);
	free(text);
}

/* ---- man pages ---- */

/* A hyphen of an option must not become a dash, and a line must not begin as a request. */
static void roff(FILE *file, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", file);
	for (; *text; text++) {
		if (*text == '-' || *text == '\\')
			fputc('\\', file);
		if (strncmp(text, "…", strlen("…")) == 0) {
			fputs("...", file);
			text += strlen("…") - 1;
			continue;
		}
		fputc(*text, file);
	}
}

static void roff_line(FILE *file, const char *before, const char *text)
{
	fputs(before, file);
	roff(file, text);
	fputc('\n', file);
}

static void roff_lines(FILE *file, const char *text)
{
	fputs(".nf\n", file);
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		char line[256];
		snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
		roff_line(file, "", line);
	}
	fputs(".fi\n", file);
}

static const struct {
	const char *status, *meaning;
} statuses[] = {
	{"0", "success (record: the exit status of PROGRAM itself)"},
	{"2", "wrong usage: an unknown command, option, lens, view or column"},
	{"125", "skein itself failed: no space, a missing tool, a failed re-link, a damaged recording"},
	{"126", "the program exists but cannot be profiled or run"},
	{"127", "the program or the recording does not exist"},
};

static void man_end(FILE *file)
{
	fputs(".SH EXIT STATUS\n", file);
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		roff_line(file, ".TP\n", statuses[i].status);
		roff_line(file, "", statuses[i].meaning);
	}
	fputs(".SH SEE ALSO\n", file);
	fputs("skein(1)", file);
	for (const struct command *command = commands; command->name; command++)
		fprintf(file, ", skein\\-%s(1)", command->name);
	fputs(", skein\\-cc(1)\n", file);
}

/* skein-cc has clang's options and none of its own. */
void help_man_compiler(FILE *file)
{
	fprintf(file, ".TH SKEIN\\-CC 1 \"\" \"skein %s\"\n.SH NAME\nskein\\-cc, skein\\-c++ \\- the compiler to build with\n",
	        SKEIN_VERSION);
	fputs(".SH SYNOPSIS\n.B skein\\-cc\n[\n.I OPTION\n\\&... ]\n.I FILE\n\\&...\n", file);
	roff_line(file, ".SH DESCRIPTION\n", ARGS_ABOUT);
	fputs(".SH EXAMPLES\n", file);
	roff_lines(file, ARGS_EXAMPLES);
	fputs(".SH EXIT STATUS\nThat of the compiler or the linker.\n.SH SEE ALSO\nskein(1), skein\\-record(1), clang\\-19(1)\n", file);
}

static void man_skein(FILE *file)
{
	fprintf(file, ".TH SKEIN 1 \"\" \"skein %s\"\n.SH NAME\nskein \\- a profiler for parallel C and C++ programs\n", SKEIN_VERSION);
	fputs(".SH SYNOPSIS\n.B skein\n.I COMMAND\n[\n.I ARGUMENT\n\\&... ]\n.SH COMMANDS\n", file);
	for (const struct command *command = commands; command->name; command++) {
		roff_line(file, ".TP\n.B ", command->name);
		roff_line(file, "", command->summary);
	}
	fputs(".SH LENSES\n", file);
	for (size_t i = 0; i < lens_count; i++) {
		roff_line(file, ".TP\n.B ", lenses[i]->name);
		roff_line(file, "", lenses[i]->question);
	}
	man_end(file);
}

/* Which lenses have the option, unless all have it or its help begins with that. */
static void roff_lenses(FILE *file, const struct option_row *row)
{
	if (!row->lens || strncmp(row->help, row->lens, strcspn(row->lens, " ")) == 0)
		return;
	for (const char *at = row->lens; *at; at++)
		fputs(*at == ' ' ? ", " : (char[]){*at, 0}, file);
	fputs(": ", file);
}

static void man_options(FILE *file, const struct command *command)
{
	bool any = false;
	for (const struct option_row *row = NULL; (row = option_next(command->id, row));) {
		char head[64];
		if (!any)
			fputs(".SH OPTIONS\n", file);
		any = true;
		option_head(head, sizeof head, row);
		roff_line(file, ".TP\n.B ", head);
		roff_lenses(file, row);
		roff_line(file, "", row->help);
	}
	if (command->id != COMMAND_REPORT)
		return;
	for (size_t i = 0; i < lens_count; i++) {
		fprintf(file, ".SH VIEWS OF THE LENS %s\n", lenses[i]->name);
		for (const struct view *const *view = lenses[i]->views; *view; view++) {
			roff_line(file, ".TP\n.B ", (*view)->name);
			roff_line(file, "", (*view)->help);
		}
	}
}

void help_man(FILE *file, const struct command *command)
{
	if (!command) {
		man_skein(file);
		return;
	}
	fputs(".TH SKEIN\\-", file);
	for (const char *at = command->name; *at; at++)
		fputc(toupper((unsigned char)*at), file);
	fprintf(file, " 1 \"\" \"skein %s\"\n.SH NAME\nskein\\-%s \\- ", SKEIN_VERSION, command->name);
	roff_line(file, "", command->summary);
	fprintf(file, ".SH SYNOPSIS\n.B skein %s\n", command->name);
	roff_line(file, "", command->synopsis);
	if (command->text)
		roff_line(file, ".SH DESCRIPTION\n", command->text);
	man_options(file, command);
	fputs(".SH EXAMPLES\n", file);
	roff_lines(file, command->examples);
	man_end(file);
}

/* ---- completion ---- */

static void words_of_commands(FILE *file)
{
	for (const struct command *command = commands; command->name; command++)
		fprintf(file, "%s%s", command == commands ? "" : " ", command->name);
}

static void words_of_lenses(FILE *file)
{
	for (size_t i = 0; i < lens_count; i++)
		fprintf(file, "%s%s", i ? " " : "", lenses[i]->name);
}

static void words_of_views(FILE *file)
{
	for (size_t i = 0; i < lens_count; i++)
		for (const struct view *const *view = lenses[i]->views; *view; view++)
			fprintf(file, "%s%s", i || view > lenses[i]->views ? " " : "", (*view)->name);
}

static void words_of_options(FILE *file, enum command_id command)
{
	for (const struct option_row *row = NULL; (row = option_next(command, row));)
		fprintf(file, " --%s", option_names[row->is]);
}

static void complete_bash(FILE *file)
{
	fputs("# bash completion for skein, made by `skein help --completion bash`\n_skein() {\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then words=\"",
	      file);
	words_of_commands(file);
	fputs("\"\n\telif [ \"$before\" = --view ]; then words=\"", file);
	words_of_views(file);
	fputs("\"\n\telif [ \"$before\" = record ]; then words=\"", file);
	words_of_lenses(file);
	fputs("\"\n\telse case ${COMP_WORDS[1]} in\n", file);
	for (const struct command *command = commands; command->name; command++) {
		fprintf(file, "\t\t%s) words=\"--help", command->name);
		words_of_options(file, command->id);
		if (command->id == COMMAND_REPORT) {
			fputc(' ', file);
			words_of_lenses(file);
		}
		fputs("\" ;;\n", file);
	}
	fputs("\tesac; fi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	      "\tcase $word in -*) ;; *) [ \"$COMP_CWORD\" -gt 1 ] && COMPREPLY+=($(compgen -f -- \"$word\")) ;; esac\n}\n"
	      "complete -o filenames -F _skein skein\n",
	      file);
}

static void complete_zsh(FILE *file)
{
	fputs("#compdef skein\n# made by `skein help --completion zsh`\n_skein() {\n\tif (( CURRENT == 2 )); then compadd -- ", file);
	words_of_commands(file);
	fputs("; return; fi\n\tcase $words[CURRENT-1] in\n\t\t--view) compadd -- ", file);
	words_of_views(file);
	fputs("; return ;;\n\t\trecord) compadd -- ", file);
	words_of_lenses(file);
	fputs("; return ;;\n\tesac\n\tcase $words[2] in\n", file);
	for (const struct command *command = commands; command->name; command++) {
		fprintf(file, "\t\t%s) compadd -- --help", command->name);
		words_of_options(file, command->id);
		fputs(" ;;\n", file);
	}
	fputs("\tesac\n\t_files\n}\n_skein \"$@\"\n", file);
}

static void complete_fish_option(FILE *file, const struct command *command, const struct option_row *row)
{
	fprintf(file, "complete -c skein -n '__fish_seen_subcommand_from %s' -l %s%s", command->name, option_names[row->is],
	        row->value ? " -r" : "");
	if (row->is == OPTION_VIEW) {
		fputs(" -f -a '", file);
		words_of_views(file);
		fputc('\'', file);
	}
	fputs(" -d \"", file);
	for (const char *at = row->help; *at; at++)
		if (*at != '"')
			fputc(*at, file);
	fputs("\"\n", file);
}

static void complete_fish(FILE *file)
{
	fputs("# fish completion for skein, made by `skein help --completion fish`\n", file);
	for (const struct command *command = commands; command->name; command++)
		fprintf(file, "complete -c skein -n __fish_use_subcommand -f -a %s -d '%s'\n", command->name, command->summary);
	for (size_t i = 0; i < lens_count; i++)
		fprintf(file, "complete -c skein -n '__fish_seen_subcommand_from record report' -a %s\n", lenses[i]->name);
	for (const struct command *command = commands; command->name; command++)
		for (const struct option_row *row = NULL; (row = option_next(command->id, row));)
			complete_fish_option(file, command, row);
}

int help_completion(FILE *file, const char *shell, struct fail *why)
{
	if (strcmp(shell, "bash") == 0)
		complete_bash(file);
	else if (strcmp(shell, "zsh") == 0)
		complete_zsh(file);
	else if (strcmp(shell, "fish") == 0)
		complete_fish(file);
	else
		return fail_set(why, FAIL_USAGE, "there is completion for bash, zsh and fish, not for %.100s", shell);
	return 0;
}
