/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instrument.h: adds instrumentation to each block of the subject's code; tool.h lists it. */
#ifndef SKEIN_VALGRIND_INSTRUMENT_H
#define SKEIN_VALGRIND_INSTRUMENT_H

#include "valgrind/tool.h"

#include "pub_tool_tooliface.h"

void instrument_start(void); /* after options: a block must not go beyond a jump */
IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word);

#endif
