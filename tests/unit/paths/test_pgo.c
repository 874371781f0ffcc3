/* SPDX-License-Identifier: MIT */
/* Counters of clang's instrumentation from counts of lines: on a function as the plugin shows it, and on random graphs whose
 * every block has a line of its own. */
#define run walks_of_a_plan /* make.h has a struct of that name, too */
#include "unit/paths/make.h"
#undef run

#include "analyse/paths/pgo.h"

static FILE *text_file(const char *text)
{
	FILE *file = tmpfile();
	fputs(text, file);
	rewind(file);
	return file;
}

static const char *written(const struct pgo *pgo, size_t function)
{
	static char text[4096];
	FILE *file = fmemopen(text, sizeof text, "w");
	pgo_write_function(pgo, &pgo->functions[function], file);
	fclose(file);
	return text;
}

/* ---- a function as the plugin shows it ---- */

/* A loop whose head is at line 7, with an if that has a critical edge; counts are 1 call, 100 turns, 30 of them by line
 * 9, and of those 10 by line 10. The loop's end also has code of a function that was inlined there and elsewhere. */
#define HEAD COUNTERS_MAGIC "\t2\n"
static const char shown[] = HEAD "f\ta.c;q\"it\t17293822569102704640\t5\t0\t1\t0\n"
				 "b\t0\t1\t0\nl\ta.c\t7\t0\n"
				 "b\t-\t1\t0\nl\ta.c\t7\t0\np\t7\np\t0\n"
				 "b\t-\t1\t1\nl\ta.c\t20\t0\np\t1\n"
				 "b\t-\t2\t0\nc\t4\nl\ta.c\t8\t0\np\t1\n"
				 "b\t1\t1\t0\nl\ta.c\t8\t0\np\t3\n"
				 "b\t-\t1\t0\nl\ta.c\t9\t0\np\t3\n"
				 "b\t2\t2\t0\nl\ta.c\t10\t0\np\t5\n"
				 "b\t3\t2\t0\nl\ta.c\t7\t0\nl\ta.c\t10\t1\np\t6\np\t5\np\t4\n"
				 "end\t1\n";

static bool known_lines(void *context, const char *file, uint32_t line, uint64_t *count)
{
	static const uint64_t counts[] = {[7] = 100, [8] = 100, [9] = 30, [10] = 10, [20] = 1};
	(void)context;
	assert_string_equal(file, "a.c");
	*count = line < sizeof counts / sizeof *counts ? counts[line] : 0;
	return *count > 0;
}

static void a_function_as_the_plugin_shows_it(void **state)
{
	struct pgo pgo;
	struct fail why;
	FILE *file = text_file(shown);
	(void)state;
	assert_int_equal(pgo_read(&pgo, file, &why), 0);
	fclose(file);
	assert_int_equal(pgo.function_count, 1);
	assert_int_equal(pgo.functions[0].blocks, 8);
	assert_true(pgo_estimate(&pgo, &pgo.functions[0], known_lines, NULL));
	/* the entry as often as the end, the split edge what its neighbour leaves, half of the choices */
	assert_string_equal(
		written(&pgo, 0),
		"a.c;q\"it\n# Func Hash:\n17293822569102704640\n# Num Counters:\n5\n# Counter Values:\n1\n70\n10\n100\n50\n# Num Value Kinds:\n1\n# Value Kind:\n1\n# Num Value Sites:\n1\n0\n\n");
	pgo_free(&pgo);
}

static bool nothing_known(void *context, const char *file, uint32_t line, uint64_t *count)
{
	(void)context, (void)file, (void)line, (void)count;
	return false;
}

static void what_nobody_knows_is_not_written(void **state)
{
	struct pgo pgo;
	struct fail why;
	FILE *file = text_file(shown);
	(void)state;
	assert_int_equal(pgo_read(&pgo, file, &why), 0);
	assert_false(pgo_estimate(&pgo, &pgo.functions[0], nothing_known, NULL));
	pgo_free(&pgo);
	fclose(file);
}

