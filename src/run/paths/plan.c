/* SPDX-License-Identifier: MIT */
/* plan.c: what `skein record paths` asks of the pass, and what its report shall know.
 *
 * keys/plan.h and keys/session.h say what each key means. PLAN_WEIGHTS is a file in the user's cache folder, made of the
 * recording that --plan names; its name has a digest of its content. PLAN_TURNS is set if the program has one thread.
 * relink/copies.c adds PLAN_COPIES and PLAN_COPY. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/paths.h"
#include "base/folder.h"
#include "relink/cache.h"
#include "relink/subject.h"
#include "run/copies/agree.h"
#include "run/copies/copies.h"
#include "run/copies/doubt.h"
#include "run/lens.h"

enum { HASH_DIGITS = 16, THRESHOLD_MOST = 1000000 };

/* never-executed, or names of paths as reports have them: numbers, or x and a hash. */
static bool is_list(const char *text)
{
	if (strcmp(text, "never-executed") == 0)
		return true;
	for (const char *at = text;; at++) {
		bool hash = *at == 'x';
		at += hash;
		size_t digits = strspn(at, hash ? "0123456789abcdef" : "0123456789");
		if (hash ? digits != HASH_DIGITS : digits == 0 || digits > 20)
			return false;
		at += digits;
		if (*at != ',')
			return *at == 0;
	}
}

static int plan_only_paths(const struct arguments *a, long copies, struct strv *pass, struct fail *why)
{
	const char *value;
	for (size_t n = 0; (value = arguments_nth(a, OPTION_ONLY_PATHS, n)); n++) {
		const char *cut = strrchr(value, ':');
		if (!cut || cut == value || !is_list(cut + 1) || strchr(value, '\n'))
			return fail_set(
				why, FAIL_USAGE,
				"--only-paths takes FUNCTION:LIST with numbers of paths, such as parse:3,7, or FUNCTION:never-executed, not %.200s",
				value);
		if (strcmp(cut + 1, "never-executed") == 0 && !arguments_has(a, OPTION_PLAN))
			return fail_set(why, FAIL_USAGE,
			                "--only-paths %.200s needs a recording that shows what was executed: add --plan FILE", value);
	}
	if (copies > 1 && arguments_has(a, OPTION_ONLY_PATHS))
		return fail_set(why, FAIL_USAGE, "--only-paths works with one copy only: leave out --copies");
	run_lens_add_patterns(a, OPTION_ONLY_PATHS, PLAN_ONLYPATHS, pass);
	return 0;
}

static bool asks_for_new(const struct arguments *a)
{
	const char *value;
	for (size_t n = 0; (value = arguments_nth(a, OPTION_ONLY_PATHS, n)); n++)
		if (strcmp(strrchr(value, ':'), ":never-executed") == 0)
			return true;
	return false;
}

/* ---- weights ---- */

static int check_build(struct subject *subject, const struct run *run, const char *file, struct fail *why)
{
	const struct family *family = subject_family(subject, why);
	if (!family)
		return -1;
	return strcmp(family->members[0].build_id, run->build_id) == 0
		? 0
		: fail_set(why, FAIL_USAGE,
	                   "--plan %.300s is a recording of another build of %.300s: record a short run of this build first", file,
	                   subject->path);
}

/* Under a name that its content decides, since it is part of what decides what the re-link makes. */
static int keep_weights(const char *text, size_t bytes, struct strv *pass, struct fail *why)
{
	struct digest sum = {0};
	struct cache cache;
	struct cache_entry entry;
	char hex[DIGEST_HEX], *key, *stage = NULL;
	if (cache_open(&cache, why) < 0)
		return -1;
	digest_add(&sum, text, bytes);
	digest_hex(&sum, hex);
	key = str_format("weights-%s", hex);
	int result = cache_take(&cache, key, &entry) ? 0 : (stage = cache_stage(&cache, why)) ? 1 : -1;
	if (result == 1) {
		char *path = str_format("%s/weights", stage);
		FILE *file = fopen(path, "we");
		bool bad = !file || fwrite(text, 1, bytes, file) != bytes;
		if ((file && fclose(file) != 0) || bad)
			result = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
		else
			result = cache_publish(&cache, stage, key, &entry, why);
		free(path);
		if (result < 0)
			folder_remove(stage);
	}
	if (result == 0) {
		plan_add(pass, PLAN_WEIGHTS, "%s/weights", entry.folder);
		cache_give(&entry);
	}
	cache_close(&cache);
	free(stage);
	free(key);
	return result;
}

