/* SPDX-License-Identifier: MIT */
#include "analyse/blame_place.h"

#include <string.h>

#include "base/strv.h"
#include "core/owner.h"

static bool is_systems(const char *path)
{
	return owner_is_systems(path, strlen(path));
}

bool blame_is_programs_file(const char *file)
{
	return *file && !is_systems(file);
}

/* Names that begin with two underscores, or with one and a letter that mangled names do not begin with, are those of the C
 * library and of the compiler. */
static bool is_reserved(const char *linkage)
{
	return linkage[0] == '_' && !str_starts(linkage, "_Z") && !str_starts(linkage, "_R");
}

/* What the compiler adds to every program. */
static bool is_start(const char *linkage)
{
	static const char *const added[] = {"_start", "frame_dummy", "register_tm_clones", "deregister_tm_clones", "_init", "_fini"};
	for (size_t i = 0; i < sizeof added / sizeof *added; i++)
		if (strcmp(linkage, added[i]) == 0)
			return true;
	return str_starts(linkage, "__libc_start");
}

bool blame_is_programs(const struct run *run, uint32_t routine)
{
	const struct run_routine *r = &run->routines[routine];
	if (r->kind == RUN_OUTSIDE_KIND || r->kind == RUN_UNKNOWN_KIND || is_systems(r->file))
		return false;
	if (r->object == RUN_NO_OBJECT)
		return true; /* the user or an agent gave the routine its name */
	if (is_start(r->linkage) || r->linkage[0] == '(' || (!*r->file && is_reserved(r->linkage)))
		return false;
	const char *path = run->objects[r->object].path;
	return !is_systems(path) || (run->program && strcmp(path, run->program) == 0);
}

size_t blame_frame(const struct run *run, const struct blame_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (blame_is_programs(run, frames[i].routine))
			return i;
	return 0;
}

bool blame_line(const struct run *run, const struct blame_frame *frame, const char **file, uint32_t *line)
{
	const struct run_routine *r = &run->routines[frame->routine];
	bool is_exact = frame->line && blame_is_programs_file(frame->file);
	*file = is_exact ? frame->file : r->file;
	*line = is_exact ? frame->line : r->line;
	return is_exact;
}
