/* SPDX-License-Identifier: MIT */
/* paths.c: the rows of the paths lens, to and from a recording. Values that follow from edges and paths (numbers,
 * counts of edges) are stored for queries in SQL. Reading computes them again, which checks that edges and paths fit
 * together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/file.h"
#include "store/store.h"

static const char letters[PATHS_BITS] = {
#define X(name, letter) letter,
	PATHS_FLAG_LIST(X)
#undef X
};

/* ---- saving ---- */

/* A growing text. */
struct text {
	char *bytes;
	size_t room;
};

static void put(struct text *t, size_t *at, const char *format, uint32_t number)
{
	if (t->room - *at < 16) {
		t->room = t->room ? 2 * t->room : 256;
		t->bytes = memory_resize(t->bytes, t->room, 1);
	}
	*at += (size_t)snprintf(t->bytes + *at, t->room - *at, format, number);
}

static const char *steps_text(struct text *t, const struct paths *p, size_t first, uint32_t length)
{
	size_t at = 0;
	put(t, &at, "", 0);
	for (uint32_t i = 0; i < length; i++)
		put(t, &at, i ? " %u" : "%u", p->steps[first + i]);
	return t->bytes;
}

static const char *lines_text(struct text *t, const struct paths *p, size_t first, uint32_t count)
{
	size_t at = 0;
	put(t, &at, "", 0);
	for (uint32_t i = 0; i < count; i++) {
		const struct paths_line *line = &p->lines[first + i];
		bool again = i && line[-1].file == line->file;
		if (!again && i)
			put(t, &at, ";", 0);
		if (!again)
			put(t, &at, line->file == PATHS_NONE ? "-:" : "%u:", line->file);
		put(t, &at, again ? ",%u" : "%u", line->line);
	}
	return t->bytes;
}

static int64_t or_null(uint32_t value)
{
	return value == PATHS_NONE ? -1 : (int64_t)value;
}

static void save_function(struct sql *sql, const struct paths *p, size_t number, int64_t id, const uint32_t *map)
{
	const struct paths_profile *f = &p->profiles[number];
	char flags[PATHS_BITS + 1];
	size_t count = 0;
	for (uint32_t i = 0; i < PATHS_BITS; i++)
		if (f->flags >> i & 1)
			flags[count++] = letters[i];
	flags[count] = 0;
	sql_do(sql, "INSERT INTO paths_function VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiitirirrriiii", id,
	       (int64_t)number, (int64_t)map[f->routine], (int64_t)f->blocks, (int64_t)f->edges, flags, store_whole(f->entries),
	       f->possible, (int64_t)f->paths, f->sequential.increments, f->sequential.updates, f->sequential.zeroed,
	       (int64_t)f->sequential_probes.increments, (int64_t)f->sequential_probes.updates, store_whole(f->others),
	       store_whole(f->others_taken));
	for (size_t i = 0; i < f->names; i++)
		sql_do(sql, "INSERT INTO paths_asked VALUES (?, ?, ?)", "iii", id, (int64_t)number,
		       store_whole(p->names[f->first_name + i]));
}

static void save_graph(struct sql *sql, const struct paths *p, size_t number, int64_t id, struct text text[2])
{
	const struct paths_profile *f = &p->profiles[number];
	for (uint32_t i = 0; i < f->blocks; i++) {
		const struct paths_block *b = &p->blocks[f->first_block + i];
		sql_do(sql, "INSERT INTO paths_block VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiitt", id, (int64_t)number, (int64_t)i,
		       (int64_t)b->instructions, (int64_t)p->block_stops[f->first_block + i], store_whole(b->count),
		       lines_text(&text[0], p, b->first_line, b->lines),
		       b->first_shown == b->first_line ? NULL : lines_text(&text[1], p, b->first_shown, b->shown));
	}
	for (uint32_t i = 0; i < f->edges; i++) {
		const struct paths_edge *e = &p->edges[f->first_edge + i];
		sql_do(sql, "INSERT INTO paths_edge VALUES (?, ?, ?, ?, ?, ?, ?)", "iiiiuii", id, (int64_t)number, (int64_t)i,
		       (int64_t)e->from, or_null(e->to), (int64_t)e->flags, store_whole(p->passed[f->first_edge + i]));
	}
}

