/* SPDX-License-Identifier: MIT */
#include "sample/busy.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "sample/crew.h"

enum { FEW_LANES = 64 }; /* lanes that are checked one by one although no thread seems to work */

void busy_read_mask(struct sampled *s)
{
	int error = errno;
	memset(s->mask, 0, sizeof s->mask);
	kernel_call(SYS_sched_getaffinity, 0, sizeof s->mask, s->mask);
	s->mask_age = 0;
	unsigned allowed = 0;
	for (size_t i = 0; i < sizeof s->mask / sizeof *s->mask; i++)
		allowed += (unsigned)__builtin_popcountll(s->mask[i]);
	if (allowed && allowed < sampler.cores)
		sampler.masks_differ = true;
	errno = error;
}

/* A thread that waits in a call which is not a wait by itself (a read from a file in memory) works as long as the
 * kernel does not take its core away. What the kernel did is looked up only where it matters: most threads of a server wait. */
static bool works(const struct lane *lane, bool *is_ready)
{
	*is_ready = false;
	if (!atomic_load_explicit(&lane->alive, memory_order_relaxed))
		return false;
	bool working = atomic_load_explicit(&lane->working, memory_order_relaxed);
	bool in_call = !working && atomic_load_explicit(&lane->wait_from, memory_order_relaxed) &&
		raw_wait_nature((enum raw_wait)atomic_load_explicit(&lane->wait_kind, memory_order_relaxed)) == RAW_NATURE_CALLS;
	if (!working && !in_call)
		return false;
	struct sampled *s = __atomic_load_n(&lane->lens, __ATOMIC_ACQUIRE);
	enum ticks_state state = s ? ticks_state(&s->ticks) : TICKS_UNKNOWN;
	*is_ready = state == TICKS_READY;
	return working ? state != TICKS_BLOCKED : state == TICKS_RUNNING || state == TICKS_READY;
}

static unsigned cores_of(uint64_t mask[16], const struct lane *lane)
{
	const struct sampled *s = lane->lens;
	unsigned cores = 0;
	for (int i = 0; i < 16; i++)
		cores += (unsigned)__builtin_popcountll(mask[i] |= s ? s->mask[i] : 0);
	return cores;
}

struct busy busy_now(const struct lane *mine)
{
	unsigned n = sampler.cores, lanes = lane_count(), allowed = n;
	uint64_t mask[16] = {0};
	struct busy busy = {.threads = 1};
	bool alone = lanes == 1 || (lanes > FEW_LANES && threads_working() <= 1);
	if (sampler.masks_differ)
		allowed = cores_of(mask, mine);
	for (unsigned i = 0; i < lanes && !alone && busy.threads <= n; i++) {
		const struct lane *lane = lane_at(i);
		bool is_ready;
		if (lane == mine || !works(lane, &is_ready))
			continue;
		busy.threads++;
		busy.ready += is_ready;
		if (sampler.masks_differ)
			allowed = cores_of(mask, lane);
	}
	unsigned others = crew_others(n + 1);
	busy.cores = allowed && busy.threads > allowed ? allowed : busy.threads;
	busy.cores = busy.cores + others < n ? busy.cores + others : n;
	busy.threads += others;
	return busy;
}

enum raw_idle_class busy_class(const struct busy *busy)
{
	unsigned n = sampler.cores, threads = busy->threads;
	return threads > n ? RAW_IDLE_OVER : threads == n ? RAW_IDLE_FULL : threads > 1 ? RAW_IDLE_UNDER : RAW_IDLE_SERIAL;
}
