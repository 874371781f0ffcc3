/* SPDX-License-Identifier: MIT */
/* session.h: the keys of a session: settings that skein passes to the runtime, and reads again when it makes the
 * recording.
 *
 * The file `session` in the session folder has lines KEY<TAB>VALUE (some keys have several values), escaped as in
 * pass/table.h. skein writes it before the subject starts (analyse/session.h), the runtime in the subject reads it
 * (threads/session.h), and skein reads it again when the subject has ended. A new key is one line of the list below; all
 * sides name it by its identifier, so that a mistyped key does not compile.
 *
 *     session_plan_set(&plan, SESSION_HERTZ, "1000");       skein
 *     session_number(SESSION_HERTZ, 1000)                   the runtime
 *
 * Each line: identifier, the key in the file, the lenses it is for, who reads it, and its meaning. Nothing here needs a
 * library: this header may be included everywhere. */
#ifndef SKEIN_KEYS_SESSION_H
#define SKEIN_KEYS_SESSION_H

/* Name of the threads that the profiler has in a program (/proc/PID/task/TID/comm): they are not the program's. */
#define SESSION_HELPER "skein-helper"

/* Name of the file of context switches in the session folder, and the bytes of each of its chunks (run/switches.h). */
#define SESSION_SWITCHES_FILE "switches"
#define SESSION_SWITCHES_CHUNK 65536

