/* SPDX-License-Identifier: MIT */
/* build.c: from the raw tables of the idle lens to the scopes and costs of idle.h.
 *
 * Problem: a node of the logical calling-context tree (paper, Appendix) is an X-structure of two addresses; a report
 * wants two trees of names, in which a call has its line, and inlined routines and loops are scopes.
 * Idea: a node's frame in a tree is the scope below which its callees are entered, with the line of the call. A frame
 * follows from the parent's frame and the node's address in that tree; a node without an address has its parent's
 * frame. So each node is named once in each tree, from the root down. The innermost address of a sample is not a
 * return address, and ends in a line; a logical frame that is not the innermost physical one was calling the runtime,
 * so its line is that of the call. The physical frames of a sample tell whether it is work or overhead.
 * Cost: linear in nodes and costs, plus one search for symbols for each distinct address, plus a sort of the costs.
 * Nothing in a file is believed: a parent that is missing, or is its own descendant, is taken for the root. */
#include <stdlib.h>
#include <string.h>

#include "analyse/idle/places.h"
#include "analyse/idle/scopes.h"
#include "analyse/names.h"
#include "base/strv.h"
#include "base/text.h"

enum { OVERHEAD_FRAMES = 64 }; /* a runtime never has more frames above the user's code */

/* Where control is in one tree, and the call that leads further. */
struct frame {
	uint32_t scope;
	uint32_t line;
	const char *file;
	bool is_ours;
};

enum state { FRESH, OPEN, DONE };

struct node {
	uint32_t number;
	uint8_t state, is_leaf;
	uint8_t overhead; /* enum idles_overhead of a leaf */
	uint32_t leaf[IDLES_TREES];
	bool is_named;
	const struct lcct_node *row;
	struct frame frames[IDLES_TREES];
};

struct build {
	struct session *session;
	struct idles *idles;
	struct idles_scopes scopes;
	struct idles_places places;
	uint32_t process;
	struct node *nodes; /* sorted by number */
	size_t node_count, node_room;
	struct frame start[IDLES_TREES]; /* scope of the process, before any call */
	uint64_t strays;                 /* number of costs whose node is missing */
};

static const struct raw_table *as_table(const struct raw_record *record, uint32_t kind)
{
	const struct raw_table *table = (const void *)record;
	return record->type == RAW_TABLE && table->kind == kind ? table : NULL;
}

/* ---- nodes ---- */

static int node_order(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void take_nodes(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct lcct_node *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		if (row[i].association == 0 || table->object > UINT32_MAX - i)
			continue;
		MEMORY_GROW(b->nodes, b->node_count, b->node_room);
		b->nodes[b->node_count++] = (struct node){.number = table->object + (uint32_t)i, .row = &row[i]};
	}
}

static struct node *find_node(const struct build *b, uint32_t number)
{
	struct node key = {.number = number};
	return b->node_count ? bsearch(&key, b->nodes, b->node_count, sizeof key, node_order) : NULL;
}

static struct node *parent_of(const struct build *b, const struct node *node)
{
	return find_node(b, node->row->parent);
}

static uint64_t place_in(const struct node *node, enum idles_tree tree)
{
	return tree == IDLES_LOGICAL ? node->row->lip : node->row->ip;
}

/* ---- frames ---- */

/* A routine of Skein's own stands for another: the Skein routines that it calls, and at last the routine that it
 * stands for, are not entered. */
static bool is_the_same(const struct build *b, const struct frame *from, const struct idles_named *name)
{
	const char *ours = b->session->run.routines[b->idles->scopes[from->scope].routine].linkage, *theirs = name->linkage;
	return name->is_ours || strcmp(ours + strspn(ours, "_"), theirs + strspn(theirs, "_")) == 0;
}

/* The body of an OpenMP construct is where the construct is. The call that created it may say something else: a routine whose last call is
 * to the runtime jumps there, and is gone from the stack. */
