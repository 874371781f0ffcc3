/* SPDX-License-Identifier: MIT */
/* library.h: what is known of foreign functions: looks names up in core/library/library.def.
 *
 *     library_words("strlen")              ". R0s"; NULL: nothing is known of the function
 *     library_price("strlen")->fixed       8; NULL: its price is that of any foreign function, and it may call back
 */
#ifndef SKEIN_PASS_LIBRARY_H
#define SKEIN_PASS_LIBRARY_H

#include "pass/cost.h"

#define LIBRARY_OWN "-" /* words of a function that keeps to memory of its own */

const char *library_words(const char *function);
const struct cost_price *library_price(const char *function);

#endif
