/* flags: -O2 -g */
/* True cause: answer, whose many short writes spend their time in the kernel; serve only waits in poll, for longer than all writes of a
 * round take. So the work is that of answer, and the time in which no thread works is that in poll: a small part of the run where
 * other programs take the cores. */
#include "work.h" /* first: it asks for what GNU adds */
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 300, WRITES = 40, BYTES = 64 * 1024 };

static char reply[BYTES];

ROUTINE static int answer(int to)
{
	for (int i = 0; i < WRITES; i++)
		if (pwrite(to, reply, BYTES, (off_t)i * BYTES) != BYTES)
			return 1;
	return 0;
}

ROUTINE static int serve(int to)
{
	for (int i = 0; i < ROUNDS; i++) {
		poll(NULL, 0, 1);
		if (answer(to))
			return 1;
	}
	return 0;
}

int main(void)
{
	return serve(memfd_create("replies", 0));
}
