/* SPDX-License-Identifier: MIT */
/* make.h: makes sessions of the idle lens for tests, as the sampler would have left them.
 *
 * A program on four cores, sampled each millisecond: main prepares alone (400 ms), then a parallel region runs work in
 * three threads, one of which waits for a lock and one of which creates a task; then main frees a matrix alone (200 ms)
 * and lets an interpreter run (30 ms). Its call paths have all five associations. Addresses are named by symbols.h's
 * functions, which a test that includes this file has of its own (idlemake_symbols). */
#ifndef SKEIN_IDLEMAKE_H
#define SKEIN_IDLEMAKE_H

#include "analyse/symbols/symbols.h"
#include "unit/raw/make.h"

#define IDLEMAKE_MS UINT64_C(1000000)

enum { IDLEMAKE_PROG = 1, IDLEMAKE_LIBC, IDLEMAKE_OMP, IDLEMAKE_OURS };

static inline uint64_t idlemake_place(uint64_t module, uint64_t offset)
{
	return module << RAW_PLACE_SHIFT | offset;
}

static inline void idlemake_module(struct rawmake *raw, uint32_t number, const char *build_id, const char *path)
{
	size_t a = strlen(build_id) + 1, b = strlen(path) + 1;
	struct raw_module *module = rawmake_add(raw, RAW_MODULE, sizeof *module + a + b);
	module->number = number;
	module->text_bytes = (uint32_t)(a + b);
	memcpy(module->text, build_id, a);
	memcpy(module->text + a, path, b);
}

static inline void idlemake_named(struct rawmake *raw, uint32_t number, const char *routine, const char *file, uint32_t line)
{
	size_t a = strlen(routine) + 1, b = strlen(file) + 1;
	struct raw_place *place = rawmake_add(raw, RAW_PLACE, sizeof *place + a + b);
	place->number = number;
	place->line = line;
	place->text_bytes = (uint32_t)(a + b);
	memcpy(place->text, routine, a);
	memcpy(place->text + a, file, b);
}

static inline void *idlemake_table(struct rawmake *raw, uint32_t kind, uint32_t lane, uint32_t object, size_t row_bytes, uint32_t rows)
{
	struct raw_table *at = (struct raw_table *)rawmake_table(raw, kind, lane, row_bytes, rows) - 1;
	at->object = object;
	return at + 1;
}

static inline struct lcct_node idlemake_node(uint32_t parent, uint32_t note, enum skein_association association, uint64_t ip, uint64_t lip)
{
	return (struct lcct_node){
		.parent = parent, .note = note & 0xffffff, .association = (uint8_t)(association + 1), .ip = ip, .lip = lip};
}

/* A call: the frame is what the user wrote. */
static inline struct lcct_node idlemake_call(uint32_t parent, uint64_t place)
{
	return idlemake_node(parent, 1, SKEIN_1_1, place, place);
}

