/* SPDX-License-Identifier: MIT */
/* profdata.c: a profile for clang -fprofile-use, as text that llvm-profdata merge reads.
 *
 * clang wants a profile in terms of the graph that a function has early in its compile (analyse/paths/pgo.h). So each
 * source of the program is compiled once more, as it was (build/command.h), with clang's own instrumentation, only to
 * see where that puts its counters; nothing of it is kept. Counters get their values from what paths tell of lines. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/paths/cover.h"
#include "analyse/paths/pgo.h"
#include "base/folder.h"
#include "base/spawn.h"
#include "build/command.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "report/paths/export.h"

/* The lines of one file, in cover.lines. */
struct range {
	const char *file;
	size_t first, end;
};

struct profile {
	const struct paths *paths;
	struct paths_cover cover;
	struct range *ranges;
	size_t range_count, last; /* last: the range that was looked up last */
	FILE *file;
	char *folder, *libdir;
	char *counters, *log; /* what the plugin writes, and what clang prints */
	struct strv done;     /* functions that were written: name and hash */
	size_t sources, failed, unknown;
	struct fail first; /* why the first source failed */
};

/* ---- how often a line was executed ---- */

static void find_ranges(struct profile *p)
{
	const struct paths_cover *c = &p->cover;
	p->ranges = memory_zeroed(p->paths->file_count, sizeof *p->ranges);
	for (size_t i = 0; i < c->line_count; i++) {
		if (i == 0 || c->lines[i].file != c->lines[i - 1].file)
			p->ranges[p->range_count++] = (struct range){p->paths->files[c->lines[i].file], i, i};
		p->ranges[p->range_count - 1].end = i + 1;
	}
}

static const struct range *range_of(struct profile *p, const char *file)
{
	if (p->last < p->range_count && strcmp(p->ranges[p->last].file, file) == 0)
		return &p->ranges[p->last];
	for (size_t i = 0; i < p->range_count; i++)
		if (strcmp(p->ranges[i].file, file) == 0) {
			p->last = i;
			return &p->ranges[i];
		}
	return NULL;
}

