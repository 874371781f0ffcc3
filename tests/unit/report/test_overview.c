/* SPDX-License-Identifier: MIT */
/* What lenses say becomes findings: merged, ranked, contradicted, by the rules of rules.def. */
#include "unit/lib.h"

#include <math.h>

#include "report/lens.h"
#include "report/overview/merge.h"

enum { MAIN = 1, PREPARE, SOLVE, FIND, WORK, AGAIN };

/* ./prog, 2 s under the idle lens; AGAIN is PREPARE by another lens's tables. */
static void start(struct overview *o)
{
	static const char *const names[] = {"(outside)", "main", "prepare", "solve", "find", "work", "prepare"};
	*o = (struct overview){.path = "prog.skein", .program = "/tmp/prog", .run_command = "./prog", .wall_ns = 2000000000};
	o->routine_count = sizeof names / sizeof *names;
	o->routines = memory_zeroed(o->routine_count, sizeof *o->routines);
	for (uint32_t i = 0; i < o->routine_count; i++)
		o->routines[i] = (struct overview_routine){.name = names[i],
		                                           .linkage = names[i],
		                                           .shown = names[i],
		                                           .file = i ? "/src/prog.c" : "",
		                                           .line = i,
		                                           .same = i,
		                                           .is_programs = i > 0};
	o->routines[AGAIN].same = PREPARE;
	for (size_t i = 0; i < OVERVIEW_LENSES; i++)
		o->lenses[i] = (struct overview_lens){.name = lenses[i]->name,
		                                      .question = lenses[i]->question,
		                                      .is_recorded = true,
		                                      .wall_ns = 2000000000};
}

static struct overview_item item(enum overview_lens_number lens, enum finding_kind kind, uint32_t routine, double part, const char *words)
{
	return (struct overview_item){lens, {.kind = kind, .routine = routine, .part = part, .words = words}, "A sentence."};
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in '%s'", part, text);
}

static void the_same_routine_of_several_lenses_is_one_finding(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_CALLS, FINDING_SERIAL, AGAIN, 0.6, "alone for 60 % of the run"),
	                                item(OVERVIEW_SPAN, FINDING_SERIAL, PREPARE, 0.3, "79 % of the span"),
	                                item(OVERVIEW_IDLE, FINDING_SERIAL, PREPARE, 0.25, "98 % of the idleness")};
	items[1].tag.cores = 4.8;
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 1);
	const struct overview_finding *f = &o.findings[0];
	assert_int_equal(f->routine, PREPARE);
	assert_int_equal(f->saved_ns, 500000000); /* idle is believed before calls and span */
	assert_string_equal(f->agree,
	                    "Three lenses agree: idle (98 % of the idleness), calls (alone for 60 % of the run), span (79 % of the span).");
	has(f->text, "At most 500 ms of 2.00 s: prepare (prog.c:2) runs while others have nothing to do. ");
	has(f->remarks[0], "at most 4.8 times the parallelism");
	assert_string_equal(f->command, "skein report idle prog.skein --view bottom-up --routine prepare");
	overview_free(&o);
}

/* A routine that is inlined for one lens is called for another. */
static void a_callee_is_the_routine_that_calls_it_there(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_IDLE, FINDING_SERIAL, PREPARE, 0.25, "98 % of the idleness"),
	                                item(OVERVIEW_SPAN, FINDING_SERIAL, WORK, 0.3, "79 % of the span"),
	                                item(OVERVIEW_CALLS, FINDING_SERIAL, WORK, 0.1, "alone")};
	items[1].tag.within = PREPARE;
	items[2].tag.within = SOLVE; /* the same routine, called by another one */
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 2);
	has(o.findings[0].agree, "Two lenses agree: idle (98 % of the idleness), span (79 % of the span).");
	has(o.findings[1].text, "work (prog.c:5), called by solve, runs while");
	overview_free(&o);
}

static void an_object_is_known_by_its_name(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_CALLS, FINDING_LOCK, FIND, 0.4, "3 s of waiting"),
	                                item(OVERVIEW_FLOW, FINDING_LOCK, SOLVE, 0.5, "3.1 s of waiting"),
	                                item(OVERVIEW_IDLE, FINDING_LOCK, FIND, 0.3, "all of the idleness")};
	items[0].tag.object = items[1].tag.object = "table_lock";
	items[1].tag.whole_ns = 1000000000; /* on an idle machine */
	items[2].tag.object = "other_lock";
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 2);
	assert_int_equal(o.findings[0].saved_ns, 500000000);
	assert_int_equal(o.findings[0].of_ns, 1000000000);
	has(o.findings[0].text, "threads wait for the lock table_lock, which solve (prog.c:3) takes");
	has(o.findings[1].text, "threads wait for the lock other_lock, which find (prog.c:4) takes");
	overview_free(&o);
}

