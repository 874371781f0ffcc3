/* SPDX-License-Identifier: MIT */
/* link.h: one run of the linker, for one object of the family.
 *
 * It fills folders that are not finished yet (cache_stage): the table and what the lens writes beside it, the list
 * `foreign`, the linker's log, and, in a folder of their own, the object and the names under which the loader may ask for a
 * library: a program may be called `table`. There is one stage, or, for copies of one program, one a copy: then the linker
 * optimises once (pass/together.h). A linker that failed has left its log in the cache's own folder, and the sentence says
 * where. */
#ifndef SKEIN_RELINK_LINK_H
#define SKEIN_RELINK_LINK_H

#include "base/strv.h"
#include "relink/cache.h"
#include "relink/crash.h"
#include "relink/family.h"
#include "relink/relink.h"

struct relink_link {
	const struct relink_request *ask;
	const struct family_member *member;
	const char *root; /* the cache's own folder */
	const char *libdir;
	const struct cache *cache;    /* of pieces, too */
	const struct digest *tools;   /* what our own libraries are */
	const struct digest *plugin;  /* what the plugin is */
	const struct strv *run_paths; /* see recipe.h */
	bool old_tags;
	const struct strv *stages; /* folders to fill */
	struct crashes *crashes;   /* relink_link's own, which fills it in */
	const size_t *copies;      /* the number of each stage's copy; NULL: there is one stage */
};

#define RELINK_OBJECTS "bin" /* in a stage or an entry of the cache: what has a name that the user chose */

int relink_link(const struct relink_link *link, struct fail *why);
char *relink_object(const char *folder, const struct family_member *m); /* path in an entry or a stage; to be freed */
/* a folder that was filled once */
bool relink_is_whole(const struct relink_request *ask, const struct family_member *m, const char *folder);

void relink_large_pages(struct strv *environment);         /* for a compiler or linker: saves a tenth of its time */
bool relink_is_parallel(const struct relink_request *ask); /* without hooks and without a table: nothing is counted in the program */

#endif
