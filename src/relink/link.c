/* SPDX-License-Identifier: MIT */
/* link.c: the linker is run, a second time when there are words that it does not know, and what it made is looked at. */
#include "relink/link.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/table.h"
#include "base/blob.h"
#include "base/spawn.h"
#include "build/bitcode.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "build/recipe.h"
#include "keys/lenses.h"
#include "pass/shape.h"
#include "pass/table.h"
#include "pass/together.h"
#include "relink/pieces/pieces.h"

bool relink_is_parallel(const struct relink_request *ask)
{
	return plan_has(ask->plan, PLAN_CILK, CILK_PARALLEL_C);
}

static void add_together(const struct relink_link *l, struct strv *plan)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = mem_or_die(open_memstream(&text, &bytes));

	for (size_t i = 0; i < l->stages->count; i++)
		fprintf(to, "%zu\t%s\n", l->copies[i], l->stages->at[i]);
	fclose(to);
	plan_add(plan, PLAN_TOGETHER, "%s", text);
	free(text);
}

void relink_large_pages(struct strv *environment)
{
	if (!getenv("GLIBC_TUNABLES"))
		strv_add(environment, "GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
}

static void add_plan(const struct relink_link *l, const struct recipe *recipe, struct strv *environment)
{
	struct strv plan = {0};

	plan_add(&plan, PLAN_LENS, "%s", l->ask->lens);
	plan_add(&plan, PLAN_TABLE, "%s/table", l->stages->at[0]);
	plan_add(&plan, PLAN_OBJECT, "%s", l->member->build_id);
	if (l->copies)
		add_together(l, &plan);
	char *left = crashes_lines(l->crashes, CRASH_ANYWHERE);
	if (left)
		plan_add(&plan, PLAN_LEAVE, "%s", left);
	free(left);
	if (recipe->prepared)
		plan_add(&plan, PLAN_PREPARED, "1");
	if (recipe->parts)
		plan_add(&plan, PLAN_PARTS, "1");
	plan_to_environment((const char *const *)plan.at, environment);
	plan_to_environment(l->ask->plan, environment);
	if (!l->copies) /* a divided linker would have to part large pages again */
		relink_large_pages(environment);
	strv_free(&plan);
}

static int run_link(const struct relink_link *l, const struct recipe *recipe, int *status, struct fail *why)
{
	const struct note *note = &l->member->note;
	struct strv command = {0}, plan = {0}, environment = {0};
	char *log = str_format("%s/log", l->stages->at[0]);

	recipe_words(recipe, &command);
	add_plan(l, recipe, &plan);
	recipe_environment(note, &plan, &environment);
	unlink(log);
	struct spawn link = {.argv = command.at,
	                     .folder = note->folder,
	                     .output = "/dev/null",
	                     .errors = log,
	                     .environment = environment.at,
	                     .held = l->copies ? l->stages->at[0] : NULL,
	                     .held_as = TOGETHER_OUTPUT};
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
	char *path = str_format("%s/log", stage);
	struct strv log = {0};

	strv_read(&log, path);
	for (size_t i = 0; i < log.count; i++) {
		const char *start = strstr(log.at[i], said), *end = start ? strchr(start + strlen(said), '\'') : NULL;
		if (end)
			strv_add_bytes(refused, start + strlen(said), (size_t)(end - start) - strlen(said));
	}
	strv_free(&log);
	free(path);
	return refused->count > 0;
}

/* What a line of the log says of an error, or NULL. That the linker failed, which is all that clang knows, says nothing. */
static const char *error_in(const char *line)
{
	static const char plugin[] = "skein: ", other[] = "error: ";
	const char *at = strstr(line, other);

	if (str_starts(line, plugin))
		return line + strlen(plugin);
	return at && !strstr(at, "linker command failed") ? at + strlen(other) : NULL;
}

static bool first_error(const char *log, char *text, size_t size)
{
	struct strv lines = {0};
	const char *said = NULL;

	strv_read(&lines, log);
	for (size_t i = 0; i < lines.count && !said; i++)
		said = error_in(lines.at[i]);
	snprintf(text, size, "%s", said ? said : "the linker printed no error");
	strv_free(&lines);
	return said;
}

/* The log outlives the stage: its name is part of the sentence. */
static int link_failed(const struct relink_link *l, struct fail *why)
{
	const char *path = l->member->path;
	char *log = NULL, *kept = str_format("%s/failed-%.100s.log", l->root, str_base(path));
	char text[400];

	for (size_t i = 0; i < l->stages->count; i++) { /* each copy has its own; the first that says something is kept */
		free(log);
		log = str_format("%s/log", l->stages->at[i]);
		crashes_note(l->crashes, CRASH_ANYWHERE, log);
		if (first_error(log, text, sizeof text))
			break;
	}
	char *function = crash_function(log);
	if (rename(log, kept) < 0)
		snprintf(kept, strlen(kept) + 1, "-");
	fail_set(why, FAIL_INTERNAL, "re-linking %s failed: %s%s%s (the linker's output is in %s)", path, text,
	         function ? ", at the function " : "", function ? function : "", kept);
	free(log);
	free(kept);
	free(function);
	return -1;
}

/* The number on the last line, "end", of a file that the plugin wrote; -1: there is none, or it is not whole. */
static long last_line(const char *folder, const char *name, const char *magic)
{
	struct blob file;
	struct fail unread;
	char *path = str_format("%s/%s", folder, name);
	long number = -1;

	if (blob_read(path, &file, &unread) == 0) {
		const char *text = (const char *)file.at, *end = file.size ? memrchr(text, '\n', file.size - 1) : NULL;
		if (str_starts(text, magic) && end && str_starts(end + 1, "end\t"))
			number = atol(end + 1 + strlen("end\t"));
		blob_free(&file);
	}
	free(path);
	return number;
}

static int check_table(const struct relink_link *l, const char *stage, struct fail *why)
{
	const struct family_member *m = l->member;
	long routines = last_line(stage, "table", TABLE_MAGIC "\t");

	if (routines > 0 || relink_is_parallel(l->ask))
		return 0;
	return routines < 0
		? fail_set(why, FAIL_INTERNAL,
	                   "re-linking %s produced no table of routines: the pass plugin did not run; run `skein doctor`", m->path)
		: fail_because(why, FAIL_NO_ROUTINES, FAIL_CANNOT_RUN,
	                       "no function of %s has bitcode, so there is nothing to profile: compile its sources with skein-cc too",
	                       m->path);
}

char *relink_object(const char *folder, const struct family_member *m)
{
	return str_format("%s/" RELINK_OBJECTS "/%s", folder, str_base(m->path));
}

/* Section headers come last in a file that lld wrote. */
static bool is_whole_object(const char *folder, const struct family_member *m)
{
	struct blob file;
	struct fail unread;
	Elf64_Ehdr head = {0};
	char *path = relink_object(folder, m);
	bool whole = false;

	if (blob_read(path, &file, &unread) == 0) {
		if (elf64_type(file) == ET_EXEC || elf64_type(file) == ET_DYN)
			memcpy(&head, file.at, sizeof head);
		whole = head.e_shoff && head.e_shoff <= file.size && file.size - head.e_shoff >= (size_t)head.e_shnum * head.e_shentsize;
		blob_free(&file);
	}
	free(path);
	return whole;
}

bool relink_is_whole(const struct relink_request *ask, const struct family_member *m, const char *folder)
{
	if (!is_whole_object(folder, m))
		return false;
	if (relink_is_parallel(ask))
		return true;
	return last_line(folder, "table", TABLE_MAGIC "\t") > 0 &&
		(!(lens_traits(ask->lens) & LENS_WRITES_SHAPES) || last_line(folder, SHAPE_FILE, SHAPE_MAGIC "\t") >= 0);
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
		char *name = str_format("%s/" RELINK_OBJECTS "/%s", stage, m->names.at[i]);
		if (symlink(str_base(m->path), name) < 0)
			errno = 0; /* the link exists already: two names were the same */
		free(name);
	}
}

