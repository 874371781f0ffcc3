/* SPDX-License-Identifier: MIT */
/* build.c: from the raw tables of the input lens to the points of input.h.
 *
 * A row names its routine by a place, by the number of a routine, or by the number of a context, as its process says;
 * all become contexts of the run, so the same routine of several processes is one. Nothing in a file is trusted: a
 * context whose caller is missing, or is its own caller, is an outermost one; a thread without a record is given one. */
#include <stdlib.h>
#include <string.h>

#include "analyse/input/input.h"
#include "analyse/places.h"
#include "base/text.h"

enum { MOST_CONTEXTS = 1 << 22 };

struct row {
	const struct raw_input_context *row;
	uint32_t context; /* 0: not known yet */
};

/* A set of functions of a routine in one thread, by the key that its points have. */
struct owned_set {
	uint64_t key;
	uint32_t thread; /* number of the thread */
	uint32_t number; /* in inputs.sets */
	struct inputs_set is;
};

struct build {
	struct session *session;
	struct inputs *inputs;
	struct places places;
	uint32_t process;
	struct raw_input_how how;
	struct row *rows; /* contexts of the process, by number */
	size_t row_count;
	struct owned_set *sets; /* of the process, by thread and key */
	size_t set_count, set_room;
	uint64_t strays; /* number of activations whose context is missing */
};

static const struct raw_table *as_table(const struct raw_record *record, uint32_t kind)
{
	const struct raw_table *table = (const void *)record;
	return record->type == RAW_TABLE && table->kind == kind ? table : NULL;
}

/* ---- threads ---- */

static void need_thread(struct build *b, uint32_t number, size_t known)
{
	struct run *run = &b->session->run;
	bool is_last = run->thread_count > known && run->threads[run->thread_count - 1].number == number;
	if (is_last || run_find_thread(run, known, b->process, number) != INPUTS_ANY)
		return;
	MEMORY_GROW(run->threads, run->thread_count, run->thread_room);
	run->threads[run->thread_count++] = (struct run_thread){.process = b->process,
	                                                        .number = number,
	                                                        .worker = b->session->processes[b->process].first_worker,
	                                                        .name = ""};
}

/* All threads must be in the list before anything refers to one by its index. */
static void add_unknown_threads(struct build *b)
{
	for (b->process = 0; b->process < b->session->process_count; b->process++) {
		const struct session_process *p = &b->session->processes[b->process];
		size_t known = b->session->run.thread_count;
		for (const struct raw_record *r = raw_first(&p->raw); r; r = raw_next(&p->raw, r)) {
			const struct raw_table *points = as_table(r, RAW_INPUT_POINTS), *matrix = as_table(r, RAW_INPUT_MATRIX);
			size_t rows = 0;
			const struct raw_input_point *point = points ? raw_table_rows(points, &rows) : NULL;
			for (size_t i = 0; i < rows && points; i++)
				need_thread(b, point[i].thread, known);
			const struct raw_input_source *source = matrix ? raw_table_rows(matrix, &rows) : NULL;
			for (size_t i = 0; i < rows && matrix; i++)
				need_thread(b, source[i].reader, known);
		}
		run_sort_threads(&b->session->run);
	}
}

/* ---- contexts ---- */

static uint32_t thread_of(const struct build *b, uint32_t number)
{
	return run_find_thread(b->inputs->run, b->inputs->run->thread_count, b->process, number);
}

static uint32_t routine_of(struct build *b, uint64_t routine)
{
	if (b->how.options & RAW_INPUT_BY_PLACE)
		return places_routine(&b->places, routine);
	return session_routine(b->session, &b->session->processes[b->process], routine > UINT32_MAX ? UINT32_MAX : (uint32_t)routine);
}

static void take_contexts(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_context *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		if (row[i].number == 0 || row[i].number >= MOST_CONTEXTS)
			continue;
		if (row[i].number >= b->row_count) {
			size_t count = 2 * (size_t)row[i].number;
			b->rows = memory_resize(b->rows, count, sizeof *b->rows);
			memset(b->rows + b->row_count, 0, (count - b->row_count) * sizeof *b->rows);
			b->row_count = count;
		}
		b->rows[row[i].number].row = &row[i];
	}
}

