/* SPDX-License-Identifier: MIT */
/* carry.h: what an overlay holds in its upper layer is done to the folder that lies beneath it.
 *
 * Files that were made or changed are written (an existing file keeps its inode), those that were removed are removed,
 * folders likewise; modes, owners and times follow. Every step is tried; the first one that fails is told. */
#ifndef SKEIN_COPIES_CARRY_H
#define SKEIN_COPIES_CARRY_H

#include "base/fail.h"

int copies_carry(int upper, int real, struct fail *why); /* descriptors of folders; both stay open */

#endif
