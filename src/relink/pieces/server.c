/* SPDX-License-Identifier: MIT */
#include "relink/pieces/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strv.h"
#include "keys/environment.h"
#include "pass/serve.h"

static bool read_answer(const struct server *s, uint32_t *answer)
{
	size_t got = 0;

	while (got < sizeof *answer) {
		ssize_t n = read(s->from, (char *)answer + got, sizeof *answer - got);
		if (n <= 0 && !(n < 0 && errno == EINTR))
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Pipes that no other tool inherits: the server opens its ends by their names. */
static int start(struct server *s, const char *libdir, const int in[2], const int out[2])
{
	struct strv words = {0}, environment = {0};
	struct fail unsaid;
	char *input = str_format("/proc/self/fd/%d", in[0]), *output = str_format("/proc/self/fd/%d", out[1]);

	strv_add(&words, "clang-19");
	for (char **variable = environ; *variable; variable++)
		strv_add(&environment, *variable);
	strv_addf(&environment, "LD_PRELOAD=%s/libskein-pass.so", libdir);
	strv_add(&environment, ENVIRONMENT_SERVE "=1");
	s->spawn = (struct spawn){.argv = words.at, .input = input, .output = output, .errors = "/dev/null", .environment = environment.at};
	int failed = spawn_start(&s->spawn, &unsaid);
	strv_free(&words);
	strv_free(&environment);
	free(input);
	free(output);
	return failed;
}

int server_begin(struct server *s, const char *libdir)
{
	const char *other = getenv("LD_PRELOAD");
	int in[2], out[2];
	uint32_t answer = 0;

	*s = (struct server){.to = -1, .from = -1};
	if ((other && *other) || pipe2(in, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return -1;
	}
	int failed = start(s, libdir, in, out);
	close(in[0]);
	close(out[1]);
	s->to = in[1];
	s->from = out[0];
	if (failed) {
		close(s->to);
		close(s->from);
		*s = (struct server){.to = -1, .from = -1};
	} else if (!read_answer(s, &answer) || answer != SERVE_READY) {
		server_end(s);
		failed = -1;
	}
	return failed ? -1 : 0;
}

static uint32_t add_texts(FILE *to, char *const *texts)
{
	uint32_t count = 0;

	for (; texts[count]; count++)
		fwrite(texts[count], 1, strlen(texts[count]) + 1, to);
	return count;
}

static bool write_all(int to, const char *from, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(to, from, bytes);
		if (n < 0 && errno != EINTR)
			return false;
		from += n > 0 ? n : 0;
		bytes -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool server_give(struct server *s, char *const *argv, char *const *environment, const char *errors)
{
	struct serve_job job = {0};
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = mem_or_die(open_memstream(&text, &bytes));
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;

	fwrite(errors, 1, strlen(errors) + 1, to);
	job.arguments = add_texts(to, argv);
	job.variables = add_texts(to, environment);
	fclose(to);
	job.bytes = (uint32_t)bytes;
	sigaction(SIGPIPE, &ignore, &before);
	bool given = bytes <= SERVE_MOST_BYTES && write_all(s->to, (const char *)&job, sizeof job) && write_all(s->to, text, bytes);
	sigaction(SIGPIPE, &before, NULL);
	free(text);
	return given;
}

bool server_wait(struct server *s, int *status)
{
	uint32_t answer;

	if (!read_answer(s, &answer))
		return false;
	*status = WIFSIGNALED((int)answer) ? 128 + WTERMSIG((int)answer) : WEXITSTATUS((int)answer);
	return true;
}

void server_end(struct server *s)
{
	if (s->to < 0)
		return;
	close(s->to);
	close(s->from);
	spawn_wait(&s->spawn);
	*s = (struct server){.to = -1, .from = -1};
}
