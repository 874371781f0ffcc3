/* SPDX-License-Identifier: MIT */
/* job.h: what relink.c and copies.c share: a request, the objects that it is about, and what the cache has of them.
 *
 *     struct relink_job job;
 *     if (relink_job_open(&job, &ask, &why) == 0) …
 *     relink_job_close(&job);                         also when opening failed
 */
#ifndef SKEIN_RELINK_JOB_H
#define SKEIN_RELINK_JOB_H

#include "base/blob.h"
#include "base/strv.h"
#include "relink/cache.h"
#include "relink/family.h"
#include "relink/relink.h"

struct relink_job {
	const struct relink_request *ask;
	const struct family *family; /* the subject's */
	struct cache cache;
	struct cache_entry *entries; /* one a member, once it is re-linked */
	bool *failed;                /* one a member: optional, and cannot be re-linked */
	bool *begun;
	struct strv foreign;
	char *libdir;
	struct digest tools; /* what our own libraries are */
	struct digest plugin;
};

int relink_job_open(struct relink_job *job, const struct relink_request *ask, struct fail *why);
void relink_job_close(struct relink_job *job);

/* The entry, if the cache has it and it is whole. One that is not, as a crash of the system or a full disk leaves it, goes. */
bool relink_job_take(const struct relink_job *job, const struct family_member *m, const char *key, struct cache_entry *entry);

/* Both need the entries of what the member needs. */
char *relink_job_key(const struct relink_job *job, const struct family_member *m); /* of its entry in the cache; the caller frees */
bool relink_job_run_paths(const struct relink_job *job, const struct family_member *m,
                          struct strv *paths); /* true: the paths are a DT_RPATH */

#endif
