/* SPDX-License-Identifier: MIT */
#include "analyse/idle/blame.h"
#include "analyse/blame_place.h"

#include <stdlib.h>
#include <string.h>

uint32_t idles_blamed(const struct idles *idles, uint32_t from, uint32_t *line)
{
	uint32_t innermost = IDLES_NO_SCOPE;
	*line = from;
	for (uint32_t at = from; at != IDLES_NO_SCOPE; at = idles->scopes[at].parent) {
		const struct idles_scope *scope = &idles->scopes[at];
		if (scope->kind != IDLES_ROUTINE && scope->kind != IDLES_INLINED)
			continue;
		innermost = innermost == IDLES_NO_SCOPE && scope->kind == IDLES_ROUTINE ? at : innermost;
		if (blame_is_programs(idles->run, scope->routine))
			return at;
		*line = at; /* the routine to blame called the scope from there */
	}
	*line = from;
	return innermost;
}

static bool is_same_call(const struct idles_scope *a, const struct idles_scope *b)
{
	return a->routine == b->routine && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The scope of a routine that is called from several contexts appears once in each: they are one call if place and routine are the same. */
uint64_t idles_most_called(const struct idles *idles, uint32_t routine, uint32_t *scope)
{
	uint64_t *work = memory_zeroed(idles->scope_count, sizeof *work), most = 0;
	uint32_t *seen = memory_zeroed(idles->scope_count, sizeof *seen), count = 0;
	*scope = 0;
	for (size_t i = 0; i < idles->cost_count; i++) {
		uint32_t call, at = idles_blamed(idles, idles->costs[i].scope[IDLES_LOGICAL], &call), same = 0;
		if (at == IDLES_NO_SCOPE || idles->scopes[at].routine != routine || idles->scopes[call].kind != IDLES_ROUTINE || call == at)
			continue;
		struct idles_sums sums = {0};
		idles_count(&sums, &idles->costs[i]);
		while (same < count && !is_same_call(&idles->scopes[seen[same]], &idles->scopes[call]))
			same++;
		if (same == count)
			seen[count++] = call;
		work[same] += sums.work_ns;
		if (work[same] > most) {
			most = work[same];
			*scope = seen[same];
		}
	}
	free(work);
	free(seen);
	return most;
}

uint64_t idles_work_in(const struct idles *idles, uint32_t routine)
{
	struct idles_sums sums = {0};
	for (size_t i = 0; i < idles->cost_count; i++) {
		uint32_t at = idles->costs[i].scope[IDLES_LOGICAL];
		while (at != IDLES_NO_SCOPE && idles->scopes[at].routine != routine &&
		       (idles->scopes[at].kind != IDLES_ROUTINE || !blame_is_programs(idles->run, idles->scopes[at].routine)))
			at = idles->scopes[at].parent;
		if (at != IDLES_NO_SCOPE && idles->scopes[at].routine == routine)
			idles_count(&sums, &idles->costs[i]);
	}
	return sums.work_ns;
}

static uint32_t job_of(const struct idles *idles, const struct idles_cost *cost)
{
	const struct run *run = idles->run;
	uint32_t outer = RUN_NOWHERE, job = RUN_NOWHERE;
	for (uint32_t at = cost->scope[IDLES_PHYSICAL]; at != IDLES_NO_SCOPE; at = idles->scopes[at].parent)
		if (idles->scopes[at].kind == IDLES_ROUTINE && blame_is_programs(run, idles->scopes[at].routine)) {
			job = outer;
			outer = idles->scopes[at].routine;
		}
	return outer != RUN_NOWHERE && strcmp(run->routines[outer].linkage, "main") != 0 ? job : RUN_NOWHERE;
}

uint32_t idles_job(const struct idles *idles, const struct idles_blame *b, uint64_t *idle_ns)
{
	uint64_t *of_routine = memory_zeroed(idles->run->routine_count, sizeof *of_routine);
	uint64_t *all = memory_zeroed(idles->run->routine_count, sizeof *all);
	uint32_t most = RUN_NOWHERE;
	for (size_t i = 0; i < idles->cost_count; i++) {
		uint32_t line, job = job_of(idles, &idles->costs[i]), at = idles_blamed(idles, idles->costs[i].scope[IDLES_LOGICAL], &line);
		if (job == RUN_NOWHERE)
			continue;
		all[job] += idles->costs[i].idle_ns;
		of_routine[job] += at != IDLES_NO_SCOPE && idles->scopes[at].routine == b->routine ? idles->costs[i].idle_ns : 0;
		most = most == RUN_NOWHERE || of_routine[job] > of_routine[most] ? job : most;
	}
	bool is_most = most != RUN_NOWHERE && 2 * of_routine[most] > b->sums.idle_ns;
	*idle_ns = is_most ? all[most] : 0;
	free(of_routine);
	free(all);
	return is_most ? most : RUN_NOWHERE;
}

struct share {
	uint32_t routine, line;
	const char *file;
	const struct idles_cost *cost;
};

static int share_order(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	if (x->routine != y->routine)
		return x->routine < y->routine ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return strcmp(x->file, y->file);
}

static struct share *make_shares(const struct idles *idles, size_t *count)
{
	struct share *shares = memory_resize(NULL, idles->cost_count, sizeof *shares);
	*count = 0;
	for (size_t i = 0; i < idles->cost_count; i++) {
		uint32_t line, at = idles_blamed(idles, idles->costs[i].scope[IDLES_LOGICAL], &line);
		if (at == IDLES_NO_SCOPE)
			continue;
		const struct idles_scope *where = &idles->scopes[line];
		bool has_line = (where->kind == IDLES_LINE || (line != at && where->line)) && blame_is_programs_file(where->file);
		shares[(*count)++] = (struct share){idles->scopes[at].routine, has_line ? where->line : 0, has_line ? where->file : "",
		                                    &idles->costs[i]};
	}
	if (*count)
		qsort(shares, *count, sizeof *shares, share_order);
	return shares;
}

static int by_idleness(const void *a, const void *b)
{
	const struct idles_blame *x = a, *y = b;
	if (x->sums.idle_ns != y->sums.idle_ns)
		return x->sums.idle_ns > y->sums.idle_ns ? -1 : 1;
	uint64_t p = idles_effort(&x->sums), q = idles_effort(&y->sums);
	if (p != q)
		return p > q ? -1 : 1;
	return x->routine < y->routine ? -1 : x->routine > y->routine;
}

void idles_reason(struct idles_reasons *to, const struct idles_why *why)
{
	*(why->why == RAW_IDLE_HELD              ? &to->held_ns
	          : why->why == RAW_IDLE_READY   ? &to->ready_ns
	          : why->why == RAW_IDLE_BLOCKED ? &to->blocked_ns
	                                         : &to->by_kind[why->why]) += why->ns;
}

static void find_reasons(const struct idles *idles, struct idles_blame **by_routine)
{
	for (size_t i = 0; i < idles->why_count; i++) {
		uint32_t line, at = idles_blamed(idles, idles->whys[i].scope, &line);
		if (at != IDLES_NO_SCOPE && by_routine[idles->scopes[at].routine])
			idles_reason(&by_routine[idles->scopes[at].routine]->why, &idles->whys[i]);
	}
}

/* A routine may run alone for one caller, and in parallel with others for another caller. */
static void find_contexts(const struct idles *idles, struct idles_blame *list, size_t count)
{
	struct idles_sums *sums = memory_zeroed(idles->scope_count, sizeof *sums);
	struct idles_blame **by_routine = memory_zeroed(idles->run->routine_count, sizeof *by_routine);
	for (size_t i = 0; i < count; i++)
		by_routine[list[i].routine] = &list[i];
	for (size_t i = 0; i < idles->cost_count; i++) {
		uint32_t line, at = idles_blamed(idles, idles->costs[i].scope[IDLES_LOGICAL], &line);
		if (at != IDLES_NO_SCOPE)
			idles_count(&sums[at], &idles->costs[i]);
	}
	for (uint32_t at = 0; at < idles->scope_count; at++) {
		struct idles_blame *blame = sums[at].samples ? by_routine[idles->scopes[at].routine] : NULL;
		if (!blame || (blame->in_context.samples && sums[at].idle_ns <= blame->in_context.idle_ns))
			continue;
		blame->context = at;
		blame->in_context = sums[at];
	}
	find_reasons(idles, by_routine);
	free(by_routine);
	free(sums);
}

struct idles_blame *idles_blame(const struct idles *idles, size_t *count)
{
	struct idles_blame *list = NULL;
	size_t room = 0, share_count;
	struct share *shares = make_shares(idles, &share_count);
	uint64_t here = 0;
	*count = 0;
	for (size_t i = 0; i < share_count; i++) {
		bool same = i && shares[i].routine == shares[i - 1].routine;
		if (!same) {
			MEMORY_GROW(list, *count, room);
			list[(*count)++] = (struct idles_blame){.routine = shares[i].routine, .file = ""};
		}
		struct idles_blame *blame = &list[*count - 1];
		here = same && share_order(&shares[i], &shares[i - 1]) == 0 ? here + shares[i].cost->idle_ns : shares[i].cost->idle_ns;
		idles_count(&blame->sums, shares[i].cost);
		if (here > blame->line_idle_ns && shares[i].line) {
			blame->line_idle_ns = here;
			blame->file = shares[i].file;
			blame->line = shares[i].line;
		}
	}
	free(shares);
	find_contexts(idles, list, *count);
	if (*count)
		qsort(list, *count, sizeof *list, by_idleness);
	return list;
}
