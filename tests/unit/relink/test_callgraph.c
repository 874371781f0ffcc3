/* SPDX-License-Identifier: MIT */
/* callgraph: what is proved about functions, as a slow and obvious version has it, for random programs of several pieces. */
#include "unit/lib.h"

#include "relink/pieces/callgraph.h"

enum { PIECES = 3, FUNCTIONS = 7, CALLS = 3, NODES = (PIECES + 1) * FUNCTIONS, OUTSIDE = NODES };

/* Function f of piece p is called "f", and is for all if is_local is not set; several pieces may then have it. */
struct function {
	bool is_there, is_local, steady, is_leaf, is_unclear, is_weak, is_quiet[CALLS];
	unsigned calls, callee[CALLS];
};

struct program {
	struct function at[PIECES][FUNCTIONS];
	bool odd[PIECES][FUNCTIONS];                         /* the piece calls f in a way that has no site */
	bool is_no_routine[FUNCTIONS], is_native[FUNCTIONS]; /* some object has such an f, for all */
	bool is_program, is_general;
};

static uint64_t random_state = 815;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

static struct function invent_function(void)
{
	struct function f = {.is_there = random_below(2),
	                     .is_local = random_below(3) == 0,
	                     .steady = random_below(8),
	                     .is_unclear = random_below(12) == 0,
	                     .is_weak = random_below(8) == 0,
	                     .calls = random_below(CALLS + 1)};
	f.is_leaf = !f.calls && random_below(4);
	for (unsigned c = 0; c < f.calls; c++) {
		f.callee[c] = random_below(FUNCTIONS);
		f.is_quiet[c] = random_below(2);
	}
	return f;
}

static struct program invent(void)
{
	struct program p = {.is_program = random_below(3), .is_general = random_below(10) == 0};

	for (unsigned o = 0; o < PIECES; o++)
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			p.at[o][f] = invent_function();
			p.odd[o][f] = random_below(10) == 0;
		}
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		p.is_no_routine[f] = random_below(15) == 0;
		p.is_native[f] = random_below(15) == 0;
	}
	return p;
}

/* ---- slow ---- */

struct slow {
	bool is_routine[NODES], steady[NODES + 1], leaf[NODES], outside[NODES], unknown[NODES];
	bool edge[NODES + 1][NODES + 1], reach[NODES + 1][NODES + 1];
};

static unsigned node_of(const struct program *p, unsigned piece, unsigned f)
{
	const struct function *at = &p->at[piece][f];
	return (at->is_there && at->is_local ? piece : PIECES) * FUNCTIONS + f;
}

static void add_function(struct slow *s, const struct program *p, unsigned piece, unsigned f)
{
	const struct function *at = &p->at[piece][f];
	unsigned n = node_of(p, piece, f);

	s->outside[n] |= p->odd[piece][f];
	if (!at->is_there)
		return;
	s->steady[n] = (s->steady[n] || !s->is_routine[n]) && at->steady && !p->is_general;
	s->leaf[n] = (s->leaf[n] || !s->is_routine[n]) && at->is_leaf;
	s->is_routine[n] = true;
	s->unknown[n] |= at->is_weak && !p->is_program;
	s->edge[n][OUTSIDE] |= at->is_unclear;
}

static void add_calls(struct slow *s, const struct program *p, unsigned piece, unsigned f)
{
	const struct function *at = &p->at[piece][f];
	for (unsigned c = 0; at->is_there && c < at->calls; c++) {
		unsigned from = node_of(p, piece, f), to = node_of(p, piece, at->callee[c]);
		if (s->unknown[to] || (!s->is_routine[to] && !at->is_quiet[c]))
			s->edge[from][OUTSIDE] = true;
		else if (s->is_routine[to])
			s->edge[from][to] = true;
	}
}

static void think(struct slow *s, const struct program *p)
{
	memset(s, 0, sizeof *s);
	for (unsigned i = 0; i < PIECES * FUNCTIONS; i++)
		add_function(s, p, i / FUNCTIONS, i % FUNCTIONS);
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		unsigned n = PIECES * FUNCTIONS + f;
		s->unknown[n] |= p->is_no_routine[f] || (p->is_native[f] && s->is_routine[n]);
		s->outside[n] |= s->unknown[n];
	}
	for (unsigned n = 0; n < NODES; n++)
		s->edge[OUTSIDE][n] = s->is_routine[n] && (s->outside[n] |= s->unknown[n]);
	for (unsigned i = 0; i < PIECES * FUNCTIONS; i++)
		add_calls(s, p, i / FUNCTIONS, i % FUNCTIONS);
	memcpy(s->reach, s->edge, sizeof s->reach);
	for (unsigned k = 0; k <= NODES; k++)
		for (unsigned i = 0; i <= NODES; i++)
			for (unsigned j = 0; j <= NODES; j++)
				s->reach[i][j] |= s->reach[i][k] && s->reach[k][j];
}

static bool is_steady(const struct slow *s, unsigned n)
{
	bool steady = s->steady[n] && !s->reach[n][OUTSIDE];
	for (unsigned m = 0; m < NODES; m++)
		steady = steady && (!s->reach[n][m] || s->steady[m]);
	return steady;
}

/* ---- as pieces tell it ---- */

