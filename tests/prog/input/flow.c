/* flags: -O2 -pthread */
/* Ways out of a routine that are no returns, and ways into it that are no calls: longjmp, tail calls, signal handlers on their own stack and on another, contexts. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "expect.h"

enum { TURNS = 100, FRAMES = 10, CELLS = 7, CHAIN = 100000 };
static jmp_buf out;
static volatile int cells[CELLS], sink;
static char other_stack[64 << 10], own_stack[64 << 10];
static ucontext_t here, there;

ROUTINE static int look(void) /* the first after anything strange: its size must be right */
{
	int sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += cells[i];
	return sum;
}

ROUTINE static int down(int depth)
{
	if (depth == 1)
		longjmp(out, 1);
	return down(depth - 1) + sink;
}

ROUTINE static int turn(void)
{
	if (setjmp(out) == 0)
		down(FRAMES);
	return look();
}

ROUTINE static int last(int n) { return sink += n; }
ROUTINE static int middle(int n) { return last(n + 1); }
ROUTINE static int first(int n) { return middle(n + 1); }

ROUTINE static int odd(int n);
ROUTINE static int even(int n) { return n == 0 ? sink : odd(n - 1); }
ROUTINE static int odd(int n) { return n == 0 ? -sink : even(n - 1); }

ROUTINE static void handler(int number)
{
	sink += number + look();
}

ROUTINE static void jumping_handler(int number)
{
	(void)number;
	longjmp(out, 1);
}

ROUTINE static void interrupted(int number)
{
	raise(number);
	sink += look();
}

ROUTINE static void jumped_out(int number)
{
	if (sigsetjmp(out, 1) == 0)
		raise(number);
	sink += look();
}

ROUTINE static void on_its_own_stack(void)
{
	for (int i = 0; i < TURNS; i++) {
		sink += look();
		swapcontext(&there, &here);
	}
}

ROUTINE static void switching(void)
{
	for (int i = 0; i < TURNS; i++) {
		swapcontext(&here, &there);
		sink += look();
	}
}

static void handle(int number, void (*by)(int), int flags)
{
	struct sigaction action = {.sa_handler = by, .sa_flags = flags};
	sigaction(number, &action, NULL);
}

int main(void)
{
	stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
	sigaltstack(&stack, NULL);
	handle(SIGUSR1, handler, 0);
	handle(SIGUSR2, handler, SA_ONSTACK);
	handle(SIGALRM, jumping_handler, SA_NODEFER);
	for (int i = 0; i < TURNS; i++) {
		sink += turn();
		sink += first(i);
		interrupted(SIGUSR1);
		interrupted(SIGUSR2);
		jumped_out(SIGALRM);
	}
	sink += even(CHAIN);
	getcontext(&there);
	there.uc_stack.ss_sp = own_stack;
	there.uc_stack.ss_size = sizeof own_stack;
	there.uc_link = &here;
	makecontext(&there, on_its_own_stack, 0);
	switching();
	expect_calls("turn", TURNS);
	expect_calls("down", TURNS * FRAMES);
	expect_calls("first", TURNS);
	expect_calls("middle", TURNS);
	expect_calls("last", TURNS);
	expect_calls("even", CHAIN / 2 + 1);
	expect_calls("odd", CHAIN / 2);
	expect_calls("handler", 2 * TURNS);
	expect_calls("jumping_handler", TURNS);
	expect_calls("interrupted", 2 * TURNS);
	expect_calls("jumped_out", TURNS);
	expect_calls("switching", 1);
	expect_calls("main", 1);
	expect("look", "all", CELLS, 8 * TURNS);
	expect("last", "all", 1, TURNS);
	expect("first", "all", 1, TURNS);
	return 0;
}
