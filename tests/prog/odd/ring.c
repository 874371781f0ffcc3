/* SPDX-License-Identifier: MIT */
/* ring: writes and reads a pipe through io_uring, by bare system calls, and sleeps in it. Where the kernel refuses rings, it says so and does the same
 * without. */
#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "work.h"

enum { ENTRIES = 8, TURNS = 200 };
static struct io_uring_params params;
static char *submissions, *completions;
static struct io_uring_sqe *entries;
static int ring;

static unsigned *at(char *base, unsigned offset)
{
	return (unsigned *)(void *)(base + offset);
}

static int sets_up(void)
{
	ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
	if (ring < 0)
		return -1;
	submissions = (char *)mmap(NULL, params.sq_off.array + params.sq_entries * sizeof(unsigned), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	completions = (char *)mmap(NULL, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_CQ_RING);
	entries = (struct io_uring_sqe *)mmap(NULL, params.sq_entries * sizeof *entries, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	return submissions == MAP_FAILED || completions == MAP_FAILED || entries == MAP_FAILED ? -1 : 0;
}

/* One request, and its result. */
static int does(int operation, int file, void *bytes, unsigned length)
{
	unsigned tail = *at(submissions, params.sq_off.tail), mask = *at(submissions, params.sq_off.ring_mask), head;
	struct io_uring_sqe *entry = &entries[tail & mask];
	memset(entry, 0, sizeof *entry);
	entry->opcode = (unsigned char)operation;
	entry->fd = file;
	entry->addr = (unsigned long)bytes;
	entry->len = length;
	at(submissions, params.sq_off.array)[tail & mask] = tail & mask;
	__atomic_store_n(at(submissions, params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	while (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		if (errno != EINTR)
			return -1;
	head = *at(completions, params.cq_off.head);
	if (head == __atomic_load_n(at(completions, params.cq_off.tail), __ATOMIC_ACQUIRE))
		return -1;
	struct io_uring_cqe *result = (struct io_uring_cqe *)(void *)(completions + params.cq_off.cqes) + (head & *at(completions, params.cq_off.ring_mask));
	int got = result->res;
	__atomic_store_n(at(completions, params.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return got;
}

int main(void)
{
	int ends[2], sum = 0;
	char text[16] = "", back[16] = "";
	if (pipe(ends))
		return 1;
	if (sets_up() < 0)
		dprintf(1, "no rings: %s\n", strerror(errno));
	for (int i = 0; i < TURNS; i++) {
		snprintf(text, sizeof text, "turn %d", i);
		sum += entries ? does(IORING_OP_WRITE, ends[1], text, sizeof text) : (int)write(ends[1], text, sizeof text);
		sum += entries ? does(IORING_OP_READ, ends[0], back, sizeof back) : (int)read(ends[0], back, sizeof back);
		work(strcmp(text, back) == 0);
	}
	dprintf(1, "bytes %d\n", sum);
	report_work();
	return 6;
}
