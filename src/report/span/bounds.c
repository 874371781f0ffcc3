/* SPDX-License-Identifier: MIT */
/* bounds.c: figures of the whole program, speed-up bounds, and what would change them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "report/span/view.h"
#include "report/summary.h"

/* Figures that say what the parallelism is worth. */
static void put_doubts(struct sheet *s, const struct spans *spans)
{
	struct spans_waits waits = spans_waits(spans);
	double work, span;
	spans_modelled(spans, &work, &span);
	summary_real(s, "open_work_pct", 100 * spans_ratio(spans->open_work, spans->work));
	summary_count(s, "waited_ns", waits.waited_ns);
	summary_count(s, "alive_ns", waits.alive_ns);
	summary_real(s, "waited_pct", waits.percent);
	summary_real(s, "modelled_work_pct", work);
	summary_real(s, "modelled_span_pct", span);
}

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
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
	summary_count(s, "running", spans->running);
	summary_count(s, "open_work", spans->open_work);
	summary_count(s, "open_span", spans->open_span);
	put_doubts(s, spans);
	summary_count(s, "wall_ns", run->wall_ns);
	summary_count(s, "cpu_ns", run->cpu_ns);
	summary_count(s, "profiler_cpu_ns", run->own_cpu_ns);
	summary_count(s, "hook_ns", run->process_count ? (int64_t)run->processes[0].hook_ns : 0);
	summary_count(s, "calls", spans_calls(spans));
	summary_run(s, run);
}

const struct view view_span_summary = {
	.name = "summary",
	.help = "all figures of the run, one per row",
	.fill = fill_summary,
};

/* ---- speed-up ---- */

enum { OCTAVES = 8, ACROSS = 6, DOWN = 2, PLOT_WIDTH = OCTAVES * ACROSS + 1, PLOT_HEIGHT = OCTAVES * DOWN + 1 };

struct bound_row {
	const struct spans *spans;
	int cores;
};

static double bound(const struct bound_row *r, enum spans_bound kind)
{
	return spans_bound(r->spans, kind, r->cores);
}

static void put_bounds(struct sheet *s, const struct bound_row *r)
{
	COLUMN(s, COUNT, "cores", "cores", r->cores);
	COLUMN(s, RATIO, "linear", "linear", bound(r, SPANS_LINEAR));
	COLUMN(s, RATIO, "span", "span", bound(r, SPANS_SPAN), .meaning = "work divided by span, a limit for any number of cores");
	COLUMN(s, RATIO, "greedy", "greedy", bound(r, SPANS_GREEDY),
	       .meaning = "reached at least by a scheduler that costs nothing and leaves no core idle while there is work");
	COLUMN(s, RATIO, "burdened", "burdened", bound(r, SPANS_BURDENED),
	       .meaning = "estimate for a real scheduler, from the burdened span");
}

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
				plot[PLOT_HEIGHT - 1 - number_within(height + 0.5, 0, PLOT_HEIGHT - 1)][column] = marks[bound];
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

static void fill_speedup(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	put_bounds(s, &(struct bound_row){0});
	for (int cores = 1; cores <= 1 << OCTAVES; cores *= 2) {
		sheet_row(s, 0);
		put_bounds(s, &(struct bound_row){spans, cores});
	}
	if (!ask->all_rows)
		s->drawing = draw_plot(&s->pool, spans);
}

const struct view view_span_speedup = {
	.name = "speedup",
	.help = "bounds on the speed-up for 1 to 256 cores",
	.fill = fill_speedup,
	.draw = view_span_draw_speedup,
};

/* ---- what if ---- */

struct change {
	const struct spans *spans;
	const struct spans_site *is; /* the site that is changed, or NULL: it has a name, or none */
	const char *what, *site;
	double factor, work, span;
	bool exact;
};

static const char *site_text(struct sheet *s, const struct change *r)
{
	if (r->is)
		return view_span_pair(s, r->spans, r->is);
	return *r->site ? pool_print(&s->pool, "%s x %g", r->site, r->factor) : "";
}

static void put_change(struct sheet *s, const struct change *r)
{
	COLUMN(s, TEXT, "change", "change", r->what);
	COLUMN(s, TEXT, "file", NULL, r->is ? r->is->file : "");
	COLUMN(s, ID, "line", NULL, view_span_line(r->is));
	COLUMN(s, ID, "column", NULL, view_span_column(r->is));
	COLUMN(s, NAME, "site", NULL, r->is ? view_span_pair(s, r->spans, r->is) : r->site);
	COLUMN(s, RATIO, "factor", NULL, r->factor);
	COLUMN(s, COUNT, "work", "work", number_whole(r->work + 0.5), .drop = 2);
	COLUMN(s, COUNT, "span", "span", number_whole(r->span + 0.5));
	COLUMN(s, RATIO, "parallelism", "paral.", r->span > 0 ? r->work / r->span : NAN);
	COLUMN(s, RATIO, "speedup_here", "here", spans_gain(r->spans, r->work, r->span, (double)r->spans->cores));
	COLUMN(s, RATIO, "speedup_infinite", "any", spans_gain(r->spans, r->work, r->span, 0));
	COLUMN(s, COUNT, "exact", NULL, r->exact);
	COLUMN(s, NAME, NULL, "site", site_text(s, r));
	COLUMN(s, TEXT, NULL, "where", r->is ? view_span_place(s, r->is) : "", .drop = 1);
}

static void add_change(struct sheet *s, struct change change)
{
	sheet_row(s, 0);
	put_change(s, &change);
}

enum { WHAT_IF_SITES = 10 };

/* More than there is cannot be taken away, whatever a recording says. */
static double less(uint64_t whole, uint64_t part)
{
	return part < whole ? (double)(whole - part) : 0;
}

static void fill_what_if(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct spans *spans = &((const struct span_data *)data)->spans;
	const struct spans_site **list = spans_by_local_span(spans);
	double work = (double)spans->work;
	put_change(s, &(struct change){0});
	add_change(s, (struct change){spans, NULL, "as it is", "", NAN, work, (double)spans->span, true});
	for (size_t i = 0; i < spans->what_if_count; i++) {
		const struct spans_what_if *w = &spans->what_ifs[i];
		add_change(s, (struct change){spans, NULL, "exact", w->site, w->factor, w->work, w->span, true});
	}
	for (size_t i = 0, shown = 0; i < spans->site_count && shown < WHAT_IF_SITES && spans_local(list[i]); i++) {
		if (!view_span_wants(spans, ask->routine, list[i]))
			continue;
		double span = less(spans->span, spans_local(list[i])),
		       rest = less(spans->work, list[i]->sums[SPANS_ON_WORK][SPAN_LOCAL].work);
		add_change(s, (struct change){spans, list[i], "free", "", 0, rest, span, false});
		add_change(s, (struct change){spans, list[i], "parallel", "", NAN, work, span, false});
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

const struct view view_span_what_if = {
	.name = "what-if",
	.help = "gain if a site were free or parallel",
	.check = view_span_check,
	.fill = fill_what_if,
};
