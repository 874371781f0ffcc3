/* SPDX-License-Identifier: MIT */
/* difference.c: what a page that compares two recordings holds besides them: the rows of `skein diff`. */
#include <stdlib.h>

#include "report/diff/show.h"
#include "report/html/html.h"

static bool is_in_both(const char *const paths[2], const struct lens *lens, struct fail *why)
{
	bool in_both = true;
	for (int i = 0; i < 2 && in_both; i++) {
		struct store *store = store_open(paths[i], why);
		in_both = store && store_has_lens(store, lens->name);
		store_close(store);
	}
	return in_both;
}

static void put_lines(FILE *head, const char *name, const struct findings *findings)
{
	fprintf(head, "\"%s\": [", name);
	for (size_t i = 0; i < findings->count; i++) {
		fputs(i ? ", " : "", head);
		columns_say(head, findings->lines[i]);
	}
	fputs("], ", head);
}

int html_difference(const char *const paths[2], struct columns *columns, FILE *head, struct fail *why)
{
	struct pool pool = {0};
	const struct diff_side sides[] = {{diff_label(&pool, paths[0]), &paths[0], 1}, {diff_label(&pool, paths[1]), &paths[1], 1}};
	const struct diff_ask ask = {.form = REPORT_JSON, .top = -1};
	struct diff *diffs = memory_zeroed(lens_count, sizeof *diffs);
	struct findings verdict = {0}, caveats = {0};
	struct sheet sheet;
	size_t count = 0;
	int result = 0;
	for (size_t i = 0; i < lens_count && result == 0; i++)
		if (is_in_both(paths, lenses[i], why)) {
			result = diff_open(&diffs[count], lenses[i], sides, 2, &(struct diff_limits){.percent = 1}, why);
			count += result == 0;
		}
	sheet_start(&sheet, false);
	diff_sheet(diffs, count, &ask, &sheet, &verdict, &caveats);
	fputc('{', head);
	put_lines(head, "verdict", &verdict);
	put_lines(head, "caveats", &caveats);
	fputs("\"sheet\": ", head);
	columns_sheet(columns, &sheet, head);
	fputc('}', head);
	sheet_free(&sheet);
	findings_free(&verdict);
	findings_free(&caveats);
	for (size_t i = 0; i < count; i++)
		diff_close(&diffs[i]);
	free(diffs);
	pool_free(&pool);
	return result;
}
