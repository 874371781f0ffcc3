/* SPDX-License-Identifier: MIT */
/* brief.h: what a copy of the program is to be started with, as a file in its session folder.
 *
 * A launcher such as ssh or srun hands on neither the environment nor words with spaces in them, and runs somewhere
 * else. So skein writes all of it down, and gives the launcher three plain words: `skein run-copy FOLDER`, where FOLDER
 * has no byte that a shell would look at. A reader of the brief leaves a mark: if there is none when the launcher
 * has ended, the copy was never begun. A launcher may begin a copy several times, as mpirun -n 4 does: then all of
 * them are the copy.
 *
 *     char *word = copies_brief_word(folder);        "/tmp/my%20folder/.prog.skein.session-Ab12Cd/copy-1"
 *     copies_brief_read(&brief, word, &why)           in run-copy; then copies_brief_free */
#ifndef SKEIN_COPIES_BRIEF_H
#define SKEIN_COPIES_BRIEF_H

#include <stdbool.h>
#include "base/fail.h"
#include "base/strv.h"

#define COPIES_BRIEF "brief"     /* the file */
#define COPIES_BEGUN "begun"     /* beside the brief: one byte for each process that has read it */
#define COPIES_FAILED "failed"   /* beside it: one sentence, if the copy could not be begun or its changes not be carried over */
#define COPIES_ENDED "ended"     /* beside it: the program has ended, and how (far.h), but its changes wait until all copies have */
#define COPIES_SIGNALS "signals" /* beside it, with a launcher: what is to be passed on to the program (far.h) */
#define COPIES_HOLD "hold"       /* in the session's folder: locked by skein as long as copies run */

struct copies_brief {
	char *folder;    /* the copy's session folder */
	bool is_first;   /* this process is the first that read the brief */
	char *hold;      /* the file that skein has locked */
	char *path;      /* what is run */
	char *here;      /* the working folder */
	bool is_private; /* the copy gets a private view of the working folder */
	bool is_kept;    /* changes in the private view are carried over when all copies have ended */
	bool is_fixed;   /* addresses are not to be randomised */
	bool outlives;   /* the copy is not bound to who looks after it (launch.h) */
	char *group;     /* of skein, if a launcher starts the copy (far.h); else empty */
	struct strv argv;
	struct strv environment; /* set over what the launcher gives */
};

int copies_brief_write(const struct copies_brief *b, struct fail *why);
int copies_brief_read(struct copies_brief *b, const char *word, struct fail *why);
void copies_brief_free(struct copies_brief *b);
void copies_brief_forget(const char *session); /* of all copies: the environment, which a brief holds, must not outlive the run */
char *copies_brief_word(const char *folder);   /* the caller frees */

#endif
