/* SPDX-License-Identifier: MIT */
/* messages.h: what the ranks of a program sent each other: the file that the MPI wrapper (src/mpi) maps in the session folder, beside
 * the raw recording of the process. It is named PID.messages; its rows are those of a hash table, so rows with key 0 are free. All
 * numbers are this machine's. A process that is killed leaves what it had. */
#ifndef SKEIN_RAW_MESSAGES_H
#define SKEIN_RAW_MESSAGES_H

#include <stdint.h>

#define RAW_MESSAGES_MAGIC UINT64_C(0x31676d206e69656b) /* "kein mg1" */
#define RAW_MESSAGES_TAIL ".messages"

enum {
	RAW_MESSAGES_ROWS = 8192,
	RAW_MESSAGES_MOST = 6144,       /* rows in use: further peers and tags of a call share one row */
	RAW_MESSAGES_NOBODY = 0xffffff, /* as a peer or a tag: none, or not known */
	RAW_MESSAGES_SHARED = 0xfffffe
};

/* Calls of one kind, to one peer, with one tag, in one communicator. */
struct raw_message {
	uint64_t key; /* of raw_message_key; 0: free */
	uint64_t calls;
	uint64_t bytes; /* of the messages, as far as the call says */
	uint64_t wait_ticks;
	uint64_t longest_ticks;
};

struct raw_messages {
	uint64_t magic;
	uint32_t pid;
	uint32_t calls_known; /* MPI_CALLS of the writer */
	int32_t rank, ranks;  /* in MPI_COMM_WORLD; -1: MPI_Init has not returned */
	uint32_t rows_used;
	uint32_t unused;
	struct raw_message rows[RAW_MESSAGES_ROWS];
};

/* The communicator is a number in the order of first use; 0 is MPI_COMM_WORLD, 255 any that is not known. */
static inline uint64_t raw_message_key(uint32_t call, uint32_t comm, uint32_t peer, uint32_t tag)
{
	return (uint64_t)(call + 1) << 56 | (uint64_t)(comm & 0xff) << 48 | (uint64_t)(peer & 0xffffff) << 24 | (tag & 0xffffff);
}

#endif
