/* SPDX-License-Identifier: MIT */
/* A program and the libraries of its build: found as the loader finds them, with nothing that is not of the build. */
#include "unit/lib.h"

#include "relink/family.h"

/* As skein-cc would have left it: a note, in which the link ran here. */
static void add_note(const char *name)
{
	struct note note = {.folder = lib_folder()};
	struct fail why = {0};
	if (note_write(name, &note, &why) < 0)
		fail_msg("%s", why.text);
}

/* NAME.so that defines NAME, with a note. */
static void library(const char *path, const char *name, const char *flags)
{
	lib_write("library.c", "");
	lib_run("mkdir -p $(dirname %s) && echo 'int %s(void) { return 1; }' >library.c && cc -shared -fPIC library.c %s -o %s", path, name,
	        flags, path);
	add_note(path);
}

static void program(const char *text, const char *flags)
{
	lib_write("main.c", text);
	lib_run("cc main.c %s -o prog", flags);
	add_note("prog");
}

static struct family find(void)
{
	struct family family;
	struct fail why = {0};
	struct blob file;
	assert_int_equal(blob_read("prog", &file, &why), 0);
	if (family_find(&family, lib_path("prog"), file, &why) < 0)
		fail_msg("%s", why.text);
	blob_free(&file);
	return family;
}

static const struct family_member *member(const struct family *family, const char *name)
{
	for (size_t i = 0; i < family->count; i++)
		if (strcmp(family->members[i].path, lib_path(name)) == 0)
			return &family->members[i];
	return NULL;
}

#define USES_ONE "int one(void);\nint main(void) { return one(); }\n"
#define OPENS "#include <dlfcn.h>\nint main(void) { return !dlopen(\"./any.so\", RTLD_NOW); }\n"

static void needed_libraries_belong_to_it(void **state)
{
	(void)state;
	library("lib/libtwo.so", "two", "");
	lib_run("echo 'int two(void); int one(void) { return two(); }' >one.c && cc -shared -fPIC one.c -Llib -ltwo -Wl,-rpath,'$ORIGIN' -Wl,-soname,libone.so "
	        "-o lib/libone.so");
	add_note("lib/libone.so");
	program(USES_ONE, "-Llib -lone -Wl,-rpath,'$ORIGIN/lib' -Wl,-rpath-link,lib");
	struct family family = find();
	const struct family_member *one = member(&family, "lib/libone.so"), *two = member(&family, "lib/libtwo.so");
	assert_int_equal(family.count, 3);
	assert_string_equal(family.members[0].path, lib_path("prog"));
	assert_true(family.members[0].program);
	assert_non_null(one);
	assert_non_null(two);
	assert_false(one->program || one->optional);
	assert_true(strv_has(&one->names, "libone.so"));
	assert_int_equal(family.members[0].needs_count, 1);
	assert_ptr_equal(&family.members[family.members[0].needs[0]], one);
	assert_int_equal(one->needs_count, 1);
	assert_ptr_equal(&family.members[one->needs[0]], two);
	assert_string_equal(family.members[0].run_paths.at[0], lib_path("lib"));
	family_free(&family);
	assert_int_equal(family.count, 0);
}

static void others_do_not(void **state)
{
	(void)state;
	lib_run("mkdir lib && echo 'int one(void) { return 1; }' >one.c && cc -shared -fPIC one.c -o lib/libone.so");
	program(USES_ONE, "-Llib -lone -Wl,-rpath,'$ORIGIN/lib'");
	struct family family = find();
	assert_int_equal(family.count, 1);
	family_free(&family);
}

static void a_library_that_is_missing_is_left_out(void **state)
{
	(void)state;
	library("lib/libone.so", "one", "");
	program(USES_ONE, "-Llib -lone -Wl,-rpath,'$ORIGIN/lib'");
	assert_int_equal(unlink("lib/libone.so"), 0);
	struct family family = find();
	assert_int_equal(family.count, 1);
	assert_int_equal(family.members[0].needs_count, 0);
	family_free(&family);

	assert_int_equal(symlink("nowhere", "lib/libone.so"), 0);
	family = find();
	assert_int_equal(family.count, 1);
	family_free(&family);
}

