/* SPDX-License-Identifier: MIT */
/* forms.c: answers as lines, as Markdown, as JUnit's XML, and as annotations of GitHub. Each form quotes what it needs quoted. */
#include <ctype.h>
#include <string.h>

#include "base/escape.h"
#include "report/check/answer.h"

/* Counts of one form's heading. */
struct counts {
	size_t fail, unknown;
};

static struct counts count(const struct answers *answers)
{
	struct counts c = {0};
	for (size_t i = 0; i < answers->count; i++) {
		c.fail += answers->list[i].status == ANSWER_FAILS;
		c.unknown += answers->list[i].status == ANSWER_UNKNOWN;
	}
	return c;
}

void answers_print(const struct answers *answers, FILE *file)
{
	struct pool pool = {0};
	for (size_t i = 0; i < answers->count; i++)
		fprintf(file, "%-8s %s\n", answers->list[i].word, escape_plain(&pool, answers->list[i].line));
	pool_free(&pool);
}

/* ---- Markdown ---- */

/* Whatever could mean something in Markdown, in a table or in HTML becomes a number of a character. */
static void put_markdown(FILE *file, const char *text)
{
	struct pool pool = {0};
	for (const char *at = escape_plain(&pool, text); *at; at++)
		if ((unsigned char)*at >= 0x80 || isalnum((unsigned char)*at) || strchr(" .,%()=+-/", *at))
			fputc(*at, file);
		else
			fprintf(file, "&#%d;", (unsigned char)*at);
	pool_free(&pool);
}

void answers_markdown(const struct answers *answers, FILE *file)
{
	struct counts c = count(answers);
	fprintf(file, "**skein check**: %zu of %zu held", answers->count - c.fail - c.unknown, answers->count);
	if (c.fail)
		fprintf(file, ", %zu failed", c.fail);
	if (c.unknown)
		fprintf(file, ", %zu cannot be told", c.unknown);
	fprintf(file, "\n\n| result | claim | figure | confidence |\n|---|---|---|---|\n");
	for (size_t i = 0; i < answers->count; i++) {
		const struct answer *a = &answers->list[i];
		fprintf(file, a->status == ANSWER_HOLDS ? "| %s | " : "| **%s** | ", a->word);
		put_markdown(file, a->claim);
		fputs(" | ", file);
		put_markdown(file, a->about);
		fputs(*a->about && *a->figure ? " " : "", file);
		put_markdown(file, a->figure);
		fputs(" | ", file);
		put_markdown(file, a->sure);
		fputs(" |\n", file);
	}
}

/* ---- JUnit ---- */

/* XML has no characters U+FFFE and U+FFFF, in any spelling; escape_plain leaves these two. */
static void put_xml(FILE *file, const char *text)
{
	struct pool pool = {0};
	for (const char *at = escape_plain(&pool, text); *at; at++) {
		if (strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0) {
			fprintf(file, "\\xef\\xbf\\x%02x", (unsigned char)at[2]);
			at += 2;
		} else if (strchr("&<>\"'", *at)) {
			fprintf(file, "&#%d;", *at);
		} else {
			fputc(*at, file);
		}
	}
	pool_free(&pool);
}

static void put_attribute(FILE *file, const char *name, const char *text)
{
	fprintf(file, " %s=\"", name);
	put_xml(file, text);
	fputc('"', file);
}

static void put_case(FILE *file, const struct answer *a)
{
	struct pool pool = {0};
	const char *form = *a->about ? "%s (%s)" : "%s";
	fputs("\t\t<testcase", file);
	put_attribute(file, "classname", pool_print(&pool, "skein.%s", a->lens));
	put_attribute(file, "name", pool_print(&pool, form, a->claim, a->about));
	if (a->file)
		put_attribute(file, "file", a->file);
	fputs(" time=\"0\">\n", file);
	if (a->status != ANSWER_HOLDS) {
		const char *element = a->status == ANSWER_FAILS ? "failure" : "error";
		fprintf(file, "\t\t\t<%s", element);
		put_attribute(file, "type", a->word);
		put_attribute(file, "message", a->line);
		fputc('>', file);
		put_xml(file, a->line);
		fprintf(file, "</%s>\n", element);
	} else {
		fputs("\t\t\t<system-out>", file);
		put_xml(file, a->line);
		fputs("</system-out>\n", file);
	}
	fputs("\t\t</testcase>\n", file);
	pool_free(&pool);
}

/* What cannot be told is an error, not a failure: a test that did not come to a result. */
void answers_junit(const struct answers *answers, FILE *file)
{
	struct counts c = count(answers);
	fprintf(file,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
	        "\t<testsuite name=\"skein check\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\" time=\"0\">\n",
	        answers->count, c.fail, c.unknown);
	for (size_t i = 0; i < answers->count; i++)
		put_case(file, &answers->list[i]);
	fputs("\t</testsuite>\n</testsuites>\n", file);
}

/* ---- GitHub ---- */

static void put_command(FILE *file, const char *text, const char *also)
{
	struct pool pool = {0};
	for (const char *at = escape_plain(&pool, text); *at; at++)
		if (*at == '%' || strchr(also, *at))
			fprintf(file, "%%%02X", (unsigned char)*at);
		else
			fputc(*at, file);
	pool_free(&pool);
}

void answers_github(const struct answers *answers, FILE *file)
{
	for (size_t i = 0; i < answers->count; i++) {
		const struct answer *a = &answers->list[i];
		if (a->status == ANSWER_HOLDS)
			continue;
		fprintf(file, "::%s ", a->status == ANSWER_FAILS ? "error" : "warning");
		if (a->file) {
			fputs("file=", file);
			put_command(file, a->file, ":,");
			fprintf(file, ",line=%zu,", a->line_number);
		}
		fprintf(file, "title=skein check%%3A %s::", a->word);
		put_command(file, a->line, "");
		fputc('\n', file);
	}
}
