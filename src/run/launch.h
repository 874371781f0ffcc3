/* SPDX-License-Identifier: MIT */
/* launch.h: running the subject so that it notices nothing.
 *
 *     struct launch launch = {.path = path, .argv = argv, .session_folder = folder};
 *     struct launch_end end;
 *     if (launch_run(&launch, &end, &why) < 0) …                 it did not start
 *     …write the recording…
 *     return launch_pass_on(&end);                               its exit code, or death by its signal
 *
 * The subject is a child in our process group with our standard streams. While it runs, interrupts from the terminal
 * are for it alone; SIGTERM and SIGHUP sent to us are handed to it, and we go on to write the recording. SIGUSR2 asks us for a snapshot. A signal that
 * comes again before the subject has taken the first one kills it: it blocks signals, or hangs. If we are killed, it is, too: what is
 * recorded until then can be recovered. A subject whose time is limited is asked to end by SIGTERM, as a service would be, and killed if
 * it does not. */
#ifndef SKEIN_LAUNCH_H
#define SKEIN_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "base/fail.h"
#include "run/cores.h"
#include "run/switches.h"
#include "run/watch.h"

struct launch_end {
	int code;         /* exit code of the subject, if it ended by itself */
	int signal;       /* signal that the subject died of, or 0 */
	bool stopped;     /* the time was over: the subject died of our signal */
	bool was_timed;   /* the time was over, however the subject ended then */
	bool interrupted; /* skein was told to end (Ctrl-C, SIGTERM …), and told the subject */
	struct cores_times times;
	uint64_t lasted_ns; /* from its start to its end; of launch_run only */
	/* of the subject and of the children that it waited for: CPU time of their code and of the kernel, page faults */
	uint64_t user_ns, system_ns, faults;
	struct watch_seen seen;        /* if the subject was watched */
	struct switches_seen switched; /* if its context switches were recorded */
};

/* A child that is bound dies of SIGKILL when its parent, of this number, ends in whatever way. What it executes keeps that, unless it runs
 * as another user (execve of a set-user-ID file), and what it forks does not. */
void launch_bind(pid_t parent);

/* environment: NAME=VALUE, ended by NULL, set over what the subject would inherit; or NULL. watch: is open; or NULL. switches: is open, and
 * closed when launch_run returns; or NULL. */
struct spare;
struct launch {
	const char *path;
	char **argv;
	const char *session_folder;
	const char *const *environment;
	struct watch *watch;
	struct switches *switches;
	bool outlives;             /* the subject is not bound */
	uint64_t limit_ns;         /* the subject's time, from its start; 0: as long as it likes */
	bool mute;                 /* what it prints, and writes to other descriptors that the caller opened for it, goes nowhere */
	const struct spare *spare; /* what it changes in the working folder is dropped; or NULL */
};
int launch_run(const struct launch *launch, struct launch_end *end, struct fail *why);
int launch_pass_on(const struct launch_end *end);

void launch_drop_interrupts(void); /* what came while the subject ended was meant for it */
/* Between these two a Ctrl-C ends skein and the process that writes the recording at once. The session in the folder is kept, and said
 * to be. */
void launch_let_interrupt(const char *folder, pid_t writer);
void launch_stop_interrupt(void);

/* For who starts children in another way. Held signals (SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR2, SIGCHLD) wait to be fetched;
 * a child gives them back before it becomes the subject. */
void launch_hold_signals(sigset_t *before, sigset_t *held);
void launch_give_signals_back(const sigset_t *before);
/* Hands on what must be. */
void launch_wait(pid_t child, const sigset_t *held, struct watch *watch, uint64_t until_ns, struct launch_end *end); /* until_ns: of the
                                                                                     monotonic clock, when its time is over; 0: never */
bool launch_is_for_child(int code);          /* by si_code: what a terminal sends has reached it already */
bool launch_child_ends(void);                /* within a twentieth of a second: it may have died of the same signal */
struct launch_end launch_end_of(int status); /* of waitpid's */

#endif
