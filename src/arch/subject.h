/* SPDX-License-Identifier: MIT */
/* subject.h: everything that depends on the processor inside a subject: registers of its threads, and code that C
 * cannot express. See arch.h. */
#ifndef SKEIN_ARCH_SUBJECT_H
#define SKEIN_ARCH_SUBJECT_H

#include "arch/arch.h"

#if defined __x86_64__
#include "arch/x86_64_subject.h"
#endif

#endif
