/* SPDX-License-Identifier: MIT */
#include "analyse/flow/flows.h"

#include <stdlib.h>
#include "analyse/flow/kept.h"

const char *const flows_object_kinds[FLOWS_OBJECT_KINDS] = {[RAW_FLOW_LOCK] = "lock",           [RAW_FLOW_SHARED_LOCK] = "rwlock",
                                                            [RAW_FLOW_SEMAPHORE] = "semaphore", [RAW_FLOW_CONDITION] = "condition",
                                                            [RAW_FLOW_BARRIER] = "barrier",     [RAW_FLOW_PIPE] = "pipe",
                                                            [RAW_FLOW_ROOM] = "pipe room",      [RAW_FLOW_ATOMIC] = "atomic",
                                                            [RAW_FLOW_ONCE] = "once",           [RAW_FLOW_DEPENDENCE] = "dependence",
                                                            [RAW_FLOW_EVENTFD] = "eventfd"};
const char *const flows_task_kinds[FLOWS_TASK_KINDS] = {[FLOWS_THREAD] = "thread", [FLOWS_PROCESS] = "process", [FLOWS_TASK] = "task"};
const char *const flows_mark_kinds[FLOWS_MARK_KINDS] = {[FLOWS_PART] = "part", [FLOWS_MESSAGE] = "message", [FLOWS_VALUE] = "value"};
const char *const flows_outcomes[FLOWS_OUTCOMES] = {
#define X(name, text) text,
	FLOWS_OUTCOME_LIST(X)
#undef X
};

const char *const flows_keeps_words[FLOWS_KEEPS] = {
#define X(name, text) text,
	FLOWS_KEEPS_LIST(X)
#undef X
};

const char *const flows_event_names[FLOW_KINDS] = {
	[FLOW_CREATE] = "create", [FLOW_BEGIN] = "begin",     [FLOW_END] = "end",         [FLOW_JOIN] = "join",
	[FLOW_PAUSE] = "wait",    [FLOW_GO] = "go-on",        [FLOW_ACQUIRE] = "acquire", [FLOW_RELEASE] = "release",
	[FLOW_SHARE] = "share",   [FLOW_UNSHARE] = "unshare", [FLOW_FILL] = "fill",       [FLOW_POST] = "post",
	[FLOW_TAKE] = "take",     [FLOW_LISTEN] = "listen",   [FLOW_SIGNAL] = "signal",   [FLOW_BROADCAST] = "broadcast",
	[FLOW_HEAR] = "hear",     [FLOW_IGNORE] = "time-out", [FLOW_ARRIVE] = "arrive",   [FLOW_PASS] = "pass",
	[FLOW_OFF] = "off",       [FLOW_ON] = "on",           [FLOW_OPEN] = "open",       [FLOW_ENTER] = "enter",
	[FLOW_OFFER] = "offer",   [FLOW_FOLLOW] = "follow",   [FLOW_EXIT] = "exit",       [FLOW_REFUSE] = "refuse",
	[FLOW_DETACH] = "detach", [FLOW_RUN] = "run",         [FLOW_MARK] = "mark",
};

const char *const flows_said_names[FLOW_MARKS] = {
	[FLOW_MARK_BEGIN] = "part", [FLOW_MARK_END] = "part-end", [FLOW_MARK_MESSAGE] = "message", [FLOW_MARK_VALUE] = "value"};

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
	free(f->slack);
	free(f->tasks);
	free(f->edges);
	free(f->marks);
	free(f->slice);
	free(f->levels);
	free(f->cores);
	free(f->what_ifs);
	if (f->kept)
		flows_kept_free(f->kept);
	free(f->kept);
	free(f->routines);
	free(f->arcs);
	pool_free(&f->pool);
	*f = (struct flows){0};
}
