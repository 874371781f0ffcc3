/* SPDX-License-Identifier: MIT */
/* serial.h: input sizes where threads run one at a time: under Valgrind.
 *
 *     struct input_serial s;
 *     input_serial_start(&s, &port, 2);                     cells of 4 bytes
 *     input_serial_thread_start(&s, t, id, routine);        it runs from now on; t is zeroed, or of a thread that has ended
 *     input_serial_read_slow(&s, address, bytes);           by the thread that runs; reads by the kernel too (Figure 12). fast.h has
 *                                                           what is inlined
 *     input_serial_write_slow(&s, address, bytes);
 *     input_call(s.running, …); input_return(s.running, NULL);
 *     input_serial_kernel_write(&s, address, bytes);        what a system call leaves in memory
 *     input_serial_switch(&s, other);
 *     input_serial_forget(&s, address, bytes);              free, munmap: cells that lie wholly in it start afresh, for all threads
 *     input_serial_thread_end(&s, t);
 *
 * t->routines.port and .sizes_max are set before a thread's start. Who may be written in the matrix (t->sources) is
 * below 65,534; threads with larger ids are told apart for their sizes, but are all INPUT_OTHERS as writers. Of an
 * allocation that is freed, give the size that was really set aside, or a last cell that it fills in part stays as it
 * is. */
#ifndef SKEIN_CORE_INPUT_SERIAL_H
#define SKEIN_CORE_INPUT_SERIAL_H

#include "core/input/input.h"

#define INPUT_OTHERS 0xfffeu

struct input_serial {
	struct input_shadow shadow;
	struct input_thread *running; /* its counter is the one of all */
	struct input_thread *threads; /* all that ever ran, by `next` */
	uint32_t count;               /* while none runs */
	uint32_t count_max;           /* INPUT_COUNT_MAX, unless it is made small to see it end */
};

void input_serial_start(struct input_serial *s, const struct input_port *port, unsigned cell_log2);
bool input_serial_thread_start(struct input_serial *s, struct input_thread *t, uint32_t id, struct input_routine *routine);
void input_serial_thread_end(struct input_serial *s, struct input_thread *t);
void input_serial_switch(struct input_serial *s, struct input_thread *t);
void input_serial_kernel_write(struct input_serial *s, uint64_t address, uint64_t bytes);
void input_serial_forget(struct input_serial *s, uint64_t address, uint64_t bytes);

INPUT_SLOW void input_serial_read_slow(struct input_serial *s, uint64_t address, uint64_t bytes);
INPUT_SLOW void input_serial_write_slow(struct input_serial *s, uint64_t address, uint64_t bytes);

/* A world of this form. */
struct input_serial_world {
	struct input_world head;
	uint32_t *stamps; /* of each cell: the counter at its last write; NULL: none was written, or see `marks` */
	/* as long as one lane alone has a chunk here, and one thread alone has written: a bit for each cell that it
	 * has; there are no stamps then */
	uint64_t *marks;
	uint16_t *writers; /* of each cell; NULL: all are `writer` */
	uint16_t writer;
};

void input_serial_renumber(struct input_thread *t); /* serial_renumber.c */

#endif
