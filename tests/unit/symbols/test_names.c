/* SPDX-License-Identifier: MIT */
/* Names as people say them. */
#include "unit/lib.h"

#include "analyse/names.h"
#include "analyse/names_rust.h"
#include "analyse/run.h"

static void long_names_lose_arguments(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"std::map<int, std::less<int> >::operator[](int const&)", "std::map<…>::operator[]"},
		{"f(int, char)", "f"},
		{"void g<int>(int)", "void g<…>"},
		{"A<int>::f(B<char>) const", "A<…>::f"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"ns::(anonymous namespace)::f(int)", "ns::(anonymous namespace)::f"},
		{"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"},
		{"bool std::operator< <char>(char const&)", "bool std::operator< <…>"},
		{"A::operator<(A const&) const", "A::operator<"},
		{"A::operator->() const", "A::operator->"},
		{"A::operator()(int)::{lambda()#1}::operator()() const", "A::operator()::{lambda#1}::operator()"},
		{"plain", "plain"},
		{"broken<(", "broken<("},
		{"", ""},
	};
	struct pool pool = {0};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		assert_string_equal(names_short(&pool, pairs[i][0], 0), pairs[i][1]);
		assert_ptr_equal(names_short(&pool, pairs[i][0], strlen(pairs[i][0])), pairs[i][0]);
	}
	pool_free(&pool);
}

static void brief_names_have_no_parameters(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"f(int, char)", "f"},
		{"A<int>::f(B<char>) const", "A<int>::f"},
		{"f<void (int)>(char)", "f<void (int)>"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"A::operator()(int) const", "A::operator()"},
		{"std::map<std::basic_string<char, std::char_traits<char> >, int>::operator[](int const&)", "std::map<…>::operator[]"},
		{"plain", "plain"},
		{"", ""},
	};
	struct pool pool = {0};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		assert_string_equal(names_brief(&pool, pairs[i][0]), pairs[i][1]);
	pool_free(&pool);
}

static void bodies_belong_to_functions(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"main.omp_outlined", "main", "(parallel)"},   {"main.omp_outlined.4", "main", "(parallel)"},
		{"f.omp_outlined_debug__", "f", "(parallel)"}, {"_Z1fi.omp_outlined", "f(int)", "(parallel)"},
		{".omp_outlined.", "", "(parallel)"},          {".omp_task_entry..14", "", "(task)"},
		{"main._omp_fn.0", "main", "(OpenMP)"},        {"f.cilk_spawn.2", "f", "(cilk_spawn)"},
	};
	struct pool pool = {0};
	const char *what;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(names_construct(&pool, cases[i][0], &what), cases[i][1]);
		assert_string_equal(what, cases[i][2]);
	}
	assert_null(names_construct(&pool, "main", &what));
	assert_null(names_construct(&pool, "omp_outlined", &what));
	pool_free(&pool);
}

static uint32_t add(struct run *run, const char *linkage, uint32_t line)
{
	return run_routine(run, &(struct run_routine){.object = 0, .linkage = linkage, .file = "a.c", .line = line});
}