static void save_paths_of(struct sql *sql, const struct paths *p, int64_t id, struct text *text)
{
	for (size_t i = 0; i < p->path_count; i++) {
		const struct paths_path *path = &p->list[i];
		sql_do(sql, "INSERT INTO paths_path VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiiiiiut", id, (int64_t)path->profile,
		       store_whole(path->number), (int64_t)path->kind, store_whole(path->count), (int64_t)path->blocks,
		       store_whole(path->instructions), (int64_t)path->copy, or_null(path->begin),
		       steps_text(text, p, path->first_step, path->length));
	}
	for (size_t i = 0; i < p->stop_count; i++) {
		const struct paths_stop *s = &p->stops[i];
		if (s->is_known)
			sql_do(sql, "INSERT INTO paths_stop VALUES (?, ?, ?, ?, 1, ?, ?)", "iiiiut", id, (int64_t)s->profile,
			       (int64_t)s->block, store_whole(s->count), or_null(s->begin), steps_text(text, p, s->first_step, s->length));
		else
			sql_do(sql, "INSERT INTO paths_stop VALUES (?, ?, ?, ?, ?, NULL, NULL)", "iiiii", id, (int64_t)s->profile,
			       (int64_t)s->block, store_whole(s->count), (int64_t)s->ways);
	}
}

static void save_paths(struct sql *sql, const void *data)
{
	const struct paths *p = data;
	uint32_t *map;
	struct text text[2] = {{0}};
	int64_t id = store_save_run(sql, p->run, 0, &map);
	sql_do(sql, "INSERT INTO paths_how VALUES (?, ?, ?, ?, ?)", "iitii", id, (int64_t)p->copies, p->share, store_whole(p->threshold),
	       store_whole(p->undecoded));
	for (uint32_t i = 0; i < p->copies; i++) {
		const struct paths_twin *t = &p->twins[i];
		sql_do(sql, "INSERT INTO paths_copy VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", id, (int64_t)i, store_whole(t->wall_ns),
		       store_whole(t->cpu_ns), store_whole(t->entries), store_whole(t->lost_events));
	}
	for (size_t i = 0; i < p->file_count; i++)
		sql_do(sql, "INSERT INTO paths_file VALUES (?, ?, ?)", "iit", id, (int64_t)i, p->files[i]);
	for (size_t i = 0; i < p->profile_count; i++) {
		save_function(sql, p, i, id, map);
		save_graph(sql, p, i, id, text);
	}
	save_paths_of(sql, p, id, &text[0]);
	for (size_t i = 0; i < p->part_count; i++) {
		const struct paths_part *part = &p->parts[i];
		sql_do(sql, "INSERT INTO paths_part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiiirrriii", id, (int64_t)part->profile,
		       (int64_t)part->copy, (int64_t)part->arcs, (int64_t)part->of_arcs, part->hits.increments, part->hits.updates,
		       part->hits.zeroed, (int64_t)part->probes.increments, (int64_t)part->probes.updates,
		       (int64_t)part->probes.overlapping);
	}
	free(text[0].bytes);
	free(text[1].bytes);
	free(map);
}

int store_save_paths(const char *path, const struct paths *paths, char aside[PATH_MAX], struct fail *why)
{
	return store_write(path, &(struct store_content){paths->run, paths, save_paths}, aside, why);
}

/* ---- loading ---- */

static bool number_in(const char **at, uint32_t *value)
{
	char *end;
	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	unsigned long long n = strtoull(*at, &end, 10);
	*at = end;
	*value = (uint32_t)n;
	return errno == 0 && n < UINT32_MAX;
}

/* Returns the number of steps. The edges are checked when everything is loaded. */
static uint32_t load_steps(struct sql *sql, struct paths *p, const char *text)
{
	uint32_t length = 0, step;
	for (; *text; length++) {
		text += length && *text == ' ';
		if (!number_in(&text, &step)) {
			sql_fault(sql, "a path is not valid");
			return 0;
		}
		paths_add_step(p, step);
	}
	return length;
}

static bool load_lines(struct paths *p, uint32_t *count, const char *text)
{
	while (*text) {
		struct paths_line line = {.file = PATHS_NONE};
		if (*text == '-')
			text++;
		else if (!number_in(&text, &line.file) || line.file >= p->file_count)
			return false;
		if (*text != ':')
			return false;
		do {
			text++;
			if (!number_in(&text, &line.line))
				return false;
			MEMORY_GROW(p->lines, p->line_count, p->line_room);
			p->lines[p->line_count++] = line;
			++*count;
		} while (*text == ',');
		if (*text == ';')
			text++;
		else if (*text)
			return false;
	}
	return true;
}