static inline void idlemake_nodes(struct rawmake *raw)
{
	const uint64_t prog = idlemake_place(IDLEMAKE_PROG, 0), libc = idlemake_place(IDLEMAKE_LIBC, 0),
		       omp = idlemake_place(IDLEMAKE_OMP, 0), ours = idlemake_place(IDLEMAKE_OURS, 0);
	struct lcct_node *n = (struct lcct_node *)idlemake_table(raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, 12) - 1;
	n[1] = idlemake_call(0, prog + 0x1010);                /* _start */
	n[2] = idlemake_call(1, prog + 0x1110);                /* main, line 43 */
	n[3] = idlemake_call(2, prog + 0x1210);                /* prepare, in its loop */
	n[4] = idlemake_call(1, prog + 0x1120);                /* main, line 45 */
	n[5] = idlemake_node(4, 1, SKEIN_1_0, omp + 0x210, 0); /* __kmp_fork_call */
	n[6] = idlemake_node(5, 1, SKEIN_1_0, omp + 0x110, 0); /* __kmp_invoke_microtask */
	n[7] = idlemake_call(6, prog + 0x1310);                /* work, in step, which was inlined */
	n[8] = idlemake_call(6, prog + 0x1320);                /* work, line 24 */
	n[9] = idlemake_call(8, ours + 0x110);                 /* pthread_mutex_lock, ours */
	n[10] = idlemake_call(9, ours + 0x210);                /* what it calls in itself */
	n[11] = idlemake_call(10, libc + 0x210);               /* pthread_mutex_lock */
	n[12] = (struct lcct_node){0};                         /* whoever made this one was killed */
	n = (struct lcct_node *)idlemake_table(raw, RAW_IDLE_NODES, RAW_NO_LANE, 101, sizeof *n, 13) - 101;
	n[101] = idlemake_node(0, 1, SKEIN_M_0, libc + 0x510, 0);   /* clone3 */
	n[102] = idlemake_node(101, 2, SKEIN_M_0, libc + 0x410, 0); /* start_thread */
	n[103] = idlemake_node(102, 1, SKEIN_1_M, omp + 0x110, prog + 0x1010);
	n[104] = idlemake_node(103, 2, SKEIN_1_M, 0, prog + 0x1120);
	n[105] = idlemake_call(104, prog + 0x1310);                /* work */
	n[106] = idlemake_call(104, prog + 0x1330);                /* work, line 26 */
	n[107] = idlemake_node(106, 1, SKEIN_1_0, omp + 0x410, 0); /* __kmpc_omp_task_alloc */
	n[108] = idlemake_call(1, prog + 0x1130);                  /* main, line 47 */
	n[109] = idlemake_call(108, prog + 0x1410);                /* free_matrix, line 33 */
	n[110] = idlemake_call(109, prog + 0x1420);                /* free_matrix again, line 34 */
	n[111] = idlemake_call(110, libc + 0x110);                 /* free */
	n[112] = idlemake_node(108, 1, SKEIN_M_1, prog + 0x1510, idlemake_place(RAW_AGENT_MODULE, 1));
	n[113] = idlemake_node(112, 2, SKEIN_M_1, prog + 0x1510, 0);
}

static inline struct raw_idle_cost idlemake_cost(uint32_t node, uint32_t samples, enum raw_idle_class class, uint64_t ms, uint64_t idle_ms)
{
	struct raw_idle_cost cost = {.node = node, .samples = samples, .idle_ns = idle_ms * IDLEMAKE_MS};
	cost.work_ns[class] = ms * IDLEMAKE_MS;
	return cost;
}

static inline void idlemake_costs(struct rawmake *raw)
{
	struct raw_idle_cost *c = idlemake_table(raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 6);
	c[0] = idlemake_cost(3, 300, RAW_IDLE_SERIAL, 300, 900);
	c[1] = idlemake_cost(7, 100, RAW_IDLE_FULL, 100, 0);
	c[2] = idlemake_cost(11, 20, RAW_IDLE_UNDER, 20, 10);
	c[3] = idlemake_cost(111, 200, RAW_IDLE_SERIAL, 200, 600);
	c[4] = idlemake_cost(113, 30, RAW_IDLE_SERIAL, 30, 90);
	c[5] = idlemake_cost(3, 100, RAW_IDLE_SERIAL, 100, 300);
	c = idlemake_table(raw, RAW_IDLE_COSTS, 1, 1, sizeof *c, 3);
	c[0] = idlemake_cost(105, 90, RAW_IDLE_FULL, 90, 0);
	c[1] = idlemake_cost(105, 5, RAW_IDLE_OVER, 5, 0);
	c[2] = idlemake_cost(107, 25, RAW_IDLE_FULL, 25, 0);
	c = idlemake_table(raw, RAW_IDLE_COSTS, 2, 2, sizeof *c, 1);
	c[0] = idlemake_cost(105, 100, RAW_IDLE_FULL, 100, 0);
	struct raw_idle_event *e = idlemake_table(raw, RAW_IDLE_EVENTS, 0, 0, sizeof *e, 2);
	e[0] = (struct raw_idle_event){3, 0, 500000};
	e[1] = (struct raw_idle_event){3, 1, 77}; /* of an event that the machine has not */
	e = idlemake_table(raw, RAW_IDLE_EVENTS, 1, 1, sizeof *e, 1);
	e[0] = (struct raw_idle_event){105, 0, 200000};
}

