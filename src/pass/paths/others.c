/* SPDX-License-Identifier: MIT */
/* others.c: a piece of a program of which there are several copies (pass/piece.h), and all other pieces.
 *
 * Which copy counts what is decided with a view to all functions. So each piece writes down the shapes of its functions and what they
 * call (PLAN_GRAPH), skein divides the paths (relink/pieces/division.h has the lines), and a piece that is finished reads what its
 * copy counts (PLAN_FACTS). */
#include "pass/paths/paths.h"
#include "pass/piece.h"

#include <stdlib.h>
#include <string.h>

static void write_name(FILE *to, char key, const struct paths_routine *r, LLVMValueRef function)
{
	char *name = piece_scoped_name(function);
	fprintf(to, "%c\t%u\t%s", key, r->index, name);
	free(name);
}

/* Calls for one of the routine's own. */
static void write_calls(FILE *to, const struct paths_routine *r)
{
	double calls = r->passed[r->edges];
	for (uint32_t b = 0; b < r->blocks; b++) {
		double times = -1;
		for (LLVMValueRef i = LLVMGetFirstInstruction(r->place[b].block); i; i = LLVMGetNextInstruction(i)) {
			LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
			if (!callee || !LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee))
				continue;
			if (times < 0)
				times = calls > 0 ? paths_passed_into(r, b) / calls : 0;
			write_name(to, 'k', r, callee);
			fprintf(to, "\t%a\n", times);
		}
	}
}

void paths_tell(struct program *p, FILE *to)
{
	struct paths_pass *s = paths_begin(p);
	paths_shape_functions(s, to);
	for (size_t i = 0; i < s->count; i++) {
		const struct paths_routine *r = &s->routines[i];
		write_name(to, 'w', r, r->function);
		fputs(shim_address_taken(r->function) ? "\ta\n" : "\t-\n", to);
		write_calls(to, r);
	}
	fprintf(to, "end\t%zu\t0\n", s->count);
}

/* ---- what it is told ---- */

/* Routines are in the order of their indices. */
static struct paths_routine *routine_at(struct paths_pass *s, unsigned index)
{
	size_t low = 0, high = s->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->routines[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == s->count || s->routines[low].index != index)
		pass_fail("the facts of %s are about another object", pass_option(PLAN_PIECE));
	return &s->routines[low];
}

static const uint8_t *read_chosen(const char *digits, uint32_t arcs)
{
	uint8_t *chosen = pass_zeroed(arcs, 1);
	if (strlen(digits) != ((size_t)arcs + 3) / 4)
		pass_fail("the facts of %s are about another object", pass_option(PLAN_PIECE));
	for (uint32_t a = 0; a < arcs; a++) {
		char digit[2] = {digits[a / 4]};
		chosen[a] = strtoul(digit, NULL, 16) >> a % 4 & 1;
	}
	return chosen;
}

static void read_fact(struct paths_pass *s, char *line)
{
	char *rest = line;
	const char *index = strsep(&rest, "\t"), *flags = strsep(&rest, "\t"), *chosen = strsep(&rest, "\t\n");
	if (!chosen)
		pass_fail("the facts of %s are damaged", pass_option(PLAN_PIECE));
	struct paths_routine *r = routine_at(s, (unsigned)strtoul(index, NULL, 10));
	r->by_turns = *flags == 't';
	r->parts[s->copy] = (struct paths_part){.counts = true, .chosen = *chosen == '*' ? NULL : read_chosen(chosen, r->graph.arcs)};
}

void paths_told(struct paths_pass *s)
{
	FILE *from = fopen(pass_option(PLAN_FACTS), "r");
	char *line = NULL;
	size_t room = 0;
	if (!from)
		pass_fail("cannot read %s", pass_option(PLAN_FACTS));
	s->copy = 0; /* what is made is the same for each copy that counts the same */
	for (size_t i = 0; i < s->count; i++)
		s->routines[i].parts = pass_zeroed(1, sizeof *s->routines[i].parts);
	while (getline(&line, &room, from) > 0)
		read_fact(s, line);
	s->how = paths_how();
	fclose(from);
	free(line);
}
