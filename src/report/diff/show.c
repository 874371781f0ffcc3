/* SPDX-License-Identifier: MIT */
/* show.c: the rows of a diff as a sheet. */
#include "report/diff/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/view.h"

enum { ROWS_OF_A_KIND = 10 };
#define EXPLAINS 0.9 /* of its parent's change: text shows the context in which it happens, not all those above */

/* What --view shows. */
const char *const diff_views[] = {"all", "run", "worse", "better", "new", "gone", "same", "other", NULL};

bool diff_knows_view(const char *name)
{
	for (size_t i = 0; diff_views[i]; i++)
		if (strcmp(diff_views[i], name) == 0)
			return true;
	return false;
}

static bool is_in_view(const struct diff_row *row, const char *view)
{
	enum diff_verdict v = row->verdict;
	if (!view || strcmp(view, "all") == 0)
		return true;
	if (strcmp(view, "run") == 0)
		return row->group == 0;
	if (strcmp(view, "same") == 0)
		return v == DIFF_IS_RENAMED || v == DIFF_IS_INLINED || v == DIFF_IS_MOVED;
	return strcmp(diff_verdicts[v], view) == 0;
}

struct showing {
	const struct diff *diff;
	const struct diff_ask *ask;
	struct sheet *sheet;
	bool *is_explained; /* rows whose change is that of a row below them */
};

struct shown {
	const struct showing *by;
	const struct diff_row *row;
};

static const char *sure_text(struct pool *pool, const struct diff_row *row)
{
	double p = row->p;
	return strcmp(row->sure, "exact") == 0 || strcmp(row->sure, "no") == 0 || isnan(p)
		? row->sure
		: pool_print(pool, "%.1f %%", 100 * strtod(row->sure, NULL));
}

static enum unit unit_of(const struct diff_row *row)
{
	return row->figure ? row->figure->unit : UNIT_ID;
}

static const char *shown_value(struct pool *pool, const struct diff_row *row, const struct cell *cell)
{
	if (unit_of(row) == UNIT_ID && cell->kind == CELL_NUMBER)
		return pool_print(pool, "%ld", (long)cell->number);
	return diff_value(pool, unit_of(row), cell);
}

static const char *where_of(struct pool *pool, const struct diff *d, const struct diff_row *row)
{
	const struct diff_place *place = diff_place(d, row);
	return place->line > 0 ? text_place(pool, place->file, (uint32_t)place->line) : "";
}

/* Text has the columns of the sides between the first and the last. */
static void put_between(struct sheet *s, const struct shown *r, const struct diff *d)
{
	for (size_t side = 1; side + 1 < d->side_count; side++) {
		struct cell cell = r->row ? diff_at(d, r->row, side) : (struct cell){.kind = CELL_EMPTY};
		COLUMN(s, FIGURE, NULL, d->sides[side].label,
		       ((struct cell){.kind = CELL_TEXT, .text = shown_value(&s->pool, r->row, &cell)}));
	}
}

#define CELL_OF_TEXT(string) ((struct cell){.kind = CELL_TEXT, .text = (string)})

