/* SPDX-License-Identifier: MIT */
/* What `skein check` is told: each claim is read as doc/check.md says, however hostile; and a comparison has three outcomes. */
#include "unit/lib.h"

#include <math.h>
#include <regex.h>

#include "report/check/answer.h"

/* ---- claims that were thought of ---- */

struct expected {
	const char *claim, *lens, *figure, *caller, *thing, *limit; /* NULL: there is none */
};

static void expect_text(const char *claim, const char *expected, const char *is)
{
	if ((!expected) != (!is) || (expected && strcmp(expected, is) != 0))
		fail_msg("%s: expected %s, got %s", claim, expected ? expected : "nothing", is ? is : "nothing");
}

static void expect_claim(const struct expected *e)
{
	struct pool pool = {0};
	struct claim c;
	struct fail why = {0};
	enum claim_reading reading = claim_read(&pool, e->claim, &c, &why);
	if (reading != CLAIM_READ)
		fail_msg("%s: not read: %s", e->claim, why.text);
	expect_text(e->claim, e->lens, c.lens ? c.lens->name : NULL);
	expect_text(e->claim, e->figure, c.figure ? c.figure->name : c.growth);
	expect_text(e->claim, e->caller, c.caller);
	expect_text(e->claim, e->thing, c.lens ? c.thing : c.routine);
	expect_text(e->claim, e->limit, c.limit);
	pool_free(&pool);
}