static int finish_stages(const struct relink_link *l, const struct bitcode *found, struct fail *why)
{
	struct strv lines = {0};
	int failed = 0;

	for (size_t i = 0; i < l->crashes->functions.count; i++)
		strv_addf(&lines, "%s: the compiler crashed at this function, so it is not profiled", l->crashes->functions.at[i]);
	strv_add_all(&lines, &found->foreign);
	for (size_t i = 0; i < found->serial.count; i++)
		strv_addf(&lines, "a Cilk source runs serially: %s", found->serial.at[i]);
	for (size_t i = 0; i < l->stages->count && !failed; i++) {
		failed = check_table(l, l->stages->at[i], why);
		write_lines(l->stages->at[i], "foreign", &lines);
		link_names(l->member, l->stages->at[i]);
	}
	strv_free(&lines);
	return failed;
}

/* More parts than these are too small to be worth their own compile. */
static size_t part_count(void)
{
	enum { MOST_PARTS = 8 };
	size_t cores = spawn_cores();

	return cores < 2 ? 0 : cores < MOST_PARTS ? cores : MOST_PARTS;
}

/* The program as a whole, or made of finished pieces. */
static int make(const struct relink_link *l, struct pieces *pieces, struct fail *why)
{
	const struct note *note = &l->member->note;
	struct bitcode found = {.parallel = relink_is_parallel(l->ask), .keeps_own = pieces && !relink_is_parallel(l->ask)};
	struct strv refused = {0};
	const char *stage = l->stages->at[0];
	char *held = str_format("/proc/self/fd/%d", TOGETHER_OUTPUT), *output = relink_object(l->copies ? held : stage, l->member);
	struct recipe recipe = {.note = note,
	                        .found = &found,
	                        .output = output,
	                        .libdir = l->libdir,
	                        .lens = l->ask->lens,
	                        .parallel = found.parallel,
	                        .run_paths = l->run_paths,
	                        .old_tags = l->old_tags,
	                        .is_static = recipe_is_static(note),
	                        .one_thread = l->copies,
	                        .refused = &refused};
	int status = 0, failed = bitcode_scan(note, stage, &found, why);

	if (!failed && pieces && pieces_fit(&found)) {
		failed = pieces_finish(pieces, l, &found, why);
		recipe.hooks = pieces->hooks;
		recipe.prepared = pieces->are_prepared && !pieces->are_for_lto;
		recipe.words = &pieces->words;
		if (!failed && !recipe_has_all(&recipe))
			failed = fail_set(why, FAIL_INTERNAL, "a script of the linker names some of its objects");
	} else if (!failed && found.keeps_own) {
		bitcode_free(&found);
		found = (struct bitcode){0};
		failed = bitcode_scan(note, stage, &found, why);
	}
	if (!failed && l->ask->only_pieces && !recipe.hooks)
		failed = fail_set(why, FAIL_INTERNAL, "its objects cannot be finished one by one");
	if (!recipe.hooks && !plan_has(l->ask->plan, PLAN_COPIES, NULL) && !found.parallel) /* copies keep all cores busy without parts */
		recipe.parts = part_count();
	failed = failed || run_link(l, &recipe, &status, why);
	if (!failed && status != 0 && read_refused(stage, &refused))
		failed = run_link(l, &recipe, &status, why);
	if (!failed && status != 0 && recipe.parts) { /* assembly may name what is in another part */
		recipe.parts = 0;
		failed = run_link(l, &recipe, &status, why);
	}
	if (!failed)
		failed = status ? link_failed(l, why) : recipe.hooks ? pieces_join(pieces, l, why) : 0;
	failed = failed || finish_stages(l, &found, why);
	for (size_t i = 1; i < found.replaced.count; i += 2)
		unlink(found.replaced.at[i]);
	free(held);
	free(output);
	strv_free(&refused);
	bitcode_free(&found);
	return failed ? -1 : 0;
}

