/* System calls that leave something in memory, each made TURNS times by a routine that reads all of it: it is from outside every time, and nothing but that is.
 * What a routine gives to the kernel (texts, timeouts) it reads, once. */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "expect.h"

enum { TURNS = 5, CELL = 4, BYTES = 256 };
static union {
	char text[4096];
	int cells[1024];
	struct stat stat;
	struct statx statx;
	struct statfs statfs;
	struct statvfs statvfs;
	struct sockaddr_un name;
	struct pollfd poll[2];
	struct epoll_event events[2];
	struct timespec time;
	struct timeval now;
	struct tms times;
	struct rusage usage;
	struct itimerval timer;
	struct itimerspec timer_fd;
	struct utsname system;
	struct sysinfo info;
	struct rlimit limit;
	struct flock lock;
	struct winsize window;
	struct { long type; char text[64]; } letter;
	siginfo_t signal;
	sigset_t signals;
	fd_set set;
	cpu_set_t processors;
	gid_t groups[8];
} here __attribute__((aligned(64))), other __attribute__((aligned(64)));
static char path[64] __attribute__((aligned(64)));
static struct iovec parts[2] __attribute__((aligned(64))) = {{other.text, 12}, {other.text + 20, 24}};

static char working[64] __attribute__((aligned(64))) = "/proc/self/cwd";

static inline __attribute__((always_inline)) long touch(const void *at, size_t bytes)
{
	long sum = 0;
	for (size_t i = 0; i < (bytes + CELL - 1) / CELL; i++)
		sum += ((const volatile int *)at)[i];
	return sum;
}

static void must(int good, const char *what)
{
	if (!good)
		fprintf(stderr, "%s fails: %s\n", what, strerror(errno)), exit(1);
}

/* bytes come in by each call, at `at`; read: cells that the call reads of what it is given. */
#define CALL(name, call, at, bytes, read)                                                                \
	ROUTINE static long name(long f)                                                                 \
	{                                                                                                \
		long sum = f;                                                                            \
		for (int i = 0; i < TURNS; i++) {                                                        \
			must((long)(call) >= 0, #name);                                                  \
			sum += touch(at, bytes);                                                         \
		}                                                                                        \
		return sum;                                                                              \
	}                                                                                                \
	static void say_##name(void) { says(#name, ((long)(bytes) + CELL - 1) / CELL, read); }

/* known: cells that the routine has written itself before. */
static void says_known(const char *name, long cells, long read, long known)
{
	expect(name, "rms", cells + read - known, 1);
	expect(name, "rms+external", TURNS * cells + read, 1);
	expect(name, "trms", TURNS * cells + read, 1);
	expect_induced(name, 0, TURNS * cells);
}
static void says(const char *name, long cells, long read) { says_known(name, cells, read, 0); }
#define RUN(name, f) (sink += name(f), say_##name())
static volatile long sink;

/* ---- files ---- */

#define PATH 2 /* cells of a text of 6 bytes */
#define FD (int)f
CALL(reads, read(FD, here.text, BYTES) - BYTES, &here, BYTES, 0)
CALL(preads, pread(FD, here.text, BYTES, 3), &here, BYTES, 0)
CALL(by_number, syscall(SYS_pread64, FD, here.text, (size_t)BYTES, 0L), &here, BYTES, 0)
CALL(by_instruction, kernel(SYS_read, FD, (long)here.text, BYTES), &here, BYTES, 0)
CALL(preadvs, preadv(FD, parts, 2, 0) - 36, other.text + 20, 24, 8)
CALL(stats, stat(path, &here.stat), &here, sizeof here.stat, PATH)
CALL(lstats, lstat(path, &here.stat), &here, sizeof here.stat, PATH)
CALL(fstats, fstat(FD, &here.stat), &here, sizeof here.stat, 0)
CALL(fstatats, fstatat(AT_FDCWD, path, &here.stat, 0), &here, sizeof here.stat, PATH)
CALL(statxs, statx(AT_FDCWD, path, 0, STATX_ALL, &here.statx), &here, sizeof here.statx, PATH)
CALL(statfss, statfs(path, &here.statfs), &here, sizeof here.statfs, PATH)
CALL(statvfss, statvfs(path, &here.statvfs), &here, sizeof here.statvfs, PATH)
CALL(stat_number, syscall(SYS_newfstatat, AT_FDCWD, path, &here.stat, 0), &here, sizeof here.stat, PATH)
CALL(readlinks, readlink(working, here.text, sizeof here.text) - 1, &here, 1, 4)
CALL(getcwds, getcwd(here.text, sizeof here.text) ? 0 : -1, &here, 1, 0)
CALL(ioctls, ioctl(FD, FIONREAD, here.cells), &here, sizeof(int), 0)
CALL(process_reads, process_vm_readv(getpid(), parts, 1, parts + 1, 1, 0) - 12, other.text, 12, 8)

ROUTINE static long locks(int file)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		memset(&here.lock, 0, sizeof here.lock);
		here.lock.l_type = F_WRLCK;
		must(fcntl(file, F_GETLK, &here.lock) == 0, "fcntl");
		sum += touch(&here, sizeof here.lock);
	}
	return sum;
}

