/* SPDX-License-Identifier: MIT */
/* plan.h: writing a plan for the pass plugin. The keys, their forms and meanings are in keys/plan.h.
 *
 *     struct strv plan = {0};
 *     plan_add(&plan, PLAN_COPIES, "%zu", count);                                  COPIES=4
 *     plan_has((const char *const *)plan.at, PLAN_COPIES, "4")                     true
 *     plan_to_environment((const char *const *)plan.at, &environment);             SKEIN_PASS_COPIES=4, as the plugin finds it
 */
#ifndef SKEIN_PLAN_H
#define SKEIN_PLAN_H

#include <stdbool.h>

#include "base/strv.h"
#include "keys/mode.h"
#include "keys/plan.h"

__attribute__((format(printf, 3, 4))) void plan_add(struct strv *plan, enum plan_key key, const char *format, ...);
bool plan_is(const char *word, enum plan_key key); /* KEY=… */
/* `plan` is a list of KEY=VALUE that NULL ends; it may be NULL. A value that is NULL stands for any. */
bool plan_has(const char *const *plan, enum plan_key key, const char *value);
const char *plan_value(const char *const *plan, enum plan_key key); /* "": the plan has no such key */
void plan_to_environment(const char *const *plan, struct strv *environment);

#endif
