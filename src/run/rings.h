/* SPDX-License-Identifier: MIT */
/* rings.h: records that the kernel makes of a program's threads, one ring per core (perf_event_open).
 *
 *     struct rings rings;
 *     if (!rings_open(&rings, &attr, 64)) …                      before the program is forked: the kernel refuses, there are no rings
 *     for (size_t i = 0; i < rings.count; i++) {
 *             uint64_t at = rings_begin(&rings, i), end = rings_end(&rings, i);
 *             while (rings_next(&rings, i, &at, end, &record, sizeof record)) …
 *             rings_drop(&rings, i, end);                        the kernel may use that room again
 *     }
 *     rings_close(&rings);
 *
 * An event begins when the child of skein becomes the program, and goes on in all threads and processes that come from it. What an
 * event records is up to the caller's attr; nothing is seen of the kernel's own code. A record that finds no room is lost, and
 * the kernel says so in a record of its own. One thread at a time may read a ring. */
#ifndef SKEIN_RUN_RINGS_H
#define SKEIN_RUN_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_attr;

struct ring {
	int fd; /* may be polled, if attr has a watermark */
	void *memory;
};

struct rings {
	struct ring *at; /* one per core */
	size_t count, room;
	size_t bytes; /* of records in each */
};

/* False: there are no rings, and nothing to close. pages: of each ring, a power of two. */
bool rings_open(struct rings *rings, const struct perf_event_attr *attr, size_t pages);
/* One by one, for events that were opened elsewhere; `bytes` is set. The ring has the event from then on. False: no memory, the event is
 * closed. */
bool rings_add(struct rings *rings, int fd);
void rings_close(struct rings *rings);

uint64_t rings_begin(const struct rings *rings, size_t i); /* the oldest record */
uint64_t rings_end(const struct rings *rings, size_t i);   /* behind the newest one */
/* record: begins with a struct perf_event_header; a longer record is cut to these bytes. False: there are no more records. */
bool rings_next(const struct rings *rings, size_t i, uint64_t *at, uint64_t end, void *record, size_t bytes);
void rings_drop(const struct rings *rings, size_t i, uint64_t end);

#endif
