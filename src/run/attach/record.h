/* SPDX-License-Identifier: MIT */
/* record.h: skein record LENS --pid PID: from what was asked for to the recording.
 *
 *     int status = attach_record(&arguments, &why);         -1: nothing was recorded; else the exit status */
#ifndef SKEIN_RUN_ATTACH_RECORD_H
#define SKEIN_RUN_ATTACH_RECORD_H

#include "base/fail.h"
#include "options/arguments.h"

int attach_record(const struct arguments *a, struct fail *why);

#endif