static bool is_openmp_body(const struct run_routine *routine)
{
	struct pool pool = {0};
	const char *what = "";
	bool is = routine->line && names_construct(&pool, routine->linkage, &what) &&
		(strcmp(what, "(parallel)") == 0 || strcmp(what, "(task)") == 0 || strcmp(what, "(OpenMP)") == 0);
	pool_free(&pool);
	return is;
}

/* Enters a routine that is called from a frame, and the inlined routines and loops around the place in it. */
static struct frame enter(struct build *b, const struct frame *from, const struct idles_named *name)
{
	if (from->is_ours && is_the_same(b, from, name))
		return *from;
	struct idles_step routine = name->steps[0];
	routine.file = from->file;
	routine.line = from->line;
	const struct run_routine *body = &b->session->run.routines[routine.routine];
	if (is_openmp_body(body)) {
		routine.file = idles_scopes_file(&b->scopes, body->file);
		routine.line = body->line;
	}
	struct frame to = {.scope = idles_scopes_enter(&b->scopes, from->scope, &routine),
	                   .file = name->file,
	                   .line = name->line,
	                   .is_ours = name->is_ours};
	for (size_t i = 1; i < name->count; i++)
		to.scope = idles_scopes_enter(&b->scopes, to.scope, &name->steps[i]);
	return to;
}

static void resolve_one(struct build *b, struct node *node, const struct node *parent)
{
	for (int tree = 0; tree < IDLES_TREES; tree++) {
		const struct frame *from = parent ? &parent->frames[tree] : &b->start[tree];
		uint64_t place = place_in(node, tree);
		node->frames[tree] = place ? enter(b, from, idles_places_name(&b->places, place, true)) : *from;
	}
	node->state = DONE;
}

/* Goes up to a node whose frames are known, then down again, without recursion: paths may be longer than the stack
 * allows. */
static void resolve(struct build *b, struct node *node)
{
	struct node **path = NULL, *above = node;
	size_t count = 0, room = 0;
	for (; above && above->state == FRESH; above = parent_of(b, above)) {
		MEMORY_GROW(path, count, room);
		path[count++] = above;
		above->state = OPEN;
	}
	if (above && above->state == OPEN)
		above = NULL;
	while (count) {
		resolve_one(b, path[--count], above);
		above = path[count];
	}
	free(path);
}

/* ---- leaves ---- */

/* The innermost node, from this one up, that has an address in the tree. */
static struct node *innermost(const struct build *b, struct node *node, enum idles_tree tree)
{
	size_t steps = 0;
	while (node && !place_in(node, tree) && steps++ < b->node_count)
		node = parent_of(b, node);
	return node && place_in(node, tree) ? node : NULL;
}

static uint32_t leaf_scope(struct build *b, const struct node *at, enum idles_tree tree, bool is_return)
{
	if (!at)
		return b->start[tree].scope;
	struct node *parent = parent_of(b, at);
	if (parent && parent->state == FRESH)
		resolve(b, parent);
	const struct idles_named *name = idles_places_name(&b->places, place_in(at, tree), is_return);
	const struct frame *from = parent && parent->state == DONE ? &parent->frames[tree] : &b->start[tree];
	struct frame in = enter(b, from, name);
	if (name->is_ours || !*name->file || !name->line)
		return in.scope;
	return idles_scopes_enter(&b->scopes, in.scope,
	                          &(struct idles_step){IDLES_LINE, b->idles->scopes[in.scope].routine, name->file, name->line});
}

static enum idles_overhead overhead_of(struct build *b, struct node *node)
{
	struct overhead_frame *frames = NULL;
	size_t count = 0, room = 0, steps = 0;
	for (struct node *at = node; at && steps++ < b->node_count && count < OVERHEAD_FRAMES; at = parent_of(b, at)) {
		if (!at->row->ip)
			continue;
		const struct idles_named *name = idles_places_name(&b->places, at->row->ip, count > 0);
		MEMORY_GROW(frames, count, room);
		frames[count++] = (struct overhead_frame){name->module, name->linkage, name->overhead};
	}
	enum idles_overhead kind = overhead_path(frames, count);
	free(frames);
	return kind;
}

