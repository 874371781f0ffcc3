/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: on_segv on_alarm touch */
/* inexact: a handler comes between two steps of a hook */
/* run: segv */
/* run: storm */
/* Signal handlers of its own: one that repairs a SIGSEGV on another stack and jumps out, and a storm of them that
 * interrupts calls at any instruction, also the profiler's. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include "../count.h"

static sigjmp_buf out;
COUNTED(handled);
COUNTED(step);

ROUTINE static void handled(void) { COUNT(handled); }
ROUTINE static void step(void) { COUNT(step); }

ROUTINE static void on_segv(int signal)
{
	(void)signal;
	handled();
	siglongjmp(out, 1);
}

ROUTINE static void on_alarm(int signal)
{
	(void)signal;
	handled();
}

ROUTINE static void touch(volatile int *where)
{
	step();
	*where = 1;
}

static void segv(void)
{
	static char stack[64 << 10];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = on_segv, .sa_flags = SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 200; i++)
		if (!sigsetjmp(out, 1))
			touch((volatile int *)16);
	expect("touch", 200);
	expect("on_segv", 200);
	EXPECT(handled);
}

static void *worker(void *unused)
{
	for (int i = 0; i < 5000000; i++)
		step();
	return unused;
}

static void storm(void)
{
	pthread_t thread;
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_create(&thread, NULL, worker, NULL);
	worker(NULL);
	pthread_join(thread, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	counted("on_alarm", count_of_handled);
	counted("handled", count_of_handled);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "storm"))
		storm();
	else
		segv();
	EXPECT(step);
	return 0;
}
