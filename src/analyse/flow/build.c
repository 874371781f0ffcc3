/* SPDX-License-Identifier: MIT */
/* build.c: from the logs of a session to the figures of flows.h.
 *
 * Two passes over all events. The first has the questions that every run is asked, and tells for which objects threads waited most; what
 * it leaves is passed over backward, for slack. The second asks what the run would take if each of these objects were free. Objects that
 * have one name are free together.
 * Cost: linear in events and questions. Memory: threads, objects, the rows of the result, and the critical path. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/flow/backward.h"
#include "analyse/flow/flows.h"
#include "analyse/flow/graph.h"
#include "analyse/flow/kept.h"
#include "analyse/flow/names.h"
#include "analyse/flow/parts/take.h"
#include "analyse/flow/pass.h"
#include "analyse/flow/tally.h"
#include "base/blob.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"
#include "core/flow/way.h"

_Static_assert(2 * 10 <= FLOW_QUESTIONS, "two questions for each object");
enum { SLICES = 1000, MOST_SLICES = 1 << 18, MOST_FREE = 10, MOST_STRETCHES = 10000, MOST_CORES = 64 };
enum { SIMPLY, WITH_LOAD, AS_IT_WAS, HERE, FIRST_CORES };

struct build {
	struct session *session;
	struct flows *flows;
	struct flow_logs *logs;
	struct flow_input input;
	struct flow_spots spots;
	struct flow_tally tally;
	struct flow_pass pass;
	struct flow_backward backward;
	struct flow_tasks tasks;
	struct flow_marks marks;
	uint32_t *groups; /* of objects of the events: in flows, or FLOWS_NONE */
	size_t group_count;
	struct lookup by_name;
	struct flow_names names;
	struct flows_kept kept; /* of it only what the passes find */
	double ns_per_tick;
};

static uint64_t between(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

static uint64_t ns_of(const struct build *b, uint64_t ticks)
{
	return number_count((double)ticks * b->ns_per_tick + 0.5);
}

/* ---- the input ---- */

/* A file beside the raw recordings, which lie in a folder of skein's own; "": the folder. */
static void file_of(const struct build *b, const char *name, char path[PATH_MAX])
{
	const char *raw = b->session->process_count ? b->session->processes[0].path : "", *slash = strrchr(raw, '/');
	snprintf(path, PATH_MAX, "%.*s%s", (int)(slash ? slash + 1 - raw : 0), raw, name);
}

/* There may be more switches than memory. */
static void map_switches(struct build *b, int file, size_t bytes)
{
	void *at = bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
	if (at == MAP_FAILED)
		return;
	b->input.switches = at;
	b->input.switches_bytes = bytes;
	b->input.switches_mapped = true;
}

static void read_switches(struct build *b)
{
	char path[PATH_MAX];
	const struct raw_file *first = &b->session->processes[0].raw.file;
	const char *seen = session_plan_setting(&b->session->plan, SESSION_SWITCHES);
	b->flows->switches = b->flows->switches_lost = RUN_UNKNOWN;
	file_of(b, SESSION_SWITCHES_FILE, path);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat is = {0};
	if (file < 0 || fstat(file, &is) < 0 || (!*seen && !is.st_size)) {
		if (file >= 0)
			close(file);
		return; /* skein was killed before it could say how many there are, or the program goes on */
	}
	map_switches(b, file, (size_t)is.st_size);
	close(file);
	b->flows->switches_lost = (int64_t)strtoull(session_plan_setting(&b->session->plan, SESSION_SWITCHES_LOST), NULL, 10);
	b->input.clock = (struct flow_clock){first->start_tsc, first->start_ns, b->ns_per_tick};
}

static void read_input(struct build *b)
{
	uint64_t cores = strtoull(session_plan_setting(&b->session->plan, SESSION_CORES), NULL, 10);
	b->flows->machine_cores = (uint32_t)between(cores, 1, FLOW_CORES);
	size_t count = b->session->process_count;
	b->logs = memory_zeroed(count + 1, sizeof *b->logs);
	for (size_t i = 0; i < count; i++)
		flow_logs_read(&b->logs[i], &b->session->processes[i].raw);
	b->ns_per_tick = count ? b->session->processes[0].ns_per_tick : 1;
	b->input = (struct flow_input){.logs = b->logs, .count = count, .spots = &b->spots};
	if (count)
		read_switches(b);
}

static void find_span(const struct build *b, uint64_t *begin, uint64_t *end)
{
	*begin = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < b->session->process_count; i++) {
		const struct session_process *p = &b->session->processes[i];
		*begin = p->raw.file.start_tsc < *begin ? p->raw.file.start_tsc : *begin;
		*end = p->last_tsc > *end ? p->last_tsc : *end;
	}
}