static void load_head(struct sql *sql, struct paths *p, int64_t id)
{
	for (struct sql_rows rows = sql_ask(sql, "SELECT copies, share, undecoded, threshold FROM paths_how WHERE run = ?", "i", id);
	     sql_next(&rows);) {
		p->copies = sql_index(&rows, 0, 4097);
		p->share = pool_text(&p->run->pool, sql_text(&rows, 1));
		p->undecoded = sql_count(&rows, 2);
		p->threshold = sql_count(&rows, 3);
	}
	if (!p->copies)
		sql_fault(sql, "the number of copies is missing");
	p->twins = memory_zeroed(p->copies + 1, sizeof *p->twins);
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT copy, wall_ns, cpu_ns, entries, lost_events FROM paths_copy WHERE run = ?", "i", id);
	     sql_next(&rows);)
		p->twins[sql_index(&rows, 0, p->copies)] =
			(struct paths_twin){sql_count(&rows, 1), sql_count(&rows, 2), sql_count(&rows, 3), sql_count(&rows, 4)};
	for (struct sql_rows rows = sql_ask(sql, "SELECT file, name FROM paths_file WHERE run = ? ORDER BY file", "i", id);
	     sql_next(&rows);) {
		if (sql_int(&rows, 0) != (int64_t)p->file_count)
			sql_fault(sql, "its files are not numbered in order");
		MEMORY_GROW(p->files, p->file_count, p->file_room);
		p->files[p->file_count++] = pool_text(&p->run->pool, sql_text(&rows, 1));
	}
}

static void load_functions(struct sql *sql, struct paths *p, int64_t id)
{
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT function, routine, flags, entries, sequential_increments, sequential_updates, sequential_zeroed, others, others_taken,"
		     " sequential_probes, sequential_probes_update FROM paths_function"
		     " WHERE run = ? ORDER BY function",
		     "i", id);
	     sql_next(&rows);) {
		struct paths_profile f = {.routine = sql_index(&rows, 1, p->run->routine_count), .entries = sql_count(&rows, 3)};
		if (sql_int(&rows, 0) != (int64_t)p->profile_count)
			sql_fault(sql, "its functions are not numbered in order");
		for (const char *at = sql_text(&rows, 2); *at; at++)
			for (uint32_t i = 0; i < PATHS_BITS; i++)
				f.flags |= letters[i] == *at ? 1u << i : 0;
		f.sequential = (struct paths_hits){sql_real(&rows, 4), sql_real(&rows, 5), sql_real(&rows, 6)};
		f.others = sql_count(&rows, 7);
		f.others_taken = sql_count(&rows, 8);
		f.sequential_probes =
			(struct paths_probes){.increments = sql_index(&rows, 9, UINT32_MAX), .updates = sql_index(&rows, 10, UINT32_MAX)};
		MEMORY_GROW(p->profiles, p->profile_count, p->profile_room);
		p->profiles[p->profile_count++] = f;
	}
}

/* The profile of a row, or NULL. Rows are sorted by function. */
static struct paths_profile *profile_in(const struct sql_rows *rows, struct paths *p, uint32_t *last)
{
	uint32_t f = sql_index(rows, 0, p->profile_count);
	if (rows->sql->bad || f < *last) {
		sql_fault(rows->sql, "a row is out of order");
		return NULL;
	}
	*last = f;
	return &p->profiles[f];
}

static void load_asked(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0;
	for (struct sql_rows rows = sql_ask(sql, "SELECT function, path FROM paths_asked WHERE run = ? ORDER BY function, path", "i", id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		if (!f)
			continue;
		f->first_name = f->names++ ? f->first_name : p->name_count;
		MEMORY_GROW(p->names, p->name_count, p->name_room);
		p->names[p->name_count++] = sql_count(&rows, 1);
	}
}

static bool load_places(struct paths *p, struct paths_block *b, const struct sql_rows *rows)
{
	if (!load_lines(p, &b->lines, sql_text(rows, 4)))
		return false;
	bool same = sql_is_null(rows, 5);
	b->shown = same ? b->lines : 0;
	b->first_shown = same ? b->first_line : p->line_count;
	return same || load_lines(p, &b->shown, sql_text(rows, 5));
}

static void load_blocks(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0;
	for (struct sql_rows rows = sql_ask(
		     sql,
		     "SELECT function, block, instructions, stops, lines, shown FROM paths_block WHERE run = ? ORDER BY function, block",
		     "i", id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		struct paths_block b = {.instructions = sql_index(&rows, 2, UINT32_MAX), .first_line = p->line_count};
		if (!f || sql_int(&rows, 1) != f->blocks || !load_places(p, &b, &rows)) {
			sql_fault(sql, "a block is not valid");
			continue;
		}
		f->first_block = f->blocks++ ? f->first_block : p->block_count;
		paths_add_block(p, &b, sql_int(&rows, 3) != 0);
	}
}

/* Behind the edges of each function is one more entry for the function's beginning. */
static void load_edges(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0, begun = 0;
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT function, edge, origin, target, flags FROM paths_edge WHERE run = ? ORDER BY function, edge", "i",
	                     id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		if (!f || sql_int(&rows, 1) != f->edges) {
			sql_fault(sql, "an edge is not valid");
			continue;
		}
		for (; begun <= last; begun++) {
			if (begun)
				paths_add_edge(p, &(struct paths_edge){.to = PATHS_EXIT});
			p->profiles[begun].first_edge = p->edge_count;
		}
		f->edges++;
		paths_add_edge(p,
		               &(struct paths_edge){sql_index(&rows, 2, f->blocks),
		                                    sql_is_null(&rows, 3) ? PATHS_EXIT : sql_index(&rows, 3, f->blocks),
		                                    sql_index(&rows, 4, 4)});
	}
	for (; begun <= p->profile_count; begun++) {
		if (begun)
			paths_add_edge(p, &(struct paths_edge){.to = PATHS_EXIT});
		if (begun < p->profile_count)
			p->profiles[begun].first_edge = p->edge_count;
	}
}

static void load_list(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0;
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT function, count, copy, begin, edges FROM paths_path WHERE run = ? ORDER BY function", "i", id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		if (!f)
			continue;
		struct paths_path path = {.profile = last,
		                          .count = sql_count(&rows, 1),
		                          .copy = sql_index(&rows, 2, p->copies),
		                          .first_step = p->step_count};
		path.begin = sql_is_null(&rows, 3) ? PATHS_NONE : sql_index(&rows, 3, f->blocks);
		path.length = load_steps(sql, p, sql_text(&rows, 4));
		f->first_path = f->paths++ ? f->first_path : p->path_count;
		MEMORY_GROW(p->list, p->path_count, p->path_room);
		p->list[p->path_count++] = path;
	}
}

