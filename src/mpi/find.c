/* SPDX-License-Identifier: MIT */
/* find.c: the functions of the MPI library.
 *
 * Problem: a library that was opened below a plugin (dlopen with RTLD_LOCAL) is not behind this one for the loader: RTLD_NEXT finds
 * nothing, though the program calls it.
 * Idea: every library that is loaded and is called libmpi… is asked by name, for the second name that each function has. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "mpi/mpi.h"

enum { MOST_NAME = 64 };

struct ask {
	const char *name;
	void *(*open)(const char *, int);
	void *found;
};

static bool is_mpi(const char *path)
{
	const char *base = path;
	for (const char *at = path; *at; at++)
		base = *at == '/' ? at + 1 : base;
	return strncmp(base, "libmpi", 6) == 0;
}

static int look(struct dl_phdr_info *info, size_t bytes, void *context)
{
	struct ask *ask = context;
	(void)bytes;
	void *library = info->dlpi_name && is_mpi(info->dlpi_name) ? ask->open(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (library)
		ask->found = dlsym(library, ask->name);
	return ask->found != NULL;
}

void *mpi_symbol(const char *name)
{
	void *(*open)(const char *, int);
	int (*each)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	*(void **)&open = dlsym(RTLD_NEXT, "dlopen");
	*(void **)&each = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	struct ask ask = {name, open, dlsym(RTLD_DEFAULT, name)};
	if (!ask.found && open && each)
		each(look, &ask);
	return ask.found;
}

mpi_real *mpi_find(const char *name)
{
	char second[MOST_NAME] = {name[0] == 'M' ? 'P' : 'p'};
	mpi_real *real;
	*(void **)&real = dlsym(RTLD_NEXT, name);
	if (real || strlen(name) + 2 > sizeof second)
		return real;
	memcpy(second + 1, name, strlen(name) + 1);
	*(void **)&real = mpi_symbol(second);
	return real;
}

bool mpi_is_open_mpi(void)
{
	return mpi_symbol("ompi_mpi_comm_world") != NULL;
}
