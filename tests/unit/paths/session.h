/* SPDX-License-Identifier: MIT */
/* session.h: makes sessions of the paths lens for tests, as copies of a program would have left them.
 *
 * A program is functions and calls; a call is the edges that it passes. Each copy executes the operations of its plan
 * along them, one by one.
 *
 *     struct pathsession s = {.copies = 2, .how = PATHS_HOW_BEST};
 *     struct made *f = pathsession_add(&s, "loop", 10);          then its blocks and edges
 *     pathsession_plan(&s);                                      who counts what
 *     pathsession_call(&s, call);                                each call, in its order
 *     pathsession_write(&s, folder);
 *
 * Source lines of block b are 10 b + the function's line and the next one, in prog.c; instructions are b + 1. */
#ifndef SKEIN_PATHSESSION_H
#define SKEIN_PATHSESSION_H

#include <sys/stat.h>
#include "core/paths/body.h"
#include "core/paths/share.h"
#include "unit/raw/make.h"

enum {
	MADE_FUNCTIONS = 8,
	MADE_COPIES = 4,
	MADE_PROCESSES = 2,
	MADE_LANES = 2,
	MADE_EDGES = 80,
	MADE_BLOCKS = 40,
	MADE_STEPS = 200,
	MADE_KEYS = 600,
	MADE_ARRAY = 24,
	MADE_STOPS = 100,
	MADE_NAMES = 64
};

struct made_call {
	uint32_t function, process, lane;
	uint32_t length;
	uint32_t edge[MADE_STEPS];
	bool stops; /* in the block that it has come to */
};

/* What one lane of one process has of one function in one copy. */
struct made_lane {
	uint32_t keys, prefixes, stops;
	struct raw_paths_key key[MADE_KEYS]; /* counts */
	uint64_t prefix[MADE_KEYS];
	struct raw_paths_stop stop[MADE_STOPS];
	uint64_t entries;
};

struct made {
	char name[32];
	uint32_t line;
	uint32_t blocks, edges;
	struct paths_edge edge[MADE_EDGES];
	uint8_t stops[MADE_BLOCKS];
	double passed[MADE_EDGES + 1];
	struct paths_graph g; /* as it is counted */
	double *weights;
	uint8_t *chosen[MADE_COPIES]; /* NULL: all */
	bool counts[MADE_COPIES];
	bool by_turns;
	const char *asked; /* these, others, or NULL */
	uint64_t names[MADE_NAMES];
	uint32_t name_count;
	struct paths_plan plan[MADE_COPIES];
	struct paths_hits hits[MADE_COPIES]; /* executed */
	struct made_lane lane[MADE_COPIES][MADE_PROCESSES][MADE_LANES];
};

struct pathsession {
	uint32_t copies;
	enum paths_how how;
	bool pbl, turns;
	uint32_t functions;
	struct made *made;
	struct paths_memory memory;
};

static void *pathsession_bytes(void *context, size_t bytes)
{
	(void)context;
	return malloc(bytes);
}

static inline void pathsession_start(struct pathsession *s, uint32_t copies, enum paths_how how)
{
	if (!s->made)
		s->made = malloc(MADE_FUNCTIONS * sizeof *s->made);
	s->memory.more = pathsession_bytes;
	paths_release(&s->memory, (struct paths_mark){s->memory.first, 0});
	memset(s->made, 0, MADE_FUNCTIONS * sizeof *s->made);
	s->copies = copies;
	s->how = how;
	s->functions = 0;
	s->pbl = s->turns = false;
}

static inline struct made *pathsession_add(struct pathsession *s, const char *name, uint32_t line)
{
	struct made *f = &s->made[s->functions++];
	snprintf(f->name, sizeof f->name, "%s", name);
	f->line = line;
	for (uint32_t e = 0; e <= MADE_EDGES; e++)
		f->passed[e] = 1;
	return f;
}

/* 0: all is well. */
static inline int pathsession_plan(struct pathsession *s)
{
	struct paths_function f[MADE_FUNCTIONS];
	struct paths_share share;
	int bad = 0;
	for (uint32_t i = 0; i < s->functions; i++) {
		struct made *m = &s->made[i];
		struct paths_body body = {.blocks = m->blocks, .edges = m->edges, .edge = m->edge, .stops = m->stops, .passed = m->passed};
		bad |= paths_body_graph(&body, &m->g, &m->weights, &s->memory);
		f[i] = (struct paths_function){&m->g, m->weights, false};
	}
	if (!bad && s->copies > 1 && s->how == PATHS_HOW_BEST)
		bad = paths_share_best(&share, f, s->functions, &(struct paths_best){.copies = s->copies, .turns = s->turns}, &s->memory);
	else if (!bad && s->copies > 1)
		bad = paths_share_p3(&share, f, s->functions, &(struct paths_p3){.copies = s->copies, .whole = s->pbl}, &s->memory);
	for (uint32_t i = 0; !bad && i < s->functions; i++) {
		struct made *m = &s->made[i];
		m->by_turns = s->copies > 1 && share.by_turns && share.by_turns[i];
		for (uint32_t c = 0; c < s->copies && !bad; c++) {
			uint8_t *chosen = s->copies > 1 ? share.chosen[(size_t)c * s->functions + i] : NULL;
			m->counts[c] = s->copies == 1 || chosen;
			m->chosen[c] = chosen && paths_all_chosen(&m->g, chosen) ? NULL : chosen;
			if (m->counts[c])
				bad = paths_body_plan(&m->plan[c], &m->g, s->how, m->chosen[c], m->weights, &s->memory);
		}
	}
	return bad;
}

