/* SPDX-License-Identifier: MIT */
#include "run/session_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/strv.h"
#include "keys/session.h"
#include "raw/messages.h"
#include "report/report.h"
#include "run/apart.h"
#include "run/copies/brief.h"
#include "run/ranks/part.h"

int session_folder_make(const char *recording, char folder[PATH_MAX], struct fail *why)
{
	char one[PATH_MAX], two[PATH_MAX], parent[PATH_MAX];
	snprintf(one, sizeof one, "%s", recording);
	snprintf(two, sizeof two, "%s", recording);
	const char *name = basename(one), *where = dirname(two);
	if (!realpath(where, parent))
		return fail_set(why, FAIL_INTERNAL, "cannot write the recording %s: cannot open the folder %s: %s", recording, where,
		                strerror(errno));
	if (snprintf(folder, PATH_MAX, "%s/.%s.session-XXXXXX", strcmp(parent, "/") == 0 ? "" : parent, name) >= PATH_MAX)
		return fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: choose a shorter one with -o");
	if (!mkdtemp(folder)) /* mode 0700 */
		return fail_set(why, FAIL_INTERNAL, "cannot write to the folder %s: %s; choose another place for the recording with -o",
		                parent, strerror(errno));
	return 0;
}

static bool is_raw(const char *name)
{
	return str_ends(name, ".raw");
}

bool session_folder_has_recordings(const char *folder)
{
	bool has = false;
	DIR *list = opendir(folder);
	for (struct dirent *entry; list && !has && (entry = readdir(list));)
		has = is_raw(entry->d_name);
	if (list)
		closedir(list);
	return has;
}

static bool maps_a_file_of(const char *folder, const char *pid)
{
	char path[64], *line = NULL;
	size_t room = 0, length = strlen(folder);
	bool found = false;
	snprintf(path, sizeof path, "/proc/%.20s/maps", pid);
	FILE *maps = fopen(path, "re");
	while (maps && !found && getline(&line, &room, maps) > 0) {
		const char *file = strchr(line, '/');
		found = file && strncmp(file, folder, length) == 0 && file[length] == '/';
	}
	if (maps)
		fclose(maps);
	free(line);
	return found;
}

static long find_user(const char *folder)
{
	long pid = 0;
	DIR *list = opendir("/proc");
	for (struct dirent *entry; list && !pid && (entry = readdir(list));)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && maps_a_file_of(folder, entry->d_name))
			pid = atol(entry->d_name);
	if (list)
		closedir(list);
	return pid;
}

/* A process maps its recording as long as it lives, and its parent's until it begins its own: in between it is seen only
 * by looking again. Who goes on for a fifth of a second is not just about to end. */
long session_folder_user(const char *folder)
{
	long pid = 0;
	for (int tries = 0, unseen = 0; tries < 40 && unseen < 3; tries++) {
		nanosleep(&(struct timespec){.tv_nsec = tries ? 5000000 : 0}, NULL);
		pid = find_user(folder);
		unseen = pid ? 0 : unseen + 1;
	}
	return pid;
}

/* What a writer of the recording of a rank leaves that was killed: PART_LOCAL, and what store/save.c makes of it. */
static bool is_of_part(const char *name)
{
	return str_starts(name, PART_LOCAL) || str_starts(name, "." PART_LOCAL ".");
}

static bool is_ours(const char *name)
{
	static const char *const names[] = {"session",     "crew",       SESSION_SWITCHES_FILE, COPIES_BRIEF,  COPIES_BEGUN,
	                                    COPIES_FAILED, COPIES_ENDED, COPIES_HOLD,           COPIES_SIGNALS};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return is_raw(name) || str_ends(name, RAW_MESSAGES_TAIL) || is_of_part(name);
}

static void remove_files(DIR *list)
{
	for (struct dirent *entry; (entry = readdir(list));)
		if (is_ours(entry->d_name))
			unlinkat(dirfd(list), entry->d_name, 0);
}

/* Folders of copies (copies.h). */
static void remove_copies(DIR *list)
{
	for (struct dirent *entry; (entry = readdir(list));) {
		int fd = strncmp(entry->d_name, "copy-", 5) == 0
			? openat(dirfd(list), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			: -1;
		DIR *copy = fd < 0 ? NULL : fdopendir(fd);
		if (!copy)
			continue;
		remove_files(copy);
		closedir(copy);
		unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
	}
}

/* Only files that skein and its runtime put there; a folder that holds more stays. */
void session_folder_remove(const char *folder)
{
	DIR *list = opendir(folder);
	if (!list)
		return;
	remove_files(list);
	rewinddir(list);
	remove_copies(list);
	unlinkat(dirfd(list), "lib/libgomp.so.1", 0); /* see preload.c */
	unlinkat(dirfd(list), "lib", AT_REMOVEDIR);
	closedir(list);
	rmdir(folder);
}

void session_default_output(const char *program, char path[PATH_MAX])
{
	char copy[PATH_MAX];
	snprintf(copy, sizeof copy, "%s", program);
	snprintf(path, PATH_MAX, "%.4000s.skein", basename(copy));
}

int session_tell(const char *recording, const struct apart *made, const char *kept, FILE *file, struct fail *why)
{
	fputc('\n', file);
	if (report_short(recording, made->lens->lens, file, why) < 0)
		return -1;
	struct pool pool = {0};
	fprintf(file, "\nRecorded in %s; see `skein report --help` for more views.\n", escape_plain(&pool, recording));
	if (*made->aside)
		fprintf(file, "The earlier recording, which is of another build or cannot be read, was renamed to %s.\n",
		        escape_plain(&pool, made->aside));
	if (kept)
		fprintf(file, "The raw recordings are in %s.\n", escape_plain(&pool, kept));
	pool_free(&pool);
	fflush(file);
	return 0;
}

int session_store(const char *folder, const char *recording, bool keep, struct apart *made, struct fail *why)
{
	if (apart_store(folder, recording, made, why) < 0)
		return -1;
	if (!keep)
		session_folder_remove(folder);
	else
		copies_brief_forget(folder); /* a skein that was killed did not */
	return 0;
}

int session_finish(const char *folder, const char *recording, bool keep, FILE *file, struct fail *why)
{
	struct apart made;
	if (session_store(folder, recording, keep, &made, why) < 0)
		return -1;
	return file ? session_tell(recording, &made, keep ? folder : NULL, file, why) : 0;
}
