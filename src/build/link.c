/* SPDX-License-Identifier: MIT */
/* link.c: compile what is source, link, write the note. */
#include "build/link.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "base/spawn.h"
#include "build/cilk/parallel.h"
#include "build/compile.h"
#include "build/elf64.h"
#include "build/note.h"

#define OBJECTS ".skein/objects"

/* Variables that clang's driver or a linker reads. */
static const char *const variables[] = {"LIBRARY_PATH", "COMPILER_PATH", "LD_RUN_PATH", "LD_LIBRARY_PATH", "CCC_OVERRIDE_OPTIONS"};

static const char *output_of(const struct args *args)
{
	return args->output ? args->output : "a.out";
}

/* The same source in the same program always has the same object; another source or program never. */
static char *object_name(const struct args *args, size_t input, const char *here)
{
	const char *source = args->words.at[args->inputs[input].at];
	char *whole = str_absolute(here, source), *output = str_absolute(here, output_of(args));
	struct digest sum = {0};
	char hex[DIGEST_HEX];

	digest_text(&sum, whole);
	digest_text(&sum, output);
	digest_hex(&sum, hex);
	char *name = str_format("%s/%s-%.16s.o", OBJECTS, strcmp(source, "-") == 0 ? "stdin" : str_base(source), hex);
	free(whole);
	free(output);
	return name;
}

/* The words of the link: as given, with an object in the place of each source. */
static int compile_sources(const struct args *args, const char *driver, const char *here, struct strv *words, int *status, struct fail *why)
{
	size_t input = 0;
	bool split = false;

	for (size_t i = 0; i < args->inputs_count; i++)
		split = split || args->inputs[i].kind != ARGS_LINKED;
	if (split && folder_make(OBJECTS, 0777, why) < 0)
		return -1;
	for (size_t i = 0; i < args->words.count; i++) {
		bool is_input = args->is[i] == ARGS_INPUT;
		const struct args_input *this = is_input ? &args->inputs[input++] : NULL;
		if (split && args->is[i] == ARGS_LANGUAGE)
			continue;
		if (!is_input || this->kind == ARGS_LINKED) {
			strv_add(words, args->words.at[i]);
			continue;
		}
		char *object = object_name(args, input - 1, here);
		struct compile job = {.args = args, .input = this, .driver = driver, .output = object, .split = true};
		int one = 0, failed = compile_run(&job, &one, why);
		strv_add(words, object);
		free(object);
		if (failed)
			return -1;
		*status = one ? one : *status;
	}
	strv_add_all(words, &args->quiet);
	if (split)
		strv_add(words, "-Qunused-arguments");
	return 0;
}

struct wishes {
	bool relocatable, build_id;
	char *dependencies; /* a file that the user wants the linker to write, or NULL */
};

static struct wishes read_wishes(const struct strv *words)
{
	struct wishes wishes = {0};
	struct args_flat flat;

	args_flatten(words, &flat);
	for (size_t i = 0; i < flat.words.count; i++) {
		const char *word = flat.words.at[i];
		if (strcmp(word, "-r") == 0 || (flat.linker[i] && (strcmp(word, "--relocatable") == 0 || strcmp(word, "-i") == 0)))
			wishes.relocatable = true;
		if (!flat.linker[i])
			continue;
		if (strcmp(word, "--build-id") == 0 || str_starts(word, "--build-id="))
			wishes.build_id = true;
		if (str_starts(word, "--dependency-file=") || (strcmp(word, "--dependency-file") == 0 && i + 1 < flat.words.count)) {
			free(wishes.dependencies);
			wishes.dependencies = str_copy(strchr(word, '=') ? strchr(word, '=') + 1 : flat.words.at[i + 1]);
		}
	}
	args_flat_free(&flat);
	return wishes;
}

static int native_link(const struct args *args, const char *driver, const struct strv *words, const struct wishes *wishes,
                       const char *dependencies, int *status, struct fail *why)
{
	struct strv command = {0};

	strv_add(&command, driver);
	strv_add_all(&command, words);
	if (args->lto)
		strv_add(&command, "-ffat-lto-objects"); /* or lld takes the native halves */
	if (!wishes->relocatable) {
		if (!wishes->build_id)
			strv_add(&command, "-Wl,--build-id=sha1");
		if (!wishes->dependencies)
			strv_addf(&command, "-Wl,--dependency-file=%s", dependencies);
	}
	struct spawn link = {.argv = command.at};
	int failed = spawn_start(&link, why);
	if (!failed)
		*status = spawn_wait(&link);
	strv_free(&command);
	return failed;
}

static bool in_system_folder(const char *path)
{
	static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (str_starts(path, folders[i]))
			return true;
	return false;
}

/* What the compiler adds to every link, and the system's own shared libraries: neither is part of the build. */
static bool is_toolchain(const char *path)
{
	static const char *const names[] = {"crt1.o", "Scrt1.o",  "gcrt1.o",     "grcrt1.o",         "rcrt1.o",       "Mcrt1.o", "crti.o",
	                                    "crtn.o", "libgcc.a", "libgcc_eh.a", "libc_nonshared.a", "crtfastmath.o", "libc.a",  "libm.a"};
	const char *base = str_base(path);

	if (!in_system_folder(path))
		return false;
	if (str_starts(base, "crtbegin") || str_starts(base, "crtend") || str_starts(base, "libclang_rt.") || strstr(base, ".so"))
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(base, names[i]) == 0)
			return true;
	return false;
}

