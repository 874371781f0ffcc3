/* SPDX-License-Identifier: MIT */
/* shape.c: the shape of an object (shape.h), written into the folder of its table. */
#include "pass/shape.h"
#include "pass/paths/paths.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pass/cost.h"

struct files {
	char **name;
	size_t count;
};

/* The number of a source file, which is written when it is first met; -1: there is none. Neighbours are mostly from the same. */
static long file_of(FILE *to, struct files *f, const char *name, size_t bytes)
{
	if (!name || !bytes)
		return -1;
	for (size_t i = f->count; i-- > 0;)
		if (strlen(f->name[i]) == bytes && memcmp(f->name[i], name, bytes) == 0)
			return (long)i;
	f->name = pass_grow(f->name, f->count, sizeof *f->name);
	if (!(f->name[f->count] = strndup(name, bytes)))
		pass_fail("out of memory");
	fprintf(to, "n\t%zu", f->count);
	pass_field(to, name, bytes);
	fputc('\n', to);
	return (long)f->count++;
}

struct line {
	long file;
	unsigned line;
};

struct lines {
	struct line *at;
	size_t count;
};

static bool same_line(const struct line *a, const struct line *b)
{
	return a->file == b->file && a->line == b->line;
}

static void add_line(struct lines *l, struct line line)
{
	if (l->count && same_line(&l->at[l->count - 1], &line))
		return;
	l->at = pass_grow(l->at, l->count, sizeof *l->at);
	l->at[l->count++] = line;
}

static void write_lines(FILE *to, const struct lines *l)
{
	fputs(l->count ? "\t" : "\t-", to);
	for (size_t i = 0; i < l->count; i++) {
		bool same = i && l->at[i].file == l->at[i - 1].file;
		if (i)
			fputc(same ? ',' : ';', to);
		if (!same && l->at[i].file < 0)
			fputs("-:", to);
		else if (!same)
			fprintf(to, "%ld:", l->at[i].file);
		fprintf(to, "%u", l->at[i].line);
	}
}

static bool same_lines(const struct lines *a, const struct lines *b)
{
	size_t same = 0;
	while (same < a->count && same < b->count && same_line(&a->at[same], &b->at[same]))
		same++;
	return same == a->count && same == b->count;
}

/* The lines of a block as the compiler has them, and as the program's own source does. */
struct places {
	struct lines lines, shown;
};

/* Files come before the function that they are first needed in. */
static void write_block(FILE *to, const struct paths_routine *r, uint32_t b, const struct places *places)
{
	unsigned cost = 0;
	for (LLVMValueRef i = LLVMGetFirstInstruction(r->place[b].block); i; i = LLVMGetNextInstruction(i))
		cost += cost_of(i);
	fprintf(to, "b\t%u\t%u", cost, r->stops[b]);
	write_lines(to, &places->lines);
	if (!same_lines(&places->lines, &places->shown))
		write_lines(to, &places->shown);
	fputc('\n', to);
}

static void write_weights(FILE *to, const struct paths_routine *r, uint32_t edge)
{
	fprintf(to, "\t%a", r->passed[edge]);
	if (r->passed != r->guessed)
		fprintf(to, "\t%a", r->guessed[edge]);
	fputc('\n', to);
}

static void write_edge(FILE *to, const struct paths_edge *e)
{
	fprintf(to, "e\t%u\t", e->from);
	if (e->to == PATHS_EXIT)
		fputc('x', to);
	else
		fprintf(to, "%u", e->to);
	fprintf(to, "\t%u", e->flags);
}

static struct places places_of(FILE *to, struct files *f, LLVMBasicBlockRef block)
{
	struct places p = {0};
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		struct pass_place own;
		unsigned bytes = 0, line = LLVMIsAPHINode(i) ? 0 : LLVMGetDebugLocLine(i);
		if (!line)
			continue;
		const char *name = LLVMGetDebugLocFilename(i, &bytes);
		struct line at = {file_of(to, f, name, bytes), line};
		add_line(&p.lines, at);
		if (pass_place(i, &own) && own.line)
			at = (struct line){file_of(to, f, own.file, own.file_bytes), own.line};
		add_line(&p.shown, at);
	}
	return p;
}

