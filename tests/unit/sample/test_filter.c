/* SPDX-License-Identifier: MIT */
/* Filters of system calls: what filter_run finds is what the kernel does, for random filters; and Skein keeps to them. */
#include "unit/lib.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "raw/filter.h"
#include "raw/kernel.h"

enum { FILTERS = 1500, CALLS = 6, BODY = 24, ASKED = SYS_getpriority, NO_FILTER = 77, OTHERWISE = 78 };

static uint64_t seed = 1;

static uint32_t random_below(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

static uint32_t random_word(void)
{
	static const uint32_t likely[] = {0, 1, 2, 31, 32, 33, 255, 0x7fffffff, 0x80000000, 0xffffffff, ASKED, AUDIT_ARCH_X86_64};
	uint32_t i = random_below(2 * sizeof likely / sizeof *likely);
	return i < sizeof likely / sizeof *likely ? likely[i] : random_below(1u << 31) * 2 + random_below(2);
}

static const unsigned calculations[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_AND, BPF_OR, BPF_XOR, BPF_LSH, BPF_RSH, BPF_DIV, BPF_NEG};
static const unsigned comparisons[] = {BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET};

static struct sock_filter random_calculation(void)
{
	unsigned operation = calculations[random_below(sizeof calculations / sizeof *calculations)];
	unsigned source = operation == BPF_NEG || random_below(2) ? BPF_K : BPF_X;
	uint32_t k = random_word();
	if (operation == BPF_LSH || operation == BPF_RSH)
		k %= 32;
	if (operation == BPF_DIV && k == 0)
		k = 3;
	return (struct sock_filter)BPF_STMT(BPF_ALU | operation | source, source == BPF_X || operation == BPF_NEG ? 0 : k);
}

/* Any but the address of the instruction. */
static uint32_t random_offset(void)
{
	uint32_t word = random_below(sizeof(struct seccomp_data) / 4 - 2) * 4;
	return word < offsetof(struct seccomp_data, instruction_pointer) ? word : word + sizeof(uint64_t);
}

static struct sock_filter random_load(unsigned class)
{
	uint32_t k = random_word();
	switch (random_below(4)) {
	case 0: return (struct sock_filter)BPF_STMT(class | BPF_IMM, k);
	case 1: return (struct sock_filter)BPF_STMT(class | BPF_MEM, k % BPF_MEMWORDS);
	case 2: return (struct sock_filter)BPF_STMT(class | BPF_W | BPF_LEN, 0);
	default: break;
	}
	return class == BPF_LD ? (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, random_offset())
			       : (struct sock_filter)BPF_STMT(BPF_LDX | BPF_IMM, k);
}

static struct sock_filter random_instruction(unsigned left)
{
	switch (random_below(8)) {
	case 0:
	case 1: return random_load(BPF_LD);
	case 2: return random_load(BPF_LDX);
	case 3: return (struct sock_filter)BPF_STMT(random_below(2) ? BPF_ST : BPF_STX, random_below(BPF_MEMWORDS));
	case 4: return (struct sock_filter)BPF_STMT(BPF_MISC | (random_below(2) ? BPF_TAX : BPF_TXA), 0);
	case 5:
		return (struct sock_filter)BPF_JUMP(BPF_JMP | comparisons[random_below(4)] | (random_below(2) ? BPF_K : BPF_X),
		                                    random_word(), (unsigned char)random_below(left), (unsigned char)random_below(left));
	default: return random_calculation();
	}
}

/* Other calls than the one that is asked about pass. All words of memory are written first: the kernel wants that. What the body has
 * calculated becomes the error number. */
static unsigned make(struct sock_filter *code)
{
	unsigned n = 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ASKED, 1, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	for (unsigned i = 0; i < BPF_MEMWORDS; i++)
		code[n++] = (struct sock_filter)BPF_STMT(BPF_ST, i);
	for (unsigned i = 0; i < BODY; i++)
		code[n++] = random_instruction(BODY - i);
	for (unsigned shift = 16; shift > 10; shift -= 4) { /* the upper bits count, too */
		code[n++] = (struct sock_filter)BPF_STMT(BPF_MISC | BPF_TAX, 0);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, shift);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xfff);
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 1, 1, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, 1);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
	return n;
}

