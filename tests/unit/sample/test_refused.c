/* SPDX-License-Identifier: MIT */
/* A kernel that refuses: what the runtime does must not reach the subject, nor the recording of another process. */
#include "unit/lib.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "raw/kernel.h"
#include "raw/writer.h"

enum { CALLS = 42, ANY = 0, THIRD = 2, FOURTH = 3, FROM = 700, REFUSED_FROM = 512 };

/* From now on this process gets an error for one system call; where `bit` is not ANY, only if that argument has it. */
static void refuse(int call, int argument, unsigned bit, int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (unsigned)argument)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, bit == ANY ? 0 : 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(99);
}

/* The exit status of a child that does this: 0 if all is well there. */
static int in_child(int (*what)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(what());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int block_in_vain(void)
{
	sigset_t before;
	memset(&before, 0xaa, sizeof before); /* what happened to lie on the stack */
	refuse(SYS_rt_sigprocmask, 0, ANY, EPERM);
	kernel_block_signals(&before);
	return kernel_set_has(&before, SIGKILL) ? 0 : 1;
}

/* The mask that was not read is not set, not even by a kernel that refuses only once. */
static void signals_stay_as_they_are_if_they_could_not_be_blocked(void **state)
{
	(void)state;
	sigset_t first, unknown, now;
	kernel_set_signals(NULL, &first);
	assert_int_equal(in_child(block_in_vain), 0);
	kernel_set_none(&unknown);
	kernel_set_add(&unknown, SIGKILL);
	kernel_set_add(&unknown, SIGUSR2);
	kernel_restore_signals(&unknown);
	kernel_set_signals(NULL, &now);
	assert_int_equal(now.__val[0], first.__val[0]);
}

/* Numbers from 512 on are refused: a lower one is out of the way of the subject all the same. */
static int move_up_in_vain(void)
{
	int d = dup(0);
	refuse(SYS_fcntl, THIRD, REFUSED_FROM, EINVAL);
	int high = kernel_move_up(d, FROM, 0, 0);
	return high == FROM / 2 && dup(0) == d ? 0 : 1;
}

static void a_descriptor_gets_a_lower_number_if_a_high_one_is_refused(void **state)
{
	(void)state;
	assert_int_equal(in_child(move_up_in_vain), 0);
}

static int ask_who_in_vain(void)
{
	refuse(SYS_getpid, 0, ANY, EPERM);
	refuse(SYS_gettid, 0, ANY, EPERM);
	return kernel_pid() == 0 && kernel_tid() == 0 ? 0 : 1;
}

static void an_error_is_not_taken_for_the_number_of_a_process(void **state)
{
	(void)state;
	assert_int_equal(in_child(ask_who_in_vain), 0);
}

static char folder[] = "/tmp/skein-refused-XXXXXX";
static struct raw_table *table;

/* Neither a file nor memory for a copy. */
static int count_without_a_file(void)
{
	refuse(SYS_openat, 0, ANY, EMFILE);
	refuse(SYS_mmap, FOURTH, MAP_ANONYMOUS, ENOMEM);
	if (raw_fork(folder, 0, 0) != -1)
		return 1;
	raw_lose(RAW_LOST_TOO_DEEP, 1);
	*(uint64_t *)raw_rows(table) = 7;
	return 0;
}

static void a_child_without_a_file_leaves_its_parents_alone_and_is_stated_there(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(raw_open(folder, RAW_LENS_CALLS, 0), 0);
	table = raw_add_table(RAW_CALLS_SITES, 0, 0, 4);
	assert_non_null(table);
	table->used = 1;
	uint64_t *row = raw_rows(table);
	*row = CALLS;
	uint64_t start = raw_header()->start_ns;
	assert_int_equal(in_child(count_without_a_file), 0);
	assert_int_equal(*row, CALLS);
	assert_int_equal(raw_header()->start_ns, start);
	assert_int_equal(raw_header()->lost[RAW_LOST_TOO_DEEP], 0);
	assert_int_equal(raw_header()->lost[RAW_LOST_NO_SPACE], 1);
}

/* A time of 0 would be taken for the end of the recording, before its start. */
static int refresh_in_vain(void)
{
	uint64_t tsc = raw_header()->last_tsc, ns = raw_header()->last_ns;
	refuse(SYS_clock_gettime, 0, ANY, EPERM);
	raw_refresh();
	return ns && raw_header()->last_ns == ns && raw_header()->last_tsc == tsc ? 0 : 1;
}

static void a_clock_that_cannot_be_read_leaves_the_last_times(void **state)
{
	(void)state;
	raw_refresh();
	assert_int_equal(in_child(refresh_in_vain), 0);
	char path[sizeof folder + 32];
	snprintf(path, sizeof path, "%s/%d-0.raw", folder, getpid());
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_stay_as_they_are_if_they_could_not_be_blocked),
		cmocka_unit_test(a_descriptor_gets_a_lower_number_if_a_high_one_is_refused),
		cmocka_unit_test(an_error_is_not_taken_for_the_number_of_a_process),
		cmocka_unit_test(a_child_without_a_file_leaves_its_parents_alone_and_is_stated_there),
		cmocka_unit_test(a_clock_that_cannot_be_read_leaves_the_last_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
