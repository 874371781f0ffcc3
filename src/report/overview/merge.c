/* SPDX-License-Identifier: MIT */
#include "report/overview/merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define NO_FINDING SIZE_MAX
#define KERNEL_USUAL 0.6 /* part of the CPU time: with more in the kernel that is worth a sentence */

struct merge {
	struct overview *o;
	const struct overview_item *items;
	size_t count;
	size_t *of; /* by item: the finding that it is part of */
	bool *used; /* by item: it adds something to another finding */
	struct overview_finding *list;
	size_t list_count, list_room;
};

/* ---- what a sentence is about ---- */

/* A routine of a library, or of another program, is not there to be mended. */
static uint32_t same(const struct merge *m, uint32_t routine)
{
	uint32_t first = routine < m->o->routine_count ? m->o->routines[routine].same : OVERVIEW_NONE;
	return first != OVERVIEW_NONE && m->o->routines[first].is_programs ? first : OVERVIEW_NONE;
}

static uint32_t within(const struct merge *m, const struct finding_tag *tag)
{
	return tag->within ? same(m, tag->within) : OVERVIEW_NONE;
}

static bool has_subject(const struct merge *m, const struct finding_tag *tag)
{
	return tag->object || same(m, tag->routine) != OVERVIEW_NONE;
}

/* A routine that is inlined in one lens is called in another: what is said of f as called by g may be said of g. */
static bool is_same_routine(const struct merge *m, const struct finding_tag *a, const struct finding_tag *b)
{
	uint32_t ra = same(m, a->routine), rb = same(m, b->routine), wa = within(m, a), wb = within(m, b);
	if (ra == OVERVIEW_NONE || rb == OVERVIEW_NONE)
		return false;
	if (ra == rb)
		return wa == OVERVIEW_NONE || wb == OVERVIEW_NONE || wa == wb;
	return ra == wb || rb == wa || m->o->routines[ra].around == rb || m->o->routines[rb].around == ra;
}

static bool is_same(const struct merge *m, const struct finding_tag *a, const struct finding_tag *b)
{
	if (a->object && b->object)
		return strcmp(a->object, b->object) == 0;
	return is_same_routine(m, a, b);
}

/* ---- findings ---- */

static bool is_finding(const struct overview_item *item)
{
	return overview_kinds[item->tag.kind].lenses && !item->tag.harmless;
}

/* The kind of what the two make together; FINDING_KINDS: they do not join. about: how much they have in common. */
static enum finding_kind joined(enum finding_kind a, enum finding_kind b, enum overview_about about)
{
	for (size_t i = 0; i < overview_join_count; i++) {
		const struct overview_join *j = &overview_joins[i];
		bool fits = (j->kind == a && j->other == b) || (j->kind == b && j->other == a);
		if (fits && j->about >= about)
			return j->kind;
	}
	return FINDING_KINDS;
}

static double largest_part(const struct merge *m, size_t finding)
{
	double most = 0;
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding && m->items[i].tag.part > most)
			most = m->items[i].tag.part;
	return most;
}

static bool has_items(const struct merge *m, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding)
			return true;
	return false;
}

static bool is_about_finding(const struct merge *m, const struct finding_tag *tag, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding && is_same(m, tag, &m->items[i].tag))
			return true;
	return false;
}

static void move_all(struct merge *m, size_t from, size_t to)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == from)
			m->of[i] = to;
	m->list[to].kind = joined(m->list[to].kind, m->list[from].kind, OVERVIEW_SAME);
}

static size_t begin(struct merge *m, enum finding_kind kind)
{
	MEMORY_GROW(m->list, m->list_count, m->list_room);
	m->list[m->list_count] = (struct overview_finding){.kind = kind};
	return m->list_count++;
}

/* An item that is about two findings makes them one, if they may be. */
static void put(struct merge *m, size_t item)
{
	const struct finding_tag *tag = &m->items[item].tag;
	size_t mine = begin(m, tag->kind);
	m->of[item] = mine;
	for (size_t f = 0; f < mine; f++)
		if (has_items(m, f) &&
		    joined(m->list[f].kind, m->list[mine].kind, is_about_finding(m, tag, f) ? OVERVIEW_SAME : OVERVIEW_ANY) !=
		            FINDING_KINDS)
			move_all(m, f, mine);
}

static bool is_effect(const struct merge *m, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding && !m->items[i].tag.confirms)
			return false;
	return true;
}

