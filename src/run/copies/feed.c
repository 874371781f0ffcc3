/* SPDX-License-Identifier: MIT */
#include "run/copies/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strv.h"

enum { PIECE = 1 << 16, FREE_BYTES = 16 << 20, LAG_BYTES = 256 << 20, LOOK_AGAIN_MS = 300 };

static bool is_null(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

static int make_spool(struct copies_feed *feed, const char *folder, struct fail *why)
{
	char *path = str_format("%s/input-XXXXXX", folder);
	feed->spool = mkostemp(path, O_CLOEXEC);
	if (feed->spool >= 0)
		unlink(path);
	int result = feed->spool >= 0
		? 0
		: fail_set(why, FAIL_INTERNAL, "cannot create a file for the standard input in %s: %s", folder, strerror(errno));
	free(path);
	return result;
}

enum copies_feed_how copies_feed_how(size_t count, off_t *start)
{
	struct stat st;
	if (count < 2 || fstat(STDIN_FILENO, &st) < 0 || S_ISDIR(st.st_mode) || is_null(&st))
		return COPIES_FEED_AS_IS;
	*start = S_ISREG(st.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
	return *start >= 0 && access("/proc/self/fd/0", R_OK) == 0 ? COPIES_FEED_FILE : COPIES_FEED_PIPES;
}

int copies_feed_open(struct copies_feed *feed, size_t count, const char *folder, struct fail *why)
{
	*feed = (struct copies_feed){.count = count, .spool = -1};
	feed->how = copies_feed_how(count, &feed->start);
	if (feed->how != COPIES_FEED_PIPES)
		return 0;
	feed->is_terminal = isatty(STDIN_FILENO);
	feed->pipes = memory_zeroed(count, sizeof *feed->pipes);
	return make_spool(feed, folder, why);
}

static int open_file(const struct copies_feed *feed, struct fail *why)
{
	int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lseek(fd, feed->start, SEEK_SET) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot open the standard input again for each copy: %s; pass it through a pipe",
		         strerror(errno));
		return -2;
	}
	return fd;
}

int copies_feed_input(struct copies_feed *feed, size_t copy, struct fail *why)
{
	int ends[2];
	if (feed->how == COPIES_FEED_FILE && copy > 0)
		return open_file(feed, why);
	if (feed->how != COPIES_FEED_PIPES)
		return -1;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot create a pipe: %s", strerror(errno));
		return -2;
	}
	fcntl(ends[1], F_SETFL, O_NONBLOCK); /* our end only: the other one is another file to the kernel */
	feed->pipes[copy] = (struct copies_feed_pipe){.state = COPIES_FEED_OPEN, .fd = ends[1]};
	return ends[0];
}

void copies_feed_end(struct copies_feed *feed, size_t copy)
{
	if (feed->how != COPIES_FEED_PIPES)
		return;
	if (feed->pipes[copy].state == COPIES_FEED_OPEN)
		close(feed->pipes[copy].fd);
	feed->pipes[copy].state = COPIES_FEED_DONE;
}

/* The position of the slowest copy, and whether a copy has taken all. */
static off_t slowest(const struct copies_feed *feed, bool *hungry)
{
	off_t least = feed->filled;
	*hungry = false;
	for (size_t i = 0; i < feed->count; i++) {
		const struct copies_feed_pipe *p = &feed->pipes[i];
		if (p->state != COPIES_FEED_DONE && p->taken < least)
			least = p->taken;
		*hungry |= p->state == COPIES_FEED_OPEN && p->taken == feed->filled;
	}
	return least;
}

static bool has_later(const struct copies_feed *feed)
{
	for (size_t i = 0; i < feed->count; i++)
		if (feed->pipes[i].state == COPIES_FEED_LATER)
			return true;
	return false;
}

/* Reading from a terminal that belongs to another group now would stop this process. */
static bool may_read(const struct copies_feed *feed)
{
	return !feed->is_terminal || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* End of file. */
static void end_fed(struct copies_feed *feed)
{
	for (size_t i = 0; feed->at_end && i < feed->count; i++)
		if (feed->pipes[i].state == COPIES_FEED_OPEN && feed->pipes[i].taken == feed->filled)
			copies_feed_end(feed, i);
}

size_t copies_feed_polls(struct copies_feed *feed, struct pollfd *polls, int *timeout_ms)
{
	size_t count = 0;
	bool hungry;
	if (feed->how != COPIES_FEED_PIPES)
		return 0;
	end_fed(feed);
	off_t least = slowest(feed, &hungry);
	bool near = has_later(feed) || feed->filled - least < LAG_BYTES, wants = hungry && near && !feed->at_end;
	if (wants && !may_read(feed)) {
		wants = false;
		if (*timeout_ms < 0 || *timeout_ms > LOOK_AGAIN_MS)
			*timeout_ms = LOOK_AGAIN_MS;
	}
	polls[count++] = (struct pollfd){.fd = wants ? STDIN_FILENO : -1, .events = POLLIN};
	for (size_t i = 0; i < feed->count; i++) {
		const struct copies_feed_pipe *p = &feed->pipes[i];
		polls[count++] =
			(struct pollfd){.fd = p->state == COPIES_FEED_OPEN ? p->fd : -1, .events = p->taken < feed->filled ? POLLOUT : 0};
	}
	return count;
}

static void fill(struct copies_feed *feed)
{
	static char piece[PIECE];
	ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got <= 0) {
		feed->at_end = true;
		return;
	}
	for (ssize_t done = 0, put; done < got; done += put) {
		put = pwrite(feed->spool, piece + done, (size_t)(got - done), feed->filled + done);
		if (put < 0) {
			feed->error = errno;
			feed->at_end = true;
			return;
		}
	}
	feed->filled += got;
}

static void hand_on(struct copies_feed *feed, size_t copy)
{
	static char piece[PIECE];
	struct copies_feed_pipe *p = &feed->pipes[copy];
	size_t left = (size_t)(feed->filled - p->taken);
	ssize_t got = pread(feed->spool, piece, left < PIECE ? left : PIECE, p->taken);
	ssize_t put = got > 0 ? write(p->fd, piece, (size_t)got) : -1;
	if (put > 0)
		p->taken += put;
	else if (got <= 0 || (errno != EAGAIN && errno != EINTR))
		copies_feed_end(feed, copy);
}

static void free_spool(struct copies_feed *feed)
{
	bool hungry;
	off_t least = slowest(feed, &hungry);
	if (least - feed->freed < FREE_BYTES || has_later(feed))
		return;
	fallocate(feed->spool, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, feed->freed, least - feed->freed);
	feed->freed = least;
}

void copies_feed_work(struct copies_feed *feed, const struct pollfd *polls, size_t polled)
{
	if (!polled)
		return;
	if (polls[0].fd >= 0 && polls[0].revents)
		fill(feed);
	for (size_t i = 0; i < feed->count; i++) {
		struct copies_feed_pipe *p = &feed->pipes[i];
		if (p->state != COPIES_FEED_OPEN)
			continue;
		if (polls[i + 1].revents & POLLERR) /* the pipe has no reader any more */
			copies_feed_end(feed, i);
		else if (p->taken < feed->filled && polls[i + 1].revents & POLLOUT)
			hand_on(feed, i);
	}
	free_spool(feed);
}

void copies_feed_close(struct copies_feed *feed)
{
	for (size_t i = 0; feed->pipes && i < feed->count; i++)
		copies_feed_end(feed, i);
	if (feed->spool >= 0)
		close(feed->spool);
	free(feed->pipes);
	*feed = (struct copies_feed){.spool = -1};
}
