/* SPDX-License-Identifier: MIT */
#include "analyse/symbols/suspects.h"

#include <stdio.h>
#include <string.h>

static struct suspects *watched;

void suspects_share(struct suspects *shared)
{
	watched = shared;
}

void suspects_at(const char *path)
{
	if (watched)
		snprintf(watched->at, sizeof watched->at, "%s", path);
}

bool suspects_have(const char *path)
{
	for (size_t i = 0; watched && i < watched->count; i++)
		if (strcmp(watched->files[i], path) == 0)
			return true;
	return false;
}

bool suspects_add(struct suspects *suspects)
{
	if (!*suspects->at || suspects->count == sizeof suspects->files / sizeof *suspects->files)
		return false;
	memcpy(suspects->files[suspects->count++], suspects->at, sizeof suspects->at);
	suspects->at[0] = '\0';
	return true;
}
