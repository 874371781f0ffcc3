/* SPDX-License-Identifier: MIT */
/* parallel.c: the second link of a Cilk program. */
#include "build/cilk/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/spawn.h"
#include "build/bitcode.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "build/recipe.h"

/* As the first link left them: the output stays where it is, so $ORIGIN means the same. */
static void read_run_paths(const char *output, struct strv *paths, bool *old_tags)
{
	struct elf64_dynamic dynamic;
	struct blob file;
	struct fail why;

	if (blob_read(output, &file, &why) < 0)
		return;
	elf64_dynamic(file, &dynamic);
	*old_tags = dynamic.rpath != NULL;
	const char *list = dynamic.runpath ? dynamic.runpath : dynamic.rpath;
	while (list && *list) {
		size_t length = strcspn(list, ":");
		strv_add_bytes(paths, list, length);
		list += length + (list[length] == ':');
	}
	elf64_dynamic_free(&dynamic);
	blob_free(&file);
}

static int run(const struct recipe *recipe, int *status, struct fail *why)
{
	struct strv command = {0}, plan = {0}, variables = {0}, environment = {0};

	recipe_words(recipe, &command);
	plan_add(&plan, PLAN_LENS, "%s", recipe->lens);
	plan_add(&plan, PLAN_CILK, CILK_PARALLEL_C);
	plan_to_environment((const char *const *)plan.at, &variables);
	recipe_environment(recipe->note, &variables, &environment);
	struct spawn link = {.argv = command.at, .environment = environment.at};
	int failed = spawn_start(&link, why);
	if (!failed)
		*status = spawn_wait(&link);
	strv_free(&command);
	strv_free(&plan);
	strv_free(&variables);
	strv_free(&environment);
	return failed;
}

int parallel_link(const struct note *note, const char *output, const char *folder, int *status, struct fail *why)
{
	struct bitcode found = {.parallel = true};
	struct strv paths = {0}, refused = {0};
	char *libdir = folder_libdir();
	struct recipe recipe = {.note = note,
	                        .found = &found,
	                        .output = output,
	                        .libdir = libdir,
	                        .lens = "idle",
	                        .parallel = true,
	                        .run_paths = &paths,
	                        .is_static = recipe_is_static(note),
	                        .refused = &refused};
	int failed = libdir ? bitcode_scan(note, folder, &found, why)
			    : fail_set(why, FAIL_INTERNAL, "skein's own libraries are missing: install skein again");

	for (size_t i = 0; i < found.serial.count; i++)
		fail_note("skein-cc", "warning: a Cilk source runs serially: %s", found.serial.at[i]);
	read_run_paths(output, &paths, &recipe.old_tags);
	failed = failed || run(&recipe, status, why);
	bitcode_free(&found);
	strv_free(&paths);
	free(libdir);
	return failed ? -1 : 0;
}