static void names_that_would_be_equal_can_be_told_apart(void **state)
{
	(void)state;
	struct run run;
	run_start(&run);
	run_object(&run, "b1d", "/bin/a");
	static const struct {
		const char *linkage;
		uint32_t line;
		const char *shown;
	} cases[] = {{"_Z1fi", 1, "f(int)"},
	             {"_Z1fd", 2, "f(double)"},
	             {"_Z1gi", 5, "g"},
	             {".omp_task_entry..1", 7, "g (task, line 7)"},
	             {".omp_task_entry..2", 8, "g (task, line 8)"},
	             {"main", 20, "main"},
	             {".omp_task_entry..3", 25, "main (task)"},
	             {"main.omp_outlined", 21, "main (parallel)"},
	             {"main.omp_outlined_debug__", 21, "main (parallel)"},
	             {"h.omp_outlined", 0, "h (parallel)"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		add(&run, cases[i].linkage, cases[i].line);
	assert_string_equal(run_shown(&run.routines[1]), "f(int)"); /* before names are made, the full one */
	run_show_names(&run);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(run_shown(&run.routines[i + 1]), cases[i].shown);
	run_free(&run);
}

/* The examples are those of the RFC and of rustc's own demangler. */
static void rust_names_are_read(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"_RNvC6_123foo3bar", "123foo::bar"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
		{"_RNvNtCs1234_7mycrate3foo3bar.llvm.99", "mycrate::foo::bar"},
		{"_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"},
		{"_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_4iter8iterator8Iterator9rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_",
	         "<core::slice::Iter<u8> as core::iter::iterator::Iterator>::rposition::<core::slice::memchr::memrchr::{closure#1}>::{closure#0}"},
		{"_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
	         "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>"},
		{"_RINtC8arrayvec8ArrayVechKj7b_E", "arrayvec::ArrayVec::<u8, 123>"},
		{"_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>"},
		{"_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKxn98_E", "<const_generic::Signed<-152>>"},
		{"_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb1_E", "<const_generic::Bool<true>>"},
		{"_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E", "<const_generic::Char<'v'>>"},
		{"_RINvC1a1fRShQeOxTEThEAlj3_FG_RL0_hEuE", "a::f::<&[u8], &mut str, *mut i64, (), (u8,), [i32; 3], for<'a> fn(&'a u8)>"},
		{"_RINvC1a1fFUKCddEfE", "a::f::<unsafe extern \"C\" fn(f64, f64) -> f32>"},
		{"_RNvC1au8gdel_5qa", "a::punycode{gdel_5qa}"},
	};
	struct pool pool = {0};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		assert_non_null(names_rust(&pool, pairs[i][0]));
		assert_string_equal(names_demangle(&pool, pairs[i][0]), pairs[i][1]);
	}
	static const char *const others[] = {"_R",      "_RC",        "_RNvC6_123foo", "_RNvC6_123foo3ba",
	                                     "_Runner", "_R1NvC1a1b", "_RNvB_1a",      "_RNvC99999999999999999999a1b",
	                                     "main"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_null(names_rust(&pool, others[i]));
		assert_string_equal(names_demangle(&pool, others[i]), others[i]);
	}
	pool_free(&pool);
}

/* A list of tuples, each of twice the one before it. */
static const char *doubled(struct pool *pool, int times)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *name = "_RINvC1a1fThhE";
	size_t last = strlen("INvC1a1f");
	for (int i = 0; i < times; i++) {
		char number[4] = {digits[(last - 1) / 62], digits[(last - 1) % 62], '_', 0};
		const char *shown = number + (number[0] == '0');
		last = strlen(name) - strlen("_R");
		name = pool_print(pool, "%sTB%sB%sE", name, shown, shown);
	}
	return pool_print(pool, "%sE", name);
}

/* Any bytes, tuples in tuples, and back references that double what is before them. */
static void hostile_rust_names_end(void **state)
{
	(void)state;
	static const char bytes[] = "_0123CNIMXYBTRASPQOFDEGKULpsuvhjbcntx.";
	struct pool pool = {0};
	unsigned seed = 7;
	for (int round = 0; round < 100000; round++) {
		char name[60] = "_R";
		size_t length = 2;
		for (size_t most = 3 + seed % 50; length < most; length++) {
			seed = seed * 1664525 + 1013904223;
			name[length] = bytes[(seed >> 16) % (sizeof bytes - 1)];
		}
		name[length] = 0;
		names_rust(&pool, name);
	}
	char deep[4000] = "_RMC0";
	memset(deep + 5, 'T', sizeof deep - 6);
	assert_null(names_rust(&pool, deep));
	assert_string_equal(names_rust(&pool, doubled(&pool, 2)),
	                    "a::f::<(u8, u8), ((u8, u8), (u8, u8)), (((u8, u8), (u8, u8)), ((u8, u8), (u8, u8)))>");
	assert_null(names_rust(&pool, doubled(&pool, 40)));
	pool_free(&pool);
}

static void any_bytes_are_taken(void **state)
{
	(void)state;
	static const char bytes[] = "a<>()-operator{}[]: ";
	struct pool pool = {0};
	unsigned seed = 1;
	for (int round = 0; round < 20000; round++) {
		char name[40];
		size_t length = 0;
		for (; length < 1 + seed % 30; length++) {
			seed = seed * 1664525 + 1013904223;
			name[length] = bytes[(seed >> 16) % (sizeof bytes - 1)];
		}
		name[length] = 0;
		assert_true(strlen(names_short(&pool, name, 0)) <= 4 * length);
	}
	pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(long_names_lose_arguments),
	                                   cmocka_unit_test(brief_names_have_no_parameters),
	                                   cmocka_unit_test(bodies_belong_to_functions),
	                                   cmocka_unit_test(names_that_would_be_equal_can_be_told_apart),
	                                   cmocka_unit_test(rust_names_are_read),
	                                   cmocka_unit_test(hostile_rust_names_end),
	                                   cmocka_unit_test(any_bytes_are_taken)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
