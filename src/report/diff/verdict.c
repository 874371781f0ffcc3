/* SPDX-License-Identifier: MIT */
/* verdict.c: what a diff says in sentences: what got worse, what got better, what is new or gone, and what cannot be known. */
#include <math.h>
#include <string.h>

#include "base/strv.h"
#include "base/text.h"
#include "report/diff/diff.h"

enum { NAMED = 3 };

static bool is_said(const struct diff *d, const struct diff_row *row, enum diff_verdict verdict)
{
	return row->side + 1 == d->side_count && row->verdict == verdict;
}

/* "the direct time of parse (a.c:12)" */
static const char *what_of(struct pool *pool, const struct diff *d, const struct diff_row *row)
{
	const struct diff_place *place = diff_place(d, row);
	const char *name = diff_name(d, row), *where = text_place(pool, place->file, place->line > 0 ? (uint32_t)place->line : 0);
	if (!*name)
		return row->figure->words;
	bool has_place = *where && place->line > 0;
	return pool_print(pool, "%s of %s%s%s%s", row->figure->words, name, has_place ? " (" : "", has_place ? where : "",
	                  has_place ? ")" : "");
}

static const char *pct_text(struct pool *pool, double pct)
{
	return isfinite(pct) ? pool_print(pool, " (%s)", diff_percent(pool, pct)) : "";
}

static const char *sentence(struct pool *pool, const struct diff *d, const struct diff_row *row)
{
	enum unit unit = row->figure->unit;
	const char *level = !row->is_sure || strcmp(row->sure, "exact") == 0 ? "" : pool_print(pool, ", confidence %s", row->sure);
	return pool_print(pool, "%s, %s to %s%s%s", what_of(pool, d, row), diff_value(pool, unit, &row->old),
	                  diff_value(pool, unit, &row->new), pct_text(pool, row->pct), level);
}

/* The figures that got worse, or better: the first one of the run, the one with the largest part in it, the others by their number. Those
 * that are not sure come in a sentence of their own. */
static size_t say_changes(const struct diff *d, enum diff_verdict verdict, bool sure, struct findings *to)
{
	struct pool pool = {0};
	const struct diff_row *of_run = NULL, *most = NULL;
	size_t count = 0;
	for (size_t i = 0; i < d->row_count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!is_said(d, row, verdict) || row->is_sure != sure)
			continue;
		of_run = of_run || row->group ? of_run : row;
		most = most || !row->group ? most : row;
		count++;
	}
	const char *word = verdict == DIFF_IS_WORSE ? "worse" : "better", *text = "";
	size_t more = count - (of_run != NULL) - (most != NULL);
	if (of_run)
		text = sentence(&pool, d, of_run);
	if (most)
		text = pool_print(&pool, "%s%s%s", text, *text ? "; most in " : "", sentence(&pool, d, most));
	if (count)
		findings_add(to, sure ? "Got %s: %s%s." : "May have got %s: %s%s.", word, text,
		             more ? pool_print(&pool, "; and %zu more figure%s", more, text_s(more)) : "");
	pool_free(&pool);
	return count;
}

/* Routines, objects and the like, each once, of those tables in which a row is not one of thousands of contexts. */
static bool is_first_of_slot(const struct diff *d, size_t at, enum diff_verdict verdict)
{
	const struct diff_row *row = &d->rows[at];
	const struct diff_table *table = d->groups[row->group].table;
	if (!is_said(d, row, verdict) || table->shape == DIFF_TREE)
		return false;
	if (verdict == DIFF_IS_NEW || verdict == DIFF_IS_GONE)
		return row->is_first;
	return true;
}

