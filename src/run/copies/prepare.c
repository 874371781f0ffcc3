/* SPDX-License-Identifier: MIT */
/* prepare.c: folders, briefs, outputs and input of all copies, before the first one starts. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/strv.h"
#include "keys/environment.h"
#include "run/copies/brief.h"
#include "run/copies/far.h"
#include "run/copies/folder.h"
#include "run/copies/running.h"

/* Of the same length in all copies: a program that goes through its environment shall find as much in each, and its
 * stack in the same place. */
static char *session_variable(const struct run *r, size_t copy)
{
	char last[PATH_MAX];
	copies_folder_of(r->job->session, r->copies->count - 1, last);
	size_t more = strlen(last) - strlen(r->ones[copy].folder);
	return str_format(ENVIRONMENT_SESSION "=%s%.*s", r->ones[copy].folder, (int)more, "////////////////");
}

static int write_brief(const struct run *r, size_t copy, struct fail *why)
{
	extern char **environ;
	struct copies_brief b = {.folder = (char *)(uintptr_t)r->ones[copy].folder,
	                         .hold = str_format("%s/" COPIES_HOLD, r->job->session),
	                         .path = (char *)(uintptr_t)r->job->paths[copy],
	                         .here = r->here,
	                         .is_private = r->is_private,
	                         .is_kept = copy == 0,
	                         .is_fixed = r->copies->count > 1,
	                         .outlives = r->job->outlives,
	                         .group = r->copies->launch.count ? copies_far_group() : str_copy("")};
	for (char **word = r->job->argv; *word; word++)
		strv_add(&b.argv, *word);
	for (char **variable = environ; *variable; variable++)
		strv_add(&b.environment, *variable);
	for (const char *const *more = r->job->environment; more && *more; more++)
		strv_add(&b.environment, *more);
	char *session = session_variable(r, copy);
	strv_add(&b.environment, session);
	int result = copies_brief_write(&b, why);
	free(session);
	free(b.hold);
	free(b.group);
	strv_free(&b.argv);
	strv_free(&b.environment);
	return result;
}

static int lock_hold(struct run *r, struct fail *why)
{
	char *path = str_format("%s/" COPIES_HOLD, r->job->session);
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	r->hold = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	free(path);
	if (r->hold < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write to %s: %s", r->job->session, strerror(errno));
	fcntl(r->hold, F_SETLK, &whole);
	return 0;
}

int copies_prepare(struct run *r, struct fail *why)
{
	size_t count = r->copies->count;
	for (size_t i = 0; i < count; i++) {
		copies_folder_of(r->job->session, i, r->ones[i].folder);
		copies_output_none(&r->ones[i].output);
	}
	r->here = folder_here(why);
	if (!r->here)
		return -1;
	r->is_private = count > 1 && !r->copies->is_shared;
	if (r->is_private && r->copies->launch.count == 0 && copies_folder_check(r->here, r->job->session, why) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (write_brief(r, i, why) < 0 || (i && copies_output_open(&r->ones[i].output, r->ones[i].folder, why) < 0))
			return -1;
	if (lock_hold(r, why) < 0)
		return -1;
	return copies_feed_open(&r->feed, count, r->job->session, why);
}
