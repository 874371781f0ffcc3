/* SPDX-License-Identifier: MIT */
/* rows.c: a forest as rows of a sheet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "base/text.h"
#include "report/idle/view.h"
#include "report/view.h"

enum { BOTTOM_UP_DEPTH = 4, LONG_CONTEXT = 42 };
enum {
	PAGE_ROWS = 200000,
	PAGE_NODES = 4000000
}; /* of callers, which may be ten times as many as call paths: rows, and what they are chosen from */
enum { DEEP = 64 };        /* levels of callers that are enough for anybody */
#define TEXT_THRESHOLD 1.0 /* percent of the effort */
#define HOT_SHARE 0.5      /* of its parent's: less is no path that one would follow */

/* A view that is being filled. */
struct rows {
	const struct idles *idles;
	const struct view_ask *ask;
	const struct idle_asked *asked;
	struct sheet *sheet;
	struct idle_forest forest;
	struct idles_sums total; /* of the whole run */
	uint32_t thread;         /* UINT32_MAX: all */
	double threshold;
	long depth;
	uint64_t cut; /* rows of no more effort are left out */
	int metric;
	bool marks_path, is_bottom_up;
	bool includes;          /* figures of a row include callees */
	uint32_t *first, *next; /* children of each node, as lists; node + 1, 0: none */
	uint32_t roots;
	bool *is_hot, *is_wanted;
};

/* ---- cells ---- */

static const char *thread_text(struct rows *r)
{
	return r->thread == UINT32_MAX ? "all" : pool_print(&r->sheet->pool, "%u", r->thread);
}

static bool is_beginning(const struct rows *r, const struct idle_node *node);

/* "  prog.c:43": from where it is called. How main is called is of no use. */
static const char *place_text(struct rows *r, const struct idle_node *node)
{
	bool is_called = node->kind == IDLES_ROUTINE || node->kind == IDLES_INLINED,
	     is_first = node->parent != IDLE_NO_NODE && is_beginning(r, &r->forest.nodes[node->parent]);
	return is_called && node->line && (!is_first || r->is_bottom_up)
		? pool_print(&r->sheet->pool, "  %s:%u", str_base(node->file), node->line)
		: "";
}

static bool is_routine(const struct idle_node *node)
{
	return node->kind == IDLES_ROUTINE || node->kind == IDLES_INLINED;
}

static const char *name_text(struct rows *r, uint32_t at)
{
	const struct idle_node *node = &r->forest.nodes[at];
	const char *name = is_routine(node) ? idles_short_name(&r->sheet->pool, r->idles->run, node->routine)
					    : idle_node_name(&r->sheet->pool, r->idles, node);
	return pool_print(&r->sheet->pool, "%s%s", name, node->kind == IDLES_INLINED ? " (inlined)" : "");
}

/* The hot path is marked in front of the name. Several names are worth more than the place of the last. */
static const char *indented(struct rows *r, uint32_t at, uint32_t depth, const char *names)
{
	const char *mark = !r->marks_path ? ""
		: r->is_hot[at]           ? "> "
					  : "  ",
		   *caller = r->is_bottom_up && depth ? "< " : "", *place = place_text(r, &r->forest.nodes[at]);
	bool is_long = depth + strlen(names) + strlen(place) > LONG_CONTEXT && (strstr(names, " > ") || strstr(names, " < "));
	return pool_print(&r->sheet->pool, "%s%s%s%s%s", view_indent(&r->sheet->pool, depth), mark, caller, names, is_long ? "" : place);
}

/* A row of any of the three views. */
struct tree_row {
	struct rows *rows;
	const struct idle_node *node;
	const struct idles_sums *sums;
	uint32_t at, depth;
	const char *names;    /* what text calls it */
	const char *routine;  /* "": it has none */
	const char *object;   /* "": the node has none */
	const double *values; /* of metrics */
};

static double of_effort(const struct tree_row *r, uint64_t ns)
{
	return text_share_of((double)ns, (double)idles_effort(&r->rows->total));
}

