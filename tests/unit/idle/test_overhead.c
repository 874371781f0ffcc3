/* SPDX-License-Identifier: MIT */
/* overhead: which files, routines and paths are parallel overhead, and SKEIN_OVERHEAD, which this file carries itself. */
#include "unit/lib.h"

#include "analyse/idle/overhead.h"
#include "analyse/symbols/symbols.h"
#include "skein/skein.h"

static void files_are_told_by_their_names(void **state)
{
	static const struct {
		const char *path;
		enum overhead_module module;
	} files[] = {{"/usr/lib/llvm-19/lib/libomp.so.5", OVERHEAD_RUNTIME},
	             {"/lib/x86_64-linux-gnu/libgomp.so.1", OVERHEAD_RUNTIME},
	             {"libiomp5.so", OVERHEAD_RUNTIME},
	             {"/usr/lib/libtbb.so.12", OVERHEAD_RUNTIME},
	             {"/usr/lib/libtbbmalloc.so.2", OVERHEAD_RUNTIME},
	             {"libcilkrts.so.5", OVERHEAD_RUNTIME},
	             {"/lib/libpthread-2.31.so", OVERHEAD_RUNTIME},
	             {"/lib/x86_64-linux-gnu/libc.so.6", OVERHEAD_NEUTRAL},
	             {"/lib/libc-2.31.so", OVERHEAD_NEUTRAL},
	             {"/lib64/ld-linux-x86-64.so.2", OVERHEAD_NEUTRAL},
	             {"/lib/libm.so.6", OVERHEAD_NEUTRAL},
	             {"libstdc++.so.6", OVERHEAD_NEUTRAL},
	             {"libgcc_s.so.1", OVERHEAD_NEUTRAL},
	             {"[vdso]", OVERHEAD_NEUTRAL},
	             {"linux-vdso.so.1", OVERHEAD_NEUTRAL},
	             {"/usr/local/lib/skein/libskein-sample.so", OVERHEAD_NEUTRAL},
	             {"/usr/bin/prog", OVERHEAD_USER},
	             {"/home/libomp/prog", OVERHEAD_USER},
	             {"libcrypto.so.3", OVERHEAD_USER},
	             {"libmath.so", OVERHEAD_USER},
	             {"", OVERHEAD_USER}};
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (overhead_module(files[i].path) != files[i].module)
			fail_msg("%s", files[i].path);
}

