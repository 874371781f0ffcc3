/* SPDX-License-Identifier: MIT */
/* lib.h: what unit tests share: cmocka with all that it needs, and a folder to work in.
 *
 *     static void a_file_is_kept(void **state)
 *     {
 *             (void)state;
 *             lib_write("there/file", "text");                  folders on the way are made
 *             assert_string_equal(lib_read("there/file"), "text");
 *     }
 *     …
 *     cmocka_unit_test_setup_teardown(a_file_is_kept, lib_enter, lib_leave)
 *
 * Between lib_enter and lib_leave the working folder is a new, empty one, lib_folder(), which goes with all that is in it. */
#ifndef SKEIN_UNIT_LIB_H
#define SKEIN_UNIT_LIB_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder.h"

static inline char *lib_folder(void)
{
	static char path[4096];
	return path;
}

static inline int lib_enter(void **state)
{
	struct fail why;
	char *made = folder_temporary(&why), *real = made ? realpath(made, NULL) : NULL;
	(void)state;
	if (!real)
		return -1;
	snprintf(lib_folder(), 4096, "%s", real);
	free(made);
	free(real);
	return chdir(lib_folder());
}

static inline int lib_leave(void **state)
{
	(void)state;
	int failed = chdir("/");
	folder_remove(lib_folder());
	return failed;
}

/* An absolute path in the folder, in a buffer that the fourth call after this one takes again. */
static inline const char *lib_path(const char *name)
{
	static char paths[4][16384];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", lib_folder(), name);
	return path;
}

static inline void lib_write(const char *name, const char *text)
{
	struct fail why;
	char *slash, folder[8192];
	snprintf(folder, sizeof folder, "%s", name);
	if ((slash = strrchr(folder, '/'))) {
		*slash = 0;
		assert_int_equal(folder_make(lib_path(folder), 0755, &why), 0);
	}
	FILE *file = fopen(name, "w");
	if (!file)
		fail_msg("%s: %s", name, strerror(errno));
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* What a file holds, the first 4095 bytes of it; "(none)" if there is no such file. */
static inline const char *lib_read(const char *name)
{
	static char text[4096];
	FILE *file = fopen(name, "r");
	if (!file)
		return "(none)";
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	return text;
}

static inline bool lib_exists(const char *name)
{
	struct stat st;
	return lstat(name, &st) == 0;
}

static inline mode_t lib_mode(const char *name)
{
	struct stat st;
	assert_int_equal(lstat(name, &st), 0);
	return st.st_mode & 07777;
}

/* Leaves the test, which cannot run here; tests/run prints why. */
#define lib_skip(why)                                  \
	do {                                           \
		print_message("# skipped: %s\n", why); \
		skip();                                \
	} while (0)

/* The command must succeed. */
__attribute__((format(printf, 1, 2))) static inline void lib_run(const char *format, ...)
{
	char command[8192];
	va_list values;
	va_start(values, format);
	vsnprintf(command, sizeof command, format, values);
	va_end(values);
	if (system(command) != 0)
		fail_msg("%s", command);
}

#endif
