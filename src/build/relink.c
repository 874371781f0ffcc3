/* SPDX-License-Identifier: MIT */
/* relink.c: from a note to an instrumented program, through the cache.
 *
 * Members of the family are re-linked in the order of their needs, so that the folder of a re-linked library is known when
 * the one that needs it is linked: it becomes the first of its run paths. The key of an entry is all that decides what the link
 * makes: the note (with the digests of the inputs), the native file's name and build-id, the lens, its plan, Skein's own
 * libraries and the folders of what is needed. */
#include "build/relink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build/bitcode.h"
#include "build/cache.h"
#include "build/elf64.h"
#include "build/family.h"
#include "build/folder.h"
#include "build/recipe.h"
#include "build/spawn.h"
#include "build/subject.h"
#include "pass/table.h"

#define CACHE_VERSION "skein-relink 1 clang-19"

struct job {
	const struct relink_request *ask;
	struct family family;
	struct cache cache;
	struct cache_entry *entries; /* one a member, once it is re-linked */
	bool *failed;                /* one a member: optional, and cannot be re-linked */
	bool *begun;
	struct strv foreign;
	char *libdir;
	struct digest tools;         /* what our own libraries are */
};

static bool plan_has(const struct relink_request *ask, const char *entry)
{
	for (const char *const *p = ask->plan; p && *p; p++)
		if (strcmp(*p, entry) == 0)
			return true;
	return false;
}

/* Without hooks and without a table: nothing is counted in the program. */
static bool is_parallel(const struct relink_request *ask)
{
	return plan_has(ask, "CILK=parallel");
}

static void report(const struct job *job, const char *path)
{
	if (!job->ask->progress)
		return;
	char *text = str_format("re-linking %s for %s", str_base(path), job->ask->lens);
	job->ask->progress(job->ask->context, text);
	free(text);
}

static int find_libdir(struct job *job, struct fail *why)
{
	job->libdir = folder_libdir();
	return job->libdir ? 0 : fail_set(why, FAIL_INTERNAL, "skein's own libraries are missing: there is no folder ../lib/skein beside its program; install it again");
}

static int add_tool(struct job *job, const char *name, struct fail *why)
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

static int find_tools(struct job *job, struct fail *why)
{
	char *hooks = str_format("hooks-%s.o", job->ask->lens);
	int failed = find_libdir(job, why) || add_tool(job, "libskein-pass.so", why);

	if (!failed && is_parallel(job->ask))
		failed = add_tool(job, "cilk.o", why);
	else if (!failed)
		failed = add_tool(job, "libskein-rt.so", why) || add_tool(job, "skein-rt-static.o", why) || add_tool(job, hooks, why);

	free(hooks);
	return failed ? -1 : 0;
}

static char *entry_key(const struct job *job, const struct family_member *m)
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
	for (size_t i = 0; i < job->family.count; i++) /* names of re-linked libraries, in run paths */
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
static void add_run_paths(const struct job *job, const struct family_member *m, struct recipe *recipe, struct strv *paths)
{
	for (size_t i = 0; i < (m->program ? job->family.count : m->needs_count); i++) {
		const struct cache_entry *other = &job->entries[m->program ? i : m->needs[i]];
		if (other->folder && !strv_has(paths, other->folder))
			strv_add(paths, other->folder);
	}
	recipe->old_tags = m->old_tags || paths->count > 0;
	strv_add(paths, job->libdir);
	strv_add_all(paths, &m->run_paths);
	recipe->run_paths = paths;
}

static void add_plan(const struct job *job, const struct family_member *m, const char *stage, struct strv *plan)
{
	strv_addf(plan, "SKEIN_PASS_LENS=%s", job->ask->lens);
	strv_addf(plan, "SKEIN_PASS_TABLE=%s/table", stage);
	strv_addf(plan, "SKEIN_PASS_OBJECT=%s", m->build_id);
	for (const char *const *p = job->ask->plan; p && *p; p++)
		strv_addf(plan, "SKEIN_PASS_%s", *p);
}

static int run_link(const struct job *job, const struct family_member *m, const struct recipe *recipe, const char *stage,
		    int *status, struct fail *why)
{
	struct strv command = {0}, plan = {0}, environment = {0};
	char *log = str_format("%s/log", stage);

	recipe_words(recipe, &command);
	add_plan(job, m, stage, &plan);
	recipe_environment(&m->note, &plan, &environment);
	unlink(log);
	struct spawn link = {.argv = command.at, .folder = m->note.folder, .output = "/dev/null", .errors = log,
			     .environment = environment.at};
	int failed = spawn_start(&link, why);
	if (!failed)
		*status = spawn_wait(&link);
	strv_free(&command);
	strv_free(&plan);
	strv_free(&environment);
	free(log);
	return failed;
}

/* lld does not know each option of GNU ld. It names all that it does not know, and what it does not know cannot
 * matter to what it makes; so they are left out at a second try. */
