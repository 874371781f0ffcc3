/* SPDX-License-Identifier: MIT */
/* way: by which compile a source gets its bitcode, for many command lines. */
#include "unit/lib.h"

#include "build/way.h"

static enum way way_for(const char *line)
{
	struct strv words = {0};
	struct args args;
	struct fail why;
	char *copy = str_copy(line), *rest = copy;

	for (char *word; (word = strsep(&rest, " "));)
		strv_add(&words, word);
	assert_int_equal(args_parse(&args, (int)words.count, words.at, &why), 0);
	enum way way = way_of(&args);
	args_free(&args);
	strv_free(&words);
	free(copy);
	return way;
}

static void each_has_its_way(void **state)
{
	static const struct {
		const char *line;
		enum way way;
	} known[] = {
		{"-c a.c", WAY_STRIP},
		{"-O2 -c a.c", WAY_STRIP},
		{"-O2 -g -c a.c", WAY_SAME},
		{"-O2 -g -ggdb -g3 -c a.c", WAY_SAME},
		{"-g -g0 -c a.c", WAY_STRIP},
		{"-g0 -g -c a.c", WAY_SAME},
		{"-g1 -c a.c", WAY_SECOND},
		{"-g1 -g -c a.c", WAY_SECOND},
		{"-g -gline-tables-only -c a.c", WAY_SECOND},
		{"-gdwarf-5 -c a.c", WAY_SECOND},
		{"-gdwarf-4 -c a.c", WAY_SAME},
		{"-g -gsplit-dwarf -c a.c", WAY_SECOND},
		{"-g -gz -c a.c", WAY_SECOND},
		{"-g --coverage -c a.c", WAY_SECOND},
		{"-g -save-temps -c a.c", WAY_SECOND},
		{"-g -Xclang -debug-info-kind=line-tables-only -c a.c", WAY_SECOND},
		{"-g -flto -c a.c", WAY_SAME},
		{"-g -flto=thin -c a.c", WAY_SAME},
		{"-flto -c a.c", WAY_STRIP},
		{"-g1 -flto -c a.c", WAY_LTO},
		{"-g -flto -fsanitize=address -c a.c", WAY_LTO},
		{"-g -flto -fno-lto -c a.c", WAY_SAME},
		{"-g -fsanitize=address -c a.c", WAY_LTO},
		{"-g -fprofile-use=x -c a.c", WAY_LTO},
		{"-g -finstrument-functions -c a.c", WAY_LTO},
		{"-g -pg -c a.c", WAY_LTO},
		{"-g -fxray-instrument -c a.c", WAY_LTO},
		{"-g -fPIC -fopenmp -mavx2 -fno-inline -DX=-fsanitize -c a.c", WAY_SAME},
		{"-g -D -fsanitize=address -I -gdwarf-5 -c a.c", WAY_SAME}, /* values of others */
		{"-gcc-toolchain /usr -g -c a.c", WAY_SAME},
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (way_for(known[i].line) != known[i].way)
			fail_msg("%s: %d, not %d", known[i].line, (int)way_for(known[i].line), (int)known[i].way);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_way)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