static void files(void)
{
	int file = open("/dev/zero", O_RDONLY);
	strcpy(path, "/proc");
	RUN(reads, file);
	RUN(by_instruction, file);
	file = open("/proc/self/exe", O_RDONLY);
	RUN(preads, file);
	RUN(by_number, file);
	RUN(preadvs, file);
	RUN(stats, 0);
	RUN(lstats, 0);
	RUN(fstats, file);
	RUN(fstatats, 0);
	RUN(statxs, 0);
	RUN(statfss, 0);
	RUN(statvfss, 0);
	RUN(stat_number, 0);
	RUN(readlinks, 0);
	RUN(getcwds, 0);
	RUN(process_reads, 0);
	char name[] = "input_calls.XXXXXX";
	int locked = mkstemp(name), ends[2];
	must(locked >= 0 && unlink(name) == 0 && pipe(ends) == 0, "a file");
	sink += locks(locked);
	says_known("locks", sizeof here.lock / CELL, 0, sizeof here.lock / CELL);
	RUN(ioctls, ends[0]);
}

/* One routine for a folder: the entries are where the C library has them. */
ROUTINE static long lists(DIR *folder, long *cells)
{
	long sum = 0;
	for (const struct dirent *e; (e = readdir(folder));) {
		*cells += e->d_reclen / CELL;
		sum += touch(e, e->d_reclen);
	}
	return sum;
}

/* ---- sockets and pipes ---- */

CALL(recvs, recv(FD, here.text, 40, 0) - 40, &here, 40, 0)
CALL(recvfroms, recvfrom(FD, here.text, 40, 0, &other.name, &(socklen_t){sizeof other.name}) - 40, &here, 40, 0)
CALL(names, getsockname(FD, (struct sockaddr *)&here.name, &(socklen_t){sizeof here.name}), &here, 8, 0)
CALL(options, getsockopt(FD, SOL_SOCKET, SO_TYPE, here.cells, &(socklen_t){sizeof(int)}), &here, sizeof(int), 0)
CALL(pipes, pipe(here.cells), &here, 8, 0)
CALL(pairs, socketpair(AF_UNIX, SOCK_STREAM, 0, here.cells), &here, 8, 0)
CALL(letters, msgrcv(FD, &here, sizeof here.letter.text, 0, 0), &here, 8 + 20, 0)

ROUTINE static long messages(int from)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		struct iovec v = {here.text, 40};
		struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
		must(recvmsg(from, &m, 0) == 40, "recvmsg");
		sum += touch(&here, 40);
	}
	return sum;
}
ROUTINE static long many_messages(int from)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		struct iovec v[2] = {{here.text, 40}, {here.text + 40, 40}};
		struct mmsghdr m[2] = {{.msg_hdr = {.msg_iov = v, .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = v + 1, .msg_iovlen = 1}}};
		must(recvmmsg(from, m, 2, MSG_WAITFORONE, NULL) == 2, "recvmmsg");
		sum += touch(&here, 80);
	}
	return sum;
}

