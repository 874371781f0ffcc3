/* SPDX-License-Identifier: MIT */
/* form_concurrent.h: core/input/concurrent as struct form; one thread plays them all. */
#ifndef SKEIN_INPUT_FORM_CONCURRENT_H
#define SKEIN_INPUT_FORM_CONCURRENT_H

#include "core/input/concurrent.h"
#include "unit/input/form.h"
#include "unit/input/form_fast.h"

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

static void concurrent_read(int lane, uint64_t address, uint32_t bytes)
{
	struct input_concurrent_thread *me = &concurrent_lanes[lane];
	if (!fast_read(&me->t, concurrent.shadow.cell_log2, address, bytes, me->t.limit))
		input_concurrent_read_slow(me, address, bytes);
}

static void concurrent_write(int lane, uint64_t address, uint32_t bytes)
{
	struct input_concurrent_thread *me = &concurrent_lanes[lane];
	if (!fast_write(&me->t, concurrent.shadow.cell_log2, address, bytes, me->t.limit))
		input_concurrent_write_slow(me, address, bytes);
}

static void concurrent_modify(int lane, uint64_t address, uint32_t bytes)
{
	struct input_concurrent_thread *me = &concurrent_lanes[lane];
	if (fast_modify(&me->t, concurrent.shadow.cell_log2, address, bytes, me->t.limit))
		return;
	input_concurrent_read_slow(me, address, bytes);
	input_concurrent_write_slow(me, address, bytes);
}

static void concurrent_kernel_write(int lane, uint64_t address, uint32_t bytes)
{
	input_concurrent_kernel_write(&concurrent_lanes[lane], address, bytes);
}

static void concurrent_forget(int lane, uint64_t address, uint32_t bytes)
{
	input_concurrent_forget(&concurrent_lanes[lane], address, bytes);
}

static const struct form concurrent_form = {
	.thread = concurrent_thread,
	.start = concurrent_start,
	.thread_start = concurrent_thread_start,
	.thread_end = concurrent_thread_end,
	.turn = concurrent_turn,
	.sync = concurrent_sync,
	.call = concurrent_call,
	.back = concurrent_back,
	.read = concurrent_read,
	.write = concurrent_write,
	.modify = concurrent_modify,
	.kernel_write = concurrent_kernel_write,
	.forget = concurrent_forget,
	.locked = true,
};

#endif
