/* SPDX-License-Identifier: MIT */
#include "run/apart.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyse/symbols/suspects.h"
#include "run/launch.h"
#include "store/store.h"

/* What the child tells. */
struct told {
	bool is_over;
	int result;
	struct apart made;
	struct fail why;
	struct suspects suspects;
};

/* ---- the child ---- */

static void note_suspects(struct run *run, const struct suspects *suspects)
{
	for (size_t i = 0; i < suspects->count; i++)
		run_note(run, "The names of %s are left out: reading its symbols crashed.", suspects->files[i]);
}

static int store_session(const char *folder, const char *recording, struct told *told)
{
	struct session session;
	if (session_read(&session, folder, &told->why) < 0)
		return -1;
	note_suspects(&session.run, &told->suspects);
	told->made.lens = run_lens_find(session.plan.lens);
	int result = told->made.lens ? told->made.lens->save(&session, recording, told->made.aside, &told->why)
				     : lens_unknown(session.plan.lens, &told->why);
	session_free(&session);
	run_free(&session.run);
	return result;
}

static void on_interrupt(int number)
{
	store_abandon(); /* NOLINT(bugprone-signal-handler): no more than unlink */
	_exit(128 + number);
}

static _Noreturn void be_child(pid_t parent, const char *folder, const char *recording, struct told *told)
{
	struct sigaction now;
	sigset_t only;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(FAIL_INTERNAL);
	sigaction(SIGINT, NULL, &now);
	if (now.sa_handler != SIG_IGN)
		signal(SIGINT, on_interrupt);
	sigemptyset(&only);
	sigaddset(&only, SIGINT);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	told->result = store_session(folder, recording, told);
	told->is_over = true;
	_exit(0);
}

/* ---- the parent ---- */

static int fail_at_end(const char *folder, const struct told *told, int status, struct fail *why)
{
	const char *doing = *told->suspects.at ? "read the symbols of " : "write the recording", *file = told->suspects.at;
	if (WIFSIGNALED(status))
		return fail_set(why, FAIL_INTERNAL,
		                "cannot %s%.300s: the process for it was killed by %s; the raw recordings are in %.300s", doing, file,
		                strsignal(WTERMSIG(status)), folder);
	return fail_set(why, FAIL_INTERNAL, "cannot %s%.300s: the process for it ended with status %d; the raw recordings are in %.300s",
	                doing, file, WEXITSTATUS(status), folder);
}

/* One child; the status it ended with, or -1. */
static int let_child(const char *folder, const char *recording, struct told *told, struct fail *why)
{
	int status;
	launch_drop_interrupts();
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		be_child(parent, folder, recording, told);
	if (child < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start a process that writes the recording: %s; try `skein recover %.300s`",
		                strerror(errno), folder);
	launch_let_interrupt(folder, child);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return fail_set(why, FAIL_INTERNAL, "lost the process that writes the recording: %s", strerror(errno));
	launch_stop_interrupt();
	return status;
}

static int try_until_it_holds(const char *folder, const char *recording, struct told *told, struct fail *why)
{
	int status;
	do {
		status = let_child(folder, recording, told, why);
		if (status < 0)
			return -1;
	} while (!told->is_over && suspects_add(&told->suspects));
	if (!told->is_over)
		return fail_at_end(folder, told, status, why);
	if (told->result < 0)
		*why = told->why;
	return told->result;
}

int apart_store(const char *folder, const char *recording, struct apart *made, struct fail *why)
{
	struct told *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED)
		return fail_set(why, FAIL_INTERNAL, "not enough memory to write the recording; try `skein recover %.300s`", folder);
	fflush(NULL);
	suspects_share(&told->suspects);
	int result = try_until_it_holds(folder, recording, told, why);
	suspects_share(NULL);
	*made = told->made;
	munmap(told, sizeof *told);
	return result;
}
