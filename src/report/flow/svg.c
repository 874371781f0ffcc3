/* SPDX-License-Identifier: MIT */
/* svg.c: pictures of the flow lens: what each worker did over time, and waits by call path. */
#include <math.h>

#include "base/text.h"
#include "report/export/flame.h"
#include "report/flow/view.h"
#include "report/svg.h"

enum { LEFT = 90, RIGHT = 20, PLOT = 1000, HEAD = 64, FOOT = 50, ROW = 22, BAR = 18, MOST_WORKERS = 256 };

static const struct {
	const char *name, *colour, *words;
} parts[] = {{"work", SVG_BLUE, "works"}, {"load", SVG_ORANGE, "could run, has no core"}, {"wait", "#e4e4e4", "waits"}};
enum { PARTS = sizeof parts / sizeof *parts };

struct picture {
	FILE *file;
	const struct flows *flows;
	uint32_t workers, per_column; /* slices of a column, which is at least as wide as a pixel */
	double wide;                  /* pixels of a column */
};

static void put_legend(FILE *f, double left)
{
	for (int i = 0; i < PARTS; i++) {
		fprintf(f, "<rect x=\"%.0f\" y=\"38\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", left, parts[i].colour);
		svg_text(f, left + 17, 49, SVG_NORMAL, "", parts[i].words);
		left += 40 + svg_width(parts[i].words, SVG_NORMAL);
	}
}

/* A column of a worker, in pixels: from the bottom work, then time without a core, then waiting. */
struct strip {
	uint32_t worker, at, wide;
	double parts[PARTS];
};

static struct strip strip_of(const struct flows_slice *sum)
{
	const uint64_t ns[PARTS] = {sum->work_ns, sum->load_ns, sum->wait_ns};
	double whole = (double)(sum->work_ns + sum->load_ns + sum->wait_ns);
	struct strip c = {.worker = sum->worker, .at = sum->slice, .wide = 1};
	for (int i = 0; i < PARTS; i++)
		c.parts[i] = whole > 0 ? round(BAR * (double)ns[i] / whole * 10) / 10 : 0;
	return c;
}

static bool looks_alike(const struct strip *a, const struct strip *b)
{
	return a->worker == b->worker && a->at + a->wide == b->at && a->parts[0] == b->parts[0] && a->parts[1] == b->parts[1] &&
		a->parts[2] == b->parts[2];
}

static void put_strip(const struct picture *p, const struct strip *c, int part)
{
	double low = HEAD + (double)c->worker * ROW + BAR;
	for (int below = 0; below < part; below++)
		low -= c->parts[below];
	if (c->parts[part] > 0)
		fprintf(p->file, "M%.1f %.1fv-%.1fh%.1fv%.1fz", LEFT + c->at * p->wide, low, c->parts[part], c->wide * p->wide,
		        c->parts[part]);
}

/* Columns that look alike are one. */
static void put_part(const struct picture *p, int part)
{
	const struct flows *f = p->flows;
	struct flows_slice sum = {.worker = FLOWS_NONE};
	struct strip last = {.worker = FLOWS_NONE};
	fprintf(p->file, "<path class=\"%s\" fill=\"%s\" d=\"", parts[part].name, parts[part].colour);
	for (size_t i = 0; i <= f->slice_count; i++) {
		const struct flows_slice *s = i < f->slice_count ? &f->slice[i] : NULL;
		bool goes_on = s && s->worker == sum.worker && s->slice / p->per_column == sum.slice;
		if (!goes_on && sum.worker < p->workers) {
			struct strip c = strip_of(&sum);
			if (looks_alike(&last, &c)) {
				last.wide++;
			} else {
				if (last.worker != FLOWS_NONE)
					put_strip(p, &last, part);
				last = c;
			}
		}
		if (!goes_on)
			sum = (struct flows_slice){.worker = s ? s->worker : FLOWS_NONE, .slice = s ? s->slice / p->per_column : 0};
		sum.work_ns += s ? s->work_ns : 0;
		sum.load_ns += s ? s->load_ns : 0;
		sum.wait_ns += s ? s->wait_ns : 0;
	}
	if (last.worker != FLOWS_NONE)
		put_strip(p, &last, part);
	fputs("\"/>\n", p->file);
}

int view_flow_draw_timeline(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	struct pool pool = {0};
	struct picture p = {.file = file, .flows = f, .per_column = f->slices > PLOT ? (f->slices + PLOT - 1) / PLOT : 1};
	p.workers = f->run->worker_count < MOST_WORKERS ? (uint32_t)f->run->worker_count : MOST_WORKERS;
	p.wide = (double)PLOT * p.per_column / f->slices;
	double height = p.workers * ROW;
	struct svg_panel panel = {.left = LEFT, .top = HEAD, .width = PLOT, .height = height, .x_title = "milliseconds"};
	(void)ask;
	if (!f->wall_ns)
		return fail_set(why, FAIL_USAGE, "there is nothing to draw: the run has no length");
	axis_start(&panel.x, AXIS_LINEAR);
	axis_include(&panel.x, (double)f->wall_ns / 1e6);
	axis_close(&panel.x, 0);
	axis_start(&panel.y, AXIS_LINEAR);
	axis_close(&panel.y, 0);
	const char *title = pool_print(&pool, "what each worker did in %s", text_ns(&pool, (double)f->wall_ns));
	svg_start(file, LEFT + PLOT + RIGHT, HEAD + height + FOOT, title);
	svg_text(file, LEFT, 26, SVG_LARGE, "", title);
	put_legend(file, LEFT);
	for (int part = 0; part < PARTS; part++)
		put_part(&p, part);
	for (uint32_t w = 0; w < p.workers; w++)
		svg_text(file, LEFT - 8, HEAD + w * ROW + BAR - 4, SVG_NORMAL, "text-anchor=\"end\"", pool_print(&pool, "worker %u", w));
	svg_axes(file, &panel, SVG_X_MARKS);
	svg_end(file);
	pool_free(&pool);
	return 0;
}

int view_flow_draw_waits(const void *data, const struct view_ask *ask, FILE *file, struct fail *why)
{
	struct stacks stacks;
	(void)ask;
	int result = view_flow_stack(data, false, &stacks, why);
	if (result == 0)
		result = flame_draw(&stacks, false, file, why);
	stacks_free(&stacks);
	return result;
}
