/* SPDX-License-Identifier: MIT */
/* division: random programs of several pieces. Each path of each function is counted by a copy, what a copy is told agrees with what reports are
 * told, and a piece that tells nonsense is refused. */
#include "unit/lib.h"

#include "analyse/paths/paths.h"
#include "base/strv.h"
#include "relink/pieces/division.h"

enum { PIECES = 4, FUNCTIONS = 4, BLOCKS = 6, COPIES = 3, PATHS = 3000 };

static uint64_t random_state = 1407;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

/* ---- what pieces tell ---- */

/* Every second number is that of a routine that is not profiled. */
static unsigned routine_of(unsigned function)
{
	return 2 * function + 1;
}

static void write_function(FILE *to, unsigned function)
{
	unsigned blocks = 1 + random_below(BLOCKS), edges = 0;
	struct {
		unsigned from, to;
	} edge[3 * BLOCKS];

	for (unsigned b = 0; b < blocks; b++)
		for (unsigned n = 1 + random_below(3); n > 0; n--, edges++)
			edge[edges].from = b, edge[edges].to = b + 1 == blocks ? blocks : random_below(blocks + 1);
	fprintf(to, "f\t%u\t%u\t%u\t-\t0\t0\t-\n", routine_of(function), blocks, edges);
	for (unsigned b = 0; b < blocks; b++)
		fprintf(to, "b\t3\t%u\t-\n", random_below(8) == 0);
	for (unsigned e = 0; e < edges; e++) {
		fprintf(to, "e\t%u\t", edge[e].from);
		fprintf(to, edge[e].to == blocks ? "x" : "%u", edge[e].to);
		fprintf(to, "\t0\t%a\n", random_below(100) / 4.0);
	}
	fprintf(to, "e\t-\t-\t0\t%a\n", random_below(4) ? 1.0 + random_below(9) : 0.0);
}

/* Names of which several pieces have one: for all, or each its own. */
static void write_name(FILE *to, const char *key, unsigned function, unsigned named)
{
	fprintf(to, "%s\t%u\t%c%s%u", key, routine_of(function), named % 3 ? '+' : '-', named == 1 ? "main" : "f", named);
}

static void write_piece(const char *path)
{
	FILE *to = fopen(path, "w");
	unsigned functions = random_below(FUNCTIONS + 1);

	fprintf(to, "skein-shape\t1\no\tabc\t0\t1\tall\n");
	for (unsigned f = 0; f < functions; f++)
		write_function(to, f);
	for (unsigned f = 0; f < functions; f++) {
		write_name(to, "w", f, f + random_below(3) * FUNCTIONS);
		fputs(random_below(4) ? "\t-\n" : "\ta\n", to);
		for (unsigned n = random_below(4); n > 0; n--) {
			write_name(to, "k", f, random_below(3 * FUNCTIONS));
			fprintf(to, "\t%a\n", random_below(30) / 3.0);
		}
	}
	fprintf(to, "end\t%u\t0\n", functions);
	fclose(to);
}

/* ---- what comes of it ---- */

struct chosen {
	uint8_t *by[COPIES]; /* NULL: the copy counts nothing of the function */
};

static char *told(const struct division *d, size_t piece, uint32_t copy)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	division_write(d, piece, copy, to);
	fclose(to);
	return text;
}

/* The line about a routine, as far as it says what is chosen. */
static char *line_about(const char *text, uint32_t routine)
{
	for (const char *at = text; *at; at = strchr(at, '\n') + 1)
		if (strtoul(at, NULL, 10) == routine) {
			const char *chosen = strchr(strchr(at, '\t') + 1, '\t') + 1;
			return strndup(chosen, strcspn(chosen, "\n"));
		}
	return NULL;
}

static void read_parts(const struct division *d, size_t piece, size_t function, uint32_t arcs, struct chosen *chosen)
{
	char *text = NULL, *rest;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	division_write_parts(d, piece, function, to);
	fclose(to);
	rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && *line;) {
		unsigned copy = (unsigned)strtoul(line + 2, NULL, 10);
		const char *digits = strrchr(line, '\t') + 1;
		assert_in_range(copy, 0, COPIES - 1);
		chosen->by[copy] = calloc(arcs + 1, 1);
		assert_true(shape_chosen(&(struct shape_part){copy, *digits == '*' ? NULL : digits}, arcs, chosen->by[copy]));
		char *all = told(d, piece, copy), *own = line_about(all, d->shapes[piece].functions[function].routine);
		assert_string_equal(own, digits);
		free(own);
		free(all);
	}
	for (uint32_t copy = 0; copy < COPIES; copy++) {
		char *all = told(d, piece, copy), *own = line_about(all, d->shapes[piece].functions[function].routine);
		assert_int_equal(own != NULL, chosen->by[copy] != NULL);
		free(own);
		free(all);
	}
	free(text);
}

struct walk {
	const struct paths_graph *g;
	const struct chosen *chosen;
	unsigned paths;
};

/* Every way from `vertex` to the exit; copies: those that have all arcs so far. */
static void follow(struct walk *w, uint32_t vertex, unsigned copies)
{
	if (w->paths > PATHS)
		return;
	if (vertex == w->g->exit) {
		w->paths++;
		assert_int_not_equal(copies, 0);
		return;
	}
	for (uint32_t a = w->g->out[vertex]; a < w->g->out[vertex + 1]; a++) {
		unsigned left = copies;
		for (unsigned c = 0; c < COPIES; c++)
			if (left & 1u << c && !w->chosen->by[c][a])
				left &= ~(1u << c);
		follow(w, w->g->arc[a].to, left);
	}
}