/* ---- running ---- */

static inline void made_count(struct made_lane *l, uint32_t routine, uint64_t index)
{
	uint32_t i = 0;
	while (i < l->keys && l->key[i].key != index)
		i++;
	if (i == l->keys && l->keys == MADE_KEYS)
		abort();
	l->keys += i == l->keys;
	l->key[i].routine = routine;
	l->key[i].key = index;
	l->key[i].value++;
}

static inline uint64_t made_place(struct made_lane *l, uint64_t key)
{
	uint32_t i = 0;
	while (i < l->prefixes && l->prefix[i] != key)
		i++;
	if (i == l->prefixes && l->prefixes == MADE_KEYS)
		abort();
	l->prefixes += i == l->prefixes;
	l->prefix[i] = key;
	return i + 1;
}

static inline void made_pass(struct made *m, uint32_t routine, uint32_t copy, struct made_lane *l, uint32_t edge, uint64_t *reg)
{
	const struct paths_plan *plan = &m->plan[copy];
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct paths_op *op = &plan->op[i];
		if (op->edge != edge)
			continue;
		if (op->kind == PATHS_SET)
			*reg = op->value;
		else if (op->kind == PATHS_ADD)
			*reg += op->value;
		else if (op->kind == PATHS_COUNT)
			made_count(l, routine, *reg + op->value);
		else if (op->kind == PATHS_COUNT_AT)
			made_count(l, routine, op->value);
		else
			*reg = made_place(l, *reg + op->value) * plan->labels.paths;
		if (op->kind == PATHS_ADD || (op->kind == PATHS_SET && op->value))
			m->hits[copy].increments++;
		else if (op->kind == PATHS_SET)
			m->hits[copy].zeroed++;
		else
			m->hits[copy].updates++;
	}
}

static inline void pathsession_call(struct pathsession *s, const struct made_call *call)
{
	struct made *m = &s->made[call->function];
	for (uint32_t c = 0; c < s->copies; c++) {
		struct made_lane *l = &m->lane[c][call->process][call->lane];
		uint64_t reg = 0xdeadbeef, turn = l->entries++;
		uint32_t block = 0;
		if (!m->counts[c] || (m->by_turns && turn % s->copies != c))
			continue;
		made_pass(m, call->function, c, l, m->edges, &reg);
		for (uint32_t i = 0; i < call->length; i++) {
			made_pass(m, call->function, c, l, call->edge[i], &reg);
			block = m->edge[call->edge[i]].to;
		}
		if (call->stops)
			l->stop[l->stops++] = (struct raw_paths_stop){call->function, block,
			                                              m->plan[c].known[block] ? m->plan[c].constant[block] : reg, 1};
	}
}

/* ---- writing ---- */

/* Rows of counters: each function's calls, then its array. */
static inline uint32_t made_first(uint32_t function)
{
	return function * (MADE_ARRAY + 1);
}

static inline uint32_t made_array(const struct made *m, uint32_t copy)
{
	return !m->counts[copy] ? 0 : m->plan[copy].keys < MADE_ARRAY ? (uint32_t)m->plan[copy].keys : MADE_ARRAY;
}

static inline void made_write_shape(const struct pathsession *s, uint32_t copy, FILE *file)
{
	static const char *const how[] = {"all", "p3", "best"};
	fprintf(file, "skein-shape\t1\no\tb1d\t%u\t%u\t%s\nn\t0\t/src/prog.c\n", copy, s->copies, how[s->how]);
	for (uint32_t i = 0; i < s->functions; i++) {
		const struct made *m = &s->made[i];
		fprintf(file, "f\t%u\t%u\t%u\t%s\t%u\t%u\t", i, m->blocks, m->edges, m->by_turns ? "t" : "-", made_first(i) + 1,
		        made_array(m, copy));
		fprintf(file, s->copies > 1 ? "%u\n" : "-\n", made_first(i));
		for (uint32_t b = 0; b < m->blocks; b++)
			fprintf(file, "b\t%u\t%u\t0:%u,%u\n", b + 1, m->stops[b], m->line + 10 * b, m->line + 10 * b + 1);
		for (uint32_t e = 0; e < m->edges; e++) {
			fprintf(file, "e\t%u\t", m->edge[e].from);
			fprintf(file, m->edge[e].to == PATHS_EXIT ? "x" : "%u", m->edge[e].to);
			fprintf(file, "\t%u\t%a\n", m->edge[e].flags, m->passed[e]);
		}
		fprintf(file, "e\t-\t-\t0\t%a\n", m->passed[m->edges]);
		for (uint32_t c = 0; c < s->copies; c++) {
			if (!m->counts[c])
				continue;
			fprintf(file, "c\t%u\t", c);
			for (uint32_t a = 0; m->chosen[c] && a < m->g.arcs; a += 4) {
				unsigned digit = 0;
				for (uint32_t k = 0; k < 4 && a + k < m->g.arcs; k++)
					digit |= (unsigned)(m->chosen[c][a + k] != 0) << k;
				fprintf(file, "%x", digit);
			}
			fputs(m->chosen[c] ? "\n" : "*\n", file);
		}
		if (m->asked)
			fprintf(file, "a\t%s\t", m->asked);
		for (uint32_t k = 0; k < m->name_count; k++)
			fprintf(file, k ? ",%llu" : "%llu", (unsigned long long)m->names[k]);
		if (m->asked)
			fputs(m->name_count ? "\n" : "-\n", file);
	}
	fprintf(file, "end\t%u\n", s->functions);
}

