/* SPDX-License-Identifier: MIT */
/* x86_64.h: Intel's and AMD's 64-bit processors. Include arch/arch.h.
 *
 * Everything here is a constant or a few instructions in line. No header is needed but stdint.h: hooks, the freestanding
 * core and the Valgrind tool include it. Any thread, any signal handler. */
#ifndef SKEIN_ARCH_X86_64_H
#define SKEIN_ARCH_X86_64_H

#include <stdint.h>

#define ARCH_INLINE static inline __attribute__((always_inline, unused))

/* ---- sizes ---- */

#define ARCH_PAGE_LOG2 12
#define ARCH_PAGE_BYTES (1 << ARCH_PAGE_LOG2)
#define ARCH_CACHE_LINE_BYTES 64
/* Distance at which no two words are fetched together: processors fetch pairs of lines. */
#define ARCH_APART_BYTES (2 * ARCH_CACHE_LINE_BYTES)
#define ARCH_ADDRESS_BITS 47    /* addresses of a process have no more; the kernel's have all bits above set */
#define ARCH_RED_ZONE_BYTES 128 /* bytes below the stack pointer that a function may use without moving it */

/* Parts of the address space in which nothing is mapped unless it is asked for there, X(begin, end), the best one first: the kernel maps
 * from the stack downwards and does not come that far, and programs lie below. In the first part every sanitizer lets a program map;
 * the second is much larger. */
#define ARCH_FREE_LIST(X)                                     \
	X(UINT64_C(0x7e8000000000), UINT64_C(0x7ef000000000)) \
	X(UINT64_C(0x400000000000), UINT64_C(0x500000000000))

/* ---- numbers and names of others ---- */

/* of <elf.h>, which a file that uses these includes */
#define ARCH_ELF_MACHINE EM_X86_64
#define ARCH_ELF_INDIRECT R_X86_64_IRELATIVE /* relocation: a function of the object returns the address */

#define ARCH_AUDIT AUDIT_ARCH_X86_64 /* of <linux/audit.h>: what filters of system calls call this machine */

#define ARCH_VALGRIND "amd64-linux" /* what Valgrind calls this machine: the end of a tool's file name */

/* ---- instructions ---- */

/* The cycle counter: it runs at one rate on all cores, whatever their frequency, and is not ordered with the loads and
 * stores around it. doc/format.md says how ticks become nanoseconds. */
ARCH_INLINE uint64_t arch_tick(void)
{
	return __builtin_ia32_rdtsc();
}

/* The core that the calling thread is on, or was on a moment ago: Linux keeps the number as the size of a segment. */
ARCH_INLINE uint32_t arch_core(void)
{
	enum { SEGMENT = 0x7b, CORE_BITS = 12 };
	uint32_t size = 0;
	__asm__ volatile("lsl %1, %0" : "+r"(size) : "r"(SEGMENT));
	return size & ((1u << CORE_BITS) - 1);
}

/* In a loop that waits for another core: cheaper for both. */
ARCH_INLINE void arch_pause(void)
{
	__builtin_ia32_pause();
}

/* *sum += more in one instruction, so that a signal handler of this thread runs before or after it. Not atomic for
 * other threads. A processor without such an instruction needs a restartable sequence. */
ARCH_INLINE void arch_add(uint64_t *sum, uint64_t more)
{
	__asm__("addq %1, %0" : "+m"(*sum) : "er"(more));
}

/* Bit i: element i is negative. */
typedef int32_t arch_four __attribute__((vector_size(16), aligned(4), may_alias));
ARCH_INLINE uint32_t arch_signs(arch_four v)
{
	typedef float signs __attribute__((vector_size(16)));
	return (uint32_t)__builtin_ia32_movmskps((signs)v);
}

/* Bit i: byte i of the 16 at that aligned address is `byte`. */
ARCH_INLINE uint32_t arch_equal(const void *aligned, int byte)
{
	typedef char bytes __attribute__((vector_size(16), may_alias));
	char b = (char)byte;
	return (uint32_t)__builtin_ia32_pmovmskb128(*(const bytes *)aligned == (bytes){b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b});
}

/* Many bytes at once; ranges that overlap are copied upwards. */
ARCH_INLINE void arch_copy(void *to, const void *from, uint64_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

ARCH_INLINE void arch_fill(void *to, int byte, uint64_t bytes)
{
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
}

/* ---- system calls ---- */

/* Straight to the kernel: errno stays. Returns -errno on failure. */
ARCH_INLINE long arch_system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

/* How LLVM's inline assembly names the same: the instruction, and the registers of a number and six arguments, by
 * either of two names: X(clang's name, the whole register's name). The result is where the number was. */
#define ARCH_SYSTEM_CALL "syscall"
#define ARCH_SYSTEM_CALL_LIST(X) \
	X("{ax}", "{rax}")       \
	X("{di}", "{rdi}")       \
	X("{si}", "{rsi}")       \
	X("{dx}", "{rdx}")       \
	X("{r10}", "{r10}")      \
	X("{r8}", "{r8}")        \
	X("{r9}", "{r9}")

#endif