static void make_leaf(struct build *b, struct node *node)
{
	struct node *physical = innermost(b, node, IDLES_PHYSICAL), *logical = innermost(b, node, IDLES_LOGICAL);
	node->leaf[IDLES_PHYSICAL] = leaf_scope(b, physical, IDLES_PHYSICAL, false);
	node->leaf[IDLES_LOGICAL] = leaf_scope(b, logical, IDLES_LOGICAL, !(physical && logical && logical->row->lip == physical->row->ip));
	node->overhead = (uint8_t)overhead_of(b, node);
	node->is_named =
		!physical || node->overhead != IDLES_OVERHEAD_NONE || idles_places_name(&b->places, physical->row->ip, false)->is_named;
	node->is_leaf = true;
}

static const struct node *leaf(struct build *b, uint32_t number)
{
	struct node *node = find_node(b, number);
	if (node && !node->is_leaf)
		make_leaf(b, node);
	return node;
}

/* ---- threads ---- */

static uint32_t find_thread(const struct build *b, uint32_t number)
{
	const struct run *run = &b->session->run;
	return run_find_thread(run, run->thread_count, b->process, number);
}

/* Samples of a thread whose record was lost have no thread to name, but still count. */
static void add_unknown_threads(struct build *b)
{
	struct run *run = &b->session->run;
	for (uint32_t i = 0; i < b->session->process_count; i++) {
		const struct session_process *p = &b->session->processes[i];
		b->process = i;
		for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
			const struct raw_table *table = as_table(r, RAW_IDLE_COSTS);
			if (!table || find_thread(b, table->object) != UINT32_MAX)
				continue;
			MEMORY_GROW(run->threads, run->thread_count, run->thread_room);
			run->threads[run->thread_count++] =
				(struct run_thread){.process = i, .number = table->object, .worker = p->first_worker, .name = ""};
			run_sort_threads(run);
		}
	}
}

/* CPU time by the kernel's own count, read when the thread or the process ended, to compare samples with. If the
 * process was killed, the CPU time is that of the thread's last sample. */
static uint64_t cpu_sampled(const struct run_thread *thread, const struct raw_idle_thread *row, uint64_t period_ns)
{
	uint64_t end = thread->cpu_ns + period_ns < row->cpu_ns ? row->cpu_ns : thread->cpu_ns;
	return end > row->start_cpu_ns ? end - row->start_cpu_ns : 0;
}

static void take_threads(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_idle_thread *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		uint32_t at = find_thread(b, row[i].thread);
		if (at == UINT32_MAX)
			continue;
		struct idles_thread *thread = &b->idles->threads[at];
		thread->cpu_ns += cpu_sampled(&b->idles->run->threads[at], &row[i], b->idles->period_ns);
		thread->work_ns += row[i].work_ns;
		thread->dropped_ns += row[i].dropped_ns;
		thread->own_ns += row[i].own_ns;
		thread->unseen_ns += row[i].unseen_ns;
		thread->samples += row[i].samples;
		thread->dropped += row[i].dropped;
		thread->own += row[i].own;
		thread->paths_cut += row[i].paths_cut;
	}
}

/* ---- costs ---- */

static void take_costs(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_idle_cost *row = raw_table_rows(table, &rows);
	struct idles *idles = b->idles;
	for (size_t i = 0; i < rows; i++) {
		const struct node *node = leaf(b, row[i].node);
		if (!node) {
			b->strays += row[i].samples;
			continue;
		}
		MEMORY_GROW(idles->costs, idles->cost_count, idles->cost_room);
		struct idles_cost *cost = &idles->costs[idles->cost_count++];
		*cost = (struct idles_cost){.scope = {node->leaf[0], node->leaf[1]},
		                            .thread = find_thread(b, table->object),
		                            .overhead = node->overhead,
		                            .samples = row[i].samples,
		                            .idle_ns = row[i].idle_ns};
		memcpy(cost->ns, row[i].work_ns, sizeof cost->ns);
		idles->unnamed += node->is_named ? 0 : row[i].samples;
	}
}

