/* SPDX-License-Identifier: MIT */
/* owner.h: whether a file is a part of the system: its libraries and their headers.
 *
 *     owner_is_systems("/usr/include/c++/14/ostream", bytes)        true
 *     owner_is_systems("src/main.cpp", bytes)                       false
 *
 * A file is told by its path, or, wherever it was installed, by the name that the C and C++ libraries, the loader and
 * the runtimes for parallel work have. A source file of the program that was compiled under a relative path is the
 * program's. The vdso, "[vdso]", is the system's. */
#ifndef SKEIN_CORE_OWNER_H
#define SKEIN_CORE_OWNER_H

#include <stdbool.h>
#include <stddef.h>

static inline bool owner_begins(const char *text, size_t bytes, const char *with)
{
	size_t i = 0;
	while (with[i] && i < bytes && text[i] == with[i])
		i++;
	return !with[i];
}

static inline bool owner_is_systems(const char *path, size_t bytes)
{
	static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/include/", "["};
	static const char *const names[] = {"libc.so",      "libc-2",       "libm.so",      "libm-2",       "libmvec.so",
	                                    "libpthread",   "libdl.so",     "librt.so",     "ld-linux",     "ld-musl",
	                                    "linux-vdso",   "libstdc++.so", "libc++.so",    "libc++abi",    "libgcc_s.so",
	                                    "libunwind.so", "libomp.so",    "libiomp5.so",  "libgomp.so",   "libopencilk",
	                                    "libcilkrts",   "libtbb.so",    "libtbbmalloc", "libatomic.so", "libskein-"};
	size_t base = bytes;
	while (base && path[base - 1] != '/')
		base--;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (owner_begins(path, bytes, folders[i]))
			return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (owner_begins(path + base, bytes - base, names[i]))
			return true;
	return false;
}

#endif
