/* SPDX-License-Identifier: MIT */
/* derive.c: a descent over the text that leaves the operations in the order in which a stack carries them out. */
#include "report/idle/derive.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 40 };

struct reader {
	struct derive *d;
	const char *at, *text;
	const char *const *names;
	size_t count;
	int nested;
	struct fail *why;
};

static int sum(struct reader *r);

static void skip_spaces(struct reader *r)
{
	r->at += strspn(r->at, " \t");
}

static int step(struct reader *r, char what, size_t value, double number)
{
	struct derive *d = r->d;
	if (d->count == DERIVE_STEPS)
		return fail_set(r->why, FAIL_USAGE, "--derive %.100s is too long", r->text);
	d->steps[d->count].what = what;
	d->steps[d->count].value = value;
	d->steps[d->count++].number = number;
	return 0;
}

/* The longest known name at this place. */
static int name(struct reader *r)
{
	size_t best = r->count, longest = 0, word = strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	char list[500] = "";
	for (size_t i = 0; i < r->count; i++) {
		size_t length = strlen(r->names[i]);
		if (length > longest && length >= word && strncmp(r->at, r->names[i], length) == 0) {
			best = i;
			longest = length;
		}
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", r->names[i]);
	}
	if (best == r->count)
		return fail_set(r->why, FAIL_USAGE, "--derive %.60s: there is no metric %.*s in this recording; there are %s", r->text,
		                word ? (int)word : 1, r->at, list);
	r->at += longest;
	return step(r, 'v', best, 0);
}

static int factor(struct reader *r)
{
	int result;
	char *end;
	skip_spaces(r);
	if (++r->nested > MOST_NESTED)
		return fail_set(r->why, FAIL_USAGE, "--derive %.100s is nested too deeply", r->text);
	if (*r->at == '-') {
		r->at++;
		result = factor(r) < 0 ? -1 : step(r, '~', 0, 0);
	} else if (*r->at == '(') {
		r->at++;
		result = sum(r);
		if (result == 0 && *r->at != ')')
			result = fail_set(r->why, FAIL_USAGE, "--derive %.100s: a parenthesis is not closed", r->text);
		r->at += result == 0;
	} else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
		double number = strtod(r->at, &end);
		result = end == r->at ? fail_set(r->why, FAIL_USAGE, "--derive %.100s: %.20s is not a number", r->text, r->at)
				      : step(r, 'n', 0, number);
		r->at = end;
	} else if (*r->at) {
		result = name(r);
	} else {
		result = fail_set(r->why, FAIL_USAGE, "--derive %.100s ends too soon", r->text);
	}
	r->nested--;
	skip_spaces(r);
	return result;
}

static int chain(struct reader *r, const char *operators, int (*part)(struct reader *r))
{
	if (part(r) < 0)
		return -1;
	while (*r->at && strchr(operators, *r->at)) {
		char operator= * r->at++;
		if (part(r) < 0 || step(r, operator, 0, 0) < 0)
			return -1;
	}
	return 0;
}

static int product(struct reader *r)
{
	return chain(r, "*/", factor);
}

static int sum(struct reader *r)
{
	return chain(r, "+-", product);
}

int derive_parse(struct derive *d, const char *text, const char *const *names, size_t count, struct fail *why)
{
	memset(d, 0, sizeof *d);
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
	       equals = length + strspn(text + length, " ");
	if (!length || length >= DERIVE_NAME || text[equals] != '=')
		return fail_set(why, FAIL_USAGE, "--derive takes NAME=EXPRESSION, such as bandwidth=LLC-misses*64/work_ns, not %.100s",
		                text);
	memcpy(d->name, text, length);
	struct reader r = {.d = d, .at = text + equals + 1, .text = text, .names = names, .count = count, .why = why};
	if (sum(&r) < 0)
		return -1;
	return *r.at ? fail_set(why, FAIL_USAGE, "--derive %.100s: unexpected \"%.20s\"", text, r.at) : 0;
}

double derive_value(const struct derive *d, const double *values)
{
	double stack[DERIVE_STEPS] = {0};
	size_t top = 0;
	for (size_t i = 0; i < d->count; i++) {
		char what = d->steps[i].what;
		if (what == 'n' || what == 'v') {
			stack[top++] = what == 'n' ? d->steps[i].number : values[d->steps[i].value];
		} else if (what == '~') {
			stack[top - 1] = -stack[top - 1];
		} else {
			double right = stack[--top], *left = &stack[top - 1];
			*left = what == '+'   ? *left + right
				: what == '-' ? *left - right
				: what == '*' ? *left * right
				: right != 0  ? *left / right
					      : NAN;
		}
	}
	return top ? stack[0] : NAN;
}
