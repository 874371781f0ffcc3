/* SPDX-License-Identifier: MIT */
/* turn.h: writers of one recording take turns.
 *
 * A run is added to what the file holds, and the new file takes the place of the old one. Two that do so at once would each
 * begin from the same old file, and the second would drop the run of the first. Between these calls there is one writer:
 *
 *     int turn = turn_take(path, &why);       waits for other writers
 *     if (turn == TURN_BUSY) …
 *     turn_give(path, turn);
 *
 * The lock is on a file beside the recording, which goes with turn_give. It ends with its process, however that ends: a file
 * that a killed process left is taken like a new one. Where no file can be locked, each writer has its turn at once. */
#ifndef SKEIN_STORE_TURN_H
#define SKEIN_STORE_TURN_H

#include "base/fail.h"

enum { TURN_FREE = -1, TURN_BUSY = -2 }; /* no lock can be had here; another process keeps it */

int turn_take(const char *path, struct fail *why);
void turn_give(const char *path, int turn);

#endif
