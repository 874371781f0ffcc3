/* SPDX-License-Identifier: MIT */
/* make.h: makes raw recordings, tables and sessions for tests, as a subject would have left them.
 *
 *     struct rawmake raw;
 *     rawmake_start(&raw, RAW_FINISHED);
 *     rawmake_object(&raw, 0, 1, 3, "b1d", "table", "/prog");
 *     struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 4);
 *     arc[0] = …;
 *     rawmake_write(&raw, "folder/1.raw");
 *     rawmake_free(&raw);
 *
 * One tick is one nanosecond. Pointers into a record stay valid: the space is taken at once. */
#ifndef SKEIN_RAWMAKE_H
#define SKEIN_RAWMAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "raw/format.h"

enum { RAWMAKE_ROOM = 1 << 18 };

struct rawmake {
	unsigned char *bytes;
	struct raw_file *file;
};

static inline void rawmake_start(struct rawmake *raw, uint32_t flags)
{
	raw->bytes = calloc(1, RAWMAKE_ROOM);
	raw->file = (struct raw_file *)(void *)raw->bytes;
	memcpy(raw->file->magic, RAW_MAGIC, sizeof raw->file->magic);
	raw->file->version = RAW_VERSION;
	raw->file->lens = RAW_LENS_CALLS;
	raw->file->flags = flags;
	raw->file->pid = 1000;
	raw->file->parent_pid = 999;
	raw->file->workers = 1;
	raw->file->threads = 1;
	raw->file->used_bytes = RAW_HEADER_BYTES;
	raw->file->file_bytes = RAWMAKE_ROOM;
	raw->file->start_tsc = raw->file->start_ns = 1000000;
	raw->file->last_tsc = raw->file->last_ns = 1000000 + 1000000000;
	static unsigned made; /* no two runs begin at the same time */
	raw->file->start_real_ns = 1700000000000000000 + 100 * (uint64_t)getpid() + made++;
	raw->file->cpu_ns = 900000000;
	raw->file->snapshot_period_ns = 1000000;
}

static inline void *rawmake_add(struct rawmake *raw, uint32_t type, size_t bytes)
{
	struct raw_record *record = (struct raw_record *)(void *)(raw->bytes + raw->file->used_bytes);
	record->type = type;
	record->bytes = (uint32_t)((bytes + 7) / 8 * 8);
	raw->file->used_bytes += record->bytes;
	return record;
}

static inline struct raw_object *rawmake_object(struct rawmake *raw, uint32_t number, uint32_t first_routine, uint32_t routines,
                                                const char *build_id, const char *table, const char *path)
{
	size_t a = strlen(build_id) + 1, b = strlen(table) + 1, c = strlen(path) + 1;
	struct raw_object *object = rawmake_add(raw, RAW_OBJECT, sizeof *object + a + b + c);
	object->number = number;
	object->first_routine = first_routine;
	object->routines = routines;
	object->text_bytes = (uint32_t)(a + b + c);
	memcpy(object->text, build_id, a);
	memcpy(object->text + a, table, b);
	memcpy(object->text + a + b, path, c);
	return object;
}

static inline void *rawmake_table(struct rawmake *raw, uint32_t kind, uint32_t lane, size_t row_bytes, uint32_t rows)
{
	struct raw_table *table = rawmake_add(raw, RAW_TABLE, sizeof *table + row_bytes * rows);
	table->kind = kind;
	table->lane = lane;
	table->row_bytes = (uint32_t)row_bytes;
	table->capacity = table->used = rows;
	return table + 1;
}

static inline struct raw_thread *rawmake_thread(struct rawmake *raw, uint32_t number, uint32_t lane, uint64_t start, uint64_t end,
                                                const char *name)
{
	struct raw_thread *thread = rawmake_add(raw, RAW_THREAD, sizeof *thread);
	thread->number = number;
	thread->tid = 1000 + number;
	thread->lane = lane;
	thread->start_tsc = 1000000 + start;
	thread->end_tsc = 1000000 + end;
	thread->cpu_ns = end - start;
	strncpy(thread->name, name, sizeof thread->name);
	struct raw_lane *record = rawmake_add(raw, RAW_LANE, sizeof *record);
	record->lane = lane;
	record->threads = 1;
	return thread;
}

