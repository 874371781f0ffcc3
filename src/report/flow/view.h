/* SPDX-License-Identifier: MIT */
/* view.h: the views of the flow lens. */
#ifndef SKEIN_VIEW_FLOW_H
#define SKEIN_VIEW_FLOW_H

#include "analyse/flow/flows.h"
#include "analyse/flow/verdict.h"
#include "report/lens.h"
#include "report/view.h"

struct flow_data {
	struct run run;
	struct flows flows;
	long thread; /* only this one; -1: all */
};

extern const struct view view_flow_objects, view_flow_waits, view_flow_path, view_flow_threads, view_flow_timeline, view_flow_concurrency,
	view_flow_cores, view_flow_calls, view_flow_arcs, view_flow_summary;

const char *view_flow_routine(const struct sheet *sheet, const struct flows *flows, const struct flows_where *where); /* "" if not known */
const char *view_flow_place(struct sheet *sheet, const struct flows_where *where);
int64_t view_flow_line(const struct flows_where *where); /* not known where its file is not */
const char *view_flow_object(const struct flows *flows, uint32_t object);
int64_t view_flow_thread(const struct flows *flows, uint32_t thread); /* threads without a record of their own have no number */

#endif
