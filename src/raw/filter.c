/* SPDX-License-Identifier: MIT */
#include "raw/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include "arch/arch.h"
#include "raw/kernel.h"
#include "raw/writer.h"

enum { WORDS = BPF_MEMWORDS };

struct filter {
	const struct filter *older;
	atomic_bool is_added, is_dropped;
	bool is_strict; /* read, write, exit and rt_sigreturn remain */
	size_t count;   /* 0: there is no code */
	struct sock_filter code[];
};

_Atomic(const struct filter *) filter_newest;

/* ---- what the code says ---- */

static uint32_t load(const struct seccomp_data *data, uint32_t offset)
{
	uint32_t word = 0;
	if (offset <= sizeof *data - sizeof word)
		memcpy(&word, (const char *)data + offset, sizeof word);
	return word;
}

/* false: divided by zero, for which the kernel returns 0. */
static bool calculate(uint32_t *a, unsigned operation, uint32_t b)
{
	switch (operation) {
	case BPF_ADD: *a += b; break;
	case BPF_SUB: *a -= b; break;
	case BPF_MUL: *a *= b; break;
	case BPF_AND: *a &= b; break;
	case BPF_OR: *a |= b; break;
	case BPF_XOR: *a ^= b; break;
	case BPF_LSH: *a <<= b & 31; break;
	case BPF_RSH: *a >>= b & 31; break;
	case BPF_NEG: *a = -*a; break;
	default:
		if (operation != BPF_DIV || b == 0)
			return false;
		*a /= b;
	}
	return true;
}

static bool holds(uint32_t a, unsigned operation, uint32_t b)
{
	return operation == BPF_JEQ ? a == b : operation == BPF_JGT ? a > b : operation == BPF_JGE ? a >= b : (a & b) != 0;
}

/* Jumps lead forward only, so this ends. */
uint32_t filter_run(const struct sock_filter *code, size_t count, const struct seccomp_data *data)
{
	uint32_t a = 0, x = 0, memory[WORDS] = {0};

	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *i = &code[at];
		uint32_t operand = BPF_SRC(i->code) == BPF_X ? x : i->k;

		switch (BPF_CLASS(i->code)) {
		case BPF_RET: return BPF_RVAL(i->code) == BPF_A ? a : i->k;
		case BPF_ALU:
			if (!calculate(&a, BPF_OP(i->code), operand))
				return 0;
			break;
		case BPF_JMP:
			if (BPF_OP(i->code) == BPF_JA)
				at += i->k;
			else
				at += holds(a, BPF_OP(i->code), operand) ? i->jt : i->jf;
			break;
		case BPF_ST: memory[i->k % WORDS] = a; break;
		case BPF_STX: memory[i->k % WORDS] = x; break;
		case BPF_MISC: *(BPF_MISCOP(i->code) == BPF_TAX ? &x : &a) = BPF_MISCOP(i->code) == BPF_TAX ? a : x; break;
		default: /* BPF_LD and BPF_LDX */
			*(BPF_CLASS(i->code) == BPF_LD ? &a : &x) = BPF_MODE(i->code) == BPF_ABS ? load(data, i->k)
				: BPF_MODE(i->code) == BPF_MEM                                   ? memory[i->k % WORDS]
				: BPF_MODE(i->code) == BPF_LEN                                   ? (uint32_t)sizeof *data
												 : i->k;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/* ---- all filters ---- */

/* Of a filter that cannot be read nothing is known, so nothing is allowed. */
static struct filter unknown, strict = {.is_strict = true};

void filter_add(struct filter *f)
{
	if ((f == &unknown || f == &strict) && atomic_exchange(&f->is_added, true))
		return;
	f->older = atomic_load(&filter_newest);
	while (!atomic_compare_exchange_weak(&filter_newest, &f->older, f))
		;
}

/* The kernel copies: the subject may have given it any address. */
static bool copy(void *to, const void *from, size_t bytes)
{
	struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
	return kernel_call(SYS_process_vm_readv, kernel_pid(), &here, 1, &there, 1, 0) == (long)bytes;
}

struct filter *filter_read(const struct sock_fprog *program)
{
	struct sock_fprog p = {0};
	if (!filter_allows(SYS_process_vm_readv) || !filter_allows(SYS_mmap))
		return &unknown;
	if (!copy(&p, program, sizeof p) || p.len == 0 || p.len > BPF_MAXINSNS)
		return NULL;
	size_t bytes = sizeof(struct filter) + p.len * sizeof *p.filter;
	struct filter *f = kernel_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!f)
		return &unknown;
	f->count = p.len;
	if (copy(f->code, p.filter, p.len * sizeof *p.filter))
		return f;
	kernel_unmap(f, bytes);
	return NULL;
}

struct filter *filter_strict(void)
{
	return &strict;
}

/* Not freed: another thread may be asking it. */
void filter_drop(struct filter *f)
{
	atomic_store(&f->is_dropped, true);
}

static bool remains_when_strict(long number)
{
	return number == SYS_read || number == SYS_write || number == SYS_exit || number == SYS_rt_sigreturn;
}

/* 0: passed; else -errno. What happens to a call that a tracer or supervisor decides about is not known: it is not made. */
static long pass(const struct filter *f, const struct seccomp_data *data)
{
	if (atomic_load(&f->is_dropped))
		return 0;
	if (f->count == 0)
		return f->is_strict && remains_when_strict(data->nr) ? 0 : -EPERM;
	uint32_t found = filter_run(f->code, f->count, data), action = found & SECCOMP_RET_ACTION_FULL;
	if (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG)
		return 0;
	long error = action == SECCOMP_RET_ERRNO ? (long)(found & SECCOMP_RET_DATA) : EPERM;
	return error ? -error : -EPERM;
}

static long ask_all(const struct seccomp_data *data)
{
	long error = 0;
	for (const struct filter *f = atomic_load(&filter_newest); f && !error; f = f->older)
		error = pass(f, data);
	return error;
}

bool filter_passes(const struct filter *f, long number)
{
	return pass(f, &(struct seccomp_data){.nr = (int)number, .arch = ARCH_AUDIT}) == 0;
}

bool filter_allows(long number)
{
	return ask_all(&(struct seccomp_data){.nr = (int)number, .arch = ARCH_AUDIT}) == 0;
}

long filter_ask(long number, const long arguments[6])
{
	struct seccomp_data data = {.nr = (int)number, .arch = ARCH_AUDIT, .instruction_pointer = (uintptr_t)__builtin_return_address(0)};
	for (int i = 0; i < 6; i++)
		data.args[i] = (uint64_t)arguments[i];
	long error = ask_all(&data);
	if (error && number != SYS_sched_yield) /* which loses nothing */
		raw_lose(RAW_LOST_FILTERED, 1);
	return error;
}
