/* SPDX-License-Identifier: MIT */
/* show.c: the overview as text, CSV and JSON. Tables are sheets, so that all three have the same numbers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/strv.h"
#include "base/text.h"
#include "report/overview/overview.h"

enum { ROWS_IN_TEXT = 10 };

const char *const overview_views[] = {"findings", "routines", "lenses", NULL};

bool overview_has_view(const char *name)
{
	for (const char *const *view = overview_views; *view; view++)
		if (strcmp(*view, name) == 0)
			return true;
	return false;
}

static const char *routine_name(const struct overview *o, uint32_t routine)
{
	return routine < o->routine_count ? o->routines[routine].name : "";
}

/* ---- findings ---- */

/* "idle span": the lenses of a relation. */
static const char *lens_list(struct pool *pool, const struct overview *o, const struct overview_finding *f, enum overview_relation relation)
{
	const char *list = "";
	for (size_t i = 0; f && i < f->evidence_count; i++)
		if (f->evidence[i].relation == relation)
			list = pool_print(pool, "%s%s%s", list, *list ? " " : "", o->lenses[f->evidence[i].lens].name);
	return list;
}

struct finding_row {
	const struct overview *o;
	const struct overview_finding *f;
	int64_t rank;
};

static const char *joined_remarks(struct pool *pool, const struct overview_finding *f)
{
	const char *all = "";
	for (size_t i = 0; f && i < f->remark_count; i++)
		all = pool_print(pool, "%s%s%s", all, *all ? " " : "", f->remarks[i]);
	return all;
}

static void put_finding(struct sheet *s, const struct finding_row *r)
{
	const struct overview_finding *f = r->f;
	const struct overview_routine *routine =
		f && f->routine != OVERVIEW_NONE ? &r->o->routines[f->routine] : &(struct overview_routine){.name = "", .file = ""};
	COLUMN(s, ID, "rank", NULL, r->rank);
	COLUMN(s, TEXT, "kind", "kind", finding_names[f->kind]);
	COLUMN(s, NS, "saved_ns", "saves", f->saved_ns, .meaning = "what mending it would save of the run, at best");
	COLUMN(s, NS, "of_ns", NULL, f->saved_ns >= 0 ? f->of_ns : -1);
	COLUMN(s, PERCENT, "saved_pct", NULL, f->saved_pct);
	COLUMN(s, RATIO, "cores", "cores", f->cores, .drop = 2,
	       .meaning = "factor by which mending it would raise the parallelism, at best");
	COLUMN(s, PERCENT, "share_pct", NULL, f->share_pct);
	COLUMN(s, PERCENT, "grown_pct", "at 10x%", f->grown_pct, .drop = 2, .meaning = "share of the cost at ten times the input");
	COLUMN(s, NAME, "routine", "routine", routine->name);
	COLUMN(s, TEXT, "file", NULL, routine->file);
	COLUMN(s, ID, "line", NULL, routine->line && *routine->file ? (int64_t)routine->line : -1);
	COLUMN(s, NAME, "within", NULL, routine_name(r->o, f->within));
	COLUMN(s, NAME, "object", "object", f->object ? f->object : "", .drop = 1);
	COLUMN(s, TEXT, "agree", "lenses", lens_list(&s->pool, r->o, f, OVERVIEW_AGREES));
	COLUMN(s, TEXT, "add", NULL, lens_list(&s->pool, r->o, f, OVERVIEW_ADDS));
	COLUMN(s, TEXT, "contradict", "against", lens_list(&s->pool, r->o, f, OVERVIEW_CONTRADICTS), .drop = 1);
	COLUMN(s, TEXT, "text", NULL, f->text);
	COLUMN(s, TEXT, "remarks", NULL, joined_remarks(&s->pool, f));
	COLUMN(s, TEXT, "command", NULL, f->command);
}

static void fill_findings(const struct overview *o, struct sheet *s)
{
	put_finding(s, &(struct finding_row){o, NULL, 0});
	for (size_t i = 0; i < o->finding_count; i++) {
		sheet_row(s, 0);
		put_finding(s, &(struct finding_row){o, &o->findings[i], (int64_t)i + 1});
	}
}

/* ---- routines by lenses ---- */

static const char *skew(struct sheet *s, const struct overview_routine *r)
{
	return r->paths_90 < 0 ? "" : pool_print(&s->pool, "%" PRId64 " of %" PRId64, r->paths_90, r->paths_executed);
}

static const char *growth_of(struct sheet *s, const struct overview_routine *r)
{
	if (!r->growth || !*r->growth || isnan(r->exponent))
		return r->growth ? r->growth : "";
	return strncmp(r->growth, "power", 5) == 0 ? pool_print(&s->pool, "n^%.2f", r->exponent) : r->growth;
}

