/* SPDX-License-Identifier: MIT */
/* valgrind.h: running a program as it is, under a Valgrind tool of ours.
 *
 *     struct strv command = {0}, environment = {0};
 *     if (subject_can_simulate(&subject, &why) < 0 || valgrind_command("skein", options, argv, &command, &environment, &why) < 0) …
 *     struct launch launch = {.path = command.at[0], .argv = command.at, .environment = (const char *const *)environment.at};
 *     launch_run(&launch, &end, &why)
 *
 * The program's streams, exit status and signals are its own: Valgrind says nothing, and ends as the program does. */
#ifndef SKEIN_CLI_VALGRIND_H
#define SKEIN_CLI_VALGRIND_H

#include "arch/arch.h"
#include "base/fail.h"
#include "base/strv.h"

#define VALGRIND_TOOL_FILE "valgrind/%s-" ARCH_VALGRIND /* of a tool, by its name, in the folder of skein's libraries */

int valgrind_command(const char *tool, const struct strv *options, char **argv, struct strv *command, struct strv *environment,
                     struct fail *why);

#endif
