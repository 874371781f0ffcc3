/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -fno-builtin -pthread */
/* owner.c: a program that defines functions of the C library itself, as allocators, sanitizers, old portable code and
 * programs with a faster memcpy do. Each is instrumented as all its code is, and counts who calls it: what a recording
 * adds to the counts was called by what runs in the subject beside it. The program prints them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <wchar.h>

#define OWN __attribute__((noinline, used, visibility("default")))

/* What the program has of its own, and how often each was called. */
#define OWN_LIST(X)                                                                                                                 \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(memchr) X(strlen) X(strnlen) X(strcmp) X(strncmp) X(strchr) X(strrchr) X(strcpy)  \
	X(stpcpy) X(strncpy) X(strcat) X(strstr) X(strspn) X(strcspn) X(strtol) X(wcslen) X(wcsnlen) X(getenv) X(getpid) X(getppid)  \
	X(gettid) X(syscall) X(mmap) X(munmap) X(mprotect) X(mremap) X(madvise) X(prctl) X(fstat) X(stat) X(getrlimit)               \
	X(sched_yield) X(clock_gettime) X(sigfillset) X(sigemptyset) X(sigaddset) X(sigdelset) X(sigismember) X(snprintf)            \
	X(pthread_self) X(pthread_setspecific) X(pthread_key_create) X(pthread_attr_init) X(pthread_attr_destroy)                     \
	X(pthread_attr_setstacksize) X(pthread_attr_setdetachstate) X(pthread_testcancel) X(getauxval) X(dl_iterate_phdr)            \
	X(getcontext) X(makecontext) X(sigaction) X(pthread_sigmask)                                                                 \
	X(span_open) X(span_close) X(span_tidy) X(span_look_after) X(span_beat) X(span_close_up) X(input_hand_down)                 \
	X(input_concurrent_sync) X(input_concurrent_read_slow) X(input_concurrent_write_slow) X(self_no_span) X(raw_add)             \
	X(counters_take) X(threads_meet) X(kernel_call)

enum {
#define X(name) AT_##name,
	OWN_LIST(X) OWNS
#undef X
};

static unsigned counts[OWNS];
#define COUNT(name) __atomic_fetch_add(&counts[AT_##name], 1, __ATOMIC_RELAXED)

static long kernel(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}
#define KERNEL(number, a, b, c) kernel(SYS_##number, (long)(a), (long)(b), (long)(c), 0, 0, 0)

