/* SPDX-License-Identifier: MIT */
/* Counters of clang's instrumentation from counts of lines: on a function as clang shows it, and on random graphs whose
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

/* ---- a function as clang shows it ---- */

/* A loop whose head is at line 7, with an if that has a critical edge; counts are 1 call, 100 turns, 30 of them by line
 * 9, and of those 10 by line 10. */
static const char shown[] =
	"; *** IR Dump After PGOInstrumentationGen on [module] ***\n"
	"@.str = private unnamed_addr constant [4 x i8] c\"x:\\0A\\00\", align 1\n"
	"@__profn_a.c_quit = private constant [8 x i8] c\"a.c;q\\22it\"\n\n"
	"define internal void @quit(i64 noundef %0) unnamed_addr #0 !dbg !9 {\n"
	"  call void @llvm.instrprof.increment(ptr @__profn_a.c_quit, i64 17293822569102704640, i32 5, i32 0), !dbg !1\n"
	"    #dbg_value(i64 %0, !34, !DIExpression(), !4)\n"
	"  br label %2, !dbg !1\n\n"
	"2:                                                ; preds = %9, %1\n"
	"  %3 = phi i64 [ 0, %1 ], [ %4, %9 ], !dbg !4\n"
	"  br i1 %5, label %7, label %6, !dbg !1\n\n"
	"6:                                                ; preds = %2\n"
	"  ret void, !dbg !2\n\n"
	"7:                                                ; preds = %2\n"
	"  %8 = select i1 %5, i32 1, i32 2, !dbg !3\n"
	"  call void @llvm.instrprof.increment.step(ptr @__profn_a.c_quit, i64 17293822569102704640, i32 5, i32 4, i64 %z), !dbg !3\n"
	"  br i1 %5, label %10, label %11, !dbg !3\n\n"
	"11:                                               ; preds = %7\n"
	"  call void @llvm.instrprof.increment(ptr @__profn_a.c_quit, i64 17293822569102704640, i32 5, i32 1), !dbg !3\n"
	"  br label %9, !dbg !3\n\n"
	"10:                                               ; preds = %7\n"
	"  br i1 %5, label %12, label %9, !dbg !4\n\n"
	"12:                                               ; preds = %10\n"
	"  call void @llvm.instrprof.increment(ptr @__profn_a.c_quit, i64 17293822569102704640, i32 5, i32 2), !dbg !5\n"
	"  store i32 1, ptr %p, align 4, !dbg !5\n"
	"  call void @llvm.instrprof.value.profile(ptr @__profn_a.c_quit, i64 17293822569102704640, i64 %9, i32 1, i32 0), !dbg !5\n"
	"  br label %9, !dbg !5\n\n"
	"9:                                                ; preds = %12, %10, %11\n"
	"  call void @llvm.instrprof.increment(ptr @__profn_a.c_quit, i64 17293822569102704640, i32 5, i32 3), !dbg !1\n"
	"  %13 = add i64 %3, 1, !dbg !1\n"
	"  br label %2, !dbg !1\n"
	"}\n\n"
	"define void @bare() {\n  ret void\n}\n\n"
	"!1 = !DILocation(line: 7, column: 2, scope: !9)\n"
	"!2 = !DILocation(line: 20, column: 2, scope: !9)\n"
	"!3 = !DILocation(line: 8, column: 2, scope: !10)\n"
	"!4 = !DILocation(line: 9, column: 2, scope: !10)\n"
	"!5 = !DILocation(line: 10, column: 2, scope: !9)\n"
	"!6 = !DIFile(filename: \"a.c\", directory: \"/src\")\n"
	"!9 = distinct !DISubprogram(name: \"quit\", scope: !6, file: !6, line: 5)\n"
	"!10 = distinct !DILexicalBlock(scope: !9, file: !6, line: 7, column: 2)\n";

static bool known_lines(void *context, const char *file, uint32_t line, uint64_t *count)
{
	static const uint64_t counts[] = {[7] = 100, [8] = 100, [9] = 30, [10] = 10, [20] = 1};
	(void)context;
	assert_string_equal(file, "a.c");
	*count = line < sizeof counts / sizeof *counts ? counts[line] : 0;
	return *count > 0;
}

static void a_function_as_clang_shows_it(void **state)
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
	FILE *file = text_file(shown), *empty = text_file("error: no such file\n");
	(void)state;
	assert_int_equal(pgo_read(&pgo, file, &why), 0);
	assert_false(pgo_estimate(&pgo, &pgo.functions[0], nothing_known, NULL));
	pgo_free(&pgo);
	assert_int_equal(pgo_read(&pgo, empty, &why), -1);
	fclose(file);
	fclose(empty);
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
	fputs("@__profn_f = private constant [1 x i8] c\"f\"\ndefine void @f() {\n", file);
	for (uint32_t v = 0; v < f->blocks; v++) {
		if (v)
			fprintf(file, "\n%u:    ; preds =", v + 5);
		for (uint32_t e = 0, any = 0; v && e < f->edges; e++)
			if (f->edge[e].to == v)
				fprintf(file, "%s %%%u", any++ ? "," : "", f->edge[e].from + 5);
		fprintf(file, "%s  call void @llvm.instrprof.increment(ptr @__profn_f, i64 1, i32 %u, i32 %u), !dbg !%u\n", v ? "\n" : "",
		        f->blocks, v, v);
		fprintf(file, "  store i32 1, ptr %%p, !dbg !%u\n", v);
		bool ends = false;
		for (uint32_t e = 0; e < f->edges; e++)
			ends |= f->edge[e].from == v && f->edge[e].to == PATHS_EXIT;
		fprintf(file, "  %s, !dbg !%u\n", ends ? "ret void" : "br", v);
	}
	fputs("}\n", file);
	for (uint32_t v = 0; v < f->blocks; v++)
		fprintf(file, "!%u = !DILocation(line: %u, scope: !90)\n", v, v + 1);
	fputs("!90 = !DISubprogram(name: \"f\", file: !91)\n!91 = !DIFile(filename: \"f.c\")\n", file);
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
		bool again = false; /* entry that is come back to has a label */
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
		cmocka_unit_test(a_function_as_clang_shows_it),
		cmocka_unit_test(what_nobody_knows_is_not_written),
		cmocka_unit_test(lines_of_one_block_tell_its_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