/* In a child: what the kernel returns for these arguments; 0 after a fatal one. */
static void ask_kernel(const struct sock_fprog *program, uint64_t arguments[CALLS][6], long *found)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program))
		_exit(NO_FILTER);
	for (int i = 0; i < CALLS; i++) {
		const uint64_t *a = arguments[i];
		found[i] = arch_system_call(ASKED, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
	}
	_exit(0);
}

static void the_kernel_agrees(void **state)
{
	(void)state;
	long *found = mmap(NULL, CALLS * sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned errors = 0, kills = 0;
	for (int n = 0; n < FILTERS; n++) {
		struct sock_filter code[128];
		uint64_t arguments[CALLS][6];
		struct sock_fprog program = {(unsigned short)make(code), code};
		int status;
		for (int i = 0; i < CALLS * 6; i++)
			arguments[i / 6][i % 6] = (uint64_t)random_word() << 32 | random_word();
		memset(found, 0, CALLS * sizeof *found);
		pid_t pid = fork();
		if (pid == 0)
			ask_kernel(&program, arguments, found);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_not_equal(status, NO_FILTER << 8);
		for (int i = 0; i < CALLS; i++) {
			struct seccomp_data data = {.nr = ASKED, .arch = AUDIT_ARCH_X86_64};
			memcpy(data.args, arguments[i], sizeof data.args);
			uint32_t ours = filter_run(code, program.len, &data);
			if (WIFSIGNALED(status) && found[i] == 0) { /* divided by zero: this call killed the child */
				kills++;
				assert_int_equal(ours, SECCOMP_RET_KILL_THREAD);
				break;
			}
			errors++;
			assert_int_equal(ours, SECCOMP_RET_ERRNO | (uint32_t)-found[i]);
		}
	}
	assert_true(errors > FILTERS && kills > 10);
	munmap(found, CALLS * sizeof *found);
}

/* ---- what Skein does ---- */

static int status_of(int (*what)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0)
		_exit(what());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct sock_filter no_priorities[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ASKED, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_fprog kills = {sizeof no_priorities / sizeof *no_priorities, no_priorities};

static int keeps_to_it(void)
{
	struct filter *f = filter_read(&kills);
	if (!f || filter_passes(f, ASKED) || !filter_passes(f, SYS_getpid))
		return OTHERWISE;
	filter_add(f);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &kills))
		return NO_FILTER;
	return kernel_call(ASKED, 0, 0) == -EPERM && kernel_pid() == (uint32_t)getpid() && !filter_allows(ASKED) ? 0 : OTHERWISE;
}

static int forgets_what_was_refused(void)
{
	struct filter *f = filter_read(&kills);
	filter_add(f);
	filter_drop(f);
	return kernel_call(ASKED, 0, 0) >= 0 && filter_allows(ASKED) ? 0 : OTHERWISE;
}

static int is_strict(void)
{
	filter_add(filter_strict());
	filter_add(filter_strict());
	return kernel_pid() == 0 && filter_allows(SYS_write) && !filter_allows(SYS_exit_group) ? 0 : OTHERWISE;
}

/* Without the system calls that read it, a filter refuses all. */
static int refuses_all_if_unknown(void)
{
	filter_add(filter_strict());
	struct filter *f = filter_read(&kills);
	return f && !filter_passes(f, SYS_write) ? 0 : OTHERWISE;
}

static int takes_any_address(void)
{
	struct sock_fprog nowhere = {4, NULL}, none = {0, no_priorities};
	return !filter_read(NULL) && !filter_read(&nowhere) && !filter_read(&none) ? 0 : OTHERWISE;
}

static void skein_makes_no_call_that_is_given_up(void **state)
{
	(void)state;
	assert_int_equal(status_of(keeps_to_it), 0);
	assert_int_equal(status_of(forgets_what_was_refused), 0);
	assert_int_equal(status_of(is_strict), 0);
	assert_int_equal(status_of(refuses_all_if_unknown), 0);
	assert_int_equal(status_of(takes_any_address), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_agrees),
		cmocka_unit_test(skein_makes_no_call_that_is_given_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