static struct row *find_row(const struct build *b, uint64_t number)
{
	return number && number < b->row_count && b->rows[number].row ? &b->rows[number] : NULL;
}

/* Goes up to a known caller, then down again, without recursion: paths may be longer than the stack allows.
 * INPUTS_ANY marks contexts on the way. */
static uint32_t resolve(struct build *b, struct row *row)
{
	struct row **path = NULL;
	size_t count = 0, room = 0;
	for (; row && row->context == 0; row = find_row(b, row->row->parent)) {
		MEMORY_GROW(path, count, room);
		path[count++] = row;
		row->context = INPUTS_ANY;
	}
	uint32_t context = row && row->context != INPUTS_ANY ? row->context : 0;
	while (count) {
		row = path[--count];
		context = row->context = inputs_context(b->inputs, context, routine_of(b, row->row->routine));
	}
	free(path);
	return context;
}

static uint32_t context_of(struct build *b, uint64_t key)
{
	key &= ~RAW_INPUT_SET_BITS;
	if (key == 0)
		return 0;
	if (!(b->how.options & RAW_INPUT_HAS_CONTEXTS))
		return inputs_context(b->inputs, 0, routine_of(b, key));
	struct row *row = find_row(b, key);
	if (!row)
		return INPUTS_ANY;
	return row->context ? row->context : resolve(b, row);
}

/* ---- sets ---- */

static int set_order(const void *a, const void *b)
{
	const struct owned_set *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* A function that a runtime calls for a loop or a task is not one that the program chose. */
static void take_target(struct build *b, struct inputs_set *set, uint64_t target)
{
	uint32_t routine = target == RAW_INPUT_OTHER_TARGETS ? RUN_OUTSIDE : routine_of(b, target);
	uint8_t kind = b->session->run.routines[routine].kind;
	if (kind != RUN_PARALLEL_KIND && kind != RUN_TASK_KIND)
		inputs_set_add(set, routine);
}

static void take_sets(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_set *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		MEMORY_GROW(b->sets, b->set_count, b->set_room);
		b->sets[b->set_count] = (struct owned_set){.key = row[i].routine, .thread = row[i].thread};
		take_target(b, &b->sets[b->set_count++].is, row[i].target);
	}
}

/* Rows of one set are put together. */
static void end_sets(struct build *b)
{
	size_t kept = 0;
	if (b->set_count)
		qsort(b->sets, b->set_count, sizeof *b->sets, set_order);
	for (size_t i = 0; i < b->set_count; i++) {
		if (!kept || set_order(&b->sets[kept - 1], &b->sets[i]) != 0)
			b->sets[kept++] = b->sets[i];
		else
			for (uint32_t k = 0; k < b->sets[i].is.count; k++)
				inputs_set_add(&b->sets[kept - 1].is, b->sets[i].is.routines[k]);
	}
	b->set_count = kept;
	for (size_t i = 0; i < kept; i++)
		b->sets[i].number = inputs_set(b->inputs, &b->sets[i].is);
}

static uint32_t set_of(const struct build *b, const struct raw_input_point *p)
{
	struct owned_set key = {.key = p->routine, .thread = p->thread};
	const struct owned_set *found = b->set_count ? bsearch(&key, b->sets, b->set_count, sizeof key, set_order) : NULL;
	return found ? found->number : 0;
}

/* ---- points ---- */

