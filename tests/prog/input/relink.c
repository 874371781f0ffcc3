/* input_relink FOLDER PROGRAM [KEY=VALUE…] [-- key=value…]: re-links PROGRAM for the input lens with that plan, writes a session with those settings into FOLDER, and prints the name of what
 * is to be run. For suites. */
#include <stdio.h>
#include <string.h>
#include "analyse/session.h"
#include "relink/relink.h"
#include "relink/subject.h"

int main(int count, char **words)
{
	struct fail why;
	struct relink_result linked;
	struct session_plan plan = {.lens = "input", .mode = "blocks", .command = words[2]};
	int divide = 3;
	while (divide < count && strcmp(words[divide], "--") != 0)
		divide++;
	for (int i = divide + 1; i < count; i++) {
		char *value = strchr(words[i], '=');
		*value++ = 0;
		session_plan_set(&plan, session_plan_key(words[i]), value);
	}
	words[divide] = NULL;
	struct subject subject;
	if (subject_open(&subject, words[2], &why) < 0)
		return fail_print("input_relink", &why);
	struct relink_request ask = {.subject = &subject, .lens = "input", .plan = (const char *const *)words + 3};
	if (relink_program(&ask, &linked, &why) < 0)
		return fail_print("input_relink", &why);
	struct session_object objects[100];
	plan.native = linked.objects[0].native;
	plan.objects = objects;
	for (size_t i = 0; i < linked.count && i < 100; i++) {
		const struct relink_object *o = &linked.objects[i];
		objects[plan.object_count++] = (struct session_object){o->native, o->relinked, o->table, o->build_id};
	}
	if (session_plan_write(&plan, words[1], &why) < 0)
		return fail_print("input_relink", &why);
	puts(linked.objects[0].relinked);
	return 0;
}
