/* SPDX-License-Identifier: MIT */
/* label.h: labels of arcs whose sums along a path are its number.
 *
 * All paths: Ball and Larus (MICRO'96, section 3.2), numbers 0 to paths - 1. A chosen subset: the paths of which every
 * arc is chosen. Labels for a subset are *valid* (P3, section 2.1) if each chosen path has a number of its own, and no
 * other path has the number of a chosen one. Three ways:
 *
 *     paths_label_some    PSPP, Algorithm 1 of P3: numbers are Ball and Larus's, in an order that lets labels of arcs that are not
 *                         chosen vanish
 *     paths_label_inside  the chosen arcs are numbered as if there were no others; a path that returns to them from
 *                         elsewhere gets a number beyond all
 *     paths_label_spp     SPP (Apiwattanapong and Harrold), not valid; for comparison only
 *
 * Sums of `base` are the numbers, and `base` decodes them. `value` is what the program adds: along a chosen path
 * both have the same sum. paths_place moves values so that the arcs with most weight have none (section 3.3; the
 * event counting of Ball, TOPLAS'94):
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
	uint64_t *base, *value; /* by arc */
	uint8_t *chosen;        /* by arc: on a chosen path */
	/* by vertex: value of the register after an arrival by an arc that is not chosen; NULL: the register is not
	 * set there */
	uint64_t *beyond;
	uint64_t paths; /* numbers of chosen paths are below this */
	uint64_t keys;  /* numbers of all other paths are below this */
};

enum paths_status paths_label_all(struct paths_labels *l, const struct paths_graph *g, struct paths_memory *memory);
enum paths_status paths_label_some(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory);
enum paths_status paths_label_inside(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory);
enum paths_status paths_label_spp(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory);

enum paths_status paths_place(struct paths_labels *l, const struct paths_graph *g, const double *weights, struct paths_memory *memory);

uint32_t paths_decode(const struct paths_labels *l, const struct paths_graph *g, uint64_t number, uint32_t *arcs);

/* Removes arcs that lie on no path of chosen arcs. Returns how many are left. */
uint32_t paths_prune(const struct paths_graph *g, uint8_t *chosen, struct paths_memory *memory);

bool paths_all_chosen(const struct paths_graph *g, const uint8_t *chosen); /* NULL: all are chosen */

/* For the functions above: allocates labels, with a pruned copy of `chosen` (NULL: all). */
enum paths_status paths_labels_begin(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory);

/* Items by falling key; equal ones by number. */
void paths_sort(uint32_t *items, uint32_t count, const uint64_t *key);

#endif
