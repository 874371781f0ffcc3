/* SPDX-License-Identifier: MIT */
/* folder.c: makes and removes folders. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strv.h"

int folder_make(const char *path, int mode, struct fail *why)
{
	char *copy = str_copy(path);

	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(copy, (mode_t)mode | 0700); /* if this fails, the last mkdir fails too and says why */
		*slash = '/';
	}
	free(copy);
	struct stat st;
	if (mkdir(path, (mode_t)mode) < 0 && (errno != EEXIST || stat(path, &st) < 0 || !S_ISDIR(st.st_mode)))
		return fail_set(why, FAIL_INTERNAL, "cannot create the folder %s: %s", path, strerror(errno == EEXIST ? ENOTDIR : errno));
	return 0;
}

char *folder_temporary(struct fail *why)
{
	const char *base = getenv("TMPDIR");
	char *path = str_format("%s/skein-XXXXXX", base && *base ? base : "/tmp");

	if (mkdtemp(path))
		return path;
	fail_set(why, FAIL_INTERNAL, "cannot create a temporary folder %s: %s", path, strerror(errno));
	free(path);
	return NULL;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st, (void)type, (void)walk;
	remove(path);
	return 0;
}

void folder_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void folder_drop_file(const char *path)
{
	struct stat is;
	if (lstat(path, &is) == 0 && S_ISREG(is.st_mode))
		unlink(path);
}

char *folder_here(struct fail *why)
{
	char *path = getcwd(NULL, 0);
	if (!path)
		fail_set(why, FAIL_INTERNAL, "cannot find the working folder: %s", strerror(errno));
	return path;
}

/* The folder of libraries is beside that of the program: build/bin and build/lib/skein, or PREFIX/bin and
 * PREFIX/lib/skein. */
char *folder_libdir(void)
{
	char *self = realpath("/proc/self/exe", NULL), *bin = self ? str_folder(self) : NULL;
	char *guess = bin ? str_format("%s/../lib/skein", bin) : NULL;
	char *libdir = guess ? realpath(guess, NULL) : NULL;

	free(self);
	free(bin);
	free(guess);
	return libdir;
}

int folder_check_empty(const char *path, struct fail *why)
{
	DIR *folder = opendir(path);
	size_t count = 0;
	if (!folder)
		return fail_set(why, FAIL_INTERNAL, "cannot read the folder %.300s: %s", path, strerror(errno));
	while (readdir(folder))
		count++;
	closedir(folder);
	if (count > 2)
		return fail_set(why, FAIL_USAGE, "the folder %.300s is not empty: name a new one with -o FOLDER", path);
	return 0;
}
