/* SPDX-License-Identifier: MIT */
/* certain.h: functions of pieces that a call from another piece certainly reaches, and that are profiled by that name.
 *
 *     struct certain certain = {0};
 *     certain_add_piece(&certain, object);
 *     certain_add_native(&certain, another);
 *     certain_keep(&certain, &defined);      of these names, which are in order
 *     certain_free(&certain);
 *
 * Which of several functions of one name the linker takes is its choice; and where a function has two names, only one is its routine's. */
#ifndef SKEIN_RELINK_PIECES_CERTAIN_H
#define SKEIN_RELINK_PIECES_CERTAIN_H

#include "base/blob.h"
#include "base/strv.h"

struct certain {
	struct strv doubtful;
};

void certain_add_piece(struct certain *c, struct blob object);
void certain_add_native(struct certain *c, struct blob object); /* an object that is no piece */
void certain_keep(struct certain *c, struct strv *names);
void certain_free(struct certain *c);

#endif
