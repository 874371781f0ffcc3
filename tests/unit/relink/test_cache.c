/* SPDX-License-Identifier: MIT */
/* The cache of re-linked programs: what is kept, what goes when it is full, and that nothing outside of it is touched. */
#include "unit/lib.h"

#include <sys/time.h>
#include <time.h>
#include "keys/environment.h"
#include "relink/cache.h"

static struct cache open_cache(void)
{
	struct cache cache;
	struct fail why = {0};
	if (cache_open(&cache, &why) < 0)
		fail_msg("%s", why.text);
	return cache;
}

static int enter(void **state)
{
	int failed = lib_enter(state);
	setenv("XDG_CACHE_HOME", lib_path("xdg"), 1);
	unsetenv(ENVIRONMENT_CACHE_BYTES);
	return failed;
}

/* An entry with a file of that size, last used so long ago. */
static void add(const struct cache *cache, const char *key, size_t bytes, int hours)
{
	char name[8192];
	struct timeval then[2] = {{.tv_sec = time(NULL) - hours * 3600}, {.tv_sec = time(NULL) - hours * 3600}};
	snprintf(name, sizeof name, "xdg/skein/%s/file", key);
	lib_write(name, "");
	assert_int_equal(truncate(name, 0), 0);
	FILE *file = fopen(name, "w");
	for (size_t i = 0; i < bytes; i++)
		fputc('x', file);
	fclose(file);
	snprintf(name, sizeof name, "%s/%s", cache->root, key);
	assert_int_equal(chmod(name, 0700), 0);
	assert_int_equal(utimes(name, then), 0);
}

static bool has(const char *key)
{
	char name[8192];
	snprintf(name, sizeof name, "xdg/skein/%s", key);
	return lib_exists(name);
}

static void it_is_made_for_its_owner_alone(void **state)
{
	(void)state;
	struct cache cache = open_cache();
	assert_string_equal(cache.root, lib_path("xdg/skein"));
	assert_int_equal(lib_mode("xdg/skein"), 0700);
	cache_close(&cache);
	chmod("xdg/skein", 0755);
	cache = open_cache();
	assert_int_equal(lib_mode("xdg/skein"), 0700);
	cache_close(&cache);
}

