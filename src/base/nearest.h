/* SPDX-License-Identifier: MIT */
/* nearest.h: what somebody meant who mistyped a name.
 *
 *     const char *near = nearest("reprot", (const char *const[]){"record", "report", NULL});      "report" */
#ifndef SKEIN_NEAREST_H
#define SKEIN_NEAREST_H

const char *nearest(const char *typed, const char *const *names); /* NULL: none is near. names is ended by NULL */

#endif
