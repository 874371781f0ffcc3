/* SPDX-License-Identifier: MIT */
/* subject.c: looking at a program before it is profiled. */
#include "relink/subject.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/strv.h"
#include "build/elf64.h"
#include "build/note.h"
#include "build/recipe.h"
#include "keys/lenses.h"

#define MOST_INTERPRETERS 4 /* scripts whose interpreter is a script again */

int subject_find(const char *name, char **path, struct fail *why)
{
	struct stat st;
	const char *list = getenv("PATH");

	if (strchr(name, '/')) {
		*path = str_copy(name);
		return stat(name, &st) == 0 ? 0 : fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", name, strerror(errno));
	}
	while (list && *list && *name) {
		size_t length = strcspn(list, ":");
		*path = str_format("%.*s/%s", (int)length, length ? list : ".", name);
		if (stat(*path, &st) == 0 && S_ISREG(st.st_mode) && access(*path, X_OK) == 0)
			return 0;
		free(*path);
		list += length + (list[length] == ':');
	}
	*path = NULL;
	return stat(name, &st) == 0 && *name
		? fail_set(why, FAIL_NOT_FOUND, "there is no program %s in PATH, but there is one in this folder: use ./%s", name, name)
		: fail_set(why, FAIL_NOT_FOUND, "there is no program %s in PATH or in this folder", name);
}

/* ---- opening ---- */

