/* SPDX-License-Identifier: MIT */
/* family.c: finding libraries as the loader would. */
#include "relink/family.h"

#include <dirent.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build/elf64.h"

#define DEEPEST 2                 /* folders below the program's in which libraries for dlopen are sought */
#define MOST_FILES 20000          /* names that are looked at there: a program may lie in a home folder */
#define SEARCH_BYTES (256u << 20) /* no shared library of a build is larger; other large files are not read */

/* What a member needs to be asked about while others are still looked for. */
struct search {
	struct family *family;
	struct strv *needed; /* of each member, DT_NEEDED */
	bool can_dlopen;
	size_t files;
};

static char *with_origin(const char *text, size_t length, const char *origin)
{
	char *entry = mem_or_die(strndup(text, length));
	char *at = strstr(entry, "$ORIGIN"), *braces = strstr(entry, "${ORIGIN}");
	size_t skip = braces ? strlen("${ORIGIN}") : strlen("$ORIGIN");

	at = braces ? braces : at;
	if (!at)
		return entry;
	char *whole = str_format("%.*s%s%s", (int)(at - entry), entry, origin, at + skip);
	free(entry);
	return whole;
}

static void split_paths(const char *list, const char *origin, struct strv *paths)
{
	while (list && *list) {
		size_t length = strcspn(list, ":");
		if (length) {
			char *one = with_origin(list, length, origin);
			strv_add(paths, one);
			free(one);
		}
		list += length + (list[length] == ':');
	}
}

static bool calls_dlopen(struct blob file)
{
	struct blob names;
	return elf64_section(file, ".dynstr", &names) && memmem(names.at, names.size, "\0dlopen", 8);
}

static struct family_member *add_member(struct search *s)
{
	struct family *family = s->family;

	family->members = memory_resize(family->members, family->count + 1, sizeof *family->members);
	s->needed = memory_resize(s->needed, family->count + 1, sizeof *s->needed);
	family->members[family->count] = (struct family_member){0};
	s->needed[family->count] = (struct strv){0};
	return &family->members[family->count++];
}

static void add_exported(void *names, const struct elf64_symbol *symbol)
{
	if (symbol->is_defined)
		strv_add(names, symbol->name);
}

static void fill_member(struct search *s, struct family_member *m, struct blob file, struct blob note_text)
{
	struct elf64_dynamic dynamic;
	struct digest whole = {0};
	char *origin = str_folder(m->path);

	digest_add(&m->note_digest, note_text.at, note_text.size);
	if (!elf64_build_id(file, m->build_id)) {
		digest_add(&whole, file.at, file.size);
		digest_hex(&whole, m->build_id);
	}
	elf64_dynamic(file, &dynamic);
	elf64_dynamic_symbols(file, add_exported, &m->exported);
	m->program = dynamic.interpreter;
	m->old_tags = dynamic.rpath && !dynamic.runpath;
	split_paths(dynamic.runpath ? dynamic.runpath : dynamic.rpath, origin, &m->run_paths);
	if (dynamic.soname)
		strv_add(&m->names, dynamic.soname);
	strv_add_all(&s->needed[m - s->family->members], &dynamic.needed);
	s->can_dlopen = s->can_dlopen || calls_dlopen(file);
	elf64_dynamic_free(&dynamic);
	free(origin);
}

/* The member that a file is, joined if it is new; -1: it is none. */
static long join(struct search *s, const char *name, bool optional)
{
	struct blob file, text;
	struct note note;
	struct fail why;
	struct stat st;
	char *path = realpath(name, NULL);
	long found = -1;

	for (size_t i = 0; path && i < s->family->count && found < 0; i++)
		if (strcmp(s->family->members[i].path, path) == 0)
			found = (long)i;
	if (!path || found >= 0 || stat(path, &st) < 0 || st.st_size > SEARCH_BYTES || blob_read(path, &file, &why) < 0) {
		free(path);
		return found;
	}
	if (elf64_type(file) == ET_DYN && elf64_section(file, NOTE_SECTION, &text) && note_parse(text, path, &note, &why) == 0) {
		struct family_member *m = add_member(s);
		m->path = str_copy(path);
		m->note = note;
		m->optional = optional;
		fill_member(s, m, file, text);
		found = m - s->family->members;
	}
	blob_free(&file);
	free(path);
	return found;
}

static bool is_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static char *in_paths(const struct strv *paths, const char *name)
{
	for (size_t i = 0; i < paths->count; i++) {
		char *path = str_format("%s/%s", paths->at[i], name);
		if (is_file(path))
			return path;
		free(path);
	}
	return NULL;
}

