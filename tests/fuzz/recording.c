/* SPDX-License-Identifier: MIT */
/* A recording from anywhere: it is opened, and every view of every lens is made, with its picture, and every export that runs nothing.
 * The bytes decide in which form: three forms would take three times as long, and inputs differ enough to see them all.
 *
 * Most bytes of a recording that change make it one that SQLite refuses. So the mutator mostly changes a value in a table, with
 * SQLite, and only sometimes bytes. */
#include "fuzz/fuzz.h"

#include "base/blob.h"
#include "fuzz/values.h"
#include "report/lens.h"
#include "report/report.h"
#include "store/store.h"

static enum report_form form_for(const unsigned char *bytes, size_t size)
{
	static const enum report_form forms[] = {REPORT_TEXT, REPORT_CSV, REPORT_JSON};
	struct digest sum = {0};
	digest_add(&sum, bytes, size);
	return forms[sum.low % (sizeof forms / sizeof *forms)];
}

static void report_all(struct store *store, const struct lens *lens, enum report_form form)
{
	struct fail why;
	for (const struct view *const *view = lens->views; *view; view++) {
		struct report_ask ask = {.form = form, .view_name = (*view)->name, .view = {.all_rows = form != REPORT_TEXT, .top = -1}};
		report_lens(store, lens, &ask, fuzz_nowhere(), &why);
	}
}

/* This export runs a compiler with what a program says of itself; doc/security.md asks for a trusted one. */
static bool runs_something(const struct export_format *format)
{
	return strcmp(format->name, "llvm-profdata") == 0;
}

static void draw_and_export(struct store *store, const struct lens *lens)
{
	const struct arguments none = {0};
	struct view_ask ask = {.top = -1};
	struct fail why;
	void *data = lens_open(lens, store, &none, &ask, &why);
	for (const struct view *const *view = data ? lens->views : NULL; view && *view; view++)
		if ((*view)->draw && (!(*view)->check || (*view)->check(data, &ask, &why) == 0))
			(*view)->draw(data, &ask, fuzz_nowhere(), &why);
	for (const struct export_format *f = data ? lens->exports : NULL; f && f->name; f++)
		if (!runs_something(f) && (!f->check || f->check(data, &why) == 0))
			f->write(data, fuzz_nowhere(), &why);
	if (data)
		lens_close(lens, data);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct fail why;
	struct store *store = store_open(fuzz_file("a.skein", bytes, size), &why);
	if (!store)
		return 0;
	report_overview(store, fuzz_nowhere(), &why);
	for (size_t i = 0; i < lens_count; i++)
		if (store_has_lens(store, lenses[i]->name)) {
			report_all(store, lenses[i], form_for(bytes, size));
			draw_and_export(store, lenses[i]);
		}
	store_close(store);
	return 0;
}

/* libFuzzer's own mutator of bytes; a replay has none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(unsigned char *bytes, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t room, unsigned seed)
{
	return seed % 8 ? values_change(bytes, size, room, seed) : LLVMFuzzerMutate(bytes, size, room);
}