static void put_routine(struct sheet *s, const struct overview_routine *r)
{
	COLUMN(s, NAME, "routine", NULL, r->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line && *r->file ? (int64_t)r->line : -1);
	COLUMN(s, COUNT, "calls", "calls", r->calls, .drop = 3);
	COLUMN(s, NS, "direct_ns", "direct", r->direct_ns, .meaning = "time excluding callees, sum over workers");
	COLUMN(s, PERCENT, "direct_pct", NULL, r->direct_pct);
	COLUMN(s, PERCENT, "span_pct", "span%", r->span_pct, .meaning = "share of the span, excluding callees");
	COLUMN(s, PERCENT, "idle_pct", "idle%", r->idle_pct, .meaning = "share of all idleness, excluding callees");
	COLUMN(s, NS, "wait_ns", "wait", r->wait_ns, .drop = 2, .meaning = "waiting, sum over threads");
	COLUMN(s, TEXT, "growth", NULL, r->growth ? r->growth : "");
	COLUMN(s, TEXT, NULL, "grows like", growth_of(s, r), .meaning = "cost by input size n");
	COLUMN(s, RATIO, "exponent", NULL, r->exponent);
	COLUMN(s, PERCENT, "cost_pct", NULL, r->cost_pct);
	COLUMN(s, PERCENT, "x10_pct", "x10%", r->x10_pct, .drop = 4,
	       .meaning = "share of the cost at ten times the input, including callees");
	COLUMN(s, COUNT, "paths_90", NULL, r->paths_90);
	COLUMN(s, COUNT, "paths_executed", NULL, r->paths_executed);
	COLUMN(s, PERCENT, "flow_pct", NULL, r->flow_pct);
	COLUMN(s, TEXT, NULL, "paths", skew(s, r), .drop = 1, .meaning = "so few have 90 % of its instructions, of so many executed");
	COLUMN(s, NAME, NULL, "routine", r->shown);
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->file, r->line), .drop = 5);
}

static void fill_routines(const struct overview *o, struct sheet *s)
{
	put_routine(s, &(struct overview_routine){0});
	for (size_t i = 0; i < o->row_count; i++) {
		sheet_row(s, 0);
		sheet_about(s, o->rows[i]);
		put_routine(s, &o->routines[o->rows[i]]);
	}
}

/* ---- lenses ---- */

static const char *first_line(const struct overview_lens *l)
{
	size_t first = l->openings < l->line_count ? l->openings : 0;
	return l->line_count ? l->lines[first] : "";
}

static void put_lens(struct sheet *s, const struct overview_lens *l)
{
	COLUMN(s, TEXT, "lens", "lens", l->name);
	COLUMN(s, TEXT, "recorded", "recorded", l->is_recorded ? "yes" : "no");
	COLUMN(s, NS, "wall_ns", "wall", l->is_recorded ? (int64_t)l->wall_ns : -1);
	COLUMN(s, TEXT, "command", "command", l->command);
	COLUMN(s, TEXT, "first", NULL, l->is_recorded ? first_line(l) : "");
}

static void fill_lenses(const struct overview *o, struct sheet *s)
{
	put_lens(s, &(struct overview_lens){0});
	for (size_t i = 0; i < OVERVIEW_LENSES; i++) {
		sheet_row(s, 0);
		put_lens(s, &o->lenses[i]);
	}
}

void overview_sheet(const struct overview *o, const char *view, struct sheet *s)
{
	if (strcmp(view, "routines") == 0)
		fill_routines(o, s);
	else if (strcmp(view, "lenses") == 0)
		fill_lenses(o, s);
	else
		fill_findings(o, s);
}

/* ---- text ---- */

static void put_sheet(struct sheet *sheet, FILE *file, unsigned width, bool colour)
{
	struct page page = {.lens = "overview", .view = "overview", .sheet = sheet};
	out_text(file, &page, width, colour);
}

static void text_finding(const struct overview_finding *f, size_t rank, FILE *file, unsigned width)
{
	char mark[32];
	snprintf(mark, sizeof mark, "%zu. ", rank);
	out_wrapped(file, mark, f->text, width);
	out_wrapped(file, "   ", f->agree, width);
	for (size_t i = 0; i < f->remark_count; i++)
		out_wrapped(file, "   ", f->remarks[i], width);
	struct pool pool = {0};
	fprintf(file, "   %s\n", escape_plain(&pool, f->command)); /* whole: to be copied */
	pool_free(&pool);
}