/* Each of these is refused with a reason, and leaves nothing behind. */
static void a_damaged_list_is_refused(void **state)
{
	static const char *const damaged[] = {
		"error: no such file\n",
		COUNTERS_MAGIC "\t3\nend\t0\n",
		HEAD "end\t0\n",
		HEAD "f\tf\t1\t1\t0\t0\t0\nb\t0\t1\t1\n",               /* cut off */
		HEAD "f\tf\t1\t1\t0\t0\t0\nb\t0\t1\t1\nend\t2\n",       /* a function is missing */
		HEAD "f\tf\t1\t1\t0\t0\t0\nb\t1\t1\t1\nend\t1\n",       /* a counter that it does not have */
		HEAD "f\tf\t1\t1\t0\t0\t0\nb\t0\t1\t1\np\t9\nend\t1\n", /* a block that it does not have */
		HEAD "b\t0\t1\t1\nend\t0\n",
		HEAD "f\tf\t1\t1\t0\t0\t0\nl\ta.c\t1\t0\nend\t1\n",
		HEAD "f\tf\tmany\t1\t0\t0\t0\nb\t0\t1\t1\nend\t1\n",
	};
	(void)state;
	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		struct pgo pgo;
		struct fail why = {0};
		FILE *file = text_file(damaged[i]);
		assert_int_equal(pgo_read(&pgo, file, &why), -1);
		assert_true(*why.text);
		fclose(file);
	}
}

/* ---- random graphs ---- */

static uint64_t counted[BLOCKS_MAX];

static bool line_of_block(void *context, const char *file, uint32_t line, uint64_t *count)
{
	(void)context, (void)file;
	*count = counted[line - 1];
	return true;
}

/* Calls that come to an end; false: one did not. */
static bool walk_some(const struct function *f)
{
	for (uint32_t calls = 1 + pick(20); calls; calls--) {
		uint32_t steps = 0;
		for (uint32_t v = 0; v != PATHS_EXIT;) {
			uint32_t count = 0, e = 0;
			if (++steps > 1000)
				return false;
			counted[v]++;
			for (uint32_t i = 0; i < f->edges; i++)
				if (f->edge[i].from == v && pick(++count) == 0)
					e = i;
			v = f->edge[e].to;
		}
	}
	return true;
}

static FILE *shown_graph(const struct function *f)
{
	FILE *file = tmpfile();
	fprintf(file, HEAD "f\tf\t1\t%u\t0\t0\t0\n", f->blocks);
	for (uint32_t v = 0; v < f->blocks; v++) {
		bool ends = false;
		for (uint32_t e = 0; e < f->edges; e++)
			ends |= f->edge[e].from == v && f->edge[e].to == PATHS_EXIT;
		fprintf(file, "b\t%u\t2\t%d\nl\tf.c\t%u\t0\n", v, ends, v + 1);
		for (uint32_t e = 0; e < f->edges; e++)
			if (f->edge[e].to == v)
				fprintf(file, "p\t%u\n", f->edge[e].from);
	}
	fputs("end\t1\n", file);
	rewind(file);
	return file;
}

/* Flow bounds nothing that is true: counts of lines that belong to one block each stay as they are. */
static void lines_of_one_block_tell_its_count(void **state)
{
	uint64_t wanted = graphs_wanted(3000), done = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct function f;
		struct pgo pgo;
		struct fail why;
		seed_with(seed);
		make_edges(&f, 10);
		bool again = false; /* an entry that is reached again: not in LLVM */
		for (uint32_t e = 0; e < f.edges; e++)
			again |= f.edge[e].to == 0;
		memset(counted, 0, sizeof counted);
		if (again || !walk_some(&f))
			continue;
		FILE *file = shown_graph(&f);
		assert_int_equal(pgo_read(&pgo, file, &why), 0);
		fclose(file);
		assert_true(pgo_estimate(&pgo, &pgo.functions[0], line_of_block, NULL));
		for (uint32_t v = 0; v < f.blocks; v++)
			assert_int_equal(pgo.blocks[v].count, counted[v]);
		pgo_free(&pgo);
		done++;
	}
	assert_true(done > wanted / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_as_the_plugin_shows_it),
		cmocka_unit_test(what_nobody_knows_is_not_written),
		cmocka_unit_test(a_damaged_list_is_refused),
		cmocka_unit_test(lines_of_one_block_tell_its_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
