/* SPDX-License-Identifier: MIT */
/* events.c: a merge of the lanes' logs.
 *
 * Problem: each lane has a log in the order of its own events; flow_step wants the order of all.
 * Idea: a heap of lanes, by the time of the next record of each. Of records with one time, those that others may wait for come first:
 * a release is stamped before it is done, an acquisition after it succeeded. Releases that are in no log, but in the rows
 * of objects, are one lane more, and so are the switches of each core.
 * Cost: O(log lanes) for each event. */
#include "analyse/flow/events.h"

#include <stdlib.h>
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "core/flow/log.h"
#include "keys/session.h"

#define NO_STRAND UINT32_MAX
#define NO_PROCESS UINT32_MAX
enum { SWITCHES_BYTES = SESSION_SWITCHES_CHUNK, MOST_PID = 1 << 22, MOST_STRANDS = 1 << 22, MOST_PARTS = 1 << 10 };

/* What a strand waits for, to tell which switches are news. */
enum state { WORKS, WAITS, WAITS_OFF, IN_KERNEL, GONE };

struct lane {
	const struct flow_logs_chunk *chunks; /* the next ones */
	const struct flow_logs_chunk *current;
	size_t left;
	struct flow_reader reader;
	struct flow_record record; /* the next one */
	uint32_t process;          /* NO_PROCESS: switches of a core */
	uint32_t number;           /* in its process */
	uint32_t strand;
	uint32_t path;   /* of the wait that goes on; 0: none, or not known */
	uint64_t *parts; /* names of what the program has begun, innermost last */
	size_t part_count, part_room;
	/* of events that are left out: the last one */
	struct flow_event last;
	struct flow_event_about last_about;
	bool has_last;
};

struct process {
	const struct flow_logs *logs;
	uint32_t first_object;
	struct map by_token, by_handle, by_thread; /* strand + 1 */
	struct map offers;                         /* what is offered now: object + 1 by its number */
	uint32_t after_exec;                       /* strand of the program that it became */
	uint32_t latest;                           /* strand of its latest event */
};

/* A release that is in no log. */
struct early {
	const struct flow_logs_early *release;
	uint32_t process;
};

struct flow_events {
	struct process *processes;
	size_t process_count;
	struct early *early; /* by time */
	size_t early_count, early_room, early_next;
	uint32_t root; /* pid */
	struct lane *lanes;
	size_t lane_count, lane_room;
	struct lane **heap; /* lanes with a record, the first one at its top */
	size_t heap_count;
	struct map by_tid, by_pid; /* strand + 1; by_pid: the strand that ended the process */
	uint8_t *states;           /* of strands */
	size_t strands, strand_room;
	struct flow_logs_chunk *switches; /* by core */
	struct flow_clock clock;
	const void *mapped; /* the file in which switches lie; NULL: they lie in memory */
	size_t mapped_bytes;
	uint32_t *shared; /* of objects: the first one of that name in any process; mostly themselves */
	bool has_routines;
	uint32_t objects, offers; /* offers are objects behind the others */
	uint32_t *free_offers;
	size_t free_count, free_room;
	uint64_t bad, switched;
	uint64_t skipped_until; /* what happened earlier is left out */
	size_t told;            /* lanes whose last event before that was given out */
	bool has_begin;         /* the beginning of a strand whose creation was given out */
	struct flow_event held_begin;
	struct flow_event_about held_begin_about;
	bool has_held; /* the first event behind that comes next */
	struct flow_event held;
	struct flow_event_about held_about;
};

/* ---- lanes ---- */

/* A time before the first tick is that. */
static uint64_t tick_of(const struct flow_clock *clock, uint64_t ns)
{
	double ticks = ((double)ns - (double)clock->ns) / clock->ns_per_tick + (double)clock->tick;
	return number_count(ticks);
}

/* What is mapped needs no memory until it is read again. */
static void pass_chunk(const struct flow_events *f, const struct lane *lane)
{
	const struct flow_logs *logs = lane->process == NO_PROCESS ? NULL : f->processes[lane->process].logs;
	const void *mapped = logs ? logs->mapped : f->mapped;
	if (mapped)
		flow_logs_passed(lane->current, mapped, logs ? logs->mapped_bytes : f->mapped_bytes);
}

static bool is_routines(enum flow_kind kind)
{
	return kind >= FLOW_ENTRY;
}

