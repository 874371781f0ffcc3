/* SPDX-License-Identifier: MIT */
/* bounds.c: figures of the whole program, speed-up bounds, and what would change them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/span/view.h"
#include "report/summary.h"

const struct column view_span_summary_columns[VIEW_SPAN_summary_COLUMNS] = {
	SUMMARY_COLUMNS,
};

void view_span_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	static const char *const event_names[RAW_SPAN_EVENTS] = {
		[RAW_SPAN_SPAWNS] = "spawns",        [RAW_SPAN_TASKS] = "tasks",   [RAW_SPAN_LOOPS] = "loops",
		[RAW_SPAN_THREADS] = "threads",      [RAW_SPAN_JOINED] = "joined", [RAW_SPAN_LOCKS] = "locks",
		[RAW_SPAN_CONDITIONS] = "conditions"};
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const struct run *run = spans->run;
	(void)ask;
	summary_count(s, "work", spans->work);
	summary_count(s, "span", spans->span);
	summary_real(s, "parallelism", spans_parallelism(spans));
	summary_count(s, "burdened_span", spans->burdened_span);
	summary_real(s, "burdened_parallelism", spans_burdened_parallelism(spans));
	summary_text(s, "clock", spans->clock);
	summary_count(s, "lost_events", run_lost_events(run));
	summary_count(s, "burden", spans->burden);
	for (int event = 0; event < RAW_SPAN_EVENTS; event++)
		summary_count(s, event_names[event], spans->events[event]);
	summary_count(s, "sites", spans->site_count);
	summary_count(s, "cores", spans->cores);
	summary_count(s, "program_work", spans->program_work);
	summary_count(s, "program_span", spans->program_span);
	summary_text(s, "under", spans->under);
	summary_count(s, "under_count", spans->under_count);
	summary_count(s, "processes", run->process_count);
	summary_count(s, "other_work", spans->other_work);
	summary_count(s, "wall_ns", run->wall_ns);
	summary_count(s, "cpu_ns", run->cpu_ns);
	summary_text(s, "mode", run->mode);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}

/* ---- speed-up ---- */

enum { OCTAVES = 8, ACROSS = 6, DOWN = 2, PLOT_WIDTH = OCTAVES * ACROSS + 1, PLOT_HEIGHT = OCTAVES * DOWN + 1 };

const struct column view_span_speedup_columns[VIEW_SPAN_speedup_COLUMNS] = {
	{"cores", "cores", COLUMN_COUNT, 0, NULL},
	{"linear", "linear", COLUMN_RATIO, 0, NULL},
	{"span", "span", COLUMN_RATIO, 0, "work divided by span, a limit for any number of cores"},
	{"greedy", "greedy", COLUMN_RATIO, 0,
         "reached at least by a scheduler that costs nothing and leaves no core idle while there is work"},
	{"burdened", "burdened", COLUMN_RATIO, 0, "estimate for a real scheduler, from the burdened span"},
};

/* Both axes are logarithmic: an octave is ACROSS columns or DOWN lines. Where curves meet, the lowest is shown. */
static void draw_curves(const struct spans *spans, char plot[PLOT_HEIGHT][PLOT_WIDTH + 1])
{
	static const char marks[SPANS_BOUNDS] = {[SPANS_LINEAR] = '.', [SPANS_SPAN] = 's', [SPANS_GREEDY] = 'g', [SPANS_BURDENED] = 'b'};
	for (int row = 0; row < PLOT_HEIGHT; row++) {
		memset(plot[row], ' ', PLOT_WIDTH);
		plot[row][PLOT_WIDTH] = 0;
	}
	for (int bound = 0; bound < SPANS_BOUNDS; bound++)
		for (int column = 0; column < PLOT_WIDTH; column++) {
			double height = DOWN * log2(spans_bound(spans, (enum spans_bound)bound, exp2((double)column / ACROSS)));
			if (height > -0.5 && height < PLOT_HEIGHT - 0.5)
				plot[PLOT_HEIGHT - 1 - (int)(height + 0.5)][column] = marks[bound];
		}
}

static const char *draw_plot(struct pool *pool, const struct spans *spans)
{
	char plot[PLOT_HEIGHT][PLOT_WIDTH + 1];
	const char *text = "speed-up  (. linear, s span, g greedy, b burdened)\n";
	draw_curves(spans, plot);
	for (int row = 0; row < PLOT_HEIGHT; row++) {
		size_t length = PLOT_WIDTH;
		while (length && plot[row][length - 1] == ' ')
			plot[row][--length] = 0;
		const char *label = row % DOWN ? "" : pool_print(pool, "%d", 1 << (PLOT_HEIGHT - 1 - row) / DOWN);
		text = pool_print(pool, "%s%5s |%s%s\n", text, label, *plot[row] ? " " : "", plot[row]);
	}
	text = pool_print(pool, "%s      +-%.*s\n       ", text, PLOT_WIDTH, "-----------------------------------------------------------");
	for (int octave = 0; octave <= OCTAVES; octave++)
		text = pool_print(pool, "%s %-*d", text, octave < OCTAVES ? ACROSS - 1 : 0, 1 << octave);
	return pool_print(pool, "%s  cores\n", text);
}