static void put_row(struct sheet *s, const struct shown *r)
{
	const struct diff *d = r->by->diff;
	const struct diff_row *row = r->row;
	const struct diff_table *table = row ? d->groups[row->group].table : NULL;
	COLUMN(s, TEXT, "lens", NULL, d->lens->name);
	COLUMN(s, TEXT, "what", NULL, table->what);
	COLUMN(s, NAME, "routine", NULL, diff_routine_name(d, row));
	COLUMN(s, TEXT, "file", NULL, diff_place(d, row)->file);
	COLUMN(s, ID, "line", NULL, diff_place(d, row)->line);
	COLUMN(s, TEXT, "figure", NULL, row->figure_name);
	COLUMN(s, FIGURE, "old", NULL, row->old);
	COLUMN(s, FIGURE, "new", NULL, row->new);
	COLUMN(s, FIGURE, "change", NULL, row->change);
	COLUMN(s, PERCENT, "change_pct", NULL, row->pct);
	COLUMN(s, TEXT, "sure", NULL, row->sure);
	COLUMN(s, TEXT, "verdict", NULL, diff_verdicts[row->verdict]);
	COLUMN(s, TEXT, "name", NULL, diff_name(d, row));
	COLUMN(s, PERCENT, "of_all_pct", NULL, row->of_all);
	COLUMN(s, ID, "depth", NULL, table->shape == DIFF_TREE ? (int64_t)d->groups[row->group].slots[row->slot].depth : RUN_UNKNOWN);
	COLUMN(s, TEXT, "old_recording", NULL, d->sides[0].label);
	COLUMN(s, TEXT, "new_recording", NULL, d->sides[row->side].label);
	COLUMN(s, TEXT, NULL, "", diff_verdicts[row->verdict]);
	COLUMN(s, TEXT, NULL, "of", table->what, .drop = 5);
	COLUMN(s, NAME, NULL, "name", diff_name(d, row));
	COLUMN(s, TEXT, NULL, "figure", row->figure_name);
	COLUMN(s, FIGURE, NULL, "old", CELL_OF_TEXT(shown_value(&s->pool, row, &row->old)));
	put_between(s, r, d);
	COLUMN(s, FIGURE, NULL, "new", CELL_OF_TEXT(shown_value(&s->pool, row, &row->new)));
	COLUMN(s, FIGURE, NULL, "change", CELL_OF_TEXT(diff_percent(&s->pool, row->pct)));
	COLUMN(s, FIGURE, NULL, "of all", CELL_OF_TEXT(diff_percent(&s->pool, row->of_all)), .drop = 4,
	       .meaning = "the change as a share of the whole, such as the direct time of all routines");
	COLUMN(s, TEXT, NULL, "sure", sure_text(&s->pool, row), .meaning = "exact; the confidence that the difference is real; or no");
	COLUMN(s, TEXT, NULL, "where", where_of(&s->pool, d, row), .drop = 2);
}

/* ---- which rows ---- */

/* Of a tree: a row whose change is mostly that of one child, or what is new below something new. */
static void explain(struct showing *w)
{
	const struct diff *d = w->diff;
	w->is_explained = memory_zeroed(d->row_count + 1, sizeof *w->is_explained);
	for (size_t g = 0; g < d->group_count; g++) {
		const struct diff_group *group = &d->groups[g];
		if (group->table->shape != DIFF_TREE)
			continue;
		size_t *at = memory_zeroed(group->slot_count * group->figure_count + 1, sizeof *at); /* row + 1 */
		for (size_t i = 0; i < d->row_count; i++)
			if (d->rows[i].group == g && d->rows[i].side + 1 == d->side_count && d->rows[i].figure)
				at[d->rows[i].slot * group->figure_count + (size_t)(d->rows[i].figure - group->table->figures)] = i + 1;
		for (size_t i = 0; i < group->slot_count * group->figure_count; i++) {
			uint32_t parent = group->slots[i / group->figure_count].parent;
			size_t above = parent ? at[(parent - 1) * group->figure_count + i % group->figure_count] : 0;
			if (!at[i] || !above)
				continue;
			const struct diff_row *row = &d->rows[at[i] - 1], *upper = &d->rows[above - 1];
			if (row->verdict == upper->verdict && row->verdict <= DIFF_IS_BETTER && row->weight >= EXPLAINS * upper->weight)
				w->is_explained[above - 1] = true;
			if (row->verdict == upper->verdict && (row->verdict == DIFF_IS_NEW || row->verdict == DIFF_IS_GONE))
				w->is_explained[at[i] - 1] = true;
		}
		free(at);
	}
}

static bool matches(const struct showing *w, const struct diff_row *row)
{
	const char *asked = w->ask->routine;
	return !asked || view_matches(asked, diff_routine_name(w->diff, row)) || view_matches(asked, diff_name(w->diff, row));
}

/* Text leaves out what says nothing new: see --csv. */
static bool is_worth_text(const struct showing *w, size_t at)
{
	const struct diff_row *row = &w->diff->rows[at];
	if (row->side + 1 != w->diff->side_count || w->is_explained[at])
		return false;
	if (w->diff->tested && row->verdict <= DIFF_IS_BETTER && !row->is_sure)
		return false;
	if (row->verdict == DIFF_IS_INLINED && row->figure)
		return false;
	if (row->verdict == DIFF_IS_MOVED && !w->ask->view)
		return false;
	if ((row->verdict == DIFF_IS_NEW || row->verdict == DIFF_IS_GONE) && !row->is_first)
		return false;
	return row->verdict != DIFF_IS_OTHER || row->group == 0 || (w->ask->view && strcmp(w->ask->view, "other") == 0);
}

