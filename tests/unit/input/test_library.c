/* SPDX-License-Identifier: MIT */
/* The list of foreign functions (core/library/library.def): no name twice, and every model speaks the grammar at the list's head. */
#include <regex.h>
#include "unit/lib.h"

struct line {
	const char *name, *words, *price;
};

static struct line functions[] = {
#define FUNCTION(name, words, price) {name, words, #price},
#define CALL(name, words, price) {#name, words, #price},
#include "core/library/library.def"
};

static struct line numbers[] = {
#define CALL(name, words, price) {#name, words, #price},
#define NUMBER(name, words) {#name, words, "ANY"},
#include "core/library/library.def"
};

static struct line families[] = {
#define FAMILY(start, words) {start, words, "ANY"},
#include "core/library/library.def"
};

enum {
	FUNCTIONS = sizeof functions / sizeof *functions,
	NUMBERS = sizeof numbers / sizeof *numbers,
	FAMILIES = sizeof families / sizeof *families
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* A name that has two lines; NULL: there is none. */
static const char *twice(struct line *list, size_t count)
{
	qsort(list, count, sizeof *list, by_name);
	for (size_t i = 1; i < count; i++)
		if (strcmp(list[i - 1].name, list[i].name) == 0)
			return list[i].name;
	return NULL;
}

static void every_name_has_one_line(void **unused)
{
	(void)unused;
	struct line same[] = {{"b", "", ""}, {"a", "", ""}, {"b", "", ""}};
	assert_string_equal(twice(same, 3), "b");
	assert_true(FUNCTIONS > 600 && NUMBERS > 200 && FAMILIES > 50);
	assert_null(twice(functions, FUNCTIONS));
	assert_null(twice(numbers, NUMBERS));
	assert_null(twice(families, FAMILIES));
}

static bool fits(const char *pattern, const char *text)
{
	regex_t compiled;
	assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
	bool is = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return is;
}

/* Words in line know less than those that are read at run time. */
static bool speaks(const char *words)
{
	static const char in_line[] = "^(([RWK][0-5=](x[r0-5][0-5]|t[0-5]|[rs0-5])|[a-z_]+[0-9]?)( |$))*$",
			  at_run_time[] =
				  "^(([RWKZES][0-6=]([0-6]|[*#+][0-9]+|[rs][0-6]?|x[0-6]([0-6]|#[0-9]+)|q[r0-6]|[tw][0-6=]|[vi][0-6])|"
				  "[a-z_]+[0-6]?|(scan|print):k?v?W?[0-9])( |$))*$";
	if (strcmp(words, "-") == 0)
		return true;
	words += strncmp(words, ".& ", 3) == 0 ? 3
		: strncmp(words, ". ", 2) == 0 ? 2
		: strcmp(words, ".&") == 0     ? 2
					       : strcmp(words, ".") == 0;
	return *words == '@' ? fits(at_run_time, words + 1) : fits(in_line, words);
}

static size_t unspoken(const struct line *list, size_t count)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (!speaks(list[i].words)) {
			print_error("%s: not the grammar of models: %s\n", list[i].name, list[i].words);
			found++;
		}
	return found;
}

static void every_model_speaks_the_grammar(void **unused)
{
	(void)unused;
	assert_true(speaks(". R12 W02") && speaks(".&") && speaks(".& R12") && speaks("@R1x2#16 K1i2") && speaks("") && speaks("-"));
	assert_false(speaks("R1#16") || speaks("Q12") || speaks(".R12") || speaks("&") || speaks(".&R12") || speaks("@R1") ||
	             speaks("- R12") || speaks("@R12  K1r"));
	assert_int_equal(unspoken(functions, FUNCTIONS), 0);
	assert_int_equal(unspoken(numbers, NUMBERS), 0);
	assert_int_equal(unspoken(families, FAMILIES), 0);
}

/* What the span lens takes for a call that returns at once must be one for the input lens, too. */
static void what_has_a_price_neither_waits_nor_synchronises(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < FUNCTIONS; i++)
		if (strcmp(functions[i].price, "ANY") != 0 && functions[i].words[0] != '.' && strcmp(functions[i].words, "-") != 0)
			fail_msg("%s has the price %s and the model %s", functions[i].name, functions[i].price, functions[i].words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_has_one_line),
		cmocka_unit_test(every_model_speaks_the_grammar),
		cmocka_unit_test(what_has_a_price_neither_waits_nor_synchronises),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
