/* SPDX-License-Identifier: MIT */
/* scopes.h: the trees of scopes while they are made: finds a scope under its parent, or adds it.
 *
 *     struct idles_scopes scopes;
 *     idles_scopes_start(&scopes, idles);                  both roots are there now
 *     uint32_t main = idles_scopes_enter(&scopes, process, &(struct idles_step){IDLES_ROUTINE, routine, "", 0});
 *     idles_scopes_free(&scopes);                          the scopes stay: they are the idles'
 *
 * A scope is the same if parent, kind, routine, file and line are: copies of a loop that the compiler made at one line are one scope. File
 * names are kept once, so that they are the same pointer if they are the same name. */
#ifndef SKEIN_IDLE_SCOPES_H
#define SKEIN_IDLE_SCOPES_H

#include "analyse/idle/idle.h"
#include "base/map.h"

struct idles_step {
	enum idles_kind kind;
	uint32_t routine;
	const char *file; /* from idles_scopes_file */
	uint32_t line;
};

struct idles_scopes {
	struct idles *idles;
	struct lookup index; /* of scopes */
	const char **files;  /* each name once */
	size_t file_count, file_room;
	struct lookup file_index;
};

void idles_scopes_start(struct idles_scopes *scopes, struct idles *idles);
void idles_scopes_free(struct idles_scopes *scopes);
const char *idles_scopes_file(struct idles_scopes *scopes, const char *file);
uint32_t idles_scopes_enter(struct idles_scopes *scopes, uint32_t parent, const struct idles_step *step);

#endif
