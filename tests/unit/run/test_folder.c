/* SPDX-License-Identifier: MIT */
/* A working folder for each copy: what it writes stays apart, nothing is left behind, and a copy that is killed loses only what it may.
 *
 * Who enters such a folder lives there to its end: every step is in a child, which ends with the number of the step that went wrong. */
#include "unit/lib.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include "run/copies/carry.h"
#include "run/copies/folder.h"

static struct copies_folder own;
static struct fail why;

/* `here` has a file, `session` is beside it, and all that is temporary is made in `t`. */
static int enter(void **state)
{
	if (lib_enter(state) || mkdir("here", 0755) || mkdir("session", 0700) || mkdir("t", 0700))
		return -1;
	setenv("TMPDIR", lib_path("t"), 1);
	lib_write("here/file", "old");
	return 0;
}

static int leave(void **state)
{
	unsetenv("TMPDIR");
	return lib_leave(state);
}

/* how: what a child does; its exit status, or 128 and the signal that ended it */
static int in_child(int (*how)(void))
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		_exit(how());
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool enters(bool keep)
{
	return copies_folder_enter(&own, lib_path("here"), lib_path("session"), keep, &why) == 0;
}

static void needs_overlays(void)
{
	if (copies_folder_check(lib_path("here"), lib_path("session"), &why) < 0)
		lib_skip(why.text);
}

static bool is_empty(const char *folder)
{
	return rmdir(folder) == 0 && mkdir(folder, 0700) == 0;
}

/* Whoever tidies up is another process. */
static bool becomes_empty(const char *folder)
{
	for (int i = 0; i < 600; i++) {
		if (is_empty(folder))
			return true;
		usleep(100000);
	}
	return false;
}

static int writes(void)
{
	if (!enters(false))
		return 1;
	if (strcmp(lib_read("file"), "old") != 0) /* it is the working folder */
		return 2;
	FILE *file = fopen(lib_path("here/file"), "w");
	if (!file || fputs("new", file) < 0 || fclose(file) || mkdir("made", 0755) < 0)
		return 3;
	copies_folder_leave(&own);
	return own.real == -1 && own.upper == -1 && !own.temporary ? 0 : 4;
}

static void what_a_copy_writes_is_dropped_when_it_leaves(void **state)
{
	(void)state;
	needs_overlays();
	assert_int_equal(in_child(writes), 0);
	assert_string_equal(lib_read("here/file"), "old");
	assert_false(lib_exists("here/made"));
	assert_true(is_empty("t"));
	assert_true(is_empty("session"));
}

static int carries(void)
{
	if (!enters(true))
		return 1;
	FILE *file = fopen("file", "w");
	if (!file || fputs("new", file) < 0 || fclose(file))
		return 2;
	if (copies_carry(own.upper, own.real, &why) < 0)
		return 3;
	copies_folder_leave(&own);
	return 0;
}

static void it_can_be_carried_over_before(void **state)
{
	(void)state;
	needs_overlays();
	assert_int_equal(in_child(carries), 0);
	assert_string_equal(lib_read("here/file"), "new");
	assert_true(is_empty("t"));
}

static int two_write(void)
{
	int mine = enters(false) ? 0 : 1;
	FILE *file = fopen("file", "r+");
	char text[8] = "";
	if (mine || !file || !fgets(text, sizeof text, file) || strcmp(text, "old") != 0)
		return 1;
	fputs("changed", file);
	fclose(file);
	fflush(NULL);
	pid_t child = fork(); /* one who lives there sees it */
	if (child == 0)
		_exit(strcmp(lib_read("file"), "oldchanged") != 0);
	int status;
	waitpid(child, &status, 0);
	copies_folder_leave(&own);
	return status ? 2 : 0;
}

static void copies_do_not_see_each_other(void **state)
{
	(void)state;
	needs_overlays();
	assert_int_equal(in_child(two_write), 0);
	assert_int_equal(in_child(two_write), 0);
	assert_string_equal(lib_read("here/file"), "old");
}

static bool keep_it;
static int is_killed(void)
{
	if (!enters(keep_it))
		return 1;
	FILE *file = fopen("file", "w");
	if (!file || fputs("new", file) < 0 || fclose(file))
		return 2;
	raise(SIGKILL);
	return 3;
}

