/* SPDX-License-Identifier: MIT */
/* Call paths as callgrind's format has them: on random paths with recursions of every kind, what a routine has with its callees is what the
 * paths through it have, told from its calls as well as from its callers. */
#include "unit/lib.h"

#include "report/export/stacks.h"

enum { ROUTINES = 5, MOST_DEPTH = 14, PATHS = 40, ROUNDS = 300 };

static const char *const names[ROUTINES] = {"a", "b", "c", "d", "e"};

/* What a reader of the file adds up. */
struct reading {
	int64_t own[2 * ROUTINES], called[2 * ROUTINES], calling[2 * ROUTINES], total;
};

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static int number_of(const char *name, char known[][8])
{
	int id = atoi(name + 1);
	const char *text = strchr(name, ' ');
	if (text)
		snprintf(known[id], 8, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
	return 2 * (known[id][0] - 'a') + (strchr(known[id], '\'') != NULL);
}

static struct reading read_back(const char *text)
{
	struct reading r = {.total = 0};
	char known[4 * ROUTINES][8] = {{0}}, *copy = strdup(text);
	int routine = -1, callee = -1;
	bool is_call = false;
	for (char *save = NULL, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		long long value = 0;
		if (strncmp(line, "fn=", 3) == 0) {
			routine = number_of(line + 3, known);
		} else if (strncmp(line, "cfn=", 4) == 0) {
			callee = number_of(line + 4, known);
		} else if (strncmp(line, "calls=", 6) == 0) {
			is_call = true;
		} else if (sscanf(line, "totals: %lld", &value) == 1) {
			r.total = value;
		} else if (sscanf(line, "%*u %lld", &value) == 1) {
			*(is_call ? &r.calling[routine] : &r.own[routine]) += value;
			if (is_call)
				r.called[callee] += value;
			is_call = false;
		}
	}
	free(copy);
	return r;
}

struct truth {
	int64_t own[ROUTINES], through[ROUTINES], from[ROUTINES], total; /* from: the paths that begin there */
};

static void make_path(struct stacks *s, struct truth *truth, uint32_t *seed)
{
	bool met[ROUTINES] = {false};
	uint32_t depth = 1 + next_random(seed) % MOST_DEPTH, node = STACKS_NOWHERE, routine = 0, kinds = 1 + next_random(seed) % ROUTINES;
	int64_t value = 1 + next_random(seed) % 1000;
	for (uint32_t i = 0; i < depth; i++) {
		routine = next_random(seed) % kinds;
		if (i == 0)
			truth->from[routine] += value;
		node = stacks_call(s, node, stacks_function(s, &(struct stacks_function){names[routine], "", "x.c", 0, RUN_NO_OBJECT}),
		                   1 + next_random(seed) % 3);
		met[routine] = true;
	}
	truth->own[routine] += value;
	truth->total += value;
	for (int i = 0; i < ROUTINES; i++)
		truth->through[i] += met[i] ? value : 0;
	stacks_add(s, &(struct stacks_sample){.node = node, .thread = next_random(seed) % 2}, &value);
}

static char *export_of(struct stacks *s)
{
	char *text = NULL;
	size_t bytes = 0;
	struct fail why;
	FILE *file = open_memstream(&text, &bytes);
	assert_int_equal(export_callgrind(s, file, &why), 0);
	fclose(file);
	return text;
}

static void recursions_count_once(void **state)
{
	struct run run;
	uint32_t seed = 1;
	(void)state;
	run_start(&run);
	run.command = "./a";
	for (int round = 0; round < ROUNDS; round++) {
		struct stacks s;
		struct truth truth = {.total = 0};
		stacks_start(&s, &run);
		stacks_type(&s, "work", "nanoseconds");
		for (int i = 0; i < PATHS; i++)
			make_path(&s, &truth, &seed);
		char *text = export_of(&s);
		struct reading r = read_back(text);
		assert_int_equal(r.total, truth.total);
		for (int i = 0; i < ROUTINES; i++) {
			assert_int_equal(r.own[2 * i] + r.own[2 * i + 1], truth.own[i]);
			assert_int_equal(r.own[2 * i] + r.calling[2 * i], truth.through[i]);
			assert_int_equal(r.called[2 * i] + truth.from[i], truth.through[i]);
		}
		free(text);
		stacks_free(&s);
	}
	run_free(&run);
}

/* Not by a recursion of ours, and not in quadratic time. */
static void a_path_may_be_long(void **state)
{
	struct run run;
	struct stacks s;
	int64_t value = 7;
	uint32_t node = STACKS_NOWHERE;
	(void)state;
	run_start(&run);
	run.command = "./a";
	stacks_start(&s, &run);
	stacks_type(&s, "work", "nanoseconds");
	for (int i = 0; i < 300000; i++)
		node = stacks_call(&s, node, stacks_function(&s, &(struct stacks_function){names[i % 3], "", "x.c", 0, RUN_NO_OBJECT}), 1);
	stacks_add(&s, &(struct stacks_sample){.node = node, .thread = STACKS_NOWHERE}, &value);
	char *text = export_of(&s);
	struct reading r = read_back(text);
	assert_int_equal(r.total, value);
	for (int i = 0; i < 3; i++)
		assert_int_equal(r.own[2 * i] + r.calling[2 * i], value);
	free(text);
	stacks_free(&s);
	run_free(&run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursions_count_once),
		cmocka_unit_test(a_path_may_be_long),
	};
	return cmocka_run_group_tests_name("callgrind", tests, NULL, NULL);
}
