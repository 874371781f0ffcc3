/* SPDX-License-Identifier: MIT */
/* spawn.h: runs a tool and waits for it.
 *
 *     struct spawn job = {.argv = args.at, .errors = "/tmp/log"};
 *     if (spawn_start(&job, &why) == 0)
 *             status = spawn_wait(&job);
 *
 * A command line too long for the kernel is handed over in a response file. Interrupts reach the tool from the
 * terminal. The parent stays alive to tidy up; spawn_raise then ends it by the same signal. */
#ifndef SKEIN_SPAWN_H
#define SKEIN_SPAWN_H

#include <sys/types.h>
#include "base/fail.h"

struct spawn {
	char *const *argv;
	const char *input;        /* file for standard input, or NULL: ours */
	const char *output;       /* file for standard output, or NULL: ours */
	const char *errors;       /* file for standard error, or NULL: ours */
	const char *folder;       /* to run in, or NULL: here */
	const char *held;         /* a folder that the tool finds open, or NULL */
	int held_as;              /* under this descriptor */
	char *const *environment; /* NULL: the environment of this process */
	pid_t pid;
	char response[64]; /* name of the response file, while there is one */
};

int spawn_start(struct spawn *job, struct fail *why);
int spawn_wait(struct spawn *job); /* exit status as in a shell: 128 + signal if a signal ended the tool */

size_t spawn_cores(void); /* as many tools as can work at once */

void spawn_guard(void); /* from now on SIGINT, SIGTERM, SIGHUP do not end us at once; SIGTERM and SIGHUP are passed on */
void spawn_raise(void); /* if an interrupt was received meanwhile, dies of it now */

#endif
