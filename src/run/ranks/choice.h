/* SPDX-License-Identifier: MIT */
/* choice.h: which ranks are recorded (--ranks).
 *
 * A list of numbers, ranges and steps: "0,5-9,[*]/100", without the brackets, is rank 0, ranks 5 to 9, and every hundredth.
 *
 *     bool mine;
 *     if (choice_has("0,5-9", 7, &mine, &why) < 0) …           not a list of ranks
 *     int64_t first = choice_first("5-9", 100);                the lowest rank of the list, which prints the summary; -1: none
 */
#ifndef SKEIN_RUN_RANKS_CHOICE_H
#define SKEIN_RUN_RANKS_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/fail.h"

int choice_has(const char *list, int64_t rank, bool *has, struct fail *why);
int64_t choice_first(const char *list, int64_t ranks); /* ranks 0: not known */

#endif