/* A re-linked copy, a program with a preloaded library and one under Valgrind all run without them. */
static bool gains_rights(const char *path, const struct stat *st)
{
	if (st->st_mode & S_ISUID && st->st_uid != getuid())
		return true;
	if (st->st_mode & S_ISGID && st->st_mode & S_IXGRP && st->st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

static int check_file(const char *path, struct fail *why)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is %s", path,
		                S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	if (access(path, X_OK) < 0)
		return fail_set(why, FAIL_CANNOT_RUN, "%s cannot be run: %s; try `chmod +x %s`", path, strerror(errno), path);
	if (gains_rights(path, &st))
		return fail_set(
			why, FAIL_CANNOT_RUN,
			"%s has setuid, setgid or capabilities, which have no effect while a program is profiled: profile a copy without them",
			path);
	return 0;
}

static char *interpreter_of(struct blob file)
{
	const char *text = (const char *)file.at; /* blob_read ends it with a zero */

	if (file.size < 2 || memcmp(text, "#!", 2) != 0)
		return NULL;
	text += 2 + strspn(text + 2, " \t");
	return str_format("%.*s", (int)strcspn(text, " \t\r\n"), text);
}

int subject_open(struct subject *s, const char *name, struct fail *why)
{
	struct elf64_dynamic dynamic;

	*s = (struct subject){.type = -1};
	if (subject_find(name, &s->path, why) < 0 || check_file(s->path, why) < 0 || blob_read(s->path, &s->file, why) < 0) {
		subject_close(s);
		return -1;
	}
	s->native = realpath(s->path, NULL);
	if (!s->native) {
		fail_set(why, FAIL_NOT_FOUND, "there is no program %s: %s", s->path, strerror(errno));
		subject_close(s);
		return -1;
	}
	s->type = elf64_type(s->file);
	s->script = interpreter_of(s->file);
	elf64_dynamic(s->file, &dynamic);
	s->loader = dynamic.interpreter ? str_copy(dynamic.interpreter) : NULL;
	s->is_library = !dynamic.interpreter && dynamic.soname;
	elf64_dynamic_free(&dynamic);
	return 0;
}

void subject_release(struct subject *s)
{
	blob_free(&s->file);
}

void subject_close(struct subject *s)
{
	subject_release(s);
	if (s->has_family)
		family_free(&s->family);
	free(s->path);
	free(s->native);
	free(s->script);
	free(s->loader);
	*s = (struct subject){.type = -1};
}

const struct family *subject_family(struct subject *s, struct fail *why)
{
	if (!s->has_family)
		s->has_family = family_find(&s->family, s->native, s->file, why) == 0;
	return s->has_family ? &s->family : NULL;
}

/* ---- what can be done with it ---- */

static int check_type(const struct subject *s, struct fail *why)
{
	if (s->type == ET_REL)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is an object file; link it first", s->path);
	if (s->type != ET_EXEC && s->type != ET_DYN)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is not a program: it is not a 64-bit ELF file", s->path);
	if (s->is_library)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is a shared library: profile a program that loads it", s->path);
	return 0;
}

/* libtool puts a script in the place of a program that is not yet installed. */
static int refuse_script(const struct subject *s, struct fail *why)
{
	struct stat st;
	char *folder = str_folder(s->path), *inner = str_format("%s/.libs/%s", folder, str_base(s->path));

	if (stat(inner, &st) == 0)
		fail_set(why, FAIL_CANNOT_RUN, "%s is a wrapper script of libtool: profile %s", s->path, inner);
	else
		fail_set(
			why, FAIL_CANNOT_RUN,
			"%s is a script: profile the program that it starts, or its interpreter (%s, if built by skein-cc) with the script as first argument",
			s->path, s->script);
	free(folder);
	free(inner);
	return -1;
}

/* Threads and waits are seen through the dynamic loader: without one there are no times worth having. */
static int check_static(const struct subject *s, const char *lens, bool counts, struct fail *why)
{
	unsigned traits = lens_traits(lens);

	if (!(traits & (LENS_TAKES_STATIC | LENS_TAKES_STATIC_COUNTED)))
		return fail_set(why, FAIL_CANNOT_RUN,
		                "%s is linked with -static, so `%s` cannot see its threads or its end: link it without -static", s->path,
		                lens);
	if (traits & LENS_TAKES_STATIC_COUNTED && !counts)
		return fail_set(why, FAIL_CANNOT_RUN,
		                "%s is linked with -static, so `%s` can only count: use --counts, or link it without -static", s->path,
		                lens);
	return 0;
}

/* What runs in a subject is linked with the GNU C library, and needs it there. Loaders of other C libraries have names of their own. */
static int check_loader(const struct subject *s, const char *lens, struct fail *why)
{
	static const char *const others[] = {"ld-musl-", "ld-uClibc", "ld64-uClibc", "linker"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(str_base(s->loader), others[i], strlen(others[i])) == 0)
			return fail_set(why, FAIL_CANNOT_RUN,
			                "%s is loaded by %s, and `%s` needs the GNU C library: link it with the GNU C library", s->path,
			                s->loader, lens);
	return 0;
}

int subject_can_relink(const struct subject *s, const char *lens, bool counts, struct fail *why)
{
	struct note note;

	if (s->script)
		return refuse_script(s, why);
	if (check_type(s, why) < 0 || note_find(s->file, s->path, &note, why) < 0)
		return -1;
	bool is_static = recipe_is_static(&note);
	note_free(&note);
	if (is_static)
		return check_static(s, lens, counts, why);
	if (!s->loader)
		return fail_set(why, FAIL_CANNOT_RUN, "%s is a shared library: profile a program that loads it", s->path);
	return check_loader(s, lens, why);
}

/* A script runs in its interpreter. */
static int can_preload(const struct subject *s, const char *lens, int depth, struct fail *why)
{
	struct subject interpreter;

	if (s->script && depth == MOST_INTERPRETERS)
		return fail_set(why, FAIL_CANNOT_RUN, "%s: the chain of interpreters is too deep: profile the program itself", s->path);
	if (s->script) {
		int result = subject_open(&interpreter, s->script, why);
		if (result == 0) {
			result = can_preload(&interpreter, lens, depth + 1, why);
			subject_close(&interpreter);
		}
		return result;
	}
	if (check_type(s, why) < 0)
		return -1;
	return s->loader ? check_loader(s, lens, why)
			 : fail_set(why, FAIL_CANNOT_RUN,
	                            "%s is linked with -static, so `%s` cannot be loaded into it: link it without -static", s->path, lens);
}

int subject_can_preload(const struct subject *s, const char *lens, struct fail *why)
{
	return can_preload(s, lens, 0, why);
}

int subject_can_simulate(const struct subject *s, struct fail *why)
{
	return s->script ? 0 : check_type(s, why);
}
