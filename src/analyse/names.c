/* SPDX-License-Identifier: MIT */
#include "analyse/names.h"

#include <stdlib.h>
#include <string.h>

/* From libstdc++ (the Itanium C++ ABI, section 3.4); it has C linkage and no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

const char *names_demangle(struct pool *pool, const char *linkage)
{
	if (strncmp(linkage, "_Z", 2) != 0 || strlen(linkage) > NAMES_LONGEST)
		return linkage;
	int status = 0;
	char *name = __cxa_demangle(linkage, NULL, NULL, &status);
	if (!name)
		return linkage;
	if (strlen(name) > NAMES_LONGEST)
		name[NAMES_LONGEST] = 0;
	const char *mine = pool_text(pool, name);
	free(name);
	return mine;
}
