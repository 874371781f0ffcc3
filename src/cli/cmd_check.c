/* SPDX-License-Identifier: MIT */
/* cmd_check.c: skein check. Holds a recording against claims: a figure keeps a bound, or a routine's cost grows no faster than stated.
 *
 * Exit status: 0 all claims hold, 1 one fails (beyond doubt), 3 none fails and one cannot be told, 2
 * wrong usage, 125 and 127 as everywhere. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "cli/commands.h"
#include "report/check/answer.h"
#include "report/report.h"

static const char usual_claims[] = "skein.check"; /* taken if no claim is given */

struct claims {
	struct claim *list;
	size_t count, room;
	struct pool pool;
};

static struct claim *next_claim(struct claims *claims)
{
	MEMORY_GROW(claims->list, claims->count, claims->room);
	return &claims->list[claims->count++];
}

/* ---- claims in files ---- */

/* Ends the line where a comment begins: a # at its start or behind a blank. */
static void cut_comment(char *line)
{
	for (char *at = line; *at; at++)
		if (*at == '#' && (at == line || isspace((unsigned char)at[-1])))
			*at = 0;
}

/* Where the file and the line are told, the sentence behind them is what was wrong. */
static int wrong_line(const char *path, size_t number, struct fail *why)
{
	struct fail inner = *why;
	return fail_set(why, inner.status, "%.200s:%zu: %.700s", path, number, inner.text);
}

static int read_line(struct claims *claims, const char *path, size_t number, char *line, size_t length, struct fail *why)
{
	if (strlen(line) != length) {
		fail_set(why, FAIL_USAGE, "a byte 0 is not text");
		return wrong_line(path, number, why);
	}
	cut_comment(line);
	if (line[strspn(line, " \t\r\n\v\f")] == 0)
		return 0;
	struct claim *claim = next_claim(claims);
	switch (claim_read(&claims->pool, line, claim, why)) {
	case CLAIM_READ: break;
	case CLAIM_NONE:
		fail_set(why, FAIL_USAGE, "%.200s is not a claim: write 'LENS: FIGURE <= BOUND' or 'ROUTINE: O(n log n)'", claim->text);
		return wrong_line(path, number, why);
	default: return wrong_line(path, number, why);
	}
	claim->file = path;
	claim->line = number;
	return 0;
}

static int read_file(struct claims *claims, const char *path, struct fail *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, number = 0, before = claims->count;
	ssize_t length;
	int result = 0;
	if (!file)
		return fail_set(why, FAIL_USAGE, "cannot read claims from %.300s: %s", path, strerror(errno));
	while (result == 0 && (length = getline(&line, &room, file)) >= 0)
		result = read_line(claims, path, ++number, line, (size_t)length, why);
	if (result == 0 && ferror(file))
		result = fail_set(why, FAIL_USAGE, "cannot read claims from %.300s: %s", path, strerror(errno));
	if (result == 0 && claims->count == before)
		result = fail_set(why, FAIL_USAGE, "there is no claim in %.300s: write one per line, such as 'span: parallelism >= 8'",
		                  path);
	free(line);
	fclose(file);
	return result;
}

/* ---- the command line ---- */

/* Words are claims and at most one file. */
static int read_words(const struct arguments *a, struct claims *claims, const char **file, struct fail *why)
{
	for (size_t i = 0; i < a->word_count; i++) {
		struct claim claim;
		enum claim_reading reading = claim_read(&claims->pool, a->words[i], &claim, why);
		if (reading == CLAIM_WRONG)
			return -1;
		if (reading == CLAIM_READ)
			*next_claim(claims) = claim;
		else if (*file || strstr(a->words[i], ": "))
			return fail_set(why, FAIL_USAGE, "%.200s is not a claim: write 'LENS: FIGURE <= BOUND' or 'ROUTINE: O(n log n)'",
			                a->words[i]);
		else
			*file = a->words[i];
	}
	return 0;
}

/* An option of a lens that no claim is about would be without effect. */
static int fit_options(const struct arguments *a, const struct claims *claims, struct fail *why)
{
	for (size_t i = 0; i < a->given_count; i++) {
		const struct option_row *row = a->given[i].row;
		bool fits = !row->lens;
		for (size_t c = 0; c < claims->count; c++)
			fits |= arguments_is_for(row, claim_lens(&claims->list[c])->name);
		if (!fits)
			return fail_set(why, FAIL_USAGE, "--%s is for claims about the lens %s: add such a claim, or leave it out",
			                option_names[row->is], row->lens);
	}
	return 0;
}

