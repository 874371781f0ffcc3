/* SPDX-License-Identifier: MIT */
#include "report/svg.h"

#include <string.h>

#include "base/escape.h"
#include "base/number.h"

#define LETTER_WIDTH 0.55 /* of a letter's size: of a wide sans-serif font on average */
#define X_MARK 60.0       /* least room of a mark's label at normal letters, across and down */
#define Y_MARK 34.0
#define GRID "#888\" stroke-opacity=\"0.3"

/* ---- text ---- */

/* U+FFFE and U+FFFF are the only code points that escape_plain leaves as they are and XML does not allow. */
static bool is_no_character(const char *at)
{
	return strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0;
}

static void put_escaped(FILE *f, const char *text)
{
	struct pool pool = {0};
	for (const char *at = escape_plain(&pool, text); *at; at++) {
		if (is_no_character(at)) {
			fputc('?', f);
			at += 2;
			continue;
		}
		fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : *at == '&' ? "&amp;" : *at == '"' ? "&quot;" : (char[]){*at, 0}, f);
	}
	pool_free(&pool);
}

void svg_text(FILE *file, double x, double y, double letters, const char *attributes, const char *text)
{
	fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\"%s%s>", x, y, letters, *attributes ? " " : "", attributes);
	put_escaped(file, text);
	fputs("</text>\n", file);
}

void svg_tip(FILE *file, const char *text)
{
	fputs("<title>", file);
	put_escaped(file, text);
	fputs("</title>", file);
}

/* Bytes of the first `count` characters. */
static size_t bytes_of(const char *text, size_t count)
{
	const char *at = text;
	while (*at && (count > 0 || (*at & 0xc0) == 0x80)) {
		count -= (*at & 0xc0) != 0x80;
		at++;
	}
	return (size_t)(at - text);
}

double svg_width(const char *text, double letters)
{
	return (double)escape_width(text) * letters * LETTER_WIDTH;
}

const char *svg_fit(struct pool *pool, const char *text, double width, double letters)
{
	const char *plain = escape_plain(pool, text);
	size_t length = escape_width(plain), most = number_count(width / (letters * LETTER_WIDTH)), dots = 3;
	if (length <= most || most <= dots)
		return plain;
	size_t head = (most - dots) / 2, tail = most - dots - head;
	return pool_print(pool, "%.*s...%s", (int)bytes_of(plain, head), plain, plain + bytes_of(plain, length - tail));
}

/* ---- picture and panels ---- */

void svg_start(FILE *file, double width, double height, const char *title)
{
	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" fill=\"#222\">\n",
	        width, height, width, height);
	svg_tip(file, title);
	fprintf(file, "\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

void svg_end(FILE *file)
{
	fputs("</svg>\n", file);
}

double svg_across(const struct svg_panel *panel, double x)
{
	return panel->left + axis_place(&panel->x, x) * panel->width;
}

double svg_down(const struct svg_panel *panel, double y)
{
	return panel->top + (1 - axis_place(&panel->y, y)) * panel->height;
}

static void put_titles(FILE *f, const struct svg_panel *p, double letters)
{
	double middle = p->top + p->height / 2, at = p->left - 5.2 * letters;
	if (p->x_title)
		svg_text(f, p->left + p->width / 2, p->top + p->height + 3.2 * letters, letters, "text-anchor=\"middle\"", p->x_title);
	if (p->y_title) {
		char turn[80];
		snprintf(turn, sizeof turn, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"", at, middle);
		svg_text(f, at, middle, letters, turn, p->y_title);
	}
}

static void put_marks_across(FILE *f, const struct svg_panel *p, double letters)
{
	struct pool pool = {0};
	double marks[AXIS_MARKS], bottom = p->top + p->height;
	size_t count = axis_marks(&p->x, number_count(p->width / (X_MARK * letters / SVG_NORMAL)), marks);
	for (size_t i = 0; i < count; i++) {
		double at = svg_across(p, marks[i]);
		fprintf(f, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"" GRID "\"/>\n", at, p->top, bottom);
		svg_text(f, at, bottom + 1.4 * letters, letters, "text-anchor=\"middle\"", axis_label(&pool, marks[i]));
	}
	pool_free(&pool);
}

static void put_marks_down(FILE *f, const struct svg_panel *p, double letters)
{
	struct pool pool = {0};
	double marks[AXIS_MARKS];
	size_t count = axis_marks(&p->y, number_count(p->height / (Y_MARK * letters / SVG_NORMAL)), marks);
	for (size_t i = 0; i < count; i++) {
		double at = svg_down(p, marks[i]);
		fprintf(f, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"" GRID "\"/>\n", p->left, at, p->left + p->width);
		svg_text(f, p->left - 0.5 * letters, at + 0.35 * letters, letters, "text-anchor=\"end\"", axis_label(&pool, marks[i]));
	}
	pool_free(&pool);
}

void svg_axes(FILE *file, const struct svg_panel *panel, enum svg_marks marks)
{
	double letters = panel->letters > 0 ? panel->letters : SVG_NORMAL;
	put_marks_across(file, panel, letters);
	if (marks == SVG_ALL_MARKS)
		put_marks_down(file, panel, letters);
	fprintf(file, "<path d=\"M%.1f %.1fv%.1fh%.1f\" stroke=\"#222\" fill=\"none\"/>\n", panel->left, panel->top, panel->height,
	        panel->width);
	put_titles(file, panel, letters);
}
