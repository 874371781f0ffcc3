/* SPDX-License-Identifier: MIT */
/* serial.h: input sizes where threads run one at a time, as under Valgrind.
 *
 *     struct input_serial s;
 *     input_serial_start(&s, &port, 2);                     cells of 4 bytes
 *     input_serial_thread_start(&s, t, id, routine);        t runs from now on; t is zeroed, or of a thread that has
 *                                                           ended
 *     input_serial_read_slow(&s, address, bytes);           by the thread that runs; reads by the kernel too (Figure 12). fast.h has
 *                                                           what is inlined
 *     input_serial_write_slow(&s, address, bytes);
 *     input_call(s.running, …); input_return(s.running, NULL);
 *     input_serial_kernel_write(&s, address, bytes);        what a system call leaves in memory
 *     input_serial_switch(&s, other);
 *     input_serial_forget(&s, address, bytes);              free, munmap: cells that lie wholly in it start afresh, for all threads
 *     input_serial_thread_end(&s, t);
 *
 * t->routines.port and .sizes_max are set before a thread's start. The matrix (t->sources) has writers with ids
 * below 65,534; threads with larger ids have their own sizes, but are all INPUT_OTHERS as writers. For a freed
 * allocation, pass the size that was really reserved; otherwise a last cell that it fills in part keeps its state. */
#ifndef SKEIN_CORE_INPUT_SERIAL_H
#define SKEIN_CORE_INPUT_SERIAL_H

#include "core/input/input.h"

#define INPUT_OTHERS 0xfffeu

struct input_serial {
	struct input_shadow shadow;
	struct input_thread *running; /* the counter of this thread is that of all */
	struct input_thread *threads; /* all threads that ever ran, linked by `next` */
	uint32_t count;               /* the counter while no thread runs */
	uint32_t count_max;           /* INPUT_COUNT_MAX, or less in tests of its overflow */
};

void input_serial_start(struct input_serial *s, const struct input_port *port, unsigned cell_log2);
bool input_serial_thread_start(struct input_serial *s, struct input_thread *t, uint32_t id, struct input_routine *routine);
void input_serial_thread_end(struct input_serial *s, struct input_thread *t);
void input_serial_switch(struct input_serial *s, struct input_thread *t);
void input_serial_kernel_write(struct input_serial *s, uint64_t address, uint64_t bytes);
void input_serial_forget(struct input_serial *s, uint64_t address, uint64_t bytes);

void input_serial_read_slow(struct input_serial *s, uint64_t address, uint64_t bytes);
void input_serial_write_slow(struct input_serial *s, uint64_t address, uint64_t bytes);

/* A world of the serial form. */
struct input_serial_world {
	struct input_world head;
	uint32_t *stamps; /* by cell: the counter at its last write; NULL: no cell was written, or see `marks` */
	/* While only one lane has a chunk here, and only one thread has written: a bit for each cell that it wrote,
	 * instead of stamps. */
	uint64_t *marks;
	uint16_t *writers; /* by cell; NULL: `writer` wrote all */
	uint16_t writer;
};

void input_serial_renumber(struct input_thread *t); /* serial_renumber.c */

#endif
