/* SPDX-License-Identifier: MIT */
/* diff.h: what differs between recordings of a lens.
 *
 *     struct diff diff;
 *     struct diff_side sides[] = {{"old", (const char *[]){"old.skein"}, 1}, {"new", (const char *[]){"new.skein"}, 1}};
 *     if (diff_open(&diff, &lens_calls, sides, 2, &(struct diff_limits){.percent = 1}, &why) < 0) …
 *     diff.rows[0].verdict                      the rows, the worst first
 *     diff_close(&diff);
 *
 * A side is what one version of the program recorded, one or more times. The first side is the old one; each further side is compared
 * with it. What all recordings have in common is joined in three steps: routines of all recordings get one numbering (routines.c), rows
 * of their views become slots, which have a place for each recording's figures (read.c), and slots become rows, one for each figure that
 * differs (judge.c). */
#ifndef SKEIN_DIFF_H
#define SKEIN_DIFF_H

#include "analyse/diff/match.h"
#include "analyse/findings.h"
#include "analyse/run.h"
#include "report/diff/table.h"
#include "report/lens.h"

struct diff_side {
	const char *label;
	const char *const *paths;
	size_t count;
};

/* What a side with this recording is called: "old" of ./runs/old.skein */
const char *diff_label(struct pool *pool, const char *path);

enum { DIFF_AGREED = 8 };

struct diff_limits {
	double percent; /* smaller changes of a figure are neither worse nor better */
};

#define DIFF_MATTERS_PCT 0.1 /* of the whole: smaller changes are neither worse nor better */
#define DIFF_TESTED_PCT 1.0  /* of the whole: measured figures with a smaller share are not tested */

struct diff_recording {
	const char *path;
	size_t side;
	struct store *store;
	void *data;
	const struct run *run;
	uint32_t *routines; /* the number in `routines` of each routine of the run */
	bool has_insn_clock;
};

/* A routine of any recording. */
struct diff_routine {
	uint32_t *in;           /* by recording: its index there, or RUN_NOWHERE */
	struct run_routine *as; /* as the last recording has it that was read; names are lent by that recording */
};

struct diff_place {
	const char *file;
	int64_t line; /* RUN_UNKNOWN: not known */
};

struct diff_slot {
	const char *name;
	uint32_t routine;         /* RUN_NOWHERE: no routine */
	uint32_t parent, depth;   /* in a tree; parent: slot + 1, 0: none */
	struct diff_place *where; /* by recording */
	bool *is_in;              /* by recording */
	struct cell *values;      /* by recording and figure */
	struct match_thing as;    /* as the last recording has it that was read */
};

struct diff_group {
	const struct diff_table *table;
	size_t figure_count;
	struct diff_slot *slots;
	size_t slot_count, slot_room;
	struct lookup index; /* of a tree: by parent and name */
};

enum diff_verdict {
	DIFF_IS_WORSE,
	DIFF_IS_BETTER,
	DIFF_IS_NEW,
	DIFF_IS_GONE,
	DIFF_IS_RENAMED,
	DIFF_IS_INLINED, /* or is so no more */
	DIFF_IS_MOVED,
	DIFF_IS_OTHER, /* has no direction, or is too small */
	DIFF_VERDICTS
};
extern const char *const diff_verdicts[DIFF_VERDICTS];

struct diff_row {
	enum diff_verdict verdict;
	size_t group, slot;
	bool is_first;                    /* of the rows of what is new or gone */
	const struct diff_figure *figure; /* NULL: name, line or inlined_into */
	const char *figure_name;
	size_t side; /* compared with the first one */
	struct cell old, new, change;
	double pct;    /* not a number where the old figure is 0 */
	double of_all; /* the change in percent of the whole; not a number where there is none */
	double weight; /* to sort by */
	double p;      /* the chance that it is none, corrected; 0: exact; not a number: cannot be known */
	const char *sure;
	bool is_sure; /* exact, or at one of the levels */
};

struct diff {
	const struct lens *lens;
	const struct diff_side *sides;
	size_t side_count;
	struct diff_limits limits;
	struct diff_recording *recordings;
	size_t recording_count, recording_room;
	struct diff_routine *routines;
	size_t routine_count, routine_room;
	struct diff_group *groups;
	size_t group_count;
	struct diff_row *rows; /* by side, verdict, and from the one that matters most */
	size_t row_count, row_room;
	const char *agreed[DIFF_AGREED]; /* what the lens's `agree` lists, as the first recording has it */
	size_t unsteady;                 /* figures that are exact, but not the same in all runs of a side */
	size_t tested;                   /* measured figures that could be tested */
	struct pool pool;
};

int diff_open(struct diff *diff, const struct lens *lens, const struct diff_side *sides, size_t side_count,
              const struct diff_limits *limits, struct fail *why);
void diff_close(struct diff *diff);
bool diff_is_worse(const struct diff *diff); /* something got worse in the last side, and that is sure */

/* What the last side says of the first; most important first. */
void diff_judge(const struct diff *diff, struct findings *verdict, struct findings *caveats);

const char *diff_value(struct pool *pool, enum unit unit, const struct cell *cell); /* as sentences and tables of text have it */
const char *diff_percent(struct pool *pool, double percent); /* with its sign; beyond 1,000 % as a factor; "" if it is not a number */
const char *diff_name(const struct diff *diff, const struct diff_row *row);         /* short; "" for the run */
const char *diff_routine_name(const struct diff *diff, const struct diff_row *row); /* whole; "" if it is about none */
const struct diff_place *diff_place(const struct diff *diff, const struct diff_row *row);
struct cell diff_at(const struct diff *diff, const struct diff_row *row, size_t side); /* the figure of any side */

/* ---- the steps ---- */

void diff_number_routines(struct diff *diff, size_t recording);                   /* gives the routines of a recording their numbers */
void diff_find_renamed(const struct diff *diff, size_t recording, size_t *found); /* by match_lists; MATCH_NONE: not paired yet */
const char *diff_inlined_into(const struct run *run, const struct run_routine *routine); /* NULL: no routine of that name was inlined */
int diff_read(struct diff *diff, size_t recording, struct fail *why);
void diff_make_rows(struct diff *diff);
struct cell *diff_values(const struct diff_group *group, const struct diff_slot *slot, size_t recording);

#endif
