/* SPDX-License-Identifier: MIT */
/* cmd_sql.c: skein sql. Asks a recording what no report shows. */
#include "cli/commands.h"
#include "report/answer.h"

enum { ROWS_IN_TEXT = 1000 };

int cmd_sql(const struct arguments *a, struct fail *why)
{
	bool is_csv = arguments_has(a, OPTION_CSV), is_json = arguments_has(a, OPTION_JSON);
	long top;
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "sql needs a recording: skein sql prog.skein 'SELECT * FROM v_runs'");
	if (is_csv && is_json)
		return fail_set(why, FAIL_USAGE, "--csv and --json exclude each other: choose one");
	if (arguments_number(a, OPTION_TOP, is_csv || is_json ? 0 : ROWS_IN_TEXT, 0, 1000000000, &top, why) < 0)
		return -1;
	struct store *store = store_open(a->words[0], why);
	struct store_query *q = store ? store_query(store, a->word_count > 1 ? a->words[1] : NULL, why) : NULL;
	int result = -1;
	if (q) {
		result = answer_print(q, is_csv ? REPORT_CSV : is_json ? REPORT_JSON : REPORT_TEXT, (size_t)top, stdout, why);
		store_query_end(q);
	}
	store_close(store);
	return result;
}
