/* SPDX-License-Identifier: MIT */
#include "run/rings.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/memory.h"

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* The event is skein's own, and sleeps there: a child inherits it and has it woken when it becomes the program. */
static int open_event(const struct perf_event_attr *asked, int core)
{
	struct perf_event_attr attr = *asked;
	attr.size = sizeof attr;
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	attr.inherit = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, core, -1, PERF_FLAG_FD_CLOEXEC);
}

void rings_close(struct rings *r)
{
	for (size_t i = 0; i < r->count; i++) {
		munmap(r->at[i].memory, r->bytes + page_bytes());
		close(r->at[i].fd);
	}
	free(r->at);
	*r = (struct rings){0};
}

bool rings_add(struct rings *r, int fd)
{
	void *memory = mmap(NULL, r->bytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		close(fd);
		return false;
	}
	MEMORY_GROW(r->at, r->count, r->room);
	r->at[r->count++] = (struct ring){fd, memory};
	return true;
}

/* False: the kernel has an event for this core and no memory. */
static bool add_ring(struct rings *r, const struct perf_event_attr *attr, int core)
{
	int fd = open_event(attr, core);
	return fd < 0 || rings_add(r, fd);
}

/* A part of the cores would say nothing true about the whole. Cores that are switched off have no events. */
bool rings_open(struct rings *r, const struct perf_event_attr *attr, size_t pages)
{
	*r = (struct rings){.bytes = pages * page_bytes()};
	bool is_whole = true;
	for (int core = 0; is_whole && core < sysconf(_SC_NPROCESSORS_CONF); core++)
		is_whole = add_ring(r, attr, core);
	if (!is_whole || (long)r->count < sysconf(_SC_NPROCESSORS_ONLN))
		rings_close(r);
	return r->count;
}

uint64_t rings_begin(const struct rings *r, size_t i)
{
	const struct perf_event_mmap_page *head = r->at[i].memory;
	return head->data_tail;
}

uint64_t rings_end(const struct rings *r, size_t i)
{
	const struct perf_event_mmap_page *head = r->at[i].memory;
	return __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
}

/* A record may go around the end of the ring; its header does not, since records are in steps of 8 bytes, as long as a header. */
bool rings_next(const struct rings *r, size_t i, uint64_t *at, uint64_t end, void *record, size_t bytes)
{
	const struct perf_event_mmap_page *head = r->at[i].memory;
	const char *data = (const char *)r->at[i].memory + head->data_offset;
	struct perf_event_header header;
	size_t from = *at % r->bytes;
	if (*at >= end)
		return false;
	memcpy(&header, data + from, sizeof header);
	if (header.size < sizeof header)
		return false;
	size_t length = header.size < bytes ? header.size : bytes;
	size_t first = length < r->bytes - from ? length : r->bytes - from;
	memcpy(record, data + from, first);
	memcpy((char *)record + first, data, length - first);
	*at += header.size;
	return true;
}

void rings_drop(const struct rings *r, size_t i, uint64_t end)
{
	struct perf_event_mmap_page *head = r->at[i].memory;
	__atomic_store_n(&head->data_tail, end, __ATOMIC_RELEASE);
}