/* ---- all of it ---- */

static void put_rows(struct showing *w)
{
	const struct diff *d = w->diff;
	bool is_text = w->ask->form == REPORT_TEXT;
	size_t of_kind = 0, left_out = 0, most = w->ask->top < 0 ? (is_text ? ROWS_OF_A_KIND : 0) : (size_t)w->ask->top;
	int last = -1;
	if (!w->sheet->row_count && !w->sheet->column_count)
		put_row(w->sheet, &(struct shown){.by = w});
	if (is_text)
		explain(w);
	for (size_t i = 0; i < d->row_count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!is_in_view(row, w->ask->view) || !matches(w, row) || (is_text && !is_worth_text(w, i)))
			continue;
		of_kind = last == (int)row->verdict ? of_kind + 1 : 1;
		if (most && of_kind > most) {
			left_out++;
			continue;
		}
		sheet_row(w->sheet, 0);
		put_row(w->sheet, &(struct shown){.by = w, .row = row});
		if (last != (int)row->verdict)
			sheet_gap(w->sheet, w->sheet->row_count - 1);
		last = (int)row->verdict;
	}
	if (left_out)
		w->sheet->legend = pool_print(&w->sheet->pool, "%zu more row%s (--top 0 shows all, --csv those of all figures).", left_out,
		                              text_s(left_out));
	free(w->is_explained);
	w->is_explained = NULL;
}

static void judge(const struct diff *d, struct findings *verdict, struct findings *caveats, bool names_lens)
{
	struct findings own = {0}, doubts = {0};
	diff_judge(d, &own, &doubts);
	for (size_t i = 0; i < own.count; i++)
		findings_add(verdict, "%s%s%s", names_lens ? d->lens->name : "", names_lens ? ": " : "", own.lines[i]);
	for (size_t i = 0; i < doubts.count; i++)
		findings_add(caveats, "%s%s%s", names_lens ? d->lens->name : "", names_lens ? ": " : "", doubts.lines[i]);
	findings_free(&own);
	findings_free(&doubts);
}

void diff_sheet(const struct diff *diffs, size_t count, const struct diff_ask *ask, struct sheet *sheet, struct findings *verdict,
                struct findings *caveats)
{
	for (size_t i = 0; i < count; i++) {
		struct showing w = {.diff = &diffs[i], .ask = ask, .sheet = sheet};
		put_rows(&w);
		judge(&diffs[i], verdict, caveats, count > 1 && ask->form != REPORT_TEXT);
	}
}

static void print(FILE *file, const struct diff *diffs, size_t count, const struct diff_ask *ask)
{
	struct findings verdict = {0}, caveats = {0};
	struct sheet sheet;
	bool is_text = ask->form == REPORT_TEXT;
	sheet_start(&sheet, is_text);
	sheet.is_text = is_text;
	sheet.pour = ask->form == REPORT_CSV ? file : NULL;
	diff_sheet(diffs, count, ask, &sheet, &verdict, &caveats);
	if (is_text && !sheet.row_count)
		sheet.column_count = 0;
	struct page page = {.lens = count == 1 ? diffs->lens->name : "all",
	                    .view = ask->view ? ask->view : "all",
	                    .verdict = verdict.lines,
	                    .verdict_count = verdict.count,
	                    .caveats = caveats.lines,
	                    .caveat_count = caveats.count,
	                    .sheet = &sheet};
	if (ask->form == REPORT_CSV)
		out_csv(file, &page);
	else if (ask->form == REPORT_JSON)
		out_json(file, &page);
	else
		out_text(file, &page, report_width(file), report_colour(file));
	findings_free(&verdict);
	findings_free(&caveats);
	sheet_free(&sheet);
}

int diff_show(FILE *file, const struct diff *diffs, size_t count, const struct diff_ask *ask, struct fail *why)
{
	if (ask->form != REPORT_TEXT)
		print(file, diffs, count, ask);
	for (size_t i = 0; ask->form == REPORT_TEXT && i < count; i++) {
		if (count > 1)
			fprintf(file, "%s%s  %s\n", i ? "\n" : "", diffs[i].lens->name, diffs[i].lens->question);
		print(file, &diffs[i], 1, ask);
	}
	if (fflush(file) != 0 || ferror(file))
		return fail_set(why, FAIL_INTERNAL, "cannot write the diff: no space left, or the reader closed the pipe");
	return 0;
}