/* ---- the first pass ---- */

static uint32_t ask_cores(struct flow_question *q, uint32_t count, uint32_t workers)
{
	for (uint32_t cores = 1; cores <= MOST_CORES && count < FLOW_QUESTIONS; cores *= 2) {
		q[count++] = (struct flow_question){.without = UINT32_MAX, .cores = cores};
		if (cores >= workers)
			break;
	}
	return count;
}

/* The thread that ran in a lane at a time; RUN_NOWHERE: its record is shared. */
static uint32_t thread_at(const struct run *run, uint32_t worker, uint64_t ns)
{
	for (uint32_t i = 0; i < run->thread_count; i++)
		if (run->threads[i].worker == worker && run->threads[i].start_ns <= ns && ns <= run->threads[i].end_ns)
			return i;
	return RUN_NOWHERE;
}

static void meet_strand(struct build *b, const struct flow_event *e, const struct flow_event_about *about)
{
	const struct session_process *p = &b->session->processes[about->process];
	const struct run *run = &b->session->run;
	uint32_t worker = session_worker(p, about->lane);
	uint64_t begin = b->session->processes[0].raw.file.start_tsc;
	uint32_t thread = about->thread != UINT32_MAX ? run_find_thread(run, run->thread_count, about->process, about->thread)
						      : thread_at(run, worker, e->time > begin ? ns_of(b, e->time - begin) : 0);
	flow_tally_strand(&b->tally, e->strand, thread, worker);
}

/* The part of the run that is looked at. */
static void choose_part(struct build *b, uint64_t begin)
{
	uint64_t after = strtoull(session_plan_setting(&b->session->plan, SESSION_AFTER_NS), NULL, 10),
		 asked = after ? begin + number_count((double)after / b->ns_per_tick) : 0,
		 whole = flow_events_complete_from(b->pass.events);
	b->input.skip = asked > whole ? asked : whole;
	flow_events_skip(b->pass.events, b->input.skip);
}

