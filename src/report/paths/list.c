/* SPDX-License-Identifier: MIT */
/* list.c: a row for each path that was taken, and what views of paths share. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "report/paths/view.h"
#include "report/view.h"

/* ---- what views share ---- */

bool view_paths_wants(const struct paths_data *d, const char *asked, const struct paths_profile *f)
{
	return view_wants(asked, &d->run.routines[f->routine]);
}

const struct run_routine *view_paths_routine(const struct paths *p, const struct paths_profile *f)
{
	return &p->run->routines[f->routine];
}

const char *view_paths_where(struct pool *pool, const struct paths *p, const struct paths_profile *f, uint32_t block, bool last)
{
	const char *where = paths_where(pool, p, f, block, last), *code = paths_code_where(pool, p, f, block, last);
	if (!*where)
		return pool_print(pool, "block %u", block);
	return strcmp(where, code) == 0 ? where : pool_print(pool, "%s (%s)", where, code);
}

const char *view_paths_kind(enum paths_kind kind)
{
	static const char *const names[] = {[PATHS_ENTRY_TO_EXIT] = "entry-exit",
	                                    [PATHS_ENTRY_TO_BACK] = "entry-back",
	                                    [PATHS_BACK_TO_BACK] = "back-back",
	                                    [PATHS_BACK_TO_EXIT] = "back-exit"};
	return names[kind];
}

const char *view_paths_name_of(struct pool *pool, const struct paths_profile *f, uint64_t number)
{
	return pool_print(pool, f->possible < PATHS_NUMBERED ? "%" PRIu64 : "x%016" PRIx64, number);
}

const char *view_paths_name(struct pool *pool, const struct paths *p, const struct paths_path *path)
{
	return view_paths_name_of(pool, &p->profiles[path->profile], path->number);
}

bool view_paths_is(const struct paths *p, const char *asked, const struct paths_path *path)
{
	struct pool pool = {0};
	bool is = !asked || strcmp(asked, view_paths_name(&pool, p, path)) == 0;
	pool_free(&pool);
	return is;
}

const char *view_paths_all_lines(struct pool *pool, const char *lines)
{
	char *text = pool_bytes(pool, 2 * strlen(lines) + 1), *to = text;
	for (const char *at = lines; *at; at++) {
		*to++ = *at;
		if (*at == ',' || *at == ';')
			*to++ = ' ';
	}
	*to = 0;
	return *text ? pool_print(pool, "All lines, in order: %s.", text) : NULL;
}

int64_t view_paths_whole(double value)
{
	return isnan(value) ? -1 : number_whole(value);
}

const char *view_paths_possible(struct pool *pool, double possible)
{
	if (possible < 1e12)
		return text_amount(pool, number_whole(possible));
	return isfinite(possible) ? pool_print(pool, "%.1e", possible) : "> 1e+308";
}

void view_paths_head(struct sheet *s, const struct run_routine *r)
{
	COLUMN(s, NAME, "function", NULL, r->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line);
}

int view_paths_check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct paths_data *d = data;
	if (!d->asked.path)
		return 0;
	if (!ask->routine)
		return fail_set(why, FAIL_USAGE, "--path is the number of a path in one function: name the function with --routine");
	for (size_t i = 0; i < d->paths.path_count; i++)
		if (view_paths_wants(d, ask->routine, &d->paths.profiles[d->paths.list[i].profile]) &&
		    view_paths_is(&d->paths, d->asked.path, &d->paths.list[i]))
			return 0;
	return fail_set(why, FAIL_USAGE,
	                "path %.60s of %.200s was not taken; `skein report paths --routine` with its name lists the executed paths",
	                d->asked.path, ask->routine);
}

/* ---- paths ---- */

/* Paths of a large loop have much in common before they part, and a narrow column would show that alone. */
enum { LONG_START = 10, STEP_BYTES = sizeof "4294967295 " - 1 };

struct start {
	const char *lines; /* of the first path that begins there */
	size_t same;       /* bytes that all others begin with */
	size_t shortest;
	bool several;
};

static struct start *start_of(struct start *starts, const struct paths *p, const struct paths_path *path)
{
	return &starts[p->profiles[path->profile].first_block + path->profile + (path->begin == PATHS_NONE ? 0 : path->begin + 1)];
}

static void compare_start(struct start *s, const char *lines)
{
	s->several |= s->lines != NULL;
	size_t length = strlen(lines), most = s->lines ? s->same : length, same = 0;
	s->shortest = s->lines && s->shortest < length ? s->shortest : length;
	s->lines = s->lines ? s->lines : lines;
	while (same < most && lines[same] == s->lines[same])
		same++;
	s->same = same;
}

/* "sqlite3.c:90521,90589,92518" as "sqlite3.c:…92518"; as it is, if some path has no more than the start. */
static const char *without_start(struct pool *pool, const char *lines, const struct start *s)
{
	size_t cut = s->same, file = 0, colon;
	while (cut && lines[cut - 1] != ',' && lines[cut - 1] != ';')
		cut--;
	for (size_t i = 0; i + 1 < cut; i++)
		file = lines[i] == ';' ? i + 1 : file;
	colon = file + strcspn(lines + file, ":") + 1;
	if (!s->several || s->same == s->shortest || cut < colon + LONG_START)
		return lines;
	return lines[cut - 1] == ';' ? pool_print(pool, "…%s", lines + cut)
				     : pool_print(pool, "%.*s…%s", (int)(colon - file), lines + file, lines + cut);
}

