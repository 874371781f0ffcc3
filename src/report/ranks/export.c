/* SPDX-License-Identifier: MIT */
/* export.c: a merged recording as CSV, for engines that read more than one machine's memory holds. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/folder.h"
#include "report/ranks/ranks.h"

static FILE *open_file(const char *folder, const char *name, struct fail *why)
{
	char path[PATH_MAX];
	FILE *file = NULL;
	if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
		file = fopen(path, "we");
	if (!file)
		fail_set(why, FAIL_INTERNAL, "cannot write %.300s/%s: %s", folder, name, strerror(errno));
	return file;
}

static int close_file(FILE *file, const char *folder, const char *name, struct fail *why)
{
	bool bad = ferror(file);
	if (fclose(file) != 0 || bad)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s/%s: no space is left", folder, name);
	return 0;
}

static void put_optional(FILE *file, int64_t value)
{
	if (value >= 0)
		fprintf(file, "%" PRId64, value);
	fputc(',', file);
}

static int export_parts(const struct parts *parts, const char *folder, struct fail *why)
{
	FILE *file = open_file(folder, "parts.csv", why);
	if (!file)
		return -1;
	fputs("part,lens,rank,ranks,task,node,job,launcher,exit_code,died_of,started_real_ns,program,file\n", file);
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = &parts->list[i];
		fprintf(file, "%" PRId64 ",%s,%" PRId64 ",%" PRId64 ",", p->number, p->lens, p->rank, p->ranks);
		put_optional(file, p->task);
		const char *const texts[] = {p->node, p->job, p->launcher};
		for (size_t t = 0; t < 3; t++) {
			escape_csv(file, texts[t]);
			fputc(',', file);
		}
		put_optional(file, p->exit_code);
		put_optional(file, p->died_of);
		fprintf(file, "%" PRIu64 ",", p->started_real_ns);
		escape_csv(file, p->program);
		fputc(',', file);
		escape_csv(file, p->file);
		fputc('\n', file);
	}
	return close_file(file, folder, "parts.csv", why);
}

static int export_figures(const struct parts *parts, const char *folder, struct fail *why)
{
	static const char *const of[] = {[PART_RUN] = "run", [PART_ROUTINE] = "routine", [PART_CALL] = "call"};
	FILE *file = open_file(folder, "figures.csv", why);
	if (!file)
		return -1;
	fputs("figure,lens,name,of\n", file);
	for (size_t i = 0; i < parts->figure_count; i++) {
		fprintf(file, "%zu,%s,", i, parts->figures[i].lens);
		escape_csv(file, parts->figures[i].name);
		fprintf(file, ",%s\n", of[parts->figures[i].of]);
	}
	return close_file(file, folder, "figures.csv", why);
}

static int export_routines(const struct parts *parts, const char *folder, struct fail *why)
{
	FILE *file = open_file(folder, "routines.csv", why);
	if (!file)
		return -1;
	fputs("routine,name,file,line\n", file);
	for (size_t i = 0; i < parts->names.routine_count; i++) {
		const struct run_routine *r = &parts->names.routines[i];
		fprintf(file, "%zu,", i);
		escape_csv(file, r->name);
		fputc(',', file);
		escape_csv(file, r->file);
		fprintf(file, ",%u\n", r->line);
	}
	return close_file(file, folder, "routines.csv", why);
}

struct writing {
	FILE *file;
	const struct parts *parts;
	size_t figure;
};

static void put_value(void *context, uint32_t routine, size_t part, int64_t value)
{
	struct writing *w = context;
	fprintf(w->file, "%zu,%u,%" PRId64 ",%" PRId64 "\n", w->figure, routine, w->parts->list[part].number, value);
}

static int export_values(struct store *store, const struct parts *parts, const char *folder, struct fail *why)
{
	struct writing w = {.file = open_file(folder, "values.csv", why), .parts = parts};
	int result = 0;
	if (!w.file)
		return -1;
	fputs("figure,routine,part,value\n", w.file);
	for (; w.figure < parts->figure_count && result == 0; w.figure++)
		result = parts_values(store, parts, w.figure, put_value, &w, why);
	return close_file(w.file, folder, "values.csv", why) < 0 ? -1 : result;
}

int ranks_export(struct store *store, const char *folder, struct fail *why)
{
	struct parts parts;
	if (folder_make(folder, 0700, why) < 0 || parts_load(store, &parts, why) < 0)
		return -1;
	int result = export_parts(&parts, folder, why);
	if (result == 0)
		result = export_figures(&parts, folder, why);
	if (result == 0)
		result = export_routines(&parts, folder, why);
	if (result == 0)
		result = export_values(store, &parts, folder, why);
	parts_free(&parts);
	return result;
}
