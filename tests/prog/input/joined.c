/* flags: -pthread */
/* Accesses that lie side by side, and pointers that lead to the same place: what one hook may stand for, and what it may not. */
#include <pthread.h>
#include "expect.h"

struct four {
	volatile long a, b, c, d;
};

/* Neighbours, out of order. */
ROUTINE static long fields(const struct four *f)
{
	return f->a + f->d + f->b + f->c;
}

ROUTINE static long three_fields(const struct four *f)
{
	return f->b + f->d + f->a;
}

/* What lies between two reads is the second one: by then it has been written. */
ROUTINE static int read_behind_write(volatile int *to, const volatile int *from)
{
	int x = from[0];
	to[0] = x;
	return x + from[1];
}

/* What lies between two writes reads what the second one writes. */
ROUTINE static int write_behind_read(volatile int *to, const volatile int *from)
{
	to[0] = 1;
	int x = from[0];
	to[1] = 2;
	return x;
}

ROUTINE static void modify_all(struct four *f)
{
	long a = f->a, b = f->b, c = f->c, d = f->d;
	f->a = b;
	f->b = c;
	f->c = d;
	f->d = a;
}

/* Reads four and writes two of them: the others stay as they were, which the next reader can tell from what it has written itself. */
ROUTINE static void modify_two(struct four *f)
{
	long a = f->a, b = f->b, c = f->c, d = f->d;
	f->a = b + c;
	f->c = a + d;
}

ROUTINE static long fill_then_read(struct four *f)
{
	f->a = f->b = f->c = f->d = 4;
	return fields(f);
}

ROUTINE static int bytes(const volatile char *text)
{
	return text[3] + text[4] + text[5];
}

/* First accesses to what the caller, its caller, and nobody had accessed. */
ROUTINE static int inner(const volatile int *a) { return a[0] + a[1] + a[2] + a[3]; }
ROUTINE static int middle(const volatile int *a) { int x = a[0] + a[1]; return x + inner(a); }
ROUTINE static int outer(const volatile int *a) { int x = a[1] + a[2]; return x + middle(a) + middle(a) + inner(a); }

static void *modifies_all(void *f) { modify_all(f); return NULL; }
static void *modifies_two(void *f) { modify_two(f); return NULL; }

static long in_thread(void *(*work)(void *), struct four *f)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, f);
	pthread_join(thread, NULL);
	return fields(f);
}

int main(void)
{
	static struct four f;
	static int ints[8] = {1, 2, 3, 4};
	static char text[8] = "abcdefg";
	enum { TURNS = 3 };
	long total = 0;
	for (int turn = 0; turn < TURNS; turn++) {
		total += fields(&f) + three_fields(&f);
		total += read_behind_write(ints + 1, ints) + write_behind_read(ints, ints + 1) + write_behind_read(ints, ints + 4);
		modify_all(&f);
		modify_two(&f);
		total += fill_then_read(&f) + bytes(text) + outer(ints);
	}
	total += in_thread(modifies_all, &f) + in_thread(modifies_two, &f);
	expect("fields", "all", 8, 2 * TURNS + 2);
	expect("three_fields", "all", 6, TURNS);
	expect("read_behind_write", "all", 1, TURNS);
	expect("write_behind_read", "all", 1, 2 * TURNS);
	expect("modify_all", "all", 8, TURNS + 1);
	expect("modify_two", "all", 8, TURNS + 1);
	expect_induced("fields", 8 + 4, 0);
	expect_induced("modify_all", 8, 0);
	expect_induced("modify_two", 8, 0);
	expect("fill_then_read", "all", 0, TURNS);
	expect("bytes", "all", 2, TURNS);
	expect("inner", "all", 4, 3 * TURNS);
	expect("middle", "all", 4, 2 * TURNS);
	expect("outer", "all", 4, TURNS);
	return total == 0;
}
