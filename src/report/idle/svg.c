/* SPDX-License-Identifier: MIT */
/* svg.c: call paths as flame graphs. */
#include "report/export/flame.h"
#include "report/idle/view.h"

static int draw(const void *data, bool is_inverted, FILE *file, struct fail *why)
{
	struct stacks stacks;
	int result = view_idle_stack(data, false, &stacks, why);
	if (result == 0)
		result = flame_draw(&stacks, is_inverted, file, why);
	stacks_free(&stacks);
	return result;
}

int view_idle_draw_top_down(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	(void)ask;
	return draw(data, false, file, why);
}

int view_idle_draw_bottom_up(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	(void)ask;
	return draw(data, true, file, why);
}
