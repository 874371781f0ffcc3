/* SPDX-License-Identifier: MIT */
/* running.h: copies while they run: what run.c, prepare.c and ends.c share. */
#ifndef SKEIN_COPIES_RUNNING_H
#define SKEIN_COPIES_RUNNING_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>

#include "run/copies/copies.h"
#include "run/copies/feed.h"
#include "run/copies/output.h"

struct one {
	char folder[PATH_MAX];
	pid_t pid; /* 0: not yet, or no longer */
	bool started, ended;
	int lingers_ms;              /* the launcher has ended before the copy: after this time the copy is not waited for any more */
	struct copies_output output; /* none for the first, which has our streams */
	struct launch_end end;
};

struct run {
	const struct copies *copies;
	const struct copies_job *job;
	struct one *ones;
	struct copies_feed feed;
	char *here;
	bool is_private;
	int hold;    /* locked as long as copies run whose folders must not change */
	int stopped; /* a signal that ends programs has come: no more copies are started */
	sigset_t before, held;
	void (*on_pipe)(int);
};

int copies_prepare(struct run *r, struct fail *why);            /* what must be there before the first copy starts */
bool copies_never_began(const struct one *one);                 /* the launcher ended without starting the copy */
int copies_compare_ends(const struct run *r, struct fail *why); /* -1: they did not all end as the first did */

#endif
