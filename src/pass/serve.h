/* SPDX-License-Identifier: MIT */
/* serve.h: one compiler for many jobs; what skein and the plugin agree on.
 *
 * A compiler takes longer to be loaded than to work on a small object. So skein starts it once with the plugin preloaded and
 * ENVIRONMENT_SERVE set: before main runs, the plugin waits for jobs on standard input, divides the process for each, and answers with
 * its exit status on standard output. Each part goes on as a compiler that was just started. Jobs come one after the other.
 *
 *     first      uint32_t, SERVE_READY: it takes jobs
 *     a job      struct serve_job, then `bytes` bytes: the file for standard error, arguments and variables, each ended by a zero
 *     an answer  uint32_t, the status as waitpid has it */
#ifndef SKEIN_PASS_SERVE_H
#define SKEIN_PASS_SERVE_H

#include <stdint.h>

#define SERVE_READY 0x6b65696eu
#define SERVE_MOST_BYTES (64u << 20)

struct serve_job {
	uint32_t bytes, arguments, variables;
};

#endif