static void claims_of_figures_are_read(void **state)
{
	static const struct expected list[] = {
		{"span: parallelism >= 8", "span", "parallelism", NULL, NULL, ">= 8"},
		{"  span:parallelism>=8\t", "span", "parallelism", NULL, NULL, ">=8"},
		{"span: partition span% <= 10", "span", "span%", NULL, "partition", "<= 10"},
		{"span: partition span <= 10 %", "span", "span%", NULL, "partition", "<= 10 %"},
		{"span: partition span <= 10 M", "span", "span", NULL, "partition", "<= 10 M"},
		{"calls: parse calls == 1,000", "calls", "calls", NULL, "parse", "== 1,000"},
		{"calls: calls != 5", "calls", "calls", NULL, NULL, "!= 5"},
		{"calls: main wall <= 110 % of base.skein", "calls", "wall", NULL, "main", "<= 110 % of base.skein"},
		{"idle: idleness <= 10 %", "idle", "idleness%", NULL, NULL, "<= 10 %"},
		{"idle: idleness < 2.5 s", "idle", "idleness", NULL, NULL, "< 2.5 s"},
		{"flow: wait(table_lock) <= 5 %", "flow", "wait%", NULL, "table_lock", "<= 5 %"},
		{"flow: wait (table lock) <= 5ms", "flow", "wait", NULL, "table lock", "<= 5ms"},
		{"flow: f(int) wait <= 5 ms", "flow", "wait", NULL, "f(int)", "<= 5 ms"},
		{"paths: postage never-executed == 0", "paths", "never-executed", NULL, "postage", "== 0"},
		{"calls: main -> parse calls > 3", "calls", "calls", "main", "parse", "> 3"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		expect_claim(&list[i]);
}

static void a_name_may_look_like_a_part_of_a_claim(void **state)
{
	static const struct expected list[] = {
		/* the name of a lens, of a figure */
		{"span: O(n)", NULL, "O(n)", NULL, "span", NULL},
		{"span::f: O(n)", NULL, "O(n)", NULL, "span::f", NULL},
		{"calls: span: O(1)", NULL, "O(1)", NULL, "calls: span", NULL},
		{"calls: calls calls == 1", "calls", "calls", NULL, "calls", "== 1"},
		{"span: span span% < 5", "span", "span%", NULL, "span", "< 5"},
		/* colons, blanks, brackets */
		{"a::b(int): O(n log n)", NULL, "O(n log n)", NULL, "a::b(int)", NULL},
		{"calls: a::b(int, char) calls == 1", "calls", "calls", NULL, "a::b(int, char)", "== 1"},
		{"calls: f: O(n) calls == 1", "calls", "calls", NULL, "f: O(n)", "== 1"},
		/* comparisons */
		{"calls: operator<= calls <= 5", "calls", "calls", NULL, "operator<=", "<= 5"},
		{"calls: operator<(a, b) calls<5", "calls", "calls", NULL, "operator<(a, b)", "<5"},
		{"calls: x calls == 5 calls == 6", "calls", "calls", NULL, "x calls == 5", "== 6"},
		{"calls: A::operator->() const -> g calls == 2", "calls", "calls", "A::operator->() const", "g", "== 2"},
		{"calls: f calls <= 10 % of 'x calls <= 5'", "calls", "calls", NULL, "f", "<= 10 % of 'x calls <= 5'"},
		/* quotes */
		{"calls: 'a -> b' calls == 2", "calls", "calls", NULL, "a -> b", "== 2"},
		{"calls: 'a' -> \"b -> c\" calls == 2", "calls", "calls", "a", "b -> c", "== 2"},
		{"calls: 'it''s' calls == 2", "calls", "calls", NULL, "it's", "== 2"},
		{"calls: operator\"\"_km calls == 2", "calls", "calls", NULL, "operator\"\"_km", "== 2"},
		{"calls: 'open calls == 2", "calls", "calls", NULL, "'open", "== 2"},
		{"'calls: f calls == 1': O(n)", NULL, "O(n)", NULL, "calls: f calls == 1", NULL},
		{"flow: wait('a b') <= 5 ms", "flow", "wait", NULL, "a b", "<= 5 ms"},
		/* what parses as a figure is none of growth */
		{"calls: f calls <= 10 % of a: O(n)", "calls", "calls", NULL, "f", "<= 10 % of a: O(n)"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		expect_claim(&list[i]);
}

static void what_is_wrong_is_said(void **state)
{
	static const char *const wrong[][2] = {
		{"span: parallelizm >= 8", "did you mean parallelism?"},
		{"span: parallelism", "is not a claim: write 'span: FIGURE <= BOUND'"},
		{"span: parallelism = 8", "is not a claim: write 'span: FIGURE <= BOUND'"},
		{"span: parallelism >= eight", "eight is not a bound"},
		{"span: parallelism >=", "'' is not a bound"},
		{"span: parallelism >= 8 %", "is a number"},
		{"span: parallelism >= -8", "-8 is not a bound"},
		{"span: >= 8", "has no figure ''"},
		{"span:", "is not a claim"},
		{"span: x spam(y) >= 8", "has no figure"},
		{"calls: wall <= 5", "is a time: write a bound such as 5 ms"},
		{"calls: callee-calls <= 5", "is a figure of a routine: write 'calls: ROUTINE callee-calls <= …'"},
		{"calls: a -> b cpu <= 5 s", "is a figure of the whole run"},
		{"calls: '' calls == 1", "does not say whose calls"},
		{"flow: wait() <= 5 s", "does not say whose wait"},
		{"calls: a -> '' calls == 1", "does not say whose calls"},
		{"calls: f calls <= 1,00", "1,00 is not a bound"},
		{"calls: f calls <= 10 % of", "10 % of is not a bound"},
		{": O(n)", "a claim needs a routine"},
		{"'': O(n)", "a claim needs a routine"},
		{"f: O(n!)", "O(n!) is not a growth"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct pool pool = {0};
		struct claim c;
		struct fail why = {0};
		if (claim_read(&pool, wrong[i][0], &c, &why) != CLAIM_WRONG || !strstr(why.text, wrong[i][1]) || why.status != FAIL_USAGE)
			fail_msg("%s: %s", wrong[i][0], why.text);
		pool_free(&pool);
	}
}

static void other_words_are_no_claims(void **state)
{
	static const char *const words[] = {
		"prog.skein", "", " ", "calls", "calls::f <= 5", "spam: f <= 5", "x: 5", "a:b:c", "Span: parallelism >= 8"};
	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct pool pool = {0};
		struct claim c;
		struct fail why = {0};
		assert_int_equal(claim_read(&pool, words[i], &c, &why), CLAIM_NONE);
		pool_free(&pool);
	}
}

static void bounds_have_units(void **state)
{
	static const struct {
		const char *text;
		enum bound_kind kind;
		long double value;
	} list[] = {
		{"8", BOUND_NUMBER, 8},           {"1,234,567", BOUND_NUMBER, 1234567},
		{"0.25", BOUND_NUMBER, 0.25L},    {"2e6", BOUND_NUMBER, 2e6L},
		{"1e-3", BOUND_NUMBER, 1e-3L},    {"10%", BOUND_PERCENT, 10},
		{"5 ns", BOUND_TIME, 5},          {"5us", BOUND_TIME, 5e3L},
		{"5 µs", BOUND_TIME, 5e3L},       {"1.5 ms", BOUND_TIME, 1.5e6L},
		{"2 s", BOUND_TIME, 2e9L},        {"3 min", BOUND_TIME, 180e9L},
		{"1 h", BOUND_TIME, 3600e9L},     {"3k", BOUND_AMOUNT, 3e3L},
		{"5.2 M", BOUND_AMOUNT, 5.2e6L},  {"1 G", BOUND_AMOUNT, 1e9L},
		{"110 % of a b", BOUND_OF, 110L}, {"9007199254740993", BOUND_NUMBER, 9007199254740993.0L},
	};
	static const char *const none[] = {"",
	                                   "x",
	                                   "1,00",
	                                   "1234,567",
	                                   "1,0000",
	                                   "1.",
	                                   ".5",
	                                   "1 m",
	                                   "5 %of",
	                                   "5 % ofx",
	                                   "1e",
	                                   "1e99",
	                                   "1 2",
	                                   "0x10",
	                                   "inf",
	                                   "nan",
	                                   "1234567890123456789012345678901234567890"};
	struct pool pool = {0};
	struct bound b;
	(void)state;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		if (!bound_read(&pool, list[i].text, &b) || b.kind != list[i].kind ||
		    fabsl(b.value - list[i].value) > fabsl(list[i].value) * 1e-15L)
			fail_msg("%s is not %Lg", list[i].text, list[i].value);
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (bound_read(&pool, none[i], &b))
			fail_msg("%s is no bound", none[i]);
	pool_free(&pool);
}

/* ---- a naive reader, by regular expressions and all comparisons in turn ---- */

static regex_t bound_form, figure_form[16];

static bool naive_bound(const char *text)
{
	return regexec(&bound_form, text, 0, NULL, 0) == 0;
}

static char *naive_trim(struct pool *pool, const char *text, size_t length)
{
	char *copy = pool_print(pool, "%.*s", (int)length, text);
	copy += strspn(copy, " \t");
	for (size_t n = strlen(copy); n && strchr(" \t", copy[n - 1]); n--)
		copy[n - 1] = 0;
	return copy;
}

/* The operator and bound of the last comparison with a figure before and a bound behind; NULL: there is none. */
static const char *naive_limit(struct pool *pool, size_t lens, const char *rest)
{
	static const char *const ops[] = {"<=", "==", "!=", ">=", "<", ">"};
	const char *limit = NULL;
	for (size_t at = 0; rest[at]; at++)
		for (size_t o = 0; o < 6; o++) {
			if (strncmp(rest + at, ops[o], strlen(ops[o])) != 0)
				continue;
			const char *right = naive_trim(pool, rest + at + strlen(ops[o]), strlen(rest + at + strlen(ops[o])));
			const char *left = naive_trim(pool, rest, at);
			if (naive_bound(right) && regexec(&figure_form[lens], left, 0, NULL, 0) == 0)
				limit = naive_trim(pool, rest + at, strlen(rest + at));
			break;
		}
	return limit;
}

/* Claims with % mean the share of what is called so, too; bounds of these random claims have none. */
static void naive_start(void)
{
	assert_int_equal(regcomp(&bound_form,
	                         "^([0-9]{1,30}|[0-9]{1,3}(,[0-9]{3}){1,9})(\\.[0-9]{1,20})?[ \t]*(|k|M|ns|ms|s|%[ \t]*of[ \t]+.+)$",
	                         REG_EXTENDED | REG_NOSUB),
	                 0);
	for (size_t l = 0; l < lens_count; l++) {
		struct pool pool = {0};
		const char *names = "";
		for (const struct figure *f = lenses[l]->figures->list; f->name; f++)
			names = pool_print(&pool, "%s%s%s", names, *names ? "|" : "", f->name);
		const char *form = pool_print(&pool, "^((.*[ \t])?(%s)|(%s)[ \t]*\\(.*\\))$", names, names);
		assert_int_equal(regcomp(&figure_form[l], form, REG_EXTENDED | REG_NOSUB), 0);
		pool_free(&pool);
	}
}

static const char *const pieces[] = {"calls", "wait",  "span%", " ",     " ",     " ",           "<",       "<=",         "==", "!=",
                                     ">",     ">=",    "5",     "1,000", "1,00",  "2.5",         "ms",      "k",          "(",  ")",
                                     "'",     "\"",    "->",    " -> ",  "% of ", "x",           "f",       "O(n)",       ":",  "::",
                                     "<= 5",  " == 7", "a b",   "of",    "\t",    " calls <= 3", "wait(x)", "operator<=", "é"};

static void random_claims_are_read_as_a_naive_reader_reads_them(void **state)
{
	unsigned read = 0;
	(void)state;
	naive_start();
	srand(19);
	for (int round = 0; round < 60000; round++) {
		struct pool pool = {0};
		struct fail why = {0};
		struct claim c;
		size_t lens = (size_t)rand() % lens_count, count = 1 + (size_t)rand() % 12;
		char *rest = pool_text(&pool, "");
		for (size_t i = 0; i < count; i++)
			rest = pool_print(&pool, "%s%s", rest, pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)]);
		if (*rest == ':')
			rest = pool_print(&pool, " %s", rest);
		char *word = pool_print(&pool, "%s:%s", lenses[lens]->name, rest);
		const char *limit = naive_limit(&pool, lens, naive_trim(&pool, rest, strlen(rest)));
		enum claim_reading reading = claim_read(&pool, word, &c, &why);
		if (reading == CLAIM_READ && c.lens) {
			read++;
			expect_text(word, limit, c.limit);
			assert_true(bound_fits(&c.bound, c.figure->unit));
			assert_true((c.thing == NULL) == (c.figure->rows->about == FIGURE_RUN));
			assert_true((c.caller == NULL) == (c.figure->rows->about != FIGURE_SITE));
		} else if (reading == CLAIM_READ && limit) {
			fail_msg("%s was read as growth", word);
		} else if (reading == CLAIM_WRONG) {
			assert_true(*why.text && why.status == FAIL_USAGE);
		}
		assert_int_not_equal(reading, CLAIM_NONE);
		pool_free(&pool);
	}
	assert_true(read > 500);
}

static void hostile_words_are_read_or_refused(void **state)
{
	(void)state;
	srand(20);
	for (int round = 0; round < 20000; round++) {
		char word[64] = "";
		size_t length = (size_t)rand() % (sizeof word - 1), start = 0;
		if (round % 2)
			start = (size_t)snprintf(word, sizeof word, "%s:", lenses[(size_t)rand() % lens_count]->name);
		for (size_t i = start; i < length; i++)
			word[i] = (char)(1 + rand() % 255);
		struct pool pool = {0};
		struct claim c;
		struct fail why = {0};
		enum claim_reading reading = claim_read(&pool, word, &c, &why);
		assert_true(reading != CLAIM_WRONG || *why.text);
		pool_free(&pool);
	}
	/* long ones: of comparisons, of files, of quotes */
	static const char *const again[] = {"<", "<5", "<5% of ", "'", " -> ", "(", "a calls == 5 ", "1,"};
	for (size_t i = 0; i < sizeof again / sizeof *again; i++)
		for (int n = 1000; n <= 100000; n *= 100) {
			struct pool pool = {0};
			struct claim c;
			struct fail why = {0};
			size_t step = strlen(again[i]);
			char *word = memory_zeroed((size_t)n * step + 32, 1);
			strcpy(word, "calls:");
			for (int k = 0; k < n; k++)
				memcpy(word + 6 + (size_t)k * step, again[i], step);
			claim_read(&pool, word, &c, &why);
			free(word);
			pool_free(&pool);
		}
}

/* ---- comparing ---- */

static bool holds(int value, enum claim_operator op, int bound)
{
	switch (op) {
	case CLAIM_LESS: return value < bound;
	case CLAIM_AT_MOST: return value <= bound;
	case CLAIM_IS: return value == bound;
	case CLAIM_IS_NOT: return value != bound;
	case CLAIM_AT_LEAST: return value >= bound;
	default: return value > bound;
	}
}

static void a_claim_holds_if_it_does_for_all_that_may_be_true(void **state)
{
	(void)state;
	for (int low = 0; low < 6; low++)
		for (int high = low; high < 6; high++)
			for (int least = 0; least < 6; least++)
				for (int most = least; most < 6; most++)
					for (int op = 0; op < CLAIM_OPERATORS; op++) {
						int yes = 0, no = 0;
						for (int value = low; value <= high; value++)
							for (int bound = least; bound <= most; bound++)
								*(holds(value, (enum claim_operator)op, bound) ? &yes : &no) += 1;
						struct answer_range is = {low, high}, of = {least, most};
						enum answer_status expected = !no ? ANSWER_HOLDS : !yes ? ANSWER_FAILS : ANSWER_UNKNOWN;
						assert_int_equal(answer_compare(is, (enum claim_operator)op, of, 0), expected);
					}
	struct answer_range more = {5, INFINITY}, five = {5, 5}, four = {4, 4}, pi = {3.14159L, 3.14159L}, rounded = {3.14L, 3.14L};
	assert_int_equal(answer_compare(more, CLAIM_AT_MOST, four, 0), ANSWER_FAILS);
	assert_int_equal(answer_compare(more, CLAIM_AT_LEAST, five, 0), ANSWER_HOLDS);
	assert_int_equal(answer_compare(more, CLAIM_IS, five, 0), ANSWER_UNKNOWN);
	assert_int_equal(answer_compare(pi, CLAIM_IS, rounded, 0.005L), ANSWER_HOLDS);
	assert_int_equal(answer_compare(pi, CLAIM_IS, rounded, 0.0005L), ANSWER_FAILS);
}

static void a_failure_counts_more_than_a_doubt(void **state)
{
	struct answers answers = {0};
	const struct claim claim = {.text = "x"};
	(void)state;
	assert_int_equal(answers_status(&answers), 0);
	answers_add(&answers, &claim, ANSWER_HOLDS);
	assert_int_equal(answers_status(&answers), 0);
	answers_add(&answers, &claim, ANSWER_UNKNOWN);
	assert_int_equal(answers_status(&answers), 3);
	answers_add(&answers, &claim, ANSWER_FAILS);
	answers_add(&answers, &claim, ANSWER_UNKNOWN);
	assert_int_equal(answers_status(&answers), 1);
	answers_free(&answers);
}

/* ---- the lists of figures ---- */

static void names_of_figures_can_be_written(void **state)
{
	(void)state;
	for (size_t l = 0; l < lens_count; l++)
		for (const struct figure *f = lenses[l]->figures->list; f->name; f++) {
			assert_true(strspn(f->name, "abcdefghijklmnopqrstuvwxyz0123456789-%") == strlen(f->name));
			assert_true((f->kind == FIGURE_SAMPLED) == (f->range != NULL));
			assert_true((f->name[strlen(f->name) - 1] != '%') || f->unit == UNIT_PERCENT);
			assert_true(f->unit == UNIT_COUNT || f->unit == UNIT_NS || f->unit == UNIT_PERCENT || f->unit == UNIT_RATIO);
			for (const struct figure *g = f + 1; g->name; g++)
				assert_false(strcmp(f->name, g->name) == 0 && f->rows->about == g->rows->about);
		}
}

static void a_part_of_few_samples_is_hardly_known(void **state)
{
	(void)state;
	struct figure_range r = figure_part_of(0.5, 100);
	assert_true(fabs(r.low - 0.4038) < 0.0001 && fabs(r.high - 0.5962) < 0.0001);
	r = figure_part_of(0, 30);
	assert_true(r.low == 0 && fabs(r.high - 0.1135) < 0.0001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claims_of_figures_are_read),
		cmocka_unit_test(a_name_may_look_like_a_part_of_a_claim),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(other_words_are_no_claims),
		cmocka_unit_test(bounds_have_units),
		cmocka_unit_test(random_claims_are_read_as_a_naive_reader_reads_them),
		cmocka_unit_test(hostile_words_are_read_or_refused),
		cmocka_unit_test(a_claim_holds_if_it_does_for_all_that_may_be_true),
		cmocka_unit_test(a_failure_counts_more_than_a_doubt),
		cmocka_unit_test(names_of_figures_can_be_written),
		cmocka_unit_test(a_part_of_few_samples_is_hardly_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
