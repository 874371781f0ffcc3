/* SPDX-License-Identifier: MIT */
#include "build/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "keys/environment.h"

void plan_add(struct strv *plan, enum plan_key key, const char *format, ...)
{
	char *value = NULL;
	va_list list;

	va_start(list, format);
	if (vasprintf(&value, format, list) < 0)
		value = NULL;
	va_end(list);
	strv_addf(plan, "%s=%s", plan_key_name(key), (char *)mem_or_die(value));
	free(value);
}

bool plan_is(const char *word, enum plan_key key)
{
	size_t length = strlen(plan_key_name(key));

	return strncmp(word, plan_key_name(key), length) == 0 && word[length] == '=';
}

static const char *value_in(const char *word)
{
	return strchr(word, '=') + 1;
}

bool plan_has(const char *const *plan, enum plan_key key, const char *value)
{
	for (; plan && *plan; plan++)
		if (plan_is(*plan, key) && (!value || strcmp(value_in(*plan), value) == 0))
			return true;
	return false;
}

const char *plan_value(const char *const *plan, enum plan_key key)
{
	for (; plan && *plan; plan++)
		if (plan_is(*plan, key))
			return value_in(*plan);
	return "";
}

void plan_to_environment(const char *const *plan, struct strv *environment)
{
	for (; plan && *plan; plan++)
		strv_addf(environment, ENVIRONMENT_PASS "%s", *plan);
}
