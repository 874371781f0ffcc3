/* SPDX-License-Identifier: MIT */
/* What a copy changed is done to the real folder: all of it, nothing else, and never through a link. `upper` is what an overlay would have
 * left, `real` the folder beneath it. */
#include "unit/lib.h"

#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include "run/copies/carry.h"

static int enter(void **state)
{
	return lib_enter(state) || mkdir("upper", 0755) || mkdir("real", 0755);
}

static int carry(struct fail *why)
{
	int upper = open("upper", O_RDONLY | O_DIRECTORY), real = open("real", O_RDONLY | O_DIRECTORY);
	int result = copies_carry(upper, real, why);
	close(upper);
	close(real);
	return result;
}

static void carry_all(void)
{
	struct fail why = {0};
	if (carry(&why) < 0)
		fail_msg("%s", why.text);
}

/* In an overlay this says that the name is gone. */
static void remove_in_upper(const char *name)
{
	char path[8192];
	snprintf(path, sizeof path, "upper/%s", name);
	if (mknod(path, S_IFCHR, makedev(0, 0)) < 0)
		lib_skip("this kernel makes no device 0:0 for this user");
}

static ino_t inode(const char *name)
{
	struct stat st;
	assert_int_equal(lstat(name, &st), 0);
	return st.st_ino;
}

static void files_that_were_made_are_there(void **state)
{
	(void)state;
	lib_write("upper/new", "new");
	lib_write("upper/deep/er/file", "deep");
	chmod("upper/new", 0751);
	chmod("upper/deep", 0700);
	carry_all();
	assert_string_equal(lib_read("real/new"), "new");
	assert_string_equal(lib_read("real/deep/er/file"), "deep");
	assert_int_equal(lib_mode("real/new"), 0751);
	assert_int_equal(lib_mode("real/deep"), 0700);
}

