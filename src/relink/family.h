/* SPDX-License-Identifier: MIT */
/* family.h: a program and the shared libraries of the same build.
 *
 * A library belongs to the family when skein-cc linked it (it has a note) and the program can load it: it is needed by the
 * program or by another member, or the program can call dlopen and the library lies in the program's folder, in the folder of
 * its link, or at most two folders below.
 *
 *     struct family family;
 *     if (family_find(&family, "/home/me/prog", file, &why) < 0) …      file: what blob_read made of it
 *     family.members[0]                                                 the program
 *     family_free(&family);
 */
#ifndef SKEIN_FAMILY_H
#define SKEIN_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include "base/blob.h"
#include "base/strv.h"
#include "build/note.h"

#define FAMILY_MOST 64 /* libraries that only dlopen can reach */

struct family_member {
	char *path; /* absolute, symbolic links resolved */
	struct note note;
	struct digest note_digest;
	char build_id[65];     /* hex; the digest of the whole file when it has none */
	struct strv names;     /* under which others ask for it: its soname, the names in DT_NEEDED */
	struct strv exported;  /* symbols that other objects of the process can see */
	struct strv run_paths; /* DT_RPATH or DT_RUNPATH, $ORIGIN resolved */
	bool old_tags;         /* the paths are a DT_RPATH */
	bool optional;         /* only dlopen may ask for it */
	bool program;          /* the file asks for a loader */
	size_t *needs;         /* members that it needs */
	size_t needs_count;
};

struct family {
	struct family_member *members;
	size_t count;
};

/* `program` is absolute, without symbolic links. */
int family_find(struct family *family, const char *program, struct blob file, struct fail *why);
void family_free(struct family *family);

#endif
