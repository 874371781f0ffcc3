/* SPDX-License-Identifier: MIT */
/* together.h: several copies of one object from one run of the linker; what skein and the plugin agree on.
 *
 * Copies differ only in where hooks go, which is the last thing that happens before code is generated. So one linker
 * resolves symbols and optimises, and then divides itself into as many processes as there are copies, each of which
 * goes on as if it were the only one.
 *
 *     PLAN_TOGETHER   a line a copy: its number, a tab, the folder that it fills (table, shape, log, and the output)
 *     TOGETHER_OUTPUT       a descriptor of such a folder. The linker is told to write into /proc/self/fd/TOGETHER_OUTPUT, which each
 *                           process
 *                           makes its own folder
 *
 * The linker must have one thread (--threads=1). When it ends with status 0 all copies are there. */
#ifndef SKEIN_PASS_TOGETHER_H
#define SKEIN_PASS_TOGETHER_H

#define TOGETHER_OUTPUT 199

unsigned together_part(unsigned copy); /* the copy that this process makes from now on; copy itself when there is one only */

#endif
