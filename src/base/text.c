/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 1000000 };

/* Three digits that count. */
static const char *three_digits(struct pool *pool, double value, const char *unit)
{
	return pool_print(pool, value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value, unit);
}

const char *text_ns(struct pool *pool, double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (ns / units[i].ns >= 0.9995)
			return three_digits(pool, ns / units[i].ns, units[i].name);
	return ns > 0 ? pool_print(pool, "%.0f ns", ns) : "0";
}

const char *text_percent(struct pool *pool, double percent)
{
	if (percent > 0 && percent < 0.005)
		return "<0.01 %";
	if (percent > 99.995 && percent < 100)
		return ">99.99 %";
	bool is_near_0 = percent > 0 && percent < 0.95, is_near_100 = percent >= 99.5 && percent < 100;
	bool is_small = percent > 0 && percent < 9.95;
	return pool_print(pool, is_near_0 || is_near_100 ? "%.2f %%" : is_small ? "%.1f %%" : "%.0f %%", percent);
}

double text_share_of(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

const char *text_share(struct pool *pool, double part, double whole)
{
	return text_percent(pool, text_share_of(part, whole));
}

const char *text_count(struct pool *pool, int64_t count)
{
	char digits[24], text[32];
	int length = snprintf(digits, sizeof digits, "%" PRId64, count), at = 0;
	for (int i = 0; i < length; i++) {
		text[at++] = digits[i];
		if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
			text[at++] = ',';
	}
	text[at] = 0;
	return pool_text(pool, text);
}

const char *text_amount(struct pool *pool, int64_t count)
{
	static const char *const letters[] = {"M", "G", "T", "P", "E"};
	if (count < LARGE)
		return text_count(pool, count);
	double value = (double)count / LARGE;
	size_t at = 0;
	for (; value >= 999.5 && at + 1 < sizeof letters / sizeof *letters; value /= 1000)
		at++;
	return three_digits(pool, value, letters[at]);
}

const char *text_place(struct pool *pool, const char *file, uint32_t line)
{
	const char *slash = strrchr(file, '/');
	return *file ? pool_print(pool, "%s:%" PRIu32, slash ? slash + 1 : file, line) : "";
}

const char *text_s(uint64_t count)
{
	return count == 1 ? "" : "s";
}