static void put_tree_row(struct sheet *s, const struct tree_row *r)
{
	const struct idles *idles = r->rows->idles;
	const struct idle_asked *asked = r->rows->asked;
	COLUMN(s, COUNT, "depth", NULL, r->depth);
	COLUMN(s, NAME, "context", NULL, idle_node_name(&s->pool, idles, r->node));
	COLUMN(s, TEXT, "file", NULL, r->node->file);
	COLUMN(s, ID, "line", NULL, r->node->line && r->node->kind != IDLES_PROCESS ? (int64_t)r->node->line : RUN_UNKNOWN);
	COLUMN(s, TEXT, "thread", "thread", r->rows->ask->all_rows || r->rows->thread != UINT32_MAX ? thread_text(r->rows) : "");
	COLUMN(s, NS, "work_ns", "work", r->sums->work_ns);
	if (r->rows->includes)
		COLUMN(s, NS, NULL, "own", r->node->own.work_ns, .drop = 2, .meaning = "work excluding callees");
	else
		COLUMN(s, NS, NULL, "incl.", r->node->whole.work_ns, .drop = 2, .meaning = "work including callees");
	COLUMN(s, NS, "idle_ns", "idle", r->sums->idle_ns, .drop = 6);
	COLUMN(s, NS, "overhead_ns", NULL, r->sums->overhead_ns);
	COLUMN(s, COUNT, "samples", NULL, r->sums->samples);
	COLUMN(s, TEXT, "kind", NULL, r->node->kind == IDLE_FILE ? "file" : idles_kind_names[r->node->kind]);
	COLUMN(s, PERCENT, "idle_pct_effort", "idle%", of_effort(r, r->sums->idle_ns),
	       .meaning = "idleness as a share of the effort of the run (effort: work, idleness and overhead)");
	if (r->rows->includes)
		COLUMN(s, PERCENT, NULL, "own idle%", of_effort(r, r->node->own.idle_ns), .drop = 7, .meaning = "idle% excluding callees");
	else
		COLUMN(s, PERCENT, NULL, "incl. idle%", of_effort(r, r->node->whole.idle_ns), .drop = 7,
		       .meaning = "idle% including callees");
	COLUMN(s, PERCENT, "overhead_pct_effort", "over%", of_effort(r, r->sums->overhead_ns),
	       .meaning = "overhead as a share of the effort");
	COLUMN(s, PERCENT, "idle_pct", "of idle", text_share_of((double)r->sums->idle_ns, (double)r->rows->total.idle_ns), .drop = 5,
	       .meaning = "share of all idleness");
	COLUMN(s, PERCENT, "overhead_pct", NULL, text_share_of((double)r->sums->overhead_ns, (double)r->rows->total.overhead_ns));
	COLUMN(s, NS, "critical_ns", NULL, idles_effort(r->sums) / idles->cores);
	COLUMN(s, NS, "serial_ns", NULL, r->sums->class_ns[RAW_IDLE_SERIAL]);
	COLUMN(s, NS, "under_ns", NULL, r->sums->class_ns[RAW_IDLE_UNDER]);
	COLUMN(s, NS, "full_ns", NULL, r->sums->class_ns[RAW_IDLE_FULL]);
	COLUMN(s, NS, "over_ns", NULL, r->sums->class_ns[RAW_IDLE_OVER]);
	COLUMN(s, NS, "sync_ns", NULL, r->sums->overhead_by[IDLES_OVERHEAD_SYNC]);
	COLUMN(s, NS, "schedule_ns", NULL, r->sums->overhead_by[IDLES_OVERHEAD_SCHEDULE]);
	COLUMN(s, NS, "task_ns", NULL, r->sums->overhead_by[IDLES_OVERHEAD_TASK]);
	COLUMN(s, NS, "memory_ns", NULL, r->sums->overhead_by[IDLES_OVERHEAD_MEMORY]);
	COLUMN(s, NS, "other_ns", NULL, r->sums->overhead_by[IDLES_OVERHEAD_OTHER]);
	COLUMN(s, PERCENT, "work_pct", "work%", text_share_of((double)r->sums->work_ns, (double)r->rows->total.work_ns), .drop = 4,
	       .meaning = "share of all work");
	COLUMN(s, NAME, "routine", NULL, r->routine);
	COLUMN(s, TEXT, "object", NULL, r->object);
	COLUMN(s, TEXT, "advice", "advice", idles_advice(r->sums, &asked->limits), .drop = 3,
	       .meaning =
	               "what to do, judged by the effort of the row: make it parallel (serial), use smaller tasks (refine) or larger tasks (coarsen), divide the work differently (switch), or improve its serial performance (effective)");
	for (size_t e = 0; e < idles->event_name_count; e++)
		COLUMN(s, COUNT, idles->event_names[e], idles->event_names[e], r->node->events[e], .drop = 1);
	for (size_t d = 0; d < asked->derived_count; d++)
		COLUMN(s, RATIO, asked->derived[d].name, asked->derived[d].name, derive_value(&asked->derived[d], r->values));
	COLUMN(s, NS, "own_work_ns", NULL, r->node->own.work_ns);
	COLUMN(s, NS, "own_idle_ns", NULL, r->node->own.idle_ns);
	COLUMN(s, NS, "own_overhead_ns", NULL, r->node->own.overhead_ns);
	COLUMN(s, NS, "incl_work_ns", NULL, r->node->whole.work_ns);
	COLUMN(s, NS, "incl_idle_ns", NULL, r->node->whole.idle_ns);
	COLUMN(s, NS, "incl_overhead_ns", NULL, r->node->whole.overhead_ns);
	COLUMN(s, CONTEXT, NULL, "context", indented(r->rows, r->at, r->depth, r->names));
}

