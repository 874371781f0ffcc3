/* SPDX-License-Identifier: MIT */
/* unseen.c: calls of foreign functions of which nothing is known, so that the report can say whose reads and writes it lacks.
 *
 * A function is of interest if it has no model, is given or returns a pointer, and may access what others can see. Left
 * out are those that keep to memory of their own: they are listed by name, or by how their names begin. */
#include "pass/input/input.h"
#include "pass/openmp.h"

#include <stdlib.h>
#include <string.h>

struct input_unseen {
	struct {
		unsigned caller;
		const char *name;
	} *at; /* by caller */
	size_t count;
};

static const char *const harmless[] = {
	/* ends and jumps */
	"__assert_fail", "__assert_rtn", "__chk_fail", "__longjmp_chk", "__sigsetjmp", "__stack_chk_fail", "_longjmp", "_setjmp", "abort",
	"at_quick_exit", "atexit", "error", "errx", "exit", "getcontext", "longjmp", "makecontext", "on_exit", "setcontext", "setjmp",
	"siglongjmp", "swapcontext", "verr", "verrx",
	/* streams and folders: their own words */
	"_IO_getc", "_IO_putc", "__overflow", "__uflow", "clearerr", "clearerr_unlocked", "closedir", "dirfd", "fclose", "fcloseall",
	"fdopendir", "feof", "feof_unlocked", "ferror", "ferror_unlocked", "fflush", "fflush_unlocked", "fgetc", "fgetc_unlocked",
	"fgetpos", "fgetpos64", "fgetwc", "fileno", "fileno_unlocked", "flockfile", "fputc", "fputc_unlocked", "fputwc", "fseek", "fseeko",
	"fseeko64", "fsetpos", "fsetpos64", "ftell", "ftello", "ftello64", "ftrylockfile", "funlockfile", "fwide", "getc", "getc_unlocked",
	"getwc", "pclose", "putc", "putc_unlocked", "putwc", "rewind", "rewinddir", "seekdir", "setbuf", "setbuffer", "setlinebuf",
	"setvbuf", "telldir", "tmpfile", "tmpfile64", "ungetc", "ungetwc",
	/* texts and tables of the C library */
	"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__errno_location", "bindtextdomain", "bind_textdomain_codeset",
	"dcgettext", "dgettext", "dlerror", "duplocale", "endgrent", "endpwent", "freelocale", "gai_strerror", "gettext", "hstrerror",
	"localeconv", "newlocale", "ngettext", "nl_langinfo", "strerror", "strerrordesc_np", "strerrorname_np", "strsignal", "strerror_l",
	"textdomain", "uselocale",
	/* memory as such */
	"__libc_current_sigrtmax", "brk", "dlclose", "madvise", "mallinfo", "mallinfo2", "malloc_stats", "malloc_trim",
	"malloc_usable_size", "mallopt", "mlock", "mprotect", "msync", "munlock", "posix_madvise", "sbrk",
	/* handlers, threads, processes */
	"__sysv_signal", "bsd_signal", "fork", "getauxval", "initstate", "openlog", "setstate", "signal", "sigset", "sysv_signal",
	"timer_delete",
	/* C++ */
	"__dynamic_cast", "__gxx_personality_v0"};

static const char *const harmless_starts[] = {
	"__asan_", "__cilk", "__cxa_", "__cyg_profile_", "__gmon", "__sanitizer_", "__tsan_", "__tls_get_addr", "__ubsan_", "_Unwind_",
	"call_once", "cnd_", "mtx_", "pthread_", "sem_", "skein_", "thrd_", "tss_",
	/* streams of C++, but for what has a model; exceptions; locks */
	"_ZNKSi", "_ZNKSo", "_ZNKSt13basic_fstream", "_ZNKSt14basic_ifstream", "_ZNKSt14basic_ofstream", "_ZNKSt5ctype",
	"_ZNKSt7__cxx117collate", "_ZNKSt6locale", "_ZNKSt9basic_ios", "_ZNSd", "_ZNSi", "_ZNSo", "_ZNSt12__basic_file",
	"_ZNSt13basic_filebuf", "_ZNSt13basic_fstream", "_ZNSt14basic_ifstream", "_ZNSt14basic_ofstream", "_ZNSt15basic_streambuf",
	"_ZNSt15__exception_ptr", "_ZNSt18condition_variable", "_ZNSt6locale", "_ZNSt6thread", "_ZNSt7__cxx1115basic_stringbuf",
	"_ZNSt7__cxx1118basic_stringstream", "_ZNSt7__cxx1119basic_istringstream", "_ZNSt7__cxx1119basic_ostringstream", "_ZNSt8ios_base",
	"_ZNSt9basic_ios", "_ZNSt9exception", "_ZSt4endl", "_ZSt5flush", "_ZSt9use_facet", "_ZSt9terminate", "_ZSt16__throw_bad_cast",
	"_ZTH", "_ZTW"};

