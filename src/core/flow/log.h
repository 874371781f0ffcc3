/* SPDX-License-Identifier: MIT */
/* log.h: the events of a lane as bytes: what a recorded thread writes, and what an analysis reads.
 *
 * A log is a row of chunks, and each chunk can be read by itself, so that old ones may go (a ring) and a killed program has lost
 * nothing. A record is its kind in one byte, the ticks since the record before it, and the fields of its kind; numbers are
 * varints, and places, which repeat, are differences from the last place in the chunk. Most records take 4 to 6 bytes.
 *
 *     struct flow_chunk chunk;                             writer: the memory is the caller's
 *     flow_chunk_start(&chunk, memory, bytes, tick);
 *     if (!flow_log_put(&chunk, &record)) …                no room: begin the next chunk, put it there
 *
 *     struct flow_reader reader;
 *     flow_reader_start(&reader, memory, bytes);           the memory may be hostile: nothing outside of it is read
 *     while (flow_log_get(&reader, &record)) …
 *     if (reader.is_bad) …                                 what came behind the last record is not a log
 *
 * One thread writes. The number of valid bytes is stored last, so another process may read while it does. */
#ifndef SKEIN_CORE_FLOW_LOG_H
#define SKEIN_CORE_FLOW_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/flow/flow.h"

/* Longest record: a kind, ticks, and FLOW_FIELDS numbers of ten bytes each. */
enum { FLOW_FIELDS = 3, FLOW_RECORD_BYTES = 1 + 10 * (1 + FLOW_FIELDS) };

/* What each kind of record has beside its time: X(kind, first field, second field, third field); a field is NUMBER, PLACE or NONE. */
/* clang-format off */
#define FLOW_RECORD_LIST(X)                                                             \
	X(CREATE, NUMBER, NUMBER, NUMBER) /* token, by which the new strand names itself; call path; 1: by a fork */ \
	X(BEGIN, NUMBER, NUMBER, NUMBER)  /* the token of the CREATE, 0, or FLOW_GOES_ON; number and tid of the thread */ \
	X(END, NUMBER, NONE, NONE)        /* handle of the thread */                        \
	X(JOIN, NUMBER, PLACE, NONE)      /* handle of the thread that has ended */         \
	X(PAUSE, NUMBER, NUMBER, NUMBER)  /* kind of wait; object; innermost frame of its call path, or 0 */ \
	X(GO, NONE, NONE, NONE)                                                           \
	X(ACQUIRE, NUMBER, PLACE, NONE)   /* object, and the call: so are the following */  \
	X(RELEASE, NUMBER, PLACE, NONE)   /* the call that acquired it */                   \
	X(SHARE, NUMBER, PLACE, NONE)                                                     \
	X(UNSHARE, NUMBER, PLACE, NONE)                                                   \
	X(FILL, NUMBER, NUMBER, NONE)     /* object, count */                               \
	X(POST, NUMBER, PLACE, NONE)                                                      \
	X(TAKE, NUMBER, PLACE, NONE)                                                      \
	X(LISTEN, NUMBER, PLACE, NONE)                                                    \
	X(SIGNAL, NUMBER, PLACE, NONE)                                                    \
	X(BROADCAST, NUMBER, PLACE, NONE)                                                 \
	X(HEAR, NUMBER, PLACE, NONE)                                                      \
	X(IGNORE, NUMBER, PLACE, NONE)                                                    \
	X(ARRIVE, NUMBER, PLACE, NONE)                                                    \
	X(PASS, NUMBER, PLACE, NONE)                                                      \
	X(OFF, NUMBER, NUMBER, NUMBER)    /* tid; core; 1: preempted */                     \
	X(ON, NUMBER, NUMBER, NONE)       /* tid; core */                                   \
	X(OPEN, NUMBER, PLACE, NONE)                                                      \
	X(ENTER, NUMBER, PLACE, NONE)                                                     \
	X(OFFER, NUMBER, PLACE, NONE)     /* a number that no object has */                 \
	X(FOLLOW, NUMBER, PLACE, NONE)                                                    \
	X(EXIT, NUMBER, NONE, NONE)       /* 1: the process becomes another program */       \
	X(REFUSE, NUMBER, PLACE, NONE)    /* object, and the call */                        \
	X(DETACH, NUMBER, PLACE, NONE)    /* handle of the thread */                        \
	X(RUN, NUMBER, PLACE, NUMBER)     /* number of the task, where it was created, enum flow_run */ \
	X(MARK, NUMBER, PLACE, NUMBER)    /* enum flow_said, its name, a value */           \
	X(ENTRY, NUMBER, NONE, NONE)      /* number of the routine */                       \
	X(RETURN, NONE, NONE, NONE)                                                       \
	X(UNWIND, NUMBER, NONE, NONE)     /* how many frames of the thread stay; the first one stands for its creator */ \
	X(LEND, NUMBER, NONE, NONE)       /* token */                                       \
	X(ADOPT, NUMBER, NONE, NONE)      /* the token of a LEND or a CREATE: one more frame */
/* clang-format on */

/* Of a BEGIN: the thread has begun earlier. Chunks of a ring say so at their beginning, since older ones go. */
#define FLOW_GOES_ON UINT64_MAX

/* Of a RUN. */
enum flow_run { FLOW_RUN_BEGINS = 1 /* the task that comes now */, FLOW_RUN_ENDED = 2 /* the task before it */ };

struct flow_record {
	uint64_t time;
	uint64_t field[FLOW_FIELDS];
	enum flow_kind kind;
};

/* The head of a chunk, as it stands in memory and in files. */
struct flow_head {
	uint64_t base; /* time of the first record, or earlier */
	uint64_t used; /* bytes of records, which follow */
};

struct flow_chunk {
	struct flow_head *head;
	size_t room; /* bytes for records */
	uint64_t time, place;
};

/* A place in a chunk to which the writer can return: records behind it are gone. */
struct flow_mark {
	uint64_t used, time, place;
};

struct flow_reader {
	const unsigned char *at, *end;
	uint64_t time, place;
	bool is_bad;
};

void flow_chunk_start(struct flow_chunk *chunk, void *memory, size_t bytes, uint64_t time); /* memory is aligned to 8 bytes */
bool flow_log_put(struct flow_chunk *chunk, const struct flow_record *record); /* false: no room. A time before the last one counts as it */
struct flow_mark flow_log_mark(const struct flow_chunk *chunk);
void flow_log_return(struct flow_chunk *chunk, const struct flow_mark *mark);

void flow_reader_start(struct flow_reader *reader, const void *memory, size_t bytes);
bool flow_log_get(struct flow_reader *reader, struct flow_record *record);

#endif
