/* SPDX-License-Identifier: MIT */
/* sites.c: finds the sites that --what-if and --under name.
 *
 * The name of a callee means all sites that call it, and the function itself where code calls it that has no site: main, a
 * thread's function, a callback. CALLER->CALLEE and FILE:LINE mean sites alone. A name is a linkage name, or a demangled one
 * with or without its parameters; a file is known by the end of its path. --under also takes the name of a marked region, which
 * the runtime compares. What is asked for and not there is written into a
 * file beside the table, because another object of the program may have it: src/build looks at all of them. */
#include "pass/span/span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHAT_IFS = 16, NAME_BYTES = 512, NEAR = 64 };

struct wanted {
	char text[NAME_BYTES], near[NAME_BYTES];
	const char *caller, *callee; /* NULL: any */
	const char *file;            /* NULL: any */
	unsigned line;
	size_t found;
	unsigned distance; /* of `near` */
};

static char *trim(char *text)
{
	text += strspn(text, " ");
	size_t end = strlen(text);
	while (end && text[end - 1] == ' ')
		text[--end] = 0;
	return text;
}

static void understand(struct wanted *w, const char *text, size_t bytes)
{
	*w = (struct wanted){.distance = 3};
	snprintf(w->text, sizeof w->text, "%.*s", (int)bytes, text);
	char *arrow = strstr(w->text, "->"), *colon = strrchr(w->text, ':'), *end;
	if (arrow) {
		*arrow = 0;
		w->caller = trim(w->text);
		w->callee = trim(arrow + 2);
	} else if (colon && colon > w->text && colon[-1] != ':' && strtoul(colon + 1, &end, 10) && !*end) {
		*colon = 0;
		w->line = (unsigned)strtoul(colon + 1, NULL, 10);
		w->file = w->text;
	} else {
		w->callee = trim(w->text);
	}
}

static bool is_file(const char *asked, const char *path, size_t bytes)
{
	size_t length = strlen(asked);
	return length <= bytes && memcmp(path + bytes - length, asked, length) == 0 &&
		(length == bytes || asked[0] == '/' || path[bytes - length - 1] == '/');
}

static void name_of(const struct program *p, const struct site *site, char name[NAME_BYTES])
{
	size_t bytes = 0;
	const char *text = site->name ? site->name : site->callee >= 0 ? p->routines[site->callee].name : "";
	if (!*text && site->call && LLVMIsAFunction(LLVMGetCalledValue(site->call)))
		text = LLVMGetValueName2(LLVMGetCalledValue(site->call), &bytes);
	snprintf(name, NAME_BYTES, "%s", text);
}

static bool is_at(const struct wanted *w, const struct site *site)
{
	struct pass_place at = {site->file, site->file ? (unsigned)strlen(site->file) : 0, site->line, 0};
	if (!site->file && (!site->call || !pass_place(site->call, &at)))
		return false;
	return at.line == w->line && is_file(w->file, at.file, at.file_bytes);
}

/* Letters to change, to put in or to take out; `limit` if there are as many. */
static unsigned distance(const char *a, const char *b, unsigned limit)
{
	unsigned row[NEAR + 1];
	size_t n = strlen(a), m = strlen(b);
	if (n > NEAR || m > NEAR)
		return limit;
	for (size_t j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned corner = row[0];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned change = corner + (a[i - 1] != b[j - 1]), gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			corner = row[j];
			row[j] = change < gap ? change : gap;
		}
	}
	return row[m] < limit ? row[m] : limit;
}

static void note_near(struct wanted *w, const char *name)
{
	unsigned far = distance(w->callee, name, w->distance);
	if (far >= w->distance)
		return;
	w->distance = far;
	snprintf(w->near, sizeof w->near, "%s", name);
}

static bool is_wanted(struct wanted *w, const struct program *p, const struct site *site)
{
	char name[NAME_BYTES];
	if (w->file)
		return is_at(w, site);
	name_of(p, site, name);
	if (!*name || (w->caller && !select_is(w->caller, p->routines[site->caller].name)))
		return false;
	if (select_is(w->callee, name))
		return true;
	note_near(w, name);
	return false;
}

