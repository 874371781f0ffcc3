/* SPDX-License-Identifier: MIT */
/* finish.h: what is done when a run of the program is over, by all commands that run it.
 *
 *     if (record_run(&r, &end, &why) == 0) {
 *             finish_note(&r, &end);                                   into its session
 *             over = finish_take_signals(&before);
 *             if (session_store(r.folder, r.recording, false, &made, &why) < 0)
 *                     status = finish_failed(&r, &end, false, &why);
 *     }
 */
#ifndef SKEIN_RUN_FINISH_H
#define SKEIN_RUN_FINISH_H

#include <signal.h>
#include <stdio.h>
#include "run/record.h"

FILE *finish_talk(const struct record *r); /* where Skein may say something; NULL: nowhere */
void finish_note(const struct record *r, const struct launch_end *end);
void finish_say_running(const struct record *r, long running);  /* a process of the program, if it still runs */
int finish_wait_for_user(const struct record *r, long running); /* the same, of copies, which cannot be compared yet; the exit status */
bool finish_take_signals(const sigset_t *before);               /* true: no further run */
/* Says why a run could not be stored, and returns the exit status. Its raw recordings stay, if there are any. */
int finish_failed(const struct record *r, const struct launch_end *end, bool keep, const struct fail *reason);

#endif
