/* SPDX-License-Identifier: MIT */
/* arch.h: everything that depends on the processor, for every layer.
 *
 *     uint64_t now = arch_tick();
 *
 * A port to another processor writes two headers, with the names and meanings that those of x86_64 have:
 *
 *     arch/NAME.h          counter, pause, sizes, numbers of ELF files, system calls; freestanding, for every layer
 *     arch/NAME_subject.h  registers of a thread, DWARF's numbers of them, code that C cannot express; needs the C library
 *
 * and lets this header and arch/subject.h choose them. tests/cli/house/layers.sh holds that no other folder names an instruction, a register or
 * a number of one processor, and lists what is exempt. The exempt files know more than a header can say, and a port
 * must check each of them:
 *
 *     src/analyse/symbols/loops_code.c  which instructions jump, and where to (Capstone decodes them)
 *     src/analyse/symbols/plt.c         what the stubs of a linkage table look like
 *     src/valgrind/guest.h              registers of the simulated processor, and its repeated string instructions
 *     src/unwind                        follows two registers, and finds the return address at CFA - 8
 *     src/core/library/library.def      sizes of structures that system calls read and write
 *     Makefile, tools/install           Valgrind's name of the machine */
#ifndef SKEIN_ARCH_H
#define SKEIN_ARCH_H

#if defined __x86_64__
#include "arch/x86_64.h"
#else
#error "src/arch has no header for this processor: arch/arch.h says what to write"
#endif

#endif
