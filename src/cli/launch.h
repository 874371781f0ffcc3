/* SPDX-License-Identifier: MIT */
/* launch.h: running the subject so that it notices nothing.
 *
 *     struct launch_end end;
 *     if (launch_run(path, argv, folder, environment, &end, &why) < 0) …      it did not start
 *     …write the recording…
 *     return launch_pass_on(&end);                               its exit code, or death by its signal
 *
 * The subject is a child in our process group with our standard streams. While it runs, interrupts from the terminal
 * are for it alone; SIGTERM and SIGHUP sent to us are handed to it, and we go on to write the recording. */
#ifndef SKEIN_LAUNCH_H
#define SKEIN_LAUNCH_H

#include "build/fail.h"

struct launch_end {
	int code;   /* its exit code … */
	int signal; /* … or the signal that it died of */
};

/* environment: NAME=VALUE, ended by NULL, set over what the subject would inherit; or NULL. */
int launch_run(const char *path, char **argv, const char *session_folder, const char *const *environment, struct launch_end *end, struct fail *why);
int launch_pass_on(const struct launch_end *end);

#endif
