/* SPDX-License-Identifier: MIT */
/* returns: which functions come back, as a slow and obvious version has it, for random programs. */
#include "unit/lib.h"

#include "relink/pieces/returns.h"

enum { OBJECTS = 4, FUNCTIONS = 12, CALLS = 3 };

/* Function f of object o is called "f", for all, if is_local is not set; several objects may then define it. */
struct function {
	bool is_there, is_local, says, is_hidden; /* says: it comes back if its callees do */
	unsigned calls, callee[CALLS];
};

struct program {
	struct function at[OBJECTS][FUNCTIONS];
	bool is_program;
};

static uint64_t random_state = 4711;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

static struct program invent(void)
{
	struct program p = {.is_program = random_below(3)};

	for (unsigned o = 0; o < OBJECTS; o++)
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			struct function *at = &p.at[o][f];
			*at = (struct function){.is_there = random_below(3) == 0,
			                        .is_local = random_below(4) == 0,
			                        .says = random_below(9) > 0,
			                        .is_hidden = random_below(2),
			                        .calls = random_below(CALLS + 1)};
			for (unsigned c = 0; c < at->calls; c++)
				at->callee[c] = random_below(FUNCTIONS);
		}
	return p;
}

/* ---- slow ---- */

static const struct function *own(const struct program *p, unsigned object, unsigned f)
{
	const struct function *at = &p->at[object][f];
	return at->is_there && at->is_local ? at : NULL;
}

/* back[object][f]: of local ones; back[OBJECTS][f]: of those for all. */
static bool calls_come_back(const struct program *p, bool back[OBJECTS + 1][FUNCTIONS], unsigned object, const struct function *at)
{
	for (unsigned c = 0; c < at->calls; c++)
		if (!back[own(p, object, at->callee[c]) ? object : OBJECTS][at->callee[c]])
			return false;
	return true;
}

static bool comes_back(const struct program *p, bool back[OBJECTS + 1][FUNCTIONS], unsigned f)
{
	bool any = false;

	for (unsigned o = 0; o < OBJECTS; o++) {
		const struct function *at = &p->at[o][f];
		if (!at->is_there || at->is_local)
			continue;
		any = true;
		if (!at->says || !calls_come_back(p, back, o, at) || (!p->is_program && !at->is_hidden))
			return false;
	}
	return any;
}

static void solve_slowly(const struct program *p, bool back[OBJECTS + 1][FUNCTIONS])
{
	memset(back, 1, (OBJECTS + 1) * sizeof *back);
	for (bool changed = true; changed;) {
		changed = false;
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			for (unsigned o = 0; o < OBJECTS; o++) {
				const struct function *at = own(p, o, f);
				bool now = at && at->says && calls_come_back(p, back, o, at);
				changed |= back[o][f] && !now;
				back[o][f] = back[o][f] && now;
			}
			bool now = comes_back(p, back, f);
			changed |= back[OBJECTS][f] && !now;
			back[OBJECTS][f] = back[OBJECTS][f] && now;
		}
	}
}

/* ---- fast ---- */

static void say(const struct program *p, unsigned object, struct returns *r)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (unsigned f = 0; f < FUNCTIONS; f++) {
		const struct function *at = &p->at[object][f];
		if (!at->is_there || !at->says)
			continue;
		fprintf(to, "%c\t%sf%u", at->is_hidden ? 'h' : 'd', at->is_local ? "-" : "", f);
		for (unsigned c = 0; c < at->calls; c++)
			fprintf(to, "\t%sf%u", own(p, object, at->callee[c]) ? "-" : "", at->callee[c]);
		fputc('\n', to);
	}
	fclose(to);
	returns_add(r, text, size);
	free(text);
}

static void all_agree(void **state)
{
	size_t some = 0, none = 0;

	(void)state;
	for (unsigned round = 0; round < 5000; round++) {
		struct program p = invent();
		struct returns r = {0};
		struct strv names = {0};
		bool back[OBJECTS + 1][FUNCTIONS];
		for (unsigned o = 0; o < OBJECTS; o++) {
			say(&p, o, &r);
			for (unsigned f = 0; f < FUNCTIONS; f++)
				if (p.at[o][f].is_there && !p.at[o][f].is_local) {
					char name[8];
					snprintf(name, sizeof name, "f%u", f);
					returns_define(&r, name);
				}
		}
		returns_solve(&r, p.is_program, &names);
		solve_slowly(&p, back);
		for (unsigned f = 0; f < FUNCTIONS; f++) {
			char name[8];
			snprintf(name, sizeof name, "f%u", f);
			assert_int_equal(strv_has(&names, name), back[OBJECTS][f]);
			some += back[OBJECTS][f];
			none += !back[OBJECTS][f];
		}
		strv_free(&names);
		returns_free(&r);
	}
	assert_true(some > 1000 && none > 1000);
}

static void damaged_lines_are_passed_over(void **state)
{
	struct returns r = {0};
	struct strv names = {0};
	static const char lines[] = "\n\t\nh\nh\tgood\nh\tbad\tmissing\nh\t-\t-\n\tx";

	(void)state;
	returns_add(&r, lines, sizeof lines - 1);
	returns_define(&r, "good");
	returns_solve(&r, true, &names);
	assert_true(strv_has(&names, "good"));
	assert_false(strv_has(&names, "bad"));
	strv_free(&names);
	returns_free(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(all_agree), cmocka_unit_test(damaged_lines_are_passed_over)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