static void routines_are_told_by_their_names(void **state)
{
	static const struct {
		const char *name;
		enum idles_overhead kind;
	} routines[] = {{"pthread_mutex_lock", IDLES_OVERHEAD_SYNC},
	                {"___pthread_mutex_lock", IDLES_OVERHEAD_SYNC},
	                {"__GI___pthread_mutex_unlock_usercnt", IDLES_OVERHEAD_SYNC},
	                {"__lll_lock_wait_private", IDLES_OVERHEAD_SYNC},
	                {"__futex_abstimed_wait_common", IDLES_OVERHEAD_SYNC},
	                {"pthread_cond_wait@@GLIBC_2.3.2", IDLES_OVERHEAD_SYNC},
	                {"sem_post", IDLES_OVERHEAD_SYNC},
	                {"pthread_create", IDLES_OVERHEAD_TASK},
	                {"clone3", IDLES_OVERHEAD_TASK},
	                {"start_thread", IDLES_OVERHEAD_TASK},
	                {"pthread_setspecific", IDLES_OVERHEAD_OTHER},
	                {"sched_yield", IDLES_OVERHEAD_SCHEDULE},
	                {"do_futex_wait.constprop.0", IDLES_OVERHEAD_SYNC},
	                {"__kmpc_barrier", IDLES_OVERHEAD_SYNC},
	                {"__kmpc_omp_task", IDLES_OVERHEAD_TASK},
	                {"__kmpc_omp_task_alloc", IDLES_OVERHEAD_TASK},
	                {"__kmpc_omp_taskwait", IDLES_OVERHEAD_SYNC},
	                {"__kmpc_fork_call", IDLES_OVERHEAD_TASK},
	                {"__kmpc_for_static_init_4", IDLES_OVERHEAD_SCHEDULE},
	                {"__kmpc_dispatch_next_8u", IDLES_OVERHEAD_SCHEDULE},
	                {"___kmp_allocate", IDLES_OVERHEAD_MEMORY},
	                {"__kmpc_alloc", IDLES_OVERHEAD_MEMORY},
	                {"kmp_malloc", IDLES_OVERHEAD_MEMORY},
	                {"__kmp_acquire_queuing_lock", IDLES_OVERHEAD_SYNC},
	                {"__kmp_execute_tasks_template", IDLES_OVERHEAD_SCHEDULE},
	                {"__kmpc_global_thread_num", IDLES_OVERHEAD_OTHER},
	                {"omp_get_thread_num", IDLES_OVERHEAD_OTHER},
	                {"omp_set_lock", IDLES_OVERHEAD_SYNC},
	                {"GOMP_parallel", IDLES_OVERHEAD_TASK},
	                {"GOMP_barrier", IDLES_OVERHEAD_SYNC},
	                {"GOMP_loop_dynamic_next", IDLES_OVERHEAD_SCHEDULE},
	                {"GOMP_task", IDLES_OVERHEAD_TASK},
	                {"GOMP_taskwait", IDLES_OVERHEAD_SYNC},
	                {"GOMP_taskyield", IDLES_OVERHEAD_SCHEDULE},
	                {"GOMP_alloc", IDLES_OVERHEAD_MEMORY},
	                {"gomp_team_barrier_wait_end", IDLES_OVERHEAD_SYNC},
	                {"__cilkrts_sync", IDLES_OVERHEAD_SYNC},
	                {"__cilkrts_enter_frame_1", IDLES_OVERHEAD_TASK},
	                {"malloc", IDLES_OVERHEAD_NONE},
	                {"memcpy", IDLES_OVERHEAD_NONE},
	                {"main", IDLES_OVERHEAD_NONE},
	                {"", IDLES_OVERHEAD_NONE},
	                {"___", IDLES_OVERHEAD_NONE},
	                {"my_pthread_thing", IDLES_OVERHEAD_NONE},
	                {"semantics", IDLES_OVERHEAD_NONE},
	                {"cloned", IDLES_OVERHEAD_NONE},
	                {"(libomp.so.5)+0x1234", IDLES_OVERHEAD_NONE}};
	(void)state;
	for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
		if (overhead_routine(routines[i].name) != routines[i].kind)
			fail_msg("%s is %d", routines[i].name, overhead_routine(routines[i].name));
}

static void marks_are_told_by_their_kinds(void **state)
{
	(void)state;
	assert_int_equal(overhead_kind_of_mark("sync"), IDLES_OVERHEAD_SYNC);
	assert_int_equal(overhead_kind_of_mark("synchronisation"), IDLES_OVERHEAD_SYNC);
	assert_int_equal(overhead_kind_of_mark("schedule"), IDLES_OVERHEAD_SCHEDULE);
	assert_int_equal(overhead_kind_of_mark("scheduling"), IDLES_OVERHEAD_SCHEDULE);
	assert_int_equal(overhead_kind_of_mark("task"), IDLES_OVERHEAD_TASK);
	assert_int_equal(overhead_kind_of_mark("task creation"), IDLES_OVERHEAD_TASK);
	assert_int_equal(overhead_kind_of_mark("memory"), IDLES_OVERHEAD_MEMORY);
	assert_int_equal(overhead_kind_of_mark("packing"), IDLES_OVERHEAD_OTHER);
	assert_int_equal(overhead_kind_of_mark(""), IDLES_OVERHEAD_OTHER);
}

#define PATH(...)                                                   \
	overhead_path((const struct overhead_frame[]){__VA_ARGS__}, \
	              sizeof((const struct overhead_frame[]){__VA_ARGS__}) / sizeof(struct overhead_frame))
#define U(name) {OVERHEAD_USER, name, NULL}
#define N(name) {OVERHEAD_NEUTRAL, name, NULL}
#define R(name) {OVERHEAD_RUNTIME, name, NULL}