/* The next record that is wanted, of this chunk. */
static bool get(const struct flow_events *f, struct lane *lane)
{
	bool got;
	do
		got = flow_log_get(&lane->reader, &lane->record);
	while (got && !f->has_routines && is_routines(lane->record.kind));
	return got;
}

static bool advance(struct flow_events *f, struct lane *lane)
{
	while (!get(f, lane)) {
		f->bad += lane->reader.is_bad;
		if (lane->current)
			pass_chunk(f, lane);
		lane->current = NULL;
		if (!lane->left)
			return false;
		lane->current = lane->chunks;
		flow_reader_start(&lane->reader, lane->chunks->memory, lane->chunks->bytes);
		lane->chunks++;
		lane->left--;
	}
	if (lane->process == NO_PROCESS)
		lane->record.time = tick_of(&f->clock, lane->record.time);
	return true;
}

/* Whether others may wait for what the record tells. */
static bool sends(enum flow_kind kind)
{
	switch (kind) {
	case FLOW_CREATE:
	case FLOW_END:
	case FLOW_EXIT:
	case FLOW_RELEASE:
	case FLOW_UNSHARE:
	case FLOW_FILL:
	case FLOW_POST:
	case FLOW_LISTEN:
	case FLOW_SIGNAL:
	case FLOW_BROADCAST:
	case FLOW_OPEN:
	case FLOW_OFFER:
	case FLOW_ARRIVE: return true;
	default: return false;
	}
}

static bool is_before(const struct lane *a, const struct lane *b)
{
	if (a->record.time != b->record.time)
		return a->record.time < b->record.time;
	if (sends(a->record.kind) != sends(b->record.kind))
		return sends(a->record.kind);
	return a < b;
}

static void sink(struct flow_events *f, size_t i)
{
	for (;;) {
		size_t first = i;
		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < f->heap_count; child++)
			first = is_before(f->heap[child], f->heap[first]) ? child : first;
		if (first == i)
			return;
		struct lane *lane = f->heap[i];
		f->heap[i] = f->heap[first];
		f->heap[first] = lane;
		i = first;
	}
}

static void make_lanes(struct flow_events *f, const struct flow_logs_chunk *chunks, size_t count, uint32_t process)
{
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || chunks[i].lane != chunks[i - 1].lane) {
			MEMORY_GROW(f->lanes, f->lane_count, f->lane_room);
			f->lanes[f->lane_count++] = (struct lane){.chunks = &chunks[i],
			                                          .process = process,
			                                          .number = chunks[i].lane,
			                                          .strand = NO_STRAND,
			                                          .last_about.thread = UINT32_MAX};
		}
		f->lanes[f->lane_count - 1].left++;
	}
}

/* When all lanes are there, since they move until then. */
static void make_heap(struct flow_events *f)
{
	f->heap = memory_zeroed(f->lane_count + 1, sizeof *f->heap);
	for (size_t i = 0; i < f->lane_count; i++)
		if (advance(f, &f->lanes[i]))
			f->heap[f->heap_count++] = &f->lanes[i];
	for (size_t i = f->heap_count; i--;)
		sink(f, i);
}

uint64_t flow_events_complete_from(const struct flow_events *f)
{
	uint64_t from = 0;
	for (size_t i = 0; i < f->lane_count; i++) {
		const struct flow_logs_chunk *first = f->lanes[i].chunks;
		const struct flow_head *head = first->memory;
		if (f->lanes[i].process != NO_PROCESS && first->number && first->bytes >= sizeof *head && head->base > from)
			from = head->base;
	}
	return from;
}

void flow_events_skip(struct flow_events *f, uint64_t until)
{
	f->skipped_until = until;
}

/* ---- processes ---- */

static int early_order(const void *a, const void *b)
{
	const struct early *x = a, *y = b;
	return x->release->time < y->release->time ? -1 : x->release->time > y->release->time;
}

static void add_early(struct flow_events *f, uint32_t process)
{
	const struct flow_logs *logs = f->processes[process].logs;
	for (size_t i = 0; i < logs->early_count; i++) {
		MEMORY_GROW(f->early, f->early_count, f->early_room);
		f->early[f->early_count++] = (struct early){&logs->early[i], process};
	}
}

