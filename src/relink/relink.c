/* SPDX-License-Identifier: MIT */
/* relink.c: from a note to an instrumented program, through the cache.
 *
 * Members of the family are re-linked in the order of their needs, so that the folder of a re-linked library is known when
 * the one that needs it is linked: it becomes the first of its run paths. The key of an entry is all that decides what the link
 * makes: the note (with the digests of the inputs), the native file's name and build-id, the lens, its plan, Skein's own
 * libraries and the folders of what is needed. */
#include "relink/relink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "build/bitcode.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "keys/lenses.h"
#include "relink/job.h"
#include "relink/link.h"
#include "relink/maker.h"
#include "relink/subject.h"

#define CACHE_VERSION "skein-relink 2 clang-19"

static void report(const struct relink_job *job, const char *path)
{
	if (!job->ask->progress)
		return;
	char *text = str_format("re-linking %s for %s", str_base(path), job->ask->lens);
	job->ask->progress(job->ask->context, text);
	free(text);
}

static int find_libdir(struct relink_job *job, struct fail *why)
{
	job->libdir = folder_libdir();
	return job->libdir
		? 0
		: fail_set(
			  why, FAIL_INTERNAL,
			  "skein's own libraries are missing: there is no folder ../lib/skein beside the folder of its program; install skein again");
}

static int add_tool(struct relink_job *job, const char *name, struct fail *why)
{
	struct stat st;
	char *path = str_format("%s/%s", job->libdir, name);
	int failed = 0;

	if (stat(path, &st) < 0)
		failed = fail_set(why, FAIL_INTERNAL, "skein's own file %s is missing: build or install skein again", path);
	digest_text(&job->tools, path);
	digest_add(&job->tools, &st.st_size, sizeof st.st_size);
	digest_add(&job->tools, &st.st_mtim, sizeof st.st_mtim);
	free(path);
	return failed;
}

static int find_tools(struct relink_job *job, struct fail *why)
{
	char *hooks = str_format("hooks-%s.o", job->ask->lens);
	int failed = find_libdir(job, why) || add_tool(job, "libskein-pass.so", why);

	job->plugin = job->tools;
	if (!failed && relink_is_parallel(job->ask))
		failed = add_tool(job, "cilk.o", why);
	else if (!failed)
		failed = add_tool(job, lens_runtime(job->ask->lens), why) || add_tool(job, "skein-rt-static.o", why) ||
			add_tool(job, hooks, why);

	free(hooks);
	return failed ? -1 : 0;
}

char *relink_job_key(const struct relink_job *job, const struct family_member *m)
{
	struct digest sum = {0};
	char hex[DIGEST_HEX];

	digest_text(&sum, CACHE_VERSION);
	digest_add(&sum, &m->note_digest, sizeof m->note_digest);
	digest_text(&sum, m->build_id);
	digest_text(&sum, m->path);
	digest_text(&sum, job->ask->lens);
	for (const char *const *p = job->ask->plan; p && *p; p++)
		digest_text(&sum, *p);
	digest_add(&sum, &job->tools, sizeof job->tools);
	for (size_t i = 0; i < job->family->count; i++) /* names of re-linked libraries, in run paths */
		if (m->program || i < m->needs_count) {
			const struct cache_entry *other = &job->entries[m->program ? i : m->needs[i]];
			digest_text(&sum, other->folder ? other->folder : "");
		}
	for (size_t i = 0; i < m->names.count; i++)
		digest_text(&sum, m->names.at[i]);
	digest_hex(&sum, hex);
	return str_format("%.100s-%s", str_base(m->path), hex);
}

/* Folders of re-linked libraries, then our own, then those of the native file. A program gets them all, since a library that
 * is opened by name is sought in the run path of who opens it. */
bool relink_job_run_paths(const struct relink_job *job, const struct family_member *m, struct strv *paths)
{
	for (size_t i = 0; i < (m->program ? job->family->count : m->needs_count); i++) {
		const struct cache_entry *other = &job->entries[m->program ? i : m->needs[i]];
		char *folder = other->folder ? str_format("%s/" RELINK_OBJECTS, other->folder) : NULL;
		if (folder && !strv_has(paths, folder))
			strv_add(paths, folder);
		free(folder);
	}
	bool old_tags = m->old_tags || paths->count > 0;
	strv_add(paths, job->libdir);
	strv_add_all(paths, &m->run_paths);
	return old_tags;
}