static void tell(const struct program *p, unsigned piece, FILE *to)
{
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		const struct function *at = &p->at[piece][f];
		char scope = at->is_there && at->is_local ? '-' : '+';
		if (at->is_there)
			fprintf(to, "f\t%c%u\t-%s%s%s%s", scope, f, at->steady ? "s" : "", at->is_leaf ? "l" : "",
			        at->is_unclear ? "u" : "", at->is_weak ? "w" : "");
		for (unsigned c = 0; at->is_there && c < at->calls; c++) {
			const struct function *callee = &p->at[piece][at->callee[c]];
			fprintf(to, "\t%c%c%u", at->is_quiet[c] ? 'q' : 'f', callee->is_there && callee->is_local ? '-' : '+',
			        at->callee[c]);
		}
		fputs(at->is_there ? "\n" : "", to);
		if (p->odd[piece][f])
			fprintf(to, "o\t%c%u\n", scope, f);
		if (p->is_no_routine[f] && piece == f % PIECES)
			fprintf(to, "x\t+%u\n", f);
	}
}

static void solve(struct callgraph *g, const struct program *p)
{
	for (unsigned piece = 0; piece < PIECES; piece++) {
		char *text;
		size_t size;
		FILE *to = open_memstream(&text, &size);
		tell(p, piece, to);
		fclose(to);
		callgraph_add(g, text, size);
		free(text);
	}
	for (unsigned f = 0; f < FUNCTIONS; f++) {
		char name[8];
		snprintf(name, sizeof name, "%u", f);
		if (p->is_native[f])
			callgraph_replace(g, name);
	}
	callgraph_solve(g, p->is_program, p->is_general);
}

/* All lines of a piece; what they say of components goes to `component` by node. */
static unsigned compare(const struct program *p, const struct slow *s, struct callgraph *g, unsigned piece, unsigned component[NODES])
{
	char *text, *rest, scope, flags[8];
	size_t size;
	unsigned f, number, lines = 0;
	FILE *to = open_memstream(&text, &size);

	callgraph_write(g, piece, to);
	fclose(to);
	rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && *line; lines++) {
		assert_int_equal(sscanf(line, "%c%u\t-%7[a-z]\t%u", &scope, &f, flags, &number) == 4 ||
		                         (*flags = 0, sscanf(line, "%c%u\t-\t%u", &scope, &f, &number) == 3),
		                 1);
		unsigned n = (scope == '-' ? piece : PIECES) * FUNCTIONS + f;
		assert_int_equal(scope == '-', p->at[piece][f].is_there && p->at[piece][f].is_local);
		assert_true(s->is_routine[n] || s->unknown[n]);
		assert_int_equal(!!strchr(flags, 'x'), s->unknown[n]);
		assert_int_equal(!!strchr(flags, 'o'), s->outside[n]);
		component[n] = number;
		if (!s->is_routine[n])
			continue;
		assert_int_equal(!!strchr(flags, 's'), is_steady(s, n));
		assert_int_equal(!!strchr(flags, 'r'), s->reach[n][n]);
		assert_int_equal(!!strchr(flags, 'l'), s->leaf[n]);
	}
	free(text);
	return lines;
}

static void random_programs_agree(void **state)
{
	(void)state;
	unsigned long lines = 0;
	for (int round = 0; round < 5000; round++) {
		struct program p = invent();
		struct slow s;
		struct callgraph g = {0};
		think(&s, &p);
		solve(&g, &p);
		for (unsigned piece = 0; piece < PIECES; piece++) {
			unsigned component[NODES] = {0};
			lines += compare(&p, &s, &g, piece, component);
			for (unsigned f = 0; f < FUNCTIONS; f++) /* whatever it has is told */
				assert_true(!p.at[piece][f].is_there || component[node_of(&p, piece, f)]);
			for (unsigned a = 0; a < NODES; a++)
				for (unsigned b = 0; b < NODES; b++)
					if (component[a] && component[b] && s.is_routine[a] && s.is_routine[b])
						assert_int_equal(component[a] == component[b], a == b || (s.reach[a][b] && s.reach[b][a]));
		}
		callgraph_free(&g);
	}
	assert_true(lines > 50000);
}

static bool is_in(void *list, const char *name)
{
	for (const char *const *at = list; *at; at++)
		if (strcmp(*at, name) == 0)
			return true;
	return false;
}

/* An archive's member that the linker left out, since a library has the function: calls of it do not reach the member's. */
static void what_the_linker_took_elsewhere_is_noticed(void **state)
{
	(void)state;
	static const char user[] = "f\t+main\t-s\tf+deflate\n", member[] = "f\t+deflate\t-sl\nf\t+unused\t-s\tf+deflate\n";
	const char *taken[] = {"main", "deflate", NULL}, *left[] = {"main", NULL}, *neither[] = {"printf", NULL};
	struct callgraph g = {0};

	callgraph_add(&g, user, sizeof user - 1);
	callgraph_add(&g, member, sizeof member - 1);
	callgraph_solve(&g, true, false);
	assert_null(callgraph_broken(&g, is_in, taken));
	assert_string_equal(callgraph_broken(&g, is_in, left), "deflate");
	assert_null(callgraph_broken(&g, is_in, neither));
	callgraph_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_agree),
		cmocka_unit_test(what_the_linker_took_elsewhere_is_noticed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
