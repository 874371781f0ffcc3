/* SPDX-License-Identifier: MIT */
#include "cli/paths_plan.h"

#include <stdlib.h>
#include <string.h>

#include "build/subject.h"
#include "cli/copies.h"
#include "cli/copies_doubt.h"
#include "cli/lens.h"

static bool is_list(const char *text)
{
	if (strcmp(text, "never-executed") == 0)
		return true;
	for (const char *at = text;; at++) {
		size_t digits = strspn(at, "0123456789");
		if (digits == 0 || digits > 20)
			return false;
		at += digits;
		if (*at != ',')
			return *at == 0;
	}
}

static int plan_only_paths(const struct arguments *a, long copies, struct strv *pass, struct fail *why)
{
	const char *value;
	for (size_t n = 0; (value = arguments_nth(a, "only-paths", n)); n++) {
		const char *cut = strrchr(value, ':');
		if (!cut || cut == value || !is_list(cut + 1) || strchr(value, '\n'))
			return fail_set(why, FAIL_USAGE, "--only-paths takes FUNCTION:LIST with numbers of paths, such as parse:3,7, or FUNCTION:never-executed, not %.200s", value);
		if (strcmp(cut + 1, "never-executed") == 0 && !arguments_has(a, "plan"))
			return fail_set(why, FAIL_USAGE, "--only-paths %.200s needs to know what was executed: name a recording with --plan FILE", value);
	}
	if (copies > 1 && arguments_has(a, "only-paths"))
		return fail_set(why, FAIL_USAGE, "--only-paths is for one copy: leave --copies out");
	lens_add_patterns(a, "only-paths", "ONLYPATHS", pass);
	return 0;
}

static int plan_copies(const struct arguments *a, long copies, struct strv *pass, struct session_plan *session, struct fail *why)
{
	const char *share = arguments_value(a, "share");
	if (share && strcmp(share, "best") != 0 && strcmp(share, "p3") != 0 && strcmp(share, "pbl") != 0)
		return fail_set(why, FAIL_USAGE, "--share takes best, p3 or pbl, not %.100s", share);
	if (share && copies == 1)
		return fail_set(why, FAIL_USAGE, "--share says how several copies divide the work: add --copies K");
	session->mode = "paths";
	session_plan_set(session, "copies", pool_print(&session->pool, "%ld", copies));
	session_plan_set(session, "share", copies == 1 ? "all" : share ? share : "best");
	session_plan_set(session, "copy", "0");
	if (copies == 1)
		return 0;
	strv_addf(pass, "SHARE=%s", share ? share : "best");
	char *program;
	if (subject_find(a->program[0], &program, why) < 0)
		return -1;
	if (!copies_doubt_threads(program))
		strv_add(pass, "TURNS=1");
	free(program);
	return 0;
}

int paths_plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	long copies;
	if (arguments_number(a, "copies", 1, 1, COPIES_MOST, &copies, why) < 0)
		return -1;
	lens_add_patterns(a, "only", "ONLY", pass);
	lens_add_patterns(a, "skip", "SKIP", pass);
	return plan_copies(a, copies, pass, session, why) < 0 || plan_only_paths(a, copies, pass, why) < 0 ? -1 : 0;
}