static void pass_first(struct build *b)
{
	struct flow_question q[FLOW_QUESTIONS] = {[SIMPLY] = {.without = UINT32_MAX},
	                                          [WITH_LOAD] = {.without = UINT32_MAX, .keeps_load = true},
	                                          [AS_IT_WAS] = {.without = UINT32_MAX, .keeps_load = true, .keeps_latency = true},
	                                          [HERE] = {.without = UINT32_MAX, .cores = b->flows->machine_cores}};
	uint32_t workers = (uint32_t)b->session->run.worker_count, count = ask_cores(q, FIRST_CORES, workers);
	uint64_t begin, end;
	char folder[PATH_MAX];
	struct flow_event e;
	struct flow_event_about about;
	find_span(b, &begin, &end);
	file_of(b, "", folder);
	b->flows->slices = workers > MOST_SLICES / SLICES ? MOST_SLICES / workers + 1 : SLICES;
	flow_tally_start(&b->tally, &b->spots, begin, end, b->flows->slices);
	flow_pass_start(&b->pass, &b->input, q, count);
	choose_part(b, begin);
	if (b->input.skip > begin) {
		b->tally.begin = b->tally.level_since = b->input.skip;
		b->flows->skipped_ns = ns_of(b, b->input.skip - begin);
	}
	flow_backward_start(&b->backward, folder);
	flow_tasks_start(&b->tasks);
	flow_marks_start(&b->marks);
	while (flow_pass_step(&b->pass, &e, &about)) {
		if (e.kind == FLOW_BEGIN || !flow_tally_knows(&b->tally, e.strand))
			meet_strand(b, &e, &about);
		flow_tally_event(&b->tally, &e, &about, &b->pass.flow);
		flow_backward_put(&b->backward, &b->pass.flow);
		flow_tasks_event(&b->tasks, &e, &about, &b->pass.flow);
		flow_marks_event(&b->marks, &e, &about, &b->pass.flow);
	}
	flow_tally_end(&b->tally, b->pass.flow.end);
	flow_tasks_end(&b->tasks, &b->pass.flow);
	flow_marks_end(&b->marks, &b->pass.flow);
	const struct flow *f = &b->pass.flow;
	b->flows->wall_ns = ns_of(b, f->longest[AS_IT_WAS]);
	b->flows->minimum_ns = ns_of(b, f->longest[SIMPLY]);
	b->flows->load_ns = ns_of(b, f->longest[WITH_LOAD]) - b->flows->minimum_ns;
	b->flows->latency_ns = b->flows->wall_ns - b->flows->minimum_ns - b->flows->load_ns;
	b->flows->idle_ns = between(ns_of(b, f->longest[HERE]), b->flows->minimum_ns, b->flows->wall_ns);
	b->flows->events = f->events;
	if (b->input.switches)
		b->flows->switches = (int64_t)flow_events_switched(b->pass.events);
	b->flows->unexplained = f->unexplained;
	b->flows->bad = flow_events_bad(b->pass.events);
	b->flows->ended = f->exited;
	for (uint32_t k = FIRST_CORES; k < count; k++) {
		MEMORY_GROW(b->flows->cores, b->flows->core_count, b->flows->core_room);
		b->flows->cores[b->flows->core_count++] = (struct flows_core){q[k].cores, ns_of(b, f->longest[k])};
	}
}

/* ---- objects ---- */

static bool same_object(const void *array, size_t number, const void *what)
{
	const struct flows_object *a = (const struct flows_object *)array + number, *b = what;
	return a->what == b->what && strcmp(a->name, b->name) == 0;
}

/* The call that was the first to do anything with the object. */
static uint64_t first_spot(struct build *b, const struct raw_flow_object *row, uint32_t process)
{
	uint32_t path = row->lane ? flow_paths_find(&b->logs[process].paths, row->lane - 1, row->path) : 0;
	return flow_spots_at(&b->spots, process, row->site, path);
}

/* A variable is a name by itself. */
static const char *variable_of(struct build *b, const struct raw_flow_object *row, uint32_t process)
{
	return !raw_flow_is_shared(row->what) && row->place >> RAW_PLACE_SHIFT ? flow_spots_variable(&b->spots, process, row->place) : "";
}

static uint32_t add_name(struct build *b, const struct raw_flow_object *row, uint32_t process)
{
	struct blame_frame frames[FLOW_NAMES_DEPTH];
	uint64_t spot = first_spot(b, row, process);
	size_t count = flow_spots_frames(&b->spots, spot, frames, FLOW_NAMES_DEPTH);
	if (!count && spot) {
		struct flows_where where = flow_spots_where(&b->spots, spot);
		frames[count++] = (struct blame_frame){where.routine, where.file, where.line};
	}
	return flow_names_add(&b->names, flows_object_kinds[row->what], &b->session->run, frames, count);
}

static uint32_t group_of(struct build *b, const struct raw_flow_object *row, uint32_t process, const char *name)
{
	struct flows *f = b->flows;
	struct flows_object key = {.name = pool_text(&f->pool, name),
	                           .what = (enum raw_flow_what)row->what,
	                           .first = flow_spots_where(&b->spots, first_spot(b, row, process)),
	                           .holder = {RUN_OUTSIDE, "", 0},
	                           .free_ns = RUN_UNKNOWN,
	                           .free_idle_ns = RUN_UNKNOWN};
	size_t *place = lookup_at(&b->by_name, hash_number(hash_text(HASH_START, key.name), key.what), same_object, f->objects, &key);
	if (!*place) {
		MEMORY_GROW(f->objects, f->object_count, f->object_room);
		f->objects[f->object_count++] = key;
		*place = f->object_count;
	}
	return (uint32_t)*place - 1;
}