static void what_names_nothing_joins_the_largest_of_its_kind(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_FLOW, FINDING_SERIAL, FINDING_NO_ROUTINE, 0.4, "in one thread"),
	                                item(OVERVIEW_IDLE, FINDING_SERIAL, PREPARE, 0.1, "20 % of the idleness"),
	                                item(OVERVIEW_CALLS, FINDING_SERIAL, SOLVE, 0.3, "alone")};
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 2);
	assert_int_equal(o.findings[0].routine, SOLVE);
	has(o.findings[0].agree, "Two lenses agree: flow (in one thread), calls (alone).");
	overview_free(&o);
}

static void a_lock_that_costs_nothing_is_contradicted(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_IDLE, FINDING_LOCK, FIND, 0.5, "90 % of the idleness"),
	                                item(OVERVIEW_FLOW, FINDING_LOCK, FIND, 0, "1 s of waiting"),
	                                item(OVERVIEW_CALLS, FINDING_SERIAL, MAIN, 0.1, "alone")};
	items[0].tag.object = items[1].tag.object = "gate";
	items[1].tag.harmless = true;
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 1); /* nothing is left of the lock */
	assert_int_equal(o.findings[0].routine, MAIN);
	overview_free(&o);
}

static void serial_but_busy_cores_limit_the_program_later(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_SPAN, FINDING_SERIAL, PREPARE, 0.3, "79 % of the span"),
	                                item(OVERVIEW_IDLE, FINDING_FINE, SOLVE, 0, "90 % of the work")};
	items[0].tag.cores = 5;
	overview_merge(&o, items, 2);
	assert_int_equal(o.finding_count, 1);
	assert_int_equal(o.findings[0].saved_ns, -1);
	has(o.findings[0].text, "At most 5.0 times the parallelism: prepare");
	has(o.findings[0].remarks[0], "The cores of this machine were busy all the same (idle)");
	assert_true(fabs(o.findings[0].score - OVERVIEW_LATER * 0.8) < 1e-9);
	overview_free(&o);
}

static void a_serial_routine_that_grows_gets_worse(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_SPAN, FINDING_SERIAL, PREPARE, 0.5, "79 % of the span"),
	                                item(OVERVIEW_INPUT, FINDING_GROWTH, PREPARE, 0, "grows like n^2"),
	                                item(OVERVIEW_INPUT, FINDING_GROWTH, SOLVE, 0, "grows like n^3")};
	items[1].tag.share = 0.1;
	items[1].tag.grown = 0.3;
	items[2].tag.share = 0.5;
	items[2].tag.grown = 0.99;
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 2); /* the growth of prepare is said where it matters, once */
	has(o.findings[0].text, "olve (prog.c:3) grows like n^3");
	has(o.findings[0].text, ": 50 % of the cost now, 99 % at ten times the input.");
	assert_int_equal(o.findings[1].routine, PREPARE);
	assert_string_equal(o.findings[1].remarks[0], "It gets worse with larger input: prepare (prog.c:2) grows like n^2 (input).");
	overview_free(&o);
}

static void what_is_hot_counts_where_the_cores_are_busy(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[] = {item(OVERVIEW_PATHS, FINDING_HOT, SOLVE, 0, "71 % of the instructions on one path"),
	                                item(OVERVIEW_CALLS, FINDING_SERIAL, PREPARE, 0.3, "alone"),
	                                item(OVERVIEW_IDLE, FINDING_FINE, SOLVE, 0, "95 % of the work")};
	items[0].tag.share = 0.71;
	overview_merge(&o, items, 2);
	assert_int_equal(o.finding_count, 1);
	assert_int_equal(o.findings[0].kind, FINDING_SERIAL);
	overview_free(&o);
	start(&o);
	overview_merge(&o, items, 3);
	assert_int_equal(o.finding_count, 1); /* calls says that one worker was busy alone, idle that the cores were busy */
	assert_int_equal(o.findings[0].kind, FINDING_HOT);
	has(o.findings[0].text, "solve (prog.c:3) has 71 % of the instructions on one path. Make it faster.");
	overview_free(&o);
}

static void at_most_five_are_left_and_the_largest_is_first(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	struct overview_item items[8];
	char names[8][8];
	for (int i = 0; i < 8; i++) {
		snprintf(names[i], sizeof names[i], "lock%d", i);
		items[i] = item(OVERVIEW_FLOW, FINDING_LOCK, FIND, 0.01 + 0.1 * i, "waits");
		items[i].tag.object = names[i];
	}
	overview_merge(&o, items, 8);
	assert_int_equal(o.finding_all, 7); /* 1 % is not worth it */
	assert_int_equal(o.finding_count, OVERVIEW_MOST);
	for (int i = 0; i < OVERVIEW_MOST; i++)
		assert_string_equal(o.findings[i].object, names[7 - i]);
	overview_free(&o);
}

