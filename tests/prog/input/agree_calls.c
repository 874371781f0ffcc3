/* System calls, by their functions, by number, by instruction and through pointers; functions with a format (agree.h). */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "agree.h"

/* What syscall() reads of the stack, its last argument, whether there is one or not; the empty path of fstat; what Valgrind adds for
 * the header of a message; where the C library finds the clock; what scanf reads for itself
 * beside the stream's words, and the text of a line, which is longer than what becomes of it; a folder's words. */
enum { OF_SYSCALL = 2, OF_FSTAT = 1, OF_MESSAGE = 4, OF_CLOCK = 2, OF_SCAN = 300, OF_LINE = 8, OF_FOLDER = 64 };
enum { MOST = 64 };
static int here[1024] __attribute__((aligned(64))), other[1024] __attribute__((aligned(64)));
static char path[64] __attribute__((aligned(64)));
static const struct calls {
	ssize_t (*read)(int, void *, size_t);
	int (*stat)(const char *, struct stat *);
	int (*ioctl)(int, unsigned long, ...);
} calls = {read, stat, ioctl}, *volatile use = &calls;

ROUTINE long add(const int *a, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += ((const volatile int *)a)[i];
	return sum;
}

/* ---- files ---- */

ROUTINE long stats(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += stat(path, (struct stat *)here) + add(here, i % 36);
	return sum;
}
ROUTINE long fstats(int file) { return fstat(file, (struct stat *)here) + add(here, 36); }
ROUTINE long by_table(int file, int other_file, int n)
{
	long sum = use->stat(path, (struct stat *)here) + add(here, 10);
	for (int i = 0; i < n; i++)
		sum += use->read(file, here, 4 * (size_t)n) + add(here, n);
	return sum + use->ioctl(other_file, FIONREAD, here) + add(here, 1);
}
ROUTINE long by_number(int file, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += syscall(SYS_read, file, here, 4 * (size_t)n) + add(here, n);
	return sum;
}
ROUTINE long by_instruction(long file, int n)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(SYS_read), "D"(file), "S"(here), "d"(4L * n) : "rcx", "r11", "memory");
	return result + add(here, n);
}
ROUTINE long in_parts(int file, int n)
{
	struct iovec v[2] = {{here, 4 * (size_t)n}, {other, 8 * (size_t)n}};
	return readv(file, v, 2) + add(here, n) + add(other, 2 * n);
}
ROUTINE long links(void) { return readlink("/proc/self/cwd", (char *)here, sizeof here) * 0 + add(here, 1); }
ROUTINE long entries(DIR *folder)
{
	long sum = 0;
	for (const struct dirent *e; (e = readdir(folder));)
		sum += add((const int *)(const void *)e, e->d_reclen / 4);
	return sum;
}

static void files(void)
{
	int zero = open("/dev/zero", O_RDONLY), ends[2];
	if (pipe(ends) < 0)
		exit(1);
	strcpy(path, "/proc/self/exe");
	for (int n = 1; n <= MOST; n *= 2)
		sink += stats(n) + fstats(zero) + by_table(zero, ends[0], n) + by_number(zero, n) + by_instruction(zero, n) + in_parts(zero, n);
	sink += links() + entries(opendir("/proc/self/ns"));
	agree("stats");
	within("fstats", OF_FSTAT);
	agree("by_table");
	within("by_number", OF_SYSCALL);
	agree("by_instruction");
	agree("in_parts");
	within("entries", OF_FOLDER);
	agree("add");
}

/* ---- pipes, sockets, waiting, the system ---- */

ROUTINE long pipes(void)
{
	long sum = pipe(here) + add(here, 2);
	close(here[0]);
	close(here[1]);
	return sum;
}
ROUTINE long polls(int file, int n)
{
	struct pollfd *p = (struct pollfd *)here;
	long sum = 0;
	for (int i = 0; i < n; i++) {
		p[0] = (struct pollfd){.fd = file, .events = POLLIN};
		sum += poll(p, 1, 0) + ((volatile struct pollfd *)p)->revents;
	}
	return sum;
}
ROUTINE long messages(int file)
{
	struct iovec v = {here, 40};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
	return recvmsg(file, &m, 0) + add(here, 10);
}
ROUTINE long randoms(int n) { return getrandom(here, 4 * (size_t)n, 0) + add(here, n) * 0; }
ROUTINE long times(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += clock_gettime(CLOCK_REALTIME, (struct timespec *)here) + add(here, 4) * 0;
	return sum;
}
ROUTINE long usages(void) { return getrusage(RUSAGE_SELF, (struct rusage *)here) + add(here, 36) * 0; }
ROUTINE long names(void) { return uname((struct utsname *)here) + add(here, 20) * 0; }

static void the_system(void)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		exit(1);
	for (int n = 1; n <= MOST; n *= 2) {
		if (write(ends[1], other, 40) != 40)
			exit(1);
		sink += pipes() + polls(ends[0], n) + messages(ends[0]) + randoms(n) * 0 + times(n) + usages() + names();
	}
	agree("pipes");
	agree("polls");
	within("messages", OF_MESSAGE);
	agree("randoms");
	within("times", OF_CLOCK);
	agree("usages");
	agree("names");
}

/* ---- formats ---- */

static struct {
	long number;
	double real;
	char text[20];
} got;

ROUTINE long scans(FILE *in, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += fscanf(in, "%ld %lf %19s", &got.number, &got.real, got.text) + add((const int *)&got, 6);
	return sum;
}
ROUTINE long parses(const char *text)
{
	long number;
	double real;
	return sscanf(text, "%ld %lf", &number, &real) + number;
}
ROUTINE int prints(char *to, const char *text, int n) { return sprintf(to, "%s %d", text, n); }

static void formats(void)
{
	FILE *in = tmpfile();
	for (int i = 0; i < 3 * MOST; i++)
		fprintf(in, "%015d %015d.5 text-%d\n", i, i, i);
	rewind(in);
	for (int n = 1; n <= MOST; n *= 2) {
		sink += scans(in, n);
		snprintf(path, sizeof path, "%d %d.5", n, n);
		sink += parses(path) + prints((char *)here, path, n);
	}
	within_rms("scans", OF_STREAM + OF_SCAN + MOST * OF_LINE, OF_STREAM + OF_SCAN + OF_BUFFER);
	within("parses", OF_SCAN);
	within("prints", 1000); /* nothing is known of what it reads for itself */
}

/* ---- beside another thread: a system call looks whether its thread is cancelled ---- */

static void *waits(void *end)
{
	char byte;
	return read(*(const int *)end, &byte, 1) == 1 ? NULL : end;
}
ROUTINE long beside(int file, int n) { return read(file, here, 4 * (size_t)n) + add(here, n); }

static void threads(void)
{
	int zero = open("/dev/zero", O_RDONLY), ends[2];
	pthread_t other_thread;
	if (pipe(ends) < 0 || pthread_create(&other_thread, NULL, waits, &ends[0]))
		exit(1);
	for (int n = 1; n <= MOST; n *= 2)
		sink += beside(zero, n);
	if (write(ends[1], "", 1) != 1 || pthread_join(other_thread, NULL))
		exit(1);
	agree("beside");
}

int main(void)
{
	threads();
	files();
	the_system();
	formats();
	return 0;
}
