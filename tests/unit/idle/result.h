/* SPDX-License-Identifier: MIT */
/* result.h: what the analysis of the idle lens makes of a session, and its scopes as text.
 *
 *     idlemake_session(folder);
 *     struct result r;
 *     analyse(&r);
 *     has(&r.idles, IDLES_LOGICAL, "prog > main", 3, 3, 0, 0);
 *     done(&r);
 */
#ifndef SKEIN_UNIT_IDLE_RESULT_H
#define SKEIN_UNIT_IDLE_RESULT_H

#include "unit/lib.h"

#include "analyse/idle/blame.h"
#include "analyse/idle/verdict.h"
#include "report/idle/view.h"
#include "store/store.h"
#include "unit/idle/names.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

#define MS IDLEMAKE_MS

struct result {
	struct session session;
	struct idles idles;
	struct findings verdict, caveats;
};

static const struct idles_limits usual = {IDLES_HIGH_PCT, IDLES_HIGH_PCT};

static inline void analyse(struct result *r)
{
	struct fail why;
	memset(r, 0, sizeof *r);
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	idles_build(&r->session, &r->idles);
	idles_judge(&r->idles, &usual, &r->verdict, &r->caveats);
}

static inline void done(struct result *r)
{
	findings_free(&r->verdict);
	findings_free(&r->caveats);
	idles_free(&r->idles);
	session_free(&r->session);
	run_free(&r->session.run);
}

/* ---- scopes as text ---- */

/* "prog > main > prepare@43 > loop@12 > line@13": a routine with the line of its call. */
static inline void describe(const struct idles *idles, uint32_t scope, char *to, size_t room)
{
	const struct idles_scope *s = &idles->scopes[scope];
	size_t length = 0;
	*to = 0;
	if (s->parent != IDLES_NO_SCOPE && idles->scopes[s->parent].kind != IDLES_ROOT) {
		describe(idles, s->parent, to, room);
		length = strlen(to);
		length += (size_t)snprintf(to + length, room - length, " > ");
	}
	bool is_routine = s->kind == IDLES_ROUTINE || s->kind == IDLES_INLINED;
	const char *name = s->kind == IDLES_PROCESS ? s->file
		: is_routine                        ? idles->run->routines[s->routine].name
						    : idles_kind_names[s->kind];
	if (s->line && s->kind != IDLES_PROCESS)
		snprintf(to + length, room - length, "%s@%u", name, s->line);
	else
		snprintf(to + length, room - length, "%s", name);
}

/* Inclusive sums of the one scope that is described so. */
static inline struct idles_sums sums_at(const struct idles *idles, enum idles_tree tree, const char *described)
{
	struct idles_sums *sums = memory_zeroed(idles->scope_count, sizeof *sums), found = {0};
	size_t count = 0;
	idles_include(idles, tree, UINT32_MAX, sums);
	for (uint32_t i = 0; i < idles->scope_count; i++) {
		char text[2000];
		describe(idles, i, text, sizeof text);
		if (idles->scopes[i].tree == tree && strcmp(text, described) == 0) {
			found = sums[i];
			count++;
		}
	}
	free(sums);
	if (count != 1)
		fail_msg("%zu scopes are '%s'", count, described);
	return found;
}

static inline void has(const struct idles *idles, enum idles_tree tree, const char *described, uint64_t samples, uint64_t work_ms,
                       uint64_t idle_ms, uint64_t overhead_ms)
{
	struct idles_sums sums = sums_at(idles, tree, described);
	if (sums.samples != samples || sums.work_ns != work_ms * MS || sums.idle_ns != idle_ms * MS || sums.overhead_ns != overhead_ms * MS)
		fail_msg("%s has %llu samples, %llu ms work, %llu ms idle, %llu ms overhead", described, (unsigned long long)sums.samples,
		         (unsigned long long)(sums.work_ns / MS), (unsigned long long)(sums.idle_ns / MS),
		         (unsigned long long)(sums.overhead_ns / MS));
}

/* The session becomes a recording. */
static inline void save(void)
{
	char aside[PATH_MAX];
	struct session session;
	struct idles idles;
	struct fail why;
	if (session_read(&session, folder, &why) < 0)
		fail_msg("%s", why.text);
	idles_build(&session, &idles);
	if (store_save_idle(recording, &idles, aside, &why) < 0)
		fail_msg("%s", why.text);
	idles_free(&idles);
	session_free(&session);
	run_free(&session.run);
}

#endif
