/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guest.h: what the tool knows of the processor that Valgrind simulates. A port rewrites this header, besides
 * src/arch. guest_register reads a register of a stopped thread, as in a callback; other names are those of the
 * machine's calling convention. */
#ifndef SKEIN_VALGRIND_GUEST_H
#define SKEIN_VALGRIND_GUEST_H

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

#define GUEST_OFFSET(name) ((Int)offsetof(VexGuestAMD64State, guest_##name))
enum {
	GUEST_FIRST = GUEST_OFFSET(RDI), /* arguments of a function */
	GUEST_SECOND = GUEST_OFFSET(RSI),
	GUEST_THIRD = GUEST_OFFSET(RDX),
	GUEST_RESULT = GUEST_OFFSET(RAX),
	GUEST_TURNS = GUEST_OFFSET(RCX),      /* turns that a repeated string instruction still has to do */
	GUEST_THREAD = GUEST_OFFSET(FS_CONST) /* the thread control block */
};

static inline UWord guest_register(ThreadId tid, Int offset)
{
	UWord value = 0;
	VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, offset, sizeof value);
	return value;
}

/* Bytes that each turn moves if a repeated string instruction stands here; 0: it does not. */
static inline UInt guest_turn_bytes(const UChar *code)
{
	Bool is_wide = False, is_short = False;
	if (*code != 0xf3 && *code != 0xf2)
		return 0;
	for (code++; *code == 0x66 || (*code & 0xf0) == 0x40; code++) {
		is_short = is_short || *code == 0x66;
		is_wide = (*code & 0xf8) == 0x48;
	}
	if (*code < 0xa4 || *code > 0xaf || *code == 0xa8 || *code == 0xa9)
		return 0;
	return !(*code & 1) ? 1 : is_wide ? 8 : is_short ? 2 : 4;
}

/* Whether an instruction that takes a register from the stack stands here. */
static inline Bool guest_is_pop(const UChar *code)
{
	if ((*code & 0xf0) == 0x40)
		code++;
	return (*code & 0xf8) == 0x58;
}

/* Whether the thread control block has its own address there: the first word by the ABI of thread-local variables, the
 * third in glibc. */
static inline Bool guest_is_thread_itself(Long offset)
{
	return offset == 0 || offset == 16;
}

#endif
