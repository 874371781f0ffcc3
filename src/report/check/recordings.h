/* SPDX-License-Identifier: MIT */
/* recordings.h: the recordings that claims are about and compare with, each opened once, and what their lenses hold, each loaded once.
 *
 *     struct recordings recordings = {.arguments = a};
 *     const void *data = recordings_data(&recordings, "prog.skein", &lens_span, &why);        NULL: why is filled
 *     recordings_close(&recordings); */
#ifndef SKEIN_CHECK_RECORDINGS_H
#define SKEIN_CHECK_RECORDINGS_H

#include "report/lens.h"

struct recordings {
	const struct arguments *arguments; /* of the command: options of a lens are given to it */
	struct recording *list;
	size_t count, room;
};

const void *recordings_data(struct recordings *recordings, const char *path, const struct lens *lens, struct fail *why);
/* How many runs the data are the median of; 1: there is one, or all add up. The recording has been loaded. */
size_t recordings_runs(const struct recordings *recordings, const char *path, const struct lens *lens);
void recordings_close(struct recordings *recordings);

#endif
