/* SPDX-License-Identifier: MIT */
/* csv.h: `skein export csv`: a folder with a file VIEW.csv for each view of a lens, the same as `skein report LENS --view VIEW --csv`.
 *
 *     if (export_csv(store, lens, &arguments, "prog-csv", &why) < 0) …
 *
 * The folder must be new or empty; if a file cannot be written, what was written is removed. A view that an option asks for, such as
 * --source FILE, is left out; of another view that cannot be shown, a line on standard error says why. */
#ifndef SKEIN_EXPORT_CSV_H
#define SKEIN_EXPORT_CSV_H

#include "report/lens.h"

int export_csv(struct store *store, const struct lens *lens, const struct arguments *a, const char *folder, struct fail *why);

#endif