static size_t say_group(const struct diff *d, size_t group, enum diff_verdict verdict, const char *words, struct findings *to)
{
	struct pool pool = {0};
	size_t count = 0;
	const char *names = "";
	for (size_t i = 0; i < d->row_count; i++) {
		if (d->rows[i].group != group || !is_first_of_slot(d, i, verdict))
			continue;
		if (count++ < NAMED)
			names = pool_print(&pool, "%s%s%s", names, *names ? ", " : "", diff_name(d, &d->rows[i]));
	}
	const char *what = d->groups[group].table->what;
	if (count > NAMED)
		findings_add(to, "%s: %zu %ss, such as %s.", words, count, what, names);
	else if (count)
		findings_add(to, "%s: %s%s %s.", words, what, text_s(count), names);
	pool_free(&pool);
	return count;
}

static void say_renamed(const struct diff *d, struct findings *to)
{
	size_t moved = 0;
	for (size_t i = 0; i < d->row_count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (is_said(d, row, DIFF_IS_RENAMED))
			findings_add(to, "Renamed: %s is now %s (by its place).", row->old.text, row->new.text);
		else if (is_said(d, row, DIFF_IS_INLINED) && row->figure)
			continue;
		else if (is_said(d, row, DIFF_IS_INLINED) && row->new.kind == CELL_TEXT)
			findings_add(to, "Inlined: %s is now part of %s, which has its cost.", diff_name(d, row), row->new.text);
		else if (is_said(d, row, DIFF_IS_INLINED))
			findings_add(to, "No longer inlined: %s was part of %s, which had its cost.", diff_name(d, row), row->old.text);
		else
			moved += is_said(d, row, DIFF_IS_MOVED);
	}
	if (moved)
		findings_add(to, "Moved: %zu routine%s on other lines, and compared as the same (--view same).", moved,
		             moved == 1 ? " is" : "s are");
}

static bool has_unsure(const struct diff *d)
{
	for (size_t i = 0; i < d->row_count; i++)
		if (d->rows[i].figure && !d->rows[i].is_sure && d->rows[i].verdict <= DIFF_IS_BETTER)
			return true;
	return false;
}

static size_t runs_of(const struct diff *d, size_t side)
{
	size_t count = 0;
	for (size_t i = 0; i < d->recording_count; i++)
		count += d->recordings[i].side == side;
	return count;
}

static size_t fewest_runs(const struct diff *d)
{
	size_t fewest = runs_of(d, 0);
	for (size_t s = 1; s < d->side_count; s++)
		fewest = runs_of(d, s) < fewest ? runs_of(d, s) : fewest;
	return fewest;
}

void diff_judge(const struct diff *d, struct findings *verdict, struct findings *caveats)
{
	static const char *const words[] = {[DIFF_IS_NEW] = "New", [DIFF_IS_GONE] = "Gone"};
	size_t worse = say_changes(d, DIFF_IS_WORSE, true, verdict);
	bool is_single = fewest_runs(d) < 2;
	if (!worse)
		findings_add(verdict, is_single && has_unsure(d) ? "Nothing got worse for sure." : "Nothing got worse.");
	say_changes(d, DIFF_IS_BETTER, true, verdict);
	if (is_single) {
		say_changes(d, DIFF_IS_WORSE, false, verdict);
		say_changes(d, DIFF_IS_BETTER, false, verdict);
	}
	for (enum diff_verdict v = DIFF_IS_NEW; v <= DIFF_IS_GONE; v++)
		for (size_t group = 0; group < d->group_count; group++)
			say_group(d, group, v, words[v], verdict);
	say_renamed(d, verdict);
	if (is_single && has_unsure(d))
		findings_add(caveats,
		             "A side has one run, so Skein cannot know whether a difference in time is real. Record both programs several "
		             "times in turns: skein record %s --repeat 10 --against ./old -- ./new.",
		             d->lens->name);
	else if (!is_single)
		findings_add(
			caveats,
			"Each of the measured figures is judged by its runs (Welch's test, with Holm's correction for the %zu that were tested); "
			"figures below %.0f %% of the whole are not tested.",
			d->tested, DIFF_TESTED_PCT);
	if (d->unsteady)
		findings_add(
			caveats,
			"%zu figure%s that should be the same in every run %s between runs of a side; they are judged as measured ones.",
			d->unsteady, text_s(d->unsteady), d->unsteady == 1 ? "differs" : "differ");
}