static int write_weights(const struct paths *paths, bool names, struct strv *pass, struct fail *why)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *file = mem_or_die(open_memstream(&text, &bytes));
	paths_weights_write(paths, names, file);
	fclose(file);
	int result = keep_weights(text, bytes, pass, why);
	free(text);
	return result;
}

static int plan_weights(struct subject *subject, const char *file, bool names, struct strv *pass, struct fail *why)
{
	struct run run = {0};
	struct paths paths = {0};
	struct store *store = store_open(file, why);
	if (!store)
		return -1;
	int result = store_has_lens(store, "paths")
		? store_load_paths(store, &run, &paths, why)
		: fail_set(why, FAIL_USAGE, "--plan %.300s has no run of the paths lens: record one with `skein record paths -o %.300s`",
	                   file, file);
	if (result == 0) {
		result = check_build(subject, &run, file, why);
		if (result == 0 && !names && paths_are_partial(&paths))
			result = fail_set(
				why, FAIL_USAGE,
				"--plan %.300s has only some paths (--only-paths), so the most executed ones are not known: name a recording of all paths",
				file);
		if (result == 0)
			result = write_weights(&paths, names, pass, why);
		paths_free(&paths);
		run_free(&run);
	}
	store_close(store);
	return result;
}

/* ---- copies ---- */

static int plan_copies(const struct arguments *a, long copies, struct strv *pass, struct session_plan *session, struct fail *why)
{
	const char *share = arguments_value(a, OPTION_SHARE);
	long threshold;
	if (share && strcmp(share, "best") != 0 && strcmp(share, "p3") != 0 && strcmp(share, "pbl") != 0)
		return fail_set(why, FAIL_USAGE, "--share takes best, p3 or pbl, not %.100s", share);
	if (share && copies == 1)
		return fail_set(why, FAIL_USAGE, "--share divides work among several copies: add --copies K");
	if (arguments_has(a, OPTION_THRESHOLD) && (!share || strcmp(share, "p3") != 0))
		return fail_set(why, FAIL_USAGE, "--threshold is that of P3: add --copies K --share p3");
	if (arguments_number(a, OPTION_THRESHOLD, 0, 1, THRESHOLD_MOST, &threshold, why) < 0)
		return -1;
	session->mode = MODE_PATHS;
	session_plan_set(session, SESSION_COPIES, pool_print(&session->pool, "%ld", copies));
	session_plan_set(session, SESSION_SHARE, copies == 1 ? "all" : share ? share : "best");
	session_plan_set(session, SESSION_COPY, "0");
	if (copies > 1)
		plan_add(pass, PLAN_SHARE, "%s", share ? share : "best");
	if (threshold) {
		plan_add(pass, PLAN_THRESHOLD, "%ld", threshold);
		session_plan_set(session, SESSION_THRESHOLD, pool_print(&session->pool, "%ld", threshold));
	}
	return 0;
}

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	long copies;
	if (arguments_number(a, OPTION_COPIES, 1, 1, COPIES_MOST, &copies, why) < 0)
		return -1;
	run_lens_add_patterns(a, OPTION_ONLY, PLAN_ONLY, pass);
	run_lens_add_patterns(a, OPTION_SKIP, PLAN_SKIP, pass);
	return plan_copies(a, copies, pass, session, why) < 0 ? -1 : plan_only_paths(a, copies, pass, why);
}

static int plan_for(const struct arguments *a, struct subject *subject, struct strv *pass, struct fail *why)
{
	const char *file = arguments_value(a, OPTION_PLAN);
	if (subject_can_relink(subject, lens_paths.name, false, why) < 0)
		return -1;
	if (plan_has((const char *const *)pass->at, PLAN_SHARE, NULL) && !copies_doubt_threads(subject))
		plan_add(pass, PLAN_TURNS, "1");
	return file ? plan_weights(subject, file, asks_for_new(a), pass, why) : 0;
}

static int save(struct session *session, const char *path, char aside[PATH_MAX], struct fail *why)
{
	struct paths paths;
	if (paths_build(session, &paths, why) < 0)
		return -1;
	int result = copies_agree(&paths, session, why) < 0 ? -1 : store_save_paths(path, &paths, aside, why);
	paths_free(&paths);
	return result;
}

const struct run_lens run_lens_paths = {
	.lens = &lens_paths,
	.plan = plan,
	.plan_for = plan_for,
	.has_copies = true,
	.save = save,
};
