/* SPDX-License-Identifier: MIT */
/* ends.c: how copies ended: all as the first did, or who differs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strv.h"
#include "run/copies/brief.h"
#include "run/copies/running.h"

static const char *end_text(struct pool *pool, const struct launch_end *end)
{
	return end->signal ? pool_print(pool, "was killed by signal %d (%s)", end->signal, strsignal(end->signal))
			   : pool_print(pool, "ended with exit code %d", end->code);
}

/* A sentence that a copy left because it could not do what was asked. */
static bool left_sentence(const struct one *one, struct fail *why)
{
	char *path = str_format("%s/" COPIES_FAILED, one->folder), text[800] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = fd >= 0 && read(fd, text, sizeof text - 1) > 0;
	if (fd >= 0)
		close(fd);
	free(path);
	if (found)
		fail_set(why, FAIL_INTERNAL, "%s", text);
	return found;
}

int copies_compare_ends(const struct run *r, struct fail *why)
{
	const struct one *first = &r->ones[0];
	struct pool pool = {0};
	int result = 0;
	for (size_t i = 0; i < r->copies->count && result == 0; i++) {
		const struct one *one = &r->ones[i];
		if (r->copies->launch.count && copies_never_began(one)) {
			copies_output_show(&one->output, i, stderr);
			result = fail_set(why, FAIL_CANNOT_RUN,
			                  "%s %s without starting copy %zu: check the command of --launch by running it alone",
			                  r->copies->launch.at[0], end_text(&pool, &one->end), i);
		} else if (left_sentence(one, why)) {
			copies_output_show(&one->output, i, stderr);
			result = -1;
		}
	}
	for (size_t i = 1; i < r->copies->count && result == 0; i++) {
		const struct one *one = &r->ones[i];
		if (one->end.code == first->end.code && one->end.signal == first->end.signal)
			continue;
		copies_output_show(&one->output, i, stderr);
		result = fail_set(
			why, FAIL_CANNOT_RUN,
			"copy %zu of the program %s, but copy 0 %s: copies that do not behave identically cannot be combined; record with --copies 1",
			i, end_text(&pool, &one->end), end_text(&pool, &first->end));
	}
	if (result == 0 && r->feed.error)
		result = fail_set(why, FAIL_INTERNAL,
		                  "the standard input could not be passed to all copies: %s; free some space, or redirect it from a file",
		                  strerror(r->feed.error));
	pool_free(&pool);
	return result;
}