static void check_function(const struct division *d, size_t piece, size_t function)
{
	struct paths_memory memory;
	struct paths_graph g;
	double *weights;
	struct chosen chosen = {0};
	struct paths_body body = shape_body(&d->shapes[piece], &d->shapes[piece].functions[function]);
	unsigned copies = 0;

	paths_memory_start(&memory);
	assert_int_equal(paths_body_graph(&body, &g, &weights, &memory), PATHS_OK);
	read_parts(d, piece, function, g.arcs, &chosen);
	for (unsigned c = 0; c < COPIES; c++)
		copies |= (chosen.by[c] != NULL) << c;
	struct walk walk = {.g = &g, .chosen = &chosen};
	follow(&walk, g.entry, copies);
	for (unsigned c = 0; c < COPIES; c++)
		free(chosen.by[c]);
	paths_memory_free(&memory);
}

static void every_path_is_counted_by_a_copy(void **state)
{
	static const char *const shares[] = {"best", "p3", "pbl", NULL};
	struct fail why;
	(void)state;

	for (unsigned round = 0; round < 400; round++) {
		struct division d = {0};
		struct division_how how = {.copies = COPIES, .share = shares[round % 4], .turns = round % 3 == 0};
		for (unsigned p = 0; p < PIECES; p++) {
			write_piece("piece");
			assert_int_equal(division_add(&d, "piece", &why), 0);
		}
		assert_int_equal(division_solve(&d, &how, &why), 0);
		for (size_t p = 0; p < PIECES; p++)
			for (size_t f = 0; f < d.shapes[p].function_count; f++)
				check_function(&d, p, f);
		division_free(&d);
	}
}

static void a_light_function_is_at_home_whatever_others_weigh(void **state)
{
	enum { LIGHT = 3000 };
	struct fail why;
	char *before[COPIES] = {0};
	(void)state;

	for (unsigned round = 0; round < 20; round++) {
		struct division d = {0};
		for (unsigned p = 0; p < 2; p++) {
			FILE *to = fopen("piece", "w");
			unsigned functions = p ? 1 : LIGHT;
			fprintf(to, "skein-shape\t1\no\tabc\t0\t1\tall\n");
			for (unsigned f = 0; f < functions; f++)
				fprintf(to, "f\t%u\t1\t1\t-\t0\t0\t-\nb\t1\t0\t-\ne\t0\tx\t0\t0x1p+0\ne\t-\t-\t0\t0x1p+0\n", f);
			for (unsigned f = 0; f < functions && !p; f++)
				fprintf(to, "w\t%u\t+light%u\t-\n", f, f);
			if (p)
				fprintf(to, "w\t0\t+heavy\t-\nk\t0\t+light0\t%a\n", 1.0 + round * 1e-3);
			fprintf(to, "end\t%u\t0\n", functions);
			fclose(to);
			assert_int_equal(division_add(&d, "piece", &why), 0);
		}
		assert_int_equal(division_solve(&d, &(struct division_how){.copies = COPIES}, &why), 0);
		for (uint32_t c = 0; c < COPIES; c++) {
			char *now = told(&d, 0, c);
			if (before[c])
				assert_string_equal(before[c], now);
			free(before[c]);
			before[c] = now;
		}
		assert_string_equal(before[1], "");
		assert_string_equal(before[2], "");
		division_free(&d);
	}
	for (uint32_t c = 0; c < COPIES; c++)
		free(before[c]);
}

static void nonsense_is_refused(void **state)
{
	static const char head[] =
		"skein-shape\t1\no\tabc\t0\t1\tall\nf\t3\t1\t1\t-\t0\t0\t-\nb\t1\t0\t-\ne\t0\tx\t0\t0x1p+0\ne\t-\t-\t0\t0x1p+0\n";
	static const char *const rest[] = {"end\t1\t0\n",
	                                   "w\t4\t+f\t-\nend\t1\t0\n",
	                                   "w\t3\tf\t-\nend\t1\t0\n",
	                                   "w\t3\t+f\t-\nw\t3\t+f\t-\nend\t1\t0\n",
	                                   "k\t3\t+f\t1\nw\t3\t+f\t-\nend\t1\t0\n",
	                                   "w\t3\t+f\t-\nk\t3\t+f\t-1\nend\t1\t0\n",
	                                   "w\t3\t+f\t-\nk\t3\t+f\tnan\nend\t1\t0\n",
	                                   "w\t3\t+f\t-\nk\t3\t+f\t\nend\t1\t0\n",
	                                   "w\t3\t+f\t-\n"};
	struct fail why;
	char text[1000];
	(void)state;

	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
		struct division d = {0};
		snprintf(text, sizeof text, "%s%s", head, rest[i]);
		lib_write("piece", text);
		assert_int_equal(division_add(&d, "piece", &why), -1);
		division_free(&d);
	}
	struct division d = {0};
	assert_int_equal(division_add(&d, "absent", &why), -1);
	division_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_path_is_counted_by_a_copy, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(a_light_function_is_at_home_whatever_others_weigh, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(nonsense_is_refused, lib_enter, lib_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