static bool starts_with_one(const char *name)
{
	for (size_t i = 0; i < sizeof harmless_starts / sizeof *harmless_starts; i++)
		if (strncmp(name, harmless_starts[i], strlen(harmless_starts[i])) == 0)
			return true;
	return false;
}

/* std::__throw_…, std::runtime_error and its kin. */
static bool is_of_exceptions(const char *name)
{
	return strncmp(name, "_Z", 2) == 0 && strstr(name, "St") &&
		(strstr(name, "__throw_") || strstr(name, "_error") || strstr(name, "invalid_argument") || strstr(name, "out_of_range"));
}

static bool is_harmless(const char *name)
{
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (strcmp(harmless[i], name) == 0)
			return true;
	return starts_with_one(name) || is_of_exceptions(name) || openmp_entry(name);
}

/* Whether the optimiser knows that it accesses nothing but memory that nobody else can see. */
static bool accesses_nothing(LLVMValueRef function)
{
	static const char name[] = "memory";
	enum { ARGUMENTS = 3, OTHER = 3 << 4 };
	LLVMAttributeRef memory =
		LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
	return memory && !(LLVMGetEnumAttributeValue(memory) & (ARGUMENTS | OTHER));
}

static bool is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool has_pointers(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (is_pointer(LLVMTypeOf(LLVMGetOperand(call, i))))
			return true;
	return is_pointer(LLVMTypeOf(call));
}

static const char *unseen_name(LLVMValueRef call)
{
	size_t bytes;
	struct input_model model;
	LLVMValueRef function = LLVMGetCalledValue(call);
	if (!input_is_foreign(function) || LLVMGetIntrinsicID(function))
		return NULL;
	const char *name = LLVMGetValueName2(function, &bytes);
	return !input_model(name, &model) && has_pointers(call) && !accesses_nothing(function) && !is_harmless(name) ? name : NULL;
}

static void note_unseen(struct input_unseen *u, unsigned caller, const char *name)
{
	for (size_t i = u->count; i-- && u->at[i].caller == caller;)
		if (strcmp(u->at[i].name, name) == 0)
			return;
	u->at = pass_grow(u->at, u->count, sizeof *u->at);
	u->at[u->count].caller = caller;
	u->at[u->count++].name = name;
}

static void note_assembly(struct input_unseen *u, const struct program *p, unsigned caller)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->routines[caller].function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && input_asks_kernel(i) && !input_knows_assembly(i))
				note_unseen(u, caller, "a system call in assembly");
}

struct input_unseen *input_find_unseen(const struct program *p)
{
	struct input_unseen *u = pass_zeroed(1, sizeof *u);
	for (size_t i = p->direct_sites; i < p->site_count; i++) {
		const char *name = unseen_name(p->sites[i].call);
		if (name)
			note_unseen(u, p->sites[i].caller, name);
	}
	for (unsigned i = 0; i < p->routine_count; i++)
		if (p->routines[i].profiled)
			note_assembly(u, p, i);
	return u;
}

void input_write_unseen(const struct program *p, FILE *table)
{
	const struct input_unseen *u = p->own;
	for (size_t i = 0; i < u->count; i++) {
		fprintf(table, "u\t%u", u->at[i].caller);
		pass_field(table, u->at[i].name, strlen(u->at[i].name));
		fputc('\n', table);
	}
}

void input_free_unseen(struct program *p)
{
	struct input_unseen *u = p->own;
	free(u->at);
	free(u);
}
