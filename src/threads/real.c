/* SPDX-License-Identifier: MIT */
/* real.c: finds the functions behind the interposers. See real.h. */
#include "threads/real.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include "threads/helpers.h"
#include "threads/libc.h"

static void fill(void);

#define X(kind, type, name, parameters, arguments) \
	static type early_##name parameters        \
	{                                          \
		fill();                            \
		return real.name arguments;        \
	}
WAIT_LIST(X)
#undef X
#define X(type, name, parameters, arguments, buffered, stream) \
	static type early_##name parameters                    \
	{                                                      \
		fill();                                        \
		return real.name arguments;                    \
	}
STDIO_LIST(X)
#undef X
#define X(type, name, parameters, arguments) \
	static type early_##name parameters  \
	{                                    \
		fill();                      \
		return real.name arguments;  \
	}
REAL_LIST(X)
#undef X
#define X(type, name, parameters, arguments)       \
	static type early_helper_##name parameters \
	{                                          \
		fill();                            \
		return helpers.name arguments;     \
	}
HELPERS_LIST(X)
HELPERS_MORE_LIST(X)
#undef X

struct helpers helpers = {
#define X(type, name, parameters, arguments) .name = early_helper_##name,
	HELPERS_LIST(X) HELPERS_MORE_LIST(X)
#undef X
};

static const char *const helper_names[] = {
#define X(type, name, parameters, arguments) #name,
	HELPERS_LIST(X) HELPERS_MORE_LIST(X)
#undef X
};

#define N_HELPERS (sizeof helper_names / sizeof *helper_names)
_Static_assert(sizeof helpers == N_HELPERS * sizeof(void *), "the table is an array of pointers");

struct real real = {
#define X(kind, type, name, parameters, arguments) .name = early_##name,
	WAIT_LIST(X)
#undef X
#define X(type, name, parameters, arguments, buffered, stream) .name = early_##name,
		STDIO_LIST(X)
#undef X
#define X(type, name, parameters, arguments) .name = early_##name,
			REAL_LIST(X)
#undef X
};

static const char *const names[] = {
#define X(kind, type, name, parameters, arguments) #name,
	WAIT_LIST(X)
#undef X
#define X(type, name, parameters, arguments, buffered, stream) #name,
		STDIO_LIST(X)
#undef X
#define X(type, name, parameters, arguments) #name,
			REAL_LIST(X)
#undef X
};

#define N_NAMES (sizeof names / sizeof *names)
_Static_assert(sizeof real == N_NAMES * sizeof(void *), "the table is an array of pointers");

static const char *version_of(const char *name)
{
#define X(function, version)          \
	if (!strcmp(name, #function)) \
		return version;
	VERSIONS_LIST(X)
#undef X
	return NULL;
}

/* Stands for a function that this libc does not have: no program can be linked to it, but the table must be
 * complete. */
static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

static void *find(const char *name)
{
	const char *version = version_of(name);
	void *found = version ? dlvsym(RTLD_NEXT, name, version) : NULL;

	if (!found)
		found = dlsym(RTLD_NEXT, name);
	return found ? found : (void *)missing;
}

static void *find_own(const char *name)
{
	void *found = libc_find(name);
	return found ? found : find(name);
}

/* Fills the tables. Two threads may fill it at once: they store the same pointers. */
static void fill(void)
{
	int error = errno;

	for (size_t i = 0; i < N_NAMES; i++)
		__atomic_store_n((void **)&real + i, find(names[i]), __ATOMIC_RELAXED);
	for (size_t i = 0; i < N_HELPERS; i++)
		__atomic_store_n((void **)&helpers + i, find_own(helper_names[i]), __ATOMIC_RELAXED);
	errno = error;
}

__attribute__((constructor(101))) static void fill_early(void)
{
	fill();
}
