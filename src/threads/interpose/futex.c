/* SPDX-License-Identifier: MIT */
/* futex.c: waits that a program, or its C++ library, does by the system call itself: std::future, std::latch, std::atomic::wait, and
 * what Rust's locks are made of. Who wakes opens what who was woken enters. */
#include "threads/interpose/futex.h"
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include "threads/interpose/interpose.h"

#define CALLER __builtin_return_address(0)

typedef long all_arguments(long number, long a, long b, long c, long d, long e, long f);

static long call(long number, long word, long operation, long value, long time, long other, long bits)
{
	return ((all_arguments *)(uintptr_t)real.syscall)(number, word, operation, value, time, other, bits);
}

bool futex_is_seen(long operation)
{
	int what = (int)operation & FUTEX_CMD_MASK;
	return threads_client.note && (what == FUTEX_WAIT || what == FUTEX_WAKE || what == FUTEX_WAIT_BITSET || what == FUTEX_WAKE_BITSET);
}

long futex_call(long number, long word, long operation, long value, long time, long other, long bits)
{
	int what = (int)operation & FUTEX_CMD_MASK;
	const void *object = (const void *)(uintptr_t)word;
	if (what == FUTEX_WAKE || what == FUTEX_WAKE_BITSET) {
		note(FLOW_OPEN, object, CALLER);
		return call(number, word, operation, value, time, other, bits);
	}
	bool waits = wait_open(RAW_WAIT_CONDITION, object, CALLER);
	long result = call(number, word, operation, value, time, other, bits);
	if (result == 0)
		note(FLOW_ENTER, object, CALLER);
	wait_close(waits);
	return result;
}