static void add_row(struct rows *r, uint32_t at, uint32_t depth, const char *names)
{
	const struct idle_node *node = &r->forest.nodes[at];
	const struct run *run = r->idles->run;
	double values[IDLE_METRICS];
	struct tree_row row = {r, node, &node->sums, at, depth, names, "", "", values};
	if (node->kind != IDLES_ROOT && node->kind != IDLES_PROCESS && node->kind != IDLE_FILE) {
		uint32_t object = run->routines[node->routine].object;
		row.routine = run->routines[node->routine].name;
		row.object = object != RUN_NO_OBJECT ? run->objects[object].path : "";
	}
	idle_metric_values(r->idles, &node->sums, node->events, values);
	sheet_row(r->sheet, r->thread == UINT32_MAX ? 0 : r->thread);
	sheet_nest(r->sheet, depth);
	if (is_routine(node))
		sheet_about(r->sheet, node->routine);
	put_tree_row(r->sheet, &row);
}

/* ---- which rows ---- */

static double value_of(const struct rows *r, uint32_t at)
{
	double values[IDLE_METRICS];
	idle_metric_values(r->idles, &r->forest.nodes[at].sums, r->forest.nodes[at].events, values);
	return values[r->metric];
}

static void list_children(struct rows *r)
{
	size_t count = r->forest.count;
	r->first = memory_zeroed(count, sizeof *r->first);
	r->next = memory_zeroed(count, sizeof *r->next);
	r->roots = 0;
	for (size_t i = count; i-- > 0;) {
		uint32_t parent = r->forest.nodes[i].parent, *list = parent == IDLE_NO_NODE ? &r->roots : &r->first[parent];
		r->next[i] = *list;
		*list = (uint32_t)i + 1;
	}
}

/* Down from the root, as long as one child has most of what its parent has. */
static void find_hot(struct rows *r)
{
	r->is_hot = memory_zeroed(r->forest.count, sizeof *r->is_hot);
	double above = 0;
	for (uint32_t list = r->marks_path ? r->roots : 0, best; list; list = r->first[best - 1]) {
		best = list;
		for (uint32_t at = list; at; at = r->next[at - 1])
			if (value_of(r, at - 1) > value_of(r, best - 1))
				best = at;
		double value = value_of(r, best - 1);
		if (value <= 0 || value < HOT_SHARE * above)
			return;
		r->is_hot[best - 1] = true;
		above = value;
	}
}

/* With --routine: nodes of it, what is below them, and how one gets there. Seen bottom-up, only what ran counts. */
static void find_wanted(struct rows *r)
{
	const struct idle_forest *f = &r->forest;
	r->is_wanted = memory_zeroed(f->count, sizeof *r->is_wanted);
	for (size_t i = 0; i < f->count; i++) {
		bool may = is_routine(&f->nodes[i]) && !(r->is_bottom_up && f->nodes[i].parent != IDLE_NO_NODE);
		bool below = f->nodes[i].parent != IDLE_NO_NODE && r->is_wanted[f->nodes[i].parent];
		r->is_wanted[i] =
			!r->ask->routine || below || (may && view_wants(r->ask->routine, &r->idles->run->routines[f->nodes[i].routine]));
	}
	for (size_t i = f->count; i-- > 0;)
		if (r->is_wanted[i] && f->nodes[i].parent != IDLE_NO_NODE)
			r->is_wanted[f->nodes[i].parent] = true;
}

static bool is_empty(const struct rows *r, const struct idle_node *node)
{
	bool any = node->sums.samples || idles_effort(&node->sums);
	for (size_t e = 0; e < r->idles->event_name_count; e++)
		any |= node->events[e] != 0;
	return !any;
}

