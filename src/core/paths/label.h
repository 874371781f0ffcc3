/* SPDX-License-Identifier: MIT */
/* label.h: labels of arcs whose sums along a path are its number.
 *
 * All paths: Ball and Larus (MICRO'96, section 3.2), numbers 0 to paths - 1. A chosen subset: the paths of which every
 * arc is chosen. Labels for a subset are *valid* (P3, section 2.1) if each chosen path has a number of its own, and no
 * other path has the number of a chosen one. Three ways:
 *
 *     paths_label_some    PSPP, Algorithm 1 of P3: numbers are Ball and Larus's, in an order that lets labels of arcs that are not
 *                         chosen vanish
 *     paths_label_inside  the chosen arcs are numbered as if there were no others; who comes back to them from elsewhere is sent beyond
 *                         all numbers
 *     paths_label_spp     SPP (Apiwattanapong and Harrold), not valid: here to be compared with
 *
 * base is what numbers are made of, and what decodes them. value is what has to be added on the way: along a chosen path it sums up to
 * the same. paths_place moves values so that the arcs with most weight have none (section 3.3; the event counting of Ball, TOPLAS'94):
 *
 *     paths_label_all(&l, g, memory);
 *     paths_place(&l, g, weights, memory);
 *     count = paths_decode(&l, g, number, arcs);       0: not the number of a chosen path
 *
 * Numbers and values are modulo 2^64. Memory is taken from `memory`. The arcs of a path that is decoded: at most g->reached. */
#ifndef SKEIN_CORE_PATHS_LABEL_H
#define SKEIN_CORE_PATHS_LABEL_H

#include "core/paths/graph.h"

struct paths_labels {
	uint64_t *base, *value; /* of an arc */
	uint8_t *chosen;        /* of an arc: on a chosen path */
	/* of a vertex: what the register is set to when it is come to by an arc that is not chosen; NULL: it is not */
	uint64_t *beyond;
	uint64_t paths; /* numbers of chosen paths are below it */
	uint64_t keys;  /* and those of all others below this */
};

enum paths_status paths_label_all(struct paths_labels *l, const struct paths_graph *g, struct paths_memory *memory);
enum paths_status paths_label_some(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory);
enum paths_status paths_label_inside(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory);
enum paths_status paths_label_spp(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory);

enum paths_status paths_place(struct paths_labels *l, const struct paths_graph *g, const double *weights, struct paths_memory *memory);

uint32_t paths_decode(const struct paths_labels *l, const struct paths_graph *g, uint64_t number, uint32_t *arcs);

/* Arcs that lie on no path of chosen arcs are struck out. Returns how many are left. */
uint32_t paths_prune(const struct paths_graph *g, uint8_t *chosen, struct paths_memory *memory);

bool paths_all_chosen(const struct paths_graph *g, const uint8_t *chosen); /* NULL: all are */

/* For the ways to label: room for one, with a pruned copy of `chosen` (NULL: all). */
enum paths_status paths_labels_begin(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory);

/* Items by falling key; equal ones by number. */
void paths_sort(uint32_t *items, uint32_t count, const uint64_t *key);

#endif
