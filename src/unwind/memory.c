/* SPDX-License-Identifier: MIT */
/* memory.c: reads memory through the kernel.
 *
 * Problem: reading a wild address faults, and a handler of SIGSEGV is the subject's.
 * Idea: system calls report a bad address instead. process_vm_readv copies from our own process; where it is forbidden
 * (seccomp), the set of signals that rt_sigprocmask is given is looked at before its first argument is refused, so that
 * the call tells whether it is readable and changes nothing. Then only the moment between question and read is left. If that is forbidden,
 * too, nothing is read. */
#include "unwind/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "raw/kernel.h"

static atomic_bool is_forbidden; /* process_vm_readv, in this process */

bool memory_is_there(uintptr_t address)
{
	const long no_such_request = -1;
	return address >= ARCH_PAGE_BYTES /* address 0 would mean no set */ &&
		kernel_call(SYS_rt_sigprocmask, no_such_request, address, 0, KERNEL_SIGSET_BYTES) == -EINVAL;
}

static bool copy_if_there(uintptr_t from, void *to, size_t bytes)
{
	for (uintptr_t page = from & ~(uintptr_t)7; page < from + bytes; page = (page | (ARCH_PAGE_BYTES - 1)) + 1)
		if (!memory_is_there(page))
			return false;
	memcpy(to, (const void *)from, bytes);
	return true;
}

bool memory_copy(uintptr_t from, void *to, size_t bytes)
{
	if (from + bytes < from)
		return false;
	if (!atomic_load_explicit(&is_forbidden, memory_order_relaxed)) {
		struct iovec here = {to, bytes}, there = {(void *)from, bytes};
		long got = kernel_call(SYS_process_vm_readv, kernel_pid(), &here, 1, &there, 1, 0);
		if (got >= 0 || got == -EFAULT)
			return got == (long)bytes;
		atomic_store_explicit(&is_forbidden, true, memory_order_relaxed);
	}
	return copy_if_there(from, to, bytes);
}
