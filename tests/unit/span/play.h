/* SPDX-License-Identifier: MIT */
/* play.h: plays a program through core/span as its hooks would: one lane, a struct play an invocation. */
#ifndef SPAN_PLAY_H
#define SPAN_PLAY_H

#include <stdlib.h>
#include "core/span/span.h"

static struct span_lane lane;
static struct span_site *rows; /* of sites */
static uint32_t each;          /* sites of a caller */

struct play {
	struct span_frame frame;
	struct span_scope scope;
	uint64_t n;
};

static bool more_room(struct span_lane *l)
{
	l->room *= 2;
	l->log = realloc(l->log, l->room);
	return l->log != NULL;
}

static void lane_begin(uint32_t sites, uint32_t sites_each, uint64_t entries)
{
	lane = (struct span_lane){.room = entries * sizeof(struct span_entry), .need_room = more_room};
	lane.log = malloc(lane.room);
	lane.limit = lane.room - SPAN_SLACK;
	lane.place = calloc((size_t)sites * SPAN_MEASURES, sizeof *lane.place);
	lane.place_bytes = (size_t)sites * SPAN_MEASURES * sizeof *lane.place;
	rows = calloc(sites, sizeof *rows);
	each = sites_each;
}

static void lane_end(void)
{
	free(lane.log);
	free(lane.place);
	free(rows);
}

static void play_begin(struct play *p)
{
	*p = (struct play){.n = 0};
	span_enter(&p->frame);
	span_scope_begin(&p->scope);
}

static void play_sync(struct play *p)
{
	span_sync(&lane, &p->frame, &p->scope, p->n);
}

static void play_end(struct play *p)
{
	play_sync(p);
	span_leave(&lane, &p->frame, p->n);
}

static inline void play_leaf(uint64_t length)
{
	struct play p;
	play_begin(&p);
	p.n += length;
	play_end(&p);
}

/* PLAY_CALL(p, site, caller, what) and the like run `what` as the callee. */
#define PLAY_MEASURED(site, caller, what)                                                                           \
	do {                                                                                                        \
		uint32_t top_ = span_call_begin(&rows[site], &rows[(caller) * each], each, (site) * SPAN_MEASURES); \
		what;                                                                                               \
		span_call_end(&lane, top_, &rows[site], &rows[(caller) * each], each, (site) * SPAN_MEASURES);      \
	} while (0)

#define PLAY_MEASURED_ONCE(site, what)                                     \
	do {                                                               \
		what;                                                      \
		span_once_end(&lane, &rows[site], (site) * SPAN_MEASURES); \
	} while (0)

#define PLAY_SPAWNED(p, measured)                                                \
	do {                                                                     \
		uint64_t start_ = span_spawn_begin(&lane, &(p)->scope);          \
		measured;                                                        \
		span_spawn_end(&lane, &(p)->frame, &(p)->scope, start_, (p)->n); \
	} while (0)

#define PLAY_CALLED(p, measured)               \
	do {                                   \
		measured;                      \
		span_take(&lane, &(p)->frame); \
	} while (0)

#define PLAY_CALL(p, site, caller, what) PLAY_CALLED(p, PLAY_MEASURED(site, caller, what))
#define PLAY_SPAWN(p, site, caller, what) PLAY_SPAWNED(p, PLAY_MEASURED(site, caller, what))

#endif
