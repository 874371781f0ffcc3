/* SPDX-License-Identifier: MIT */
/* make.h: makes sessions of the input lens for tests, as a producer would have left them.
 *
 * A program of two threads whose cost functions are known. In a run from K to L, for each k of K … L with n = 2^k:
 *
 *     insert   one call, size n by all metrics, cost n^2
 *     merge    two calls, size n by all metrics, costs n k and n k + 2
 *     consume  (thread 1) one call, size 1 by rms and rms+external, n by trms: n - 1 cells come from thread 0; cost 5 n + 3
 *     select   one call, rms 64 + k, rms+external and trms n + 64 (n from the kernel), cost 10 n
 *     lookup   four calls, size n, cost 7
 *     deep     recursive: an outermost call of size n and one in it of size n / 2, costs 3 n and n
 *
 * main calls all of it but consume, with one size, and costs 100 itself. Addresses are named by symbols.h's functions,
 * which a test that includes this file has of its own. */
#ifndef SKEIN_INPUTMAKE_H
#define SKEIN_INPUTMAKE_H

#include <stdbool.h>
#include "analyse/symbols/symbols.h"
#include "core/input/points.h"
#include "unit/raw/make.h"

enum { INPUTMAKE_PROG = 1, INPUTMAKE_LIBC };
enum {
	INPUTMAKE_MAIN = 0x1000,
	INPUTMAKE_INSERT = 0x1100,
	INPUTMAKE_MERGE = 0x1200,
	INPUTMAKE_CONSUME = 0x1300,
	INPUTMAKE_SELECT = 0x1400,
	INPUTMAKE_LOOKUP = 0x1500,
	INPUTMAKE_DEEP = 0x1600
};
enum { INPUTMAKE_ALL = 7, INPUTMAKE_ROWS = 1024 };

static inline uint64_t inputmake_place(uint64_t module, uint64_t offset)
{
	return module << RAW_PLACE_SHIFT | offset;
}

static inline void inputmake_module(struct rawmake *raw, uint32_t number, const char *build_id, const char *path)
{
	size_t a = strlen(build_id) + 1, b = strlen(path) + 1;
	struct raw_module *module = rawmake_add(raw, RAW_MODULE, sizeof *module + a + b);
	module->number = number;
	module->text_bytes = (uint32_t)(a + b);
	memcpy(module->text, build_id, a);
	memcpy(module->text + a, path, b);
}

static inline void inputmake_squares(struct raw_input_point *p, uint64_t cost)
{
	unsigned __int128 square = (unsigned __int128)cost * cost, sum = ((unsigned __int128)p->squares[1] << 64 | p->squares[0]) + square;
	p->squares[0] = (uint64_t)sum;
	p->squares[1] = (uint64_t)(sum >> 64);
}

/* Rows that are being collected. */
struct inputmake {
	struct rawmake *raw;
	struct raw_input_point rows[INPUTMAKE_ROWS];
	uint32_t count;
	uint64_t cost[2]; /* of each thread, each unit once */
};

/* One activation's row. */
static inline struct raw_input_point *inputmake_point(struct inputmake *m, uint64_t offset, uint32_t thread, uint16_t metrics,
                                                      uint64_t size, uint64_t cost)
{
	struct raw_input_point *p = &m->rows[m->count++];
	*p = (struct raw_input_point){.routine = offset ? inputmake_place(INPUTMAKE_PROG, offset) : 0,
	                              .thread = thread,
	                              .metrics = metrics,
	                              .size = size,
	                              .size_sum = size,
	                              .calls = 1,
	                              .cost_min = cost,
	                              .cost_max = cost,
	                              .cost_sum = cost,
	                              .cost_outermost = cost,
	                              .self_sum = cost};
	inputmake_squares(p, cost);
	m->cost[thread] += metrics >> INPUT_TRMS & 1 ? cost : 0;
	return p;
}

static inline void inputmake_size(struct inputmake *m, unsigned k)
{
	uint64_t n = UINT64_C(1) << k;
	inputmake_point(m, INPUTMAKE_INSERT, 0, INPUTMAKE_ALL, n, n * n);
	inputmake_point(m, INPUTMAKE_MERGE, 0, INPUTMAKE_ALL, n, n * k);
	inputmake_point(m, INPUTMAKE_MERGE, 0, INPUTMAKE_ALL, n, n * k + 2);
	for (int metric = 0; metric < INPUT_METRICS; metric++) {
		struct raw_input_point *p =
			inputmake_point(m, INPUTMAKE_CONSUME, 1, (uint16_t)(1 << metric), metric == INPUT_TRMS ? n : 1, 5 * n + 3);
		p->thread_induced = n - 1;
		p = inputmake_point(m, INPUTMAKE_SELECT, 0, (uint16_t)(1 << metric), metric == INPUT_RMS ? 64 + k : n + 64, 10 * n);
		p->external = n;
	}
	for (int i = 0; i < 4; i++)
		inputmake_point(m, INPUTMAKE_LOOKUP, 0, INPUTMAKE_ALL, n, 7);
	struct raw_input_point *outer = inputmake_point(m, INPUTMAKE_DEEP, 0, INPUTMAKE_ALL, n, 3 * n),
			       *inner = inputmake_point(m, INPUTMAKE_DEEP, 0, INPUTMAKE_ALL, n / 2, n);
	inner->cost_outermost = 0;
	outer->self_sum -= n;
	m->cost[0] -= n;
}

static inline void inputmake_table(struct inputmake *m, uint32_t kind, const void *rows, size_t bytes, uint32_t count)
{
	void *to = rawmake_table(m->raw, kind, RAW_NO_LANE, bytes, count);
	memcpy(to, rows, bytes * count);
}