static void write_chosen(FILE *to, const uint8_t *chosen, uint32_t arcs)
{
	for (uint32_t a = 0; a < arcs; a += 4) {
		unsigned digit = 0;
		for (uint32_t k = 0; k < 4 && a + k < arcs; k++)
			digit |= (unsigned)chosen[a + k] << k;
		fprintf(to, "%x", digit);
	}
}

static void write_parts(FILE *to, const struct paths_pass *s, const struct paths_routine *r)
{
	if (!r->parts || *pass_option(PLAN_FACTS)) /* nothing is known yet, or only of one copy */
		return;
	for (unsigned c = 0; c < s->copies; c++) {
		if (!r->parts[c].counts)
			continue;
		fprintf(to, "c\t%u\t", c);
		if (r->parts[c].chosen)
			write_chosen(to, r->parts[c].chosen, r->graph.arcs);
		else
			fputc('*', to);
		fputc('\n', to);
	}
}

static void write_asked(FILE *to, const struct paths_routine *r)
{
	if (!r->asked_new && !r->asked.count)
		return;
	fprintf(to, "a\t%s\t", r->asked_new ? "others" : "these");
	for (size_t i = 0; i < r->asked.count; i++)
		fprintf(to, r->hashed ? "%sx%016llx" : "%s%llu", i ? "," : "", (unsigned long long)r->asked.at[i]);
	fputs(r->asked.count ? "\n" : "-\n", to);
}

static void write_flags(FILE *to, const struct paths_routine *r)
{
	if (!r->by_turns && !r->counted)
		fputc('-', to);
	if (r->by_turns)
		fputc('t', to);
	if (r->counted)
		fputc('m', to);
}

static void write_routine(FILE *to, const struct paths_pass *s, const struct paths_routine *r, struct files *f)
{
	struct places *places = pass_zeroed(r->blocks, sizeof *places);
	for (uint32_t b = 0; b < r->blocks; b++)
		places[b] = places_of(to, f, r->place[b].block);
	fprintf(to, "f\t%u\t%u\t%u\t", r->index, r->blocks, r->edges);
	write_flags(to, r);
	fprintf(to, "\t%u\t%u\t", r->first, r->array);
	if (r->entry < 0)
		fputs("-\n", to);
	else
		fprintf(to, "%lld\n", (long long)r->entry);
	for (uint32_t b = 0; b < r->blocks; b++) {
		write_block(to, r, b, &places[b]);
		free(places[b].lines.at);
		free(places[b].shown.at);
	}
	for (uint32_t e = 0; e < r->edges; e++) {
		write_edge(to, &r->edge[e]);
		write_weights(to, r, e);
	}
	fputs("e\t-\t-\t0", to);
	write_weights(to, r, r->edges);
	write_parts(to, s, r);
	write_asked(to, r);
	free(places);
}

static char *path_of_shape(void)
{
	const char *table = pass_option(PLAN_TABLE), *slash = strrchr(table, '/');
	size_t folder = slash ? (size_t)(slash + 1 - table) : 0;
	char *path = pass_zeroed(folder + sizeof SHAPE_FILE, 1);
	memcpy(path, table, folder);
	memcpy(path + folder, SHAPE_FILE, sizeof SHAPE_FILE);
	return path;
}

void paths_shape_functions(const struct paths_pass *s, FILE *to)
{
	static const char *const how[] = {
#define X(name, text) text,
		PATHS_HOW_LIST(X)
#undef X
	};
	struct files files = {0};
	fprintf(to, SHAPE_MAGIC "\t%d\no", SHAPE_VERSION);
	pass_field(to, pass_option(PLAN_OBJECT), strlen(pass_option(PLAN_OBJECT)));
	fprintf(to, "\t%u\t%u\t%s\n", s->copy, s->copies, how[s->how]);
	for (size_t i = 0; i < s->count; i++)
		write_routine(to, s, &s->routines[i], &files);
	for (size_t i = 0; i < files.count; i++)
		free(files.name[i]);
	free(files.name);
}

void paths_shape_write(const struct paths_pass *s)
{
	char *path = path_of_shape();
	FILE *to = fopen(path, "w");
	if (!to)
		pass_fail("cannot write the shape %s", path);
	paths_shape_functions(s, to);
	fprintf(to, "end\t%zu\t%zu\n", s->count, s->p->table_sites);
	if (fclose(to) != 0)
		pass_fail("cannot write the shape %s", path);
	free(path);
}
