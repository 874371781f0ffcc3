/* SPDX-License-Identifier: MIT */
#include "report/lens.h"

#include <stdlib.h>
#include <string.h>

#include "report/repeats/repeated.h"

#define X(upper, lower, number, how, words, traits) &lens_##lower,
const struct lens *const lenses[] = {LENS_LIST(X)};
#undef X
const size_t lens_count = sizeof lenses / sizeof *lenses;

const struct lens *lens_find(const char *name)
{
	for (size_t i = 0; i < lens_count; i++)
		if (strcmp(lenses[i]->name, name) == 0)
			return lenses[i];
	return NULL;
}

const struct view *lens_view(const struct lens *lens, const char *name)
{
	for (const struct view *const *view = lens->views; *view; view++)
		if (strcmp((*view)->name, name) == 0)
			return *view;
	for (const struct view *const *view = repeated_views; *view; view++)
		if (strcmp((*view)->name, name) == 0)
			return *view;
	return NULL;
}

void *lens_open(const struct lens *lens, struct store *store, const struct arguments *a, struct view_ask *ask, struct fail *why)
{
	void *data = memory_zeroed(1, lens->data_bytes);
	if (lens->load(data, store, why) < 0) {
		free(data);
		return NULL;
	}
	if (lens->read(data, a, ask, why) < 0) {
		lens_close(lens, data);
		return NULL;
	}
	return data;
}

void lens_close(const struct lens *lens, void *data)
{
	lens->unload(data);
	free(data);
}

int lens_unknown(const char *typed, struct fail *why)
{
	const char *names[sizeof lenses / sizeof *lenses + 1];
	char list[256] = "";
	for (size_t i = 0; i < lens_count; i++) {
		names[i] = lenses[i]->name;
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
	}
	names[lens_count] = NULL;
	const char *near = nearest(typed, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no lens %.100s; did you mean %s?", typed, near);
	return fail_set(why, FAIL_USAGE, "there is no lens %.100s; the lenses are: %s", typed, list);
}