static void text_routines(const struct overview *o, FILE *file, unsigned width, bool colour)
{
	struct sheet sheet;
	struct pool pool = {0};
	if (!o->row_count)
		return;
	sheet_start(&sheet, true);
	sheet.is_text = true;
	fill_routines(o, &sheet);
	if (o->row_count > ROWS_IN_TEXT)
		sheet.legend = pool_print(&pool, "The first %d of %zu routines (skein report overview --view routines).", ROWS_IN_TEXT,
		                          o->row_count);
	sheet_top(&sheet, ROWS_IN_TEXT);
	fputs("Routines by lenses:\n", file);
	put_sheet(&sheet, file, width, colour);
	sheet_free(&sheet);
	pool_free(&pool);
	fputc('\n', file);
}

static void text_lenses(const struct overview *o, FILE *file, unsigned width)
{
	struct pool pool = {0};
	const char *path = escape_plain(&pool, o->path);
	size_t widest = 0;
	fprintf(file, "Lenses (skein report LENS %s shows all of one):\n", path);
	for (size_t i = 0; i < OVERVIEW_LENSES; i++)
		widest = strlen(o->lenses[i].name) > widest ? strlen(o->lenses[i].name) : widest;
	for (size_t i = 0; i < OVERVIEW_LENSES; i++) {
		const struct overview_lens *l = &o->lenses[i];
		const char *mark = pool_print(&pool, "%-*s  ", (int)widest, l->name);
		if (l->is_recorded)
			out_wrapped(file, mark, first_line(l), width);
		else
			fprintf(file, "%snot measured: %s\n", mark, escape_plain(&pool, l->command));
	}
	pool_free(&pool);
}

static void text_head(const struct overview *o, FILE *file, unsigned width)
{
	struct pool pool = {0};
	size_t recorded = 0;
	for (size_t i = 0; i < OVERVIEW_LENSES; i++)
		recorded += o->lenses[i].is_recorded;
	if (o->wall_of < OVERVIEW_LENSES)
		out_wrapped(file, "",
		            pool_print(&pool, "%s: %s (run of %s); %zu of %d lenses recorded", o->run_command,
		                       text_ns(&pool, (double)o->wall_ns), o->lenses[o->wall_of].name, recorded, OVERVIEW_LENSES),
		            width);
	for (size_t i = 0; i < o->opening_count; i++)
		out_wrapped(file, "", o->openings[i], width);
	fputc('\n', file);
	pool_free(&pool);
}

void overview_text(const struct overview *o, FILE *file, unsigned width, bool colour)
{
	text_head(o, file, width);
	if (o->none) {
		out_wrapped(file, "", o->none, width);
		fputc('\n', file);
	}
	for (size_t i = 0; i < o->finding_count; i++) {
		text_finding(&o->findings[i], i + 1, file, width);
		fputc('\n', file);
	}
	text_routines(o, file, width, colour);
	text_lenses(o, file, width);
}

/* ---- JSON ---- */

static void put_name(FILE *file, const char *indent, const char *name)
{
	fprintf(file, "%s\"%s\": ", indent, name);
}

static void put_text(FILE *file, const char *indent, const char *name, const char *text)
{
	put_name(file, indent, name);
	if (text)
		escape_json(file, text);
	else
		fputs("null", file);
}

static void put_texts(FILE *file, const char *indent, const char *name, const char *const *lines, size_t count)
{
	put_name(file, indent, name);
	fputc('[', file);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ", " : "", file);
		escape_json(file, lines[i]);
	}
	fputc(']', file);
}

static void put_cells(FILE *file, const struct sheet *sheet, size_t row)
{
	bool first = true;
	for (size_t c = 0; c < sheet->column_count; c++) {
		const struct column *column = &sheet->columns[c];
		const struct cell *cell = sheet_cell(sheet, row, c);
		if (!column->name)
			continue;
		fprintf(file, "%s\"%s\": ", first ? "" : ", ", column->name);
		if (cell->kind == CELL_EMPTY)
			fputs("null", file);
		else if (cell->kind == CELL_TEXT)
			escape_json(file, cell->text);
		else
			out_number(file, column, cell);
		first = false;
	}
}

static void json_evidence(const struct overview *o, const struct overview_finding *f, FILE *file)
{
	static const char *const relations[] = {"agrees", "adds", "contradicts"};
	fputs(", \"evidence\": [", file);
	for (size_t i = 0; i < f->evidence_count; i++) {
		const struct overview_evidence *e = &f->evidence[i];
		fprintf(file, "%s{\"lens\": \"%s\", \"relation\": \"%s\", ", i ? ", " : "", o->lenses[e->lens].name,
		        relations[e->relation]);
		put_text(file, "", "words", e->words);
		put_text(file, ", ", "sentence", e->sentence);
		fputc('}', file);
	}
	fputc(']', file);
}

