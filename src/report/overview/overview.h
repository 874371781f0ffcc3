/* SPDX-License-Identifier: MIT */
/* overview.h: what the lenses of a recording say together: the verdict of verdicts.
 *
 *     struct overview overview;
 *     if (overview_make(store, &overview, &why) < 0) …
 *     for (size_t i = 0; i < overview.finding_count; i++)
 *             … overview.findings[i].text …                the one that would bring most first
 *     overview_json(&overview, file);                        everything, as one object: what the page embeds
 *     overview_free(&overview);
 *
 * Each lens judges its run and tags its sentences (analyse/findings.h). Tags that are about the same thing become one finding: by the
 * rules of rules.def the lenses agree, one adds something, or they contradict each other, and then the finding says which one to
 * believe, and why (merge.h). Findings are ranked by what mending them would bring. The table of routines has a row for each routine
 * of the program, with figures of all lenses: those that the views of the lenses have (across.c).
 *
 * All texts are the overview's and live as long as it does; names in them are as the program has them: the code that prints a text
 * escapes it. What was not measured is -1, not a number, or NULL, never 0. */
#ifndef SKEIN_OVERVIEW_H
#define SKEIN_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "analyse/findings.h"
#include "report/report.h"

enum { OVERVIEW_MOST = 5 };      /* findings */
#define OVERVIEW_NONE UINT32_MAX /* no routine */
#define X(upper, lower, number, how, words, traits) OVERVIEW_##upper,
enum overview_lens_number { LENS_LIST(X) OVERVIEW_LENSES }; /* as in `lenses` of report/lens.h */
#undef X

struct overview_routine {
	const char *name, *linkage, *shown; /* in full; as the linker has it; short, in sentences */
	const char *file;                   /* "" if not known */
	uint32_t line;
	uint32_t same;    /* the routine with the least number that is this one: lenses may know one by several places */
	uint32_t around;  /* of a body that a compiler made of a construct: the function that has it; else OVERVIEW_NONE */
	bool is_programs; /* not of a library, nor of the start of the program */
	/* what the lenses measured, of all that are the same, in the one with the least number */
	int64_t calls, direct_ns;           /* calls */
	double direct_pct;                  /* of all workers' working time */
	double span_pct;                    /* span: local span on the critical path, of the span */
	double idle_pct;                    /* idle: of all idleness, excluding callees */
	int64_t wait_ns;                    /* flow; calls where flow was not recorded */
	const char *growth;                 /* input: the model, such as "n^2"; "": it has no cost function */
	double exponent, cost_pct, x10_pct; /* input: cost including callees now, and at ten times the input */
	int64_t paths_executed, paths_90;   /* paths: number executed, and number that has 90 % of the instructions */
	double flow_pct;                    /* paths: of the executed instructions */
	double weight;                      /* the largest of the shares, in percent: what rows are sorted by */
};

/* One lens, recorded or not. */
struct overview_lens {
	const char *name, *question;
	bool is_recorded;
	const char *command; /* records the lens, as typed */
	const char **lines;  /* the verdict */
	size_t line_count, openings;
	uint64_t wall_ns; /* of its run */
};

enum overview_relation { OVERVIEW_AGREES, OVERVIEW_ADDS, OVERVIEW_CONTRADICTS };

/* What one lens says of a finding. */
struct overview_evidence {
	enum overview_lens_number lens;
	enum overview_relation relation;
	const char *words;    /* the figure: "98 % of the idleness" */
	bool confirms;        /* an effect, which only confirms */
	const char *sentence; /* the first of the lens's own sentences about it */
};

struct overview_finding {
	enum finding_kind kind;
	uint32_t routine; /* index in overview.routines, or OVERVIEW_NONE */
	uint32_t within;  /* the routine that it is called by, or inlined in, there; or OVERVIEW_NONE */
	bool waits,
		is_effect; /* while the overview is made: the routine waits, and is not what is waited for; it only confirms other findings */
	const char *object; /* the lock; NULL: there is none, or it is not known */
	const char *text;   /* what is wrong, by how much, where, and what to do: one or two plain sentences */
	const char *advice; /* only what to do, without an end */
	int64_t saved_ns;   /* what mending it would save of the run, at best; -1: not known */
	int64_t of_ns;      /* the run that this is of: as its lens recorded it, or as it would be on an idle machine; -1: not known */
	double saved_pct;   /* likewise, of the run */
	double cores;       /* factor by which mending it would raise the parallelism at best; not a number: not known */
	double share_pct, grown_pct; /* share of the cost now, and at ten times the input; not a number: not known */
	struct overview_evidence *evidence;
	size_t evidence_count, evidence_room;
	const char *agree;    /* "Two lenses agree: idle (98 % of the idleness), span (79 % of the span)." */
	const char **remarks; /* sentences: what the rules add, and which lens to believe */
	size_t remark_count, remark_room;
	const char *command; /* shows the rows */
	double score;        /* what findings are sorted by: a part of the run */
};

struct overview {
	const char *program, *run_command, *path; /* of the recording */
	uint64_t wall_ns;                         /* of the run that seconds are of, */
	enum overview_lens_number wall_of;        /* which this lens recorded; OVERVIEW_LENSES: no lens was recorded */
	struct overview_lens lenses[OVERVIEW_LENSES];
	const char **openings; /* what must be known first: how the program ended, that it lacked cores */
	size_t opening_count, opening_room;
	struct overview_finding *findings;
	size_t finding_count, finding_room;
	size_t finding_all;                /* before those beyond OVERVIEW_MOST were left out */
	const char *none;                  /* a sentence where there are no findings; else NULL */
	struct overview_routine *routines; /* by their number in the recording */
	size_t routine_count;
	uint32_t *rows; /* of the table, the one with the largest weight first */
	size_t row_count;
	struct pool pool;
};

int overview_make(struct store *store, struct overview *overview, struct fail *why);
void overview_free(struct overview *overview);

void overview_text(const struct overview *overview, FILE *file, unsigned width, bool colour);
void overview_json(const struct overview *overview, FILE *file);
void overview_sheet(const struct overview *overview, const char *view, struct sheet *sheet); /* one of overview_views */

/* What `skein report overview` shows: all of it; or, with --view, the table of findings, of routines or of lenses. */
int overview_report(struct store *store, const struct report_ask *ask, FILE *file, struct fail *why);
bool overview_has_view(const char *name);
extern const char *const overview_views[]; /* ended by NULL */

#endif