static int make_folders(const struct relink_link *l, struct fail *why)
{
	int failed = 0;

	for (size_t i = 0; i < l->stages->count && !failed; i++) {
		char *folder = str_format("%s/" RELINK_OBJECTS, l->stages->at[i]);
		if (mkdir(folder, 0700) < 0)
			failed = fail_set(why, FAIL_INTERNAL, "cannot create the folder %s: %s", folder, strerror(errno));
		free(folder);
	}
	return failed;
}

static void tell(const struct relink_link *l, const char *how, const struct fail *why)
{
	if (!l->ask->progress)
		return;
	char *text = str_format("linking %s %s: %s", str_base(l->member->path), how, why->text);
	l->ask->progress(l->ask->context, text);
	free(text);
}

static bool profiles_something(const struct relink_link *l)
{
	struct table table;
	struct fail unread;
	char *path = str_format("%s/table", l->stages->at[0]);
	bool any = false;

	if (table_read(&table, path, &unread) == 0) {
		for (size_t i = 0; i < table.routine_count; i++)
			any = any || !table.routines[i].unprofiled;
		table_free(&table);
	}
	free(path);
	return any;
}

/* Once more as long as a crash is at a function that was not left out before, and others are left. */
static int make_without_crashes(const struct relink_link *l, bool in_pieces, bool *tried, struct fail *why)
{
	enum { MOST_CRASHES = 16 };

	struct fail crash = {0};

	if (l->crashes->functions.count)
		crash = *why;
	for (;; crash = *why) {
		struct pieces pieces = {0};
		size_t before = l->crashes->functions.count;
		int failed = make(l, in_pieces ? &pieces : NULL, why);
		*tried = pieces.count > 0;
		pieces_free(&pieces);
		if (!failed && before && !profiles_something(l)) {
			*why = crash;
			return -1;
		}
		if (!failed || l->crashes->functions.count == before || before >= MOST_CRASHES)
			return failed;
		tell(l, "again", why);
	}
}

/* What cannot be put together from pieces, though it should, is linked as a whole. */
int relink_link(const struct relink_link *link, struct fail *why)
{
	struct crashes crashes = {0};
	struct relink_link own = *link;
	bool tried, unused;

	if (make_folders(link, why) < 0)
		return -1;
	own.crashes = &crashes;
	int failed = make_without_crashes(&own, true, &tried, why);
	if (failed && tried && !link->ask->only_pieces && why->cause != FAIL_NO_ROUTINES) {
		tell(&own, "as a whole", why);
		failed = make_without_crashes(&own, false, &unused, why);
	}
	crashes_free(&crashes);
	return failed;
}
