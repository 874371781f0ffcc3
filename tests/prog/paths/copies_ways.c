/* SPDX-License-Identifier: MIT */
/* copies_ways.c: what a program that runs as several copies may do. Words on the command line are done one after the other. It prints what it knows of itself, so that runs can be compared;
 * SKEIN_SESSION is what tells copies apart, and only `differ-…` looks at it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Where the copies differ: 0 in the first. */
static int copy_number(void)
{
	const char *folder = getenv("SKEIN_SESSION"), *cut = folder ? strstr(folder, "/copy-") : NULL;
	return cut ? atoi(cut + 6) : 0;
}

__attribute__((noinline)) static unsigned step(unsigned sum, int byte)
{
	if (byte == '\n')
		return sum + 1;
	return sum * 31 + (unsigned)byte;
}

/* Its standard input, or the beginning of it, however it comes in pieces. */
static void take_input(size_t most)
{
	static char buffer[1 << 16];
	unsigned sum = 0;
	size_t all = 0;
	for (ssize_t got; all < most && (got = read(0, buffer, most - all < sizeof buffer ? most - all : sizeof buffer)) > 0; all += (size_t)got)
		for (size_t i = all % 997 ? 997 - all % 997 : 0; i < (size_t)got; i += 997)
			sum = step(sum, buffer[i]);
	printf("input %zu bytes, sum %u\n", all, sum);
}

/* As careful programs do: no file may be there, and the old one goes. */
static void make_files(void)
{
	int fd = open("made", O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0 || write(fd, "made\n", 5) != 5 || mkdir("made.d", 0755) < 0 || unlink("old") < 0) {
		perror("copies_ways: files");
		exit(3);
	}
	close(fd);
	FILE *file = fopen("made.d/inner", "w");
	if (!file || fputs("inner\n", file) < 0 || fclose(file) != 0)
		exit(3);
	file = fopen("changed", "a");
	if (!file || fputs("one line more\n", file) < 0 || fclose(file) != 0)
		exit(3);
	usleep(200000); /* so that others would see them */
	if (access("old", F_OK) == 0 || rename("made", "made.too") < 0)
		exit(3);
}

/* Anything that can be done to a few names; what fails fails the same way wherever it is done. Renaming folders is left out: an overlay does not allow it. */
static void do_something(unsigned what, const char *one, const char *two)
{
	struct stat st;
	bool folder = lstat(one, &st) == 0 && S_ISDIR(st.st_mode);
	int fd;
	switch (what % 9) {
	case 0:
		mkdir(one, 0700 | (what >> 8 & 077));
		break;
	case 1:
		folder ? rmdir(one) : unlink(one);
		break;
	case 2:
		if (symlink(two, one) < 0)
			errno = 0;
		break;
	case 3:
		if (!folder)
			rename(one, two);
		break;
	case 4:
		if (lstat(one, &st) == 0 && !S_ISLNK(st.st_mode))
			chmod(one, 0600 | (folder ? 0100 : 0) | (what >> 8 & 077));
		break;
	case 5:
		mkfifo(one, 0600);
		break;
	default:
		fd = open(one, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | (what % 9 == 8 ? O_CREAT | O_TRUNC : what % 9 == 7 ? O_CREAT | O_EXCL : O_APPEND), 0600 | (what >> 8 & 077));
		if (fd >= 0)
			dprintf(fd, "%u\n", what);
		close(fd);
	}
}

static void do_random(unsigned seed)
{
	static const char *const names[] = {"a", "b", "c", "d", "d/a", "d/b", "d/e", "d/e/a", "e", "e/a", "e/b", "e/d", "e/d/a"};
	enum { NAMES = sizeof names / sizeof *names };
	for (int i = 0; i < 200; i++) {
		unsigned draw[3];
		for (int k = 0; k < 3; k++)
			draw[k] = (seed = seed * 1664525 + 1013904223) >> 8;
		do_something(draw[0], names[draw[1] % NAMES], names[draw[2] % NAMES]);
	}
}

