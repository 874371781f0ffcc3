/* SPDX-License-Identifier: MIT */
/* build.c: turns the sessions of all copies into the profiles of paths.h.
 *
 * Copy 0 has the session itself; each other copy has a session in a folder below, with its own tables and shapes.
 * Routines of other copies are mapped to those of copy 0's run by their identity. Objects are handled one after
 * another: the counters of all copies are gathered, then each function is decoded. Copies agree if every function was
 * called equally often in all of them and no counter contradicts another's. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/decode.h"

enum { MOST_COPIES = 4096 };

struct build {
	struct session **sessions; /* by copy; the caller owns the first one */
	uint32_t copies;
	struct paths *paths;
	struct paths_memory memory;
};

/* ---- the copies ---- */

static int read_copies(struct build *b, struct session *session, struct fail *why)
{
	char *end;
	const char *text = session_plan_setting(&session->plan, SESSION_COPIES);
	unsigned long copies = *text ? strtoul(text, &end, 10) : 1;
	if (copies < 1 || copies > MOST_COPIES || (*text && *end))
		return fail_set(why, FAIL_INTERNAL, "the session has an impossible number of copies: %.40s", text);
	b->sessions = memory_zeroed(copies, sizeof *b->sessions);
	b->sessions[0] = session;
	b->copies = 1;
	const char *raw = session->processes[0].path, *slash = strrchr(raw, '/');
	for (unsigned long i = 1; i < copies; i++) {
		char folder[PATH_MAX];
		struct fail reason;
		struct session *other = memory_zeroed(1, sizeof *other);
		if (snprintf(folder, sizeof folder, "%.*s/copy-%lu", slash ? (int)(slash - raw) : 1, slash ? raw : ".", i) >=
		            (int)sizeof folder ||
		    session_read(other, folder, &reason) < 0) {
			free(other);
			return fail_set(why, FAIL_INTERNAL, "copy %lu of %lu left no readable recording: %.600s", i, copies, reason.text);
		}
		b->sessions[b->copies++] = other;
	}
	return 0;
}

/* Losses of any copy are missing from the whole result. */
static void add_losses(struct run *run, const struct run *from)
{
	for (int cause = 0; cause < RAW_LOST_KINDS; cause++)
		run->processes[0].lost[cause] += run_lost(from, (enum raw_lost)cause);
}

static void note_copies(struct build *b)
{
	struct run *run = b->paths->run;
	b->paths->copies = b->copies;
	b->paths->twins = memory_zeroed(b->copies, sizeof *b->paths->twins);
	for (uint32_t i = 0; i < b->copies; i++) {
		const struct run *from = &b->sessions[i]->run;
		b->paths->twins[i] =
			(struct paths_twin){.wall_ns = from->wall_ns, .cpu_ns = from->cpu_ns, .lost_events = run_lost_events(from)};
		if (i)
			add_losses(run, from);
		for (size_t k = 0; i && k < from->note_count; k++) {
			bool said = false;
			for (size_t n = 0; n < run->note_count; n++)
				said |= strcmp(run->notes[n], from->notes[k]) == 0;
			if (!said)
				run_note(run, "%s", from->notes[k]);
		}
	}
}

/* ---- objects ---- */

static size_t table_of(const struct session *s, const char *build_id)
{
	for (size_t i = 0; i < s->table_count; i++)
		if (s->tables[i].loaded && strcmp(s->run.objects[s->tables[i].object].build_id, build_id) == 0)
			return i;
	return SIZE_MAX;
}

/* The routine of a table, as an index in copy 0's run. */
static uint32_t routine_of(const struct build *b, const struct session *from, const struct session_table *table, uint32_t index)
{
	struct run *run = b->paths->run;
	struct run_routine routine = from->run.routines[table->routines[index]];
	if (&from->run == run)
		return table->routines[index];
	routine.object = run_object(run, from->run.objects[table->object].build_id, from->run.objects[table->object].path);
	return run_routine(run, &routine);
}

/* Notes each function whose number of calls differs between copies. */
static void compare_calls(struct build *b, const struct gather *const *copies, size_t function, uint32_t profile)
{
	uint64_t first = 0;
	for (uint32_t c = 0; c < b->copies; c++) {
		const struct shape_function *f = copies[c] ? &copies[c]->shape.functions[function] : NULL;
		uint64_t calls = f && f->entry != SHAPE_NONE ? gather_count(copies[c], f->entry) : 0;
		b->paths->twins[c].entries += calls;
		if (c == 0)
			first = calls;
		else if (calls != first) {
			MEMORY_GROW(b->paths->differs, b->paths->differ_count, b->paths->differ_room);
			b->paths->differs[b->paths->differ_count++] = (struct paths_differ){profile, c, first, calls};
			return;
		}
	}
}

