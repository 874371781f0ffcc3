/* SPDX-License-Identifier: MIT */
/* join.c: one table of a program from those of its pieces.
 *
 * Routines keep their numbers behind the piece's first. A call whose callee is in another piece is a call of that routine. What the
 * linker dropped, as another piece has the same function or nothing needs it, is gone; and a function that was inlined in one piece or
 * removed from it is not said to be so if another piece still has it. */
#include "relink/pieces/pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/table.h"
#include "base/hash.h"
#include "base/map.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "keys/lenses.h"
#include "keys/piece.h"
#include "pass/table.h"

/* ---- names that the linked file has ---- */

struct names {
	char **at;
	size_t count, room;
	struct lookup index;
};

static bool is_name(const void *names, size_t number, const void *what)
{
	return strcmp(((char *const *)names)[number], what) == 0;
}

static bool has_name(struct names *n, const char *name)
{
	return *lookup_at(&n->index, hash_text(HASH_START, name), is_name, n->at, name);
}

static void add_name(struct names *n, const char *name, size_t bytes)
{
	char *copy = mem_or_die(strndup(name, bytes));
	size_t *place = lookup_at(&n->index, hash_text(HASH_START, copy), is_name, n->at, copy);

	if (*place) {
		free(copy);
		return;
	}
	MEMORY_GROW(n->at, n->count, n->room);
	n->at[n->count++] = copy;
	*place = n->count;
}

/* Tables have the names of sources: f for f.12. */
static void add_symbol(struct names *n, const char *name)
{
	const char *dot = strrchr(name, '.');

	add_name(n, name, strlen(name));
	if (dot && dot[1] && dot[1 + strspn(dot + 1, "0123456789")] == 0)
		add_name(n, name, (size_t)(dot - name));
}

static void see_symbol(void *names, const struct elf64_symbol *symbol)
{
	if (symbol->is_defined)
		add_symbol(names, symbol->name);
}

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->at[i]);
	free(n->at);
	lookup_free(&n->index);
}

static bool is_alive(void *names, const char *name)
{
	return has_name(names, name);
}

/* ---- functions that some piece has ---- */

struct function {
	const char *linkage, *file;
	uint32_t line;
	size_t number; /* in the whole table */
	bool is_external;
};

struct functions {
	struct function *at;
	size_t count, room;
	struct lookup by_place, by_name; /* by_name: external ones */
};

static bool is_function(const void *functions, size_t number, const void *what)
{
	const struct function *a = (const struct function *)functions + number, *b = what;
	return a->line == b->line && strcmp(a->linkage, b->linkage) == 0 && strcmp(a->file, b->file) == 0;
}

static bool is_called(const void *functions, size_t number, const void *what)
{
	return strcmp(((const struct function *)functions)[number].linkage, what) == 0;
}

static uint64_t hash_function(const struct function *f)
{
	return hash_text(hash_text(hash_number(HASH_START, f->line), f->linkage), f->file);
}

/* False: the function is known already. */
static bool add_function(struct functions *all, const struct function *f)
{
	size_t *place = lookup_at(&all->by_place, hash_function(f), is_function, all->at, f);
	bool is_new = !*place;

	if (is_new) {
		MEMORY_GROW(all->at, all->count, all->room);
		all->at[all->count++] = *f;
		*place = all->count;
	}
	if (f->is_external) {
		size_t known = *place;
		place = lookup_at(&all->by_name, hash_text(HASH_START, f->linkage), is_called, all->at, f->linkage);
		*place = *place ? *place : known;
	}
	return is_new;
}

static const struct function *find_external(struct functions *all, const char *linkage)
{
	size_t place = *linkage ? *lookup_at(&all->by_name, hash_text(HASH_START, linkage), is_called, all->at, linkage) : 0;

	return place ? &all->at[place - 1] : NULL;
}

/* ---- the table ---- */

struct whole {
	const struct pieces *pieces;
	struct table *tables; /* one a piece; empty: it is the same as an earlier one */
	struct names alive;
	struct functions functions;
	FILE *to;
	size_t sites;
	const char *broken; /* a function whose calls are counted where they are made, and is not there */
	bool *gone, *kept;  /* by number of routine; kept: of those that several pieces may have */
	size_t routines;
};

