/* SPDX-License-Identifier: MIT */
/* What objects tell of functions that come back. A zero byte divides objects; the last one is names that objects define. */
#include "fuzz/fuzz.h"

#include "relink/pieces/returns.h"

static void add(struct returns *r, const char *text, const char *end)
{
	for (const char *zero; (zero = memchr(text, 0, (size_t)(end - text))); text = zero + 1)
		returns_add(r, text, (size_t)(zero - text));
	char *copy = fuzz_text((const unsigned char *)text, (size_t)(end - text)), *rest = copy;
	for (char *line; (line = strsep(&rest, "\n"));)
		returns_define(r, line);
	free(copy);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size);
	for (int is_program = 0; is_program < 2; is_program++) {
		struct returns returns = {0};
		struct strv names = {0};
		add(&returns, text, text + size);
		returns_solve(&returns, is_program, &names);
		for (size_t i = 0; i < names.count; i++)
			fuzz_read(names.at[i]);
		strv_free(&names);
		returns_free(&returns);
	}
	free(text);
	return 0;
}
