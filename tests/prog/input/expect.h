/* What a subject of the input lens knows of itself:
 *
 *     expect ROUTINE METRIC SIZE CALLS     activations of that size; METRIC may be `all`
 *     calls ROUTINE N                      activations of any size
 *     induced ROUTINE THREAD EXTERNAL      induced first accesses in all of them
 *
 * Its routines read nothing but what they are asked to: no stack protector, no library within what is measured. */
#ifndef INPUT_EXPECT_H
#define INPUT_EXPECT_H

#include <stdio.h>

#define ROUTINE __attribute__((noinline, noclone))

static inline void expect(const char *routine, const char *metric, long size, long calls) { printf("expect %s %s %ld %ld\n", routine, metric, size, calls); }
static inline void expect_calls(const char *routine, long calls) { printf("calls %s %ld\n", routine, calls); }
static inline void expect_induced(const char *routine, long thread, long external) { printf("induced %s %ld %ld\n", routine, thread, external); }

/* A system call without the C library, which reads words of its own. */
static inline long kernel(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

#endif