/* How a program or a thread begins is the same everywhere: text passes over it. */
static bool is_beginning(const struct rows *r, const struct idle_node *node)
{
	static const char *const names[] = {"_start",
	                                    "__libc_start_main",
	                                    "__libc_start_call_main",
	                                    "__libc_start_main_impl",
	                                    "start_thread",
	                                    "clone",
	                                    "clone3",
	                                    "__clone",
	                                    "__clone3",
	                                    "begin_pthread",
	                                    "begin_c11"};
	const struct run *run = r->idles->run;
	if (node->kind == IDLES_ROOT)
		return run->process_count < 2;
	for (size_t i = 0; node->kind == IDLES_ROUTINE && i < sizeof names / sizeof *names; i++)
		if (strncmp(run->routines[node->routine].name, names[i], strlen(names[i])) == 0 &&
		    strcspn(run->routines[node->routine].name, "@") == strlen(names[i]))
			return true;
	return false;
}

/* The only node below this one, if all that this one has is there: text shows them in one row. */
static uint32_t only_child(const struct rows *r, uint32_t at)
{
	uint32_t found = IDLE_NO_NODE;
	const struct idles_sums *mine = &r->forest.nodes[at].sums;
	for (uint32_t child = r->first[at]; child; child = r->next[child - 1]) {
		if (is_empty(r, &r->forest.nodes[child - 1]))
			continue;
		if (found != IDLE_NO_NODE)
			return IDLE_NO_NODE;
		found = child - 1;
	}
	bool same = found != IDLE_NO_NODE && r->is_wanted[found] && memcmp(mine, &r->forest.nodes[found].sums, sizeof *mine) == 0;
	return same ? found : IDLE_NO_NODE;
}

/* Follows only children and puts a row for them; returns the last one. */
static uint32_t fold(struct rows *r, uint32_t at, uint32_t depth)
{
	const char *names = name_text(r, at);
	uint32_t shown = at, child;
	for (; r->asked->depth < 0 && (child = only_child(r, at)) != IDLE_NO_NODE; at = child)
		if (!is_beginning(r, &r->forest.nodes[child])) {
			names = pool_print(&r->sheet->pool, "%s %s %s", names, r->is_bottom_up ? "<" : ">", name_text(r, child));
			shown = child;
		}
	add_row(r, shown, depth, names);
	return at;
}

/* ---- all of it ---- */

struct stand {
	uint32_t at, depth; /* node + 1 */
};

static void put_rows(struct rows *r)
{
	struct stand *stack = NULL;
	size_t depth = 0, room = 0;
	double effort = (double)idles_effort(&r->total);
	MEMORY_GROW(stack, depth, room);
	stack[depth++] = (struct stand){r->roots, 0};
	while (depth) {
		struct stand *top = &stack[depth - 1], here = *top;
		if (!here.at) {
			depth--;
			continue;
		}
		uint32_t at = here.at - 1;
		const struct idle_node *node = &r->forest.nodes[at];
		top->at = r->next[at];
		bool passed_over = !r->ask->all_rows && (!r->is_bottom_up || here.depth) && is_beginning(r, node);
		if (is_empty(r, node) || !r->is_wanted[at] || idles_effort(&node->sums) < r->cut ||
		    (r->depth >= 0 && here.depth > r->depth) || text_share_of((double)idles_effort(&node->sums), effort) < r->threshold)
			continue;
		if (r->ask->all_rows)
			add_row(r, at, here.depth, r->sheet->keeps_all ? name_text(r, at) : NULL);
		else if (!passed_over)
			at = fold(r, at, here.depth);
		MEMORY_GROW(stack, depth, room);
		stack[depth++] = (struct stand){r->first[at], here.depth + !passed_over};
	}
	free(stack);
}

