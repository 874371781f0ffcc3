/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/access.h"

#include "core/input/fast.h"
#include "valgrind/kernel.h"

enum { USUAL = 6 }; /* 1, 2, 4, 8, 16, 32 bytes, then any */

static __attribute__((noinline)) void read_news(Addr address, SizeT bytes)
{
	if (tool.quiet)
		return;
	kernel_touch(address, bytes);
	input_serial_read_slow(&tool.serial, address, bytes);
}

static __attribute__((noinline)) void write_news(Addr address, SizeT bytes)
{
	kernel_touch(address, bytes);
	input_serial_write_slow(&tool.serial, address, bytes);
}

/* Whether it has as many cells as core/input/fast.h knows of: constant but for the address. */
INPUT_INLINE bool is_usual(Addr address, uint32_t bytes, unsigned cell_log2)
{
	uint32_t cell = 1u << cell_log2;
	return (bytes & (bytes - 1)) == 0 && bytes >> cell_log2 <= 8 && !INPUT_RARELY(address & ((bytes < cell ? bytes : cell) - 1));
}

INPUT_INLINE uint32_t cells_of(uint32_t bytes, unsigned cell_log2)
{
	return bytes >> cell_log2 ? bytes >> cell_log2 : 1;
}

INPUT_INLINE void on_read(Addr address, uint32_t bytes, unsigned cell_log2)
{
	struct input_thread *t = tool.serial.running;
	if (INPUT_RARELY(tool.quiet))
		return;
	if (is_usual(address, bytes, cell_log2) ? !input_fast_read(t, address, cell_log2, cells_of(bytes, cell_log2),
	                                                           bytes <= 1u << cell_log2, t->count << 1, &t->firsts)
	                                        : !input_fast_knows(t, address, bytes, cell_log2, false))
		read_news(address, bytes);
}

INPUT_INLINE void on_write(Addr address, uint32_t bytes, unsigned cell_log2)
{
	struct input_thread *t = tool.serial.running;
	if (is_usual(address, bytes, cell_log2)
	            ? !input_fast_write(t, address, cell_log2, cells_of(bytes, cell_log2), bytes <= 1u << cell_log2, t->count << 1)
	            : !input_fast_knows(t, address, bytes, cell_log2, true))
		write_news(address, bytes);
}

INPUT_INLINE void on_modify(Addr address, uint32_t bytes, unsigned cell_log2)
{
	struct input_thread *t = tool.serial.running;
	if (INPUT_RARELY(tool.quiet)) {
		on_write(address, bytes, cell_log2);
		return;
	}
	if (is_usual(address, bytes, cell_log2) ? !input_fast_modify(t, address, cell_log2, cells_of(bytes, cell_log2),
	                                                             bytes <= 1u << cell_log2, t->count << 1, &t->firsts)
	                                        : !input_fast_knows(t, address, bytes, cell_log2, true)) {
		read_news(address, bytes);
		write_news(address, bytes);
	}
}

void access_read(Addr address, SizeT bytes)
{
	read_news(address, bytes);
}

void access_write(Addr address, SizeT bytes)
{
	write_news(address, bytes);
}

#define HOOK(kind, bytes, log2)                           \
	static void kind##_##bytes##_##log2(Addr address) \
	{                                                 \
		on_##kind(address, bytes, log2);          \
	}
#define HOOK_ANY(kind, log2)                                     \
	static void kind##_any_##log2(Addr address, UWord bytes) \
	{                                                        \
		on_##kind(address, (uint32_t)bytes, log2);       \
	}
#define HOOKS(kind, log2)   \
	HOOK(kind, 1, log2) \
	HOOK(kind, 2, log2) HOOK(kind, 4, log2) HOOK(kind, 8, log2) HOOK(kind, 16, log2) HOOK(kind, 32, log2) HOOK_ANY(kind, log2)
#define HOOKS_OF(log2) HOOKS(read, log2) HOOKS(write, log2) HOOKS(modify, log2)
HOOKS_OF(0)
HOOKS_OF(1)
HOOKS_OF(2)
HOOKS_OF(3)
HOOKS_OF(4)

#define NAME(kind, bytes, log2, any) {(void *)kind##_##bytes##_##log2, "skein_" #kind "_" #bytes, any}
#define NAMES(kind, log2)                                                                                                  \
	{NAME(kind, 1, log2, False),  NAME(kind, 2, log2, False),  NAME(kind, 4, log2, False), NAME(kind, 8, log2, False), \
	 NAME(kind, 16, log2, False), NAME(kind, 32, log2, False), NAME(kind, any, log2, True)}
#define NAMES_OF(log2) {NAMES(read, log2), NAMES(write, log2), NAMES(modify, log2)}
static const struct access_hook hooks[5][ACCESS_KINDS][USUAL + 1] = {NAMES_OF(0), NAMES_OF(1), NAMES_OF(2), NAMES_OF(3), NAMES_OF(4)};

const struct access_hook *access_hook(enum access_kind kind, UInt bytes)
{
	UInt size = 0;
	while (size < USUAL && 1u << size != bytes)
		size++;
	return &hooks[options.cell_log2][kind][size];
}
