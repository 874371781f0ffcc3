/* SPDX-License-Identifier: MIT */
#include "threads/session.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/decimal.h"
#include "keys/environment.h"
#include "raw/kernel.h"
#include "threads/arena.h"

enum { FIELDS = 5, BYTES_MAX = 1 << 20 };

/* The lines, each with its fields ended by zeros. */
struct line {
	const char *field[FIELDS];
	dev_t device; /* of an object's native file */
	ino_t inode;
};

static struct {
	char folder[PATH_MAX];
	struct line *lines;
	unsigned count;
	bool relinked; /* what runs is a re-linked copy */
} session;

static char *read_whole(const char *path, size_t *bytes)
{
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	struct stat s;
	char *text = NULL;
	*bytes = 0;
	if (d < 0)
		return NULL;
	if (kernel_stat_of(d, &s) && s.st_size > 0 && s.st_size < BYTES_MAX && (text = arena_take((size_t)s.st_size + 1))) {
		long got;
		while (*bytes < (size_t)s.st_size && (got = kernel_call(SYS_read, d, text + *bytes, (size_t)s.st_size - *bytes)) > 0)
			*bytes += (size_t)got;
	}
	kernel_call(SYS_close, d);
	return text;
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && from[1] == 'x' && hex(from[2]) >= 0 && hex(from[3]) >= 0) {
			*to = (char)(hex(from[2]) * 16 + hex(from[3]));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = 0;
}

static bool is_key(const char *text, enum session_key key)
{
	return strcmp(text, session_key_name(key)) == 0;
}

static void split(char *text, struct line *line)
{
	for (int i = 0; i < FIELDS; i++) {
		char *tab = text ? strchr(text, '\t') : NULL;
		line->field[i] = text ? text : "";
		if (tab)
			*tab = 0;
		if (text)
			unescape(text);
		text = tab ? tab + 1 : NULL;
	}
	struct stat s;
	if (is_key(line->field[0], SESSION_OBJECT) && kernel_stat(line->field[1], &s)) {
		line->device = s.st_dev;
		line->inode = s.st_ino;
	}
}

static bool runs_relinked(void)
{
	char path[PATH_MAX] = "";
	kernel_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path - 1);
	for (unsigned i = 0; i < session.count; i++)
		if (is_key(session.lines[i].field[0], SESSION_OBJECT) && strcmp(session.lines[i].field[2], path) == 0)
			return true;
	return false;
}

const char *session_environment(const char *name)
{
	size_t length = strlen(name);
	for (char **at = __environ; at && *at; at++)
		if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
			return *at + length + 1;
	return NULL;
}

bool session_load(void)
{
	const char *folder = session_environment(ENVIRONMENT_SESSION);
	char path[PATH_MAX + 16];
	size_t bytes;
	if (!folder || folder[0] != '/' || strlen(folder) >= PATH_MAX)
		return false;
	strcpy(session.folder, folder);
	strcpy(path, folder);
	strcat(path, "/session");
	char *text = read_whole(path, &bytes);
	unsigned lines = 1;
	for (size_t i = 0; text && i < bytes; i++)
		lines += text[i] == '\n';
	session.lines = text ? arena_take(lines * sizeof *session.lines) : NULL;
	for (char *next; session.lines && text && *text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = 0;
		split(text, &session.lines[session.count++]);
	}
	session.relinked = runs_relinked();
	return session.count > 0;
}

const char *session_folder(void)
{
	return session.folder;
}

static const char *value_of(enum session_key key)
{
	for (unsigned i = 0; i < session.count; i++)
		if (is_key(session.lines[i].field[0], key))
			return session.lines[i].field[1];
	return NULL;
}

bool session_is(enum session_key key, const char *value)
{
	const char *have = value_of(key);
	return have && strcmp(have, value) == 0;
}

bool session_is_set(enum session_key key)
{
	return value_of(key) != NULL;
}

const char *session_value(enum session_key key)
{
	const char *have = value_of(key);
	return have ? have : "";
}

uint64_t session_number(enum session_key key, uint64_t otherwise)
{
	const char *have = value_of(key);
	return have && *have ? decimal_read(&have) : otherwise;
}

static const struct line *object_by_id(const char *build_id)
{
	for (unsigned i = 0; i < session.count; i++)
		if (is_key(session.lines[i].field[0], SESSION_OBJECT) && strcmp(session.lines[i].field[4], build_id) == 0)
			return &session.lines[i];
	return NULL;
}

const char *session_table_of(const char *build_id)
{
	const struct line *line = object_by_id(build_id);
	return line ? line->field[3] : "";
}

const char *session_path_of(const char *build_id)
{
	const struct line *line = object_by_id(build_id);
	return line ? line->field[2] : "";
}

/* Native files are compared by device and inode, so that any name for a file works. A name without a slash is
 * searched for by the loader, which finds the re-linked library first (relink puts its folder first in the run
 * path). */
const char *session_redirect(const char *path)
{
	struct stat s;
	const char *to = path;
	if (path && strchr(path, '/') && kernel_stat(path, &s))
		for (unsigned i = 0; i < session.count; i++) {
			const struct line *line = &session.lines[i];
			if (line->inode == s.st_ino && line->device == s.st_dev && is_key(line->field[0], SESSION_OBJECT))
				to = line->field[2];
		}
	return to;
}

/* What the program executes may be recorded, too, as it is. */
const char *session_native_program(void)
{
	return session.relinked ? value_of(SESSION_NATIVE) : NULL;
}
