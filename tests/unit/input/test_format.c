/* SPDX-License-Identifier: MIT */
/* Formats of the input lens: what scanf writes, byte by byte, on random formats and texts, against the C library
 * itself; and what printf reads. */
#include "unit/lib.h"

#include <wchar.h>

#include "core/input/format.h"

enum { PLACES = 10, BYTES = 1024, ROUNDS = 20000, TEXT = 200 };

static uint64_t state;

static unsigned draw(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}

/* ---- destinations ---- */

static unsigned char places[PLACES][BYTES] __attribute__((aligned(16)));
static bool written[PLACES][BYTES], said[PLACES][BYTES];
static unsigned made;

static void fill(unsigned char with)
{
	memset(places, with, sizeof places);
}

static void note_written(unsigned char with)
{
	for (int p = 0; p < PLACES; p++)
		for (int b = 0; b < BYTES; b++)
			written[p][b] |= places[p][b] != with;
}

static uint64_t bytes_of(enum input_format_what what, uint64_t at, uint64_t bytes)
{
	const void *text = (const void *)(uintptr_t)at;
	return what == INPUT_FORMAT_TEXT    ? strnlen(text, bytes == UINT64_MAX ? BYTES : bytes) + 1
		: what == INPUT_FORMAT_WIDE ? (wcslen(text) + 1) * sizeof(wchar_t)
					    : bytes;
}

static void note_said(void *context, bool writes, enum input_format_what what, uint64_t at, uint64_t bytes)
{
	(void)context;
	assert_true(writes);
	made += what == INPUT_FORMAT_MADE;
	uint64_t from = at - (uintptr_t)places;
	if (from >= sizeof places)
		return; /* a block */
	for (uint64_t i = 0, n = bytes_of(what, at, bytes); i < n; i++)
		((bool *)said)[from + i] = true;
}

/* ---- random formats, and texts that suit them more or less ---- */

struct formed {
	char format[TEXT], text[TEXT];
	int conversions;
	int counted[PLACES], count; /* places of those that scanf counts */
	bool allocates[PLACES];
};

/* The conversion that fails leaves a null pointer behind, if it was to allocate. */
static int place_of_failure(const struct formed *f, int assigned)
{
	int next = assigned > 0 ? assigned : 0;
	return next < f->count && f->allocates[f->counted[next]] ? f->counted[next] : PLACES;
}

static void add(char *to, const char *more)
{
	strncat(to, more, TEXT - strlen(to) - 1);
}

static const char *one_of(const char *const *list, unsigned count)
{
	return list[draw(count)];
}
#define ONE_OF(...) one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* In a wide format, glibc writes a second zero behind a text of bytes: such are not drawn. */
static void add_conversion(struct formed *f, bool numbered, bool wide)
{
	char one[32] = "%";
	int kind = (int)draw(6), place = f->conversions;
	bool suppressed = !numbered && draw(8) == 0, allocates = !suppressed && kind >= 3 && kind < 5 && draw(4) == 0;
	if (numbered)
		snprintf(one, sizeof one, "%%%d$", place + 1);
	add(f->format, one);
	add(f->format, suppressed ? "*" : "");
	if (kind != 5 && draw(3) == 0)
		add(f->format, ONE_OF("1", "3", "7"));
	add(f->format, allocates ? "m" : "");
	switch (kind) {
	case 0:
		add(f->format, ONE_OF("hh", "h", "", "l", "ll", "j", "z", "t"));
		add(f->format, ONE_OF("d", "i", "u", "x", "X", "o"));
		add(f->text, ONE_OF("12", "-7", "0", "123456", "x"));
		break;
	case 1:
		add(f->format, ONE_OF("", "l", "L"));
		add(f->format, ONE_OF("f", "e", "g", "a"));
		add(f->text, ONE_OF("1.5", "-2e3", "7", "inf", "y"));
		break;
	case 2:
		add(f->format, "p");
		add(f->text, ONE_OF("0x1234", "(nil)", "z"));
		break;
	case 3:
		add(f->format, wide ? ONE_OF("ls", "S") : ONE_OF("s", "ls", "S"));
		add(f->text, ONE_OF("abc", "q", "hello-world"));
		break;
	case 4:
		add(f->format, wide ? "l" : ONE_OF("", "l"));
		add(f->format, ONE_OF("[a-z]", "[^]%d]", "[]a-z]", "[^0-9]"));
		add(f->text, ONE_OF("abc", "]]", "word", "17"));
		break;
	default:
		add(f->format, ONE_OF("c", "lc", "C"));
		add(f->text, ONE_OF("k", "l"));
		break;
	}
	if (suppressed)
		return;
	f->allocates[place] = allocates;
	f->counted[f->count++] = place;
	f->conversions++;
	if (draw(6) == 0 && f->conversions < PLACES) { /* a %n that is reached whenever the conversion was */
		snprintf(one, sizeof one, "%%%d$", f->conversions + 1);
		add(f->format, numbered ? one : "%");
		add(f->format, ONE_OF("n", "hhn", "ln"));
		f->conversions++;
	}
}

static struct formed form(bool wide)
{
	struct formed f = {0};
	bool numbered = draw(5) == 0;
	for (int left = 1 + (int)draw(6); left && f.conversions < PLACES - 1; left--) {
		add_conversion(&f, numbered, wide);
		if (left > 1) {
			add(f.format, ONE_OF(" ", " ", ",", "%% "));
			add(f.text, ONE_OF(" ", " ", ",", "% ", ""));
		}
	}
	return f;
}

/* ---- the same by the model and by the C library ---- */

#define ALL_PLACES places[0], places[1], places[2], places[3], places[4], places[5], places[6], places[7], places[8], places[9]