static void sockets(void)
{
	int ends[2], queue = msgget(IPC_PRIVATE, 0600);
	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socketpair");
	for (int i = 0; i < 5 * TURNS; i++)
		must(send(ends[1], path, 40, MSG_DONTWAIT) == 40, "send");
	RUN(recvs, ends[0]);
	RUN(recvfroms, ends[0]);
	sink += messages(ends[0]);
	says("messages", 10, 0);
	sink += many_messages(ends[0]);
	says("many_messages", 20, 0);
	int named = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0skeintest"};
	snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "skein-%d", getpid());
	must(bind(named, (struct sockaddr *)&name, sizeof name) == 0, "bind");
	RUN(names, named);
	RUN(options, named);
	RUN(pipes, 0);
	RUN(pairs, 0);
	other.letter.type = 1;
	for (int i = 0; i < TURNS; i++)
		must(queue >= 0 && msgsnd(queue, &other, 20, 0) == 0, "msgsnd");
	RUN(letters, queue);
	msgctl(queue, IPC_RMID, NULL);
}

/* ---- waiting ---- */

ROUTINE static long polls(int from)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		here.poll[0] = (struct pollfd){.fd = from, .events = POLLIN};
		must(poll(here.poll, 1, 0) == 1, "poll");
		sum += ((volatile struct pollfd *)here.poll)->revents;
	}
	return sum;
}
ROUTINE static long selects(int from)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		FD_ZERO(&here.set);
		here.cells[from / 32] |= 1 << from % 32;
		must(select(from + 1, &here.set, NULL, NULL, &(struct timeval){0, 0}) == 1, "select");
		sum += touch(&here, 8);
	}
	return sum;
}
CALL(epolls, epoll_wait(FD, here.events, 2, 0) - 1, &here, 12, 0)
CALL(waits, waitpid(-1, here.cells, 0), &here, sizeof(int), 0)
CALL(signals_info, (raise(SIGUSR1), sigtimedwait((sigset_t *)&other, &here.signal, NULL)), &here, sizeof here.signal, 2)
CALL(masks, sigprocmask(SIG_BLOCK, NULL, &here.signals), &here, 8, 0)

static void waiting(void)
{
	int ends[2], watch = epoll_create1(0);
	must(pipe(ends) == 0 && write(ends[1], path, 1) == 1 && epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN}) == 0, "epoll");
	sink += polls(ends[0]);
	says_known("polls", 1, 0, 1);
	sink += selects(ends[0]);
	says_known("selects", 2, 0, 2);
	RUN(epolls, watch);
	for (int i = 0; i < TURNS; i++)
		if (fork() == 0)
			_exit(0);
	RUN(waits, 0);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	memcpy(&other, &set, 8);
	RUN(signals_info, 0);
	RUN(masks, 0);
}

/* ---- time and the system ---- */

CALL(clocks, clock_gettime(CLOCK_MONOTONIC, &here.time), &here, 16, 0)
CALL(resolutions, clock_getres(CLOCK_MONOTONIC, &here.time), &here, 16, 0)
CALL(days, gettimeofday(&here.now, NULL), &here, 16, 0)
CALL(seconds, time((time_t *)&here), &here, 8, 0)
CALL(ticks, times(&here.times), &here, 32, 0)
CALL(usages, getrusage(RUSAGE_SELF, &here.usage), &here, 144, 0)
CALL(timers, getitimer(ITIMER_REAL, &here.timer), &here, 32, 0)
CALL(timer_files, timerfd_gettime(FD, &here.timer_fd), &here, 32, 0)
CALL(randoms, getrandom(here.text, 100, 0) - 100, &here, 100, 0)
CALL(entropies, getentropy(here.text, 100), &here, 100, 0)
CALL(systems, uname(&here.system), &here, 390, 0)
CALL(infos, sysinfo(&here.info), &here, 112, 0)
CALL(hosts, gethostname(here.text, sizeof here.text), &here, 1, 0)
CALL(owners, getresuid((uid_t *)here.cells, (uid_t *)here.cells + 1, (uid_t *)here.cells + 2), &here, 12, 0)
CALL(processors, sched_getaffinity(0, sizeof here.processors, &here.processors), &here, sizeof here.processors, 0)
CALL(limits, getrlimit(RLIMIT_NOFILE, &here.limit), &here, 16, 0)

