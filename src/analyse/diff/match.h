/* SPDX-License-Identifier: MIT */
/* match.h: which things of an old list are which things of a new one, by names that get looser from pass to pass.
 *
 *     struct match_thing old[] = {{.keys = {"prog\nparse\na.c", "parse"}, .line = 12}};
 *     struct match_thing new[] = {{.keys = {"prog\nparse\nb.c", "parse"}, .line = 40}};
 *     size_t found[1];
 *     match_lists(old, 1, new, 1, found);       found[0] is 0: by the second key
 *
 * Things that an earlier pass paired take no part in later ones. Where several things of a list have the same key, they are paired in the
 * order of their lines if there are as many of them in both lists; else they stay for a later pass, and the last pass pairs as many as
 * there are. A key of NULL: the thing takes no part in that pass. */
#ifndef SKEIN_MATCH_H
#define SKEIN_MATCH_H

#include <stddef.h>
#include <stdint.h>

enum { MATCH_PASSES = 5 };
#define MATCH_NONE SIZE_MAX

struct match_thing {
	const char *keys[MATCH_PASSES];
	int64_t line;
};

/* found[i]: the old thing that is new thing i, or MATCH_NONE */
void match_lists(const struct match_thing *old, size_t old_count, const struct match_thing *new, size_t new_count, size_t *found);

#endif
