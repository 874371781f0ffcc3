/* SPDX-License-Identifier: MIT */
/* session.h: a session, which is what a recorded program leaves behind before a recording is made of it.
 *
 * A session is a folder: the file `session`, which skein writes before it starts the subject, and a raw recording
 * *.raw from each process. skein removes it when the recording is stored; if skein is killed, `skein recover` reads it.
 *
 *     struct session session;
 *     if (session_read(&session, folder, &why) < 0) …
 *     calls_build(&session, &calls);       the lens makes its tables; session.run has what all lenses share
 *     session_free(&session);              all but the run (run_free)
 *
 * A raw file that cannot be read is left out and becomes a note of the run; the session is an error only if no raw
 * file is left. */
#ifndef SKEIN_SESSION_H
#define SKEIN_SESSION_H

#include "analyse/run.h"
#include "analyse/table.h"
#include "base/fail.h"
#include "keys/session.h"
#include "raw/reader.h"

/* The file `session`; keys/session.h lists its keys. */
struct session_object {
	const char *native, *relinked, *table, *build_id;
};
struct session_setting {
	enum session_key key;
	const char *value;
};
struct session_plan {
	const char *lens, *mode, *native, *command;
	uint64_t period_us;
	uint64_t clock_tsc, clock_ns; /* both clocks when the session was made; 0: not known */
	struct session_object *objects;
	size_t object_count, object_room;
	const char **foreign; /* what of the program is not profiled, and why */
	size_t foreign_count, foreign_room;
	struct session_setting *settings; /* settings for the runtime and for the report of the lens */
	size_t setting_count, setting_room;
	struct pool pool;
};
void session_plan_set(struct session_plan *plan, enum session_key key, const char *value); /* the value is copied */
/* replaces the earlier value of the key, if any */
void session_plan_put(struct session_plan *plan, enum session_key key, const char *value);
const char *session_plan_setting(const struct session_plan *plan, enum session_key key); /* "" if the key was not set */
enum session_key session_plan_key(const char *name);                                     /* SESSION_KEY_COUNT if no key has that name */
void session_plan_read_clocks(struct session_plan *plan);
int session_plan_write(const struct session_plan *plan, const char *folder, struct fail *why);
/* Adds settings to the file when the subject has ended. */
int session_plan_append(const struct session_setting *settings, size_t count, const char *folder, struct fail *why);
int session_plan_read(struct session_plan *plan, const char *folder, struct fail *why);
void session_plan_free(struct session_plan *plan);

/* A table, and the indices in the run of its routines. */
struct session_table {
	struct table table;
	uint32_t object;    /* in the run */
	uint32_t *routines; /* by index */
	const char *path;   /* of the table's file */
	bool loaded;
};

struct session_range {
	uint32_t number; /* of the RAW_OBJECT */
	uint32_t first_routine, first_site;
	size_t table;
};

struct session_process {
	struct raw_reader raw;
	const char *path;
	double ns_per_tick;
	uint64_t last_tsc; /* the last sign of life: last_tsc of the file, or later if the process was killed */
	struct session_range *ranges;
	size_t range_count, range_room;
	uint32_t *lanes; /* sorted; a lane's place is its worker less first_worker */
	size_t lane_count, lane_room;
	uint32_t first_worker;
	struct {
		uint32_t number, routine;
	} *names;
	size_t name_count, name_room;
};

struct session {
	struct session_plan plan;
	struct run run;
	struct session_process *processes; /* processes[i] is run.processes[i] */
	size_t process_count, process_room;
	struct session_table *tables;
	size_t table_count, table_room;
	uint64_t unknown_routines; /* lookups that found no name */
};

int session_read(struct session *session, const char *folder, struct fail *why);
/* A part of session_read: opens the raw recordings of that lens. */
int session_open_raw(struct session *session, const char *folder, uint32_t lens, struct fail *why);
/* A part of session_read: what the process sent and received, if it used MPI. */
void session_take_messages(struct session *session, const char *folder, const struct session_process *process);
void session_free(struct session *session);

/* From numbers of one process to indices of the run. */
uint32_t session_routine(struct session *session, const struct session_process *process, uint32_t number);
uint32_t session_worker(const struct session_process *process, uint32_t lane);
const struct session_table *session_table(const struct session *session, const struct session_process *process, uint32_t object_number);
uint64_t session_ns(const struct session_process *process, uint64_t ticks);
/* of a time that may be below zero, as two's complement */
int64_t session_signed_ns(const struct session_process *process, uint64_t ticks);
bool session_is_finished(const struct session_process *process);

/* Identity of a file that has no build-id: a digest of path, size and time of change. Never empty. */
void session_file_identity(const char *path, char *to, size_t room);

#endif
