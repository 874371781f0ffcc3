/* SPDX-License-Identifier: MIT */
/* repath.h: other run paths in an object that is linked already.
 *
 * Folders of the cache have names of one length (a name and a digest), so those of one copy's libraries can be written
 * over those of another's, and nothing moves.
 *
 *     struct strv from, to;                      as many in both
 *     if (repath_fits(&from, &to) && repath("stage/prog", &from, &to, &why) < 0) …
 */
#ifndef SKEIN_REPATH_H
#define SKEIN_REPATH_H

#include <stdbool.h>
#include "base/fail.h"
#include "base/strv.h"

bool repath_fits(const struct strv *from, const struct strv *to);
int repath(const char *object, const struct strv *from, const struct strv *to, struct fail *why); /* one that is not found is a failure */

#endif
