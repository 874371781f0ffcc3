/* SPDX-License-Identifier: MIT */
/* driver.h: what clang's driver says of a command before anything is compiled.
 *
 * A command with several sources, or that compiles and links, is divided. Each part is read by a driver of its own, which would repeat
 * what it says of a word, and cannot know that a word is of use to none. So the driver is shown the whole command first (-###):
 * what it warns of is said once, as clang has it, and what it refuses is handed to clang as it is.
 *
 *     if (driver_ask(&args, "clang-19", &accepts, &why) < 0) …     then args.quiet has words for each part
 */
#ifndef SKEIN_DRIVER_H
#define SKEIN_DRIVER_H

#include <stdbool.h>
#include "build/args.h"

bool driver_is_divided(const struct args *args);
int driver_ask(struct args *args, const char *driver, bool *accepts, struct fail *why);

#endif
