/* SPDX-License-Identifier: MIT */
/* read FILE.raw: what core/flow computes from a recorded process, a figure on each line; times in microseconds. And each call path that
 * waited, innermost first, and each routine that acquired what was released:
 *
 *     path semaphore inner < outer < main
 *     held take */
#include "analyse/flow/events.h"
#include "analyse/symbols/symbols.h"
#include "base/map.h"
#include "base/memory.h"
#include "core/flow/way.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000, ASKED = 2, MODULES = 1000, FRAMES = 100 };

static struct flow_strand *strands;
static struct flow_object *objects;

static struct flow_strand *strand(void *context, uint32_t number)
{
	(void)context;
	return number < MOST ? &strands[number] : NULL;
}

static struct flow_object *object(void *context, uint32_t number)
{
	(void)context;
	return number < MOST ? &objects[number] : NULL;
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	return malloc(bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	free(memory);
}

static void print_objects(const struct raw_reader *raw, double us)
{
	static const char *const names[] = {"lock", "shared-lock", "semaphore", "condition", "barrier"};
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *table = (const void *)r;
		if (r->type != RAW_TABLE || table->kind != RAW_FLOW_OBJECTS)
			continue;
		size_t rows;
		const struct raw_flow_object *row = raw_table_rows(table, &rows);
		for (size_t i = 0; i < rows; i++) {
			if (!row[i].site)
				continue;
			printf("object %s acquired %" PRIu64 " contended %" PRIu64 " waited %.0f held %.0f shared %" PRIu64 "\n",
			       row[i].what < 5 ? names[row[i].what] : "?", row[i].acquired, objects[table->object - 1 + i].contended,
			       (double)objects[table->object - 1 + i].waited * us, (double)row[i].held_ticks * us, row[i].shared);
		}
	}
}

static struct symbols *modules[MODULES];

static void find_modules(const struct raw_reader *raw)
{
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_module *m = (const void *)r;
		if (r->type == RAW_MODULE && m->number < MODULES)
			modules[m->number] = symbols_open(raw_text(m->text, m->text_bytes, 1), raw_text(m->text, m->text_bytes, 0));
	}
}

static const char *name_of(uint64_t place)
{
	uint64_t module = place >> RAW_PLACE_SHIFT;
	if (module >= MODULES || !modules[module])
		return "?";
	return symbols_at(modules[module], place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1), true)->scopes[0].name;
}

static bool is_new(struct map *seen, uint64_t key)
{
	void **found = map_at(seen, key);
	bool was_there = *found;
	*found = seen;
	return !was_there;
}

static void print_path(const struct flow_logs *logs, const struct flow_event_about *about)
{
	static const char *const words[] = {
#define X(name, word, nature, advice) word,
		RAW_WAIT_LIST(X)
#undef X
	};
	uint64_t places[FRAMES];
	size_t count = flow_paths_places(&logs->paths, about->path, places, FRAMES);
	if (count && places[0] != about->place)
		printf("astray\n");
	printf("path %s", about->wait < RAW_WAIT_KINDS ? words[about->wait] : "?");
	for (size_t i = 0; i < count; i++)
		printf("%s %s", i ? " <" : "", name_of(places[i]));
	printf("\n");
}

static void print_places(const struct flow_logs *logs, const struct flow_event *e, const struct flow_event_about *about)
{
	static struct map paths, holders;
	if (e->kind == FLOW_PAUSE && is_new(&paths, (uint64_t)about->wait << 32 | about->path))
		print_path(logs, about);
	if (e->kind == FLOW_RELEASE && about->place && is_new(&holders, about->place))
		printf("held %s\n", name_of(about->place));
}

int main(int argc, char **argv)
{
	static const struct flow_memory memory = {strand, object, take, give, NULL};
	static const struct flow_question questions[ASKED] = {{.without = UINT32_MAX},
	                                                      {.without = UINT32_MAX, .keeps_load = true, .keeps_latency = true}};
	static struct flow flow;
	struct raw_reader raw;
	struct fail why;
	struct flow_event e;
	struct flow_event_about about;
	uint64_t counts[FLOW_KINDS] = {0}, stretches = 0;
	if (argc != 2 || raw_reader_open(&raw, argv[1], &why) < 0)
		return fprintf(stderr, "cannot read it: %s\n", argc == 2 ? why.text : "no file"), 1;
	double us = (double)(raw.file.last_ns - raw.file.start_ns) / (double)(raw.file.last_tsc - raw.file.start_tsc) / 1000;
	strands = memory_zeroed(MOST, sizeof *strands);
	objects = memory_zeroed(MOST, sizeof *objects);
	find_modules(&raw);
	flow_start(&flow, &memory, questions, ASKED);
	struct flow_logs logs;
	flow_logs_read(&logs, &raw);
	struct flow_events *events = flow_events_open(&logs, 1);
	uint64_t before = 0;
	while (flow_events_next(events, &e, &about)) {
		if (e.time < before)
			printf("disorder\n");
		before = e.time;
		counts[e.kind]++;
		flow_step(&flow, &e);
		print_places(&logs, &e, &about);
	}
	for (const struct flow_way *way = strands[flow.longest_strand].way; way; way = way->before)
		stretches++;
	printf("strands %u\nminimum %.0f\nrecorded %.0f\nwall %.0f\nunexplained %" PRIu64 "\nbad %" PRIu64 "\nfailed %d\nstretches %" PRIu64 "\n",
	       flow_events_strands(events), (double)flow.longest[0] * us, (double)flow.longest[1] * us,
	       (double)(flow.end - flow.begin) * us, flow.unexplained, flow_events_bad(events), flow.failed, stretches);
	for (int k = 0; k < FLOW_KINDS; k++)
		printf("kind %d %" PRIu64 "\n", k, counts[k]);
	for (uint32_t s = 0; s < flow_events_strands(events); s++)
		printf("strand %u work %.0f waited %.0f outside %.0f\n", s, (double)strands[s].work * us, (double)strands[s].waited * us,
		       (double)strands[s].outside * us);
	print_objects(&raw, us);
	flow_events_close(events);
	flow_logs_free(&logs);
	raw_reader_close(&raw);
	return 0;
}