static bool lookup(void *context, const char *file, uint32_t line, uint64_t *count)
{
	struct profile *p = context;
	const struct range *r = range_of(p, file);
	size_t low = r ? r->first : 0, high = r ? r->end : 0;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (p->cover.lines[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = r && low < r->end && p->cover.lines[low].line == line;
	*count = found ? p->cover.lines[low].count : 0;
	return found;
}

/* ---- one source ---- */

/* A source that is included everywhere has its functions in many objects. */
static bool is_new(struct profile *p, const struct pgo_function *f)
{
	char *key = str_format("%s %016llx", f->name, (unsigned long long)f->hash);
	bool is = !strv_has(&p->done, key);
	if (is)
		strv_add(&p->done, key);
	free(key);
	return is;
}

static void write_functions(struct profile *p, struct pgo *pgo)
{
	for (size_t i = 0; i < pgo->function_count; i++) {
		const struct pgo_function *f = &pgo->functions[i];
		if (!is_new(p, f))
			continue;
		if (pgo_estimate(pgo, f, lookup, p))
			pgo_write_function(pgo, f, p->file);
		else
			p->unknown++;
	}
}

/* The program names its compiler, but only ours is run. */
static struct strv words_of(const struct profile *p, const struct command *c)
{
	struct strv words = {0};
	strv_add(&words, strstr(str_base(c->words.at[0]), "++") ? "clang++-19" : "clang-19");
	for (size_t i = 1; i < c->words.count; i++)
		strv_add(&words, c->words.at[i]);
	static const char *const more[] = {"-w", "-g", "-fprofile-generate", "-S", "-emit-llvm", "-o", "/dev/null", "-Qunused-arguments"};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		strv_add(&words, more[i]);
	strv_addf(&words, "-fpass-plugin=%s/libskein-pass.so", p->libdir);
	return words;
}

static int compile(struct profile *p, const struct command *c, struct fail *why)
{
	struct strv words = words_of(p, c), plan = {0}, environment = {0};
	for (char **variable = environ; *variable; variable++)
		strv_add(&environment, *variable);
	unlink(p->counters); /* of the source before */
	plan_add(&plan, PLAN_COUNTERS, "%s", p->counters);
	plan_to_environment((const char *const *)plan.at, &environment);
	struct spawn job = {.argv = words.at, .errors = p->log, .folder = c->folder, .environment = environment.at};
	int status = spawn_start(&job, why) < 0 ? -1 : spawn_wait(&job);
	const char *source = c->words.at[c->words.count - 1];
	strv_free(&words);
	strv_free(&plan);
	strv_free(&environment);
	if (status > 0)
		return fail_set(why, FAIL_INTERNAL, "clang could not compile %.300s again in the folder %.300s", source, c->folder);
	return status;
}

static int take_source(struct profile *p, const struct command *c, struct fail *why)
{
	struct pgo pgo = {0};
	if (compile(p, c, why) < 0)
		return -1;
	FILE *file = fopen(p->counters, "re");
	int result = file ? pgo_read(&pgo, file, why) : fail_set(why, FAIL_INTERNAL, "the plugin did not list clang's counters");
	if (file)
		fclose(file);
	if (result == 0) {
		write_functions(p, &pgo);
		pgo_free(&pgo);
	}
	return result;
}

/* ---- all of them ---- */

static int take_object(struct profile *p, const struct run_object *object, struct fail *why)
{
	struct blob file, section;
	struct command c = {0};
	char build_id[65] = "";
	if (blob_read(object->path, &file, why) < 0)
		return -1;
	bool same = elf64_build_id(file, build_id) && strcmp(build_id, object->build_id) == 0;
	if (same && elf64_section(file, COMMAND_SECTION, &section))
		for (size_t at = 0; command_next(section, &at, &c);) {
			struct fail reason;
			p->sources++;
			if (take_source(p, &c, &reason) < 0 && p->failed++ == 0)
				p->first = reason;
		}
	command_free(&c);
	blob_free(&file);
	return same ? 0 : fail_set(why, FAIL_INTERNAL, "%.400s has changed since it was recorded: record it again", object->path);
}

static bool has_functions(const struct paths *paths, uint32_t object)
{
	for (size_t i = 0; i < paths->profile_count; i++)
		if (paths->run->routines[paths->profiles[i].routine].object == object)
			return true;
	return false;
}

static int take_all(struct profile *p, struct fail *why)
{
	fputs("# IR level Instrumentation Flag\n:ir\n", p->file);
	for (uint32_t i = 0; i < p->paths->run->object_count; i++)
		if (has_functions(p->paths, i) && take_object(p, &p->paths->run->objects[i], why) < 0)
			return -1;
	if (p->sources == 0)
		return fail_set(
			why, FAIL_USAGE,
			"the program does not contain the compile commands of its sources: build it again with this skein-cc, do not strip it, and record it again");
	if (p->failed == p->sources) {
		*why = p->first;
		return -1;
	}
	if (p->failed)
		fail_note("skein", "warning: %zu of %zu sources are left out; the first: %s", p->failed, p->sources, p->first.text);
	return 0;
}

int export_profdata(const struct paths *paths, FILE *file, struct fail *why)
{
	struct profile p = {.paths = paths, .file = file, .folder = folder_temporary(why), .libdir = folder_libdir()};
	if (!p.folder)
		return -1;
	p.log = str_format("%s/log", p.folder);
	p.counters = str_format("%s/counters", p.folder);
	paths_cover(paths, &p.cover);
	find_ranges(&p);
	int result = p.libdir ? take_all(&p, why) : fail_set(why, FAIL_INTERNAL, "skein's own libraries are missing: install skein again");
	paths_cover_free(&p.cover);
	free(p.ranges);
	strv_free(&p.done);
	folder_remove(p.folder);
	free(p.folder);
	free(p.log);
	free(p.counters);
	free(p.libdir);
	return result;
}
