/* SPDX-License-Identifier: MIT */
/* flame.h: call paths as a picture: a row of boxes for each depth, each box as wide as its call path is dear, its callees below it.
 *
 *     flame_draw(&stacks, false, file, &why);    callers above callees
 *     flame_draw(&stacks, true, file, &why);     inverted: what ran on top, its callers below it
 *
 * The figure is the chosen one of the stacks. Boxes that would be narrower than a third of a pixel are left out, and counted. No script is
 * in it; a browser shows a box's name and figure when the mouse is on it. */
#ifndef SKEIN_EXPORT_FLAME_H
#define SKEIN_EXPORT_FLAME_H

#include <stdbool.h>
#include "report/export/stacks.h"

int flame_draw(struct stacks *stacks, bool is_inverted, FILE *file, struct fail *why);

#endif