static inline struct raw_input_how inputmake_how(void)
{
	return (struct raw_input_how){.producer = RAW_INPUT_VALGRIND,
	                              .cost = RAW_INPUT_BLOCKS,
	                              .options = RAW_INPUT_BY_PLACE,
	                              .cell_bytes = 4,
	                              .sizes_max = 1024,
	                              .reads = 1000,
	                              .writes = 500,
	                              .kernel_reads = 3,
	                              .kernel_writes = 4,
	                              .switches = 12,
	                              .forgotten = 2,
	                              .cut = 5};
}

static inline void inputmake_start(struct inputmake *m, struct rawmake *raw)
{
	memset(m, 0, sizeof *m);
	rawmake_start(raw, RAW_FINISHED);
	raw->file->lens = RAW_LENS_INPUT;
	raw->file->workers = raw->file->threads = 2;
	m->raw = raw;
	inputmake_module(raw, INPUTMAKE_PROG, "b1d", "/home/me/prog");
	inputmake_module(raw, INPUTMAKE_LIBC, "11bc", "/lib/of-tests/libc.so.6");
	rawmake_thread(raw, 0, 0, 0, 1000000000, "prog");
	rawmake_thread(raw, 1, 1, 400000000, 600000000, "consumer");
}

static inline void inputmake_finish(struct inputmake *m, const char *folder, const char *name, unsigned first, unsigned last)
{
	uint64_t cells = 0;
	char path[512];
	for (unsigned k = first; k <= last; k++)
		cells += UINT64_C(1) << k;
	inputmake_point(m, INPUTMAKE_MAIN, 0, INPUTMAKE_ALL, 50, 100)->self_sum = 100;
	m->rows[m->count - 1].cost_min = m->rows[m->count - 1].cost_max = m->rows[m->count - 1].cost_sum =
		m->rows[m->count - 1].cost_outermost = m->cost[0];
	for (uint32_t thread = 0; thread < 2; thread++) {
		uint64_t cost = m->cost[thread];
		struct raw_input_point *p = inputmake_point(m, 0, thread, INPUTMAKE_ALL, 60 + thread + cells, cost);
		p->self_sum = 0;
		p->external = thread ? 0 : cells;
		p->thread_induced = thread ? cells - (last - first + 1) : 0;
		m->cost[thread] = cost;
	}
	inputmake_table(m, RAW_INPUT_POINTS, m->rows, sizeof *m->rows, m->count);
	struct raw_input_source sources[2] = {{0, 1, cells - (last - first + 1)}, {RAW_INPUT_KERNEL, 0, cells}};
	inputmake_table(m, RAW_INPUT_MATRIX, sources, sizeof *sources, 2);
	struct raw_input_how how = inputmake_how();
	inputmake_table(m, RAW_INPUT_HOW, &how, sizeof how, 1);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rawmake_write(m->raw, path);
	rawmake_free(m->raw);
}

static inline void inputmake_session(const char *folder, unsigned first, unsigned last)
{
	static struct inputmake m;
	struct rawmake raw;
	char plan[256];
	snprintf(plan, sizeof plan, "lens\tinput\nmode\tblocks\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog %u %u\n", first,
	         last);
	rawmake_text(folder, "session", plan);
	inputmake_start(&m, &raw);
	for (unsigned k = first; k <= last; k++)
		inputmake_size(&m, k);
	inputmake_finish(&m, folder, "1000.raw", first, last);
}

/* ---- what addresses are called ---- */

#define INPUTMAKE_ROUTINE(called, at) \
	{.kind = SYMBOLS_ROUTINE, .linkage = called, .name = called, .file = "/src/prog.c", .line = at, .call_file = ""}

static const struct inputmake_symbol {
	uint64_t offset;
	struct symbols_scope scope;
} inputmake_symbols[] = {{INPUTMAKE_MAIN, INPUTMAKE_ROUTINE("main", 100)},
                         {INPUTMAKE_INSERT, INPUTMAKE_ROUTINE("insert", 10)},
                         {INPUTMAKE_MERGE, INPUTMAKE_ROUTINE("_ZN4list5mergeEi", 20)},
                         {INPUTMAKE_CONSUME, INPUTMAKE_ROUTINE("consume", 30)},
                         {INPUTMAKE_SELECT, INPUTMAKE_ROUTINE("select,\"<x>\x1b", 40)},
                         {INPUTMAKE_LOOKUP, INPUTMAKE_ROUTINE("lookup", 50)},
                         {INPUTMAKE_DEEP, INPUTMAKE_ROUTINE("deep", 60)}};

struct symbols *symbols_open(const char *path, const char *build_id)
{
	(void)build_id;
	return (struct symbols *)(uintptr_t)path;
}

void symbols_close(struct symbols *s)
{
	(void)s;
}

const struct symbols_place *symbols_at(struct symbols *s, uint64_t offset, bool is_return)
{
	static const struct symbols_scope nobody = {
		.kind = SYMBOLS_ROUTINE, .linkage = "(prog)+0x0", .name = "(prog)+0x0", .file = "", .call_file = ""};
	static struct symbols_place places[sizeof inputmake_symbols / sizeof *inputmake_symbols + 1];
	size_t i = 0, count = sizeof inputmake_symbols / sizeof *inputmake_symbols;
	(void)s;
	(void)is_return;
	while (i < count && inputmake_symbols[i].offset != offset)
		i++;
	places[i] = (struct symbols_place){i < count ? &inputmake_symbols[i].scope : &nobody, 1, "", 0, NULL};
	return &places[i];
}

const char *symbols_variable(struct symbols *s, uint64_t offset)
{
	(void)s;
	(void)offset;
	return "";
}

bool symbols_have_lines(const struct symbols *s)
{
	return s != NULL;
}

bool symbols_are_there(const struct symbols *s)
{
	return s != NULL;
}

#endif
