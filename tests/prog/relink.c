/* SPDX-License-Identifier: MIT */
/* relink PROGRAM LENS [KEY=VALUE…]: calls relink_program and prints what it gave, one line each:
 *
 *     object NATIVE RELINKED TABLE BUILD-ID
 *     foreign NAME: WHY
 *     progress TEXT                           (on standard error)
 */
#include <stdio.h>

#include "build/relink.h"

static void show(void *context, const char *what)
{
	fprintf(context, "progress %s\n", what);
}

int main(int argc, char **argv)
{
	struct fail why;
	struct relink_result got;

	if (argc < 3)
		return FAIL_USAGE;
	struct relink_request ask = {.program = argv[1], .lens = argv[2], .plan = (const char *const *)argv + 3, .progress = show, .context = stderr};
	if (relink_program(&ask, &got, &why) < 0)
		return fail_print("relink", &why);
	for (size_t i = 0; i < got.count; i++)
		printf("object %s %s %s %s\n", got.objects[i].native, got.objects[i].relinked, got.objects[i].table, got.objects[i].build_id);
	for (size_t i = 0; i < got.foreign_count; i++)
		printf("foreign %s\n", got.foreign[i]);
	relink_result_free(&got);
	return 0;
}