static void free_made(const struct formed *f, unsigned char with)
{
	for (int p = 0; p < PLACES; p++) {
		void *block;
		memcpy(&block, places[p], sizeof block);
		if (f->allocates[p] && places[p][0] != with)
			free(block);
	}
}

static int scan(const struct formed *f, bool wide)
{
	wchar_t format[TEXT], text[TEXT];
	if (!wide)
		return sscanf(f->text, f->format, ALL_PLACES);
	mbstowcs(format, f->format, TEXT);
	mbstowcs(text, f->text, TEXT);
	return swscanf(text, format, ALL_PLACES);
}

/* As hooks have it: the state of a list. */
static void tell_by_list(struct input_format *f, int64_t assigned, ...)
{
	va_list list;
	va_start(list, assigned);
	f->list = (const void *)&list[0];
	f->arguments = NULL;
	input_format_scan(f, assigned);
	va_end(list);
}

static void tell(const struct formed *f, bool wide, bool by_list, int assigned)
{
	wchar_t format[TEXT];
	uint64_t words[PLACES];
	struct input_format how = {.text = wide ? (const void *)format : f->format, .is_wide = wide, .arguments = words, .does = note_said};
	mbstowcs(format, f->format, TEXT);
	for (int p = 0; p < PLACES; p++)
		words[p] = (uintptr_t)places[p];
	if (by_list)
		tell_by_list(&how, assigned, ALL_PLACES);
	else
		input_format_scan(&how, assigned);
}

static void scanned_bytes_are_those_that_the_c_library_writes(void **unused)
{
	(void)unused;
	unsigned all = 0, some = 0, blocks = 0;
	for (state = 1; all < ROUNDS; all++) {
		bool wide = draw(3) == 0, by_list = draw(2);
		struct formed f = form(wide);
		memset(written, 0, sizeof written);
		memset(said, 0, sizeof said);
		made = 0;
		fill(0xa5);
		scan(&f, wide);
		note_written(0xa5);
		free_made(&f, 0xa5);
		fill(0x5a);
		int assigned = scan(&f, wide);
		note_written(0x5a);
		tell(&f, wide, by_list, assigned);
		free_made(&f, 0x5a);
		some += assigned > 0;
		blocks += made;
		for (int p = 0; p < PLACES; p++)
			for (int b = 0; b < BYTES; b++)
				if (written[p][b] != said[p][b] && p != place_of_failure(&f, assigned))
					fail_msg("\"%s\" of \"%s\"%s gives %d: byte %d of place %d is %s", f.format, f.text,
					         wide ? " (wide)" : "", assigned, b, p, written[p][b] ? "written" : "not written");
	}
	assert_true(some > ROUNDS / 2 && blocks > ROUNDS / 50);
}

/* ---- printf ---- */

struct heard {
	unsigned count, writes;
	uint64_t at[8], bytes[8];
};

static void hear(void *context, bool writes, enum input_format_what what, uint64_t at, uint64_t bytes)
{
	struct heard *h = context;
	h->writes += writes;
	h->at[h->count] = at;
	h->bytes[h->count++] = what == INPUT_FORMAT_TEXT || what == INPUT_FORMAT_WIDE ? bytes : UINT64_MAX - bytes;
}

static struct heard print(const char *format, ...)
{
	struct heard h = {0};
	va_list list;
	va_start(list, format);
	input_format_print(&(struct input_format){.text = format, .list = (const void *)&list[0], .does = hear, .context = &h});
	va_end(list);
	return h;
}

static void printed_texts_are_found_among_all_arguments(void **unused)
{
	(void)unused;
	int n = 0;
	uint64_t a = (uintptr_t)"a", b = (uintptr_t)"b", c = (uintptr_t)L"c";
	struct heard h = print("%d %s %5.2f%% %-*.*s|%ls %n", 1, "a", 2.0, 7, 3, "b", L"c", &n);
	assert_int_equal(h.count, 4);
	assert_int_equal(h.at[0], a);
	assert_int_equal(h.bytes[0], UINT64_MAX);
	assert_int_equal(h.at[1], b);
	assert_int_equal(h.bytes[1], 3);
	assert_int_equal(h.at[2], c);
	assert_int_equal(h.at[3], (uintptr_t)&n);
	assert_int_equal(h.writes, 1);
	h = print("%f%f%f%f%f%f%f%f%f%f%Lf%d%d%d%d%d%d%Lf%s", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.0L, 1, 2, 3, 4, 5, 6, 12.0L, "a");
	assert_int_equal(h.count, 1);
	assert_int_equal(h.at[0], a);
	h = print("%m%%%c%p%hhd%s%.s", 'x', NULL, 3, "b", "a");
	assert_int_equal(h.count, 2);
	assert_int_equal(h.at[0], b);
	assert_int_equal(h.bytes[1], 0);
	h = print("%s", NULL);
	assert_int_equal(h.count, 0);
}

static void printed_arguments_may_be_numbered(void **unused)
{
	(void)unused;
	struct heard h = {0};
	uint64_t words[] = {5, 2, 77};
	input_format_print(&(struct input_format){.text = "%3$s %1$d %3$.*2$s", .arguments = words, .does = hear, .context = &h});
	assert_int_equal(h.count, 2);
	assert_int_equal(h.at[0], 77);
	assert_int_equal(h.at[1], 77);
	assert_int_equal(h.bytes[1], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scanned_bytes_are_those_that_the_c_library_writes),
		cmocka_unit_test(printed_texts_are_found_among_all_arguments),
		cmocka_unit_test(printed_arguments_may_be_numbered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
