/* SPDX-License-Identifier: MIT */
/* relink [-k COPIES] PROGRAM LENS [KEY=VALUE…]: calls relink_program, or relink_copies, and prints what it gave, one line each:
 *
 *     object NATIVE RELINKED TABLE BUILD-ID
 *     foreign NAME: WHY
 *     progress TEXT                           (on standard error)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relink/relink.h"
#include "relink/subject.h"

static void show(void *context, const char *what)
{
	fprintf(context, "progress %s\n", what);
}

static void print(struct relink_result *got)
{
	for (size_t i = 0; i < got->count; i++)
		printf("object %s %s %s %s\n", got->objects[i].native, got->objects[i].relinked, got->objects[i].table, got->objects[i].build_id);
	for (size_t i = 0; i < got->foreign_count; i++)
		printf("foreign %s\n", got->foreign[i]);
	relink_result_free(got);
}

int main(int argc, char **argv)
{
	struct fail why;
	struct relink_result got[RELINK_COPIES_MOST];
	size_t copies = 1;

	if (argc > 2 && strcmp(argv[1], "-k") == 0) {
		copies = (size_t)atoi(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (argc < 3 || copies < 1 || copies > RELINK_COPIES_MOST)
		return FAIL_USAGE;
	struct subject subject;
	if (subject_open(&subject, argv[1], &why) < 0)
		return fail_print("relink", &why);
	struct relink_request ask = {.subject = &subject, .lens = argv[2], .plan = (const char *const *)argv + 3, .progress = show, .context = stderr};
	if ((copies == 1 ? relink_program(&ask, &got[0], &why) : relink_copies(&ask, copies, got, &why)) < 0) {
		subject_close(&subject);
		return fail_print("relink", &why);
	}
	for (size_t i = 0; i < copies; i++)
		print(&got[i]);
	subject_close(&subject);
	return 0;
}