#define SESSION_KEYS(X)                                                                                                                \
	X(LENS, "lens", "all", "both", "the lens")                                                                                     \
	X(MODE, "mode", "all", "both", "what is measured: a MODE_ value (keys/mode.h)")                                                \
	X(PERIOD_US, "period_us", "calls", "runtime", "microseconds between snapshots")                                                \
	X(OVERHEAD, "overhead", "calls", "both", "percent of a thread's working time that the hooks may take; 0: every call is timed") \
	X(CLOCKS, "clocks", "all", "skein", "the cycle counter and the monotonic clock in ns when the session began: two values")      \
	X(NATIVE, "native", "all", "both", "path of the program as the user built it")                                                 \
	X(COMMAND, "command", "all", "skein", "the command line, for people")                                                          \
	X(OBJECT, "object", "all", "both", "a re-linked object: native path, re-linked path, table, build-id: four values")            \
	X(FOREIGN, "foreign", "all", "skein", "an object that is not profiled, and why; repeated")                                     \
	X(DIED_OF, "died_of", "all", "skein", "number of the signal that the program died of, 0 if it ended by itself")                \
	X(EXIT_CODE, "exit_code", "all", "skein", "exit status of the program, if it ended by itself")                                 \
	X(STOPPED, "stopped", "all", "skein", "1: skein ended the program, since its time (--for) was over")                           \
	X(SERIES, "series", "all", "skein", "of repeated runs: a number that only runs of one command of skein have")                  \
	X(TURN, "turn", "all", "skein", "which of the repeated runs it is, from 1")                                                    \
	X(RANK, "rank", "all", "both", "number of this rank in a job of several; not set: it is alone")                                \
	X(RANKS, "ranks", "all", "skein", "how many ranks the job has; 0: not known")                                                  \
	X(TASK, "task", "all", "skein", "number of this task of a job array; not set: there is no array")                              \
	X(JOB, "job", "all", "skein", "of a rank or task: what the launcher calls the job")                                            \
	X(NODE, "node", "all", "skein", "of a rank or task: the computer that it runs on")                                             \
	X(LAUNCHER, "launcher", "all", "skein", "of a rank or task: what numbered it")                                                 \
	X(LASTED_NS, "lasted_ns", "all", "skein", "how long the program ran")                                                          \
	X(RAN_NS, "ran_ns", "all", "skein", "how long the threads of the program were on a core, as far as skein saw")                 \
	X(WANTED_NS, "wanted_ns", "all", "skein", "how long they were ready to run and had no core")                                   \
	X(CROWD_NS, "crowd_ns", "all", "skein", "the part of that in which more of them were ready than they have cores")              \
	X(USER_NS, "user_ns", "all", "skein", "CPU time of the program's own code, as the kernel counted it")                          \
	X(SYSTEM_NS, "system_ns", "all", "skein", "CPU time of the kernel for the program")                                            \
	X(FAULTS, "faults", "all", "skein", "page faults of the program")                                                              \
	X(SAMPLES, "samples", "input paths", "skein", "how often skein looked where the program was")                                  \
	X(HOOK_SAMPLES, "hook_samples", "input paths", "skein", "how often it was in Skein's hooks then")                              \
	X(SWITCHES, "switches", "flow", "skein", "context switches that skein recorded; not set: the kernel did not allow it")         \
	X(ESTIMATES, "estimates", "flow", "runtime", "1: no context switches are recorded; threads estimate when they had no core")    \
	X(SWITCHES_LOST, "switches_lost", "flow", "skein", "context switches that skein saw and could not record")                     \
	X(NOTE, "note", "all", "skein", "a sentence that the report must show; repeated")                                              \
	X(HERTZ, "hertz", "idle", "runtime", "samples per second of CPU time")                                                         \
	X(CORES, "cores", "idle span flow", "both", "cores that the program may use; idle: a quota, 0 is none")                        \
	X(KHZ, "khz", "idle", "runtime", "frequency of the cycle counter")                                                             \
	X(EVENTS, "events", "idle", "runtime", "hardware events: TYPE:CONFIG:PERIOD, separated by commas")                             \
	X(EVENT_NAMES, "event_names", "idle", "skein", "their names in the same order, separated by commas")                           \
	X(CLOCK, "clock", "span", "both", "insn, tsc, ns, or the name of an event")                                                    \
	X(EVENT_TYPE, "event_type", "span", "runtime", "of the event that is the clock, for perf_event_open")                          \
	X(EVENT_CONFIG, "event_config", "span", "runtime", "of the event that is the clock, for perf_event_open")                      \
	X(BURDEN, "burden", "span", "runtime", "cost that burdened span adds at each continuation of a spawn")                         \
	X(WHAT_IF, "what_if", "span", "both", "factors, separated by spaces")                                                          \
	X(WHAT_IF_SITES, "what_if_sites", "span", "skein", "the sites that they scale, one per line")                                  \
	X(UNDER, "under", "span", "runtime", "1: only what runs under one site is measured")                                           \
	X(UNDER_SITE, "under_site", "span", "both", "that site, or the name of a marked region")                                       \
	X(CELL_LOG2, "cell_log2", "input", "runtime", "binary logarithm of the bytes in a cell of memory")                             \
	X(SIZES_MAX, "sizes_max", "input", "runtime", "input sizes that are kept apart per routine")                                   \
	X(LOCKS, "locks", "input", "runtime", "1: accesses to memory by locking functions count as input")                             \
	X(WRITER_EPOCHS, "epochs", "input", "runtime", "epochs of a writer's id before it takes another (core/input/writers.h)")       \
	X(WRITER_IDS, "ids", "input", "runtime", "ids of writers before all are numbered anew")                                        \
	X(ONE_BY_ONE, "one_by_one", "input", "runtime", "1: accesses of loops are not told as ranges")                                 \
	X(LAST_BYTES, "last_bytes", "flow", "runtime", "bytes of events that are kept, the newest ones; none: all")                    \
	X(ORDER, "order", "flow", "both", "1: events have an order and no times")                                                      \
	X(AFTER_NS, "after_ns", "flow", "skein", "events before this time of the run are left out")                                    \
	X(NO_EVENTS, "no_events", "flow", "skein", "1: the recording does not keep the events themselves")                             \
	X(COPIES, "copies", "paths", "skein", "how many copies run")                                                                   \
	X(COPY, "copy", "paths", "skein", "which of these copies this session is of, from 0")                                          \
	X(SHARE, "share", "paths", "skein", "how copies divide the paths: all (one copy), best, p3 or pbl")                            \
	X(THRESHOLD, "threshold", "paths", "skein", "of P3: beginnings of paths at which tasks are made; none: its default")           \
	X(INPUT, "input", "paths", "skein", "how copies get standard input: file or pipe")

enum session_key {
#define SESSION_KEY(key, name, lenses, reader, meaning) SESSION_##key,
	SESSION_KEYS(SESSION_KEY)
#undef SESSION_KEY
		SESSION_KEY_COUNT
};

/* The key as it stands in the file: "hertz" for SESSION_HERTZ. */
static inline const char *session_key_name(enum session_key key)
{
	static const char *const names[] = {
#define SESSION_KEY(key, name, lenses, reader, meaning) name,
		SESSION_KEYS(SESSION_KEY)
#undef SESSION_KEY
	};
	return names[key];
}

#endif