static void add_object(struct build *b, struct flows_object *to, const struct raw_flow_object *row, const struct flow_object *o)
{
	bool is_lock = row->what == RAW_FLOW_LOCK || row->what == RAW_FLOW_SHARED_LOCK;
	to->members++;
	to->acquired += row->acquired > o->acquired || is_lock ? row->acquired : o->acquired;
	to->contended += o->contended;
	to->refused += row->refused;
	to->waited_ns += ns_of(b, o->queued);
	to->held_ns += is_lock ? ns_of(b, row->held_ticks) : 0;
	to->longest_queue = o->longest_queue > to->longest_queue ? o->longest_queue : to->longest_queue;
}

/* The row of an object by its number among those of all processes; NULL: there is none. */
static const struct raw_flow_object *row_of(const struct build *b, size_t process, size_t i)
{
	const struct raw_flow_object *row = b->logs[process].objects[i];
	return row && row->what < FLOWS_OBJECT_KINDS ? row : NULL;
}

/* Names first: those of objects that are in no variable depend on each other. */
static void name_objects(struct build *b)
{
	for (size_t p = 0, n = 0; p < b->session->process_count; p++)
		for (size_t i = 0; i < b->logs[p].object_count; i++, n++) {
			const struct raw_flow_object *row = row_of(b, p, i);
			if (row && !*variable_of(b, row, (uint32_t)p))
				b->groups[n] = add_name(b, row, (uint32_t)p);
		}
	flow_names_settle(&b->names);
}

static void take_objects(struct build *b)
{
	b->group_count = flow_events_first_object(b->pass.events, b->session->process_count);
	b->groups = memory_resize(NULL, b->group_count + 1, sizeof *b->groups);
	for (size_t n = 0; n < b->group_count; n++)
		b->groups[n] = FLOWS_NONE;
	name_objects(b);
	for (size_t p = 0, n = 0; p < b->session->process_count; p++)
		for (size_t i = 0; i < b->logs[p].object_count; i++, n++) {
			const struct raw_flow_object *row = row_of(b, p, i);
			if (!row)
				continue;
			const char *name =
				b->groups[n] == FLOWS_NONE ? variable_of(b, row, (uint32_t)p) : flow_names_of(&b->names, b->groups[n]);
			b->groups[n] = group_of(b, row, (uint32_t)p, name);
			add_object(b, &b->flows->objects[b->groups[n]], row, flow_pass_object(&b->pass, (uint32_t)n));
		}
	lookup_free(&b->by_name);
	flow_names_free(&b->names);
}

static int charge_order(const void *a, const void *b, void *context)
{
	const struct flow_charge *x = a, *y = b;
	const uint32_t *groups = context;
	uint32_t of_x = groups[x->object], of_y = groups[y->object];
	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return x->spot < y->spot ? -1 : x->spot > y->spot;
}

/* The holder of objects of one name is the spot with the largest sum over them. */
static void take_holders(struct build *b)
{
	struct flow_charge *charges = b->tally.charges;
	size_t count = b->tally.charge_count;
	if (count)
		qsort_r(charges, count, sizeof *charges, charge_order, b->groups);
	for (size_t i = 0; i < count;) {
		size_t first = i;
		uint64_t ticks = 0;
		for (; i < count && charge_order(&charges[first], &charges[i], b->groups) == 0; i++)
			ticks += charges[i].ticks;
		uint32_t group = b->groups[charges[first].object];
		if (group == FLOWS_NONE || ns_of(b, ticks) <= b->flows->objects[group].holder_ns)
			continue;
		b->flows->objects[group].holder_ns = ns_of(b, ticks);
		b->flows->objects[group].holder = flow_spots_where(&b->spots, charges[first].spot);
	}
}

static uint32_t object_of(const struct build *b, uint32_t number)
{
	return number < b->group_count ? b->groups[number] : FLOWS_NONE;
}

/* A thread that reads from a pipe, or looks whether there is something to read, tells which pipe that is when there is. */
static void add_pipe_waits(struct build *b)
{
	for (size_t i = 0; i < b->tally.alike_count; i++) {
		const struct flow_alike *a = &b->tally.alike[i];
		uint32_t group = object_of(b, a->object);
		if (group == FLOWS_NONE ||
		    (b->flows->objects[group].what != RAW_FLOW_PIPE && b->flows->objects[group].what != RAW_FLOW_ROOM))
			continue;
		b->flows->objects[group].contended += a->count;
		b->flows->objects[group].waited_ns += ns_of(b, a->ticks);
	}
}

