/* SPDX-License-Identifier: MIT */
/* feed.h: one standard input for several copies.
 *
 * A regular file is opened anew for each copy, at the place where ours stands; the first copy has ours, so that a
 * later reader continues where the copy stopped. What can be read only once (a pipe, a terminal, a socket) is read
 * by skein and written to a pipe for each copy. What is read is put in a file without a name first: a copy takes it
 * when it can, and a later copy finds it there, too. Nothing is read before a copy has taken all that there is; if
 * one lags far behind, the others wait. A copy that closes its input or ends is waited for no longer. Input that is
 * not there (closed, /dev/null, a folder) is handed on as it is.
 *
 *     copies_feed_open(&feed, count, folder, &why)
 *     int fd = copies_feed_input(&feed, i, &why)           for a child's descriptor 0; -1: as it is. The caller closes it after fork
 *     …copies_feed_polls(&feed, polls), poll, copies_feed_work(&feed, polls), again and again…
 *     copies_feed_end(&feed, i)                            the copy has ended
 *     copies_feed_close(&feed) */
#ifndef SKEIN_COPIES_FEED_H
#define SKEIN_COPIES_FEED_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/fail.h"

enum copies_feed_state { COPIES_FEED_LATER, COPIES_FEED_OPEN, COPIES_FEED_DONE };

enum copies_feed_how { COPIES_FEED_AS_IS, COPIES_FEED_FILE, COPIES_FEED_PIPES };

struct copies_feed {
	enum copies_feed_how how;
	size_t count;
	off_t start;  /* of a file: where each begins */
	int spool;    /* what was read */
	off_t filled; /* bytes of it */
	off_t freed;  /* bytes at its beginning that no copy needs any more */
	bool at_end;  /* there is no more to read */
	bool is_terminal;
	int error; /* the error that kept skein from passing on everything, or 0 */
	struct copies_feed_pipe {
		enum copies_feed_state state;
		int fd; /* the end that skein writes to */
		off_t taken;
	} *pipes;
};

enum copies_feed_how copies_feed_how(size_t count, off_t *start); /* what will be done with our standard input */
int copies_feed_open(struct copies_feed *feed, size_t count, const char *folder, struct fail *why);
int copies_feed_input(struct copies_feed *feed, size_t copy, struct fail *why);            /* -2: why is filled */
size_t copies_feed_polls(struct copies_feed *feed, struct pollfd *polls, int *timeout_ms); /* at most count + 1 */
void copies_feed_work(struct copies_feed *feed, const struct pollfd *polls, size_t polled);
void copies_feed_end(struct copies_feed *feed, size_t copy);
void copies_feed_close(struct copies_feed *feed);

#endif