static inline void made_write_rows(const struct pathsession *s, uint32_t copy, uint32_t process, uint32_t lane, struct rawmake *raw)
{
	uint64_t *count = rawmake_table(raw, RAW_PATHS_COUNTS, lane, sizeof *count, made_first(s->functions));
	for (uint32_t i = 0; i < s->functions; i++) {
		const struct made *m = &s->made[i];
		const struct made_lane *l = &m->lane[copy][process][lane];
		count[made_first(i)] = s->copies > 1 ? l->entries : 0;
		for (uint32_t k = 0; k < l->keys; k++)
			if (l->key[k].key < made_array(m, copy))
				count[made_first(i) + 1 + l->key[k].key] = l->key[k].value;
	}
	for (uint32_t i = 0; i < s->functions; i++) {
		const struct made_lane *l = &s->made[i].lane[copy][process][lane];
		struct raw_paths_key *key = rawmake_table(raw, RAW_PATHS_KEYS, lane, sizeof *key, l->keys + l->prefixes + 1);
		for (uint32_t k = 0; k < l->keys; k++)
			if (l->key[k].key >= made_array(&s->made[i], copy))
				*key++ = l->key[k];
		for (uint32_t k = 0; k < l->prefixes; k++)
			*key++ = (struct raw_paths_key){i, RAW_PATHS_PREFIX, l->prefix[k], k + 1};
		struct raw_paths_stop *stop = rawmake_table(raw, RAW_PATHS_STOPS, lane, sizeof *stop, l->stops);
		memcpy(stop, l->stop, l->stops * sizeof *stop);
	}
}

static inline void pathsession_write(const struct pathsession *s, const char *folder)
{
	static const char *const share[] = {"all", "p3", "best"};
	for (uint32_t c = 0; c < s->copies; c++) {
		char at[256], path[320], text[1024];
		snprintf(at, sizeof at, c ? "%s/copy-%u" : "%s", folder, c);
		mkdir(at, 0700);
		snprintf(
			text, sizeof text,
			"lens\tpaths\nmode\tpaths\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog 2\nobject\t/home/me/prog\t/cache/prog\t%s/table\tb1d\n"
			"copies\t%u\ncopy\t%u\nshare\t%s\n",
			at, s->copies, c, s->pbl ? "pbl" : share[s->how]);
		rawmake_text(at, "session", text);
		rawmake_text(at, "begun", "");
		snprintf(path, sizeof path, "%s/table", at);
		FILE *file = fopen(path, "w");
		fputs("skein-table\t2\no\tb1d\tpaths\n", file);
		for (uint32_t i = 0; i < s->functions; i++)
			fprintf(file, "r\t%u\t%s\t/src/prog.c\t%u\t-\n", i, s->made[i].name, s->made[i].line);
		fprintf(file, "end\t%u\t0\n", s->functions);
		fclose(file);
		snprintf(path, sizeof path, "%s/shape", at);
		file = fopen(path, "w");
		made_write_shape(s, c, file);
		fclose(file);
		for (uint32_t p = 0; p < MADE_PROCESSES; p++) {
			struct rawmake raw;
			rawmake_start(&raw, p ? RAW_FINISHED | RAW_FORKED : RAW_FINISHED);
			raw.file->lens = RAW_LENS_PATHS;
			raw.file->pid += p;
			raw.file->start_ns += p;
			raw.file->threads = MADE_LANES;
			raw.file->last_ns -= 100000000 * c;
			raw.file->lost[RAW_LOST_NO_MEMORY] = c;
			rawmake_object(&raw, 0, 1, s->functions, "b1d", "table", "/cache/prog");
			for (uint32_t l = 0; l < MADE_LANES; l++) {
				rawmake_thread(&raw, l, l, 0, 1000000000, l ? "worker" : "prog");
				made_write_rows(s, c, p, l, &raw);
			}
			snprintf(path, sizeof path, "%s/%u.raw", at, p);
			rawmake_write(&raw, path);
			rawmake_free(&raw);
		}
	}
}

#endif