static bool read_refused(const char *stage, struct strv *refused)
{
	static const char said[] = "unknown argument '";
	char *path = str_format("%s/log", stage), *line = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "re");

	while (in && getline(&line, &room, in) > 0) {
		char *start = strstr(line, said), *end = start ? strchr(start + strlen(said), '\'') : NULL;
		if (end)
			strv_add_bytes(refused, start + strlen(said), (size_t)(end - start) - strlen(said));
	}
	if (in)
		fclose(in);
	free(line);
	free(path);
	return refused->count > 0;
}

static void first_error(const char *log, char *text, size_t size)
{
	char *line = NULL;
	size_t room = 0;
	FILE *in = fopen(log, "re");

	snprintf(text, size, "the linker said nothing");
	while (in && getline(&line, &room, in) > 0) {
		char *at = strstr(line, "error: ");
		if (!at)
			continue;
		at[strcspn(at, "\n")] = 0;
		snprintf(text, size, "%s", at + strlen("error: "));
		break;
	}
	if (in)
		fclose(in);
	free(line);
}

/* The log outlives the stage: its name is part of the sentence. */
static int link_failed(const struct job *job, const struct family_member *m, const char *stage, struct fail *why)
{
	char *log = str_format("%s/log", stage), *kept = str_format("%s/failed-%.100s.log", job->cache.root, str_base(m->path));
	char text[400];

	first_error(log, text, sizeof text);
	if (rename(log, kept) < 0)
		snprintf(kept, strlen(kept) + 1, "-");
	fail_set(why, FAIL_INTERNAL, "re-linking %s failed: %s (all that the linker said is in %s)", m->path, text, kept);
	free(log);
	free(kept);
	return -1;
}

/* How many routines the plugin wrote into its table; -1: there is none, or it is not whole. */
static long table_routines(const char *stage)
{
	struct blob table;
	struct fail unread;
	char *path = str_format("%s/table", stage);
	long routines = -1;

	if (blob_read(path, &table, &unread) == 0) {
		const char *text = (const char *)table.at, *end = table.size ? memrchr(text, '\n', table.size - 1) : NULL;
		if (str_starts(text, TABLE_MAGIC "\t") && end && str_starts(end + 1, "end\t"))
			routines = atol(end + 1 + strlen("end\t"));
		blob_free(&table);
	}
	free(path);
	return routines;
}

static int check_table(const struct job *job, const struct family_member *m, const char *stage, struct fail *why)
{
	long routines = table_routines(stage);

	if (routines > 0 || is_parallel(job->ask))
		return 0;
	return routines < 0 ? fail_set(why, FAIL_INTERNAL, "re-linking %s gave no table of routines: the pass plugin did not run; run `skein doctor`", m->path)
			    : fail_set(why, FAIL_CANNOT_RUN, "no function of %s has bitcode, so there is nothing to profile: compile its sources with skein-cc too",
				       m->path);
}

static void write_lines(const char *stage, const char *name, const struct strv *lines)
{
	char *path = str_format("%s/%s", stage, name);
	FILE *out = fopen(path, "we");

	for (size_t i = 0; out && i < lines->count; i++)
		fprintf(out, "%s\n", lines->at[i]);
	if (out)
		fclose(out);
	free(path);
}

/* Names under which the loader may ask for a library. */
static void link_names(const struct family_member *m, const char *stage)
{
	for (size_t i = 0; i < m->names.count; i++) {
		if (strchr(m->names.at[i], '/') || strcmp(m->names.at[i], str_base(m->path)) == 0)
			continue;
		char *name = str_format("%s/%s", stage, m->names.at[i]);
		if (symlink(str_base(m->path), name) < 0)
			errno = 0; /* it is there already: two names were the same */
		free(name);
	}
}

static int link_staged(const struct job *job, const struct family_member *m, const char *stage, struct fail *why)
{
	struct bitcode found = {.parallel = is_parallel(job->ask)};
	struct strv paths = {0}, refused = {0};
	char *output = str_format("%s/%s", stage, str_base(m->path));
	struct recipe recipe = {.note = &m->note, .found = &found, .output = output, .libdir = job->libdir, .lens = job->ask->lens,
				.parallel = found.parallel, .is_static = recipe_is_static(&m->note), .refused = &refused};
	int status = 0, failed = bitcode_scan(&m->note, stage, &found, why);

	add_run_paths(job, m, &recipe, &paths);
	failed = failed || run_link(job, m, &recipe, stage, &status, why);
	if (!failed && status != 0 && read_refused(stage, &refused))
		failed = run_link(job, m, &recipe, stage, &status, why);
	if (!failed)
		failed = status ? link_failed(job, m, stage, why) : check_table(job, m, stage, why);
	if (!failed) {
		for (size_t i = 0; i < found.serial.count; i++)
			strv_addf(&found.foreign, "a Cilk source runs serially: %s", found.serial.at[i]);
		write_lines(stage, "foreign", &found.foreign);
		link_names(m, stage);
	}
	for (size_t i = 1; i < found.replaced.count; i += 2)
		unlink(found.replaced.at[i]);
	free(output);
	strv_free(&paths);
	strv_free(&refused);
	bitcode_free(&found);
	return failed;
}

