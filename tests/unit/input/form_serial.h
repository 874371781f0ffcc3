/* SPDX-License-Identifier: MIT */
/* form_serial.h: core/input/serial as struct form. */
#ifndef SKEIN_INPUT_FORM_SERIAL_H
#define SKEIN_INPUT_FORM_SERIAL_H

#include "core/input/serial.h"
#include "unit/input/form.h"
#include "unit/input/form_fast.h"

static struct input_serial serial;
static struct input_thread serial_lanes[LANES];
static uint32_t count_max;

static struct input_thread *serial_thread(int lane)
{
	return &serial_lanes[lane];
}

static void serial_start(unsigned cell_log2)
{
	memset(serial_lanes, 0, sizeof serial_lanes);
	input_serial_start(&serial, &port, cell_log2);
	serial.count_max = count_max;
}

static struct input_routine *serial_routine_of(int lane, int routine)
{
	return input_routine_of(&serial_lanes[lane].routines, (uint64_t)routine);
}

static void serial_thread_start(int lane, int id, int routine)
{
	serial_lanes[lane].routines.port = &port;
	serial_lanes[lane].routines.sizes_max = INPUT_SIZES_MAX;
	assert_true(input_serial_thread_start(&serial, &serial_lanes[lane], (uint32_t)id, serial_routine_of(lane, routine)));
}

static void serial_thread_end(int lane)
{
	input_serial_thread_end(&serial, &serial_lanes[lane]);
}

static void serial_turn(int lane)
{
	input_serial_switch(&serial, &serial_lanes[lane]);
}

static void serial_call(int lane, int routine)
{
	input_call(&serial_lanes[lane], serial_routine_of(lane, routine));
}

static void serial_back(int lane, struct input_activation *ended)
{
	input_return(&serial_lanes[lane], ended);
}

static void serial_read(int lane, uint64_t address, uint32_t bytes)
{
	struct input_thread *t = &serial_lanes[lane];
	if (!fast_read(t, serial.shadow.cell_log2, address, bytes, t->count << 1))
		input_serial_read_slow(&serial, address, bytes);
}

static void serial_write(int lane, uint64_t address, uint32_t bytes)
{
	struct input_thread *t = &serial_lanes[lane];
	if (!fast_write(t, serial.shadow.cell_log2, address, bytes, t->count << 1))
		input_serial_write_slow(&serial, address, bytes);
}

static void serial_modify(int lane, uint64_t address, uint32_t bytes)
{
	struct input_thread *t = &serial_lanes[lane];
	if (fast_modify(t, serial.shadow.cell_log2, address, bytes, t->count << 1))
		return;
	input_serial_read_slow(&serial, address, bytes);
	input_serial_write_slow(&serial, address, bytes);
}

static void serial_kernel_write(int lane, uint64_t address, uint32_t bytes)
{
	(void)lane;
	input_serial_kernel_write(&serial, address, bytes);
}

static void serial_forget(int lane, uint64_t address, uint32_t bytes)
{
	(void)lane;
	input_serial_forget(&serial, address, bytes);
}

static const struct form serial_form = {
	.thread = serial_thread,
	.start = serial_start,
	.thread_start = serial_thread_start,
	.thread_end = serial_thread_end,
	.turn = serial_turn,
	.call = serial_call,
	.back = serial_back,
	.read = serial_read,
	.write = serial_write,
	.modify = serial_modify,
	.kernel_write = serial_kernel_write,
	.forget = serial_forget,
};

#endif
