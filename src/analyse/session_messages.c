/* SPDX-License-Identifier: MIT */
/* session_messages.c: what the MPI wrapper left beside the raw recording of a process (raw/messages.h). The file is one that the program
 * could write to: every number in it is bounded. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/session.h"
#include "base/blob.h"
#include "keys/mpi.h"
#include "raw/messages.h"

/* A call that returns at once does not wait. */
enum { KIND_MESSAGE = RAW_WAIT_MESSAGE, KIND_COLLECTIVE = RAW_WAIT_COLLECTIVE, KIND_START = RAW_WAIT_KINDS };

static const struct {
	const char *name;
	int kind;
} calls[MPI_CALLS] = {
#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) {"MPI_" #name, KIND_##kind},
#define MPI_COUNT MPI_CALL
#include "keys/mpi.def"
};

enum { WORLD_SHIFT = 48, PEER_SHIFT = 24, ANY_COMM = 255 };

static int64_t small(uint64_t value)
{
	value &= RAW_MESSAGES_NOBODY;
	return value >= RAW_MESSAGES_SHARED ? RUN_UNKNOWN : (int64_t)value;
}

static int order(const void *a, const void *b)
{
	const struct run_message *x = a, *y = b;
	int by_name = strcmp(x->call, y->call);
	if (by_name)
		return by_name;
	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	if (x->peer != y->peer)
		return x->peer < y->peer ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static void take_row(struct session *s, const struct session_process *p, const struct raw_message *row)
{
	struct run *run = &s->run;
	uint64_t call = (row->key >> 56) - 1, comm = row->key >> WORLD_SHIFT & 0xff;
	if (!row->key || call >= MPI_CALLS || !row->calls)
		return;
	MEMORY_GROW(run->messages, run->message_count, run->message_room);
	run->messages[run->message_count++] = (struct run_message){
		.call = calls[call].name,
		.kind = calls[call].kind == KIND_START ? "start" : run_wait_names[calls[call].kind],
		.comm = comm == ANY_COMM ? RUN_UNKNOWN : (int64_t)comm,
		.peer = small(row->key >> PEER_SHIFT),
		.tag = small(row->key),
		.calls = row->calls,
		.bytes = row->bytes,
		.wait_ns = session_ns(p, row->wait_ticks),
		.longest_ns = session_ns(p, row->longest_ticks),
	};
}

void session_take_messages(struct session *session, const char *folder, const struct session_process *process)
{
	char path[PATH_MAX];
	struct blob file;
	struct fail unsaid;
	struct run *run = &session->run;
	if (snprintf(path, sizeof path, "%s/%u" RAW_MESSAGES_TAIL, folder, process->raw.file.pid) >= (int)sizeof path ||
	    blob_read(path, &file, &unsaid) < 0)
		return;
	const struct raw_messages *m = (const void *)file.at;
	if (file.size == sizeof *m && m->magic == RAW_MESSAGES_MAGIC && m->calls_known == MPI_CALLS) {
		if (m->rank >= 0 && m->ranks > m->rank) {
			run->rank.mpi_rank = m->rank;
			run->rank.mpi_ranks = m->ranks;
		}
		for (size_t i = 0; i < RAW_MESSAGES_ROWS; i++)
			take_row(session, process, &m->rows[i]);
		if (run->message_count)
			qsort(run->messages, run->message_count, sizeof *run->messages, order);
	} else {
		run_note(run, "What process %u sent by MPI could not be read.", process->raw.file.pid);
	}
	blob_free(&file);
}