static void links_lead_to_one_member(void **state)
{
	(void)state;
	library("lib/libone.so.1.2", "one", "-Wl,-soname,libone.so.1");
	assert_int_equal(symlink("libone.so.1.2", "lib/libone.so.1"), 0);
	assert_int_equal(symlink("libone.so.1", "lib/libone.so"), 0);
	lib_write("main.c", "int one(void);\n" OPENS);
	lib_run("cc main.c -Wl,--no-as-needed -Llib -lone -Wl,-rpath,'$ORIGIN/lib' -o prog");
	add_note("prog");
	struct family family = find();
	const struct family_member *one = member(&family, "lib/libone.so.1.2");
	assert_int_equal(family.count, 2);
	assert_non_null(one);
	assert_false(one->optional);
	assert_true(strv_has(&one->names, "libone.so.1"));
	assert_true(strv_has(&one->names, "libone.so")); /* dlopen may ask for it by any name */
	family_free(&family);
}

static void the_environment_can_name_folders(void **state)
{
	(void)state;
	library("lib/libone.so", "one", "");
	program(USES_ONE, "-Llib -lone");
	struct family family = find();
	assert_int_equal(family.count, 1);
	family_free(&family);
	setenv("LD_LIBRARY_PATH", lib_path("lib"), 1);
	family = find();
	unsetenv("LD_LIBRARY_PATH");
	assert_int_equal(family.count, 2);
	family_free(&family);
}

static void what_dlopen_can_reach_is_optional(void **state)
{
	(void)state;
	library("plugin.so", "one", "-Wl,-soname,libplugin.so.1");
	library("a/b/deep.so", "two", "");
	library("a/b/c/too_deep.so", "three", "");
	library("a/noted.txt", "four", "");
	program("int main(void) { return 0; }\n", "");
	struct family family = find();
	assert_int_equal(family.count, 1); /* it cannot call dlopen */
	family_free(&family);

	program(OPENS, "");
	family = find();
	assert_int_equal(family.count, 3);
	assert_non_null(member(&family, "plugin.so"));
	assert_true(member(&family, "plugin.so")->optional);
	assert_true(strv_has(&member(&family, "plugin.so")->names, "plugin.so"));
	assert_true(strv_has(&member(&family, "plugin.so")->names, "libplugin.so.1"));
	assert_non_null(member(&family, "a/b/deep.so"));
	assert_int_equal(family.members[0].needs_count, 0);
	family_free(&family);
}

static void what_is_broken_is_left_out(void **state)
{
	(void)state;
	library("plugin.so", "one", "");
	lib_run("head -c 500 plugin.so >short.so && echo text >text.so && mkdir folder.so && : >empty.so && mkfifo pipe.so && ln -s . loop.so");
	program(OPENS, "");
	struct family family = find();
	assert_int_equal(family.count, 2);
	assert_non_null(member(&family, "plugin.so"));
	family_free(&family);
}

static void a_program_without_a_note_is_refused(void **state)
{
	struct family family;
	struct fail why = {0};
	struct blob file;
	(void)state;
	lib_run("echo 'int main(void) { return 0; }' >main.c && cc main.c -o prog");
	assert_int_equal(blob_read("prog", &file, &why), 0);
	assert_int_equal(family_find(&family, lib_path("prog"), file, &why), -1);
	assert_non_null(strstr(why.text, "skein-cc"));
	assert_int_equal(family.count, 0);
	assert_null(family.members);
	blob_free(&file);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, lib_enter, lib_leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(needed_libraries_belong_to_it),
		IN_FOLDER(others_do_not),
		IN_FOLDER(a_library_that_is_missing_is_left_out),
		IN_FOLDER(links_lead_to_one_member),
		IN_FOLDER(the_environment_can_name_folders),
		IN_FOLDER(what_dlopen_can_reach_is_optional),
		IN_FOLDER(what_is_broken_is_left_out),
		IN_FOLDER(a_program_without_a_note_is_refused),
	};
	unsetenv("LD_LIBRARY_PATH");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
