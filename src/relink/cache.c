/* SPDX-License-Identifier: MIT */
/* cache.c: a folder of folders, locked while in use. */
#include "relink/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/strv.h"
#include "keys/environment.h"
#include "relink/maker.h"

#define DEFAULT_BYTES (UINT64_C(2) << 30)
#define KEEP_SECONDS 3600
#define STAGE "stage-" /* an unfinished entry: this, and six characters of mkdtemp */
#define ANY "XXXXXX"

static char *root_path(void)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct passwd *user;

	if (xdg && xdg[0] == '/')
		return str_format("%s/skein", xdg);
	if (!home || home[0] != '/')
		home = (user = getpwuid(getuid())) ? user->pw_dir : NULL;
	return home ? str_format("%s/.cache/skein", home) : NULL;
}

/* Ours, and closed to others: what lies here is run. A link that leads here must be ours, too. */
static int check_root(const char *root, struct fail *why)
{
	struct stat st, link;

	if (stat(root, &st) < 0 || lstat(root, &link) < 0 || st.st_uid != geteuid() || link.st_uid != geteuid())
		return fail_set(why, FAIL_INTERNAL,
		                "the cache folder %s belongs to another user: set XDG_CACHE_HOME to a folder of your own", root);
	if (st.st_mode & 077)
		chmod(root, 0700);
	if (access(root, R_OK | W_OK | X_OK) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write to the cache folder %s: %s; set XDG_CACHE_HOME to another folder", root,
		                strerror(errno));
	return 0;
}

int cache_open(struct cache *cache, struct fail *why)
{
	struct fail inner;

	cache->root = root_path();
	if (!cache->root)
		return fail_set(why, FAIL_INTERNAL,
		                "there is no cache folder, because HOME is not set: set XDG_CACHE_HOME to a folder of your own");
	int failed = folder_make(cache->root, 0700, &inner);
	if (failed)
		fail_set(why, FAIL_INTERNAL, "cannot use the cache folder: %.600s; set XDG_CACHE_HOME to another folder", inner.text);
	else
		failed = check_root(cache->root, why);
	if (failed)
		cache_close(cache);
	return failed;
}

void cache_close(struct cache *cache)
{
	free(cache->root);
	cache->root = NULL;
}

/* Whether all of an entry belongs to the user and is closed to others. The cache may have been open to others once, and one of them
 * may have left an entry there. */
