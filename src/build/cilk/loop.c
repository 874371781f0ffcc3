/* SPDX-License-Identifier: MIT */
/* loop.c: three parts between parentheses. */
#include "build/cilk/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const comparisons[] = {"<", ">", "<=", ">=", "!="}, *const exchanged[] = {">", "<", ">=", "<=", "!="};
enum { COMPARISONS = 5 };

/* Tokens from first up to end. */
static char *text_of(const struct tokens *t, size_t first, size_t end)
{
	char *text;
	size_t length;
	FILE *out = mem_or_die(open_memstream(&text, &length));

	for (size_t i = first; i < end; i++)
		fprintf(out, "%.*s ", (int)t->at[i].length, t->at[i].text);
	fclose(out);
	return mem_or_die(text);
}

static bool is_same(const struct tokens *t, size_t i, const char *name)
{
	return t->at[i].length == strlen(name) && memcmp(t->at[i].text, name, t->at[i].length) == 0;
}

/* The variable: the last name before its first value. */
static bool read_start(const struct tokens *t, size_t first, size_t end, struct loop *loop)
{
	size_t i = first;

	while (i < end && !tokens_in(t, i, LIST("=", "(", "{")))
		i++;
	if (i == first || i == end || !tokens_is_name(t, i - 1))
		return false;
	loop->name = text_of(t, i - 1, i);
	loop->name[strlen(loop->name) - 1] = 0;
	loop->start = text_of(t, first, end);
	return true;
}

static bool read_condition(const struct tokens *t, size_t first, size_t end, struct loop *loop)
{
	if (end - first < 3)
		return false;
	for (int c = 0; c < COMPARISONS; c++) {
		if (is_same(t, first, loop->name) && tokens_is(t, first + 1, comparisons[c])) {
			loop->comparison = comparisons[c];
			loop->bound = text_of(t, first + 2, end);
			return true;
		}
		if (is_same(t, end - 1, loop->name) && tokens_is(t, end - 2, comparisons[c])) {
			loop->comparison = exchanged[c];
			loop->bound = text_of(t, first, end - 2);
			return true;
		}
	}
	return false;
}

static bool read_step(const struct tokens *t, size_t first, size_t end, struct loop *loop)
{
	size_t name = is_same(t, first, loop->name) ? first : first + 1, sign = name == first ? first + 1 : first;

	if (end - first == 2 && is_same(t, name, loop->name) && tokens_in(t, sign, LIST("++", "--"))) {
		loop->plus = tokens_is(t, sign, "++");
		loop->stride = str_copy("1");
		return true;
	}
	if (end - first < 3 || name != first || !tokens_in(t, first + 1, LIST("+=", "-=")))
		return false;
	for (size_t i = first + 2; i < end; i = (t->at[i].match > i ? t->at[i].match : i) + 1)
		if (tokens_is(t, i, ","))
			return false;
	loop->plus = tokens_is(t, first + 1, "+=");
	loop->stride = text_of(t, first + 2, end);
	return true;
}

bool loop_read(const struct tokens *t, size_t head, struct loop *loop)
{
	size_t close = t->at[head].match, semicolons[2], found = 0;

	*loop = (struct loop){0};
	for (size_t i = head + 1; i < close; i = (t->at[i].match > i ? t->at[i].match : i) + 1) {
		if (tokens_in(t, i, LIST("__sk_spawn", "__sk_sync", "__sk_for", "__sk_scope")))
			return false;
		if (tokens_is(t, i, ";") && found < 2)
			semicolons[found++] = i;
	}
	if (found != 2 || !read_start(t, head + 1, semicolons[0], loop) || !read_condition(t, semicolons[0] + 1, semicolons[1], loop) ||
	    !read_step(t, semicolons[1] + 1, close, loop)) {
		loop_free(loop);
		return false;
	}
	loop->up = loop->comparison[0] == '<' || (loop->comparison[0] == '!' && loop->plus);
	return true;
}

/* Subtracting 0L leaves pointers and iterators what they are, and makes small integers wide enough for any distance. */
char *loop_count_text(const struct loop *loop)
{
	const char *far = loop->up ? "__skein_bound" : "__skein_first", *near = loop->up ? "__skein_first" : "__skein_bound";
	const char *sign = loop->up == loop->plus ? "" : "-",
		   *short_of = strcmp(loop->comparison, "<=") == 0 || strcmp(loop->comparison, ">=") == 0 ? "" : " - 1";

	return str_format("%s; __typeof__(%s) __skein_first = %s; __typeof__(%s) __skein_bound = %s; long __skein_stride = %s(long)(%s); "
	                  "unsigned long __skein_count = __skein_first %s __skein_bound && __skein_stride > 0 ? "
	                  "((unsigned long)((%s - 0L) - (%s - 0L)) + __skein_stride%s) / __skein_stride : 0;",
	                  loop->start, loop->name, loop->name, loop->bound, loop->bound, sign, loop->stride, loop->comparison, far, near,
	                  short_of);
}

char *loop_value_text(const struct loop *loop)
{
	return str_format(
		"__typeof__(__skein_first) %s = (__typeof__(__skein_first))(__skein_first %c (long)(__skein_k * __skein_stride));",
		loop->name, loop->up ? '+' : '-');
}

void loop_free(struct loop *loop)
{
	free(loop->start);
	free(loop->name);
	free(loop->bound);
	free(loop->stride);
	*loop = (struct loop){0};
}
