/* SPDX-License-Identifier: MIT */
/* lcct_make.h: a tree whose memory is here, paths to insert, and what trees say: their projections, and how large a naive one would be. */
#ifndef SKEIN_LCCTMAKE_H
#define SKEIN_LCCTMAKE_H

#include "unit/lib.h"

#include "core/idle/lcct.h"

enum { MEMORY_BYTES = 32 << 20, ROWS = 1 << 20, CHUNK_ROWS = 2 * LCCT_ROWS, PATH = 24, THREADS = 4 };

/* ---- a port whose memory is here, may be little, and may be interrupted ---- */

struct chunk {
	uint32_t first, count;
	_Atomic uint32_t used;
};

static struct {
	_Alignas(16) char memory[MEMORY_BYTES];
	struct lcct_node rows[ROWS];
	struct chunk chunks[ROWS / CHUNK_ROWS];
	_Atomic uint32_t memory_used, rows_used, chunks_used;
	uint32_t memory_limit, rows_limit;
	void (*interrupt)(void); /* comes while a port function is called */
} port;
static struct lcct tree;

static void be_interrupted(void)
{
	void (*interrupt)(void) = port.interrupt;
	if (!interrupt)
		return;
	port.interrupt = NULL;
	interrupt();
	port.interrupt = interrupt;
}

static struct lcct_node *take_rows(void *context, uint32_t first, uint32_t *count, void **chunk)
{
	assert_ptr_equal(context, &port);
	be_interrupted();
	uint32_t at = atomic_fetch_add(&port.rows_used, CHUNK_ROWS);
	if (at + CHUNK_ROWS > port.rows_limit)
		return NULL;
	struct chunk *c = &port.chunks[atomic_fetch_add(&port.chunks_used, 1)];
	c->first = first;
	*count = c->count = CHUNK_ROWS;
	*chunk = c;
	return &port.rows[at];
}

static void use_rows(void *chunk, uint32_t rows)
{
	struct chunk *c = chunk;
	assert_in_range(rows, 1, c->count);
	uint32_t used = atomic_load(&c->used);
	while (used < rows && !atomic_compare_exchange_weak(&c->used, &used, rows))
		;
	be_interrupted();
}

static void *take_memory(void *context, size_t bytes)
{
	assert_ptr_equal(context, &port);
	be_interrupted();
	bytes = (bytes + 15) & ~(size_t)15;
	uint32_t at = atomic_fetch_add(&port.memory_used, (uint32_t)bytes);
	if (at + bytes <= port.memory_limit)
		return port.memory + at;
	atomic_fetch_sub(&port.memory_used, (uint32_t)bytes);
	return NULL;
}

static const struct lcct_port functions = {take_rows, use_rows, take_memory};

static void start(void)
{
	uint32_t rows = port.rows_used < ROWS ? port.rows_used : ROWS, nodes = tree.next ? tree.next - 1 : 0;
	bool in_order = port.chunks_used * CHUNK_ROWS == rows;
	memset(port.memory, 0, port.memory_used);
	memset(port.rows, 0, (in_order && nodes < rows ? nodes : rows) * sizeof *port.rows);
	memset(port.chunks, 0, sizeof port.chunks);
	memset(tree.pages, 0, rows / LCCT_ROWS * sizeof *tree.pages);
	port.memory_used = port.rows_used = port.chunks_used = 0;
	port.memory_limit = MEMORY_BYTES;
	port.rows_limit = ROWS;
	port.interrupt = NULL;
	lcct_start(&tree, &functions, &port);
}

static uint32_t nodes_in(void)
{
	uint32_t complete = 0;
	for (uint32_t c = 0; c < port.chunks_used; c++)
		for (uint32_t i = 0; i < port.chunks[c].used; i++)
			complete += port.rows[c * CHUNK_ROWS + i].association != 0;
	return complete;
}

/* ---- paths ---- */

struct bichord {
	uint32_t pnotes, lnotes;
	uint64_t p[3], l[3]; /* outermost first */
};

struct path {
	uint32_t bichords;
	struct bichord b[4];
	uint64_t times;
};

static size_t write_path(const struct path *path, struct lcct_x *x)
{
	size_t count = 0;
	for (uint32_t i = 0; i < path->bichords; i++) {
		const struct bichord *b = &path->b[i];
		uint8_t association = !b->lnotes ? b->pnotes > 1 ? SKEIN_M_0 : SKEIN_1_0
			: b->lnotes > 1          ? SKEIN_1_M
			: b->pnotes > 1          ? SKEIN_M_1
						 : SKEIN_1_1;
		for (uint32_t n = 0; n < b->pnotes || n < b->lnotes; n++)
			x[count++] = (struct lcct_x){n < b->pnotes ? b->p[n] : 0, n < b->lnotes ? b->l[n] : 0, n + 1, association};
	}
	return count;
}