/* The order in which the lenses speak does not matter. */
static void findings_are_the_same_in_any_order(void **state)
{
	(void)state;
	const struct overview_item items[] = {item(OVERVIEW_CALLS, FINDING_SERIAL, PREPARE, 0.6, "a"),
	                                      item(OVERVIEW_IDLE, FINDING_UNEVEN, PREPARE, 0.2, "b"),
	                                      item(OVERVIEW_FLOW, FINDING_LOCK, FIND, 0.3, "c"),
	                                      item(OVERVIEW_SPAN, FINDING_SERIAL, FIND, 0.1, "d"),
	                                      item(OVERVIEW_INPUT, FINDING_GROWTH, SOLVE, 0, "e"),
	                                      item(OVERVIEW_IDLE, FINDING_OUTSIDE, MAIN, 0.15, "f")};
	enum { COUNT = sizeof items / sizeof *items };
	char first[4000] = "";
	uint64_t seed = 1;
	for (int turn = 0; turn < 200; turn++) {
		struct overview_item mixed[COUNT];
		memcpy(mixed, items, sizeof items);
		for (size_t i = COUNT; turn && i-- > 1;) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			size_t with = (size_t)(seed >> 33) % (i + 1);
			struct overview_item kept = mixed[i];
			mixed[i] = mixed[with];
			mixed[with] = kept;
		}
		struct overview o;
		char said[4000] = "";
		start(&o);
		overview_merge(&o, mixed, COUNT);
		for (size_t i = 0; i < o.finding_count; i++) {
			strncat(said, o.findings[i].text, 300);
			strncat(said, o.findings[i].agree, 300);
		}
		if (!turn)
			memcpy(first, said, sizeof first);
		assert_string_equal(said, first);
		overview_free(&o);
	}
	assert_true(*first);
}

static void words_for_a_shell_are_quoted(void **state)
{
	(void)state;
	struct pool pool = {0};
	assert_string_equal(overview_quoted(&pool, "prog.skein"), "prog.skein");
	assert_string_equal(overview_quoted(&pool, "operator()(int)"), "'operator()(int)'");
	assert_string_equal(overview_quoted(&pool, "it's $HOME"), "'it'\\''s $HOME'");
	assert_string_equal(overview_quoted(&pool, ""), "''");
	pool_free(&pool);
}

static void texts_are_filled_in(void **state)
{
	(void)state;
	struct overview o;
	start(&o);
	assert_string_equal(overview_fill(&o, "%w waits for %o[, which %w takes]: %d (%l)", "f", "lock", "3 s", "idle"),
	                    "f waits for lock, which f takes: 3 s (idle)");
	assert_string_equal(overview_fill(&o, "wait for %o[, which %w takes]", "", "100 %w", "", ""), "wait for 100 %w");
	assert_string_equal(overview_fill(&o, "90 % of it", "f", NULL, "", ""), "90 % of it");
	overview_free(&o);
}

/* Each rule can apply, and says what it needs to. */
static void rules_are_whole(void **state)
{
	(void)state;
	for (int kind = 0; kind < FINDING_KINDS; kind++) {
		const struct overview_kind *k = &overview_kinds[kind];
		if (!k->lenses)
			continue;
		assert_non_null(k->of_routine);
		assert_non_null(k->alone);
		assert_non_null(k->advice);
		assert_true(k->weight > 0);
		bool is_shown = false;
		for (size_t i = 0; i < overview_shown_count; i++)
			if (overview_shown[i].kind == (enum finding_kind)kind) {
				is_shown = true;
				assert_non_null(lens_view(lenses[overview_shown[i].lens], overview_shown[i].view));
			}
		assert_true(is_shown);
	}
	for (size_t i = 0; i < overview_rule_count; i++) {
		const struct overview_rule *r = &overview_rules[i];
		size_t kinds = 0, by = 0;
		for (int kind = 0; kind < FINDING_KINDS; kind++)
			kinds += overview_kinds[kind].lenses && overview_lists(r->kinds, finding_names[kind]);
		for (size_t l = 0; l < OVERVIEW_LENSES; l++)
			by += overview_lists(r->by, lenses[l]->name);
		assert_true(kinds > 0 && by > 0 && *r->remark);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_routine_of_several_lenses_is_one_finding),
		cmocka_unit_test(a_callee_is_the_routine_that_calls_it_there),
		cmocka_unit_test(an_object_is_known_by_its_name),
		cmocka_unit_test(what_names_nothing_joins_the_largest_of_its_kind),
		cmocka_unit_test(a_lock_that_costs_nothing_is_contradicted),
		cmocka_unit_test(serial_but_busy_cores_limit_the_program_later),
		cmocka_unit_test(a_serial_routine_that_grows_gets_worse),
		cmocka_unit_test(what_is_hot_counts_where_the_cores_are_busy),
		cmocka_unit_test(at_most_five_are_left_and_the_largest_is_first),
		cmocka_unit_test(findings_are_the_same_in_any_order),
		cmocka_unit_test(words_for_a_shell_are_quoted),
		cmocka_unit_test(texts_are_filled_in),
		cmocka_unit_test(rules_are_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
