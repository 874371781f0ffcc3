/* SPDX-License-Identifier: MIT */
/* blame_place: which code is the program's, and which frame of a path is to blame. */
#include "unit/lib.h"

#include "analyse/blame_place.h"

static uint32_t add(struct run *run, const char *object, const char *linkage, const char *file, uint32_t line)
{
	uint32_t o = object ? run_object(run, object, object) : RUN_NO_OBJECT;
	return run_routine(run, &(struct run_routine){.object = o, .linkage = linkage, .file = file, .line = line});
}

static void code_is_the_programs_or_the_systems(void **state)
{
	static const struct {
		const char *object, *linkage, *file;
		bool is_programs;
	} all[] = {{"/home/u/prog", "main", "prog.c", true},
	           {"/home/u/prog", "quick", "", true}, /* built without -g */
	           {"/home/u/prog", "_ZN1a1bEv", "", true},
	           {"/home/u/prog", "_helper", "prog.c", true},
	           {"/home/u/libfast.so", "fast", "fast.c", true},
	           {"/home/u/lib/skein/prog", "libc_like", "libc.c", true},
	           {NULL, "toy_main", "script.toy", true},       /* an agent's */
	           {"/usr/lib/tool/bin/tool", "work", "", true}, /* the recorded program lies in a folder of the system */
	           {"/usr/lib/tool/bin/tool", "_start", "", false},
	           {"/usr/lib/x86_64-linux-gnu/libc.so.6", "__memcmp_avx2_movbe", "", false},
	           {"/usr/lib/x86_64-linux-gnu/libc.so.6", "__libc_start_call_main", "../sysdeps/x.c", false},
	           {"/lib64/ld-linux-x86-64.so.2", "_dl_relocate_object", "", false},
	           {"/usr/lib/llvm-19/lib/libomp.so.5", "__kmp_fork_call", "", false},
	           {"/opt/conda/lib/libgomp.so.1.0.0", "gomp_barrier_wait", "", false},
	           {"[vdso]", "clock_gettime", "", false},
	           {"/home/u/prog", "_ZStlsISt11char_traitsIcEE", "/usr/include/c++/14/ostream", false},
	           {"/home/u/prog", "_ZStlsISt12char_traitsIcEE", "/usr/lib/gcc/x86_64-linux-gnu/14/../../../../include/c++/14/ostream",
	            false},
	           {"/home/u/static", "__libc_start_call_main", "", false},
	           {"/home/u/static", "_dl_relocate_object", "", false},
	           {"/home/u/prog", "(prog)+0x1234", "", false}};
	struct run run;
	(void)state;
	run_start(&run);
	run.program = "/usr/lib/tool/bin/tool";
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (blame_is_programs(&run, add(&run, all[i].object, all[i].linkage, all[i].file, 7)) != all[i].is_programs)
			fail_msg("%s in %s", all[i].linkage, all[i].object);
	assert_false(blame_is_programs(&run, RUN_OUTSIDE));
	run_free(&run);
}

static void the_innermost_frame_of_the_program_is_to_blame(void **state)
{
	static const char stream[] = "/usr/include/c++/14/ostream";
	struct run run;
	(void)state;
	run_start(&run);
	uint32_t copy = add(&run, "/lib/libc.so.6", "__memcpy_avx", "", 0), insert = add(&run, "prog", "_ZStls", stream, 500),
		 row = add(&run, "prog", "print_row", "table.cpp", 80), main = add(&run, "prog", "main", "table.cpp", 100);
	const struct blame_frame path[] = {{copy, "", 0}, {insert, stream, 527}, {row, "table.cpp", 81}, {main, "table.cpp", 110}};
	assert_int_equal(blame_frame(&run, path, 4), 2);
	assert_int_equal(blame_frame(&run, path, 2), 0);
	assert_int_equal(blame_frame(&run, path, 0), 0);
	const char *file;
	uint32_t line;
	assert_true(blame_line(&run, &path[2], &file, &line));
	assert_int_equal(line, 81);
	/* The line table gives a line of the header to code of the routine itself. */
	assert_false(blame_line(&run, &(struct blame_frame){row, stream, 527}, &file, &line));
	assert_string_equal(file, "table.cpp");
	assert_int_equal(line, 80);
	assert_false(blame_line(&run, &(struct blame_frame){main, "", 0}, &file, &line));
	assert_int_equal(line, 100);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(code_is_the_programs_or_the_systems),
	                                   cmocka_unit_test(the_innermost_frame_of_the_program_is_to_blame)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