/* Events that the machine lacks were not counted and get no number. */
static void take_events(struct build *b, const struct raw_table *table, const uint32_t *numbers)
{
	size_t rows;
	const struct raw_idle_event *row = raw_table_rows(table, &rows);
	struct idles *idles = b->idles;
	for (size_t i = 0; i < rows; i++) {
		uint32_t event = row[i].event < RAW_IDLE_EVENT_MAX ? numbers[row[i].event] : UINT32_MAX;
		uint32_t thread = find_thread(b, table->object);
		const struct node *node = event != UINT32_MAX && thread != UINT32_MAX ? leaf(b, row[i].node) : NULL;
		if (!node)
			continue;
		MEMORY_GROW(idles->events, idles->event_count, idles->event_room);
		idles->events[idles->event_count++] = (struct idles_event){{node->leaf[0], node->leaf[1]}, thread, event, row[i].count};
	}
}

static void take_whys(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_idle_why *row = raw_table_rows(table, &rows);
	struct idles *idles = b->idles;
	uint32_t thread = find_thread(b, table->object);
	for (size_t i = 0; i < rows && thread != UINT32_MAX; i++) {
		bool is_known = row[i].why < RAW_WAIT_KINDS || row[i].why == RAW_IDLE_HELD || row[i].why == RAW_IDLE_READY ||
			row[i].why == RAW_IDLE_BLOCKED;
		const struct node *node = is_known ? leaf(b, row[i].node) : NULL;
		if (!node)
			continue;
		MEMORY_GROW(idles->whys, idles->why_count, idles->why_room);
		idles->whys[idles->why_count++] = (struct idles_why){node->leaf[IDLES_LOGICAL], thread, row[i].why, row[i].ns};
	}
}

static void take_waits(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_idle_wait *row = raw_table_rows(table, &rows);
	struct idles *idles = b->idles;
	uint32_t thread = find_thread(b, table->object);
	for (size_t i = 0; i < rows && thread != UINT32_MAX; i++) {
		const struct node *node = row[i].kind < RAW_WAIT_KINDS ? leaf(b, row[i].node) : NULL;
		if (!node)
			continue;
		MEMORY_GROW(idles->waits, idles->wait_count, idles->wait_room);
		idles->waits[idles->wait_count++] = (struct idles_wait){.scope = {node->leaf[0], node->leaf[1]},
		                                                        .thread = thread,
		                                                        .kind = row[i].kind,
		                                                        .object = idles_places_variable(&b->places, row[i].object),
		                                                        .waits = row[i].waits,
		                                                        .wait_ns = row[i].wait_ns,
		                                                        .quiet_ns = row[i].quiet_ns,
		                                                        .held_ns = row[i].held_ns};
	}
}

/* ---- processes ---- */

/* The program as the user called it, which may be by a symbolic link. */
static const char *as_called(const struct build *b, const struct run *run)
{
	size_t length = strcspn(run->command, " ");
	char *word = pool_print(&b->idles->pool, "%.*s", (int)length, run->command);
	return *str_base(word) && !strpbrk(word, "'\"\\$") ? str_base(word) : str_base(run->program);
}

/* The first process runs the recorded program. Another process may have become another program; its first thread then
 * has that program's name. */
static const char *program_of(const struct build *b)
{
	const struct run *run = &b->session->run;
	uint32_t first = find_thread(b, 0);
	const char *program = as_called(b, run);
	return b->process == 0 || first == UINT32_MAX || !*run->threads[first].name ? program : run->threads[first].name;
}

static const struct raw_idle_how *how_of(const struct session_process *p)
{
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		const struct raw_table *table = as_table(r, RAW_IDLE_HOW);
		size_t rows = 0;
		const struct raw_idle_how *how = table ? raw_table_rows(table, &rows) : NULL;
		if (rows)
			return how;
	}
	return NULL;
}

