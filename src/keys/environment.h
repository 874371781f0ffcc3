/* SPDX-License-Identifier: MIT */
/* environment.h: Skein's own environment variables. No other file spells one. */
#ifndef SKEIN_KEYS_ENVIRONMENT_H
#define SKEIN_KEYS_ENVIRONMENT_H

#define ENVIRONMENT_SESSION "SKEIN_SESSION"         /* skein to the subject: the session folder (threads/session.h) */
#define ENVIRONMENT_PASS "SKEIN_PASS_"              /* skein to the plugin: this and a key of the plan (keys/plan.h) */
#define ENVIRONMENT_SERVE "SKEIN_SERVE"             /* skein to the plugin: the compiler takes jobs (pass/serve.h) */
#define ENVIRONMENT_CACHE_BYTES "SKEIN_CACHE_BYTES" /* the user to skein: the most that the re-link cache may hold */

#endif