static void the_system(void)
{
	RUN(clocks, 0);
	RUN(resolutions, 0);
	RUN(days, 0);
	RUN(seconds, 0);
	RUN(ticks, 0);
	RUN(usages, 0);
	RUN(timers, 0);
	RUN(timer_files, timerfd_create(CLOCK_MONOTONIC, 0));
	RUN(randoms, 0);
	RUN(entropies, 0);
	RUN(systems, 0);
	RUN(infos, 0);
	RUN(hosts, 0);
	RUN(owners, 0);
	RUN(processors, 0);
	RUN(limits, 0);
}

/* ---- memory that is shared, and requests that a thread of the C library serves ---- */

ROUTINE static long shared(const int *at, int n) { return touch(at, (size_t)n * CELL); }

static struct aiocb request;
ROUTINE static long asked(void) { return aio_return(&request) + touch(&here, 64); }

ROUTINE static long served(aio_context_t context)
{
	return syscall(SYS_io_getevents, context, 1L, 1L, &other, NULL) + touch(&here, 64) + touch(&other, sizeof(struct io_event));
}

static void behind_the_scenes(void)
{
	int segment = shmget(IPC_PRIVATE, 8192, 0600);
	const int *at = shmat(segment, NULL, SHM_RDONLY);
	must(at != (void *)-1, "shmat");
	sink += shared(at, 2048);
	shmctl(segment, IPC_RMID, NULL);
	expect("shared", "all", 2048, 1);
	expect_induced("shared", 0, 2048);
	request = (struct aiocb){.aio_fildes = open("/dev/zero", O_RDONLY), .aio_buf = &here, .aio_nbytes = 64};
	must(aio_read(&request) == 0, "aio_read");
	while (aio_error(&request) == EINPROGRESS)
		sched_yield();
	sink += asked();
	expect("asked", "all", 16, 1);
	expect_induced("asked", 0, 16);
	aio_context_t context = 0;
	struct iocb one = {.aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = (unsigned)request.aio_fildes, .aio_buf = (uintptr_t)&here, .aio_nbytes = 64}, *list = &one;
	must(syscall(SYS_io_setup, 1, &context) == 0 && syscall(SYS_io_submit, context, 1, &list) == 1, "io_submit");
	sink += served(context);
	expect("served", "all", 16 + 8, 1);
	expect_induced("served", 0, 16 + 8);
}

/* ---- addresses that the kernel refuses: so does nobody else ---- */

static void refused(void)
{
	char *bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int zero = open("/dev/zero", O_RDONLY), ends[2];
	must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socketpair");
	char *volatile anywhere = (char *)&here; /* of a size that fortified headers do not know */
	const char *wrong[] = {bad, (const char *)1, (const char *)-1, NULL};
	for (int i = 0; i < 4; i++) {
		void *at = (void *)(uintptr_t)wrong[i];
		must(open(at, 0) < 0 && stat(at, &here.stat) < 0 && read(zero, at, 10) < 0 && readv(zero, at, 2) < 0 && writev(-1, at, 2) < 0, "a refusal");
		must(stat("/", at) < 0 && unlinkat(AT_FDCWD, at, -1) < 0 && uname(at) < 0 && syscall(SYS_read, zero, at, 10) < 0 && pipe(at) < 0, "a refusal");
		must(getsockname(ends[0], (struct sockaddr *)&here, at) < 0 && recvmsg(ends[0], at, MSG_DONTWAIT) < 0 && sendmsg(ends[0], at, 0) < 0, "a refusal");
		must(poll(at, 1, 0) < 0 && fcntl(zero, F_GETLK, at) < 0 && ioctl(ends[0], FIONREAD, at) < 0 && read(zero, anywhere, (size_t)-1) < 0 && errno == EFAULT, "a refusal");
	}
}

int main(void)
{
	long cells = 0;
	refused();
	files();
	sockets();
	waiting();
	the_system();
	behind_the_scenes();
	DIR *folder = opendir("/proc/self/ns");
	sink += lists(folder, &cells);
	expect_induced("lists", 0, cells);
	return 0;
}
