/* SPDX-License-Identifier: MIT */
/* loops: natural loops of random graphs as a slow search finds them, and the loops of compiled programs where their source has them. */
#include "unit/lib.h"

#include "analyse/symbols/loops.h"
#include "analyse/symbols/symbols.h"

static uint64_t random_state = 20010101;
static char folder[] = "/tmp/skein-loops-XXXXXX";

static unsigned random_below(size_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

/* ---- graphs ---- */

enum { MOST = 14 };

struct plain {
	unsigned count;
	bool edge[MOST][MOST];
	uint32_t first[MOST + 1], to[MOST * MOST];
};

static void make_graph(struct plain *p, unsigned count, unsigned edges)
{
	uint32_t filled = 0;
	*p = (struct plain){.count = count};
	for (unsigned i = 0; i < edges; i++)
		p->edge[random_below(count)][random_below(count)] = true;
	for (unsigned i = 0; i + 1 < count; i++) /* much of it falls through, as code does */
		if (random_below(4))
			p->edge[i][i + 1] = true;
	for (unsigned i = 0; i < count; i++) {
		p->first[i] = filled;
		for (unsigned k = 0; k < count; k++)
			if (p->edge[i][k])
				p->to[filled++] = k;
	}
	p->first[count] = filled;
}

/* What can be reached from a node along edges (or against them) without passing `without`, itself included. */
static unsigned reach(const struct plain *p, unsigned from, int without, bool against, unsigned among)
{
	unsigned seen = (int)from == without ? 0 : 1u << from;
	for (bool more = true; more;) {
		more = false;
		for (unsigned a = 0; a < p->count; a++)
			for (unsigned b = 0; b < p->count; b++)
				if (p->edge[a][b]) {
					unsigned x = against ? b : a, y = against ? a : b;
					if (seen >> x & 1 && !(seen >> y & 1) && (int)y != without && among >> y & 1) {
						seen |= 1u << y;
						more = true;
					}
				}
	}
	return seen;
}

/* The entry each node belongs to, by the rule of loops_graph.h. */
static void find_regions(const struct plain *p, unsigned entry_of[MOST])
{
	unsigned reached = 0, targets = 0, all = (1u << p->count) - 1;
	for (unsigned a = 0; a < p->count; a++)
		for (unsigned b = 0; b < p->count; b++)
			if (p->edge[a][b])
				targets |= 1u << b;
	for (int round = 0; round < 3; round++)
		for (unsigned i = 0; i < p->count; i++) {
			if (reached >> i & 1 || (round == 0 && i != 0) || (round == 1 && targets >> i & 1))
				continue;
			unsigned mine = reach(p, i, -1, false, all & ~reached);
			for (unsigned k = 0; k < p->count; k++)
				if (mine >> k & 1)
					entry_of[k] = i;
			reached |= mine;
		}
}

/* The nodes of the loop with that head, 0 if it heads none. */
static unsigned slow_loop(const struct plain *p, const unsigned entry_of[MOST], unsigned head)
{
	unsigned body = 0, region = 0;
	for (unsigned i = 0; i < p->count; i++)
		if (entry_of[i] == entry_of[head])
			region |= 1u << i;
	unsigned past = entry_of[head] == head ? 0 : reach(p, entry_of[head], (int)head, false, region);
	for (unsigned latch = 0; latch < p->count; latch++)
		if (p->edge[latch][head] && region >> latch & 1 && (latch == head || !(past >> latch & 1)))
			body |= 1u << head | reach(p, latch, (int)head, true, region);
	return body;
}

static void check_graph(const struct plain *p)
{
	unsigned entry_of[MOST], bodies[MOST], loops = 0;
	struct loops_graph g = {.count = p->count, .first = p->first, .to = p->to};
	loops_graph_find(&g);
	find_regions(p, entry_of);
	for (unsigned h = 0; h < p->count; h++) {
		bodies[h] = slow_loop(p, entry_of, h);
		loops += bodies[h] != 0;
	}
	assert_int_equal(g.loop_count, loops);
	for (uint32_t l = 0; l < g.loop_count; l++) {
		unsigned mine = bodies[g.heads[l]], around = 0;
		assert_true(mine);
		for (unsigned i = 0; i < p->count; i++)
			assert_int_equal(loops_graph_holds(&g, l, i), mine >> i & 1);
		for (unsigned h = 0; h < p->count; h++) /* the smallest that holds it and more */
			if (h != g.heads[l] && (bodies[h] & mine) == mine && (!around || (bodies[h] & around) == bodies[h]))
				around = bodies[h];
		assert_int_equal(g.parents[l] == LOOPS_NONE, around == 0);
		if (around) {
			assert_true(g.parents[l] > l);
			assert_int_equal(bodies[g.heads[g.parents[l]]], around);
		}
	}
	loops_graph_free(&g);
}

static void loops_of_random_graphs_are_as_a_slow_search_finds_them(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		struct plain p;
		unsigned count = 1 + random_below(MOST);
		make_graph(&p, count, random_below(2 * count + 1));
		check_graph(&p);
	}
}