/* Most waiting first; the numbers of objects follow. */
static int object_order(const void *a, const void *b, void *context)
{
	const struct flows_object *objects = context, *x = &objects[*(const uint32_t *)a], *y = &objects[*(const uint32_t *)b];
	if (x->waited_ns != y->waited_ns)
		return x->waited_ns > y->waited_ns ? -1 : 1;
	if (x->acquired != y->acquired)
		return x->acquired > y->acquired ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void sort_objects(struct build *b)
{
	struct flows *f = b->flows;
	size_t count = f->object_count;
	uint32_t *order = memory_zeroed(count + 1, sizeof *order), *place = memory_zeroed(count + 1, sizeof *place);
	struct flows_object *sorted = memory_zeroed(count + 1, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, count, sizeof *order, object_order, f->objects);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = f->objects[order[i]];
		place[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < b->group_count; i++)
		b->groups[i] = b->groups[i] == FLOWS_NONE ? FLOWS_NONE : place[b->groups[i]];
	free(f->objects);
	free(order);
	free(place);
	f->objects = sorted;
	f->object_room = count + 1;
}

/* ---- waits ---- */

/* Threads without a record of their own are one. */
static uint32_t clamp(const struct build *b, uint32_t thread)
{
	return thread < b->flows->run->thread_count ? thread : (uint32_t)b->flows->run->thread_count;
}

static uint32_t thread_of(const struct build *b, uint32_t strand)
{
	return clamp(b, strand < b->tally.track_count ? b->tally.tracks[strand].thread : FLOWS_NONE);
}

static int wait_order(const void *a, const void *b)
{
	const struct flows_wait *x = a, *y = b;
	return x->waited_ns > y->waited_ns ? -1 : x->waited_ns < y->waited_ns;
}

static bool same_where(const struct flows_where *a, const struct flows_where *b)
{
	return a->routine == b->routine && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool same_wait(const void *array, size_t number, const void *what)
{
	const struct flows_wait *a = (const struct flows_wait *)array + number, *b = what;
	return a->thread == b->thread && a->kind == b->kind && a->object == b->object && a->for_thread == b->for_thread &&
		a->outcome == b->outcome && same_where(&a->where, &b->where) && same_where(&a->for_where, &b->for_where) &&
		strcmp(a->callers, b->callers) == 0;
}

static uint64_t hash_wait(const struct flows_wait *w)
{
	uint64_t hash = hash_number(hash_number(HASH_START, w->where.routine), w->where.line);
	hash = hash_number(hash_number(hash, w->for_where.routine), w->for_where.line);
	hash = hash_number(hash, (uint64_t)w->thread << 32 | w->for_thread);
	return hash_text(hash_number(hash, w->object), w->callers);
}

/* A line may have several calls, and a loop several copies of one: people see one. */
static void add_wait(struct build *b, struct lookup *index, const struct flows_wait *wait)
{
	struct flows *f = b->flows;
	size_t *place = lookup_at(index, hash_wait(wait), same_wait, f->waits, wait);
	if (!*place) {
		MEMORY_GROW(f->waits, f->wait_count, f->wait_room);
		f->waits[f->wait_count++] = *wait;
		*place = f->wait_count;
		return;
	}
	struct flows_wait *mine = &f->waits[*place - 1];
	mine->count += wait->count;
	mine->waited_ns += wait->waited_ns;
	mine->late_ns += wait->late_ns;
	mine->longest_ns = wait->longest_ns > mine->longest_ns ? wait->longest_ns : mine->longest_ns;
}

static void take_waits(struct build *b)
{
	struct flows *f = b->flows;
	struct lookup index = {0};
	for (size_t i = 0; i < b->tally.alike_count; i++) {
		const struct flow_alike *a = &b->tally.alike[i];
		struct flows_wait wait = {.thread = clamp(b, a->thread),
		                          .where = flow_spots_where(&b->spots, a->spot),
		                          .callers = flow_spots_callers(&b->spots, a->spot),
		                          .kind = a->kind,
		                          .object = object_of(b, a->object),
		                          .for_thread = a->for_thread == FLOWS_NONE ? FLOWS_NONE : clamp(b, a->for_thread),
		                          .for_where = flow_spots_where(&b->spots, a->for_spot),
		                          .outcome = (enum flows_outcome)a->outcome,
		                          .count = a->count,
		                          .waited_ns = ns_of(b, a->ticks),
		                          .longest_ns = ns_of(b, a->longest),
		                          .late_ns = ns_of(b, a->late)};
		add_wait(b, &index, &wait);
		f->threads[wait.thread].late_ns += wait.late_ns;
	}
	lookup_free(&index);
	if (f->wait_count)
		qsort(f->waits, f->wait_count, sizeof *f->waits, wait_order);
}

/* ---- threads and time ---- */

static void take_threads(struct build *b)
{
	struct flows *f = b->flows;
	for (uint32_t i = 0; i < b->tally.track_count; i++) {
		const struct flow_strand *s = flow_pass_strand(&b->pass, i);
		const struct flow_track *track = &b->tally.tracks[i];
		struct flows_thread *t = &f->threads[clamp(b, track->thread)];
		t->work_ns += ns_of(b, s->work);
		t->load_ns += ns_of(b, s->load);
		t->waited_ns += ns_of(b, s->waited);
		t->outside_ns += ns_of(b, s->outside);
		t->events += track->events;
		t->created = flow_spots_where(&b->spots, track->created);
	}
}

static void take_slices(struct build *b)
{
	struct flows *f = b->flows;
	for (uint32_t w = 0; w < b->tally.worker_count; w++)
		for (uint32_t i = 0; i < f->slices; i++) {
			const struct flow_tally_slice *s = &b->tally.workers[w][i];
			if (!s->work && !s->load && !s->wait)
				continue;
			MEMORY_GROW(f->slice, f->slice_count, f->slice_room);
			f->slice[f->slice_count++] = (struct flows_slice){w, i, ns_of(b, s->work), ns_of(b, s->load), ns_of(b, s->wait)};
		}
	for (size_t i = 0; i < b->tally.level_count; i++) {
		MEMORY_GROW(f->levels, f->level_count, f->level_room);
		f->levels[f->level_count++] = ns_of(b, b->tally.levels[i]);
	}
}

/* ---- the critical path ---- */

/* `behind`: the stretch that follows, or NULL; the path ends at `end`. */
static struct flows_stretch stretch_of(struct build *b, const struct flow_way *w, const struct flow_way *behind, uint64_t end)
{
	const struct flow_strand *s = flow_pass_strand(&b->pass, w->strand);
	uint64_t outside = behind ? behind->sender_outside : s->outside, until = behind ? behind->ends : end;
	bool is_object = w->kind != FLOW_BEGIN && w->kind != FLOW_JOIN && w->kind != FLOW_CREATE;
	return (struct flows_stretch){
		.thread = thread_of(b, w->strand),
		.at_ns = ns_of(b, w->at),
		.count = 1,
		.ns = until > w->at ? ns_of(b, until - w->at) : 0,
		.outside_ns = outside > w->outside ? ns_of(b, outside - w->outside) : 0,
		.recorded_ns = ns_of(b, w->time - b->pass.flow.begin),
		.from = flow_spots_where(&b->spots, w->mark),
		.to = flow_spots_where(&b->spots, behind ? behind->sender_mark : 0),
		.kind = w->kind,
		.object = is_object ? object_of(b, w->object) : FLOWS_NONE,
	};
}

static void add_stretch(struct build *b, const struct flows_stretch *s)
{
	struct flows *f = b->flows;
	MEMORY_GROW(f->path, f->path_count, f->path_room);
	f->path[f->path_count++] = *s;
	f->threads[s->thread].critical_ns += s->ns;
	f->path_all += s->count;
}

/* What was summed up between two stretches. */
static void add_bundles(struct build *b, const struct flow_way *w)
{
	for (const struct flow_bundle *bundle = w->bundles; bundle; bundle = bundle->next)
		add_stretch(b,
		            &(struct flows_stretch){.thread = thread_of(b, bundle->strand),
		                                    .at_ns = ns_of(b, w->ends),
		                                    .ns = ns_of(b, bundle->ticks),
		                                    .count = bundle->count,
		                                    .outside_ns = ns_of(b, bundle->outside),
		                                    .recorded_ns = ns_of(b, w->time - b->pass.flow.begin),
		                                    .from = {RUN_OUTSIDE, "", 0},
		                                    .to = {RUN_OUTSIDE, "", 0},
		                                    .kind = FLOW_BEGIN,
		                                    .object = FLOWS_NONE});
}

static int length_order(const void *a, const void *b)
{
	const struct flows_stretch *x = a, *y = b;
	return x->ns > y->ns ? -1 : x->ns < y->ns;
}

static int position_order(const void *a, const void *b)
{
	const struct flows_stretch *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->recorded_ns < y->recorded_ns ? -1 : x->recorded_ns > y->recorded_ns;
}

static void take_path(struct build *b)
{
	struct flows *f = b->flows;
	const struct flow *flow = &b->pass.flow;
	const struct flow_way *behind = NULL;
	for (const struct flow_way *w = flow_pass_strand(&b->pass, flow->longest_strand)->way; w; behind = w, w = w->before) {
		struct flows_stretch s = stretch_of(b, w, behind, flow->longest[SIMPLY]);
		add_stretch(b, &s);
		add_bundles(b, w);
	}
	if (f->path_count > MOST_STRETCHES) {
		qsort(f->path, f->path_count, sizeof *f->path, length_order);
		f->path_count = MOST_STRETCHES;
	}
	if (f->path_count)
		qsort(f->path, f->path_count, sizeof *f->path, position_order);
}

/* ---- slack ---- */

static void take_slack(struct build *b)
{
	flow_backward_run(&b->backward, &b->pass.flow, flow_events_strands(b->pass.events));
	if (b->backward.failed)
		run_note(&b->session->run,
		         "Slack is not known: there was no space for what its computation leaves in the folder of temporary files.");
	else
		flow_backward_take(&b->backward, b->flows, &b->spots, &b->tally, b->ns_per_tick);
	flow_backward_free(&b->backward);
}

static void take_parts(struct build *b)
{
	flow_parts_tasks(b->flows, &b->tasks, &b->spots, b->ns_per_tick);
	flow_parts_marks(b->flows, &b->marks, &b->spots, &b->tally, b->ns_per_tick);
	flow_tasks_free(&b->tasks);
	flow_marks_free(&b->marks);
}

/* ---- the second pass ---- */

static void pass_second(struct build *b)
{
	struct flow_question q[FLOW_QUESTIONS];
	uint32_t count = 0;
	struct flow_event e;
	struct flow_event_about about;
	for (; count < MOST_FREE && count < b->flows->object_count && b->flows->objects[count].waited_ns; count++) {
		q[(size_t)2 * count] = (struct flow_question){.without = count};
		q[(size_t)2 * count + 1] = (struct flow_question){.without = count, .cores = b->flows->machine_cores};
	}
	if (!count)
		return;
	b->input.groups = b->groups;
	flow_pass_start(&b->pass, &b->input, q, 2 * count);
	while (flow_pass_step(&b->pass, &e, &about))
		;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t minimum = ns_of(b, b->pass.flow.longest[(size_t)2 * i]), idle = ns_of(b, b->pass.flow.longest[(size_t)2 * i + 1]);
		b->flows->objects[i].free_ns = (int64_t)minimum;
		b->flows->objects[i].free_idle_ns = (int64_t)between(idle, minimum, b->flows->idle_ns);
	}
	flow_pass_free(&b->pass);
}

/* More than is kept is not copied either. */
static struct blob copy_switches(const struct build *b)
{
	size_t bytes = b->input.switches_bytes;
	unsigned char *copy = bytes && bytes <= FLOWS_KEPT_BYTES ? memory_resize(NULL, bytes, 1) : NULL;
	if (copy)
		memcpy(copy, b->input.switches, bytes);
	return (struct blob){copy, bytes};
}

/* What the recording keeps of the events. Logs, switches and numbers of objects are in there from then on. */
static void keep_events(struct build *b)
{
	struct flows_kept all = b->kept;
	all.logs = b->logs;
	all.count = b->session->process_count;
	all.skip = b->input.skip;
	all.switches = copy_switches(b);
	all.members = b->groups;
	all.member_count = b->group_count;
	all.clocks = memory_zeroed(all.count + 1, sizeof *all.clocks);
	for (size_t i = 0; i < all.count; i++) {
		const struct session_process *p = &b->session->processes[i];
		all.clocks[i] = (struct flow_clock){p->raw.file.start_tsc, p->raw.file.start_ns, p->ns_per_tick};
	}
	flows_keep(b->flows, &all, &b->spots, !*session_plan_setting(&b->session->plan, SESSION_NO_EVENTS));
}

/* Numbers that rise are no times. */
static void forget_times(struct flows *f)
{
	f->wall_ns = f->minimum_ns = f->load_ns = f->latency_ns = f->idle_ns = f->skipped_ns = f->path_all = 0;
	f->path_count = f->slack_count = f->slice_count = f->level_count = f->core_count = 0;
	for (size_t i = 0; i < f->object_count; i++) {
		struct flows_object *o = &f->objects[i];
		o->waited_ns = o->held_ns = o->holder_ns = 0;
		o->holder = (struct flows_where){RUN_OUTSIDE, "", 0};
	}
	for (size_t i = 0; i < f->wait_count; i++)
		f->waits[i].waited_ns = f->waits[i].longest_ns = f->waits[i].late_ns = 0;
	for (size_t i = 0; i <= f->run->thread_count; i++)
		f->threads[i] =
			(struct flows_thread){.events = f->threads[i].events, .created = f->threads[i].created, .slack_ns = RUN_UNKNOWN};
	for (size_t i = 0; i < f->task_count; i++)
		f->tasks[i] = (struct flows_task){.kind = f->tasks[i].kind,
		                                  .created = f->tasks[i].created,
		                                  .count = f->tasks[i].count,
		                                  .most = f->tasks[i].most};
	for (size_t i = 0; i < f->edge_count; i++)
		f->edges[i].ns = 0;
	for (size_t i = 0; i < f->mark_count; i++) {
		struct flows_mark *m = &f->marks[i];
		m->ns = m->longest_ns = m->work_ns = m->load_ns = m->waited_ns = m->outside_ns = 0;
	}
	for (size_t i = 0; i < f->routine_count; i++)
		f->routines[i] = (struct flows_routine){.routine = f->routines[i].routine, .calls = f->routines[i].calls};
	for (size_t i = 0; i < f->arc_count; i++)
		f->arcs[i].total_ns = 0;
}

void flows_build(struct session *session, struct flows *flows)
{
	struct build b = {.session = session, .flows = flows};
	*flows = (struct flows){.run = &session->run, .orders = *session_plan_setting(&session->plan, SESSION_ORDER)};
	read_input(&b);
	flow_spots_start(&b.spots, session, b.logs);
	flows->threads = memory_zeroed(session->run.thread_count + 1, sizeof *flows->threads);
	for (size_t i = 0; i <= session->run.thread_count; i++)
		flows->threads[i] = (struct flows_thread){.slack_ns = RUN_UNKNOWN, .created.file = ""};
	pass_first(&b);
	take_objects(&b);
	take_holders(&b);
	add_pipe_waits(&b);
	sort_objects(&b);
	take_waits(&b);
	take_threads(&b);
	take_slices(&b);
	take_path(&b);
	take_slack(&b);
	take_parts(&b);
	flow_graph_take(flows, session, &b.input, flow_pass_strand(&b.pass, b.pass.flow.longest_strand)->way, b.ns_per_tick, &b.kept);
	flow_pass_free(&b.pass);
	flow_tally_free(&b.tally);
	if (flows->orders)
		forget_times(flows);
	else
		pass_second(&b);
	keep_events(&b);
	if (b.input.switches)
		munmap((void *)(uintptr_t)b.input.switches, b.input.switches_bytes);
	flow_spots_free(&b.spots);
}
