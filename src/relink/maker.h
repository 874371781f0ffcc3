/* SPDX-License-Identifier: MIT */
/* maker.h: one process makes an entry of the cache; others that want it wait.
 *
 * Ranks of a job begin at once, on many nodes, with one cache on a shared file system. The lock is a file that link() creates, which is
 * atomic on NFS, too; it names its owner. A lock whose owner is gone is taken over: at once on its own computer, elsewhere when it is
 * MAKER_STALE_S old by the clock of the file system. If that was too soon the entry is made twice, which costs time and nothing else.
 *
 *     struct maker maker;
 *     if (maker_begin(&maker, root, "prog-0123…", say_waiting, context))
 *             …make it…                            this process is the maker
 *     else
 *             …look into the cache again…          another one has made it, or has failed
 *     maker_end(&maker);
 */
#ifndef SKEIN_RELINK_MAKER_H
#define SKEIN_RELINK_MAKER_H

#include <stdbool.h>

#define MAKER_LOCK "lock-" /* names of locks begin so; the key of the entry follows */
enum { MAKER_STALE_S = 600 };

struct maker {
	char *lock; /* NULL: this process has none */
};

/* `says` is called once, when it turns out that another process has the lock; may be NULL. Where no lock can be made, every process is a
 * maker. */
bool maker_begin(struct maker *maker, const char *root, const char *key, void (*says)(void *context), void *context);
void maker_end(struct maker *maker);

#endif