/* The loader's order, then the file that the linker read under this name: the program may be started by a script that sets
 * LD_LIBRARY_PATH. */
static char *resolve(const struct search *s, const struct family_member *m, const char *name)
{
	struct strv paths = {0};
	const char *set = getenv("LD_LIBRARY_PATH");

	if (strchr(name, '/'))
		return is_file(name) ? str_copy(name) : NULL;
	if (m->old_tags)
		strv_add_all(&paths, &m->run_paths);
	if (s->family->members[0].old_tags)
		strv_add_all(&paths, &s->family->members[0].run_paths);
	split_paths(set, ".", &paths);
	if (!m->old_tags)
		strv_add_all(&paths, &m->run_paths);
	char *path = in_paths(&paths, name);
	strv_free(&paths);
	for (size_t i = 0; i < m->note.inputs_count && !path; i++) {
		const struct note_input *input = &m->note.inputs[i];
		char *folder = str_folder(input->path);
		if (input->kind == 's')
			path = in_paths(&(struct strv){.at = &folder, .count = 1}, name);
		free(folder);
	}
	if (!path)
		path = in_paths(&(struct strv){.at = (char *[]){"/usr/local/lib"}, .count = 1}, name);
	return path;
}

static void add_need(struct family_member *m, size_t other)
{
	for (size_t i = 0; i < m->needs_count; i++)
		if (m->needs[i] == other)
			return;
	m->needs = memory_resize(m->needs, m->needs_count + 1, sizeof *m->needs);
	m->needs[m->needs_count++] = other;
}

/* Members are joined at the end, so this loop reaches those that it finds. */
static void find_needed(struct search *s, size_t from)
{
	for (size_t i = from; i < s->family->count; i++)
		for (size_t n = 0; n < s->needed[i].count; n++) {
			const char *name = s->needed[i].at[n];
			char *path = resolve(s, &s->family->members[i], name);
			long found = path ? join(s, path, s->family->members[i].optional) : -1;
			free(path);
			if (found < 0)
				continue;
			struct family_member *other = &s->family->members[found];
			if (!strv_has(&other->names, name))
				strv_add(&other->names, name);
			other->optional = other->optional && s->family->members[i].optional;
			add_need(&s->family->members[i], (size_t)found);
		}
}

static void search_folder(struct search *s, const char *path, int depth)
{
	DIR *folder = opendir(path);
	struct dirent *item;
	struct stat st;

	while (folder && (item = readdir(folder)) && s->files++ < MOST_FILES && s->family->count <= FAMILY_MOST) {
		if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
			continue;
		char *name = str_format("%s/%s", path, item->d_name);
		if (lstat(name, &st) == 0 && S_ISDIR(st.st_mode) && depth < DEEPEST)
			search_folder(s, name, depth + 1);
		else if (strstr(item->d_name, ".so") && is_file(name)) {
			long found = join(s, name, true);
			if (found > 0 && !strv_has(&s->family->members[found].names, item->d_name))
				strv_add(&s->family->members[found].names, item->d_name);
		}
		free(name);
	}
	if (folder)
		closedir(folder);
}

static int begin(struct search *s, const char *program, struct blob file, struct fail *why)
{
	struct blob text;
	struct family_member *m = add_member(s);

	m->path = str_copy(program);
	if (note_find(file, program, &m->note, why) < 0)
		return -1;
	if (elf64_section(file, NOTE_SECTION, &text))
		fill_member(s, m, file, text);
	return 0;
}

int family_find(struct family *family, const char *program, struct blob file, struct fail *why)
{
	struct search s = {.family = family};

	*family = (struct family){0};
	int failed = begin(&s, program, file, why);
	if (!failed)
		find_needed(&s, 0);
	if (!failed && s.can_dlopen) {
		char *folder = str_folder(family->members[0].path);
		size_t from = family->count;
		search_folder(&s, folder, 0);
		if (strcmp(folder, family->members[0].note.folder) != 0)
			search_folder(&s, family->members[0].note.folder, 0);
		free(folder);
		find_needed(&s, from);
	}
	for (size_t i = 0; i < family->count; i++)
		strv_free(&s.needed[i]);
	free(s.needed);
	if (failed)
		family_free(family);
	return failed;
}

void family_free(struct family *family)
{
	for (size_t i = 0; i < family->count; i++) {
		struct family_member *m = &family->members[i];
		free(m->path);
		note_free(&m->note);
		strv_free(&m->names);
		strv_free(&m->run_paths);
		strv_free(&m->exported);
		free(m->needs);
	}
	free(family->members);
	*family = (struct family){0};
}