OWN void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	COUNT(memcpy);
	for (size_t i = 0; i < bytes; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

OWN void *memmove(void *to, const void *from, size_t bytes)
{
	COUNT(memmove);
	for (size_t i = 0; i < bytes; i++) {
		size_t at = (char *)to < (const char *)from ? i : bytes - 1 - i;
		((char *)to)[at] = ((const char *)from)[at];
	}
	return to;
}

OWN void *memset(void *to, int byte, size_t bytes)
{
	COUNT(memset);
	for (size_t i = 0; i < bytes; i++)
		((char *)to)[i] = (char)byte;
	return to;
}

OWN int memcmp(const void *x, const void *y, size_t bytes)
{
	COUNT(memcmp);
	for (size_t i = 0; i < bytes; i++)
		if (((const unsigned char *)x)[i] != ((const unsigned char *)y)[i])
			return ((const unsigned char *)x)[i] - ((const unsigned char *)y)[i];
	return 0;
}

OWN void *memchr(const void *in, int byte, size_t bytes)
{
	COUNT(memchr);
	for (size_t i = 0; i < bytes; i++)
		if (((const char *)in)[i] == (char)byte)
			return (char *)in + i;
	return NULL;
}

static size_t length_of(const char *text, size_t most)
{
	size_t n = 0;
	while (n < most && text[n])
		n++;
	return n;
}

OWN size_t strlen(const char *text)
{
	COUNT(strlen);
	return length_of(text, (size_t)-1);
}

OWN size_t strnlen(const char *text, size_t most)
{
	COUNT(strnlen);
	return length_of(text, most);
}

OWN int strncmp(const char *x, const char *y, size_t most)
{
	COUNT(strncmp);
	for (size_t i = 0; i < most; i++)
		if (x[i] != y[i] || !x[i])
			return (unsigned char)x[i] - (unsigned char)y[i];
	return 0;
}

OWN int strcmp(const char *x, const char *y)
{
	COUNT(strcmp);
	while (*x && *x == *y)
		x++, y++;
	return (unsigned char)*x - (unsigned char)*y;
}

OWN char *strchr(const char *text, int c)
{
	COUNT(strchr);
	for (;; text++) {
		if (*text == (char)c)
			return (char *)text;
		if (!*text)
			return NULL;
	}
}

OWN char *strrchr(const char *text, int c)
{
	const char *last = NULL;
	COUNT(strrchr);
	do
		last = *text == (char)c ? text : last;
	while (*text++);
	return (char *)last;
}

static char *copy(char *to, const char *from)
{
	while ((*to = *from++))
		to++;
	return to;
}

OWN char *strcpy(char *restrict to, const char *restrict from)
{
	COUNT(strcpy);
	copy(to, from);
	return to;
}

OWN char *stpcpy(char *restrict to, const char *restrict from)
{
	COUNT(stpcpy);
	return copy(to, from);
}

OWN char *strcat(char *restrict to, const char *restrict from)
{
	COUNT(strcat);
	copy(to + length_of(to, (size_t)-1), from);
	return to;
}

OWN char *strncpy(char *restrict to, const char *restrict from, size_t bytes)
{
	COUNT(strncpy);
	for (size_t i = 0, end = 0; i < bytes; i++) {
		to[i] = end ? 0 : from[i];
		end |= !to[i];
	}
	return to;
}

OWN char *strstr(const char *text, const char *part)
{
	COUNT(strstr);
	for (;; text++) {
		size_t i = 0;
		while (part[i] && text[i] == part[i])
			i++;
		if (!part[i])
			return (char *)text;
		if (!*text)
			return NULL;
	}
}

static size_t span_of(const char *text, const char *set, int wanted)
{
	size_t n = 0;
	for (; text[n]; n++) {
		int found = 0;
		for (const char *s = set; *s; s++)
			found |= *s == text[n];
		if (found != wanted)
			break;
	}
	return n;
}

OWN size_t strspn(const char *text, const char *set)
{
	COUNT(strspn);
	return span_of(text, set, 1);
}

OWN size_t strcspn(const char *text, const char *set)
{
	COUNT(strcspn);
	return span_of(text, set, 0);
}

OWN long strtol(const char *restrict text, char **restrict end, int base)
{
	long n = 0;
	COUNT(strtol);
	for (; *text >= '0' && *text < '0' + base; text++)
		n = base * n + (*text - '0');
	if (end)
		*end = (char *)text;
	return n;
}

OWN size_t wcsnlen(const wchar_t *text, size_t most)
{
	size_t n = 0;
	COUNT(wcsnlen);
	while (n < most && text[n])
		n++;
	return n;
}

OWN size_t wcslen(const wchar_t *text)
{
	size_t n = 0;
	COUNT(wcslen);
	while (text[n])
		n++;
	return n;
}

extern char **environ;
OWN char *getenv(const char *name)
{
	size_t n = length_of(name, (size_t)-1);
	COUNT(getenv);
	for (char **e = environ; e && *e; e++) {
		size_t i = 0;
		while (i < n && (*e)[i] == name[i])
			i++;
		if (i == n && (*e)[n] == '=')
			return *e + n + 1;
	}
	return NULL;
}

OWN long syscall(long number, ...)
{
	long a[6];
	va_list list;
	COUNT(syscall);
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	return kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* X(name, type, parameters, number, arguments) */
#define KERNEL_LIST(X)                                                                                                    \
	X(getpid, pid_t, (void), getpid, 0, 0, 0)                                                                         \
	X(getppid, pid_t, (void), getppid, 0, 0, 0)                                                                       \
	X(gettid, pid_t, (void), gettid, 0, 0, 0)                                                                         \
	X(munmap, int, (void *at, size_t bytes), munmap, at, bytes, 0)                                                    \
	X(mprotect, int, (void *at, size_t bytes, int how), mprotect, at, bytes, how)                                     \
	X(madvise, int, (void *at, size_t bytes, int advice), madvise, at, bytes, advice)                                 \
	X(fstat, int, (int d, struct stat *s), fstat, d, s, 0)                                                            \
	X(stat, int, (const char *restrict path, struct stat *restrict s), stat, path, s, 0)                              \
	X(sched_yield, int, (void), sched_yield, 0, 0, 0)                                                                 \
	X(clock_gettime, int, (clockid_t clock, struct timespec *t), clock_gettime, clock, t, 0)
#define X(name, type, parameters, number, a, b, c)    \
	OWN type name parameters                      \
	{                                             \
		COUNT(name);                          \
		return (type)KERNEL(number, a, b, c); \
	}
KERNEL_LIST(X)
#undef X

OWN int getrlimit(__rlimit_resource_t which, struct rlimit *r)
{
	COUNT(getrlimit);
	return (int)KERNEL(getrlimit, which, r, 0);
}

OWN void *mmap(void *at, size_t bytes, int how, int flags, int d, off_t offset)
{
	COUNT(mmap);
	return (void *)kernel(SYS_mmap, (long)at, (long)bytes, how, flags, d, offset);
}

OWN void *mremap(void *at, size_t old, size_t new, int flags, ...)
{
	COUNT(mremap);
	return (void *)kernel(SYS_mremap, (long)at, (long)old, (long)new, flags & MREMAP_MAYMOVE, 0, 0);
}

OWN int prctl(int option, ...)
{
	long a[4];
	va_list list;
	COUNT(prctl);
	va_start(list, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	return (int)kernel(SYS_prctl, option, a[0], a[1], a[2], a[3], 0);
}

static int set_all(sigset_t *set, unsigned char byte)
{
	for (size_t i = 0; i < sizeof *set; i++)
		((unsigned char *)set)[i] = byte;
	return 0;
}

OWN int sigfillset(sigset_t *set)
{
	COUNT(sigfillset);
	return set_all(set, 255);
}

OWN int sigemptyset(sigset_t *set)
{
	COUNT(sigemptyset);
	return set_all(set, 0);
}

OWN int sigaddset(sigset_t *set, int n)
{
	COUNT(sigaddset);
	((unsigned char *)set)[(n - 1) / 8] |= (unsigned char)(1 << (n - 1) % 8);
	return 0;
}

OWN int sigdelset(sigset_t *set, int n)
{
	COUNT(sigdelset);
	((unsigned char *)set)[(n - 1) / 8] &= (unsigned char)~(1 << (n - 1) % 8);
	return 0;
}

OWN int sigismember(const sigset_t *set, int n)
{
	COUNT(sigismember);
	return ((const unsigned char *)set)[(n - 1) / 8] >> (n - 1) % 8 & 1;
}

OWN int snprintf(char *restrict to, size_t bytes, const char *restrict format, ...)
{
	va_list list;
	COUNT(snprintf);
	va_start(list, format);
	int n = vsnprintf(to, bytes, format, list);
	va_end(list);
	return n;
}

/* Functions that only the C library can do: handed on. */
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))
#define HANDED_LIST(X)                                                                                                       \
	X(pthread_self, pthread_t, (void), ())                                                                               \
	X(pthread_setspecific, int, (pthread_key_t key, const void *value), (key, value))                                    \
	X(pthread_key_create, int, (pthread_key_t * key, void (*end)(void *)), (key, end))                                   \
	X(pthread_attr_init, int, (pthread_attr_t * attr), (attr))                                                           \
	X(pthread_attr_destroy, int, (pthread_attr_t * attr), (attr))                                                        \
	X(pthread_attr_setstacksize, int, (pthread_attr_t * attr, size_t bytes), (attr, bytes))                              \
	X(pthread_attr_setdetachstate, int, (pthread_attr_t * attr, int how), (attr, how))                                   \
	X(getauxval, unsigned long, (unsigned long type), (type))                                                            \
	X(getcontext, int, (ucontext_t * context), (context))                                                                \
	X(sigaction, int, (int n, const struct sigaction *restrict new, struct sigaction *restrict old), (n, new, old))      \
	X(pthread_sigmask, int, (int how, const sigset_t *restrict set, sigset_t *restrict old), (how, set, old))
unsigned long getauxval(unsigned long type);
#define X(name, type, parameters, arguments) \
	OWN type name parameters             \
	{                                    \
		COUNT(name);                 \
		return NEXT(name) arguments; \
	}
HANDED_LIST(X)
#undef X

OWN void pthread_testcancel(void)
{
	COUNT(pthread_testcancel);
}

struct dl_phdr_info;
OWN int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	COUNT(dl_iterate_phdr);
	return NEXT(dl_iterate_phdr)(callback, data);
}

