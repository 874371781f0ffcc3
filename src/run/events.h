/* SPDX-License-Identifier: MIT */
/* events.h: what the kernel and the processor can count, by the names that perf has for it. */
#ifndef SKEIN_EVENTS_H
#define SKEIN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/fail.h"

enum { EVENTS_MAX = 40 };

struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint64_t period; /* default number of events between samples */
};

bool events_find(const char *name, struct event *event); /* a name, or rHEX for a counter of the processor by its number */
/* ended by NULL; the list goes on, divided by commas */
void events_names(const char *names[EVENTS_MAX + 1], char *list, size_t list_bytes);

/* The subject would find out too late that its machine has no such counter, or that it may not be read. `instead`: what to do then. */
int events_try(const struct event *event, const char *instead, struct fail *why);

#endif
