/* SPDX-License-Identifier: MIT */
#include "pass/serve.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keys/environment.h"

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void),
                           void *stack);

static main_function *compiler;

static bool read_all(void *to, size_t bytes)
{
	for (size_t got = 0; got < bytes;) {
		ssize_t n = read(STDIN_FILENO, (char *)to + got, bytes - got);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static char *next_text(char **at)
{
	char *text = *at;
	*at += strlen(text) + 1;
	return text;
}

static char **take_texts(char **at, uint32_t count)
{
	char **list = calloc(count + 1, sizeof *list);
	for (uint32_t i = 0; list && i < count; i++)
		list[i] = next_text(at);
	return list;
}

/* In a process of its own, which ends with the one that waits for it. */
static int work(const struct serve_job *job, char *text)
{
	const char *errors = next_text(&text);
	char **argv = take_texts(&text, job->arguments), **variables = take_texts(&text, job->variables);
	int nothing = open("/dev/null", O_RDWR), log = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (!argv || !variables || nothing < 0 || log < 0)
		_exit(127);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	environ = variables;
	return compiler((int)job->arguments, argv, variables);
}

static bool answer(uint32_t what)
{
	return write(STDOUT_FILENO, &what, sizeof what) == (ssize_t)sizeof what;
}

static int serve(int argc, char **argv, char **environment)
{
	struct serve_job job;
	(void)argc, (void)argv, (void)environment;
	if (!answer(SERVE_READY))
		return 1;
	while (read_all(&job, sizeof job) && job.bytes && job.bytes <= SERVE_MOST_BYTES) {
		char *text = malloc(job.bytes);
		int status = 127 << 8;
		if (!text || !read_all(text, job.bytes) || text[job.bytes - 1])
			return 1;
		pid_t child = fork();
		if (child == 0)
			return work(&job, text);
		while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		free(text);
		if (!answer((uint32_t)status))
			return 1;
	}
	return 0;
}

/* The C library's, which calls main. Only where the plugin is preloaded does a program find this one first. */
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void), void *stack);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*end)(void), void *stack)
{
	union {
		void *symbol;
		start_function *function;
	} real = {dlsym(RTLD_NEXT, "__libc_start_main")};
	compiler = main;
	return real.function(getenv(ENVIRONMENT_SERVE) ? serve : main, argc, argv, init, fini, end, stack);
}