static void make_big(void)
{
	static const char piece[1 << 16];
	FILE *file = fopen("big", "w");
	for (int i = 0; file && i < 16; i++)
		fwrite(piece, 1, sizeof piece, file);
	exit(!file || fclose(file) != 0);
}

__attribute__((noinline)) static int extra(int n)
{
	return n * 2;
}

static void differ_calls(void)
{
	volatile int sum = 0;
	for (int i = 0; i < 3 + copy_number(); i++)
		sum += extra(i);
}

static void know_time(void)
{
	struct timeval now;
	gettimeofday(&now, NULL);
	if (now.tv_sec == 0)
		exit(4);
}

static void show_self(int argc, char **argv)
{
	size_t length = 0, count = 0;
	char here[4096];
	for (char **e = environ; *e; e++, count++)
		length += strlen(*e);
	printf("name %s, %d words, folder %s, %s\n", argv[0], argc, getcwd(here, sizeof here), getenv("COPIES_TEST") ? getenv("COPIES_TEST") : "no variable");
	fprintf(stderr, "environment %zu of %zu bytes\n", count, length);
}

/* Until somebody opens the FIFO for writing. */
static void pass_gate(const char *fifo)
{
	int fd = open(fifo, O_RDONLY);
	if (fd < 0)
		exit(6);
	close(fd);
}

static void leave_daemon(const char *fifo)
{
	pid_t child = fork();
	if (child == 0) {
		setsid();
		for (int fd = 0; fd < 64; fd++)
			close(fd);
		pass_gate(fifo);
		FILE *file = fopen("daemon", "w");
		if (file)
			fclose(file);
		_exit(0);
	}
}

static void fork_and_wait(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(extra(3));
	waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
}

static void do_word(const char *word, int argc, char **argv)
{
	if (strcmp(word, "self") == 0)
		show_self(argc, argv);
	else if (strcmp(word, "input") == 0)
		take_input((size_t)-1);
	else if (strcmp(word, "some-input") == 0)
		take_input(10);
	else if (strcmp(word, "close-input") == 0)
		close(0);
	else if (strcmp(word, "files") == 0)
		make_files();
	else if (strncmp(word, "random-", 7) == 0)
		do_random((unsigned)atoi(word + 7));
	else if (strcmp(word, "time") == 0)
		know_time();
	else if (strcmp(word, "terminal") == 0)
		printf("terminals: %d\n", (isatty(0) ? extra(0) + 1 : 0) + (isatty(1) ? extra(1) : 0) + (isatty(2) ? extra(2) : 0));
	else if (strcmp(word, "other") == 0)
		printf("other descriptors: %d %d\n", (int)read(3, (char[8]){0}, 8), dprintf(4, "a line\n"));
	else if (strcmp(word, "big") == 0)
		make_big();
	else if (strcmp(word, "fork") == 0)
		fork_and_wait();
	else if (strncmp(word, "daemon:", 7) == 0)
		leave_daemon(word + 7);
	else if (strncmp(word, "gate:", 5) == 0)
		pass_gate(word + 5);
	else if (strcmp(word, "sleep") == 0)
		sleep(30);
	else if (strcmp(word, "nap") == 0)
		usleep(300000);
	else if (strcmp(word, "stop") == 0 && copy_number())
		raise(SIGSTOP);
	else if (strcmp(word, "differ-calls") == 0)
		differ_calls();
	else if (strcmp(word, "differ-exit") == 0 && copy_number())
		exit(fprintf(stderr, "copy gives up\n") > 0 ? 7 : 8);
	else if (strcmp(word, "differ-death") == 0 && copy_number())
		raise(SIGSEGV);
	else if (strcmp(word, "exit-5") == 0)
		exit(5);
	else if (strcmp(word, "abort") == 0)
		abort();
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		do_word(argv[i], argc, argv);
		fflush(stdout);
	}
	return 0;
}
