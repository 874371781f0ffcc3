/* SPDX-License-Identifier: MIT */
/* divide.c: which copy counts which paths (core/paths/share.h). Each of the re-links comes to the same result, from the same program. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>
#include "core/paths/share.h"

/* ---- functions that are called from one place at most, before anything is inlined ---- */

static struct {
	char **names; /* sorted */
	size_t count;
} called_once;

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_called_once(LLVMValueRef function)
{
	unsigned calls = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || LLVMGetCalledValue(user) != function || ++calls > 1)
			return false;
	}
	return true;
}

void paths_note(LLVMModuleRef module)
{
	size_t length;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || !is_called_once(f))
			continue;
		called_once.names = pass_grow(called_once.names, called_once.count, sizeof *called_once.names);
		if (!(called_once.names[called_once.count++] = strdup(LLVMGetValueName2(f, &length))))
			pass_fail("out of memory");
	}
	if (called_once.count)
		qsort(called_once.names, called_once.count, sizeof *called_once.names, by_name);
}

static bool is_once(const struct paths_routine *r)
{
	size_t length;
	const char *name = LLVMGetValueName2(r->function, &length);
	if (r->counted)
		return r->counted[r->edges] <= 1;
	return called_once.count && bsearch(&name, called_once.names, called_once.count, sizeof name, by_name);
}

/* ---- sharing ---- */

static bool are_all(const uint8_t *chosen, uint32_t arcs)
{
	return !memchr(chosen, 0, arcs);
}

static void take_share(struct paths_pass *s, const struct paths_share *share)
{
	for (size_t i = 0; i < s->count; i++) {
		struct paths_routine *r = &s->routines[i];
		r->parts = pass_zeroed(s->copies, sizeof *r->parts);
		r->by_turns = share->by_turns && share->by_turns[i];
		for (unsigned c = 0; c < s->copies; c++) {
			const uint8_t *chosen = share->chosen[(size_t)c * share->functions + i];
			r->parts[c] = (struct paths_part){.counts = chosen != NULL,
			                                  .chosen = chosen && !are_all(chosen, r->graph.arcs) ? chosen : NULL};
		}
	}
}

enum paths_how paths_how(void)
{
	const char *how = pass_option(PLAN_SHARE);
	return strcmp(how, "p3") == 0 || strcmp(how, "pbl") == 0 ? PATHS_HOW_P3 : PATHS_HOW_BEST;
}

void paths_divide(struct paths_pass *s)
{
	bool published = paths_how() == PATHS_HOW_P3;
	struct paths_function *f = pass_zeroed(s->count, sizeof *f);
	struct paths_share share;
	for (size_t i = 0; i < s->count; i++)
		f[i] = (struct paths_function){&s->routines[i].graph, s->routines[i].weights, is_once(&s->routines[i])};
	enum paths_status status;
	if (published)
		status = paths_share_p3(&share, f, (uint32_t)s->count,
		                        &(struct paths_p3){.copies = s->copies,
		                                           .threshold = (uint32_t)strtoul(pass_option(PLAN_THRESHOLD), NULL, 10),
		                                           .whole = strcmp(pass_option(PLAN_SHARE), "pbl") == 0,
		                                           .measured = s->measured},
		                        &s->memory);
	else
		status = paths_share_best(&share, f, (uint32_t)s->count,
		                          &(struct paths_best){.copies = s->copies, .turns = *pass_option(PLAN_TURNS)}, &s->memory);
	if (status != PATHS_OK)
		pass_fail("the paths cannot be divided among %u copies (%d)", s->copies, (int)status);
	s->how = paths_how();
	take_share(s, &share);
	free(f);
}
