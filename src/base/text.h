/* SPDX-License-Identifier: MIT */
/* text.h: formats numbers and places, the same way in every lens.
 *
 *     text_ns(&pool, 2390000000)              2.39 s, 951 ms, 35.0 us, 12 ns
 *     text_percent(&pool, 93.4)               93 %, 7.7 %, 99.77 %, 0.04 %
 *     text_share(&pool, part, whole)          the same, of a part; 0 % of nothing
 *     text_count(&pool, 5200010)              5,200,010: in sentences
 *     text_amount(&pool, 5200010)             5.20 M: in tables, above 999,999
 *     text_place(&pool, "/src/a.c", 12)       a.c:12; nothing without a file
 *     findings_add(to, "%zu worker%s", n, text_s(n));
 *
 * The pool owns the texts. */
#ifndef SKEIN_TEXT_H
#define SKEIN_TEXT_H

#include <stdint.h>
#include "base/memory.h"

const char *text_ns(struct pool *pool, double ns);

/* No decimals from 10 on, one below; more only where needed to distinguish the value from 0 or 100. */
const char *text_percent(struct pool *pool, double percent);
const char *text_share(struct pool *pool, double part, double whole);
double text_share_of(double part, double whole); /* in percent; 0 if the whole is 0 */

const char *text_count(struct pool *pool, int64_t count);
const char *text_amount(struct pool *pool, int64_t count);
const char *text_place(struct pool *pool, const char *file, uint32_t line);
const char *text_s(uint64_t count); /* the s of a plural, or nothing */

#endif