static void load_stops(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0;
	for (struct sql_rows rows =
	             sql_ask(sql, "SELECT function, block, count, begin, edges, ways FROM paths_stop WHERE run = ? ORDER BY function", "i",
	                     id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		if (!f)
			continue;
		struct paths_stop s = {.profile = last,
		                       .block = sql_index(&rows, 1, f->blocks),
		                       .count = sql_count(&rows, 2),
		                       .is_known = !sql_is_null(&rows, 4),
		                       .first_step = p->step_count,
		                       .ways = sql_index(&rows, 5, UINT32_MAX)};
		s.begin = sql_is_null(&rows, 3) ? PATHS_NONE : sql_index(&rows, 3, f->blocks);
		s.length = s.is_known ? load_steps(sql, p, sql_text(&rows, 4)) : 0;
		f->first_stop = f->stops++ ? f->first_stop : p->stop_count;
		MEMORY_GROW(p->stops, p->stop_count, p->stop_room);
		p->stops[p->stop_count++] = s;
	}
}

static void load_parts(struct sql *sql, struct paths *p, int64_t id)
{
	uint32_t last = 0;
	for (struct sql_rows rows =
	             sql_ask(sql,
	                     "SELECT function, copy, arcs, of_arcs, increments, updates, zeroed, probes, probes_update, probes_overlapping"
	                     " FROM paths_part WHERE run = ? ORDER BY function, copy",
	                     "i", id);
	     sql_next(&rows);) {
		struct paths_profile *f = profile_in(&rows, p, &last);
		if (!f)
			continue;
		f->first_part = f->parts++ ? f->first_part : p->part_count;
		MEMORY_GROW(p->parts, p->part_count, p->part_room);
		p->parts[p->part_count++] = (struct paths_part){last,
		                                                sql_index(&rows, 1, p->copies),
		                                                sql_index(&rows, 2, UINT32_MAX),
		                                                sql_index(&rows, 3, UINT32_MAX),
		                                                {sql_real(&rows, 4), sql_real(&rows, 5), sql_real(&rows, 6)},
		                                                {sql_index(&rows, 7, UINT32_MAX), sql_index(&rows, 8, UINT32_MAX),
		                                                 sql_index(&rows, 9, UINT32_MAX)}};
	}
}

static void complete(struct sql *sql, struct paths *p)
{
	struct paths_memory memory;
	paths_memory_start(&memory);
	for (size_t i = 0; !sql->bad && i < p->profile_count; i++)
		if (!p->profiles[i].blocks || !paths_complete(p, &p->profiles[i], &memory))
			sql_fault(sql, "the paths of a function do not match its blocks");
	paths_memory_free(&memory);
}

int store_load_paths(struct store *store, struct run *run, struct paths *paths, struct fail *why)
{
	static void (*const parts[])(struct sql *, struct paths *, int64_t) = {load_head,  load_functions, load_asked, load_blocks,
	                                                                       load_edges, load_list,      load_stops, load_parts};
	struct sql *sql = &store->sql;
	run_start(run);
	paths_start(paths, run);
	int64_t id = store_load_run(store, run, "paths");
	for (size_t i = 0; id >= 0 && !sql->bad && i < sizeof parts / sizeof *parts; i++)
		parts[i](sql, paths, id);
	if (id >= 0)
		complete(sql, paths);
	if (id >= 0 && !sql->bad)
		return 0;
	paths_free(paths);
	run_free(run);
	return store_load_failed(store, "paths", why);
}