/* What only asks the OpenMP runtime for numbers stands on the lines of constructs, and costs nothing. */
static bool is_free(const struct span_pass *s, const struct site *site)
{
	return site->call && span_openmp(site) != OPENMP_NONE && span_reach(s, site) == SPAN_QUIET;
}

/* Sets `bit` for all that is meant: in marks by site, and in entries by routine. */
static void choose(struct span_pass *s, struct wanted *w, uint32_t bit)
{
	struct program *p = s->p;
	for (size_t i = 0; i < p->site_count; i++)
		if (is_wanted(w, p, &p->sites[i]) && !is_free(s, &p->sites[i])) {
			s->marks[i] |= bit;
			w->found++;
		}
	for (unsigned r = 0; w->callee && !w->caller && r < p->routine_count; r++)
		if (p->routines[r].profiled && s->facts[r].outside && select_is(w->callee, p->routines[r].name)) {
			s->facts[r].marks |= bit;
			w->found++;
		}
}

/* The name that a mark gives to its region, if it is a literal. */
static bool region_name(const struct site *site, char name[NAME_BYTES])
{
	size_t bytes;
	LLVMValueRef text = LLVMGetOperand(site->call, 0);
	LLVMValueRef literal = LLVMIsAGlobalVariable(text) && LLVMIsGlobalConstant(text) ? LLVMGetInitializer(text) : NULL;
	if (!literal || !LLVMIsAConstantDataArray(literal) || !LLVMIsConstantString(literal))
		return false;
	const char *at = LLVMGetAsString(literal, &bytes);
	snprintf(name, NAME_BYTES, "%.*s", (int)bytes, at);
	return true;
}

/* A name that is made while the program runs may be any. */
static void choose_region(struct span_pass *s, struct wanted *w, const char *text)
{
	char name[NAME_BYTES];
	for (size_t i = 0; i < s->p->site_count; i++) {
		const struct site *site = &s->p->sites[i];
		if (!site->call || span_marks(site) != SPAN_REGION_BEGIN)
			continue;
		bool known = region_name(site, name);
		w->found += !known || strcmp(name, text) == 0;
		if (known && w->callee)
			note_near(w, name);
	}
}

static void complain(const struct wanted *w, const char *option, const char *text, size_t bytes)
{
	char path[4096];
	snprintf(path, sizeof path, "%s.unmet", pass_option(PLAN_TABLE));
	FILE *to = fopen(path, "a");
	if (!to)
		pass_fail("cannot write %s", path);
	fprintf(to, "--%s %.*s\tno call site matches --%s %.*s", option, (int)bytes, text, option, (int)bytes, text);
	if (*w->near)
		fprintf(to, "; did you mean %s%s%s?\n", w->caller ? w->caller : "", w->caller ? "->" : "", w->near);
	else if (w->file)
		fprintf(to, ": no call or parallel loop is at that line\n");
	else
		fprintf(to, "; calls of small functions are inlined unless --inlined keeps them\n");
	fclose(to);
}

static void choose_one(struct span_pass *s, const char *option, const char *text, size_t bytes, uint32_t bit)
{
	struct wanted w;
	understand(&w, text, bytes);
	choose(s, &w, bit);
	if (bit == SPAN_MARK_UNDER)
		choose_region(s, &w, text);
	if (!w.found)
		complain(&w, option, text, bytes);
}

/* After sites were numbered. A loop under which all is done in another lane is in a routine that must ask for its lane again. */
void span_choose(struct span_pass *s)
{
	const char *line = pass_option(PLAN_WHATIF);
	for (unsigned k = 0; *line && k < WHAT_IFS; k++) {
		size_t bytes = strcspn(line, "\n");
		choose_one(s, "what-if", line, bytes, 1u << k);
		line += bytes + (line[bytes] == '\n');
	}
	const char *under = pass_option(PLAN_UNDER);
	if (*under)
		choose_one(s, "under", under, strlen(under), SPAN_MARK_UNDER);
	for (size_t i = 0; i < s->p->site_count; i++)
		if (s->marks[i] & SPAN_MARK_UNDER && s->p->sites[i].loop) {
			s->facts[s->p->sites[i].caller].measured = s->facts[s->p->sites[i].caller].leaf = false;
			s->facts[s->p->sites[i].caller].outside = true;
		}
}