static void take_points(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_point *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		const struct raw_input_point *p = &row[i];
		uint16_t metrics = p->metrics & ((1 << INPUT_METRICS) - 1);
		uint32_t context = context_of(b, p->routine);
		if (context == INPUTS_ANY)
			b->strays += p->calls;
		if (context == INPUTS_ANY || !metrics || !p->calls)
			continue;
		inputs_add(b->inputs,
		           &(struct inputs_point){.context = context,
		                                  .set = set_of(b, p),
		                                  .thread = thread_of(b, p->thread),
		                                  .metrics = metrics,
		                                  .bits = p->bits < 64 ? p->bits : 0,
		                                  .size = p->size,
		                                  .size_sum = p->size_sum,
		                                  .calls = p->calls,
		                                  .cost_min = p->cost_min,
		                                  .cost_max = p->cost_max,
		                                  .cost_sum = p->cost_sum,
		                                  .squares = (double)p->squares[1] * 0x1p64 + (double)p->squares[0],
		                                  .cost_outermost = p->cost_outermost,
		                                  .self_sum = p->self_sum,
		                                  .thread_induced = p->thread_induced,
		                                  .external = p->external});
	}
}

static void take_matrix(struct build *b, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_source *row = raw_table_rows(table, &rows);
	for (size_t i = 0; i < rows; i++) {
		uint32_t writer = row[i].writer;
		if (writer != RAW_INPUT_KERNEL && writer != RAW_INPUT_OTHERS) {
			writer = thread_of(b, writer);
			writer = writer == INPUTS_ANY ? INPUTS_OTHERS : writer;
		}
		if (row[i].cells)
			inputs_add_source(b->inputs, &(struct inputs_source){writer, thread_of(b, row[i].reader), row[i].cells});
	}
}

/* ---- processes ---- */

static void take_how(struct build *b, const struct raw_reader *raw)
{
	memset(&b->how, 0, sizeof b->how);
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *table = as_table(r, RAW_INPUT_HOW);
		size_t rows = 0;
		const struct raw_input_how *how = table ? raw_table_rows(table, &rows) : NULL;
		if (rows)
			b->how = *how;
	}
	b->how.producer = b->how.producer == RAW_INPUT_COMPILED ? RAW_INPUT_COMPILED : RAW_INPUT_VALGRIND;
	b->how.cost = b->how.cost == RAW_INPUT_INSTRUCTIONS ? RAW_INPUT_INSTRUCTIONS : RAW_INPUT_BLOCKS;
	b->inputs->hows[b->process] = b->how;
	b->inputs->has_contexts |= (b->how.options & RAW_INPUT_HAS_CONTEXTS) != 0;
}

static void take_process(struct build *b)
{
	const struct raw_reader *raw = &b->session->processes[b->process].raw;
	const struct raw_table *table;
	take_how(b, raw);
	places_process(&b->places, raw);
	free(b->rows);
	b->rows = NULL;
	b->row_count = b->set_count = 0;
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r))
		if ((table = as_table(r, RAW_INPUT_CONTEXTS)))
			take_contexts(b, table);
		else if ((table = as_table(r, RAW_INPUT_SETS)))
			take_sets(b, table);
	end_sets(b);
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		if ((table = as_table(r, RAW_INPUT_POINTS)))
			take_points(b, table);
		else if ((table = as_table(r, RAW_INPUT_MATRIX)))
			take_matrix(b, table);
	}
}

void inputs_build(struct session *session, struct inputs *inputs)
{
	struct build b = {.session = session, .inputs = inputs};
	struct run *run = &session->run;
	inputs_start(inputs, run);
	places_start(&b.places, session);
	add_unknown_threads(&b);
	inputs->hows = memory_zeroed(session->process_count, sizeof *inputs->hows);
	for (b.process = 0; b.process < session->process_count; b.process++)
		take_process(&b);
	inputs->runs = memory_zeroed(1, sizeof *inputs->runs);
	inputs->run_count = 1;
	inputs->runs[0] =
		(struct inputs_run){0, (uint32_t)run->process_count, 0, (uint32_t)run->thread_count, run->command, run->started_real_ns};
	if (b.strays)
		run_note(run, "%s activations are left out: their calling context is missing from the recording.",
		         text_count(&run->pool, (int64_t)b.strays));
	inputs_sort(inputs);
	inputs_note_unseen(session, inputs);
	free(b.rows);
	free(b.sets);
	places_free(&b.places);
}