static inline void idlemake_threads(struct rawmake *raw)
{
	static const struct raw_idle_thread rows[] = {
		{.thread = 0,
	         .start_cpu_ns = 1 * IDLEMAKE_MS,
	         .cpu_ns = 761 * IDLEMAKE_MS,
	         .work_ns = 750 * IDLEMAKE_MS,
	         .dropped_ns = 5 * IDLEMAKE_MS,
	         .own_ns = 3 * IDLEMAKE_MS,
	         .samples = 750,
	         .dropped = 5,
	         .own = 3,
	         .unseen_ns = 2 * IDLEMAKE_MS},
		{.thread = 1,
	         .cpu_ns = 125 * IDLEMAKE_MS,
	         .work_ns = 120 * IDLEMAKE_MS,
	         .dropped_ns = 5 * IDLEMAKE_MS,
	         .samples = 120,
	         .dropped = 5,
	         .paths_cut = 4},
		{.thread = 2, .cpu_ns = 100 * IDLEMAKE_MS, .work_ns = 100 * IDLEMAKE_MS, .samples = 100},
	};
	rawmake_thread(raw, 0, 0, 0, 1000000000, "prog")->cpu_ns = rows[0].cpu_ns;
	rawmake_thread(raw, 1, 1, 400000000, 600000000, "worker-a")->cpu_ns = rows[1].cpu_ns;
	rawmake_thread(raw, 2, 2, 400000000, 600000000, "worker-b")->cpu_ns = rows[2].cpu_ns;
	for (uint32_t i = 0; i < 3; i++) {
		struct raw_idle_thread *t = idlemake_table(raw, RAW_IDLE_THREAD, i, 0, sizeof *t, 1);
		*t = rows[i];
	}
}

static inline struct raw_idle_how *idlemake_how(struct rawmake *raw, uint32_t cores)
{
	struct raw_idle_how *how = idlemake_table(raw, RAW_IDLE_HOW, RAW_NO_LANE, 0, sizeof *how, 1);
	*how = (struct raw_idle_how){
		.cores = cores, .clock = RAW_IDLE_PERF, .period_ns = IDLEMAKE_MS, .rings = 3, .event_period = {10000, 0}};
	return how;
}

static inline void idlemake_plan(const char *folder)
{
	rawmake_text(
		folder, "session",
		"lens\tidle\nmode\tsampled\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog 2\nevent_names\tLLC-misses,r1234\n");
}

static inline struct raw_idle_how *idlemake_start(struct rawmake *raw, uint32_t flags)
{
	rawmake_start(raw, flags);
	raw->file->lens = RAW_LENS_IDLE;
	raw->file->workers = raw->file->threads = 3;
	raw->file->cpu_ns = 990 * IDLEMAKE_MS;
	struct raw_idle_how *how = idlemake_how(raw, 4);
	idlemake_module(raw, IDLEMAKE_PROG, "b1d", "/home/me/prog");
	idlemake_module(raw, IDLEMAKE_LIBC, "11bc", "/lib/of-tests/libc.so.6");
	idlemake_module(raw, IDLEMAKE_OMP, "", "/opt/libomp.so.5");
	idlemake_module(raw, IDLEMAKE_OURS, "5eed", "/opt/skein/libskein-sample.so");
	idlemake_named(raw, 1, "toy_main", "script.toy", 7);
	idlemake_threads(raw);
	idlemake_nodes(raw);
	idlemake_costs(raw);
	return how;
}

static inline void idlemake_write(struct rawmake *raw, const char *folder, const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rawmake_write(raw, path);
	rawmake_free(raw);
}

static inline void idlemake_session(const char *folder)
{
	struct rawmake raw;
	idlemake_plan(folder);
	idlemake_start(&raw, RAW_FINISHED);
	idlemake_write(&raw, folder, "1000.raw");
}

/* ---- what addresses are called ---- */

#define IDLEMAKE_ROUTINE(called, where, at) \
	{.kind = SYMBOLS_ROUTINE, .linkage = called, .name = called, .file = where, .line = at, .call_file = ""}
#define IDLEMAKE_SRC "/src/prog.c"

