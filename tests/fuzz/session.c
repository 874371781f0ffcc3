/* SPDX-License-Identifier: MIT */
/* The file `session`: what is read and written is the same when it is read again. */
#include "fuzz/fuzz.h"

#include <sys/stat.h>
#include <unistd.h>
#include "analyse/session.h"

static bool is_same(const char *a, const char *b)
{
	fuzz_read(a);
	return strcmp(a, b) == 0;
}

static bool have_same_objects(const struct session_plan *a, const struct session_plan *b)
{
	bool same = a->object_count == b->object_count;
	for (size_t i = 0; same && i < a->object_count; i++) {
		const struct session_object *x = &a->objects[i], *y = &b->objects[i];
		same = is_same(x->native, y->native) && is_same(x->relinked, y->relinked) && is_same(x->table, y->table) &&
			is_same(x->build_id, y->build_id);
	}
	return same;
}

static bool have_same_lists(const struct session_plan *a, const struct session_plan *b)
{
	bool same = a->foreign_count == b->foreign_count && a->setting_count == b->setting_count;
	for (size_t i = 0; same && i < a->foreign_count; i++)
		same = is_same(a->foreign[i], b->foreign[i]);
	for (size_t i = 0; same && i < a->setting_count; i++)
		same = a->settings[i].key == b->settings[i].key && is_same(a->settings[i].value, b->settings[i].value);
	return same;
}

static void write_again(const struct session_plan *plan)
{
	struct session_plan again;
	struct fail why;
	mkdir("again", 0700);
	unlink("again/session");
	fuzz_hold(session_plan_write(plan, "again", &why) == 0 && session_plan_read(&again, "again", &why) == 0);
	fuzz_hold(is_same(plan->lens, again.lens) && is_same(plan->mode, again.mode) && is_same(plan->native, again.native) &&
	          is_same(plan->command, again.command));
	fuzz_hold(plan->period_us == again.period_us && plan->clock_tsc == again.clock_tsc && plan->clock_ns == again.clock_ns);
	fuzz_hold(have_same_objects(plan, &again) && have_same_lists(plan, &again));
	session_plan_free(&again);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct session_plan plan;
	struct fail why;
	fuzz_file("session", bytes, size);
	if (session_plan_read(&plan, ".", &why) < 0)
		return 0;
	for (enum session_key key = 0; key < SESSION_KEY_COUNT; key++)
		fuzz_read(session_plan_setting(&plan, key));
	write_again(&plan);
	session_plan_free(&plan);
	return 0;
}
