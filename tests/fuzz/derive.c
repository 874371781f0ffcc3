/* SPDX-License-Identifier: MIT */
/* The expressions of --derive: what is accepted has a value. */
#include "fuzz/fuzz.h"

#include "report/idle/derive.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	static const char *const names[] = {"work", "work_ns", "idle_ns", "LLC-misses", "cycles", "cycles-2"};
	static const double values[] = {3, 0, -1e300, 1e300, 7, 0.5};
	char *text = fuzz_text(bytes, size);
	struct derive d;
	struct fail why;
	if (derive_parse(&d, text, names, sizeof names / sizeof *names, &why) == 0) {
		fuzz_read(d.name);
		fuzz_hold(d.count > 0 && d.count <= DERIVE_STEPS);
		volatile double value = derive_value(&d, values);
		(void)value;
	}
	free(text);
	return 0;
}