static int read_tables(struct whole *w, struct fail *why)
{
	for (size_t i = 0; i < w->pieces->count; i++)
		if (w->pieces->at[i].same == i && table_read(&w->tables[i], w->pieces->at[i].table, why) < 0)
			return -1;
	return 0;
}

static bool is_gone(struct whole *w, const struct table_routine *r, size_t number)
{
	return r->shared ? !w->kept[number] : w->alive.count && !has_name(&w->alive, r->linkage);
}

static void write_routines(struct whole *w, const struct table *t, size_t first)
{
	for (size_t i = 0; i < t->routine_count; i++) {
		const struct table_routine *r = &t->routines[i];
		bool gone = w->gone[first + i] = is_gone(w, r, first + i);
		if (!gone)
			add_function(&w->functions,
			             &(struct function){r->linkage, r->file, r->line, first + i, r->external && !r->unprofiled});
		fprintf(w->to, "r\t%zu\t", first + i);
		table_write_field(w->to, r->linkage);
		fputc('\t', w->to);
		table_write_field(w->to, r->file);
		fprintf(w->to, "\t%u\t-%s%s%s%s%s\n", r->line, r->openmp ? "o" : "", r->atomic ? "a" : "", r->unprofiled ? "u" : "",
		        r->tiny ? "t" : "", gone ? "g" : "");
	}
}

/* A call that is counted must reach a profiled routine, unless the linker dropped the one that makes it. */
static void check_counted(struct whole *w, const struct table_site *s, size_t first, const struct function *callee)
{
	bool reaches = callee || (s->callee != TABLE_NO_ROUTINE && !w->gone[first + s->callee]);

	if (s->flags & TABLE_COUNTED && !reaches && !w->gone[first + s->caller])
		w->broken = s->callee_name;
}

/* Sites with a row come first, of all pieces. */
static void write_sites(struct whole *w, const struct table *t, size_t first, bool counted)
{
	for (size_t i = 0; i < t->site_count; i++) {
		const struct table_site *s = &t->sites[i];
		bool is_own = s->callee != TABLE_NO_ROUTINE;
		if (counted != !!(s->flags & TABLE_COUNTED))
			continue;
		const struct function *callee = !is_own || w->gone[first + s->callee] ? find_external(&w->functions, s->callee_name) : NULL;
		check_counted(w, s, first, callee);
		fprintf(w->to, "s\t%zu\t%zu\t", w->sites++, first + s->caller);
		if (is_own || callee)
			fprintf(w->to, "%zu\t", callee ? callee->number : first + s->callee);
		else
			fputs("-1\t", w->to);
		table_write_field(w->to, s->callee_name);
		fputc('\t', w->to);
		table_write_field(w->to, s->file);
		fprintf(w->to, "\t%u\t%u\t", s->line, s->column);
		table_write_flags(w->to, s->flags);
		fputc('\n', w->to);
	}
}

static void write_place(struct whole *w, char letter, const struct table_inlined *f)
{
	fprintf(w->to, "%c\t", letter);
	table_write_field(w->to, f->linkage);
	fputc('\t', w->to);
	table_write_field(w->to, f->file);
	fprintf(w->to, "\t%u", f->line);
}

/* One line for each routine that holds an inlined function, none if the function itself is there; `removed` ones come after all of these. */
static void write_inlined(struct whole *w, const struct table *t, size_t first, bool removed)
{
	for (size_t i = 0; i < t->inlined_count; i++) {
		const struct table_inlined *f = &t->inlined[i];
		struct function key = {.linkage = f->linkage, .file = f->file, .line = f->line};
		if ((f->into == TABLE_NO_ROUTINE) != removed)
			continue;
		if (removed) {
			if (add_function(&w->functions, &key)) {
				write_place(w, 'x', f);
				fputc('\n', w->to);
			}
			continue;
		}
		if (*lookup_at(&w->functions.by_place, hash_function(&key), is_function, w->functions.at, &key))
			continue;
		write_place(w, 'i', f);
		fprintf(w->to, "\t%zu\n", first + f->into);
	}
}

