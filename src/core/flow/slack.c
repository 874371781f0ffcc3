/* SPDX-License-Identifier: MIT */
#include "core/flow/slack.h"

void flow_slack_start(struct flow_slack *slack, const struct flow_slack_memory *memory, uint64_t end, bool exited)
{
	*slack = (struct flow_slack){.memory = *memory, .end = end, .exited = exited};
}

void flow_slack_strand(struct flow_slack *slack, uint32_t strand, uint64_t at)
{
	struct flow_slack_strand *s = slack->memory.strand(slack->memory.context, strand);
	if (s)
		*s = (struct flow_slack_strand){at, slack->exited ? FLOW_NONE : slack->end - at};
	else
		slack->failed = true;
}

/* FLOW_NONE is later than all others. */
static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The latest position of the event, as far as those who waited for it allow. */
static uint64_t as_others_allow(struct flow_slack *slack, const struct flow_link *link, uint64_t number)
{
	if (link->to == FLOW_NONE)
		return FLOW_NONE;
	const uint64_t *node = slack->memory.node(slack->memory.context, link->to);
	uint64_t latest = node ? *node : FLOW_NONE;
	slack->failed |= !node;
	if (link->to == number)
		slack->memory.drop(slack->memory.context, number);
	return latest;
}

static void tell_node(struct flow_slack *slack, uint64_t number, uint64_t latest)
{
	uint64_t *node = slack->memory.node(slack->memory.context, number);
	if (node)
		*node = earlier(*node, latest);
	else
		slack->failed = true;
}

uint64_t flow_slack_step(struct flow_slack *slack, const struct flow_link *link, uint64_t number)
{
	struct flow_slack_strand *s = slack->memory.strand(slack->memory.context, link->strand);
	if (!s) {
		slack->failed = true;
		return FLOW_NONE;
	}
	uint64_t latest = s->room == FLOW_NONE ? FLOW_NONE : s->at + s->room;
	latest = earlier(latest, as_others_allow(slack, link, number));
	if (link->exits)
		latest = s->at;
	if (link->from != FLOW_NONE)
		tell_node(slack, link->from, latest);
	s->room = latest == FLOW_NONE ? FLOW_NONE : latest - s->at + link->held;
	s->at -= link->held + link->took;
	return s->room;
}