/* ---- code ---- */

static void code_by_hand(void **state)
{
	static const unsigned char code[] = {
		0x31, 0xc0,       /* 0: xor %eax,%eax */
		0x31, 0xc9,       /* 2: xor %ecx,%ecx       head of the outer loop */
		0xff, 0xc1,       /* 4: inc %ecx            head of the inner loop */
		0x83, 0xf9, 0x05, /* 6: cmp $5,%ecx */
		0x75, 0xf9,       /* 9: jne 4 */
		0xff, 0xc0,       /* 11: inc %eax */
		0x83, 0xf8, 0x05, /* 13: cmp $5,%eax */
		0x7f, 0x02,       /* 16: jg 20 */
		0xeb, 0xee,       /* 18: jmp 2 */
		0xc3,             /* 20: ret */
		0xeb, 0xfe,       /* 21: jmp 21             nothing leads here */
	};
	struct loops l;
	(void)state;
	loops_find(&l, code, 0x1000, sizeof code);
	assert_int_equal(l.loop_count, 3);
	uint32_t inner = loops_at(&l, 0x1009), outer = loops_at(&l, 0x100d), lone = loops_at(&l, 0x1015);
	assert_int_equal(l.loops[inner].head, 0x1004);
	assert_int_equal(l.loops[inner].parent, outer);
	assert_int_equal(l.loops[outer].head, 0x1002);
	assert_int_equal(l.loops[outer].parent, LOOPS_NONE);
	assert_int_equal(l.loops[lone].head, 0x1015);
	assert_int_equal(l.loops[outer].latch_count, 1);
	assert_int_equal(l.branches[l.loops[outer].first_latch], 0x1012);
	assert_int_equal(l.loops[outer].exit_count, 1);
	assert_int_equal(l.branches[l.loops[outer].first_exit], 0x1010);
	assert_int_equal(l.branches[l.loops[inner].first_latch], 0x1009);
	assert_int_equal(loops_at(&l, 0x1000), LOOPS_NONE);
	assert_int_equal(loops_at(&l, 0x1014), LOOPS_NONE);
	assert_int_equal(loops_at(&l, 0x1002), outer);
	assert_int_equal(loops_at(&l, 0xfff), LOOPS_NONE);
	assert_int_equal(loops_at(&l, 0x1000 + sizeof code), LOOPS_NONE);
	loops_free(&l);
}

static void no_bytes_are_too_odd(void **state)
{
	enum { BYTES = 20000 };
	unsigned char *code = malloc(BYTES);
	struct loops l;
	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		size_t bytes = random_below(round < 30 ? 200 : BYTES);
		for (size_t i = 0; i < bytes; i++) /* many short jumps, now and then through a table */
			code[i] = (unsigned char)(round % 3 == 0 && i % 2 == 0                     ? 0x70 + random_below(16)
			                                  : round % 3 == 1 && random_below(3) == 0 ? 0xff
			                                                                           : random_below(256));
		loops_find(&l, code, 0x400000, bytes);
		for (uint64_t a = 0x400000; a < 0x400000 + bytes; a++) {
			unsigned depth = 0;
			for (uint32_t i = loops_at(&l, a); i != LOOPS_NONE; i = l.loops[i].parent) {
				assert_true(i < l.loop_count && l.loops[i].latch_count > 0);
				depth++;
			}
			assert_true(depth <= l.loop_count);
		}
		loops_free(&l);
	}
	free(code);
}

/* ---- programs ---- */

static const char source[] =
	"#define TICK(n) __attribute__((noinline)) void tick##n(int x) { __asm__ volatile(\"\" ::\"r\"(x)); }\n" /* 1 */
	"TICK(0) TICK(1) TICK(2) TICK(3) TICK(4) TICK(5) TICK(6) TICK(7) TICK(8) TICK(9)\n"
	"static inline __attribute__((always_inline)) void inlined(int n)\n" /* 3 */
	"{\n"
	"	for (int j = 0; j < n; j++)\n" /* 5 */
	"		tick7(j);\n"
	"}\n"
	"__attribute__((noinline)) void nest(int n)\n" /* 8 */
	"{\n"
	"	tick0(n);\n"
	"	for (int i = 0; i < n; i++) {\n" /* 11 */
	"		tick1(i);\n"
	"		for (int j = 0; j < i; j++)\n" /* 13 */
	"			tick2(j);\n"
	"		int k = n;\n"
	"		while (k-- > i) {\n" /* 16 */
	"			if (k == 7)\n"
	"				continue;\n"
	"			do {\n"
	"				tick3(k);\n"
	"				k--;\n"
	"			} while (k > 100);\n" /* 22 */
	"		}\n"
	"	}\n"
	"	for (int m = 0; m < n; m++) {\n" /* 25 */
	"		switch (m % 8) {\n"
	"		case 0: tick4(m); break;\n"
	"		case 1: tick5(m + 1); break;\n"
	"		case 2: tick5(m * 3); break;\n"
	"		case 3: tick4(m - 9); tick5(1); break;\n"
	"		case 4: tick5(m ^ 5); break;\n"
	"		case 5: tick4(m | 1); break;\n"
	"		case 6: tick4(m & 6); break;\n"
	"		}\n"
	"	}\n"
	"	for (int i = 0; i < n; i++)\n" /* 36 */
	"		inlined(i);\n"
	"	inlined(n);\n"
	"	for (;;) {\n" /* 39 */
	"		tick8(n);\n"
	"		if (n-- < 5)\n" /* 41 */
	"			break;\n"
	"	}\n"
	"	tick9(n);\n"
	"}\n"
	"int main(int c, char **v) { (void)v; nest(c); return 0; }\n";