static void files_that_were_changed_keep_their_inode(void **state)
{
	struct stat st;
	struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
	(void)state;
	lib_write("real/file", "a long text that was there");
	lib_write("real/other", "other");
	assert_int_equal(link("real/file", "real/second"), 0);
	ino_t before = inode("real/file");
	lib_write("upper/file", "short");
	assert_int_equal(utimensat(AT_FDCWD, "upper/file", times, 0), 0);
	carry_all();
	assert_string_equal(lib_read("real/file"), "short");
	assert_string_equal(lib_read("real/second"), "short");
	assert_string_equal(lib_read("real/other"), "other");
	assert_int_equal(inode("real/file"), before);
	assert_int_equal(stat("real/file", &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 2000);
}

static void what_was_removed_is_gone(void **state)
{
	(void)state;
	lib_write("real/file", "x");
	lib_write("real/folder/a/b", "x");
	lib_write("real/kept/a", "kept");
	lib_write("real/kept/b", "x");
	lib_write("upper/kept/new", "new");
	remove_in_upper("file");
	remove_in_upper("folder");
	remove_in_upper("kept/b");
	remove_in_upper("never_there");
	carry_all();
	assert_false(lib_exists("real/file"));
	assert_false(lib_exists("real/folder"));
	assert_false(lib_exists("real/kept/b"));
	assert_false(lib_exists("real/never_there"));
	assert_string_equal(lib_read("real/kept/a"), "kept");
	assert_string_equal(lib_read("real/kept/new"), "new");
}

static void a_folder_that_was_made_anew_has_nothing_of_the_old_one(void **state)
{
	(void)state;
	lib_write("real/folder/old", "x");
	lib_write("upper/folder/new", "new");
	if (setxattr("upper/folder", "user.overlay.opaque", "y", 1, 0) < 0 &&
	    setxattr("upper/folder", "trusted.overlay.opaque", "y", 1, 0) < 0)
		lib_skip("this file system has no such attributes");
	carry_all();
	assert_false(lib_exists("real/folder/old"));
	assert_string_equal(lib_read("real/folder/new"), "new");
}

static void kinds_may_change(void **state)
{
	(void)state;
	lib_write("real/was_file", "x");
	lib_write("upper/was_file/now", "folder");
	lib_write("real/was_folder/x", "x");
	lib_write("upper/was_folder", "file");
	lib_write("real/was_pipe", "x");
	assert_int_equal(mkfifo("upper/was_pipe", 0640), 0);
	carry_all();
	assert_string_equal(lib_read("real/was_file/now"), "folder");
	assert_string_equal(lib_read("real/was_folder"), "file");
	struct stat st;
	assert_int_equal(lstat("real/was_pipe", &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(lib_mode("real/was_pipe"), 0640);
}

static void links_are_carried_as_links(void **state)
{
	char target[64] = "";
	(void)state;
	assert_int_equal(symlink("nowhere", "upper/new"), 0);
	lib_write("real/was_file", "x");
	assert_int_equal(symlink("/etc/passwd", "upper/was_file"), 0);
	lib_write("real/was_folder/x", "x");
	assert_int_equal(symlink(".", "upper/was_folder"), 0);
	carry_all();
	assert_true(readlink("real/new", target, sizeof target - 1) > 0);
	assert_string_equal(target, "nowhere");
	memset(target, 0, sizeof target);
	assert_true(readlink("real/was_file", target, sizeof target - 1) > 0);
	assert_string_equal(target, "/etc/passwd");
	assert_int_equal(readlink("real/was_folder", target, sizeof target - 1), 1);
}

/* A program may have replaced a link by a file or a folder: what the link led to is not its own. */
static void nothing_is_written_through_links(void **state)
{
	(void)state;
	lib_write("elsewhere/file", "mine");
	assert_int_equal(symlink("../elsewhere/file", "real/file"), 0);
	assert_int_equal(symlink("../elsewhere", "real/folder"), 0);
	assert_int_equal(symlink("../elsewhere", "real/gone"), 0);
	lib_write("upper/file", "yours");
	lib_write("upper/folder/file", "yours");
	lib_write("upper/folder/more", "yours");
	remove_in_upper("gone");
	carry_all();
	assert_string_equal(lib_read("elsewhere/file"), "mine");
	assert_false(lib_exists("elsewhere/more"));
	assert_true(lib_exists("elsewhere"));
	assert_string_equal(lib_read("real/file"), "yours");
	assert_string_equal(lib_read("real/folder/file"), "yours");
	assert_false(lib_exists("real/gone"));
}

static void large_files_are_whole(void **state)
{
	(void)state;
	lib_run("head -c 300001 /dev/urandom >upper/large");
	carry_all();
	lib_run("cmp upper/large real/large");
}

static void what_cannot_be_done_is_told_and_the_rest_is_done(void **state)
{
	struct fail why = {0};
	(void)state;
	if (geteuid() != 0)
		lib_skip("it needs root");
	lib_write("real/closed/file", "old");
	lib_write("upper/closed/file", "new");
	lib_write("upper/a", "a");
	lib_write("upper/z", "z");
	chmod("real/closed", 0755); /* not the user's */
	lib_run("chown -R 12345 . && chown -R 0 real/closed && chmod 755 .");
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		int told = setresuid(12345, 12345, 12345) == 0 && carry(&why) < 0 && strstr(why.text, "working folder") &&
			strstr(why.text, "file") && strstr(why.text, "denied");
		_exit(told ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_string_equal(lib_read("real/closed/file"), "old");
	assert_string_equal(lib_read("real/a"), "a");
	assert_string_equal(lib_read("real/z"), "z");
}

static void a_folder_that_is_gone_is_told(void **state)
{
	struct fail why = {0};
	(void)state;
	lib_write("upper/a", "a");
	int upper = open("upper", O_RDONLY | O_DIRECTORY), real = open("real", O_RDONLY | O_DIRECTORY);
	assert_int_equal(rmdir("real"), 0);
	assert_int_equal(copies_carry(upper, real, &why), -1);
	assert_non_null(strstr(why.text, "a: No such file or directory"));
	assert_true(fcntl(upper, F_GETFD) >= 0 && fcntl(real, F_GETFD) >= 0);
	close(upper);
	close(real);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, lib_leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(files_that_were_made_are_there),
		IN_FOLDER(files_that_were_changed_keep_their_inode),
		IN_FOLDER(what_was_removed_is_gone),
		IN_FOLDER(a_folder_that_was_made_anew_has_nothing_of_the_old_one),
		IN_FOLDER(kinds_may_change),
		IN_FOLDER(links_are_carried_as_links),
		IN_FOLDER(nothing_is_written_through_links),
		IN_FOLDER(large_files_are_whole),
		IN_FOLDER(what_cannot_be_done_is_told_and_the_rest_is_done),
		IN_FOLDER(a_folder_that_is_gone_is_told),
	};
	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