static void add_input(struct note *note, const char *name)
{
	struct fail unread;
	char *path = str_absolute(note->folder, name);
	bool known = is_toolchain(path);

	for (size_t i = 0; i < note->inputs_count && !known; i++)
		known = strcmp(note->inputs[i].path, path) == 0;
	if (!known)
		note_add_input(note, path, &unread); /* a file that is gone was the linker's own: a temporary of its LTO */
	free(path);
}

/* lld escapes names as make wants them, GNU ld does not: take the name as it stands if there is such a file. */
static void add_dependency(struct note *note, char *name)
{
	struct stat st;
	char *path = str_absolute(note->folder, name), *to = name;
	bool there = stat(path, &st) == 0;

	free(path);
	for (const char *p = name; *p && !there; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '$' && p[1] == '$')
			p++;
		*to++ = *p;
	}
	if (!there)
		*to = 0;
	add_input(note, name);
}

/* One name a line, " \" behind each but the last; rules without commands follow after an empty line. */
static int read_dependencies(struct note *note, const char *path)
{
	char *line = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "re");

	if (!in)
		return -1;
	for (bool first = true; getline(&line, &room, in) > 0; first = false) {
		size_t length = strcspn(line, "\n");
		while (length && (line[length - 1] == '\\' || line[length - 1] == ' '))
			length--;
		line[length] = 0;
		char *name = line + strspn(line, " ");
		if (!first && !*name)
			break;
		if (!first)
			add_dependency(note, name);
	}
	free(line);
	fclose(in);
	return 0;
}

/* A linker that writes no dependency file: at least what the command line names. */
static void add_named_inputs(struct note *note)
{
	for (size_t i = 0; i < note->words.count; i++) {
		if (args_takes_value(note->words.at[i]))
			i++;
		else if (note->words.at[i][0] != '-')
			add_input(note, note->words.at[i]);
	}
}

static bool is_linked(const char *output)
{
	struct blob file;
	struct fail why;

	if (blob_read(output, &file, &why) < 0)
		return false;
	int type = elf64_type(file);
	blob_free(&file);
	return type == ET_EXEC || type == ET_DYN;
}

/* Writes the note; a Cilk program that is to run in parallel is linked once more from it. */
static int remember(const struct args *args, bool cxx, const char *here, const char *folder, const struct strv *words,
                    const char *dependencies, int *status, struct fail *why)
{
	struct note note = {.folder = str_copy(here), .cxx = cxx};
	const char *output = output_of(args);
	struct fail unwritten;
	int failed = 0;

	strv_add_all(&note.words, words);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (getenv(variables[i]))
			strv_addf(&note.environment, "%s=%s", variables[i], getenv(variables[i]));
	if (read_dependencies(&note, dependencies) < 0)
		add_named_inputs(&note);
	note.parallel = args->parallel && note.cilk;
	if (note.parallel && is_linked(output))
		failed = parallel_link(&note, output, folder, status, why);
	if (!failed && *status == 0 && is_linked(output) && note_write(output, &note, &unwritten) < 0)
		fail_note("skein-cc", "warning: %s cannot be profiled: %s", output, unwritten.text);
	note_free(&note);
	return failed;
}

/* Bitcode of several objects in one section is of no use to anyone: lld would stop at it. */
static int forget_bitcode(const char *output, struct fail *why)
{
	struct blob file;

	if (blob_read(output, &file, why) < 0)
		return -1;
	size_t hidden = elf64_hide((unsigned char *)file.at, file.size, COMPILE_BITCODE) +
		elf64_hide((unsigned char *)file.at, file.size, COMPILE_OWN) + elf64_hide((unsigned char *)file.at, file.size, COMPILE_RAW);
	FILE *out = hidden ? fopen(output, "r+e") : NULL;
	if (out) {
		fwrite(file.at, 1, file.size, out);
		fclose(out);
	}
	blob_free(&file);
	return 0;
}

static int link_in(const struct args *args, bool cxx, const char *driver, const char *here, const char *folder, int *status,
                   struct fail *why)
{
	struct strv words = {0};
	struct stat st;
	char *dependencies = str_format("%s/inputs", folder);
	int failed = compile_sources(args, driver, here, &words, status, why);
	struct wishes wishes = read_wishes(&words);

	if (!failed && *status == 0) {
		failed = native_link(args, driver, &words, &wishes, dependencies, status, why);
		bool made = !failed && *status == 0 && stat(output_of(args), &st) == 0 && S_ISREG(st.st_mode);
		if (made && wishes.relocatable)
			failed = forget_bitcode(output_of(args), why);
		else if (made)
			failed = remember(args, cxx, here, folder, &words, wishes.dependencies ? wishes.dependencies : dependencies, status,
			                  why);
	}
	free(wishes.dependencies);
	free(dependencies);
	strv_free(&words);
	return failed;
}

int link_run(const struct args *args, bool cxx, const char *driver, int *status, struct fail *why)
{
	char *here = folder_here(why), *folder = here ? folder_temporary(why) : NULL;
	int failed = folder ? link_in(args, cxx, driver, here, folder, status, why) : -1;

	if (folder)
		folder_remove(folder);
	free(folder);
	free(here);
	return failed;
}