static const struct idlemake_symbol {
	const char *module;
	uint64_t offset; /* the place itself; 0x10 behind where the routine begins */
	struct symbols_scope scopes[3];
	size_t count;
	const char *file;
	unsigned line;
} idlemake_symbols[] = {
	{"prog", 0x1010, {IDLEMAKE_ROUTINE("_start", "", 0)}, 1, "", 0},
	{"prog", 0x1110, {IDLEMAKE_ROUTINE("main", IDLEMAKE_SRC, 40)}, 1, IDLEMAKE_SRC, 43},
	{"prog", 0x1120, {IDLEMAKE_ROUTINE("main", IDLEMAKE_SRC, 40)}, 1, IDLEMAKE_SRC, 45},
	{"prog", 0x1130, {IDLEMAKE_ROUTINE("main", IDLEMAKE_SRC, 40)}, 1, IDLEMAKE_SRC, 47},
	{"prog",
         0x1210,
         {IDLEMAKE_ROUTINE("prepare", IDLEMAKE_SRC, 10),
          {.kind = SYMBOLS_LOOP, .linkage = "", .name = "loop", .file = IDLEMAKE_SRC, .line = 12, .call_file = ""}},
         2,
         IDLEMAKE_SRC,
         13},
	{"prog",
         0x1310,
         {IDLEMAKE_ROUTINE("_ZN4task4workEi", IDLEMAKE_SRC, 20),
          {.kind = SYMBOLS_INLINED,
           .linkage = "step",
           .name = "step",
           .file = "/src/step.h",
           .line = 5,
           .call_file = IDLEMAKE_SRC,
           .call_line = 22}},
         2,
         "/src/step.h",
         6},
	{"prog", 0x1320, {IDLEMAKE_ROUTINE("_ZN4task4workEi", IDLEMAKE_SRC, 20)}, 1, IDLEMAKE_SRC, 24},
	{"prog", 0x1330, {IDLEMAKE_ROUTINE("_ZN4task4workEi", IDLEMAKE_SRC, 20)}, 1, IDLEMAKE_SRC, 26},
	{"prog", 0x1410, {IDLEMAKE_ROUTINE("free_matrix", IDLEMAKE_SRC, 30)}, 1, IDLEMAKE_SRC, 33},
	{"prog", 0x1420, {IDLEMAKE_ROUTINE("free_matrix", IDLEMAKE_SRC, 30)}, 1, IDLEMAKE_SRC, 34},
	{"prog", 0x1510, {IDLEMAKE_ROUTINE("eval", IDLEMAKE_SRC, 60)}, 1, IDLEMAKE_SRC, 61},
	{"libc.so.6", 0x110, {IDLEMAKE_ROUTINE("free", "", 0)}, 1, "", 0},
	{"libc.so.6", 0x210, {IDLEMAKE_ROUTINE("pthread_mutex_lock", "", 0)}, 1, "", 0},
	{"libc.so.6", 0x410, {IDLEMAKE_ROUTINE("start_thread", "", 0)}, 1, "", 0},
	{"libc.so.6", 0x510, {IDLEMAKE_ROUTINE("clone3", "", 0)}, 1, "", 0},
	{"libomp.so.5", 0x110, {IDLEMAKE_ROUTINE("__kmp_invoke_microtask", "", 0)}, 1, "", 0},
	{"libomp.so.5", 0x210, {IDLEMAKE_ROUTINE("__kmp_fork_call", "", 0)}, 1, "", 0},
	{"libomp.so.5", 0x410, {IDLEMAKE_ROUTINE("__kmpc_omp_task_alloc", "", 0)}, 1, "", 0},
	{"libomp.so.5", 0x610, {IDLEMAKE_ROUTINE("__kmp_do_serial_initialize", "", 0)}, 1, "", 0},
	{"libskein-sample.so",
         0x110,
         {IDLEMAKE_ROUTINE("pthread_mutex_lock", "src/threads/interpose/lock.c", 20)},
         1,
         "src/threads/interpose/lock.c",
         22},
	{"libskein-sample.so", 0x210, {IDLEMAKE_ROUTINE("wait_for", "src/threads/threads.c", 70)}, 1, "src/threads/threads.c", 72}};

#endif
