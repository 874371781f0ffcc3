/* SPDX-License-Identifier: MIT */
#include "threads/self.h"

struct calls_lane self_nobody;
uint64_t *self_no_tables[SELF_TABLES_MAX];
_Thread_local struct skein_self skein_self = {.calls = &self_nobody, .tables = self_no_tables, .from = CALLS_ELSEWHERE};