static void paths_are_searched_from_the_innermost_frame_outwards(void **state)
{
	(void)state;
	assert_int_equal(overhead_path(NULL, 0), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(U("work"), R("__kmpc_fork_call"), U("main")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(N("memcpy"), U("work")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(N("_int_malloc"), N("malloc"), U("work")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(N("__libc_start_main")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(N("__lll_lock_wait"), N("pthread_mutex_lock"), U("work")), IDLES_OVERHEAD_SYNC);
	assert_int_equal(PATH(N("mmap"), N("pthread_create"), U("work")), IDLES_OVERHEAD_TASK);
	assert_int_equal(PATH(R("(libomp.so.5)+0x1234"), R("__kmpc_barrier"), U("work")), IDLES_OVERHEAD_SYNC);
	assert_int_equal(PATH(R("__kmp_other"), R("__kmpc_omp_task"), U("work")), IDLES_OVERHEAD_TASK);
	assert_int_equal(PATH(R("__kmpc_global_thread_num"), U("work")), IDLES_OVERHEAD_OTHER);
	assert_int_equal(PATH(R("(libomp.so.5)+0x1234"), U("callback"), R("__kmpc_barrier")), IDLES_OVERHEAD_OTHER);
	assert_int_equal(PATH(R("(libomp.so.5)+0x1234"), R("(libomp.so.5)+0x5678"), N("start_thread"), N("clone3")),
	                 IDLES_OVERHEAD_SCHEDULE);
	assert_int_equal(PATH(N("memset"), R("__kmpc_barrier"), U("work")), IDLES_OVERHEAD_SYNC);
	assert_int_equal(PATH(N("_int_malloc"), N("malloc"), R("__kmpc_omp_task_alloc"), U("work")), IDLES_OVERHEAD_MEMORY);
	assert_int_equal(PATH(N("munmap"), R("(libgomp.so.1)+0x10"), U("work")), IDLES_OVERHEAD_MEMORY);
	assert_int_equal(PATH(N("do_read"), N("read"), U("work")), IDLES_OVERHEAD_NONE); /* through an interposer */
	assert_int_equal(PATH(U("pthread_mutex_lock@plt"), U("work")), IDLES_OVERHEAD_SYNC);
	assert_int_equal(PATH(U("memcpy@plt"), U("work")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(U("pthread_mutex_lock"), U("main")), IDLES_OVERHEAD_NONE); /* the user's own, by that name */
	assert_int_equal(PATH({OVERHEAD_USER, "spawn", "task"}, U("main")), IDLES_OVERHEAD_TASK);
	assert_int_equal(PATH(N("memcpy"), {OVERHEAD_USER, "pack", "packing"}, U("main")), IDLES_OVERHEAD_OTHER);
	assert_int_equal(PATH(U("work"), {OVERHEAD_USER, "spawn", "task"}, U("main")), IDLES_OVERHEAD_NONE);
	assert_int_equal(PATH(R("(libomp.so.5)+0x10"), {OVERHEAD_USER, "steal", "scheduling"}, U("main")), IDLES_OVERHEAD_SCHEDULE);
}

/* ---- the mark that users write ---- */

SKEIN_OVERHEAD(sync) static void marked(volatile int *x)
{
	*x += 1;
}

SKEIN_OVERHEAD(of_my_own) static void marked_otherwise(volatile int *x)
{
	*x += 2;
}

extern char __executable_start[]; /* from the linker: where offset 0 of this program is */

static enum idles_overhead kind_of(struct symbols *s, void (*routine)(volatile int *))
{
	const struct symbols_place *p = symbols_at(s, (uintptr_t)routine - (uintptr_t)__executable_start, false);
	struct overhead_frame frame = {OVERHEAD_USER, p->scopes[0].linkage, p->overhead};
	return overhead_path(&frame, 1);
}

static void not_marked(volatile int *x)
{
	*x += 3;
}

static void a_function_that_the_user_marked_is_overhead(void **state)
{
	volatile int x = 0;
	struct symbols *s = symbols_open("/proc/self/exe", "");
	(void)state;
	marked(&x);
	marked_otherwise(&x);
	not_marked(&x);
	assert_int_equal(kind_of(s, marked), IDLES_OVERHEAD_SYNC);
	assert_int_equal(kind_of(s, marked_otherwise), IDLES_OVERHEAD_OTHER);
	assert_int_equal(kind_of(s, not_marked), IDLES_OVERHEAD_NONE);
	assert_string_equal(symbols_at(s, (uintptr_t)marked - (uintptr_t)__executable_start, false)->scopes[0].name, "marked");
	symbols_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_told_by_their_names),
		cmocka_unit_test(routines_are_told_by_their_names),
		cmocka_unit_test(marks_are_told_by_their_kinds),
		cmocka_unit_test(paths_are_searched_from_the_innermost_frame_outwards),
		cmocka_unit_test(a_function_that_the_user_marked_is_overhead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
