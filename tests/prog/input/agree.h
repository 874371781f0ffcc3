/* What a program says of itself that both ways of recording have to see alike:
 *
 *     agree ROUTINE              the same calls and the same sizes, by each metric
 *     within ROUTINE CELLS       the same calls, and under Valgrind so many cells more at most in each: doc/input.md has the list
 *     within ROUTINE CELLS RMS   … and another number by rms */
#ifndef INPUT_AGREE_H
#define INPUT_AGREE_H

#include <stdio.h>

#define ROUTINE __attribute__((noinline)) static

/* What is allowed, in cells: of each text, vectors of 64 bytes, four at a time and one before and behind them; a stream's own words, and by rms its buffer; what qsort asks
 * the kernel about memory; vectors of constants that a loop begins and goes on with; tables of the locale. */
enum { OF_TEXT = 6 * 16, OF_STREAM = 64, OF_BUFFER = 1024, OF_SORT = 28, OF_VECTORS = 2 * 16, OF_LOCALE = 64 };

static inline void agree(const char *routine) { printf("agree %s\n", routine); }
static inline void within(const char *routine, int cells) { printf("within %s %d\n", routine, cells); }
static inline void within_rms(const char *routine, int cells, int rms) { printf("within %s %d %d\n", routine, cells, rms); }

static volatile long sink;

#endif