static void take_calls(struct build *b, const struct gather *const *copies, size_t function, const struct decode *d)
{
	struct paths_profile *f = &b->paths->profiles[d->profile];
	const struct shape_function *shape = copies[0] ? &copies[0]->shape.functions[function] : NULL;
	size_t before = b->paths->differ_count;
	f->entries =
		shape && shape->entry != SHAPE_NONE ? gather_count(copies[0], shape->entry) : b->paths->passed[f->first_edge + f->edges];
	if (b->copies > 1)
		compare_calls(b, copies, function, d->profile);
	if (d->disagrees && b->paths->differ_count == before) {
		MEMORY_GROW(b->paths->differs, b->paths->differ_count, b->paths->differ_room);
		b->paths->differs[b->paths->differ_count++] = (struct paths_differ){d->profile, PATHS_NONE, f->entries, f->entries};
	}
}

static void take_files(struct build *b, struct decode *d)
{
	struct paths *p = b->paths;
	d->first_file = (uint32_t)p->file_count;
	for (size_t i = 0; i < d->shape->file_count; i++) {
		MEMORY_GROW(p->files, p->file_count, p->file_room);
		p->files[p->file_count++] = pool_text(&p->run->pool, d->shape->files[i]);
	}
}

static int decode_all(struct build *b, const struct gather *const *copies, uint32_t first, const struct session_table *table,
                      struct fail *why)
{
	struct decode d = {
		.paths = b->paths, .memory = &b->memory, .copies = copies, .copy_count = b->copies, .shape = &copies[first]->shape};
	int result = 0;
	take_files(b, &d);
	for (size_t i = 0; result == 0 && i < d.shape->function_count; i++) {
		const struct shape_function *f = &d.shape->functions[i];
		result = decode_function(&d, f, routine_of(b, b->sessions[first], table, f->routine), why);
		if (result == 0)
			take_calls(b, copies, i, &d);
	}
	lookup_free(&d.known);
	return result;
}

/* `first` is the first copy that has loaded the object. */
static int take_object(struct build *b, uint32_t first, size_t table, struct fail *why)
{
	const struct session *s = b->sessions[first];
	const char *build_id = s->run.objects[s->tables[table].object].build_id;
	struct gather *own = memory_zeroed(b->copies, sizeof *own);
	const struct gather **copies = memory_zeroed(b->copies, sizeof *copies);
	int result = 0;
	for (uint32_t c = first; result == 0 && c < b->copies; c++) {
		size_t at = table_of(b->sessions[c], build_id);
		if (at == SIZE_MAX)
			continue;
		result = gather_object(&own[c], b->sessions[c], at, why);
		copies[c] = result == 0 ? &own[c] : NULL;
		if (result == 0 &&
		    (own[c].shape.copies != b->copies || own[c].shape.copy != c || !shape_is_alike(&own[first].shape, &own[c].shape)))
			result = fail_set(
				why, FAIL_INTERNAL,
				"copies of %.300s were not linked identically: empty the re-link cache (~/.cache/skein) and record again",
				s->run.objects[s->tables[table].object].path);
	}
	if (result == 0)
		result = decode_all(b, copies, first, &s->tables[table], why);
	for (uint32_t c = 0; c < b->copies; c++)
		gather_free(&own[c]);
	free(own);
	free(copies);
	return result;
}

static bool is_new(const struct build *b, uint32_t copy, const char *build_id)
{
	for (uint32_t c = 0; c < copy; c++)
		if (table_of(b->sessions[c], build_id) != SIZE_MAX)
			return false;
	return true;
}

static int take_objects(struct build *b, struct fail *why)
{
	for (uint32_t c = 0; c < b->copies; c++)
		for (size_t i = 0; i < b->sessions[c]->table_count; i++) {
			const struct session_table *t = &b->sessions[c]->tables[i];
			if (t->loaded && is_new(b, c, b->sessions[c]->run.objects[t->object].build_id) && take_object(b, c, i, why) < 0)
				return -1;
		}
	return 0;
}

int paths_build(struct session *session, struct paths *paths, struct fail *why)
{
	struct build b = {.paths = paths};
	const char *share = session_plan_setting(&session->plan, SESSION_SHARE);
	paths_start(paths, &session->run);
	paths_memory_start(&b.memory);
	if (*share)
		paths->share = pool_text(&session->run.pool, share);
	paths->threshold = strtoull(session_plan_setting(&session->plan, SESSION_THRESHOLD), NULL, 10);
	int result = read_copies(&b, session, why);
	if (result == 0) {
		note_copies(&b);
		result = take_objects(&b, why);
	}
	for (uint32_t i = 1; i < b.copies; i++) {
		session_free(b.sessions[i]);
		run_free(&b.sessions[i]->run);
		free(b.sessions[i]);
	}
	free(b.sessions);
	paths_memory_free(&b.memory);
	if (result < 0)
		paths_free(paths);
	return result;
}