static uint32_t insert(const struct path *path)
{
	struct lcct_x x[PATH];
	return lcct_insert(&tree, x, write_path(path, x));
}

static struct bichord bichord(uint32_t kind, uint64_t letters, unsigned *seed)
{
	struct bichord b = {.pnotes = kind == SKEIN_M_0 || kind == SKEIN_M_1 ? 2 + rand_r(seed) % 2 : 1,
	                    .lnotes = kind == SKEIN_1_0 || kind == SKEIN_M_0 ? 0
	                            : kind == SKEIN_1_M                      ? 2 + rand_r(seed) % 2
	                                                                     : 1};
	for (int i = 0; i < 3; i++) {
		b.p[i] = i < (int)b.pnotes ? 1 + rand_r(seed) % letters : 0;
		b.l[i] = i < (int)b.lnotes ? 1 + rand_r(seed) % letters : 0;
	}
	return b;
}

static struct path random_path(uint64_t letters, unsigned *seed)
{
	struct path path = {.bichords = 1 + rand_r(seed) % 4, .times = 1 + rand_r(seed) % 5};
	for (uint32_t i = 0; i < path.bichords; i++)
		path.b[i] = bichord(rand_r(seed) % 5, letters, seed);
	return path;
}

/* ---- the naive tree ---- */

static size_t naive_nodes(const struct path *paths, size_t count)
{
	struct {
		size_t parent;
		struct bichord b;
	} *all = calloc(4 * count + 1, sizeof *all);
	size_t used = 1, notes = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t at = 0, next, n = 0; n < paths[i].bichords; n++, at = next) {
			const struct bichord *b = &paths[i].b[n];
			for (next = 1; next < used && (all[next].parent != at || memcmp(&all[next].b, b, sizeof *b)); next++)
				;
			if (next < used)
				continue;
			all[used].parent = at;
			all[used++].b = *b;
			notes += b->pnotes > b->lnotes ? b->pnotes : b->lnotes;
		}
	free(all);
	return notes;
}

/* ---- projections: lines of text with counts ---- */

struct line {
	char text[120];
	uint64_t times;
};
struct lines {
	struct line *line;
	size_t count, room;
};

static void add_line(struct lines *to, const uint64_t *places, size_t count, uint64_t times)
{
	if (to->count == to->room)
		to->line = realloc(to->line, (to->room = 2 * to->room + 64) * sizeof *to->line);
	struct line *line = &to->line[to->count++];
	int at = 0;
	line->text[0] = 0;
	for (size_t i = 0; i < count; i++)
		if (places[i])
			at += snprintf(line->text + at, sizeof line->text - (size_t)at, "%lu ", (unsigned long)places[i]);
	line->times = times;
}

static int in_order(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

static void sum_up(struct lines *lines)
{
	size_t to = 0;
	if (lines->count)
		qsort(lines->line, lines->count, sizeof *lines->line, in_order);
	for (size_t i = 0; i < lines->count; i++)
		if (to && !strcmp(lines->line[to - 1].text, lines->line[i].text))
			lines->line[to - 1].times += lines->line[i].times;
		else
			lines->line[to++] = lines->line[i];
	lines->count = to;
}

static void same_lines(struct lines *expected, struct lines *actual)
{
	sum_up(expected);
	sum_up(actual);
	assert_int_equal(expected->count, actual->count);
	for (size_t i = 0; i < expected->count; i++) {
		assert_string_equal(expected->line[i].text, actual->line[i].text);
		assert_int_equal(expected->line[i].times, actual->line[i].times);
	}
	free(expected->line);
	free(actual->line);
}

static void same_projections(const struct path *paths, size_t count, const uint64_t *times_in_node)
{
	struct lines expected[2] = {0}, actual[2] = {0};
	uint64_t places[2][PATH];
	struct lcct_x x[PATH];
	for (size_t i = 0; i < count; i++) {
		size_t notes = write_path(&paths[i], x);
		for (size_t n = 0; n < notes; n++) {
			places[0][n] = x[n].ip;
			places[1][n] = x[n].lip;
		}
		add_line(&expected[0], places[0], notes, paths[i].times);
		add_line(&expected[1], places[1], notes, paths[i].times);
	}
	for (uint32_t node = 1; node < tree.next; node++) {
		size_t at = PATH;
		for (uint32_t n = times_in_node[node] ? node : 0; n; n = lcct_at(&tree, n)->parent) {
			assert_true(lcct_at(&tree, n)->association);
			assert_true(lcct_at(&tree, n)->parent < n);
			places[0][--at] = lcct_at(&tree, n)->ip;
			places[1][at] = lcct_at(&tree, n)->lip;
		}
		for (int k = 0; k < 2 && times_in_node[node]; k++)
			add_line(&actual[k], places[k] + at, PATH - at, times_in_node[node]);
	}
	same_lines(&expected[0], &actual[0]);
	same_lines(&expected[1], &actual[1]);
}

#endif