static int read_claims(const struct arguments *a, struct claims *claims, const char **file, struct fail *why)
{
	const char *path;
	int result = read_words(a, claims, file, why);
	for (size_t n = 0; result == 0 && (path = arguments_nth(a, OPTION_CLAIMS, n)); n++)
		result = read_file(claims, path, why);
	if (result == 0 && !claims->count && access(usual_claims, F_OK) == 0)
		result = read_file(claims, usual_claims, why);
	if (result == 0 && !claims->count)
		result = fail_set(why, FAIL_USAGE, "check needs a claim: skein check 'span: parallelism >= 8' FILE, or a file %s",
		                  usual_claims);
	return result == 0 ? fit_options(a, claims, why) : result;
}

/* ---- what is told ---- */

/* A file that could not be written whole is removed. */
static int write_junit(const struct answers *answers, const char *path, struct fail *why)
{
	FILE *file = fopen(path, "we");
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", path, strerror(errno));
	answers_junit(answers, file);
	bool bad = fflush(file) != 0 || ferror(file);
	if (fclose(file) != 0 || bad) {
		folder_drop_file(path);
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left", path);
	}
	return 0;
}

/* Annotations go to standard error, where GitHub reads them too: standard output may become a comment. */
static int tell(const struct arguments *a, const struct answers *answers, struct fail *why)
{
	const char *junit = arguments_value(a, OPTION_JUNIT), *github = getenv("GITHUB_ACTIONS");
	if (arguments_has(a, OPTION_MARKDOWN))
		answers_markdown(answers, stdout);
	else
		answers_print(answers, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		return fail_set(why, FAIL_INTERNAL, "cannot write the result: no space left, or the reader closed the pipe");
	if (github && strcmp(github, "true") == 0)
		answers_github(answers, stderr);
	if (junit && write_junit(answers, junit, why) < 0)
		return -1;
	return answers_status(answers);
}

static int check(const struct arguments *a, const struct claims *claims, const char *file, struct fail *why)
{
	struct recordings recordings = {.arguments = a};
	struct answers answers = {0};
	int result = 0;
	for (size_t c = 0; c < claims->count && result == 0; c++) {
		result = answer_claim(&answers, &claims->list[c], &recordings, file, why);
		if (result < 0 && claims->list[c].file)
			wrong_line(claims->list[c].file, claims->list[c].line, why);
	}
	if (result == 0)
		result = tell(a, &answers, why);
	answers_free(&answers);
	recordings_close(&recordings);
	return result;
}

/* ---- the figures that there are ---- */

struct list_row {
	const struct lens *lens;
	const struct figure *figure;
};

static const char *unit_text(enum unit unit)
{
	return unit == UNIT_NS ? "time" : unit == UNIT_PERCENT ? "%" : unit == UNIT_RATIO ? "ratio" : "count";
}

static void put_row(struct sheet *s, const struct list_row *r)
{
	COLUMN(s, TEXT, "lens", "lens", r->lens->name);
	COLUMN(s, TEXT, "about", "of a", figure_about_names[r->figure->rows->about]);
	COLUMN(s, TEXT, "figure", "figure", r->figure->name);
	COLUMN(s, TEXT, "unit", "unit", unit_text(r->figure->unit));
	COLUMN(s, TEXT, "kind", "known", figure_kind_names[r->figure->kind]);
	COLUMN(s, TEXT, "meaning", "meaning", r->figure->meaning);
}

static int list_figures(const struct arguments *a, struct fail *why)
{
	const struct lens *only = a->word_count ? lens_find(a->words[0]) : NULL;
	struct sheet sheet;
	if (a->word_count > 1)
		return fail_set(why, FAIL_USAGE, "--list takes at most one lens");
	if (a->word_count && !only)
		return lens_unknown(a->words[0], why);
	sheet_start(&sheet, true);
	sheet.is_text = true;
	put_row(&sheet, &(struct list_row){0});
	for (size_t l = 0; l < lens_count; l++)
		for (const struct figure *f = lenses[l]->figures->list; f->name && (!only || only == lenses[l]); f++) {
			sheet_row(&sheet, 0);
			put_row(&sheet, &(struct list_row){lenses[l], f});
		}
	struct page page = {.sheet = &sheet};
	out_text(stdout, &page, report_width(stdout), report_colour(stdout));
	sheet_free(&sheet);
	if (fflush(stdout) != 0 || ferror(stdout))
		return fail_set(why, FAIL_INTERNAL, "cannot write the list: no space left, or the reader closed the pipe");
	return 0;
}

int cmd_check(const struct arguments *a, struct fail *why)
{
	struct claims claims = {0};
	const char *file = NULL;
	char newest[PATH_MAX];
	if (arguments_has(a, OPTION_LIST))
		return list_figures(a, why);
	int status = read_claims(a, &claims, &file, why);
	if (status == 0 && !file)
		status = report_newest(newest, why);
	if (status == 0)
		status = check(a, &claims, file ? file : newest, why);
	free(claims.list);
	pool_free(&claims.pool);
	return status;
}
