/* SPDX-License-Identifier: MIT */
/* Only some paths of a random program are asked for: they are told, and no others. */
#include "unit/paths/program.h"

static struct listing all_paths[MADE_FUNCTIONS]; /* a path's number is its place there */

static bool is_named(const struct made *m, uint32_t number)
{
	for (uint32_t i = 0; i < m->name_count; i++)
		if (m->names[i] == number)
			return true;
	return false;
}

static bool is_wanted(const struct made *m, uint32_t number)
{
	return is_named(m, number) == (strcmp(m->asked, "these") == 0);
}

/* All arcs of all paths that are asked for, and no others. */
static void ask_randomly(struct made *m, struct listing *all)
{
	list_paths(&m->g, all);
	if (m->g.cuts || all->too_many)
		return;
	uint32_t odds = 1 + pick(6);
	m->asked = pick(2) ? "these" : "others";
	for (uint32_t i = 0; i < all->count && m->name_count < MADE_NAMES; i++)
		if (pick(odds + all->count / 20) == 0)
			m->names[m->name_count++] = i;
	uint8_t *chosen = m->chosen[0] = calloc(m->g.arcs, 1);
	for (uint32_t i = 0; i < all->count; i++)
		for (uint32_t k = 0; is_wanted(m, i) && k < all->length[i]; k++)
			chosen[all->arcs[i][k]] = 1;
	assert_int_equal(paths_body_plan(&m->plan[0], &m->g, PATHS_HOW_ALL, chosen, m->weights, &s.memory), PATHS_OK);
}

static uint32_t number_of(const struct made *m, const struct listing *all, const struct piece *p)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct paths_arc *first = &m->g.arc[all->arcs[i][0]];
		bool same = all->length[i] == p->length + 1 &&
			(p->begin == PATHS_NONE ? first->kind != PATHS_HEAD : first->kind == PATHS_HEAD && first->to == p->begin);
		for (uint32_t k = 0; same && k < p->length; k++)
			same = m->g.arc[all->arcs[i][k + 1]].edge == p->edge[k];
		if (same)
			return i;
	}
	fail_msg("there is no such path");
	return 0;
}

static bool is_counted(const struct made *m, const struct listing *all, uint32_t number)
{
	for (uint32_t k = 0; k < all->length[number]; k++)
		if (!m->chosen[0][all->arcs[number][k]])
			return false;
	return true;
}

static uint64_t check_asked(const struct paths *p, const struct paths_profile *f, const struct made *m, uint32_t function)
{
	const struct listing *all = &all_paths[function];
	uint64_t wanted = 0, others = 0, others_taken = 0, stopped = 0, told = 0;
	for (uint32_t i = 0; i < piece_count; i++) {
		const struct piece *q = &pieces[i];
		if (q->function != function)
			continue;
		stopped += q->stop != PATHS_NONE ? q->count : 0;
		uint32_t number = q->stop == PATHS_NONE ? number_of(m, all, q) : 0;
		bool asked = q->stop == PATHS_NONE && is_wanted(m, number),
		     other = q->stop == PATHS_NONE && !asked && is_counted(m, all, number);
		wanted += asked;
		others += other;
		others_taken += other ? q->count : 0;
		bool found = false;
		for (size_t k = 0; asked && k < f->paths; k++)
			found |= p->list[f->first_path + k].number == number && p->list[f->first_path + k].count == q->count;
		assert_true(found == asked);
	}
	assert_int_equal(f->paths, wanted);
	assert_int_equal(f->others, others);
	assert_int_equal(f->others_taken, others_taken);
	assert_true(paths_asked(f) == (strcmp(m->asked, "these") == 0 ? m->name_count : all->count - m->name_count));
	for (size_t i = 0; i < f->stops; i++) {
		const struct paths_stop *stop = &p->stops[f->first_stop + i];
		const struct piece *q =
			stop->is_known ? find_piece(function, stop->begin, p->steps + stop->first_step, stop->length, stop->block) : NULL;
		told += stop->count;
		assert_true(!stop->is_known || (q && q->count == stop->count));
	}
	assert_int_equal(told, stopped);
	return others;
}

static void only_what_was_asked_for_is_told(void **state)
{
	uint64_t wanted = graphs_wanted(400), others = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct session session;
		struct paths p;
		seed_with(seed);
		make_program(1, PATHS_HOW_ALL);
		for (uint32_t i = 0; i < s.functions; i++)
			ask_randomly(&s.made[i], &all_paths[i]);
		for (uint32_t i = 0; i < 120; i++)
			call_randomly();
		pathsession_write(&s, folder);
		build(&session, &p);
		for (size_t i = 0; i < p.profile_count; i++) {
			uint32_t function = function_of(&p, &p.profiles[i]);
			struct made *m = &s.made[function];
			others += m->asked ? check_asked(&p, &p.profiles[i], m, function) : 0;
			if (m->asked)
				free(m->chosen[0]);
		}
		done(&session, &p);
	}
	assert_true(others > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_was_asked_for_is_told),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
