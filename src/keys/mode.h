/* SPDX-License-Identifier: MIT */
/* mode.h: what a recording measures, in one word: the mode of a plan, of a session and of a recorded run. */
#ifndef SKEIN_KEYS_MODE_H
#define SKEIN_KEYS_MODE_H

#define MODE_TIMES "times"               /* calls: counts and times */
#define MODE_COUNTS "counts"             /* calls: counts only */
#define MODE_INSN "insn"                 /* span: counted instructions */
#define MODE_GENERAL "general"           /* span: another clock, --what-if or --under */
#define MODE_WHOLE "whole"               /* span: the program as a whole, no sites */
#define MODE_SAMPLED "sampled"           /* idle */
#define MODE_BLOCKS "blocks"             /* input: cost in basic blocks */
#define MODE_INSTRUCTIONS "instructions" /* input: cost in instructions */
#define MODE_PATHS "paths"               /* paths */
#define MODE_EVENTS "events"             /* flow */
#define MODE_ROUTINES "routines"         /* flow: entries and returns of routines, too */

#endif