/* Where each call is: loops by their lines, outermost first, * for the inlined routine. */
static const struct {
	const char *routine, *scopes[3]; /* any of them: a loop without a condition has no line of its own */
} calls[] = {{"tick0", {""}},    {"tick1", {"11 "}}, {"tick2", {"11 13 "}},          {"tick3", {"11 16 22 "}},
             {"tick4", {"25 "}}, {"tick5", {"25 "}}, {"tick7", {"36 * 5 ", "* 5 "}}, {"tick8", {"39 ", "40 ", "41 "}},
             {"tick9", {""}}};

static void print_scopes(const struct symbols_place *p, char text[256])
{
	text[0] = 0;
	for (size_t i = 1; i < p->count; i++)
		snprintf(text + strlen(text), 256 - strlen(text), p->scopes[i].kind == SYMBOLS_LOOP ? "%u " : "* ", p->scopes[i].line);
}

static bool is_among(const char *text, const char *const *scopes)
{
	for (size_t i = 0; i < 3 && scopes[i]; i++)
		if (strcmp(text, scopes[i]) == 0)
			return true;
	return false;
}

/* True if text is the expected scopes with some left out: an iteration that the compiler took out of its loop is not in it. */
static bool is_less(const char *text, const char *expected)
{
	for (; *text; expected++) {
		if (!*expected)
			return false;
		text += *text == *expected;
	}
	return true;
}

static void check_calls(struct symbols *s, const char *how, size_t which)
{
	char command[512], line[64], text[256];
	unsigned exact = 0;
	snprintf(command, sizeof command,
	         "objdump -d --no-show-raw-insn %s/p | awk '/<nest>:$/ {in_it = 1} /^$/ {in_it = 0} in_it && /<%s>/ {print $1}'", folder,
	         calls[which].routine);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		const struct symbols_place *p = symbols_at(s, strtoull(line, NULL, 16), false);
		print_scopes(p, text);
		assert_string_equal(p->scopes[0].name, "nest");
		bool right = is_among(text, calls[which].scopes);
		if (!right && (strstr(how, "-O0") || !is_less(text, calls[which].scopes[0])))
			fail_msg("%s: %s is in %s, not in %s", how, calls[which].routine, text, calls[which].scopes[0]);
		exact += right;
	}
	pclose(f);
	if (!exact)
		fail_msg("%s: no %s is in %s", how, calls[which].routine, calls[which].scopes[0]);
}

static void loops_of_programs_are_where_their_source_has_them(void **state)
{
	static const char *const how[] = {"gcc -O0 -g",
	                                  "gcc -O1 -g",
	                                  "gcc -O2 -g",
	                                  "gcc -O3 -g",
	                                  "clang-19 -O0 -g",
	                                  "clang-19 -O1 -g",
	                                  "clang-19 -O2 -g",
	                                  "clang-19 -O3 -gdwarf-4",
	                                  "gcc -O2 -g -fno-jump-tables",
	                                  "gcc -O2 -g -fcf-protection=full"};
	char text[512];
	(void)state;
	snprintf(text, sizeof text, "%s/p.c", folder);
	FILE *f = fopen(text, "w");
	assert_non_null(f);
	fputs(source, f);
	fclose(f);
	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		snprintf(text, sizeof text, "cd %s && %s -fno-optimize-sibling-calls -o p p.c", folder, how[i]);
		assert_int_equal(system(text), 0);
		snprintf(text, sizeof text, "%s/p", folder);
		struct symbols *s = symbols_open(text, "");
		for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
			check_calls(s, how[i], k);
		symbols_close(s);
	}
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_of_random_graphs_are_as_a_slow_search_finds_them),
		cmocka_unit_test(code_by_hand),
		cmocka_unit_test(no_bytes_are_too_odd),
		cmocka_unit_test(loops_of_programs_are_where_their_source_has_them),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