struct path_row {
	const struct paths_data *data;
	const struct paths_path *path;
	const struct run_routine *function;
	const char *name, *lines, *shown; /* lines of the path: all, and shortened for text */
	double flow, so_far, of_function; /* of the path, with those before it, of all paths of the function */
};

/* "3 7 9": its edges, in order. */
static const char *steps_text(struct sheet *s, const struct path_row *r)
{
	const uint32_t *step = r->data->paths.steps + r->path->first_step;
	size_t room = (size_t)r->path->length * STEP_BYTES + 1, at = 0;
	char *text = pool_bytes(&s->pool, room);
	*text = 0;
	for (uint32_t i = 0; i < r->path->length; i++)
		at += (size_t)snprintf(text + at, room - at, "%s%" PRIu32, i ? " " : "", step[i]);
	return text;
}

static void put_path(struct sheet *s, const struct path_row *r)
{
	view_paths_head(s, r->function);
	COLUMN(s, TEXT, "path", NULL, r->name);
	COLUMN(s, TEXT, "kind", NULL, view_paths_kind(r->path->kind));
	COLUMN(s, COUNT, "count", NULL, r->path->count);
	COLUMN(s, COUNT, "blocks", NULL, r->path->blocks);
	COLUMN(s, COUNT, "instructions", NULL, r->path->instructions);
	COLUMN(s, TEXT, "lines", NULL, r->lines);
	COLUMN(s, ID, "copy", NULL, r->path->copy);
	COLUMN(s, COUNT, "flow", NULL, view_paths_whole(r->flow));
	COLUMN(s, PERCENT, "flow_pct", "flow%", paths_share(r->flow, r->data->rank.flow), .meaning = "share of all executed instructions");
	COLUMN(s, PERCENT, "cumulative_pct", "so far%", paths_share(r->so_far, r->data->rank.flow), .drop = 2,
	       .meaning = "sum of flow% up to this path, sorted by flow");
	COLUMN(s, PERCENT, "count_pct", NULL, paths_share((double)r->path->count, r->data->rank.taken));
	COLUMN(s, PERCENT, "function_pct", NULL, paths_share(r->flow, r->of_function));
	COLUMN(s, ID, "graph", NULL, r->path->profile);
	COLUMN(s, LIST, "steps", NULL, steps_text(s, r));
	COLUMN(s, COUNT, NULL, "count", r->path->count);
	COLUMN(s, COUNT, NULL, "insns", r->path->instructions, .drop = 2, .meaning = "instructions on the path");
	COLUMN(s, TEXT, NULL, "kind", view_paths_kind(r->path->kind), .drop = 3,
	       .meaning = "where the path begins and ends: entry or exit of the function, or a back edge");
	COLUMN(s, TEXT, NULL, "path", r->name, .drop = 1, .meaning = "number of the path");
	COLUMN(s, NAME, NULL, "function", view_name(s, r->function));
	COLUMN(s, CODE, NULL, "lines", r->shown);
}

static void fill_paths(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	double so_far = 0, *flows = memory_zeroed(p->profile_count, sizeof *flows);
	struct start *starts = memory_zeroed(p->block_count + p->profile_count, sizeof *starts);
	const char **lines = memory_zeroed(p->path_count, sizeof *lines);
	const char *only = "";
	bool shortened = false;
	put_path(s, &(struct path_row){0});
	for (size_t i = 0; i < p->path_count; i++) {
		flows[p->list[i].profile] += (double)paths_flow(&p->list[i]);
		if (!view_paths_wants(d, ask->routine, &p->profiles[p->list[i].profile]) || !view_paths_is(p, d->asked.path, &p->list[i]))
			continue;
		lines[i] = paths_lines(&s->pool, p, paths_walk(p, &p->list[i]));
		compare_start(start_of(starts, p, &p->list[i]), lines[i]);
	}
	for (size_t i = 0; i < d->rank.count; i++) {
		const struct paths_path *path = &p->list[d->rank.order[i]];
		const char *mine = lines[d->rank.order[i]];
		so_far += (double)paths_flow(path);
		if (!mine)
			continue;
		const char *shown = without_start(&s->pool, mine, start_of(starts, p, path));
		shortened |= shown != mine;
		only = mine;
		struct path_row row = {.data = d,
		                       .path = path,
		                       .function = view_paths_routine(p, &p->profiles[path->profile]),
		                       .name = view_paths_name(&s->pool, p, path),
		                       .lines = mine,
		                       .shown = shown,
		                       .flow = (double)paths_flow(path),
		                       .so_far = so_far,
		                       .of_function = flows[path->profile]};
		sheet_row(s, 0);
		sheet_about(s, p->profiles[path->profile].routine);
		put_path(s, &row);
	}
	if (d->asked.path && s->row_count == 1)
		s->legend = view_paths_all_lines(&s->pool, only);
	else if (shortened)
		s->legend = "lines: … in front stands for what all paths that begin there have in common.";
	free(flows);
	free(starts);
	free(lines);
}

const struct view view_paths_paths = {
	.name = "paths",
	.help = "executed paths, sorted by executed instructions (default)",
	.top = 20,
	.check = view_paths_check,
	.fill = fill_paths,
};