bool relink_job_take(const struct relink_job *job, const struct family_member *m, const char *key, struct cache_entry *entry)
{
	if (!cache_take(&job->cache, key, entry))
		return false;
	if (relink_is_whole(job->ask, m, entry->folder))
		return true;
	folder_remove(entry->folder);
	cache_give(entry);
	return false;
}

static int link_staged(const struct relink_job *job, const struct family_member *m, const char *stage, struct fail *why)
{
	struct strv paths = {0}, stages = {0};
	struct relink_link link = {.ask = job->ask,
	                           .member = m,
	                           .root = job->cache.root,
	                           .cache = &job->cache,
	                           .tools = &job->tools,
	                           .plugin = &job->plugin,
	                           .libdir = job->libdir,
	                           .run_paths = &paths,
	                           .stages = &stages,
	                           .old_tags = relink_job_run_paths(job, m, &paths)};

	strv_add(&stages, stage);
	int failed = relink_link(&link, why);
	strv_free(&paths);
	strv_free(&stages);
	return failed;
}

static int make_entry(struct relink_job *job, const struct family_member *m, const char *key, struct cache_entry *entry, struct fail *why)
{
	report(job, m->path);
	mode_t mask = umask(077); /* the linker's files, too, are for their owner only */
	char *stage = cache_stage(&job->cache, why);
	int failed = !stage || link_staged(job, m, stage, why) < 0;
	umask(mask);
	if (!failed)
		failed = cache_publish(&job->cache, stage, key, entry, why);
	else if (stage)
		folder_remove(stage);
	if (!failed)
		cache_trim(&job->cache);
	free(stage);
	return failed ? -1 : 0;
}

static void report_wait(void *context)
{
	const struct relink_job *job = context;
	if (job->ask->waits)
		job->ask->waits(job->ask->context);
}

static int relink_member(struct relink_job *job, const struct family_member *m, struct cache_entry *entry, struct fail *why)
{
	if (bitcode_check(&m->note, m->path, why) < 0)
		return -1;
	char *key = relink_job_key(job, m);
	if (relink_job_take(job, m, key, entry)) {
		free(key);
		return 0;
	}
	struct maker maker;
	if (!maker_begin(&maker, job->cache.root, key, report_wait, (void *)(uintptr_t)job) && relink_job_take(job, m, key, entry)) {
		maker_end(&maker);
		free(key);
		return 0;
	}
	int failed = make_entry(job, m, key, entry, why);
	maker_end(&maker);
	free(key);
	return failed;
}

/* Re-links needed libraries first. Libraries may need each other in a circle: one that is begun is not waited for. */
static int relink_tree(struct relink_job *job, size_t i, struct fail *why)
{
	const struct family_member *m = &job->family->members[i];

	if (job->begun[i])
		return 0;
	job->begun[i] = true;
	for (size_t n = 0; n < m->needs_count; n++)
		if (relink_tree(job, m->needs[n], why) < 0)
			return -1;
	if (relink_member(job, m, &job->entries[i], why) == 0)
		return 0;
	bool only_data = i != 0 && why->cause == FAIL_NO_ROUTINES; /* a library of data or assembly is no reason to stop */
	if (!m->optional && !only_data)
		return -1;
	job->failed[i] = true;
	strv_addf(&job->foreign, "%s: %s", m->path, why->text);
	return 0;
}

static void read_foreign(struct relink_job *job, const char *folder)
{
	char *path = str_format("%s/foreign", folder);

	strv_read(&job->foreign, path);
	free(path);
}

static void collect(struct relink_job *job, struct relink_result *result)
{
	result->objects = mem_or_die(calloc(job->family->count, sizeof *result->objects));
	result->locks = mem_or_die(calloc(job->family->count, sizeof *result->locks));
	for (size_t i = 0; i < job->family->count; i++) {
		const struct family_member *m = &job->family->members[i];
		const char *folder = job->entries[i].folder;
		if (job->failed[i])
			continue;
		struct relink_object *object = &result->objects[result->count++];
		object->native = str_copy(m->path);
		object->relinked = relink_object(folder, m);
		object->table = str_format("%s/table", folder);
		memcpy(object->build_id, m->build_id, sizeof object->build_id);
		read_foreign(job, folder);
		result->locks[result->locks_count++] = job->entries[i].lock;
		job->entries[i].lock = -1;
	}
	result->foreign = job->foreign.at;
	result->foreign_count = job->foreign.count;
	job->foreign = (struct strv){0};
}

