/* SPDX-License-Identifier: MIT */
/* run.c: starts copies as places become free, feeds them, hands signals on and waits for all. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "run/copies/brief.h"
#include "run/copies/copies.h"
#include "run/copies/far.h"
#include "run/copies/feed.h"
#include "run/copies/one.h"
#include "run/copies/output.h"
#include "run/copies/running.h"

enum { LOOK_MS = 50, LINGER_MS = 5000 };

/* ---- starting one ---- */

static _Noreturn void become(const struct run *r, const struct one *one, pid_t parent, int input, int report)
{
	char *word = copies_brief_word(one->folder);
	struct strv command = {0};
	if (!r->job->outlives)
		launch_bind(parent);
	signal(SIGPIPE, r->on_pipe);
	launch_give_signals_back(&r->before);
	if (input >= 0)
		dup2(input, STDIN_FILENO);
	copies_output_take(&one->output);
	if (r->copies->launch.count == 0) {
		close(report);
		_exit(copies_one(word));
	}
	strv_add_all(&command, &r->copies->launch);
	char *self = realpath("/proc/self/exe", NULL);
	strv_add(&command, self ? self : "skein");
	strv_add(&command, "run-copy");
	strv_add(&command, word);
	execvp(command.at[0], command.at);
	int code = errno;
	_exit(write(report, &code, sizeof code) == sizeof code ? FAIL_CANNOT_RUN : FAIL_INTERNAL);
}

