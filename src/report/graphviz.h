/* SPDX-License-Identifier: MIT */
/* graphviz.h: views that print a graph as text for graphviz.
 *
 *     sheet->is_plain = true;
 *     graphviz_columns(sheet);
 *     graphviz_line(sheet, pool_print(&sheet->pool, "digraph \"%s\" {", graphviz_quoted(&sheet->pool, name)));
 *     graphviz_line(sheet, "}"); */
#ifndef SKEIN_GRAPHVIZ_H
#define SKEIN_GRAPHVIZ_H

#include "report/sheet.h"

void graphviz_columns(struct sheet *sheet); /* before the first line */
void graphviz_line(struct sheet *sheet, const char *text);
const char *graphviz_quoted(struct pool *pool, const char *name); /* names come from a subject: none ends a string */

#endif
