/* SPDX-License-Identifier: MIT */
/* ranks.h: reports about many ranks together, from a merged recording (store/parts.h).
 *
 *     struct ranks ranks;
 *     if (ranks_open(&ranks, store, "calls", &why) < 0) …        NULL: the lens that most parts have
 *     ranks.rows[i]                                              a figure over all ranks: least, mean, median, most, which rank
 *     ranks.of_run[RANKS_WORK][i]                                a figure of the run of the i-th part
 *     ranks_close(&ranks);
 *
 * Imbalance is the largest value divided by the mean: 1 is even. A rank without a value has 0. */
#ifndef SKEIN_REPORT_RANKS_RANKS_H
#define SKEIN_REPORT_RANKS_RANKS_H

#include "analyse/findings.h"
#include "report/report.h"
#include "store/parts.h"

/* Figures of a run that reports name. */
enum ranks_figure { RANKS_WALL, RANKS_CPU, RANKS_WORK, RANKS_WAIT, RANKS_MESSAGE, RANKS_COLLECTIVE, RANKS_SYNC, RANKS_LOST, RANKS_FIGURES };
extern const char
	*const ranks_figures[RANKS_FIGURES]; /* as merged recordings call them; sync: collective calls without MPI_Init and MPI_Finalize */

/* One figure over all parts of the lens. */
struct ranks_row {
	size_t figure; /* in parts.figures */
	uint32_t routine;
	double sum, least, mean, median, most;
	size_t least_at, most_at; /* places among the parts of the lens */
	double *values;           /* one per part, of figures of the run, and of the main figure of routines; else NULL */
};

struct ranks_group {
	size_t first, count; /* the first part of it, and how many */
};

enum { RANKS_GROUPS = 8 };

struct ranks {
	struct store *store;
	struct parts parts;
	const struct part *list; /* of the lens */
	size_t count;
	const char *lens, *main; /* the figure of routines that views are sorted by: time, or cost */
	struct ranks_row *rows;
	size_t row_count, row_room;
	bool work_counts;              /* work is in ticks of a clock that counts */
	double *of_run[RANKS_FIGURES]; /* one per part; NULL: not measured */
	uint32_t *group_of;            /* by part */
	struct ranks_group groups[RANKS_GROUPS];
	size_t group_count;
};

int ranks_open(struct ranks *ranks, struct store *store, const char *lens, struct fail *why);
void ranks_close(struct ranks *ranks);
double ranks_imbalance(const struct ranks_row *row);                                       /* not a number: all are 0 */
const char *ranks_name(struct pool *pool, const struct part *part);                        /* "rank 3", "task 17" */
const struct ranks_row *ranks_row_of(const struct ranks *ranks, enum ranks_figure figure); /* or NULL */
const char *ranks_list(struct pool *pool, const struct ranks *ranks, uint32_t group);      /* "0, 4-7" */

/* Parts that behave alike: those whose times by routine and of waiting differ little. */
void ranks_find_groups(struct ranks *ranks);

void ranks_judge(const struct ranks *ranks, struct findings *verdict, struct findings *caveats);
int ranks_show(const struct ranks *ranks, const struct report_ask *ask, FILE *file, struct fail *why);

/* CSV files for other engines: parts.csv, figures.csv, routines.csv and values.csv in a folder. */
int ranks_export(struct store *store, const char *folder, struct fail *why);

#endif