static int start(struct run *r, size_t copy, struct fail *why)
{
	struct one *one = &r->ones[copy];
	int report[2], code = 0, input = copies_feed_input(&r->feed, copy, why);
	if (input == -2)
		return -1;
	if (pipe2(report, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start a copy: %s", strerror(errno));
	fflush(NULL);
	pid_t parent = getpid();
	one->pid = fork();
	if (one->pid == 0)
		become(r, one, parent, input, report[1]);
	if (one->pid < 0)
		code = errno;
	if (input >= 0)
		close(input);
	copies_output_started(&one->output);
	close(report[1]);
	bool failed = one->pid < 0 || read(report[0], &code, sizeof code) == sizeof code;
	close(report[0]);
	one->started = true;
	if (!failed)
		return 0;
	if (one->pid > 0)
		waitpid(one->pid, NULL, 0);
	one->pid = 0;
	one->ended = true;
	return fail_set(why, FAIL_CANNOT_RUN, "cannot start %s: %s", r->copies->launch.count ? r->copies->launch.at[0] : "a copy",
	                strerror(code));
}

/* ---- while they run ---- */

/* The first one's caretaker lives on until all have ended; its place is free before. */
static bool is_over(const struct one *one)
{
	char path[PATH_MAX + 16];
	snprintf(path, sizeof path, "%s/" COPIES_ENDED, one->folder);
	return one->ended || access(path, F_OK) == 0;
}

bool copies_never_began(const struct one *one)
{
	char path[PATH_MAX + 16];
	snprintf(path, sizeof path, "%s/" COPIES_BEGUN, one->folder);
	return access(path, F_OK) < 0;
}

/* Launchers that begin at the same moment get in each other's way (mpirun makes a folder for all of them). So the next
 * one waits until the last has begun its copy. */
static bool must_wait(const struct run *r, size_t next)
{
	const struct one *last = next ? &r->ones[next - 1] : NULL;
	return r->copies->launch.count && last && !last->ended && copies_never_began(last);
}

static int start_some(struct run *r, bool *wait_for_place, struct fail *why)
{
	size_t running = 0, next = r->copies->count;
	for (size_t i = r->copies->count; i--;) {
		running += r->ones[i].started && !is_over(&r->ones[i]);
		next = r->ones[i].started ? next : i;
	}
	for (; next < r->copies->count && running < r->copies->at_once && !must_wait(r, next); next++, running++)
		if (start(r, next, why) < 0)
			return -1;
	*wait_for_place = next < r->copies->count;
	return 0;
}

static bool collect(struct run *r)
{
	bool left = false;
	for (size_t i = 0; i < r->copies->count; i++) {
		struct one *one = &r->ones[i];
		int status;
		if (one->pid > 0 && waitpid(one->pid, &status, WNOHANG) == one->pid) {
			one->end = launch_end_of(status);
			one->pid = 0;
			one->lingers_ms = r->copies->launch.count && r->stopped && !copies_never_began(one) ? LINGER_MS : 0;
			copies_output_read(&one->output);
			copies_feed_end(&r->feed, i);
		}
		one->ended |= one->started && one->pid == 0 && (one->lingers_ms <= 0 || is_over(one));
		left |= !one->ended;
	}
	return left;
}

/* From now on the first copy's changes may go into the real folder. */
static void release_hold(struct run *r)
{
	for (size_t i = 1; i < r->copies->count; i++)
		if (!r->ones[i].ended)
			return;
	if (r->hold >= 0)
		close(r->hold);
	r->hold = -1;
}

/* The first signal goes to the copies, past their launchers; if that was not enough, launchers get the next ones, too. */
static void hand_on_far(struct run *r, int number, int code)
{
	bool again = r->stopped, by_terminal = !launch_is_for_child(code);
	for (size_t i = 0; i < r->copies->count; i++) {
		const struct one *one = &r->ones[i];
		if (one->pid <= 0)
			continue;
		copies_far_signal(one->folder, number, by_terminal);
		if (!by_terminal && (again || copies_never_began(one)))
			kill(one->pid, number);
	}
}

static void hand_on(struct run *r, int number, int code)
{
	if (number == SIGCHLD)
		return;
	if (r->copies->launch.count)
		hand_on_far(r, number, code);
	r->stopped = number;
	if (!launch_is_for_child(code) || r->copies->launch.count)
		return;
	launch_child_ends();
	collect(r);
	for (size_t i = 0; i < r->copies->count; i++)
		if (r->ones[i].pid > 0)
			kill(r->ones[i].pid, number);
}

static void wait_for_something(struct run *r, int signals, int timeout_ms)
{
	size_t count = r->copies->count, first = count + 1; /* of input */
	struct pollfd polls[2 * COPIES_MOST + 2] = {{.fd = signals, .events = POLLIN}};
	struct signalfd_siginfo info;
	for (size_t i = 0; i < count; i++)
		polls[1 + i] = (struct pollfd){.fd = r->ones[i].output.terminal, .events = POLLIN};
	size_t fed = copies_feed_polls(&r->feed, polls + first, &timeout_ms);
	if (poll(polls, first + fed, timeout_ms) < 0)
		return;
	for (size_t i = 0; i < count; i++)
		if (polls[1 + i].revents)
			copies_output_read(&r->ones[i].output);
	copies_feed_work(&r->feed, polls + first, fed);
	if (polls[0].revents && read(signals, &info, sizeof info) == sizeof info)
		hand_on(r, (int)info.ssi_signo, info.ssi_code);
}

/* Starts no more copies; running ones get the signal, if there is one. */
static void start_no_more(struct run *r, int number)
{
	for (size_t i = 0; i < r->copies->count; i++) {
		struct one *one = &r->ones[i];
		one->ended |= !one->started;
		if (one->pid > 0 && number)
			kill(one->pid, number);
	}
}

/* Time passes for those who linger. */
static bool linger(struct run *r)
{
	bool any = false;
	for (size_t i = 0; i < r->copies->count; i++) {
		bool lingers = r->ones[i].lingers_ms > 0 && !r->ones[i].ended;
		r->ones[i].lingers_ms -= lingers ? LOOK_MS : 0;
		any |= lingers;
	}
	return any;
}

static int run_all(struct run *r, struct fail *why)
{
	bool waiting = false, failed = false;
	int signals = signalfd(-1, &r->held, SFD_CLOEXEC);
	if (signals < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot wait for signals: %s", strerror(errno));
	while (collect(r)) {
		release_hold(r);
		if (!failed && r->stopped && waiting) {
			failed = true;
			start_no_more(r, 0);
			fail_set(why, FAIL_INTERNAL, "signal %d (%s) arrived before all copies had run: nothing was recorded", r->stopped,
			         strsignal(r->stopped));
		} else if (!failed && start_some(r, &waiting, why) < 0) {
			failed = true;
			start_no_more(r, SIGTERM);
		} else {
			bool lingers = linger(r);
			wait_for_something(r, signals, lingers || (waiting && !failed) ? LOOK_MS : -1);
		}
	}
	close(signals);
	return failed ? -1 : 0;
}

int copies_run(const struct copies *copies, const struct copies_job *job, struct launch_end *end, struct fail *why)
{
	struct run r = {
		.copies = copies, .job = job, .ones = memory_zeroed(copies->count, sizeof *r.ones), .hold = -1, .feed = {.spool = -1}};
	int result = copies_prepare(&r, why);
	if (result == 0) {
		launch_hold_signals(&r.before, &r.held);
		r.on_pipe = signal(SIGPIPE, SIG_IGN); /* a copy may close its input */
		result = run_all(&r, why);
		signal(SIGPIPE, r.on_pipe);
		for (size_t i = 0; copies->launch.count && i < copies->count; i++)
			copies_far_end(r.ones[i].folder, &r.ones[i].end);
		if (result == 0)
			result = copies_compare_ends(&r, why);
		if (result < 0)
			launch_give_signals_back(&r.before);
		signal(SIGXFSZ, SIG_IGN);
	}
	*end = r.ones[0].end;
	end->interrupted = r.stopped != 0 && r.stopped != SIGUSR2;
	copies_brief_forget(job->session);
	copies_feed_close(&r.feed);
	for (size_t i = 0; i < copies->count; i++)
		copies_output_close(&r.ones[i].output);
	if (r.hold >= 0)
		close(r.hold);
	free(r.here);
	free(r.ones);
	return result;
}