static int start_order(const void *a, const void *b)
{
	const struct process *x = a, *y = b;
	return x->logs->start < y->logs->start ? -1 : x->logs->start > y->logs->start;
}

static void name(struct map *map, uint64_t key, uint32_t strand)
{
	*map_at(map, key) = (void *)((uintptr_t)strand + 1);
}

/* Returns NO_STRAND for a key without a strand. */
static uint32_t named(const struct map *map, uint64_t key)
{
	const void *found = map_find(map, key);
	return found ? (uint32_t)((uintptr_t)found - 1) : NO_STRAND;
}

/* A pipe is one object, however many processes have it. */
static void share_objects(struct flow_events *f)
{
	struct map by_name = {0};
	f->shared = memory_resize(NULL, f->objects + 1, sizeof *f->shared);
	for (uint32_t p = 0, n = 0; p < f->process_count; p++)
		for (size_t i = 0; i < f->processes[p].logs->object_count; i++, n++) {
			const struct raw_flow_object *row = f->processes[p].logs->objects[i];
			f->shared[n] = n;
			if (!row || !raw_flow_is_shared(row->what))
				continue;
			if (!map_find(&by_name, row->place))
				name(&by_name, row->place, n);
			f->shared[n] = named(&by_name, row->place);
		}
	map_free(&by_name);
}

struct flow_events *flow_events_open(const struct flow_logs *logs, size_t count)
{
	struct flow_events *f = memory_zeroed(1, sizeof *f);
	f->processes = memory_zeroed(count + 1, sizeof *f->processes);
	f->process_count = count;
	for (size_t i = 0; i < count; i++) {
		f->processes[i] =
			(struct process){.logs = &logs[i], .first_object = f->objects, .after_exec = NO_STRAND, .latest = NO_STRAND};
		f->objects += (uint32_t)logs[i].object_count;
		make_lanes(f, logs[i].chunks, logs[i].chunk_count, (uint32_t)i);
		add_early(f, (uint32_t)i);
	}
	if (f->early_count)
		qsort(f->early, f->early_count, sizeof *f->early, early_order);
	share_objects(f);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || start_order(&f->processes[i], &f->processes[0]) < 0)
			f->root = logs[i].pid;
	return f;
}