static void take_how(struct build *b, const struct raw_idle_how *how)
{
	struct idles *idles = b->idles;
	idles->cores = how->cores > idles->cores ? how->cores : idles->cores;
	idles->period_ns = how->period_ns > idles->period_ns ? how->period_ns : idles->period_ns;
	idles->timer_clock |= how->clock == RAW_IDLE_TIMER;
	idles->rings += how->rings;
	idles->no_rings += how->no_rings;
	idles->unsampled += how->unsampled;
	idles->nodes_lost += how->nodes_lost;
}

static void take_process(struct build *b, const uint32_t *events)
{
	const struct session_process *p = &b->session->processes[b->process];
	const struct raw_table *table;
	idles_places_process(&b->places, &p->raw);
	b->node_count = 0;
	for (int tree = 0; tree < IDLES_TREES; tree++) {
		struct idles_step process = {IDLES_PROCESS, RUN_OUTSIDE, idles_scopes_file(&b->scopes, program_of(b)), b->process};
		b->start[tree] = (struct frame){.scope = idles_scopes_enter(&b->scopes, (uint32_t)tree, &process),
		                                .file = idles_scopes_file(&b->scopes, "")};
	}
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if ((table = as_table(r, RAW_IDLE_NODES)))
			take_nodes(b, table);
		else if ((table = as_table(r, RAW_IDLE_THREAD)))
			take_threads(b, table);
	}
	if (b->node_count)
		qsort(b->nodes, b->node_count, sizeof *b->nodes, node_order);
	for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
		if ((table = as_table(r, RAW_IDLE_COSTS)))
			take_costs(b, table);
		else if ((table = as_table(r, RAW_IDLE_EVENTS)))
			take_events(b, table, events);
		else if ((table = as_table(r, RAW_IDLE_WHY)))
			take_whys(b, table);
		else if ((table = as_table(r, RAW_IDLE_WAITS)))
			take_waits(b, table);
	}
}

/* Names of the further events, in the order of the command line; numbers[i] is the number of the i-th. */
static void name_events(struct build *b, uint32_t numbers[RAW_IDLE_EVENT_MAX])
{
	struct idles *idles = b->idles;
	const struct raw_idle_how *how = how_of(&b->session->processes[0]);
	char *names = pool_text(&idles->pool, session_plan_setting(&b->session->plan, SESSION_EVENT_NAMES)), *name;
	idles->event_names = memory_zeroed(RAW_IDLE_EVENT_MAX, sizeof *idles->event_names);
	memset(numbers, 0xff, RAW_IDLE_EVENT_MAX * sizeof *numbers);
	for (int i = 0; i < RAW_IDLE_EVENT_MAX && names && *names && (name = strsep(&names, ",\n")); i++) {
		if (how && how->event_period[i]) {
			numbers[i] = (uint32_t)idles->event_name_count;
			idles->event_names[idles->event_name_count++] = name;
		} else {
			run_note(&b->session->run, "The event %s could not be counted: this machine or its kernel does not provide it.",
			         name);
		}
	}
}

void idles_build(struct session *session, struct idles *idles)
{
	struct build b = {.session = session, .idles = idles};
	uint32_t events[RAW_IDLE_EVENT_MAX];
	memset(idles, 0, sizeof *idles);
	idles->run = &session->run;
	idles_scopes_start(&b.scopes, idles);
	idles_places_start(&b.places, session, &b.scopes);
	add_unknown_threads(&b);
	idles->threads = memory_zeroed(session->run.thread_count, sizeof *idles->threads);
	name_events(&b, events);
	for (b.process = 0; b.process < session->process_count; b.process++) {
		const struct raw_idle_how *how = how_of(&session->processes[b.process]);
		if (how)
			take_how(&b, how);
		take_process(&b, events);
	}
	idles->cores = idles->cores ? idles->cores : 1;
	idles->gomp = idles_places_have_gomp(&b.places);
	if (b.strays)
		run_note(&session->run, "%s samples are left out: their places in the program are missing from the recording.",
		         text_count(&session->run.pool, (int64_t)b.strays));
	idles_sort(idles);
	free(b.nodes);
	idles_places_free(&b.places);
	idles_scopes_free(&b.scopes);
}
