/* SPDX-License-Identifier: MIT */
/* addresses.h: memory that grows where it is.
 *
 * What grows must not move, and a range that is reserved for it counts against the subject's limit of addresses
 * (RLIMIT_AS) as if it were used. So nothing is reserved: each range begins where nothing else is for a long way, in a
 * part of the address space that neither the kernel nor sanitizers use, and is mapped piece by piece.
 *
 *     char *at = addresses_begin(64 << 20, 65536, MAP_PRIVATE | MAP_ANONYMOUS, -1);     NULL: no memory
 *     if (at && addresses_extend(at, 65536, 131072, MAP_PRIVATE | MAP_ANONYMOUS, -1)) …
 *
 * Pages can be read and written. Any thread and any signal handler may call these; errno stays. */
#ifndef SKEIN_RAW_ADDRESSES_H
#define SKEIN_RAW_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/* Maps `first` bytes of file `d`, from its beginning, where `most` bytes are free. All sizes are multiples of a page. */
void *addresses_begin(size_t most, size_t first, int flags, int d);
/* Maps [from, to) of the range behind what it has; false: no memory, or something else lies there. */
bool addresses_extend(void *range, size_t from, size_t to, int flags, int d);

#endif
