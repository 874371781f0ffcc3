/* SPDX-License-Identifier: MIT */
#include "report/check/bound.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 60, GROUP = 3 };

static const struct {
	const char *name;
	enum bound_kind kind;
	long double factor;
} units[] = {
	{"", BOUND_NUMBER, 1},      {"k", BOUND_AMOUNT, 1e3L},  {"K", BOUND_AMOUNT, 1e3L}, {"M", BOUND_AMOUNT, 1e6L},
	{"G", BOUND_AMOUNT, 1e9L},  {"%", BOUND_PERCENT, 1},    {"ns", BOUND_TIME, 1},     {"us", BOUND_TIME, 1e3L},
	{"µs", BOUND_TIME, 1e3L},   {"μs", BOUND_TIME, 1e3L},   {"ms", BOUND_TIME, 1e6L},  {"s", BOUND_TIME, 1e9L},
	{"min", BOUND_TIME, 60e9L}, {"h", BOUND_TIME, 3600e9L},
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

char *bound_unquote(struct pool *pool, const char *text, const char **end)
{
	char quote = *text, *out = pool_text(pool, text), *to = out;
	if (quote != '\'' && quote != '"')
		return NULL;
	for (const char *at = text + 1; *at; at++) {
		if (*at == quote && at[1] != quote) {
			*to = 0;
			*end = at + 1;
			return out;
		}
		at += *at == quote;
		*to++ = *at;
	}
	return NULL;
}

/* Digits, in groups of three if there are commas; a fraction; a power of ten. Returns where the number ends, or NULL. */
static const char *copy_number(const char *at, char digits[MOST_DIGITS], int *decimals)
{
	int used = 0, group = 0;
	bool has_commas = false;
	*decimals = 0;
	for (; isdigit((unsigned char)*at) || (*at == ',' && isdigit((unsigned char)at[1]) && used); at++) {
		if (*at == ',') {
			if (has_commas ? group != GROUP : group > GROUP)
				return NULL;
			has_commas = true;
			group = 0;
			continue;
		}
		if (used == MOST_DIGITS / 2)
			return NULL;
		digits[used++] = *at;
		group++;
	}
	if (!used || (has_commas && group != GROUP))
		return NULL;
	if (*at == '.' && isdigit((unsigned char)at[1])) {
		digits[used++] = *at++;
		for (; isdigit((unsigned char)*at); at++, (*decimals)++) {
			if (used == MOST_DIGITS - 1)
				return NULL;
			digits[used++] = *at;
		}
	}
	digits[used] = 0;
	return at;
}

/* "e6" behind a number. */
static const char *read_power(const char *at, long double *factor)
{
	char *end;
	*factor = 1;
	if (*at != 'e' && *at != 'E')
		return at;
	if (!isdigit((unsigned char)at[1]) && !((at[1] == '-' || at[1] == '+') && isdigit((unsigned char)at[2])))
		return NULL;
	long power = strtol(at + 1, &end, 10);
	if (power < -30 || power > 30)
		return NULL;
	*factor = powl(10, (long double)power);
	return end;
}

/* "of base.skein", behind the sign of per cent. */
static bool read_of(struct pool *pool, const char *at, struct bound *bound)
{
	const char *end;
	if (strncmp(at, "of", 2) != 0 || !isspace((unsigned char)at[2]))
		return false;
	at = skip_blanks(at + 2);
	char *file = bound_unquote(pool, at, &end);
	bound->kind = BOUND_OF;
	bound->of = file && !*end ? file : pool_text(pool, at);
	return *bound->of != 0;
}

bool bound_read(struct pool *pool, const char *text, struct bound *bound)
{
	char digits[MOST_DIGITS];
	int decimals;
	long double power;
	const char *at = copy_number(text, digits, &decimals);
	*bound = (struct bound){0};
	if (!at || !(at = read_power(at, &power)))
		return false;
	at = skip_blanks(at);
	bound->value = strtold(digits, NULL) * power;
	bound->step = powl(10, -decimals) * power;
	if (*at == '%' && at[1] && read_of(pool, skip_blanks(at + 1), bound))
		return true;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(at, units[i].name) == 0) {
			bound->kind = units[i].kind;
			bound->value *= units[i].factor;
			bound->step *= units[i].factor;
			return true;
		}
	return false;
}

bool bound_fits(const struct bound *bound, enum unit unit)
{
	switch (bound->kind) {
	case BOUND_OF: return true;
	case BOUND_PERCENT: return unit == UNIT_PERCENT;
	case BOUND_TIME: return unit == UNIT_NS;
	case BOUND_NUMBER: return unit != UNIT_NS || bound->value == 0;
	default: return unit == UNIT_COUNT || unit == UNIT_RATIO;
	}
}