static int by_effort(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* Of a page that has room for some of the rows: those with the most effort. A node has at least that of each node below it. */
static void cut(struct rows *r)
{
	size_t count = 0, most = r->ask->most;
	uint64_t *efforts = memory_resize(NULL, r->forest.count + 1, sizeof *efforts);
	for (size_t i = 0; i < r->forest.count; i++)
		if (!is_empty(r, &r->forest.nodes[i]))
			efforts[count++] = idles_effort(&r->forest.nodes[i].sums);
	r->cut = 0;
	if (most && count > most) {
		size_t kept = most;
		qsort(efforts, count, sizeof *efforts, by_effort);
		while (kept && efforts[kept - 1] == efforts[most]) /* all that are alike, or none */
			kept--;
		r->cut = efforts[most] + 1;
		r->sheet->left_out += count - kept;
	}
	free(efforts);
}

static void make_rows(struct rows *r, idle_plant *plant)
{
	r->total = idles_total(r->idles, UINT32_MAX);
	r->threshold = r->asked->threshold >= 0 ? r->asked->threshold : r->ask->all_rows ? 0 : TEXT_THRESHOLD;
	put_tree_row(r->sheet, &(struct tree_row){.rows = r});
	r->sheet->is_tree = true;
	for (r->thread = UINT32_MAX - 1; (r->thread = view_idle_next_thread(r->idles, r->asked, r->thread)) != UINT32_MAX - 1;) {
		idle_forest_grow(&r->forest, r->idles, plant, view_idle_tree(r->asked), r->depth, r->thread);
		list_children(r);
		find_hot(r);
		find_wanted(r);
		cut(r);
		put_rows(r);
		free(r->first);
		free(r->next);
		free(r->is_hot);
		free(r->is_wanted);
		idle_forest_free(&r->forest);
	}
}

/* Columns have the names of metrics, but for two that are there in other forms only. */
static void sort_by(struct rows *r)
{
	const char *names[IDLE_METRICS];
	struct fail ignored;
	idle_metrics(r->idles, names);
	sheet_sort(r->sheet, strcmp(names[r->metric], "effort_ns") == 0 ? "critical_ns" : names[r->metric], &ignored);
}

/* What the three views differ in. */
struct tree {
	idle_plant *plant;
	const char *metric; /* the metric that decides what is large, by default */
	long text_depth;    /* of rows in text, so; -1: all */
	bool marks_path, is_bottom_up;
	const char *legend;
};

static void fill_tree(const struct idle_data *mine, const struct view_ask *ask, struct sheet *sheet, const struct tree *tree)
{
	const struct idle_asked *asked = &mine->asked;
	struct rows r = {.idles = &mine->idles,
	                 .ask = ask,
	                 .asked = asked,
	                 .sheet = sheet,
	                 .depth = asked->depth >= 0 || ask->all_rows ? asked->depth : tree->text_depth,
	                 .metric = asked->metric >= 0 ? asked->metric : idle_metric_find(&mine->idles, tree->metric),
	                 .marks_path = tree->marks_path,
	                 .is_bottom_up = tree->is_bottom_up,
	                 .includes = tree->plant == idle_plant_top_down};
	if (ask->most && tree->is_bottom_up && asked->depth < 0) {
		size_t levels = PAGE_NODES / (r.idles->scope_count + 1);
		r.depth = levels > BOTTOM_UP_DEPTH ? (long)levels : BOTTOM_UP_DEPTH;
		if (r.depth < DEEP)
			sheet->doubt =
				pool_print(&sheet->pool,
			                   "Only %ld levels of callers are here; `skein report idle --view bottom-up --csv` has all.",
			                   r.depth);
	}
	make_rows(&r, tree->plant);
	sort_by(&r);
	sheet->legend = tree->legend;
}

static void fill_top_down(const void *data, const struct view_ask *ask, struct sheet *sheet)
{
	static const struct tree tree = {
		idle_plant_top_down, "work", -1, true, false, "Each row includes its callees. > marks the hot path."};
	fill_tree(data, ask, sheet, &tree);
}

static void fill_bottom_up(const void *data, const struct view_ask *ask, struct sheet *sheet)
{
	static const struct tree tree = {idle_plant_bottom_up,
	                                 "idle",
	                                 BOTTOM_UP_DEPTH,
	                                 false,
	                                 true,
	                                 "Each routine excludes its callees. Below it (<) are its callers, each with its part."};
	fill_tree(data, ask, sheet, &tree);
}

static void fill_flat(const void *data, const struct view_ask *ask, struct sheet *sheet)
{
	static const struct tree tree = {
		idle_plant_flat,
		"work",
		-1,
		false,
		false,
		"Files, their routines, and the loops, inlined routines and lines in them. Each row excludes callees."};
	fill_tree(data, ask, sheet, &tree);
}

const struct view view_idle_top_down = {
	.name = "top-down",
	.help = "call tree from main; figures include callees (default)",
	.top = 30,
	.fill = fill_top_down,
	.draw = view_idle_draw_top_down,
};

const struct view view_idle_bottom_up = {
	.name = "bottom-up",
	.help = "routines, figures exclude callees; below them their callers",
	.top = 30,
	.page_rows = PAGE_ROWS,
	.fill = fill_bottom_up,
	.draw = view_idle_draw_bottom_up,
};

const struct view view_idle_flat = {
	.name = "flat",
	.help = "files, routines, loops and lines; figures exclude callees",
	.top = 30,
	.fill = fill_flat,
};