static int chunk_order(const void *a, const void *b)
{
	const struct flow_logs_chunk *x = a, *y = b;
	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void flow_events_switches(struct flow_events *f, const void *memory, size_t bytes, bool is_mapped, const struct flow_clock *clock)
{
	size_t count = 0, all = bytes / SWITCHES_BYTES;
	f->switches = memory_zeroed(all + 1, sizeof *f->switches);
	f->clock = *clock;
	f->mapped = is_mapped ? memory : NULL;
	f->mapped_bytes = bytes;
	for (size_t i = 0; i < all; i++) {
		const char *chunk = (const char *)memory + i * SWITCHES_BYTES;
		struct flow_reader reader;
		struct flow_record first;
		flow_reader_start(&reader, chunk, SWITCHES_BYTES);
		const struct flow_logs_chunk here = {0, (uint32_t)i, chunk, SWITCHES_BYTES};
		if (flow_log_get(&reader, &first) && (first.kind == FLOW_OFF || first.kind == FLOW_ON)) {
			f->switches[count] = here;
			f->switches[count++].lane = (uint32_t)first.field[1];
		}
		if (f->mapped)
			flow_logs_passed(&here, f->mapped, bytes);
	}
	if (count)
		qsort(f->switches, count, sizeof *f->switches, chunk_order);
	make_lanes(f, f->switches, count, NO_PROCESS);
}

void flow_events_routines(struct flow_events *f)
{
	f->has_routines = true;
}

void flow_events_close(struct flow_events *f)
{
	for (size_t i = 0; i < f->lane_count; i++)
		free(f->lanes[i].parts);
	for (size_t i = 0; i < f->process_count; i++) {
		map_free(&f->processes[i].by_token);
		map_free(&f->processes[i].by_handle);
		map_free(&f->processes[i].by_thread);
		map_free(&f->processes[i].offers);
	}
	map_free(&f->by_tid);
	map_free(&f->by_pid);
	free(f->processes);
	free(f->early);
	free(f->switches);
	free(f->states);
	free(f->shared);
	free(f->free_offers);
	free(f->heap);
	free(f->lanes);
	free(f);
}

uint32_t flow_events_strands(const struct flow_events *f)
{
	return (uint32_t)f->strands;
}

uint32_t flow_events_first_object(const struct flow_events *f, size_t process)
{
	return process < f->process_count ? f->processes[process].first_object : f->objects;
}

uint64_t flow_events_switched(const struct flow_events *f)
{
	return f->switched;
}

uint64_t flow_events_bad(const struct flow_events *f)
{
	return f->bad;
}

/* ---- strands ---- */

/* A log with more strands than that is none of ours: the last one stands for all further ones. */
static uint32_t new_strand(struct flow_events *f)
{
	if (f->strands == MOST_STRANDS)
		return MOST_STRANDS - 1;
	MEMORY_GROW(f->states, f->strands, f->strand_room);
	f->states[f->strands] = WORKS;
	return (uint32_t)f->strands++;
}

/* The latest process of that number that began before `than` did; NULL: it is not recorded. */
static struct process *process_before(struct flow_events *f, uint32_t pid, const struct process *than)
{
	struct process *found = NULL;
	for (size_t i = 0; i < f->process_count; i++) {
		struct process *p = &f->processes[i];
		if (p != than && p->logs->pid == pid && start_order(p, than) < 0 && (!found || start_order(p, found) > 0))
			found = p;
	}
	return found;
}

/* What another process made for the first thread of this one: by fork, or by execve. */
static uint32_t handed_over(struct flow_events *f, const struct process *p, uint64_t token)
{
	bool forked = p->logs->flags & RAW_FORKED;
	struct process *from = process_before(f, forked ? p->logs->parent_pid : p->logs->pid, p);
	if (!from)
		return NO_STRAND;
	return forked ? named(&from->by_token, token) : from->after_exec;
}

/* The strand whose creation had the token, or a new one. */
static uint32_t beginning(struct flow_events *f, struct process *p, uint64_t token)
{
	uint32_t strand = token ? named(&p->by_token, token) : NO_STRAND;
	if (strand == NO_STRAND && (token == 0 || p->logs->flags & RAW_FORKED))
		strand = handed_over(f, p, token);
	return strand != NO_STRAND ? strand : new_strand(f);
}

static uint32_t created(struct flow_events *f, struct process *p, uint64_t token)
{
	uint32_t strand = new_strand(f);
	name(&p->by_token, token, strand);
	return strand;
}

static bool goes_on(const struct flow_record *r)
{
	return r->kind == FLOW_BEGIN && r->field[0] == FLOW_GOES_ON;
}

/* A lane's thread that began before its log did has no name, unless a chunk of a ring has it. */
static void meet_strand(struct flow_events *f, struct lane *lane)
{
	const struct flow_record *r = &lane->record;
	struct process *p = &f->processes[lane->process];
	if (r->kind == FLOW_BEGIN && !goes_on(r))
		lane->strand = beginning(f, p, r->field[0]);
	else if (lane->strand == NO_STRAND)
		lane->strand = new_strand(f);
	if (r->kind == FLOW_BEGIN) {
		name(&p->by_thread, r->field[1], lane->strand);
		name(&f->by_tid, r->field[2], lane->strand);
	}
	if (goes_on(r))
		return; /* what it did is not known, or it still does that */
	f->states[lane->strand] = r->kind == FLOW_PAUSE ? WAITS : r->kind == FLOW_END || r->kind == FLOW_EXIT ? GONE : WORKS;
}

/* ---- events ---- */

static uint32_t object_of(const struct flow_events *f, const struct process *p, uint64_t number)
{
	return number && number <= p->logs->object_count ? f->shared[p->first_object + (uint32_t)number - 1] : NO_STRAND;
}

/* Offers that were followed leave their objects to others. */
static uint32_t offer_of(struct flow_events *f, struct process *p, uint64_t number)
{
	uint32_t offer = named(&p->offers, number);
	if (offer == NO_STRAND) {
		offer = f->free_count ? f->free_offers[--f->free_count] : f->objects + f->offers++;
		name(&p->offers, number, offer);
	}
	return offer;
}

static uint32_t follow(struct flow_events *f, struct process *p, uint64_t number)
{
	uint32_t offer = named(&p->offers, number);
	if (offer == NO_STRAND)
		return offer;
	map_drop(&p->offers, number);
	MEMORY_GROW(f->free_offers, f->free_count, f->free_room);
	f->free_offers[f->free_count++] = offer;
	return offer;
}

/* Processes are known by their numbers, threads by addresses. */
static uint32_t ended(struct flow_events *f, struct process *p, uint64_t handle)
{
	return named(handle <= MOST_PID ? &f->by_pid : &p->by_handle, handle);
}

static void translate_exit(struct flow_events *f, struct process *p, const struct flow_record *r, struct flow_event *e,
                           struct flow_event_about *about)
{
	bool execs = r->field[0];
	if (execs && !(p->logs->flags & RAW_EXECED)) {
		e->kind = FLOW_GO; /* execve failed */
	} else if (execs) {
		e->kind = FLOW_CREATE;
		e->object = p->after_exec = new_strand(f);
		about->executes = true;
	} else {
		about->ends = true;
		if (p->logs->pid == f->root)
			return;
		e->kind = FLOW_END;
		name(&f->by_pid, p->logs->pid, e->strand);
	}
}

static void translate(struct flow_events *f, struct process *p, const struct flow_record *r, struct flow_event *e,
                      struct flow_event_about *about)
{
	switch (r->kind) {
	case FLOW_CREATE:
		e->object = created(f, p, r->field[0]);
		about->forks = r->field[2];
		break;
	case FLOW_BEGIN: about->thread = (uint32_t)r->field[1]; break;
	case FLOW_END: name(&p->by_handle, r->field[0], e->strand); break;
	case FLOW_JOIN:
		e->object = ended(f, p, r->field[0]);
		e->kind = e->object == NO_STRAND ? FLOW_GO : FLOW_JOIN;
		about->place = r->field[1];
		break;
	case FLOW_PAUSE:
		e->object = object_of(f, p, r->field[1]);
		about->wait = r->field[0] < RAW_WAIT_KINDS ? (uint32_t)r->field[0] : FLOW_WAIT_KERNEL;
		break;
	case FLOW_FILL:
		e->object = object_of(f, p, r->field[0]);
		e->count = (uint32_t)r->field[1];
		break;
	case FLOW_EXIT: translate_exit(f, p, r, e, about); break;
	case FLOW_DETACH:
		e->object = ended(f, p, r->field[0]);
		about->place = r->field[1];
		break;
	case FLOW_RUN:
	case FLOW_MARK:
		e->count = r->field[0] <= UINT32_MAX ? (uint32_t)r->field[0] : UINT32_MAX;
		about->place = r->field[1];
		about->value = (int64_t)r->field[2];
		break;
	case FLOW_OFFER:
	case FLOW_FOLLOW:
		e->object = r->kind == FLOW_OFFER ? offer_of(f, p, r->field[0]) : follow(f, p, r->field[0]);
		about->place = r->field[1];
		break;
	case FLOW_OFF:
	case FLOW_ON: about->core = (uint32_t)r->field[1]; break;
	case FLOW_GO: break;
	default:
		e->object = object_of(f, p, r->field[0]);
		about->place = r->field[1];
		break;
	}
	e->group = e->object;
}

/* What a switch is to a strand that works: it has lost its core to others, or the kernel has stopped it. */
static enum flow_kind switch_of_worker(uint8_t *state, const struct flow_record *r)
{
	bool blocks = r->kind == FLOW_OFF && !r->field[2], was_blocked = *state == IN_KERNEL;
	*state = blocks ? IN_KERNEL : WORKS;
	return blocks ? FLOW_PAUSE : was_blocked ? FLOW_GO : r->kind;
}

/* Likewise to a strand that waits: a call of the kernel that works, as a write does, may lose its core. FLOW_KINDS: nothing. */
static enum flow_kind switch_of_waiter(uint8_t *state, const struct flow_record *r)
{
	bool lost = r->kind == FLOW_OFF && r->field[2], had_lost = *state == WAITS_OFF;
	*state = lost ? WAITS_OFF : WAITS;
	return lost ? FLOW_OFF : had_lost ? FLOW_ON : FLOW_KINDS;
}

static bool translate_switch(struct flow_events *f, const struct flow_record *r, struct flow_event *e, struct flow_event_about *about)
{
	uint32_t strand = named(&f->by_tid, r->field[0]);
	if (strand == NO_STRAND || f->states[strand] == GONE || (r->kind != FLOW_OFF && r->kind != FLOW_ON))
		return false;
	uint8_t *state = &f->states[strand];
	bool waits = *state == WAITS || *state == WAITS_OFF;
	*e = (struct flow_event){.time = r->time,
	                         .strand = strand,
	                         .object = NO_STRAND,
	                         .group = NO_STRAND,
	                         .kind = waits ? switch_of_waiter(state, r) : switch_of_worker(state, r)};
	about->wait = FLOW_WAIT_KERNEL;
	about->core = (uint32_t)r->field[1];
	return e->kind != FLOW_KINDS;
}

/* A release that no log has: of a strand that has begun, or it says nothing. */
static bool take_early(struct flow_events *f, struct flow_event *e, struct flow_event_about *about)
{
	while (f->early_next < f->early_count) {
		const struct early *early = &f->early[f->early_next];
		const struct flow_logs_early *release = early->release;
		struct process *p = &f->processes[early->process];
		if (f->heap_count && f->heap[0]->record.time <= release->time)
			return false;
		f->early_next++;
		uint32_t strand = named(&p->by_thread, release->thread), object = p->first_object + release->object;
		if (strand == NO_STRAND || f->states[strand] != WORKS)
			continue;
		*e = (struct flow_event){.time = release->time, .strand = strand, .object = object, .group = object, .kind = FLOW_RELEASE};
		*about = (struct flow_event_about){.thread = UINT32_MAX,
		                                   .process = early->process,
		                                   .place = p->logs->objects[release->object]->site};
		return true;
	}
	return false;
}

/* What ends is what was begun last. */
static void name_part(struct lane *lane, struct flow_event_about *about)
{
	const struct flow_record *r = &lane->record;
	if (r->kind == FLOW_BEGIN)
		lane->part_count = 0;
	if (r->kind != FLOW_MARK)
		return;
	if (r->field[0] == FLOW_MARK_BEGIN && lane->part_count < MOST_PARTS) {
		MEMORY_GROW(lane->parts, lane->part_count, lane->part_room);
		lane->parts[lane->part_count++] = r->field[1];
	} else if (r->field[0] == FLOW_MARK_END && lane->part_count) {
		about->place = lane->parts[--lane->part_count];
	}
}

/* What ends a wait happened by the call that waited. */
static void name_path(const struct flow_events *f, struct lane *lane, struct flow_event_about *about)
{
	const struct flow_paths *paths = &f->processes[lane->process].logs->paths;
	const struct flow_record *r = &lane->record;
	about->path = r->kind == FLOW_PAUSE ? flow_paths_find(paths, lane->number, r->field[2])
		: r->kind == FLOW_CREATE    ? flow_paths_find(paths, lane->number, r->field[1])
					    : lane->path;
	if (about->path)
		flow_paths_places(paths, about->path, &about->place, 1);
	lane->path = r->kind == FLOW_PAUSE ? about->path : 0;
}

/* No event tells that vfork or posix_spawn started a program. The thread that did something last in the process that started it has done
 * that, since the thread waits meanwhile. */
static void begins_unasked(struct flow_events *f, const struct lane *lane, struct flow_event *e, struct flow_event_about *about)
{
	const struct process *p = &f->processes[lane->process];
	const struct flow_record *r = &lane->record;
	if (r->kind != FLOW_BEGIN || r->field[0] || p->latest != NO_STRAND || p->logs->flags & RAW_FORKED)
		return;
	const struct process *from = process_before(f, p->logs->parent_pid, p);
	if (!from || from->latest == NO_STRAND || handed_over(f, p, 0) != NO_STRAND)
		return;
	f->held_begin = *e;
	f->held_begin_about = *about;
	f->has_begin = true;
	*e = (struct flow_event){.time = r->time, .strand = from->latest, .object = lane->strand, .group = NO_STRAND, .kind = FLOW_CREATE};
	*about = (struct flow_event_about){.thread = UINT32_MAX, .process = (uint32_t)(from - f->processes), .spawns = true};
}

/* What a routine does says nothing of waits: a signal handler may run in one. */
static void take_routine(struct flow_events *f, struct lane *lane, struct flow_event *e)
{
	const struct flow_record *r = &lane->record;
	if (lane->strand == NO_STRAND)
		lane->strand = new_strand(f);
	uint32_t number = r->field[0] <= UINT32_MAX ? (uint32_t)r->field[0] : UINT32_MAX;
	*e = (struct flow_event){
		.time = r->time, .strand = lane->strand, .object = number, .group = NO_STRAND, .count = number, .kind = r->kind};
	if (r->kind == FLOW_ADOPT)
		e->object = named(&f->processes[lane->process].by_token, r->field[0]);
}

static bool take_record(struct flow_events *f, struct lane *lane, struct flow_event *e, struct flow_event_about *about)
{
	const struct flow_record *r = &lane->record;
	f->switched += lane->process == NO_PROCESS;
	if (lane->process == NO_PROCESS)
		return translate_switch(f, r, e, about);
	about->process = lane->process;
	about->lane = lane->number;
	if (is_routines(r->kind)) {
		take_routine(f, lane, e);
		return true;
	}
	bool is_new = lane->strand == NO_STRAND;
	meet_strand(f, lane);
	if (goes_on(r)) {
		*e = (struct flow_event){.time = r->time, .strand = lane->strand, .object = NO_STRAND, .group = NO_STRAND, .kind = FLOW_GO};
		about->thread = (uint32_t)r->field[1];
		return is_new;
	}
	*e = (struct flow_event){.time = r->time, .strand = lane->strand, .object = NO_STRAND, .group = NO_STRAND, .kind = r->kind};
	translate(f, &f->processes[lane->process], r, e, about);
	name_path(f, lane, about);
	name_part(lane, about);
	begins_unasked(f, lane, e, about);
	f->processes[lane->process].latest = lane->strand;
	return true;
}

static bool next(struct flow_events *f, struct flow_event *e, struct flow_event_about *about, struct lane **from)
{
	bool taken = false;
	if (!f->heap)
		make_heap(f);
	while (!taken) {
		*about = (struct flow_event_about){.thread = UINT32_MAX};
		*from = NULL;
		if (f->has_begin) {
			*e = f->held_begin;
			*about = f->held_begin_about;
			f->has_begin = false;
			return true;
		}
		if (take_early(f, e, about))
			return true;
		if (!f->heap_count)
			return false;
		struct lane *lane = f->heap[0];
		taken = take_record(f, lane, e, about);
		*from = lane;
		if (!advance(f, lane))
			f->heap[0] = f->heap[--f->heap_count];
		sink(f, 0);
	}
	return true;
}

static void keep_last(struct lane *lane, const struct flow_event *e, const struct flow_event_about *about)
{
	if (!lane || lane->process == NO_PROCESS)
		return;
	uint32_t thread = about->thread != UINT32_MAX ? about->thread : lane->last_about.thread;
	lane->last = *e;
	lane->last_about = *about;
	lane->last_about.thread = thread;
	lane->has_last = e->kind != FLOW_END && e->kind != FLOW_EXIT;
}

/* What the thread of a lane did when the events begin that are given out: it begins with that. */
static bool tell_last(struct flow_events *f, struct flow_event *e, struct flow_event_about *about)
{
	while (f->told < f->lane_count) {
		const struct lane *lane = &f->lanes[f->told];
		if (!lane->has_last) {
			f->told++;
			continue;
		}
		*e = lane->last;
		*about = lane->last_about;
		e->time = f->skipped_until;
		if (e->kind != FLOW_PAUSE)
			*e = (struct flow_event){
				.time = f->skipped_until, .strand = e->strand, .object = NO_STRAND, .group = NO_STRAND, .kind = FLOW_GO};
		f->told++;
		return true;
	}
	return false;
}

/* The first event behind those that are left out waits until all lanes were told. */
bool flow_events_next(struct flow_events *f, struct flow_event *e, struct flow_event_about *about)
{
	struct lane *from;
	if (f->told && tell_last(f, e, about))
		return true;
	if (f->has_held) {
		*e = f->held;
		*about = f->held_about;
		f->has_held = false;
		return true;
	}
	while (next(f, e, about, &from)) {
		if (e->time >= f->skipped_until && !f->told && f->skipped_until) {
			f->held = *e;
			f->held_about = *about;
			f->has_held = true;
			if (tell_last(f, e, about))
				return true;
			f->has_held = false;
			*e = f->held;
			*about = f->held_about;
			return true;
		}
		if (e->time >= f->skipped_until)
			return true;
		keep_last(from, e, about);
	}
	return false;
}
