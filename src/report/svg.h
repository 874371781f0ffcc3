/* SPDX-License-Identifier: MIT */
/* svg.h: pictures: text that stays text, and panels, each a pair of axes with what is drawn between them.
 *
 *     svg_start(file, 720, 480, "insert");
 *     struct svg_panel panel = {.left = 80, .top = 50, .width = 600, .height = 350, .x_title = "size", .y_title = "cost"};
 *     axis_start(&panel.x, AXIS_LOG); …                both axes: see axis.h
 *     svg_axes(file, &panel, SVG_ALL_MARKS);
 *     fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", svg_across(&panel, 8), svg_down(&panel, 64));
 *     svg_end(file);
 *
 * Lengths are pixels. A picture has a white ground of its own, so it is readable on a dark page as well. Colours differ for
 * colour-blind readers, too. */
#ifndef SKEIN_SVG_H
#define SKEIN_SVG_H

#include <stdio.h>
#include "report/axis.h"

#define SVG_BLUE "#0072B2"
#define SVG_ORANGE "#D55E00"
#define SVG_GREY "#555"
#define SVG_SMALL 10.0 /* sizes of letters */
#define SVG_NORMAL 12.0
#define SVG_LARGE 15.0

struct svg_panel {
	double left, top, width, height; /* the area between the axes */
	struct axis x, y;
	const char *x_title, *y_title; /* what the axes show, with units; NULL: said elsewhere */
	double letters;                /* size of the letters of the marks; 0: SVG_NORMAL */
};

void svg_start(FILE *file, double width, double height, const char *title);
void svg_end(FILE *file);
/* A text, or a name that comes from a subject. Attributes as in `text-anchor="end"`. */
void svg_text(FILE *file, double x, double y, double letters, const char *attributes, const char *text);
void svg_tip(FILE *file, const char *text);         /* what a browser shows at an element: a child of it */
double svg_width(const char *text, double letters); /* about: the font is the viewer's */
/* The text shortened in its middle to a width. */
const char *svg_fit(struct pool *pool, const char *text, double width, double letters);

enum svg_marks { SVG_ALL_MARKS, SVG_X_MARKS }; /* SVG_X_MARKS: down, each row has a name instead */
void svg_axes(FILE *file, const struct svg_panel *panel, enum svg_marks marks);
double svg_across(const struct svg_panel *panel, double x);
double svg_down(const struct svg_panel *panel, double y);

#endif
