/* SPDX-License-Identifier: MIT */
/* overhead.c: which code is parallel overhead.
 *
 * Problem: the same memcpy or futex call is work or overhead depending on its caller, and most routines of a runtime
 * have no names in the files that distributions ship.
 * Idea: names decide where there are any, else the file; a frame without a name of its own takes the kind of the
 * runtime's routine that called it, whose entry points are always named. A runtime that no routine of the user's called
 * is a worker's own loop, which looks for something to do: scheduling.
 * Differs from the paper, where everything in the Pthreads library is overhead: that library is part of libc now, so
 * its routines are recognised by name. */
#include "analyse/idle/overhead.h"
#include "base/strv.h"

#include <string.h>

struct rule {
	const char *pattern; /* `*` stands for any letters */
	enum idles_overhead kind;
};

/* True if the whole text, up to `end`, matches the pattern. A star matches as little as possible. */
static bool is_like(const char *pattern, const char *text, const char *end)
{
	const char *star = NULL, *resume = NULL;
	while (text < end) {
		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static enum idles_overhead first_rule(const struct rule *rules, size_t count, const char *text, const char *end)
{
	for (size_t i = 0; i < count; i++)
		if (is_like(rules[i].pattern, text, end))
			return rules[i].kind;
	return IDLES_OVERHEAD_NONE;
}

/* ---- files ---- */

enum overhead_module overhead_module(const char *path)
{
	static const char *const runtime[] = {"libomp.*",  "libomp5*", "libomp-*",    "libompd*",     "libgomp*",
	                                      "libiomp5*", "libtbb*",  "libcilkrts*", "libopencilk*", "libpthread*"};
	static const char *const neutral[] = {"libc.*",  "libc-2*",  "ld-linux*",   "ld-2*",     "ld-musl*",    "libm.*",
	                                      "libm-2*", "libmvec*", "libstdc++*",  "libgcc_s*", "libc++*",     "libunwind*",
	                                      "libdl.*", "librt.*",  "libatomic.*", "[vdso]*",   "linux-vdso*", "libskein-*"};
	const char *base = str_base(path), *end = base + strlen(base);
	for (size_t i = 0; i < sizeof runtime / sizeof *runtime; i++)
		if (is_like(runtime[i], base, end))
			return OVERHEAD_RUNTIME;
	for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++)
		if (is_like(neutral[i], base, end))
			return OVERHEAD_NEUTRAL;
	return OVERHEAD_USER;
}

/* ---- routines ---- */

#define SYNC IDLES_OVERHEAD_SYNC
#define SCHEDULE IDLES_OVERHEAD_SCHEDULE
#define TASK IDLES_OVERHEAD_TASK
#define MEMORY IDLES_OVERHEAD_MEMORY
#define OTHER IDLES_OVERHEAD_OTHER

/* Names without underscores before them; the first that fits counts. */
static const struct rule rules[] = {
	/* the C library's threads */
	{"pthread_create*", TASK},
	{"pthread_exit*", TASK},
	{"pthread_detach*", TASK},
	{"pthread_attr_*", TASK},
	{"pthread_yield*", SCHEDULE},
	{"pthread_mutex*", SYNC},
	{"pthread_cond*", SYNC},
	{"pthread_rwlock*", SYNC},
	{"pthread_barrier*", SYNC},
	{"pthread_spin*", SYNC},
	{"pthread_join*", SYNC},
	{"pthread_tryjoin*", SYNC},
	{"pthread_timedjoin*", SYNC},
	{"pthread_clockjoin*", SYNC},
	{"pthread_once*", SYNC},
	{"pthread_*", OTHER},
	{"sem_*", SYNC},
	{"mtx_*", SYNC},
	{"cnd_*", SYNC},
	{"call_once", SYNC},
	{"thrd_join", SYNC},
	{"thrd_yield", SCHEDULE},
	{"thrd_*", TASK},
	{"sched_yield", SCHEDULE},
	{"lll_*", SYNC},
	{"futex_*", SYNC},
	{"do_futex_wait*", SYNC},
	{"new_sem_*", SYNC},
	{"old_sem_*", SYNC},
	{"start_thread", TASK},
	{"clone", TASK},
	{"clone3", TASK},
	{"clone_internal*", TASK},
	{"nptl_*", TASK},
	{"allocate_stack*", TASK},
	{"create_thread*", TASK},
	{"ZNSt6thread4join*", SYNC},
	{"ZNSt6thread*", TASK},
	{"ZNSt18condition_variable*", SYNC},
	{"ZNSt13__future_base*", SYNC},
	/* LLVM's and Intel's OpenMP */
	{"kmp*task_alloc*", TASK},
	{"kmp*allocate*", MEMORY},
	{"kmp*alloc", MEMORY},
	{"kmp*free*", MEMORY},
	{"kmp*alloc_", MEMORY},
	{"kmp*_allocator", MEMORY},
	{"kmp_bget*", MEMORY},
	{"omp_*alloc", MEMORY},
	{"omp_free", MEMORY},
	{"kmp*wait*", SYNC},
	{"kmp*barrier*", SYNC},
	{"kmp*lock*", SYNC},
	{"kmp*critical*", SYNC},
	{"kmp*reduc*", SYNC},
	{"kmp*taskred*", SYNC},
	{"kmp*ordered*", SYNC},
	{"kmp*doacross*", SYNC},
	{"kmp*atomic*", SYNC},
	{"kmp*flush*", SYNC},
	{"kmp*copyprivate*", SYNC},
	{"kmp*single*", SYNC},
	{"kmp*master*", SYNC},
	{"kmp*masked*", SYNC},
	{"kmp*taskgroup*", SYNC},
	{"kmp*suspend*", SYNC},
	{"kmp*resume*", SYNC},
	{"kmp_release_*", SYNC},
	{"kmp*cancel*", SYNC},
	{"kmp*_yield*", SCHEDULE},
	{"kmp*taskyield", SCHEDULE},
	{"kmp*dispatch*", SCHEDULE},
	{"kmp*static*", SCHEDULE},
	{"kmp*section*", SCHEDULE},
	{"kmp*collapsed*", SCHEDULE},
	{"kmp*steal*", SCHEDULE},
	{"kmp_execute_tasks*", SCHEDULE},
	{"kmp_invoke_task*", SCHEDULE},
	{"kmp_remove_my_task*", SCHEDULE},
	{"kmp*fork*", TASK},
	{"kmp*task*", TASK},
	{"kmp*parallel*", TASK},
	{"kmp_join*", TASK},
	{"kmp*num_threads*", TASK},
	{"kmp*num_teams*", TASK},
	{"kmp_*microtask", TASK},
	{"kmp*worker*", TASK},
	{"kmp*proc_bind*", TASK},
	{"omp_*lock*", SYNC},
	{"kmp_*", OTHER},
	{"kmpc_*", OTHER},
	{"omp_*", OTHER},
	/* GNU's */
	{"GOMP_alloc", MEMORY},
	{"GOMP_free", MEMORY},
	{"GOMP_PLUGIN_*alloc*", MEMORY},
	{"gomp_malloc*", MEMORY},
	{"gomp_realloc*", MEMORY},
	{"gomp_*alloca*", MEMORY},
	{"GOMP_barrier*", SYNC},
	{"GOMP_critical*", SYNC},
	{"GOMP_atomic*", SYNC},
	{"GOMP_ordered*", SYNC},
	{"GOMP_doacross*", SYNC},
	{"GOMP_taskwait*", SYNC},
	{"GOMP_taskgroup*", SYNC},
	{"GOMP_cancel*", SYNC},
	{"GOMP_single*", SYNC},
	{"GOMP_workshare_task_reduction*", SYNC},
	{"gomp_*barrier*", SYNC},
	{"gomp_mutex*", SYNC},
	{"gomp_sem*", SYNC},
	{"gomp_ptrlock*", SYNC},
	{"gomp_*wait*", SYNC},
	{"GOMP_taskyield", SCHEDULE},
	{"GOMP_loop*", SCHEDULE},
	{"GOMP_sections*", SCHEDULE},
	{"GOMP_scope*", SCHEDULE},
	{"gomp_iter*", SCHEDULE},
	{"gomp_loop*", SCHEDULE},
	{"gomp_work_share*", SCHEDULE},
	{"GOMP_parallel*", TASK},
	{"GOMP_task*", TASK},
	{"GOMP_teams*", TASK},
	{"gomp_team*", TASK},
	{"gomp_new_team*", TASK},
	{"gomp_thread*", TASK},
	{"gomp_*task*", TASK},
	{"GOMP_*", OTHER},
	{"gomp_*", OTHER},
	/* Cilk */
	{"cilkrts_*alloc*", MEMORY},
	{"cilkrts_*free*", MEMORY},
	{"cilkrts_*sync*", SYNC},
	{"cilkrts_*mutex*", SYNC},
	{"cilkrts_*steal*", SCHEDULE},
	{"cilkrts_*sched*", SCHEDULE},
	{"cilkrts_*worker*", SCHEDULE},
	{"cilkrts_*frame*", TASK},
	{"cilkrts_*spawn*", TASK},
	{"cilkrts_*detach*", TASK},
	{"cilkrts_*", OTHER},
	/* TBB */
	{"scalable_*", MEMORY},
	{"ZN3tbb*alloc*", MEMORY},
	{"ZN3rml*", MEMORY},
	{"ZN3tbb*steal*", SCHEDULE},
	{"ZN3tbb*dispatch*", SCHEDULE},
	{"ZN3tbb*arena*", SCHEDULE},
	{"ZN3tbb*market*", SCHEDULE},
	{"ZN3tbb*mutex*", SYNC},
	{"ZN3tbb*lock*", SYNC},
	{"ZN3tbb*wait*", SYNC},
	{"ZN3tbb*spawn*", TASK},
	{"ZN3tbb*submit*", TASK},
	{"ZN3tbb*", OTHER}};

#undef SYNC
#undef SCHEDULE
#undef TASK
#undef MEMORY
#undef OTHER

/* The significant part of a name: without leading underscores and glibc's prefix of internal copies, without a
 * trailing @plt, version or clone suffix. */
static const char *stem(const char *name, const char **end)
{
	name += strspn(name, "_");
	if (strncmp(name, "GI_", 3) == 0)
		name += strspn(name + 3, "_") + 3;
	*end = name + strcspn(name, "@.");
	return name;
}

enum idles_overhead overhead_routine(const char *linkage)
{
	const char *end, *name = stem(linkage, &end);
	return first_rule(rules, sizeof rules / sizeof *rules, name, end);
}

static bool is_memory(const char *linkage)
{
	static const struct rule memory[] = {
		{"*malloc*", 1},   {"calloc", 1},    {"libc_calloc", 1}, {"realloc*", 1},      {"libc_realloc", 1},   {"free", 1},
		{"libc_free", 1},  {"cfree", 1},     {"int_free*", 1},   {"int_realloc", 1},   {"posix_memalign", 1}, {"*aligned_alloc", 1},
		{"*memalign", 1},  {"valloc", 1},    {"systrim*", 1},    {"unlink_chunk*", 1}, {"tcache_*", 1},       {"heap_trim", 1},
		{"grow_heap*", 1}, {"new_heap*", 1}, {"arena_get*", 1},  {"mmap*", 1},         {"munmap", 1},         {"mremap", 1},
		{"mprotect", 1},   {"madvise", 1},   {"brk", 1},         {"sbrk", 1},          {"Znw*", 1},           {"Zna*", 1},
		{"Zdl*", 1},       {"Zda*", 1}};
	const char *end, *name = stem(linkage, &end);
	return first_rule(memory, sizeof memory / sizeof *memory, name, end);
}

/* ---- marks and paths ---- */

enum idles_overhead overhead_kind_of_mark(const char *kind)
{
	static const struct rule marks[] = {{"sync*", IDLES_OVERHEAD_SYNC},
	                                    {"sched*", IDLES_OVERHEAD_SCHEDULE},
	                                    {"task*", IDLES_OVERHEAD_TASK},
	                                    {"spawn*", IDLES_OVERHEAD_TASK},
	                                    {"memory*", IDLES_OVERHEAD_MEMORY}};
	enum idles_overhead found = first_rule(marks, sizeof marks / sizeof *marks, kind, kind + strlen(kind));
	return found ? found : IDLES_OVERHEAD_OTHER;
}

static bool is_stub(const char *routine)
{
	size_t length = strlen(routine);
	return length >= 4 && strcmp(routine + length - 4, "@plt") == 0;
}

static bool is_thread_start(const struct overhead_frame *frame)
{
	const char *end, *name = stem(frame->routine, &end);
	return frame->module == OVERHEAD_NEUTRAL && (is_like("start_thread", name, end) || is_like("clone*", name, end));
}

/* The kind of runtime code, decided from its innermost frame outwards. */
static enum idles_overhead runtime_kind(const struct overhead_frame *frames, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct overhead_frame *f = &frames[i];
		if (f->mark)
			return overhead_kind_of_mark(f->mark);
		if (is_thread_start(f))
			return IDLES_OVERHEAD_SCHEDULE;
		if (f->module != OVERHEAD_RUNTIME)
			break;
		enum idles_overhead kind = overhead_routine(f->routine);
		if (kind != IDLES_OVERHEAD_NONE && kind != IDLES_OVERHEAD_OTHER)
			return kind;
	}
	return IDLES_OVERHEAD_OTHER;
}

enum idles_overhead overhead_path(const struct overhead_frame *frames, size_t count)
{
	bool memory = false;
	for (size_t i = 0; i < count; i++) {
		const struct overhead_frame *f = &frames[i];
		if (f->mark)
			return overhead_kind_of_mark(f->mark);
		if (f->module == OVERHEAD_RUNTIME)
			return memory ? IDLES_OVERHEAD_MEMORY : runtime_kind(f, count - i);
		if (f->module == OVERHEAD_USER && !is_stub(f->routine))
			return IDLES_OVERHEAD_NONE;
		enum idles_overhead kind = overhead_routine(f->routine);
		if (kind != IDLES_OVERHEAD_NONE)
			return kind;
		memory = memory || is_memory(f->routine);
	}
	return IDLES_OVERHEAD_NONE;
}
