/* SPDX-License-Identifier: MIT */
#include "analyse/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "base/hash.h"

const char *const run_wait_names[RAW_WAIT_KINDS] = {
#define X(name, word, nature, advice) word,
	RAW_WAIT_LIST(X)
#undef X
};

const char *run_kind_text(enum run_kind kind)
{
	static const char *const texts[] = {
#define X(name, text) text,
		RUN_KIND_LIST(X)
#undef X
	};
	return texts[kind];
}

void run_start(struct run *run)
{
	memset(run, 0, sizeof *run);
	run->turn = 1;
	run->exit_code = run->died_of = run->lasted_ns = run->ran_ns = run->wanted_ns = run->crowd_ns = RUN_UNKNOWN;
	run->rank = (struct run_rank){RUN_UNKNOWN, RUN_UNKNOWN, RUN_UNKNOWN, RUN_UNKNOWN, RUN_UNKNOWN, "", "", ""};
	run->user_ns = run->system_ns = run->faults = run->samples = run->hook_samples = RUN_UNKNOWN;
	run->lens = run->mode = run->program = run->command = run->build_id = "";
	run_routine(run, &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = "(outside)", .file = "", .kind = RUN_OUTSIDE_KIND});
}

void run_free(struct run *run)
{
	free(run->objects);
	free(run->routines);
	free(run->sites);
	free(run->inlined);
	free(run->processes);
	free(run->threads);
	free(run->workers);
	free(run->notes);
	free(run->messages);
	lookup_free(&run->index);
	pool_free(&run->pool);
	memset(run, 0, sizeof *run);
}

uint32_t run_object(struct run *run, const char *build_id, const char *path)
{
	for (size_t i = 0; i < run->object_count; i++)
		if (strcmp(run->objects[i].build_id, build_id) == 0)
			return (uint32_t)i;
	MEMORY_GROW(run->objects, run->object_count, run->object_room);
	run->objects[run->object_count] = (struct run_object){pool_text(&run->pool, build_id), pool_text(&run->pool, path)};
	return (uint32_t)run->object_count++;
}

static uint64_t hash_routine(const struct run_routine *r)
{
	uint64_t hash = hash_number(hash_number(HASH_START, r->object), r->line);
	return hash_text(hash_number(hash_text(hash, r->linkage), 0), r->file);
}

static bool is_routine(const void *routines, size_t number, const void *what)
{
	const struct run_routine *a = (const struct run_routine *)routines + number, *b = what;
	return a->object == b->object && a->line == b->line && strcmp(a->linkage, b->linkage) == 0 && strcmp(a->file, b->file) == 0;
}

uint32_t run_routine(struct run *run, const struct run_routine *routine)
{
	size_t *place = lookup_at(&run->index, hash_routine(routine), is_routine, run->routines, routine);
	if (*place)
		return (uint32_t)*place - 1;
	MEMORY_GROW(run->routines, run->routine_count, run->routine_room);
	struct run_routine *mine = &run->routines[run->routine_count++];
	*mine = *routine;
	mine->linkage = pool_text(&run->pool, routine->linkage);
	mine->name = names_demangle(&run->pool, mine->linkage);
	mine->file = pool_text(&run->pool, routine->file);
	*place = run->routine_count;
	return (uint32_t)*place - 1;
}

void run_note(struct run *run, const char *format, ...)
{
	char text[2048];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	MEMORY_GROW(run->notes, run->note_count, run->note_room);
	run->notes[run->note_count++] = pool_text(&run->pool, text);
}

static int site_order(const void *a, const void *b)
{
	const struct run_site *x = a, *y = b;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void run_sort_sites(struct run *run)
{
	if (run->site_count)
		qsort(run->sites, run->site_count, sizeof *run->sites, site_order);
}

/* Line 0 marks a call that the compiler merged from several: it has no place. */
const struct run_site *run_first_site(const struct run *run, uint32_t caller, uint32_t callee)
{
	struct run_site key = {.caller = caller, .callee = callee, .line = 1};
	size_t low = 0, high = run->site_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (site_order(&run->sites[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < run->site_count && run->sites[low].caller == caller && run->sites[low].callee == callee ? &run->sites[low] : NULL;
}

uint64_t run_lost(const struct run *run, enum raw_lost cause)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < run->process_count; i++)
		sum += run->processes[i].lost[cause];
	return sum;
}

uint64_t run_lost_events(const struct run *run)
{
	uint64_t sum = 0;
	for (int cause = 0; cause < RAW_LOST_KINDS; cause++)
		if (cause != RAW_LOST_SNAPSHOT_DEPTH && cause != RAW_LOST_SNAPSHOT_LATE)
			sum += run_lost(run, (enum raw_lost)cause);
	return sum;
}

uint64_t run_waited_ns(const struct run_worker *worker)
{
	uint64_t sum = 0;
	for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
		sum += worker->wait_ns[kind];
	return sum;
}

bool run_is_ranked(const struct run *run)
{
	return run->rank.rank >= 0 || run->rank.task >= 0 || run->rank.mpi_rank >= 0;
}

static int thread_order(const void *a, const void *b)
{
	const struct run_thread *x = a, *y = b;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void run_sort_threads(struct run *run)
{
	size_t kept = 0;
	if (run->thread_count)
		qsort(run->threads, run->thread_count, sizeof *run->threads, thread_order);
	for (size_t i = 0; i < run->thread_count; i++)
		if (!kept || thread_order(&run->threads[kept - 1], &run->threads[i]) != 0)
			run->threads[kept++] = run->threads[i];
	run->thread_count = kept;
}

uint32_t run_find_thread(const struct run *run, size_t count, uint32_t process, uint32_t number)
{
	const struct run_thread key = {.process = process, .number = number};
	const struct run_thread *at = count ? bsearch(&key, run->threads, count, sizeof key, thread_order) : NULL;
	return at ? (uint32_t)(at - run->threads) : RUN_NOWHERE;
}