static inline void rawmake_write(const struct rawmake *raw, const char *path)
{
	FILE *file = fopen(path, "wb");
	fwrite(raw->bytes, 1, raw->file->used_bytes, file);
	fclose(file);
}

static inline void rawmake_free(struct rawmake *raw)
{
	free(raw->bytes);
}

static inline void rawmake_text(const char *folder, const char *name, const char *text)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

/* A run of one second: main calls prepare (0.4 s, alone), then two threads run work, which calls step 1000 times and
 * waits for a lock; main waits for them. Names of routines try to do harm. */
static inline void rawmake_session(const char *folder)
{
	char plan[1024], table[512], path[512];
	snprintf(table, sizeof table, "%s/prog.table", folder);
	snprintf(
		plan, sizeof plan,
		"lens\tcalls\nmode\ttimes\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog 2\nobject\t/home/me/prog\t/cache/prog\t%s\tb1d\n",
		table);
	rawmake_text(folder, "session", plan);
	rawmake_text(
		folder, "prog.table",
		"skein-table\t2\no\tb1d\ttimes\n"
		"r\t0\tmain\t/src/prog.c\t40\t-\nr\t1\tprepare\t/src/prog.c\t10\t-\nr\t2\t_ZN4task4workEi\t/src/prog.cpp\t20\t-\nr\t3\tstep\\x1b[31m,\"x\t/src/prog.c\t30\t-\n"
		"r\t4\tnever\t/src/prog.c\t50\t-\nr\t5\tskipped\t/src/prog.c\t60\tu\n"
		"s\t0\t0\t1\tprepare\t/src/prog.c\t43\t5\ns\t1\t2\t3\tstep\t/src/prog.cpp\t24\t9\ns\t2\t2\t3\tstep\t/src/prog.cpp\t22\t9\ns\t3\t0\t-1\t-\t/src/prog.c\t45\t2\n"
		"i\ttiny\t/src/prog.h\t3\t3\nx\tunused\t/src/prog.c\t70\nend\t6\t4\n");
	struct rawmake raw;
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->workers = raw.file->threads = 3;
	raw.file->snapshots = 1000;
	raw.file->own_cpu_ns = 9000000;
	raw.file->hook_ticks = 20;
	raw.file->lost[RAW_LOST_TOO_DEEP] = 7;
	rawmake_object(&raw, 0, 1, 6, "b1d", "prog.table", "/cache/prog");
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	rawmake_thread(&raw, 1, 1, 400000000, 1000000000, "worker-a");
	rawmake_thread(&raw, 2, 2, 400000000, 800000000, "worker-b");
	struct raw_lane *lane = rawmake_add(&raw, RAW_LANE, sizeof *lane);
	lane->wait_ticks[RAW_WAIT_JOIN] = 590000000;
	lane->waits[RAW_WAIT_JOIN] = 2;
	lane = rawmake_add(&raw, RAW_LANE, sizeof *lane);
	lane->lane = 2;
	lane->wait_ticks[RAW_WAIT_LOCK] = 100000000;
	lane->waits[RAW_WAIT_LOCK] = 12;
	struct calls_arc *arc = rawmake_table(&raw, RAW_CALLS_ARCS, 0, sizeof *arc, 2);
	arc[0] = (struct calls_arc){.callee = 1,
	                            .calls = 1,
	                            .elapsed_ticks = 1000000000,
	                            .outer_ticks = 1000000000,
	                            .callee_calls = 1,
	                            .callee_ticks = 400000000,
	                            .wait_ticks = 590000000};
	arc[1] = (struct calls_arc){.caller = 1, .callee = 2, .calls = 1, .elapsed_ticks = 400000000, .outer_ticks = 400000000};
	for (uint32_t worker = 1; worker <= 2; worker++) {
		uint64_t life = worker == 1 ? 600000000 : 400000000, wait = worker == 1 ? 0 : 100000000;
		arc = rawmake_table(&raw, RAW_CALLS_ARCS, worker, sizeof *arc, 3);
		arc[0] = (struct calls_arc){.callee = 1, .flags = CALLS_ELSEWHERE, .callee_calls = 1, .callee_ticks = life};
		arc[1] = (struct calls_arc){.caller = 1,
		                            .callee = 3,
		                            .flags = CALLS_CONCURRENT | CALLS_CALL_CONCURRENT,
		                            .calls = 1,
		                            .elapsed_ticks = life,
		                            .outer_ticks = life,
		                            .callee_calls = 500,
		                            .callee_ticks = 200000000,
		                            .wait_ticks = wait,
		                            .same_calls = 1};
		arc[2] = (struct calls_arc){.caller = 3,
		                            .callee = 4,
		                            .flags = CALLS_CONCURRENT | CALLS_CALLER_CONCURRENT,
		                            .calls = 500,
		                            .elapsed_ticks = 200000000,
		                            .outer_ticks = 200000000,
		                            .same_calls = 100};
	}
	struct raw_routine_wait *wait = rawmake_table(&raw, RAW_CALLS_WAITS, 0, sizeof *wait, 1);
	*wait = (struct raw_routine_wait){.routine = 1, .kind = RAW_WAIT_JOIN, .waits = 2, .ticks = 590000000, .longest_ticks = 400000000};
	wait = rawmake_table(&raw, RAW_CALLS_WAITS, 2, sizeof *wait, 1);
	*wait = (struct raw_routine_wait){.routine = 3, .kind = RAW_WAIT_LOCK, .waits = 12, .ticks = 100000000, .longest_ticks = 20000000};
	struct raw_inside *inside = rawmake_table(&raw, RAW_CALLS_INSIDE, RAW_NO_LANE, sizeof *inside, 4);
	inside[0] = (struct raw_inside){.routine = 1, .snapshots = 1000, .union_ticks = 1000000000, .running_ticks = 10000000};
	inside[1] = (struct raw_inside){
		.routine = 2, .snapshots = 400, .union_ticks = 400000000, .running_ticks = 400000000, .off_cpu_ticks = 100000000};
	inside[2] = (struct raw_inside){
		.routine = 3, .snapshots = 600, .union_ticks = 600000000, .same_ticks = 400000000, .running_ticks = 500000000};
	inside[3] = (struct raw_inside){.routine = 4, .snapshots = 300, .union_ticks = 300000000, .running_ticks = 400000000};
	struct raw_together *together = rawmake_table(&raw, RAW_CALLS_TOGETHER, RAW_NO_LANE, sizeof *together, 2);
	together[0] = (struct raw_together){.routine_a = 3, .routine_b = 4, .snapshots = 200, .ticks = 200000000};
	together[1] = (struct raw_together){.routine_a = 3, .routine_b = 3, .snapshots = 50, .ticks = 50000000};
	struct raw_level *level = rawmake_table(&raw, RAW_CALLS_LEVELS, RAW_NO_LANE, sizeof *level, 5);
	level[0] = (struct raw_level){.working = 1, .routine = RAW_ANY_ROUTINE, .snapshots = 600, .ticks = 600000000};
	level[1] = (struct raw_level){.working = 1, .routine = 2, .snapshots = 400, .ticks = 400000000};
	level[2] = (struct raw_level){.working = 2, .routine = RAW_ANY_ROUTINE, .snapshots = 400, .ticks = 400000000};
	level[3] = (struct raw_level){.working = 2, .routine = 3, .snapshots = 300, .ticks = 300000000};
	level[4] = (struct raw_level){.working = 2, .routine = 4, .snapshots = 250, .ticks = 250000000};
	snprintf(path, sizeof path, "%s/1000.raw", folder);
	rawmake_write(&raw, path);
	rawmake_free(&raw);
}

/* A new folder with a session in it, and the path of a file there. */
static inline int rawmake_folder(char *folder, size_t folder_bytes, char *path, size_t path_bytes, const char *name)
{
	snprintf(folder, folder_bytes, "/tmp/skein-test-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, path_bytes, "%s/%s", folder, name);
	rawmake_session(folder);
	return 0;
}

static inline int rawmake_remove(const char *folder)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

#endif
