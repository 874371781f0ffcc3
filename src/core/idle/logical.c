/* SPDX-License-Identifier: MIT */
/* logical.c: turns a stack into bichords, and these into a path.
 *
 * Problem: one frame of the stack may be a call, a part of one, many or none; only the agent of its code knows, one
 * step at a time.
 * Idea: Algorithm 1 of the paper. Physical frames drive the walk; the step that finds the end of a p-chord stands at
 * the first frame of the next. A bichord becomes X-structures: note 1 is its outermost, where both chords begin, and
 * the longer chord goes on inwards alone. Frames come innermost first, so the path is written from the end of its room
 * to the front, and the only note of the shorter chord is moved to note 1.
 * Cost: one call of the port or of the agent per note. An agent can make neither an endless walk nor an invalid
 * bichord: notes beyond its association are not requested, and associations are corrected by the number of notes.
 * Differs from the paper: agents may end the logical path early (rooted), since agents of threads and tasks know all
 * outer frames. */
#include "core/idle/logical.h"

enum { LNOTES_MAX = 1 << 16 };

void logical_begin(struct skein_unwind *u, const struct logical_port *port, void *machine, void *scratch, size_t scratch_bytes)
{
	*u = (struct skein_unwind){.port = port, .machine = machine, .fresh = true, .scratch = scratch, .scratch_bytes = scratch_bytes};
}

static const struct skein_agent *choose_agent(struct skein_unwind *u)
{
	const struct skein_agent *agent = u->port->agent(u->machine);
	u->association = SKEIN_1_1;
	if (!agent)
		return NULL;
	for (size_t i = 0; i < sizeof u->state; i++)
		u->state[i] = 0;
	unsigned association = agent->begin(u, u->state);
	if (association >= SKEIN_NOT_MINE) {
		u->rooted = false;
		return NULL;
	}
	u->association = association;
	return agent;
}

bool logical_step_bichord(struct skein_unwind *u)
{
	uint64_t left;
	while (!u->fresh && !u->ended)
		logical_step_pnote(u, &left);
	if (u->ended)
		return false;
	u->pnotes = u->lnotes = 0;
	u->agent = NULL;
	if (u->rooted)
		u->association = SKEIN_M_0;
	else
		u->agent = choose_agent(u);
	return true;
}

static bool is_one_more(struct skein_unwind *u)
{
	if (u->association != SKEIN_M_0 && u->association != SKEIN_M_1)
		return false;
	if (!u->agent)
		return true; /* rooted */
	return u->agent->pnote && u->agent->pnote(u, u->state) == 1;
}

bool logical_step_pnote(struct skein_unwind *u, uint64_t *place)
{
	if (u->ended || (u->pnotes && u->fresh))
		return false;
	if (u->pnotes) {
		if (!u->port->step(u->machine)) {
			u->ended = true;
			return false;
		}
		u->fresh = true;
		if (!is_one_more(u))
			return false;
	}
	u->fresh = false;
	*place = u->port->place(u->machine);
	if (!u->pnotes++)
		u->first = *place;
	return true;
}

bool logical_step_lnote(struct skein_unwind *u, uint64_t *place)
{
	uint32_t most = u->association == SKEIN_1_M ? LNOTES_MAX : u->association == SKEIN_1_1 || u->association == SKEIN_M_1;
	if (!u->agent || !u->agent->lnote) {
		*place = u->first;
		return u->association == SKEIN_1_1 && !u->lnotes++;
	}
	while (u->lnotes < most) {
		uint64_t lip = 0;
		if (u->agent->lnote(u, u->state, &lip) != 1)
			return false;
		u->lnotes++;
		*place = lip ? u->port->place_of(u->machine, lip) : 0;
		if (*place) /* a frame without a place (the table of names is full) cannot be shown */
			return true;
	}
	return false;
}

void *logical_memory(struct skein_unwind *u, size_t bytes)
{
	size_t skip = -(uintptr_t)u->scratch & 15;
	if (skip > u->scratch_bytes || bytes > u->scratch_bytes - skip)
		return NULL;
	unsigned char *memory = u->scratch + skip;
	u->scratch = memory + bytes;
	u->scratch_bytes -= skip + bytes;
	return memory;
}

static enum skein_association association_of(size_t pnotes, size_t lnotes)
{
	if (!lnotes)
		return pnotes > 1 ? SKEIN_M_0 : SKEIN_1_0;
	if (lnotes > 1)
		return SKEIN_1_M;
	return pnotes > 1 ? SKEIN_M_1 : SKEIN_1_1;
}

/* Writes one bichord with its innermost X at path[end - 1]. Returns the index of its outermost X. *whole becomes
 * false if the bichord does not fit. */
static size_t write_bichord(struct skein_unwind *u, struct lcct_x *path, size_t end, bool *whole)
{
	size_t p = end, l = end;
	uint64_t place;
	while (*whole && logical_step_pnote(u, &place)) {
		*whole = p > 0;
		if (*whole)
			path[--p] = (struct lcct_x){.ip = place};
	}
	if (*whole && end - p > 1 && logical_step_lnote(u, &place)) {
		path[p].lip = place;
		l = end - 1;
	} else if (*whole && end - p == 1) {
		path[p].ip = 0;
		while (*whole && logical_step_lnote(u, &place)) {
			*whole = l > 0;
			if (*whole)
				path[--l] = (struct lcct_x){.lip = place};
		}
		path[l < p ? l : p].ip = u->first;
	}
	size_t start = l < p ? l : p;
	enum skein_association association = association_of(end - p, end - l);
	for (size_t i = start; i < end; i++) {
		path[i].note = (uint32_t)(i - start) + 1;
		path[i].association = (uint8_t)association;
	}
	return start;
}

size_t logical_backtrace(struct skein_unwind *u, struct lcct_x *path, size_t room, bool *whole)
{
	size_t at = room;
	*whole = true;
	while (*whole && logical_step_bichord(u))
		at = write_bichord(u, path, at, whole);
	return room - at;
}
