/* SPDX-License-Identifier: MIT */
#include "analyse/flow/flows.h"

#include <stdlib.h>

const char *const flows_object_kinds[FLOWS_OBJECT_KINDS] = {[RAW_FLOW_LOCK] = "lock",
                                                            [RAW_FLOW_SHARED_LOCK] = "rwlock",
                                                            [RAW_FLOW_SEMAPHORE] = "semaphore",
                                                            [RAW_FLOW_CONDITION] = "condition",
                                                            [RAW_FLOW_BARRIER] = "barrier",
                                                            [RAW_FLOW_ATOMIC] = "atomic"};
const char *const flows_outcomes[FLOWS_OUTCOMES] = {
#define X(name, text) text,
	FLOWS_OUTCOME_LIST(X)
#undef X
};

const char *flows_wait_name(uint32_t kind)
{
	return kind < RAW_WAIT_KINDS ? run_wait_names[kind] : "kernel";
}

void flows_free(struct flows *f)
{
	free(f->objects);
	free(f->waits);
	free(f->threads);
	free(f->path);
	free(f->slice);
	free(f->levels);
	free(f->cores);
	free(f->routines);
	free(f->arcs);
	pool_free(&f->pool);
	*f = (struct flows){0};
}
