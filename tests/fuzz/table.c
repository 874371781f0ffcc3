/* SPDX-License-Identifier: MIT */
/* The table of a re-linked object: references stay inside, every text has an end. */
#include "fuzz/fuzz.h"

#include "analyse/table.h"

static void look(const struct table *t)
{
	fuzz_read(t->build_id);
	for (size_t i = 0; i < t->routine_count; i++) {
		fuzz_read(t->routines[i].linkage);
		fuzz_read(t->routines[i].file);
	}
	for (size_t i = 0; i < t->site_count; i++) {
		const struct table_site *s = &t->sites[i];
		fuzz_hold(s->caller < t->routine_count && (s->callee < t->routine_count || s->callee == TABLE_NO_ROUTINE));
		fuzz_read(s->callee_name);
		fuzz_read(s->file);
	}
	for (size_t i = 0; i < t->inlined_count; i++) {
		const struct table_inlined *in = &t->inlined[i];
		fuzz_hold(in->into < t->routine_count || in->into == TABLE_NO_ROUTINE);
		fuzz_read(in->linkage);
		fuzz_read(in->file);
	}
	for (size_t i = 0; i < t->unseen_count; i++) {
		fuzz_hold(t->unseen[i].caller < t->routine_count);
		fuzz_read(t->unseen[i].name);
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct table table;
	struct fail why;
	if (table_read(&table, fuzz_file("table", bytes, size), &why) < 0)
		return 0;
	look(&table);
	table_free(&table);
	return 0;
}