static bool is_own(const char *path)
{
	FTS *walk = fts_open((char *[]){(char *)path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *item;
	bool own = walk != NULL;

	while (own && (item = fts_read(walk))) {
		bool is_open = item->fts_level == FTS_ROOTLEVEL && item->fts_info == FTS_D && item->fts_statp->st_mode & 077;
		own = item->fts_info != FTS_NS && item->fts_info != FTS_DNR && item->fts_statp->st_uid == geteuid() && !is_open;
	}
	if (walk)
		fts_close(walk);
	return own;
}

/* What is not ours makes room for what is. Nothing in it is touched: its owner could make a folder a link meanwhile. */
static void put_away(const struct cache *cache, const char *folder)
{
	char *away = str_format("%s/" STAGE ANY, cache->root);

	if (mkdtemp(away) && rename(folder, away) < 0)
		rmdir(away);
	free(away);
}

/* The lock is on the folder itself, so a folder that was removed and made again between open and lock must be told:
 * compare what the descriptor and the name stand for. */
bool cache_take(const struct cache *cache, const char *key, struct cache_entry *entry)
{
	struct stat by_name, by_lock;

	entry->folder = str_format("%s/%s", cache->root, key);
	for (;;) {
		entry->lock = open(entry->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (entry->lock < 0)
			break;
		if (flock(entry->lock, LOCK_SH) == 0 && fstat(entry->lock, &by_lock) == 0 && stat(entry->folder, &by_name) == 0 &&
		    by_name.st_ino == by_lock.st_ino) {
			if (is_own(entry->folder)) {
				futimens(entry->lock, NULL);
				return true;
			}
			put_away(cache, entry->folder);
		}
		close(entry->lock);
	}
	free(entry->folder);
	*entry = (struct cache_entry){.lock = -1};
	return false;
}

void cache_give(struct cache_entry *entry)
{
	if (entry->lock >= 0)
		close(entry->lock);
	free(entry->folder);
	*entry = (struct cache_entry){.lock = -1};
}

char *cache_stage(const struct cache *cache, struct fail *why)
{
	char *path = str_format("%s/" STAGE ANY, cache->root);

	if (mkdtemp(path))
		return path;
	fail_set(why, FAIL_INTERNAL, "cannot create a folder in the cache %s: %s", cache->root, strerror(errno));
	free(path);
	return NULL;
}

/* When another process was faster, its entry is as good as ours. */
int cache_publish(const struct cache *cache, const char *stage, const char *key, struct cache_entry *entry, struct fail *why)
{
	char *path = str_format("%s/%s", cache->root, key);
	int error = rename(stage, path) < 0 ? errno : 0;

	if (error)
		folder_remove(stage);
	free(path);
	if (error && error != EEXIST && error != ENOTEMPTY)
		return fail_set(why, FAIL_INTERNAL, "cannot store a re-linked program in the cache %s: %s", cache->root, strerror(error));
	if (!cache_take(cache, key, entry))
		return fail_set(why, FAIL_INTERNAL, "a re-linked program was removed from the cache %s meanwhile: try again", cache->root);
	return 0;
}

struct aged {
	char *path;
	time_t used;
	uint64_t bytes;
};

static uint64_t folder_bytes(const char *path)
{
	FTS *walk = fts_open((char *[]){(char *)path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *item;
	uint64_t bytes = 0;

	while (walk && (item = fts_read(walk)))
		if (item->fts_info != FTS_DP && item->fts_info != FTS_NS)
			bytes += (uint64_t)item->fts_statp->st_blocks * 512;
	if (walk)
		fts_close(walk);
	return bytes;
}

static int by_age(const void *a, const void *b)
{
	const struct aged *x = a, *y = b;
	return x->used < y->used ? -1 : x->used > y->used;
}

/* A lock of a process that may be at work. One that was left behind is tidied up like an entry. */
static bool is_fresh_lock(const char *root, const char *name)
{
	struct stat is;
	char *path = str_format("%s/%s", root, name);
	bool fresh =
		str_starts(name, MAKER_LOCK) && lstat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_mtime > time(NULL) - KEEP_SECONDS;
	free(path);
	return fresh;
}

static size_t list_entries(const char *root, struct aged **list)
{
	DIR *folder = opendir(root);
	struct dirent *item;
	struct stat st;
	size_t count = 0;

	*list = NULL;
	while (folder && (item = readdir(folder))) {
		if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0 || is_fresh_lock(root, item->d_name))
			continue;
		struct aged one = {.path = str_format("%s/%s", root, item->d_name)};
		if (lstat(one.path, &st) < 0) {
			free(one.path);
			continue;
		}
		one.used = st.st_mtime;
		one.bytes = folder_bytes(one.path);
		*list = memory_resize(*list, count + 1, sizeof **list);
		(*list)[count++] = one;
	}
	if (folder)
		closedir(folder);
	qsort(*list, count, count ? sizeof **list : 1, by_age);
	return count;
}

static bool in_use(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool used = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;

	if (fd >= 0)
		close(fd);
	return used;
}

static uint64_t most_bytes(void)
{
	const char *wish = getenv(ENVIRONMENT_CACHE_BYTES);
	return wish && *wish ? strtoull(wish, NULL, 10) : DEFAULT_BYTES;
}

/* A program may be called stage-1: its entry has a longer name. A lock is left over, too, when it is not fresh. */
static bool is_stage(const char *name)
{
	return (str_starts(name, STAGE) && strlen(name) == strlen(STAGE ANY)) || str_starts(name, MAKER_LOCK);
}

void cache_trim(const struct cache *cache)
{
	uint64_t limit = most_bytes(), total = 0;
	time_t recent = time(NULL) - KEEP_SECONDS;
	struct aged *list;
	size_t count = list_entries(cache->root, &list);

	for (size_t i = 0; i < count; i++)
		total += list[i].bytes;
	for (size_t i = 0; i < count; i++) {
		bool left_over = is_stage(str_base(list[i].path)); /* of a process that was killed */
		if ((left_over || total > limit) && list[i].used < recent && !in_use(list[i].path) && is_own(list[i].path)) {
			folder_remove(list[i].path);
			total -= list[i].bytes;
		}
		free(list[i].path);
	}
	free(list);
}

/* All entries, which are removed or not; the sum of what was met. */
static struct cache_size walk_entries(const struct cache *cache, bool remove)
{
	struct cache_size size = {.limit = most_bytes()};
	struct aged *list;
	size_t count = list_entries(cache->root, &list);

	for (size_t i = 0; i < count; i++) {
		bool counts = !remove || (!in_use(list[i].path) && is_own(list[i].path));
		size.entries += counts;
		size.bytes += counts ? list[i].bytes : 0;
		if (remove && counts)
			folder_remove(list[i].path);
		free(list[i].path);
	}
	free(list);
	return size;
}

struct cache_size cache_measure(const struct cache *cache)
{
	return walk_entries(cache, false);
}

struct cache_size cache_clean(const struct cache *cache)
{
	return walk_entries(cache, true);
}