/* The largest finding that an item joins which names nothing. */
static size_t find_to_join(const struct merge *m, enum finding_kind kind)
{
	size_t found = NO_FINDING;
	for (size_t f = 0; f < m->list_count; f++)
		if (has_items(m, f) && !is_effect(m, f) && joined(m->list[f].kind, kind, OVERVIEW_LOOSE) != FINDING_KINDS &&
		    (found == NO_FINDING || largest_part(m, f) > largest_part(m, found)))
			found = f;
	return found;
}

static void put_somewhere(struct merge *m, size_t item)
{
	enum finding_kind kind = m->items[item].tag.kind;
	size_t f = find_to_join(m, kind);
	if (f == NO_FINDING)
		f = begin(m, kind);
	else
		m->list[f].kind = joined(m->list[f].kind, kind, OVERVIEW_LOOSE);
	m->of[item] = f;
}

static void group(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++)
		m->of[i] = NO_FINDING;
	for (size_t i = 0; i < m->count; i++)
		if (is_finding(&m->items[i]) && has_subject(m, &m->items[i].tag))
			put(m, i);
	for (size_t i = 0; i < m->count; i++)
		if (is_finding(&m->items[i]) && m->of[i] == NO_FINDING)
			put_somewhere(m, i);
}

/* ---- figures of a finding ---- */

static size_t rank_of(const struct merge *m, const struct overview_finding *f, size_t item)
{
	const char *list = overview_kinds[f->kind].lenses, *name = m->o->lenses[m->items[item].lens].name, *at = strstr(list, name);
	return at && overview_lists(list, name) ? (size_t)(at - list) : strlen(list);
}

/* The items of a finding, the one to believe first at the front; the caller frees. */
static size_t *members(const struct merge *m, size_t finding, size_t *count)
{
	size_t *list = memory_resize(NULL, m->count + 1, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < m->count; i++) {
		if (m->of[i] != finding)
			continue;
		size_t at = (*count)++;
		while (at > 0 && rank_of(m, &m->list[finding], list[at - 1]) > rank_of(m, &m->list[finding], i)) {
			list[at] = list[at - 1];
			at--;
		}
		list[at] = i;
	}
	return list;
}

static void add_evidence(struct overview_finding *f, const struct overview_item *item, enum overview_relation relation)
{
	for (size_t i = 0; i < f->evidence_count; i++)
		if (f->evidence[i].lens == item->lens && (relation == OVERVIEW_AGREES || f->evidence[i].words == item->tag.words)) {
			f->evidence[i].confirms &= item->tag.confirms;
			return;
		}
	MEMORY_GROW(f->evidence, f->evidence_count, f->evidence_room);
	f->evidence[f->evidence_count++] = (struct overview_evidence){item->lens, relation, item->tag.words ? item->tag.words : "",
	                                                              item->tag.confirms, item->sentence};
}

/* A figure is taken from the first item that knows it. */
static void take(struct merge *m, struct overview_finding *f, const struct overview_item *item)
{
	const struct finding_tag *t = &item->tag;
	bool names = f->is_effect || !t->confirms; /* an effect names what waits, not what is waited for */
	if (names && (f->routine == OVERVIEW_NONE || (f->waits && !t->waits)) && same(m, t->routine) != OVERVIEW_NONE) {
		f->routine = same(m, t->routine);
		f->within = within(m, t);
		f->waits = t->waits;
	}
	if (names && !f->object)
		f->object = t->object;
	if (!f->advice && t->kind == f->kind)
		f->advice = t->advice;
	if (isnan(f->saved_pct) && t->part > 0) {
		f->saved_pct = 100 * t->part;
		f->of_ns = (int64_t)(t->whole_ns ? t->whole_ns : m->o->lenses[item->lens].wall_ns);
	}
	if (isnan(f->cores) && t->cores > 1)
		f->cores = t->cores;
	if (isnan(f->grown_pct) && t->grown > 0) {
		f->grown_pct = 100 * t->grown;
		f->share_pct = 100 * t->share;
	}
	if (isnan(f->share_pct) && (f->kind == FINDING_HOT || f->kind == FINDING_KERNEL) && t->share > 0)
		f->share_pct = 100 * t->share;
	add_evidence(f, item, OVERVIEW_AGREES);
}

static bool is_by(const struct merge *m, const struct overview_finding *f, const char *names)
{
	for (size_t i = 0; i < f->evidence_count; i++)
		if (f->evidence[i].relation == OVERVIEW_AGREES && !f->evidence[i].confirms &&
		    !overview_lists(names, m->o->lenses[f->evidence[i].lens].name))
			return false;
	return true;
}

