/* SPDX-License-Identifier: MIT */
/* symbols: no damage to a file does more than lose names; and ranges, against looking at all of them. */
#include "unit/symbols/programs.h"

/* ---- ranges ---- */

static void ranges_are_found_as_by_looking_at_all(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		struct symbols_ranges r = {0};
		struct symbols_range plain[20];
		unsigned count = random_below(20);
		for (unsigned i = 0; i < count; i++) {
			plain[i] = (struct symbols_range){.low = random_below(60), .what = i};
			plain[i].high = plain[i].low + random_below(12);
			symbols_ranges_add(&r, plain[i].low, plain[i].high, i);
		}
		symbols_ranges_sort(&r);
		for (uint64_t a = 0; a < 80; a++) {
			const struct symbols_range *best = NULL, *hit = symbols_ranges_find(&r, a);
			for (unsigned i = 0; i < count; i++)
				if (a >= plain[i].low && a < plain[i].high &&
				    (!best || plain[i].low > best->low || (plain[i].low == best->low && plain[i].high < best->high)))
					best = &plain[i];
			assert_int_equal(!best, !hit);
			if (best)
				assert_int_equal(best->what, hit->what);
		}
		symbols_ranges_free(&r);
	}
}

/* ---- damage ---- */

static unsigned char *whole_file(const char *name, size_t *bytes)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "r");
	unsigned char *all = malloc(1 << 20);
	assert_non_null(f);
	*bytes = fread(all, 1, 1 << 20, f);
	fclose(f);
	return all;
}

static void ask_all(struct symbols *s, uint64_t from, uint64_t to)
{
	for (uint64_t a = from; a < to; a += 3) {
		const struct symbols_place *p = symbols_at(s, a, false);
		size_t letters = strlen(p->file) + (p->overhead ? strlen(p->overhead) : 0);
		assert_true(p->count > 0);
		for (size_t i = 0; i < p->count; i++)
			letters += strlen(p->scopes[i].name) + strlen(p->scopes[i].linkage) + strlen(p->scopes[i].file) +
				strlen(p->scopes[i].call_file);
		assert_true(letters > 0);
	}
}

static void damage_costs_names_and_nothing_else(const char *compile, unsigned rounds)
{
	char path[256];
	size_t bytes, text;
	uint64_t low, size;
	shell("%s -nostartfiles -nostdlib -Wl,--build-id -o d d.c", compile);
	unsigned char *good = whole_file("d", &bytes), *bad = malloc(bytes);
	size_t *live = malloc(bytes * sizeof *live), lives = 0;
	for (size_t i = 0; i < bytes; i++) /* most of a small file is padding */
		if (good[i])
			live[lives++] = i;
	low = symbol("outer", "d", &size);
	snprintf(path, sizeof path, "%s/broken", folder);
	for (unsigned round = 0; round < rounds; round++) {
		memcpy(bad, good, bytes);
		text = random_below(8) ? bytes : random_below(bytes);
		for (unsigned flips = 1 + random_below(12); flips > 0; flips--)
			bad[random_below(4) ? live[random_below(lives)] : random_below(bytes)] ^= (unsigned char)(1u << random_below(8));
		FILE *f = fopen(path, "w");
		assert_int_equal(fwrite(bad, 1, text, f), text);
		fclose(f);
		struct symbols *s = symbols_open(path, "");
		ask_all(s, low, low + size);
		symbols_close(s);
	}
	free(good);
	free(bad);
	free(live);
}

static void no_damage_is_more_than_a_loss_of_names(void **state)
{
	(void)state;
	write_file("d.c",
	           "static volatile int sink;\n"
	           "static inline __attribute__((always_inline)) void leaf(int x) { sink += x; }\n"
	           "static inline __attribute__((always_inline)) void middle(int x) { if (x) leaf(x + 1); sink = 2; }\n"
	           "__attribute__((noinline)) int outer(int n) { for (int i = 0; i < n; i++) middle(i); return sink; }\n"
	           "void _start(void) { outer(3); for (;;) ; }\n");
	damage_costs_names_and_nothing_else("gcc -O2 -gdwarf-5", 1500);
	damage_costs_names_and_nothing_else("clang-19 -O2 -gdwarf-4", 1500);
	damage_costs_names_and_nothing_else("gcc -O2 -g -shared -fPIC", 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_found_as_by_looking_at_all),
		cmocka_unit_test(no_damage_is_more_than_a_loss_of_names),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
