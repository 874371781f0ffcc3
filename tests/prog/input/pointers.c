/* Functions of the C library through pointers: from tables, from variables, as callbacks of others; the same address wherever it is taken. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "expect.h"

enum { TURNS = 7, CELLS = 50 };

/* As databases have it: what the system is, one can change. */
static const struct calls {
	ssize_t (*read)(int, void *, size_t);
	ssize_t (*pread)(int, void *, size_t, off_t);
	int (*stat)(const char *, struct stat *);
	int (*ioctl)(int, unsigned long, ...);
	long (*syscall)(long, ...);
	void *(*get)(size_t);
	void (*put)(void *);
	void *(*copy)(void *, const void *, size_t);
	size_t (*length)(const char *);
} calls = {read, pread, stat, ioctl, syscall, malloc, free, memcpy, strlen};
static const struct calls *volatile use = &calls;
static int here[1024] __attribute__((aligned(64))), other[1024] __attribute__((aligned(64)));
static volatile long sink;

ROUTINE static long touch(const volatile int *at, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += at[i];
	return sum;
}

ROUTINE static long reads(ssize_t (*by)(int, void *, size_t), int file)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++)
		sum += by(file, here, CELLS * sizeof *here) + touch(here, CELLS);
	return sum;
}
ROUTINE static long stats(int (*by)(const char *, struct stat *))
{
	return by((const char *)other, (struct stat *)here) + touch(here, sizeof(struct stat) / sizeof *here);
}
ROUTINE static long asks(int (*by)(int, unsigned long, ...), int file) { return by(file, FIONREAD, here) + touch(here, 1); }
ROUTINE static long numbers(long (*by)(long, ...), int file) { return by(SYS_read, file, here, sizeof *here * CELLS) + touch(here, CELLS); }
ROUTINE static long own(void *(*get)(size_t), void (*put)(void *), int n)
{
	volatile int *a = get((size_t)n * sizeof *a);
	long sum = touch(a, n); /* nobody has written it */
	put((void *)(uintptr_t)a);
	return sum;
}
ROUTINE static void copies(void *(*by)(void *, const void *, size_t), int n) { by(here, other, (size_t)n * sizeof *here); }
ROUTINE static size_t measures(size_t (*by)(const char *)) { return by((const char *)other); }
ROUTINE static int same(ssize_t (*by)(int, void *, size_t)) { return by == read && use->read == by && use->length == strlen; }

/* qsort, which is foreign, calls what it is given. */
static char words[8][32] __attribute__((aligned(64)));
ROUTINE static void sorts(int n) { qsort(words, (size_t)n, sizeof *words, (int (*)(const void *, const void *))strcmp); }

int main(void)
{
	int zero = open("/dev/zero", O_RDONLY), ends[2];
	if (pipe(ends) < 0)
		return 1;
	strcpy((char *)other, "/proc");
	sink += reads(use->read, zero);
	expect("reads", "rms", CELLS, 1);
	expect("reads", "trms", TURNS * CELLS, 1);
	expect_induced("reads", 0, TURNS * CELLS);
	sink += stats(use->stat);
	expect("stats", "all", 2 + 36, 1);
	expect_induced("stats", 0, 36);
	sink += asks(use->ioctl, ends[0]);
	expect("asks", "all", 1, 1);
	expect_induced("asks", 0, 1);
	sink += numbers(use->syscall, zero);
	expect("numbers", "all", CELLS, 1);
	expect_induced("numbers", 0, CELLS);
	sink += own(use->get, use->put, 20) + own(use->get, use->put, 20);
	expect("own", "all", 20, 2);
	copies(use->copy, 30);
	expect("copies", "all", 30, 1);
	memset(other, 'x', 39);
	sink += (long)measures(use->length);
	expect("measures", "all", 10, 1);
	sink += same(read);
	expect("same", "all", 6, 2); /* which table, and two of its pointers */
	for (int i = 0; i < 8; i++)
		memset(words[i], 'h' - i, 27);
	sorts(8);
	expect("sorts", "all", 64, 1);
	printf("the same address: %d\n", same(read));
	return 0;
}
