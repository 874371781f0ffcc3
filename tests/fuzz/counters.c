/* SPDX-License-Identifier: MIT */
/* The counters of clang's own instrumentation (pass/counters.h): what is read gets counts, and is written for llvm-profdata. */
#include "fuzz/fuzz.h"

#include "analyse/paths/pgo.h"

static bool look_up(void *context, const char *file, uint32_t line, uint64_t *count)
{
	(void)context;
	fuzz_read(file);
	*count = line % 5 ? (uint64_t)line * line : UINT64_MAX >> line % 64;
	return line % 3;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct pgo pgo;
	struct fail why;
	FILE *file = size ? fmemopen((void *)bytes, size, "r") : NULL;
	if (file && pgo_read(&pgo, file, &why) == 0) {
		for (size_t i = 0; i < pgo.function_count; i++) {
			pgo_estimate(&pgo, &pgo.functions[i], look_up, NULL);
			pgo_write_function(&pgo, &pgo.functions[i], fuzz_nowhere());
		}
		pgo_free(&pgo);
	}
	if (file)
		fclose(file);
	return 0;
}
