/* SPDX-License-Identifier: MIT */
/* input_form_concurrent.h: core/input_concurrent as struct form; one thread plays them all. */
#ifndef SKEIN_INPUT_FORM_CONCURRENT_H
#define SKEIN_INPUT_FORM_CONCURRENT_H

#include "input_form.h"
#include "core/input_fast.h"

static struct input_concurrent concurrent;
static struct input_concurrent_thread concurrent_lanes[LANES];
static uint32_t times_max = INPUT_COUNT_MAX, ids_max = INPUT_IDS_MAX, epochs_max = INPUT_EPOCHS_MAX;
static int stopped;

static bool concurrent_stop(void *context)
{
	assert_ptr_equal(context, &stopped);
	return !stopped++;
}

static void concurrent_go(void *context)
{
	assert_ptr_equal(context, &stopped);
	assert_int_equal(--stopped, 0);
}

static struct input_thread *concurrent_thread(int lane)
{
	return &concurrent_lanes[lane].t;
}

static void concurrent_start(unsigned cell_log2)
{
	memset(concurrent_lanes, 0, sizeof concurrent_lanes);
	assert_true(input_concurrent_start(&concurrent, &port, cell_log2));
	concurrent.count_max = times_max;
	concurrent.writers.ids_max = ids_max;
	concurrent.writers.epochs_max = epochs_max;
	concurrent.stop = concurrent_stop;
	concurrent.go = concurrent_go;
	concurrent.context = &stopped;
}

static struct input_routine *concurrent_routine_of(int lane, int routine)
{
	return input_routine_of(&concurrent_lanes[lane].t.routines, (uint64_t)routine);
}

static void concurrent_thread_start(int lane, int id, int routine)
{
	struct input_concurrent_thread *me = &concurrent_lanes[lane];
	me->t.routines.port = &port;
	me->t.routines.sizes_max = INPUT_SIZES_MAX;
	assert_true(input_concurrent_thread_start(&concurrent, me, (uint32_t)id, concurrent_routine_of(lane, routine)));
}

static void concurrent_thread_end(int lane)
{
	input_concurrent_thread_end(&concurrent_lanes[lane]);
}

static void concurrent_turn(int lane)
{
	(void)lane;
}

static void concurrent_sync(int lane)
{
	input_concurrent_sync(&concurrent_lanes[lane]);
}

static void concurrent_call(int lane, int routine)
{
	input_concurrent_call(&concurrent_lanes[lane], concurrent_routine_of(lane, routine));
}

static void concurrent_back(int lane, struct input_activation *ended)
{
	input_return(&concurrent_lanes[lane].t, ended);
}

/* In line where there is such a number of cells, as hooks do it. */
#define FAST(kind, cells, result)                                                                                                                               \
	case cells:                                                                                                                                              \
		result input_fast_##kind(me, address, bytes, log2, cells, first % cells == 0);                                                                   \
		break;
#define ACCESS(kind, result, slow)                                                                                                                               \
	static void concurrent_##kind(int lane, uint64_t address, uint32_t bytes)                                                                                \
	{                                                                                                                                                        \
		struct input_concurrent_thread *me = &concurrent_lanes[lane];                                                                                    \
		unsigned log2 = concurrent.shadow.cell_log2;                                                                                                     \
		uint64_t first = address >> log2, last = (address + bytes - 1) >> log2;                                                                          \
		switch (last - first + 1) {                                                                                                                      \
			FAST(kind, 1, result)                                                                                                                    \
			FAST(kind, 2, result)                                                                                                                    \
			FAST(kind, 4, result)                                                                                                                    \
			FAST(kind, 8, result)                                                                                                                    \
		default:                                                                                                                                         \
			slow;                                                                                                                                    \
		}                                                                                                                                                \
	}
ACCESS(read, me->t.firsts +=, input_concurrent_read_slow(me, address, bytes))
ACCESS(write, , input_concurrent_write_slow(me, address, bytes))
ACCESS(modify, me->t.firsts +=, (input_concurrent_read_slow(me, address, bytes), input_concurrent_write_slow(me, address, bytes)))

static void concurrent_kernel_write(int lane, uint64_t address, uint32_t bytes)
{
	input_concurrent_kernel_write(&concurrent_lanes[lane], address, bytes);
}

static void concurrent_forget(int lane, uint64_t address, uint32_t bytes)
{
	input_concurrent_forget(&concurrent_lanes[lane], address, bytes);
}

static const struct form concurrent_form = {
	.thread = concurrent_thread, .start = concurrent_start, .thread_start = concurrent_thread_start, .thread_end = concurrent_thread_end,
	.turn = concurrent_turn, .sync = concurrent_sync, .call = concurrent_call, .back = concurrent_back, .read = concurrent_read,
	.write = concurrent_write, .modify = concurrent_modify, .kernel_write = concurrent_kernel_write, .forget = concurrent_forget, .locked = true,
};

#endif