/* What it would bring, as a part of the run: of what the first lens says, and the largest that one says. What is not known is worth a look. */
static double score_of(const struct overview_finding *f, double most)
{
	double score = isnan(f->saved_pct) ? OVERVIEW_LEAST : (f->saved_pct / 100 + most) / 2;
	double later = isnan(f->cores) ? 0 : OVERVIEW_LATER * (1 - 1 / f->cores);
	if (f->kind == FINDING_GROWTH)
		score = isnan(f->grown_pct) ? OVERVIEW_LEAST : f->grown_pct / 100;
	if (!isnan(f->share_pct) && f->kind == FINDING_HOT)
		score = f->share_pct / 100;
	if (!isnan(f->share_pct) && f->kind == FINDING_KERNEL && isnan(f->saved_pct))
		score = fmax((f->share_pct / 100 - KERNEL_USUAL) / (1 - KERNEL_USUAL), 0);
	return fmax(overview_kinds[f->kind].weight * score, later);
}

static bool may_be_believed(enum finding_kind kind, enum finding_kind other)
{
	for (size_t i = 0; i < overview_join_count; i++)
		if (overview_joins[i].which == OVERVIEW_BELIEVED && overview_joins[i].kind == kind && overview_joins[i].other == other)
			return true;
	return false;
}

static void measure(struct merge *m, size_t finding)
{
	struct overview_finding *f = &m->list[finding];
	size_t count, *list = members(m, finding, &count);
	f->is_effect = is_effect(m, finding);
	for (size_t i = 0; i < count; i++) {
		const struct finding_tag *t = &m->items[list[i]].tag;
		if (t->confirms || !has_subject(m, t))
			continue;
		if (may_be_believed(f->kind, t->kind))
			f->kind = t->kind;
		break;
	}
	f->routine = f->within = OVERVIEW_NONE;
	f->saved_ns = f->of_ns = -1;
	f->saved_pct = f->cores = f->share_pct = f->grown_pct = NAN;
	for (size_t i = 0; i < count; i++)
		take(m, f, &m->items[list[i]]);
	free(list);
	f->score = score_of(f, largest_part(m, finding));
	if (f->saved_pct < 100 * OVERVIEW_LEAST && f->score >= OVERVIEW_LEAST && !isnan(f->cores))
		f->saved_pct = NAN; /* what it limits is the program on more cores */
}

/* What the span says is about the time in which the program works. */
static void shrink(struct merge *m)
{
	double outside = 0;
	for (size_t f = 0; f < m->list_count; f++)
		if (m->list[f].kind == FINDING_OUTSIDE && m->list[f].saved_pct > outside)
			outside = m->list[f].saved_pct;
	for (size_t f = 0; f < m->list_count; f++)
		if (m->list[f].kind != FINDING_OUTSIDE && is_by(m, &m->list[f], "span")) {
			m->list[f].saved_pct *= fmax(1 - outside / 100, 0);
			m->list[f].score *= fmax(1 - outside / 100, 0);
		}
}

/* ---- rules ---- */

/* What comes from outside may come sooner: a lens that replays the run cannot know. */
static bool waits_outside(const struct merge *m, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding && m->items[i].tag.outside)
			return true;
	return false;
}

static bool fits(const struct merge *m, size_t finding, const struct overview_rule *r, const struct overview_item *item)
{
	const struct overview_finding *f = &m->list[finding];
	if (item->tag.kind != r->other || !overview_lists(r->by, m->o->lenses[item->lens].name) ||
	    !overview_lists(r->kinds, finding_names[f->kind]) || item->tag.harmless != (r->about == OVERVIEW_HARMLESS) ||
	    (item->tag.harmless && waits_outside(m, finding)))
		return false;
	if (r->about == OVERVIEW_HELD && !item->tag.outside)
		return false;
	return is_by(m, f, r->lenses) &&
		(r->about == OVERVIEW_RUN || r->about == OVERVIEW_HELD || is_about_finding(m, &item->tag, finding));
}

