/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: beside */
/* The states of sections 3.3.2 and 3.4.2, each by construction: who must be seen at work spins on a flag, who must not
 * is not there yet or joined. "state ROUTINE ENTRY CALLS" is the program's state when it was entered; "case CALLER
 * CALLEE ENTRY CALLEE-CALL CALLS" the caller's entry and whether it had forked. */
#include <pthread.h>
#include <stdatomic.h>
#include "../count.h"

enum { SERIAL = 70, BESIDE = 100, IN_THREAD = 40 };
static atomic_int thread_is_there, main_is_done;

ROUTINE static void serial(void) { __asm__ volatile(""); }
ROUTINE static void beside(void) { __asm__ volatile(""); }
ROUTINE static void in_thread(void) { __asm__ volatile(""); }

ROUTINE static void repeat(void (*volatile what)(void), int times)
{
	while (times--)
		what();
}

ROUTINE static void *worker(void *unused)
{
	for (int i = 0; i < IN_THREAD; i++)
		in_thread();
	atomic_store(&thread_is_there, 1);
	while (!atomic_load(&main_is_done))
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	for (int i = 0; i < SERIAL; i++)
		serial();
	pthread_create(&thread, NULL, worker, NULL);
	while (!atomic_load(&thread_is_there))
		;
	for (int i = 0; i < BESIDE; i++)
		beside();
	repeat(beside, 3);
	atomic_store(&main_is_done, 1);
	pthread_join(thread, NULL);
	for (int i = 0; i < SERIAL; i++)
		serial();
	expect("serial", 2 * SERIAL);
	expect("beside", BESIDE + 3);
	expect("in_thread", IN_THREAD);
	expect("repeat", 1);
	dprintf(1, "state serial sequential %d\nstate beside concurrent %d\nstate in_thread concurrent %d\n", 2 * SERIAL, BESIDE + 3, IN_THREAD);
	dprintf(1, "case main serial sequential sequential %d\ncase main beside sequential concurrent %d\n", 2 * SERIAL, BESIDE);
	dprintf(1, "case repeat beside concurrent sequential 3\ncase worker in_thread concurrent sequential %d\n", IN_THREAD);
	dprintf(1, "arc main serial %d\narc main beside %d\narc repeat beside 3\n", 2 * SERIAL, BESIDE);
	return 0;
}