static void without_a_whole_path_it_is_in_the_home_folder(void **state)
{
	(void)state;
	char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", lib_path("home"), 1);
	struct cache cache = open_cache();
	assert_string_equal(cache.root, lib_path("home/.cache/skein"));
	cache_close(&cache);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

static void a_place_that_cannot_be_used_is_refused(void **state)
{
	struct cache cache;
	struct fail why = {0};
	(void)state;
	lib_write("xdg", "a file");
	assert_int_equal(cache_open(&cache, &why), -1);
	assert_non_null(strstr(why.text, "the cache folder"));
	assert_non_null(strstr(why.text, "XDG_CACHE_HOME"));
	assert_null(cache.root);
}

static void a_folder_of_another_user_is_refused(void **state)
{
	struct cache cache = open_cache();
	struct fail why = {0};
	(void)state;
	cache_close(&cache);
	if (geteuid() != 0)
		lib_skip("it needs root");
	assert_int_equal(chown("xdg/skein", 12345, 12345), 0);
	assert_int_equal(cache_open(&cache, &why), -1);
	assert_non_null(strstr(why.text, "belongs to another user"));
}

static void a_link_of_another_user_is_refused(void **state)
{
	struct cache cache = open_cache();
	struct fail why = {0};
	(void)state;
	cache_close(&cache);
	if (geteuid() != 0)
		lib_skip("it needs root");
	assert_int_equal(rename("xdg/skein", "xdg/real"), 0);
	assert_int_equal(symlink("real", "xdg/skein"), 0);
	cache = open_cache();
	cache_close(&cache);
	assert_int_equal(lchown("xdg/skein", 12345, 12345), 0);
	assert_int_equal(cache_open(&cache, &why), -1);
	assert_non_null(strstr(why.text, "belongs to another user"));
}

/* Not taken, and out of the way of a new one. */
static void expect_put_away(const struct cache *cache, const char *key)
{
	struct cache_entry entry;
	struct fail why = {0};
	assert_false(cache_take(cache, key, &entry));
	assert_false(has(key));
	char *stage = cache_stage(cache, &why);
	assert_int_equal(cache_publish(cache, stage, key, &entry, &why), 0);
	cache_give(&entry);
	free(stage);
}

static void an_entry_that_is_open_to_others_is_not_taken(void **state)
{
	struct cache cache = open_cache();
	(void)state;
	add(&cache, "prog-1", 3, 0);
	assert_int_equal(chmod("xdg/skein/prog-1", 0777), 0);
	expect_put_away(&cache, "prog-1");
	add(&cache, "prog-2", 3, 0);
	assert_int_equal(chmod("xdg/skein/prog-2", 0710), 0);
	expect_put_away(&cache, "prog-2");
	cache_close(&cache);
}

static void an_entry_of_another_user_is_not_taken(void **state)
{
	struct cache cache = open_cache();
	(void)state;
	if (geteuid() != 0)
		lib_skip("it needs root");
	add(&cache, "prog-1", 3, 0);
	assert_int_equal(chown("xdg/skein/prog-1", 12345, 12345), 0);
	expect_put_away(&cache, "prog-1");
	add(&cache, "prog-2", 3, 0);
	assert_int_equal(chown("xdg/skein/prog-2/file", 12345, 12345), 0);
	expect_put_away(&cache, "prog-2");
	add(&cache, "prog-3", 3, 0);
	assert_int_equal(symlink("/bin/true", "xdg/skein/prog-3/link"), 0);
	assert_int_equal(lchown("xdg/skein/prog-3/link", 12345, 12345), 0);
	expect_put_away(&cache, "prog-3");
	cache_close(&cache);
}

static void what_is_not_ours_is_not_removed(void **state)
{
	struct cache cache = open_cache();
	(void)state;
	add(&cache, "odd-1", 3, 30);
	add(&cache, "own-1", 3, 30);
	assert_int_equal(chmod("xdg/skein/odd-1", 0777), 0);
	setenv(ENVIRONMENT_CACHE_BYTES, "0", 1);
	cache_trim(&cache);
	assert_true(has("odd-1"));
	assert_false(has("own-1"));
	assert_int_equal(cache_clean(&cache).entries, 0);
	assert_true(has("odd-1"));
	cache_close(&cache);
}

static void what_is_published_can_be_taken(void **state)
{
	struct cache cache = open_cache();
	struct cache_entry entry, again;
	struct fail why = {0};
	char name[8192];
	(void)state;
	assert_false(cache_take(&cache, "prog-1", &entry));
	assert_int_equal(entry.lock, -1);
	assert_null(entry.folder);

	char *stage = cache_stage(&cache, &why);
	assert_non_null(stage);
	snprintf(name, sizeof name, "%s/file", stage);
	FILE *file = fopen(name, "w");
	fputs("linked", file);
	fclose(file);
	assert_int_equal(cache_publish(&cache, stage, "prog-1", &entry, &why), 0);
	assert_string_equal(entry.folder, lib_path("xdg/skein/prog-1"));
	assert_false(lib_exists(stage));
	assert_string_equal(lib_read("xdg/skein/prog-1/file"), "linked");
	assert_true(cache_take(&cache, "prog-1", &again)); /* any number of users at once */
	cache_give(&again);
	cache_give(&entry);
	assert_int_equal(entry.lock, -1);
	free(stage);
	cache_close(&cache);
}

static void who_comes_second_gets_what_is_there(void **state)
{
	struct cache cache = open_cache();
	struct cache_entry entry;
	struct fail why = {0};
	(void)state;
	add(&cache, "prog-1", 3, 0);
	char *stage = cache_stage(&cache, &why);
	assert_int_equal(cache_publish(&cache, stage, "prog-1", &entry, &why), 0);
	assert_string_equal(lib_read("xdg/skein/prog-1/file"), "xxx");
	assert_false(lib_exists(stage));
	cache_give(&entry);
	free(stage);
	cache_close(&cache);
}

static void what_is_in_its_place_is_no_entry(void **state)
{
	struct cache cache = open_cache();
	struct cache_entry entry;
	struct fail why = {0};
	(void)state;
	lib_write("xdg/skein/prog-1", "a file");
	assert_false(cache_take(&cache, "prog-1", &entry));
	char *stage = cache_stage(&cache, &why);
	assert_int_equal(cache_publish(&cache, stage, "prog-1", &entry, &why), -1);
	assert_non_null(strstr(why.text, cache.root));
	assert_false(lib_exists(stage));
	assert_string_equal(lib_read("xdg/skein/prog-1"), "a file");
	free(stage);
	cache_close(&cache);
}

static void a_cache_that_is_gone_is_told(void **state)
{
	struct cache cache = open_cache();
	struct fail why = {0};
	(void)state;
	assert_int_equal(rmdir("xdg/skein"), 0);
	assert_null(cache_stage(&cache, &why));
	assert_non_null(strstr(why.text, cache.root));
	cache_close(&cache);
}

static void a_full_cache_forgets_what_was_not_used_for_longest(void **state)
{
	struct cache cache = open_cache();
	struct cache_entry used;
	(void)state;
	add(&cache, "old-1", 100000, 30);
	add(&cache, "old-2", 100000, 20);
	add(&cache, "old-3", 100000, 10);
	add(&cache, "new-1", 100000, 0);
	add(&cache, ".hidden-1", 100000, 40);
	cache_trim(&cache); /* far below 2 GiB */
	assert_true(has("old-1"));
	assert_true(has(".hidden-1"));
	setenv(ENVIRONMENT_CACHE_BYTES, "350000", 1);
	cache_trim(&cache);
	assert_false(has(".hidden-1"));
	assert_false(has("old-1"));
	assert_true(has("old-2"));
	assert_true(has("old-3"));

	assert_true(cache_take(&cache, "old-2", &used)); /* which makes it new, too: back to old, still in use */
	struct timeval then[2] = {{.tv_sec = time(NULL) - 72000}, {.tv_sec = time(NULL) - 72000}};
	assert_int_equal(utimes("xdg/skein/old-2", then), 0);
	setenv(ENVIRONMENT_CACHE_BYTES, "0", 1);
	cache_trim(&cache);
	assert_true(has("old-2"));
	assert_false(has("old-3"));
	assert_true(has("new-1")); /* of the last hour */
	cache_give(&used);
	cache_trim(&cache);
	assert_false(has("old-2"));
	cache_close(&cache);
}

static void to_take_an_entry_is_to_use_it(void **state)
{
	struct cache cache = open_cache();
	struct cache_entry entry;
	(void)state;
	add(&cache, "old-1", 10, 30);
	assert_true(cache_take(&cache, "old-1", &entry));
	cache_give(&entry);
	setenv(ENVIRONMENT_CACHE_BYTES, "0", 1);
	cache_trim(&cache);
	assert_true(has("old-1"));
	cache_close(&cache);
}

static void what_a_killed_process_left_goes_after_an_hour(void **state)
{
	struct cache cache = open_cache();
	(void)state;
	add(&cache, "stage-abcdef", 10, 2);
	add(&cache, "stage-recent", 10, 0);
	add(&cache, "stage-1-0123456789abcdef", 10, 2); /* a program with such a name */
	add(&cache, "prog-1", 10, 2);
	cache_trim(&cache);
	assert_false(has("stage-abcdef"));
	assert_true(has("stage-recent"));
	assert_true(has("stage-1-0123456789abcdef"));
	assert_true(has("prog-1"));
	cache_close(&cache);
}

static void what_links_lead_to_is_not_touched(void **state)
{
	struct cache cache = open_cache();
	struct timeval then[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
	(void)state;
	lib_write("elsewhere/file", "mine");
	assert_int_equal(symlink(lib_path("elsewhere"), "xdg/skein/link"), 0);
	assert_int_equal(lutimes("xdg/skein/link", then), 0);
	add(&cache, "old-1", 10, 2);
	assert_int_equal(symlink(lib_path("elsewhere"), "xdg/skein/old-1/link"), 0);
	utimes("xdg/skein/old-1", then);
	setenv(ENVIRONMENT_CACHE_BYTES, "0", 1);
	cache_trim(&cache);
	assert_false(has("link"));
	assert_false(has("old-1"));
	assert_string_equal(lib_read("elsewhere/file"), "mine");
	cache_close(&cache);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, lib_leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(it_is_made_for_its_owner_alone),
		IN_FOLDER(without_a_whole_path_it_is_in_the_home_folder),
		IN_FOLDER(a_place_that_cannot_be_used_is_refused),
		IN_FOLDER(a_folder_of_another_user_is_refused),
		IN_FOLDER(a_link_of_another_user_is_refused),
		IN_FOLDER(an_entry_that_is_open_to_others_is_not_taken),
		IN_FOLDER(an_entry_of_another_user_is_not_taken),
		IN_FOLDER(what_is_not_ours_is_not_removed),
		IN_FOLDER(what_is_published_can_be_taken),
		IN_FOLDER(who_comes_second_gets_what_is_there),
		IN_FOLDER(what_is_in_its_place_is_no_entry),
		IN_FOLDER(a_cache_that_is_gone_is_told),
		IN_FOLDER(a_full_cache_forgets_what_was_not_used_for_longest),
		IN_FOLDER(to_take_an_entry_is_to_use_it),
		IN_FOLDER(what_a_killed_process_left_goes_after_an_hour),
		IN_FOLDER(what_links_lead_to_is_not_touched),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
