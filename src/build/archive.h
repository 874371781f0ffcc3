/* SPDX-License-Identifier: MIT */
/* archive.h: the members of an ar archive, plain or thin.
 *
 *     struct archive ar;
 *     struct archive_member member;
 *     for (archive_open(&ar, file, "libx.a"); archive_next(&ar, &member);)
 *             use(member.name, member.contents);
 *     archive_close(&ar);
 *
 * A thin archive holds names only; its members are read from the files that they name. A member whose file cannot be
 * read has contents.at == NULL. Reading stops at the first thing that is not an archive's. */
#ifndef SKEIN_ARCHIVE_H
#define SKEIN_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/blob.h"

struct archive {
	struct blob file, names;
	size_t at;
	bool thin;
	char *folder;       /* of the archive: names in a thin one are relative to it */
	struct blob member; /* owned: contents of a thin archive's last member */
	char *name;         /* owned: of the last member */
};

struct archive_member {
	const char *name; /* both valid until the next call */
	struct blob contents;
};

bool archive_is(struct blob file);
void archive_open(struct archive *ar, struct blob file, const char *path);
bool archive_next(struct archive *ar, struct archive_member *member);
void archive_close(struct archive *ar);

/* A member of a plain archive that begins with "!<arch>\n"; it has no name of its own. */
void archive_write(FILE *to, struct blob member);

#endif