OWN void makecontext(ucontext_t *context, void (*function)(void), int count, ...)
{
	COUNT(makecontext);
	NEXT(makecontext)(context, function, count);
}

/* Names that are nobody's, and that Skein's own code happens to use. */
#define X(name)                  \
	OWN int name(int x);     \
	OWN int name(int x)      \
	{                        \
		COUNT(name);     \
		return x ^ 1;    \
	}
X(span_open) X(span_close) X(span_tidy) X(span_look_after) X(span_beat) X(span_close_up) X(input_hand_down) X(input_concurrent_sync)
X(input_concurrent_read_slow) X(input_concurrent_write_slow) X(self_no_span) X(raw_add) X(counters_take) X(threads_meet) X(kernel_call)
#undef X

/* ---- the program ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long done;

static void *thread(void *number)
{
	char text[64];
	for (int i = 0; i < 100; i++) {
		strcpy(text, "one");
		strcat(text, ",two");
		memset(stpcpy(text + strlen(text), ",three"), 0, 4);
		pthread_mutex_lock(&mutex);
		done += strlen(strchr(text, 't')) + (unsigned long)memcmp(text, "one", 3) + strspn(text, "eno");
		pthread_mutex_unlock(&mutex);
	}
	return number;
}

int main(void)
{
	static const char *const names[] = {
#define X(name) #name,
		OWN_LIST(X)
#undef X
	};
	pthread_t all[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	done += (unsigned long)(span_close(1) + input_hand_down(0) + self_no_span(2));
	printf("done %lu %ld %d\n", done, syscall(SYS_getuid) - syscall(SYS_geteuid), getpid() == getpid());
	for (int i = 0; i < OWNS; i++)
		printf("%s %u\n", names[i], counts[i]);
	return 42;
}