/* Rows of a view, an object each; those of findings and lenses have more than the table. */
static void json_rows(const struct overview *o, const char *view, FILE *file)
{
	struct sheet sheet;
	bool is_finding = strcmp(view, "findings") == 0, is_lens = strcmp(view, "lenses") == 0;
	sheet_start(&sheet, false);
	overview_sheet(o, view, &sheet);
	fprintf(file, "  \"%s\": [", view);
	for (size_t r = 0; r < sheet.row_count; r++) {
		fputs(r ? ",\n    {" : "\n    {", file);
		put_cells(file, &sheet, r);
		if (is_finding) {
			const struct overview_finding *f = &o->findings[r];
			put_text(file, ", ", "advice", f->advice);
			put_text(file, ", ", "agreement", f->agree);
			put_texts(file, ", ", "remark_list", f->remarks, f->remark_count);
			json_evidence(o, f, file);
		}
		if (is_lens) {
			put_text(file, ", ", "question", o->lenses[r].question);
			put_texts(file, ", ", "verdict", o->lenses[r].lines, o->lenses[r].line_count);
		}
		fputc('}', file);
	}
	fputs(sheet.row_count ? "\n  ]" : "]", file);
	sheet_free(&sheet);
}

void overview_json(const struct overview *o, FILE *file)
{
	fputs("{\n  \"view\": \"overview\"", file);
	put_text(file, ",\n  ", "program", o->program);
	put_text(file, ",\n  ", "command", o->run_command);
	put_text(file, ",\n  ", "recording", o->path);
	put_name(file, ",\n  ", "wall_ns");
	if (o->wall_of < OVERVIEW_LENSES)
		fprintf(file, "%" PRIu64, o->wall_ns);
	else
		fputs("null", file);
	put_text(file, ",\n  ", "wall_of", o->wall_of < OVERVIEW_LENSES ? o->lenses[o->wall_of].name : NULL);
	put_texts(file, ",\n  ", "openings", o->openings, o->opening_count);
	put_text(file, ",\n  ", "none", o->none);
	fprintf(file, ",\n  \"findings_in_all\": %zu", o->finding_all);
	for (const char *const *view = overview_views; *view; view++) {
		fputs(",\n", file);
		json_rows(o, *view, file);
	}
	fputs("\n}\n", file);
}

/* ---- the report ---- */

static int refuse_view(const char *name, struct fail *why)
{
	const char *near = nearest(name, overview_views);
	if (near)
		return fail_set(why, FAIL_USAGE, "the overview has no view %.100s; did you mean %s?", name, near);
	return fail_set(why, FAIL_USAGE, "the overview has no view %.100s; its views are findings, routines and lenses", name);
}

static int report_view(const struct overview *o, const char *view, const struct report_ask *ask, FILE *file, struct fail *why)
{
	struct sheet sheet;
	int result = 0;
	sheet_start(&sheet, ask->form == REPORT_TEXT || ask->sort);
	sheet.is_text = ask->form == REPORT_TEXT;
	overview_sheet(o, view, &sheet);
	if (ask->sort)
		result = sheet_sort(&sheet, ask->sort, why);
	if (ask->view.top > 0)
		sheet_top(&sheet, (size_t)ask->view.top);
	struct page page = {.lens = "overview", .view = view, .sheet = &sheet};
	if (result == 0 && ask->form == REPORT_CSV)
		out_csv(file, &page);
	else if (result == 0 && ask->form == REPORT_JSON)
		out_json(file, &page);
	else if (result == 0)
		out_text(file, &page, report_width(file), report_colour(file));
	sheet_free(&sheet);
	return result;
}

int overview_report(struct store *store, const struct report_ask *ask, FILE *file, struct fail *why)
{
	struct overview o;
	int result = 0;
	if (ask->view_name && !overview_has_view(ask->view_name))
		return refuse_view(ask->view_name, why);
	if (overview_make(store, &o, why) < 0)
		return -1;
	if (ask->view_name || ask->form == REPORT_CSV || ask->sort)
		result = report_view(&o, ask->view_name ? ask->view_name : overview_views[0], ask, file, why);
	else if (ask->form == REPORT_JSON)
		overview_json(&o, file);
	else
		overview_text(&o, file, report_width(file), report_colour(file));
	overview_free(&o);
	if (result == 0 && (fflush(file) != 0 || ferror(file)))
		result = fail_set(why, FAIL_INTERNAL, "cannot write the report: no space left, or the reader closed the pipe");
	return result;
}