/* What the plan asks for and an object does not have: lines of a key and a sentence that the plugin leaves beside its table. */
static void read_unmet(const struct cache_entry *entry, struct strv *lines)
{
	char *path = str_format("%s/table.unmet", entry->folder);

	strv_read(lines, path);
	free(path);
}

/* The sentence that belongs to the key of this line, or NULL. */
static const char *unmet_sentence(const struct strv *lines, const char *line)
{
	size_t key = strcspn(line, "\t") + 1;

	for (size_t i = 0; i < lines->count; i++)
		if (strncmp(lines->at[i], line, key) == 0)
			return lines->at[i] + key;
	return NULL;
}

/* A sentence that begins with a mark says more than that there is no such thing, and is preferred. */
static void take_sentence(const char *sentence, char **best)
{
	if (*best && *sentence != '!')
		return;
	free(*best);
	*best = str_copy(sentence + (*sentence == '!'));
}

/* A name that no object has cannot be recorded. */
static int check_unmet(const struct relink_job *job, struct fail *why)
{
	struct strv mine = {0};
	int failed = 0;

	read_unmet(&job->entries[0], &mine);
	for (size_t n = 0; n < mine.count && !failed; n++) {
		bool nobody = strchr(mine.at[n], '\t') != NULL;
		char *sentence = NULL;
		if (nobody)
			take_sentence(strchr(mine.at[n], '\t') + 1, &sentence);
		for (size_t i = 1; i < job->family->count && nobody; i++) {
			struct strv others = {0};
			if (!job->failed[i])
				read_unmet(&job->entries[i], &others);
			const char *other = unmet_sentence(&others, mine.at[n]);
			nobody = job->failed[i] || other;
			if (other)
				take_sentence(other, &sentence);
			strv_free(&others);
		}
		if (nobody)
			failed = fail_set(why, FAIL_INTERNAL, "%s", sentence);
		free(sentence);
	}
	strv_free(&mine);
	return failed;
}

int relink_job_open(struct relink_job *job, const struct relink_request *ask, struct fail *why)
{
	*job = (struct relink_job){.ask = ask};
	if (subject_can_relink(ask->subject, ask->lens, plan_has(ask->plan, PLAN_MODE, MODE_COUNTS), why) < 0 || find_tools(job, why) < 0 ||
	    cache_open(&job->cache, why) < 0 || !(job->family = subject_family(ask->subject, why)))
		return -1;
	job->entries = mem_or_die(calloc(job->family->count, sizeof *job->entries));
	job->failed = mem_or_die(calloc(job->family->count, sizeof *job->failed));
	job->begun = mem_or_die(calloc(job->family->count, sizeof *job->begun));
	for (size_t i = 0; i < job->family->count; i++)
		job->entries[i].lock = -1;
	return 0;
}

void relink_job_close(struct relink_job *job)
{
	for (size_t i = 0; job->entries && i < job->family->count; i++)
		cache_give(&job->entries[i]);
	cache_close(&job->cache);
	strv_free(&job->foreign);
	free(job->entries);
	free(job->failed);
	free(job->begun);
	free(job->libdir);
}

static int relink_family(struct relink_job *job, struct fail *why)
{
	for (size_t i = 1; i < job->family->count; i++)
		if (relink_tree(job, i, why) < 0)
			return -1;
	return relink_tree(job, 0, why) < 0 || check_unmet(job, why) < 0 ? -1 : 0;
}

int relink_program(const struct relink_request *ask, struct relink_result *result, struct fail *why)
{
	struct relink_job job;

	*result = (struct relink_result){0};
	int failed = relink_job_open(&job, ask, why) || relink_family(&job, why);
	if (!failed)
		collect(&job, result);
	relink_job_close(&job);
	return failed ? -1 : 0;
}

void relink_result_free(struct relink_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		free(result->objects[i].native);
		free(result->objects[i].relinked);
		free(result->objects[i].table);
	}
	for (size_t i = 0; i < result->foreign_count; i++)
		free(result->foreign[i]);
	for (size_t i = 0; i < result->locks_count; i++)
		close(result->locks[i]);
	free(result->objects);
	free(result->foreign);
	free(result->locks);
	*result = (struct relink_result){0};
}
