/* SPDX-License-Identifier: MIT */
/* What the MPI wrapper leaves in a session folder: calls have names, and peers and tags are numbers of a rank or none. What the input does not
 * fill is free rows. */
#include "fuzz/fuzz.h"

#include "analyse/session.h"
#include "raw/messages.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	static struct raw_messages file;
	struct session session = {0};
	struct session_process process = {.ns_per_tick = 0.5};
	memset(&file, 0, sizeof file);
	memcpy(&file, bytes, size < sizeof file ? size : sizeof file);
	fuzz_file("7" RAW_MESSAGES_TAIL, &file, sizeof file);
	run_start(&session.run);
	process.raw.file.pid = 7;
	session_take_messages(&session, ".", &process);
	for (size_t i = 0; i < session.run.message_count; i++) {
		const struct run_message *m = &session.run.messages[i];
		fuzz_read(m->call);
		fuzz_read(m->kind);
		fuzz_hold(m->peer >= RUN_UNKNOWN && m->peer < RAW_MESSAGES_SHARED && m->tag >= RUN_UNKNOWN && m->tag < RAW_MESSAGES_SHARED);
		fuzz_hold(m->comm >= RUN_UNKNOWN && m->comm < 255 && m->calls > 0);
	}
	fuzz_hold(session.run.rank.mpi_ranks > session.run.rank.mpi_rank || session.run.rank.mpi_rank == RUN_UNKNOWN);
	run_free(&session.run);
	return 0;
}
