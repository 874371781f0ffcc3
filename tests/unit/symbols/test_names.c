/* SPDX-License-Identifier: MIT */
/* Names as people say them. */
#include "unit/lib.h"

#include "analyse/names.h"

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
	const struct CMUnitTest tests[] = {cmocka_unit_test(long_names_lose_arguments), cmocka_unit_test(any_bytes_are_taken)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