void view_span_speedup(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	for (int cores = 1; cores <= 1 << OCTAVES; cores *= 2) {
		sheet_row(s, 0);
		sheet_number(s, cores);
		for (int bound = 0; bound < SPANS_BOUNDS; bound++)
			sheet_real(s, spans_bound(spans, (enum spans_bound)bound, cores));
	}
	if (!ask->all_rows)
		s->drawing = draw_plot(&s->pool, spans);
}

/* ---- what if ---- */

const struct column view_span_what_if_columns[VIEW_SPAN_what_if_COLUMNS] = {
	{"change", "change", COLUMN_TEXT, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"column", NULL, COLUMN_COUNT, 0, NULL},
	{"site", NULL, COLUMN_NAME, 0, NULL},
	{"factor", NULL, COLUMN_RATIO, 0, NULL},
	{"work", "work", COLUMN_AMOUNT, 2, NULL},
	{"span", "span", COLUMN_AMOUNT, 0, NULL},
	{"parallelism", "paral.", COLUMN_RATIO, 0, NULL},
	{"speedup_here", "here", COLUMN_RATIO, 0, NULL},
	{"speedup_infinite", "any", COLUMN_RATIO, 0, NULL},
	{"exact", NULL, COLUMN_COUNT, 0, NULL},
	{NULL, "site", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 1, NULL},
};

struct change {
	const char *what, *site;
	double factor, work, span;
	bool exact;
};

static void change_row(struct sheet *s, const struct spans *spans, const struct spans_site *site, const struct change *c)
{
	sheet_row(s, 0);
	sheet_text(s, c->what);
	sheet_text(s, site ? site->file : "");
	view_span_numbers(s, site);
	sheet_text(s, site ? view_span_pair(s, spans, site) : c->site);
	sheet_real(s, c->factor);
	sheet_number(s, (int64_t)(c->work + 0.5));
	sheet_number(s, (int64_t)(c->span + 0.5));
	sheet_real(s, c->span > 0 ? c->work / c->span : NAN);
	sheet_real(s, spans_gain(spans, c->work, c->span, (double)spans->cores));
	sheet_real(s, spans_gain(spans, c->work, c->span, 0));
	sheet_number(s, c->exact);
	sheet_text(s, site ? view_span_pair(s, spans, site) : *c->site ? pool_print(&s->pool, "%s x %g", c->site, c->factor) : "");
	sheet_text(s, site ? view_span_place(s, site) : "");
}

enum { WHAT_IF_SITES = 10 };

/* More than there is cannot be taken away, whatever a recording says. */
static double less(uint64_t whole, uint64_t part)
{
	return part < whole ? (double)(whole - part) : 0;
}

void view_span_what_if(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const struct spans_site **list = spans_by_local_span(spans);
	double work = (double)spans->work;
	change_row(s, spans, NULL, &(struct change){"as it is", "", NAN, work, (double)spans->span, true});
	for (size_t i = 0; i < spans->what_if_count; i++) {
		const struct spans_what_if *w = &spans->what_ifs[i];
		change_row(s, spans, NULL, &(struct change){"exact", w->site, w->factor, w->work, w->span, true});
	}
	for (size_t i = 0, shown = 0; i < spans->site_count && shown < WHAT_IF_SITES && spans_local(list[i]); i++) {
		if (!view_span_wants(spans, ask->routine, list[i]))
			continue;
		double span = less(spans->span, spans_local(list[i]));
		change_row(s, spans, list[i],
		           &(struct change){"free", "", 0, less(spans->work, list[i]->sums[SPANS_ON_WORK][SPAN_LOCAL].work), span, false});
		change_row(s, spans, list[i], &(struct change){"parallel", "", NAN, work, span, false});
		shown++;
	}
	free(list);
	s->legend = pool_print(
		&s->pool,
		"free: the callee itself, excluding its callees, costs nothing. parallel: its work stays, its span goes. Another path may become critical: the span of "
		"both is a lower bound. exact: scaled by a factor during the recording, including callees (`skein record span --what-if SITE=FACTOR`). here, any: the "
		"largest speed-up over one core of the program as it is, on %llu core%s and on any number of cores.",
		(unsigned long long)spans->cores, spans->cores == 1 ? "" : "s");
}
