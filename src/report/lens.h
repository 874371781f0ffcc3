/* SPDX-License-Identifier: MIT */
/* lens.h: what reports know of a lens. Adding a lens means adding one struct to the list in lens.c; run/lens.h has what recording needs.
 *
 * A lens has data of its own: what the recording holds, and what only this lens can be asked. lens_open makes them, a view
 * fills a sheet with them; what all views share (verdict, caveats, sorting, printing) is done by page.c.
 *
 *     void *data = lens_open(lens, store, &arguments, &ask, &why);        NULL: why is filled
 *     lens->views[0]->fill(data, &ask, &sheet);
 *     lens_close(lens, data); */
#ifndef SKEIN_LENS_H
#define SKEIN_LENS_H

#include <limits.h>
#include "analyse/findings.h"
#include "keys/lenses.h"
#include "options/arguments.h"
#include "report/export/stacks.h"
#include "report/figure.h"
#include "report/sheet.h"
#include "store/store.h"

/* What can be asked of a view of any lens. */
struct view_ask {
	const char *routine; /* only this one; NULL: all */
	bool all_rows;       /* CSV and JSON: also what text leaves out */
	long top;            /* how many rows will be shown; 0: all; -1: as the view has it */
	size_t most;         /* a page of `skein view` has room for so many rows; 0: this is none */
};

struct view {
	const char *name, *help;
	enum option chosen_by; /* an option that asks for this view by itself; may be OPTION_NONE */
	const char *sort;      /* NULL: in the order in which the rows were made */
	const char *sort_else; /* where nothing of that column was measured */
	long top;              /* rows in text, by default; 0: all */
	int (*check)(const void *data, const struct view_ask *ask, struct fail *why); /* whether it can be shown; may be NULL */
	void (*fill)(const void *data, const struct view_ask *ask, struct sheet *sheet);
	int (*draw)(const void *data, const struct view_ask *ask, FILE *file, struct fail *why); /* the picture of --svg; may be NULL */
	const char *group; /* a column: rows that have the same there stand together, the groups that matter most first; may be NULL */
	bool pours;        /* there may be millions of rows: CSV is printed while fill makes them, which looks at none that it has made */
	size_t page_rows; /* how many rows a page of `skein view` has at most, which fill chooses; 0: all, or, of a view that pours, none */
};

/* A form in which `skein export` writes what a lens recorded: by a function of its own, from its call paths (stack, below), or all of its
 * views in a folder. */
struct export_format {
	const char *name;
	int (*check)(const void *data, struct fail *why); /* whether it can be written; may be NULL */
	int (*write)(const void *data, FILE *file, struct fail *why);
	export_writer *write_stacks;
	bool wants_arcs; /* the format has callers and callees, no paths */
	bool is_binary;  /* no text: nothing for a terminal */
	bool is_folder;  /* of CSV files: export/csv.h; else write_folder writes it */
	int (*write_folder)(const void *data, const char *folder, struct fail *why); /* new or empty; on failure it is removed */
};

struct diff_lens;

/* A figure of the view `summary` that the verdict tells with its spread if there are several runs. */
struct lens_told {
	const char *figure, *words;
};

struct lens {
	const char *name, *question;
	const struct lens_told *told;                                   /* ended by one without a figure */
	const struct view *const *views;                                /* ended by NULL; the first one is the default */
	const struct diff_lens *diff;                                   /* what two recordings are compared by (diff/table.h) */
	size_t data_bytes, run_at;                                      /* of its data; where in them the struct run is */
	int (*load)(void *data, struct store *store, struct fail *why); /* into data that are zero; on failure nothing is left in them */
	void (*unload)(void *data);                                     /* what load and read put there */
	/* Options of this lens into its data; may change what all lenses are asked, and refuses what makes no sense. */
	int (*read)(void *data, const struct arguments *a, struct view_ask *ask, struct fail *why);
	void (*judge)(const void *data, struct findings *verdict, struct findings *caveats);
	bool (*knows_routine)(const void *data, const char *name);
	const struct export_format *exports; /* ended by one without a name; may be NULL */
	const struct figure_set *figures;    /* what `skein check` can compare */
	/* Call paths with figures, for formats that several lenses have; `arcs`: callers and callees without paths. The caller frees what
	 * it filled in, on failure too. May be NULL. */
	int (*stack)(const void *data, bool arcs, struct stacks *stacks, struct fail *why);
};

extern const struct lens *const lenses[];
extern const size_t lens_count;
#define X(upper, lower, number, how, words, traits) extern const struct lens lens_##lower;
LENS_LIST(X)
#undef X

const struct lens *lens_find(const char *name);
const struct view *lens_view(const struct lens *lens, const char *name); /* a view of the lens, or one that all have; or NULL */
/* Loads what a recording holds and reads the lens's options; `ask` is what all lenses are asked. */
void *lens_open(const struct lens *lens, struct store *store, const struct arguments *a, struct view_ask *ask, struct fail *why);
void lens_close(const struct lens *lens, void *data);
int lens_unknown(const char *typed, struct fail *why);

#endif