static void apply(struct merge *m, size_t finding, const struct overview_rule *r, size_t item)
{
	struct overview_finding *f = &m->list[finding];
	const struct overview_item *by = &m->items[item];
	const char *lens = m->o->lenses[by->lens].name;
	add_evidence(f, by, r->relation);
	MEMORY_GROW(f->remarks, f->remark_count, f->remark_room);
	f->remarks[f->remark_count++] = overview_fill(m->o, r->remark, overview_who(m->o, same(m, by->tag.routine)), by->tag.object,
	                                              by->tag.words ? by->tag.words : "", lens);
	if (isnan(f->grown_pct) && by->tag.grown > 0) {
		f->grown_pct = 100 * by->tag.grown;
		f->share_pct = 100 * by->tag.share;
	}
	if (r->keeps <= 0) {
		f->saved_pct = NAN;
		f->score = isnan(f->cores) ? 0 : OVERVIEW_LATER * (1 - 1 / f->cores);
	}
	f->score *= r->keeps < 1 && r->keeps > 0 ? r->keeps : 1;
	if (r->about == OVERVIEW_SAME)
		m->used[item] = true;
}

static void apply_rules(struct merge *m, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		for (size_t r = 0; r < overview_rule_count && m->of[i] != finding; r++)
			if (fits(m, finding, &overview_rules[r], &m->items[i])) {
				apply(m, finding, &overview_rules[r], i);
				break;
			}
}

/* What is hot is worth a sentence where the cores are busy with it: else there are better things to do. */
static bool is_worth_it(const struct merge *m, const struct overview_finding *f)
{
	bool is_fine = false, saves = false;
	for (size_t i = 0; i < m->count; i++)
		is_fine |= m->items[i].lens == OVERVIEW_IDLE && m->items[i].tag.kind == FINDING_FINE;
	for (size_t i = 0; i < m->list_count; i++)
		saves |= m->list[i].score >= 0 && m->list[i].saved_pct >= 100 * OVERVIEW_LATER;
	return f->kind != FINDING_HOT || is_fine || !saves;
}

/* An effect is all that is known where no cause was found. */
static bool has_causes(const struct merge *m)
{
	for (size_t i = 0; i < m->list_count; i++)
		if (!m->list[i].is_effect && m->list[i].score >= OVERVIEW_LEAST)
			return true;
	return false;
}

/* ---- all of it ---- */

static int by_score(const void *a, const void *b)
{
	const struct overview_finding *x = a, *y = b;
	return x->score > y->score ? -1 : x->score < y->score;
}

static bool is_used_up(const struct merge *m, size_t finding)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->of[i] == finding && !m->used[i])
			return false;
	return true;
}

static void drop(struct overview_finding *f)
{
	free(f->evidence);
	free(f->remarks);
	*f = (struct overview_finding){.score = -1};
}

/* From the largest finding on: what was used for it is no finding by itself. */
static void relate(struct merge *m)
{
	bool *done = memory_zeroed(m->list_count + 1, sizeof *done);
	for (size_t n = 0; n < m->list_count; n++) {
		size_t next = NO_FINDING;
		for (size_t f = 0; f < m->list_count; f++)
			if (!done[f] && (next == NO_FINDING || m->list[f].score > m->list[next].score))
				next = f;
		done[next] = true;
		if (is_used_up(m, next) || (m->list[next].is_effect && has_causes(m)) || !is_worth_it(m, &m->list[next]))
			drop(&m->list[next]);
		else
			apply_rules(m, next);
	}
	free(done);
}

static void keep(struct merge *m)
{
	struct overview *o = m->o;
	size_t kept = 0;
	if (m->list_count)
		qsort(m->list, m->list_count, sizeof *m->list, by_score);
	while (kept < m->list_count && m->list[kept].score >= OVERVIEW_LEAST)
		kept++;
	o->finding_all = kept;
	o->finding_count = kept < OVERVIEW_MOST ? kept : OVERVIEW_MOST;
	for (size_t f = o->finding_count; f < m->list_count; f++)
		drop(&m->list[f]);
	o->findings = m->list;
	o->finding_room = m->list_room;
	for (size_t f = 0; f < o->finding_count; f++) {
		struct overview_finding *found = &o->findings[f];
		found->saved_ns = isnan(found->saved_pct) ? -1 : number_whole(found->saved_pct / 100 * (double)found->of_ns);
		overview_word(o, found);
	}
}

void overview_merge(struct overview *overview, const struct overview_item *items, size_t count)
{
	struct merge m = {overview, items, count, memory_zeroed(count + 1, sizeof *m.of), memory_zeroed(count + 1, sizeof *m.used),
	                  NULL,     0,     0};
	group(&m);
	for (size_t f = 0; f < m.list_count; f++)
		measure(&m, f);
	shrink(&m);
	relate(&m);
	keep(&m);
	free(m.of);
	free(m.used);
}
