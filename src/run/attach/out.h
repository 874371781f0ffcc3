/* SPDX-License-Identifier: MIT */
/* out.h: what was seen of a process becomes a raw recording (raw/format.h), like the one that the sampler writes in a process.
 *
 *     struct out out = {.account = &account, .stacks = &stacks};
 *     if (out_write(&out, folder, &why) < 0) … */
#ifndef SKEIN_RUN_ATTACH_OUT_H
#define SKEIN_RUN_ATTACH_OUT_H

#include <sys/types.h>
#include "base/fail.h"
#include "run/attach/account.h"
#include "run/attach/stacks.h"

/* Two clocks at one instant. */
struct out_clocks {
	uint64_t ticks, ns;
};

struct out {
	const struct account *account;
	const struct stacks *stacks;
	pid_t pid, parent;
	uint32_t lens; /* enum raw_lens */
	struct out_clocks start, end;
	uint64_t start_real_ns;
	char (*names)[16]; /* of threads, by number */
};

struct out_clocks out_clocks_now(void);
int out_write(const struct out *out, const char *folder, struct fail *why);

#endif