static int relink_member(struct job *job, const struct family_member *m, struct cache_entry *entry, struct fail *why)
{
	if (bitcode_check(&m->note, m->path, why) < 0)
		return -1;
	char *key = entry_key(job, m);
	if (cache_take(&job->cache, key, entry)) {
		free(key);
		return 0;
	}
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
	free(key);
	return failed ? -1 : 0;
}

/* Needs first. Libraries may need each other in a circle: whoever is begun is not waited for. */
static int relink_tree(struct job *job, size_t i, struct fail *why)
{
	const struct family_member *m = &job->family.members[i];

	if (job->begun[i])
		return 0;
	job->begun[i] = true;
	for (size_t n = 0; n < m->needs_count; n++)
		if (relink_tree(job, m->needs[n], why) < 0)
			return -1;
	if (relink_member(job, m, &job->entries[i], why) == 0)
		return 0;
	if (!m->optional && i != 0 && why->status == FAIL_CANNOT_RUN && strstr(why->text, "nothing to profile"))
		; /* a library of data or assembly is no reason to stop */
	else if (!m->optional)
		return -1;
	job->failed[i] = true;
	strv_addf(&job->foreign, "%s: %s", m->path, why->text);
	return 0;
}

static void read_foreign(struct job *job, const char *folder)
{
	char *path = str_format("%s/foreign", folder), *line = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "re");

	while (in && getline(&line, &room, in) > 0)
		strv_add_bytes(&job->foreign, line, strcspn(line, "\n"));
	if (in)
		fclose(in);
	free(line);
	free(path);
}

static void collect(struct job *job, struct relink_result *result)
{
	result->objects = mem_or_die(calloc(job->family.count, sizeof *result->objects));
	result->locks = mem_or_die(calloc(job->family.count, sizeof *result->locks));
	for (size_t i = 0; i < job->family.count; i++) {
		const struct family_member *m = &job->family.members[i];
		const char *folder = job->entries[i].folder;
		if (job->failed[i])
			continue;
		struct relink_object *object = &result->objects[result->count++];
		object->native = str_copy(m->path);
		object->relinked = str_format("%s/%s", folder, str_base(m->path));
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
	char *path = str_format("%s/table.unmet", entry->folder), *line = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "re");

	while (in && getline(&line, &room, in) > 0)
		strv_add_bytes(lines, line, strcspn(line, "\n"));
	if (in)
		fclose(in);
	free(line);
	free(path);
}

static bool has_key(const struct strv *lines, const char *line)
{
	size_t key = strcspn(line, "\t") + 1;

	for (size_t i = 0; i < lines->count; i++)
		if (strncmp(lines->at[i], line, key) == 0)
			return true;
	return false;
}

/* What no object has, nobody will record. */
static int check_unmet(const struct job *job, struct fail *why)
{
	struct strv mine = {0};
	int failed = 0;

	read_unmet(&job->entries[0], &mine);
	for (size_t n = 0; n < mine.count && !failed; n++) {
		bool nobody = true;
		for (size_t i = 1; i < job->family.count && nobody; i++) {
			struct strv others = {0};
			if (!job->failed[i])
				read_unmet(&job->entries[i], &others);
			nobody = job->failed[i] || has_key(&others, mine.at[n]);
			strv_free(&others);
		}
		const char *tab = strchr(mine.at[n], '\t');
		if (nobody && tab)
			failed = fail_set(why, FAIL_INTERNAL, "%s", tab + 1);
	}
	strv_free(&mine);
	return failed;
}

static int relink_family(struct job *job, struct fail *why)
{
	size_t count = job->family.count;

	job->entries = mem_or_die(calloc(count, sizeof *job->entries));
	job->failed = mem_or_die(calloc(count, sizeof *job->failed));
	job->begun = mem_or_die(calloc(count, sizeof *job->begun));
	for (size_t i = 0; i < count; i++)
		job->entries[i].lock = -1;
	for (size_t i = 1; i < count; i++)
		if (relink_tree(job, i, why) < 0)
			return -1;
	return relink_tree(job, 0, why) < 0 || check_unmet(job, why) < 0 ? -1 : 0;
}

int relink_program(const struct relink_request *ask, struct relink_result *result, struct fail *why)
{
	struct job job = {.ask = ask};
	char *path = NULL;

	*result = (struct relink_result){0};
	int failed = subject_find(ask->program, &path, why) || subject_check(path, ask->lens, plan_has(ask, "MODE=counts"), why) || find_tools(&job, why) ||
		     cache_open(&job.cache, why) || family_find(&job.family, path, why) || relink_family(&job, why);
	if (!failed)
		collect(&job, result);
	for (size_t i = 0; job.entries && i < job.family.count; i++)
		cache_give(&job.entries[i]);
	family_free(&job.family);
	cache_close(&job.cache);
	strv_free(&job.foreign);
	free(job.entries);
	free(job.failed);
	free(job.begun);
	free(job.libdir);
	free(path);
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
