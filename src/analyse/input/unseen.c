/* SPDX-License-Identifier: MIT */
/* unseen.c: functions whose reads and writes a recording by hooks lacks: those that routines of the recording call,
 * by the tables of its objects, unless another object of the recording has hooks in them. */
#include <stdlib.h>
#include <string.h>

#include "analyse/input/input.h"
#include "analyse/names.h"

enum { SHOWN = 5, NAME_MOST = 60 };

struct unseen {
	struct session *session;
	bool *called; /* by routine of the run */
	const char **names;
	size_t count, room;
};

static void find_called(struct unseen *u, const struct inputs *inputs)
{
	u->called = memory_zeroed(inputs->run->routine_count, sizeof *u->called);
	for (size_t i = 0; i < inputs->point_count; i++)
		u->called[inputs->contexts[inputs->points[i].context].routine] |= inputs->points[i].calls > 0;
}

static bool has_hooks(const struct unseen *u, const char *name)
{
	for (size_t i = 0; i < u->session->table_count; i++) {
		const struct table *t = &u->session->tables[i].table;
		for (size_t k = 0; u->session->tables[i].loaded && k < t->routine_count; k++)
			if (!t->routines[k].unprofiled && strcmp(t->routines[k].linkage, name) == 0)
				return true;
	}
	return false;
}

static bool is_known(const struct unseen *u, const char *name)
{
	for (size_t i = 0; i < u->count; i++)
		if (strcmp(u->names[i], name) == 0)
			return true;
	return false;
}

static void take_table(struct unseen *u, const struct session_table *t)
{
	for (size_t i = 0; i < t->table.unseen_count; i++) {
		const struct table_unseen *one = &t->table.unseen[i];
		if (!u->called[t->routines[one->caller]] || is_known(u, one->name) || has_hooks(u, one->name))
			continue;
		MEMORY_GROW(u->names, u->count, u->room);
		u->names[u->count++] = one->name;
	}
}

/* "a, b, c and 4 more" */
static const char *list_of(const struct unseen *u)
{
	struct pool *pool = &u->session->run.pool;
	const char *list = "";
	for (size_t i = 0; i < u->count && i < SHOWN; i++) {
		const char *name = names_short(pool, names_demangle(pool, u->names[i]), NAME_MOST),
			   *between = i == 0 ? ""
			: i + 1 == u->count  ? " and "
					     : ", ";
		list = pool_print(pool, "%s%s%s", list, between, name);
	}
	return u->count > SHOWN ? pool_print(pool, "%s and %zu more", list, u->count - SHOWN) : list;
}

void inputs_note_unseen(struct session *session, const struct inputs *inputs)
{
	struct unseen u = {.session = session};
	find_called(&u, inputs);
	for (size_t i = 0; i < session->table_count; i++)
		if (session->tables[i].loaded)
			take_table(&u, &session->tables[i]);
	if (u.count == 1)
		run_note(&session->run,
		         "The reads and writes of %s were not seen, because it has no hooks: `skein record input --valgrind` sees them.",
		         list_of(&u));
	else if (u.count)
		run_note(
			&session->run,
			"The reads and writes of %zu functions without hooks were not seen (%s): `skein record input --valgrind` sees them.",
			u.count, list_of(&u));
	free(u.called);
	free(u.names);
}
