/* SPDX-License-Identifier: MIT */
#include "report/ranks/collect.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/strv.h"
#include "store/parts.h"
#include "store/store.h"

enum { MOST_UNREADABLE = 20 };

bool collect_is_folder(const char *path)
{
	struct stat is;
	return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_recording(const char *name)
{
	return *name != '.' && str_ends(name, ".skein") && !str_ends(name, ".against.skein");
}

/* Names of recordings, in order; what was begun there and not ended has a sentence in `open`. */
static int list_recordings(const char *folder, struct strv *names, struct strv *open, struct fail *why)
{
	DIR *list = opendir(folder);
	if (!list)
		return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_INTERNAL, "cannot open the folder %.300s: %s", folder,
		                strerror(errno));
	for (struct dirent *entry; (entry = readdir(list));) {
		if (is_recording(entry->d_name))
			strv_add(names, entry->d_name);
		else if (*entry->d_name == '.' && strstr(entry->d_name, ".skein.session-"))
			strv_addf(open, "%s is a session that was interrupted: `skein recover` makes a recording of it.", entry->d_name);
	}
	closedir(list);
	if (names->count)
		qsort(names->at, names->count, sizeof *names->at, by_name);
	return names->count ? 0
			    : fail_set(why, FAIL_NOT_FOUND,
	                               "there is no recording in the folder %.300s: ranks of a job put theirs there when they end", folder);
}

static size_t add_all(struct merge *merge, const char *folder, const struct strv *names, void (*progress)(void *, size_t, size_t),
                      void *context, struct fail *why)
{
	size_t added = 0, unreadable = 0;
	for (size_t i = 0; i < names->count; i++) {
		char *path = str_format("%s/%s", folder, names->at[i]);
		if (merge_add(merge, path, why) == 0) {
			added++;
		} else if (unreadable++ < MOST_UNREADABLE) {
			char *text = str_format("%s is left out: %s.", names->at[i], why->text);
			merge_note(merge, text);
			free(text);
		}
		free(path);
		if (progress)
			progress(context, i + 1, names->count);
	}
	if (unreadable > MOST_UNREADABLE) {
		char *text = str_format("%zu more recordings are left out.", unreadable - MOST_UNREADABLE);
		merge_note(merge, text);
		free(text);
	}
	return added;
}

int collect_merge(const char *folder, const char *path, size_t *count, void (*progress)(void *, size_t, size_t), void *context,
                  struct fail *why)
{
	struct strv names = {0}, open = {0};
	struct merge *merge = list_recordings(folder, &names, &open, why) < 0 ? NULL : merge_begin(path, why);
	int result = merge ? 0 : -1;
	if (merge) {
		*count = add_all(merge, folder, &names, progress, context, why);
		for (size_t i = 0; i < open.count; i++)
			merge_note(merge, open.at[i]);
		if (*count == 0) {
			merge_drop(merge);
			result = -1; /* `why` is that of the last one */
		} else {
			result = merge_end(merge, path, why);
		}
	}
	strv_free(&names);
	strv_free(&open);
	return result;
}

struct store *collect_open(const char *path, struct fail *why)
{
	size_t count;
	if (!collect_is_folder(path))
		return store_open(path, why);
	char *folder = folder_temporary(why), *file = folder ? str_format("%s/merged.skein", folder) : NULL;
	struct store *store = file && collect_merge(path, file, &count, NULL, NULL, why) == 0 ? store_open(file, why) : NULL;
	if (folder)
		folder_remove(folder); /* an open file stays until it is closed */
	free(folder);
	free(file);
	return store;
}