static void write_unseen(struct whole *w, const struct table *t, size_t first)
{
	for (size_t i = 0; i < t->unseen_count; i++) {
		fprintf(w->to, "u\t%zu\t", first + t->unseen[i].caller);
		table_write_field(w->to, t->unseen[i].name);
		fputc('\n', w->to);
	}
}

/* From here on what was inlined is not removed. */
static void add_inlined(struct whole *w, const struct table *t)
{
	for (size_t i = 0; i < t->inlined_count; i++)
		if (t->inlined[i].into != TABLE_NO_ROUTINE)
			add_function(&w->functions,
			             &(struct function){.linkage = t->inlined[i].linkage,
			                                .file = t->inlined[i].file,
			                                .line = t->inlined[i].line});
}

static void write_table(struct whole *w, const struct relink_link *l)
{
	const struct pieces *p = w->pieces;
	size_t routines = 0;

	fprintf(w->to, TABLE_MAGIC "\t%d\no\t%s\t-\n", TABLE_VERSION, l->member->build_id);
	for (size_t i = 0; i < p->count; i++) {
		write_routines(w, &w->tables[i], p->at[i].first);
		routines += w->tables[i].routine_count;
	}
	for (size_t i = 0; i < p->count; i++)
		write_sites(w, &w->tables[i], p->at[i].first, true);
	for (size_t i = 0; i < p->count; i++)
		write_sites(w, &w->tables[i], p->at[i].first, false);
	for (size_t i = 0; i < p->count; i++)
		write_inlined(w, &w->tables[i], p->at[i].first, false);
	for (size_t i = 0; i < p->count; i++)
		add_inlined(w, &w->tables[i]);
	for (size_t i = 0; i < p->count; i++)
		write_inlined(w, &w->tables[i], p->at[i].first, true);
	for (size_t i = 0; i < p->count; i++)
		write_unseen(w, &w->tables[i], p->at[i].first);
	fprintf(w->to, "end\t%zu\t%zu\n", routines, w->sites);
}

static void read_kept(struct whole *w, struct blob file)
{
	struct blob section;
	uint32_t number;

	if (!elf64_section(file, PIECE_KEPT, &section))
		return;
	for (size_t at = 0; section.size - at >= sizeof number; at += sizeof number) {
		memcpy(&number, section.at + at, sizeof number);
		if (number < w->routines)
			w->kept[number] = true;
	}
}

static void read_linked(struct whole *w, const char *path)
{
	struct blob file;
	struct fail unread;

	if (blob_read(path, &file, &unread) < 0)
		return;
	elf64_symbols(file, see_symbol, &w->alive);
	read_kept(w, file);
	blob_free(&file);
}

static size_t count_routines(const struct whole *w)
{
	size_t count = 0;

	for (size_t i = 0; i < w->pieces->count; i++)
		count += w->tables[i].routine_count;
	return count;
}

int pieces_join(const struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	struct whole w = {.pieces = pieces, .tables = mem_or_die(calloc(pieces->count + 1, sizeof *w.tables))};
	char *path = str_format("%s/table", l->stages->at[0]), *linked = relink_object(l->stages->at[0], l->member);
	int failed = read_tables(&w, why);

	if (!failed && !(w.to = fopen(path, "we")))
		failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	if (!failed) {
		w.routines = count_routines(&w);
		w.gone = mem_or_die(calloc(w.routines + 1, sizeof *w.gone));
		w.kept = mem_or_die(calloc(w.routines + 1, sizeof *w.kept));
		read_linked(&w, linked);
		write_table(&w, l);
		const char *broken = w.broken ? w.broken : callgraph_broken(&pieces->graph, is_alive, &w.alive);
		if (broken)
			failed = fail_set(why, FAIL_INTERNAL, "calls of %s do not reach the function of an object", broken);
		if (fclose(w.to) != 0)
			failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	}
	if (!failed && lens_traits(l->ask->lens) & LENS_WRITES_SHAPES)
		failed = pieces_join_shapes(pieces, l, w.gone, why);
	for (size_t i = 0; i < pieces->count; i++)
		table_free(&w.tables[i]);
	free(w.tables);
	free(w.gone);
	free(w.kept);
	free(w.functions.at);
	lookup_free(&w.functions.by_place);
	lookup_free(&w.functions.by_name);
	names_free(&w.alive);
	free(path);
	free(linked);
	return failed;
}
