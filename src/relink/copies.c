/* SPDX-License-Identifier: MIT */
/* copies.c: copies of one program, by their objects, by one link or by several.
 *
 * Where objects can be finished one by one, each copy is put together from them: what is the same in several copies is in the
 * cache for all but the first.
 *
 * Else the cache is filled first: by a link that optimises once and divides itself (pass/together.h), and, for what that did
 * not make, by one link a copy. Whatever failed there fails again when the copies are then asked for one by one, and is
 * told there.
 *
 * A divided link has one command line, and so one list of run paths. A program that needs re-linked libraries, which
 * each copy has its own of, gets those of the first copy, and they are written over in the others (repath.h). */
#include "relink/relink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/spawn.h"
#include "build/bitcode.h"
#include "build/plan.h"
#include "build/recipe.h"
#include "relink/job.h"
#include "relink/link.h"
#include "relink/repath.h"
#include "relink/subject.h"

struct copy {
	struct strv plan;
	struct relink_request ask;
	struct relink_job job;
	char *key; /* in the cache, of the member that is being linked */
};

struct set {
	const struct relink_request *ask;
	struct copy *copies;
	size_t count;
};

__attribute__((format(printf, 2, 3))) static void tell(const struct set *set, const char *format, ...)
{
	char text[1200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (set->ask->progress)
		set->ask->progress(set->ask->context, text);
}

/* ---- by objects ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How many of the objects of all copies are not the same as another's. */
static size_t different(struct strv *parts)
{
	size_t count = 0;

	if (parts->count)
		qsort(parts->at, parts->count, sizeof *parts->at, by_text);
	for (size_t i = 0; i < parts->count; i++)
		count += i == 0 || strcmp(parts->at[i], parts->at[i - 1]) != 0;
	return count;
}

/* results: of all copies, or of none. */
static int link_by_objects(const struct set *set, struct relink_result *results, struct fail *why)
{
	struct strv parts = {0};
	size_t done = 0;

	for (int failed = 0; done < set->count && !failed; done += !failed) {
		struct relink_request ask = set->copies[done].ask;
		ask.only_pieces = true;
		ask.parts = &parts;
		failed = relink_program(&ask, &results[done], why);
	}
	bool failed = done < set->count;
	size_t finished = different(&parts);
	if (!failed && parts.count)
		tell(set, "%zu copies of %s for %s have %zu objects together; %zu of them (%zu %%) are the same as another copy's",
		     set->count, str_base(set->ask->subject->path), set->ask->lens, parts.count, parts.count - finished,
		     (parts.count - finished) * 100 / parts.count);
	while (failed && done--)
		relink_result_free(&results[done]);
	strv_free(&parts);
	return failed ? -1 : 0;
}

/* ---- one link for all ---- */

static bool can_share(const struct set *set, const size_t *numbers, size_t missing, size_t member)
{
	const struct relink_job *first = &set->copies[numbers[0]].job;
	bool fits = true;

	for (size_t i = 1; i < missing && fits; i++) {
		const struct relink_job *other = &set->copies[numbers[i]].job;
		struct strv from = {0}, to = {0};
		relink_job_run_paths(first, &first->family->members[member], &from);
		relink_job_run_paths(other, &other->family->members[member], &to);
		fits = repath_fits(&from, &to);
		strv_free(&from);
		strv_free(&to);
	}
	return fits;
}

static int give_paths(const struct set *set, const struct relink_link *link, size_t member, struct fail *why)
{
	int failed = 0;

	for (size_t i = 1; i < link->stages->count && !failed; i++) {
		const struct relink_job *job = &set->copies[link->copies[i]].job;
		char *object = relink_object(link->stages->at[i], link->member);
		struct strv own = {0};
		relink_job_run_paths(job, &job->family->members[member], &own);
		failed = recipe_is_static(&link->member->note) ? 0 : repath(object, link->run_paths, &own, why);
		strv_free(&own);
		free(object);
	}
	return failed;
}

static int publish(const struct set *set, const struct strv *stages, const size_t *numbers, size_t member, struct fail *why)
{
	int failed = 0;

	for (size_t i = 0; i < stages->count && !failed; i++) {
		struct copy *one = &set->copies[numbers[i]];
		failed = cache_publish(&one->job.cache, stages->at[i], one->key, &one->job.entries[member], why);
	}
	return failed;
}

static int link_together(const struct set *set, const size_t *numbers, size_t missing, size_t member, struct fail *why)
{
	const struct copy *first = &set->copies[numbers[0]];
	const struct relink_job *job = &first->job;
	const struct family_member *m = &job->family->members[member];
	struct strv paths = {0}, stages = {0};
	struct relink_link link = {.ask = &first->ask,
	                           .member = m,
	                           .root = job->cache.root,
	                           .cache = &job->cache,
	                           .tools = &job->tools,
	                           .plugin = &job->plugin,
	                           .libdir = job->libdir,
	                           .run_paths = &paths,
	                           .stages = &stages,
	                           .copies = numbers,
	                           .old_tags = relink_job_run_paths(job, m, &paths)};
	mode_t mask = umask(077); /* the linker's files, too, are for their owner only */
	int failed = 0;

	tell(set, "re-linking %s for %s, %zu copies", str_base(m->path), set->ask->lens, missing);
	while (stages.count < missing && !failed) {
		char *stage = cache_stage(&job->cache, why);
		if (stage)
			strv_add(&stages, stage);
		failed = !stage;
		free(stage);
	}
	failed = failed || relink_link(&link, why) < 0 || give_paths(set, &link, member, why) < 0;
	umask(mask);
	failed = failed || publish(set, &stages, numbers, member, why) < 0;
	for (size_t i = 0; i < stages.count && failed; i++)
		folder_remove(stages.at[i]);
	strv_free(&paths);
	strv_free(&stages);
	return failed ? -1 : 0;
}

/* -1: it is left to the other way, with all that comes after it. */
static int fill_member(const struct set *set, size_t member, struct fail *why)
{
	const struct family_member *m = &set->copies[0].job.family->members[member];
	size_t numbers[RELINK_COPIES_MOST], missing = 0;
	int failed = 0;

	if (bitcode_check(&m->note, m->path, why) < 0)
		return m->optional ? 0 : -1;
	for (size_t c = 0; c < set->count; c++) {
		struct copy *one = &set->copies[c];
		one->key = relink_job_key(&one->job, m);
		if (!relink_job_take(&one->job, m, one->key, &one->job.entries[member]))
			numbers[missing++] = c;
	}
	if (missing == 1)
		failed = fail_set(why, FAIL_INTERNAL, "only one has to be linked");
	else if (missing && !can_share(set, numbers, missing, member))
		failed = fail_set(why, FAIL_INTERNAL, "the names of their libraries differ in length");
	else if (missing)
		failed = link_together(set, numbers, missing, member, why);
	for (size_t c = 0; c < set->count; c++)
		free(set->copies[c].key);
	return failed;
}

static int fill_tree(const struct set *set, size_t member, struct fail *why)
{
	const struct relink_job *first = &set->copies[0].job;
	const struct family_member *m = &first->family->members[member];

	if (first->begun[member])
		return 0;
	first->begun[member] = true;
	for (size_t n = 0; n < m->needs_count; n++)
		if (fill_tree(set, m->needs[n], why) < 0)
			return -1;
	return fill_member(set, member, why);
}

static int fill_family(const struct set *set, struct fail *why)
{
	for (size_t i = 1; i < set->copies[0].job.family->count; i++)
		if (fill_tree(set, i, why) < 0)
			return -1;
	return fill_tree(set, 0, why);
}

static int fill_together(const struct set *set, struct fail *why)
{
	int failed = 0;

	for (size_t c = 0; c < set->count; c++)
		failed |= relink_job_open(&set->copies[c].job, &set->copies[c].ask, why);
	if (!failed) {
		failed = fill_family(set, why);
		cache_trim(&set->copies[0].job.cache);
	}
	for (size_t c = 0; c < set->count; c++)
		relink_job_close(&set->copies[c].job);
	return failed ? -1 : 0;
}

/* ---- one link a copy ---- */

static void fill_one_by_one(const struct set *set)
{
	size_t running = 0, most = spawn_cores();

	fflush(NULL);
	for (size_t c = 0; c < set->count; c++) {
		if (running == most && wait(NULL) > 0)
			running--;
		pid_t child = fork();
		if (child == 0) {
			struct relink_result linked;
			struct fail unsaid;
			_exit(relink_program(&set->copies[c].ask, &linked, &unsaid) < 0);
		}
		running += child > 0;
	}
	while (running && wait(NULL) > 0)
		running--;
}

/* ---- both ---- */

static void plan_copies(const struct set *set)
{
	for (size_t c = 0; c < set->count; c++) {
		struct copy *one = &set->copies[c];
		for (const char *const *p = set->ask->plan; p && *p; p++)
			strv_add(&one->plan, *p);
		if (set->count > 1) {
			plan_add(&one->plan, PLAN_COPIES, "%zu", set->count);
			plan_add(&one->plan, PLAN_COPY, "%zu", c);
		}
		one->ask = *set->ask;
		one->ask.plan = (const char *const *)one->plan.at;
		if (set->count > 1)
			one->ask.progress = NULL; /* what is told is told of all */
	}
}

int relink_copies(const struct relink_request *ask, size_t count, struct relink_result *results, struct fail *why)
{
	struct set set = {ask, mem_or_die(calloc(count, sizeof(struct copy))), count};
	size_t done = 0;

	plan_copies(&set);
	if (count > 1 && link_by_objects(&set, results, why) == 0)
		done = count;
	else if (count > 1 && fill_together(&set, why) < 0) {
		tell(&set, "re-linking %s for %s, %zu copies, one after another: %s", str_base(ask->subject->path), ask->lens, count,
		     why->text);
		fill_one_by_one(&set);
	}
	while (done < count && relink_program(&set.copies[done].ask, &results[done], why) == 0)
		done++;
	bool failed = done < count;
	while (failed && done--)
		relink_result_free(&results[done]);
	for (size_t c = 0; c < count; c++)
		strv_free(&set.copies[c].plan);
	free(set.copies);
	return failed ? -1 : 0;
}
