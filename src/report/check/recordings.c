/* SPDX-License-Identifier: MIT */
#include "report/check/recordings.h"

#include <stdlib.h>
#include <string.h>
#include "store/repeats.h"

struct recording {
	const char *path;
	struct store *store;
	void **data; /* one of each lens; NULL: not loaded */
};

static struct recording *find(struct recordings *r, const char *path, struct fail *why)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->list[i].path, path) == 0)
			return &r->list[i];
	struct store *store = store_open(path, why);
	if (!store)
		return NULL;
	MEMORY_GROW(r->list, r->count, r->room);
	r->list[r->count] = (struct recording){path, store, memory_zeroed(lens_count, sizeof(void *))};
	return &r->list[r->count++];
}

const void *recordings_data(struct recordings *r, const char *path, const struct lens *lens, struct fail *why)
{
	static const struct arguments none;
	struct recording *recording = find(r, path, why);
	struct view_ask ask = {.top = -1};
	struct fail ignored;
	size_t at = 0;
	if (!recording)
		return NULL;
	while (lenses[at] != lens)
		at++;
	if (!recording->data[at]) {
		bool is_for = arguments_fit_lens(r->arguments, lens->name, &ignored) == 0;
		recording->data[at] = lens_open(lens, recording->store, is_for ? r->arguments : &none, &ask, why);
	}
	return recording->data[at];
}

size_t recordings_runs(const struct recordings *r, const char *path, const struct lens *lens)
{
	struct repeats repeats;
	struct fail ignored;
	size_t i = 0, runs = 1;
	while (strcmp(r->list[i].path, path) != 0)
		i++;
	if (lens_traits(lens->name) & LENS_RUNS_ADD_UP || store_repeats(r->list[i].store, lens->name, &repeats, &ignored) < 0)
		return 1;
	if (repeats.counted > 1)
		runs = repeats.counted;
	repeats_free(&repeats);
	return runs;
}

void recordings_close(struct recordings *r)
{
	for (size_t i = 0; i < r->count; i++) {
		for (size_t l = 0; l < lens_count; l++)
			if (r->list[i].data[l])
				lens_close(lenses[l], r->list[i].data[l]);
		free(r->list[i].data);
		store_close(r->list[i].store);
	}
	free(r->list);
	*r = (struct recordings){0};
}