static void a_copy_that_is_killed_is_tidied_up_after(void **state)
{
	(void)state;
	needs_overlays();
	keep_it = false;
	assert_int_equal(in_child(is_killed), 128 + SIGKILL);
	assert_true(becomes_empty("t"));
	assert_string_equal(lib_read("here/file"), "old");
	keep_it = true;
	assert_int_equal(in_child(is_killed), 128 + SIGKILL);
	assert_true(becomes_empty("t"));
	assert_string_equal(lib_read("here/file"), "new");
}

static int abandons(void)
{
	if (!enters(true))
		return 1;
	FILE *file = fopen("file", "w");
	if (!file || fputs("new", file) < 0 || fclose(file))
		return 2;
	copies_folder_abandon(&own);
	return 0;
}

static void what_is_abandoned_stays_where_it_is(void **state)
{
	(void)state;
	needs_overlays();
	assert_int_equal(in_child(abandons), 0);
	assert_string_equal(lib_read("here/file"), "old");
	assert_false(is_empty("t"));
}

static int writes_to_session(void)
{
	if (copies_folder_enter(&own, lib_path("here"), lib_path("here/session"), false, &why) < 0)
		return 1;
	FILE *file = fopen("session/raw", "w");
	if (!file || fputs("raw", file) < 0 || fclose(file))
		return 2;
	copies_folder_leave(&own);
	return 0;
}

static void a_session_in_the_folder_is_the_real_one(void **state)
{
	(void)state;
	needs_overlays();
	assert_int_equal(mkdir("here/session", 0700), 0);
	assert_int_equal(in_child(writes_to_session), 0);
	assert_string_equal(lib_read("here/session/raw"), "raw");
}

/* In a mount namespace of its own; 77: that cannot be had. */
static bool apart(void)
{
	return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int with_a_mount_below(void)
{
	if (!apart() || mkdir("here/inner", 0755) < 0 || mount("none", "here/inner", "tmpfs", 0, NULL) < 0)
		return 77;
	if (enters(false))
		return 1;
	if (!strstr(why.text, "mounted inside") || !strstr(why.text, "--shared-folder"))
		return 2;
	return copies_folder_check(lib_path("here"), lib_path("session"), &why) == -1 && strstr(why.text, "--shared-folder") ? 0 : 3;
}

static void other_file_systems_in_the_folder_are_refused(void **state)
{
	int status;
	(void)state;
	if ((status = in_child(with_a_mount_below)) == 77)
		lib_skip("nothing can be mounted here");
	assert_int_equal(status, 0);
	assert_true(is_empty("t"));
}

static int read_only(void)
{
	if (!apart() || mount("here", "here", NULL, MS_BIND, NULL) < 0 ||
	    mount(NULL, "here", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0)
		return 77;
	if (!enters(false))
		return 1;
	if (own.real != -1 || own.temporary)
		return 2;
	copies_folder_leave(&own);
	return 0;
}

static void a_folder_that_nobody_can_write_to_needs_none(void **state)
{
	int status;
	(void)state;
	if ((status = in_child(read_only)) == 77)
		lib_skip("nothing can be mounted here");
	assert_int_equal(status, 0);
	assert_true(is_empty("t"));
}

static void a_folder_that_is_not_there_is_told(void **state)
{
	(void)state;
	assert_int_equal(copies_folder_check(lib_path("nowhere"), lib_path("session"), &why), -1);
	assert_non_null(strstr(why.text, "--shared-folder"));
	assert_int_equal(copies_folder_check(lib_path("here"), lib_path("nowhere"), &why), -1);
	assert_true(is_empty("t"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_a_copy_writes_is_dropped_when_it_leaves),
		IN_FOLDER(it_can_be_carried_over_before),
		IN_FOLDER(copies_do_not_see_each_other),
		IN_FOLDER(a_copy_that_is_killed_is_tidied_up_after),
		IN_FOLDER(what_is_abandoned_stays_where_it_is),
		IN_FOLDER(a_session_in_the_folder_is_the_real_one),
		IN_FOLDER(other_file_systems_in_the_folder_are_refused),
		IN_FOLDER(a_folder_that_nobody_can_write_to_needs_none),
		IN_FOLDER(a_folder_that_is_not_there_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
