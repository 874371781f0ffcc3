/* SPDX-License-Identifier: MIT */
/* nearest.h: finds the name that a mistyped word probably means.
 *
 *     const char *near = nearest("reprot", (const char *const[]){"record", "report", NULL});      "report" */
#ifndef SKEIN_NEAREST_H
#define SKEIN_NEAREST_H

const char *nearest(const char *typed, const char *const *names); /* NULL: no name is near; `names` ends with NULL */

#endif
