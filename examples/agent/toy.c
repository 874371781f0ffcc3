/* SPDX-License-Identifier: MIT */
/* toy.c: a small interpreter, and the agent that lets `skein record idle` see the script instead of it.
 *
 *     toy SCRIPT [A]          runs the script's routine main with a = A, prints what it returns: toy collatz.toy 100000
 *
 *     cc -O2 -g -Iinclude examples/agent/toy.c -o toy && skein record idle -- ./toy examples/agent/collatz.toy
 *
 * A profile of an interpreter shows its loop, calling itself. With the agent below it shows routines and lines of the script: main, steps, climb and seal.
 * `skein report idle --paths physical` shows the loop (`run`), what it calls (`op_hash`), and nothing of the script.
 *
 * The language: a line is a statement, names are variables of the routine (up to 26, `a` is its argument), numbers are 64 bits wide.
 *
 *     routine NAME            let X = Y OP Z          if X OP Y goto LABEL        call X = NAME Y
 *     label NAME              let X = hash Y          goto LABEL                  return X
 *
 * How the agent does it (M-1, several frames are one call): code of the interpreter lies in two sections, the loop in toy_run and its helpers in toy_ops. A call of
 * the script is one frame of the loop and the helpers that it has called. Each such frame holds a struct activation, which is in a list of the thread's;
 * the one that lies within the frame says which line is being run. Without Skein nothing of this costs anything but keeping the list. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "skein/agent.h"

enum { VARIABLES = 26, WORD = 16, STATEMENTS = 1000, ROUTINES = 50, LABELS = 200 };
enum operation { LET, IF, GOTO, CALL, HASH, RETURN };

struct operand {
	int variable; /* -1: the number */
	int64_t number;
};

struct statement {
	enum operation operation;
	char operator[3];
	int to;                  /* variable; statement, of IF and GOTO; */
	int callee;              /* of CALL */
	char word[WORD];         /* name of a label or routine, until all are known */
	struct operand x, y;
	unsigned line;
};

struct routine {
	char name[WORD];
	int first;
	int variables;
	char variable[VARIABLES][WORD];
};

struct script {
	const char *file;
	struct statement statements[STATEMENTS];
	struct routine routines[ROUTINES];
	struct { char name[WORD]; int routine, statement; } labels[LABELS];
	int statement_count, routine_count, label_count;
};

struct activation {
	const struct activation *caller;
	const struct routine *routine;
	const struct statement *volatile at; /* volatile: a signal handler reads it */
};

static struct script script;
static _Thread_local const struct activation *volatile innermost;

/* ---- the interpreter ---- */

#define IN_LOOP __attribute__((section("toy_run"), noinline))
#define IN_OPERATIONS __attribute__((section("toy_ops")))
extern const char __start_toy_run[], __stop_toy_run[], __start_toy_ops[], __stop_toy_ops[];

static int64_t run(const struct routine *routine, int64_t a);

IN_OPERATIONS static int64_t value(const struct operand *o, const int64_t *variables)
{
	return o->variable < 0 ? o->number : variables[o->variable];
}

IN_OPERATIONS __attribute__((noinline)) static int64_t op_hash(int64_t number)
{
	uint64_t hash = (uint64_t)number;
	for (int i = 0; i < 100000000; i++)
		hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15;
	return (int64_t)(hash >> 1);
}

IN_OPERATIONS __attribute__((noinline)) static int64_t op_call(const struct statement *s, const int64_t *variables)
{
	int64_t result = run(&script.routines[s->callee], value(&s->x, variables));
	__asm__ volatile("" : "+r"(result)); /* or the call is a jump, and this no frame */
	return result;
}

IN_OPERATIONS static int64_t calculate(const char *operator, int64_t x, int64_t y)
{
	switch (operator[0]) {
	case '+': return x + y;
	case '-': return x - y;
	case '*': return x * y;
	case '/': return y ? x / y : 0;
	case '%': return y ? x % y : 0;
	case '=': return x == y;
	case '<': return operator[1] ? x <= y : x < y;
	case '>': return operator[1] ? x >= y : x > y;
	default: return x;
	}
}

IN_LOOP static int64_t run(const struct routine *routine, int64_t a)
{
	struct activation here = {innermost, routine, &script.statements[routine->first]};
	innermost = &here;
	int64_t variables[VARIABLES] = {a};
	for (const struct statement *s = here.at;; here.at = ++s)
		switch (s->operation) {
		case LET:
			variables[s->to] = calculate(s->operator, value(&s->x, variables), value(&s->y, variables));
			break;
		case HASH:
			variables[s->to] = op_hash(value(&s->x, variables));
			break;
		case CALL:
			variables[s->to] = op_call(s, variables);
			break;
		case IF:
			if (!calculate(s->operator, value(&s->x, variables), value(&s->y, variables)))
				break;
			/* fall through */
		case GOTO:
			s = &script.statements[s->to - 1];
			break;
		case RETURN:
			innermost = here.caller;
			return value(&s->x, variables);
		}
}

/* ---- the agent ---- */

struct toy_state {
	uintptr_t low, high; /* of the loop's frame, once it was met */
};

static int is_within(uintptr_t ip, const char *start, const char *end)
{
	return ip >= (uintptr_t)start && ip < (uintptr_t)end;
}

static void toy_look(struct skein_unwind *u, struct toy_state *state)
{
	const struct skein_frame *frame = skein_unwind_frame(u);
	if (is_within(frame->ip, __start_toy_run, __stop_toy_run))
		*state = (struct toy_state){frame->sp, frame->cfa};
}

static enum skein_association toy_begin(struct skein_unwind *u, void *state)
{
	toy_look(u, state);
	return SKEIN_M_1;
}

/* Helpers belong to the loop that called them; the loop is the last frame of its call. */
static int toy_pnote(struct skein_unwind *u, void *state)
{
	struct toy_state *s = state;
	uintptr_t ip = skein_unwind_frame(u)->ip;
	if (s->high || !(is_within(ip, __start_toy_run, __stop_toy_run) || is_within(ip, __start_toy_ops, __stop_toy_ops)))
		return 0;
	toy_look(u, s);
	return 1;
}

static int toy_lnote(struct skein_unwind *u, void *state, uint64_t *lip)
{
	const struct toy_state *s = state;
	const struct activation *a = innermost;
	(void)u;
	while (a && (uintptr_t)a < s->low) /* the stack grows downwards: these are inner calls */
		a = a->caller;
	if (!a || (uintptr_t)a >= s->high)
		return 0; /* the loop has not begun yet, or is at its end */
	*lip = skein_place_name(a->routine->name, script.file, a->at->line);
	return 1;
}

static const struct skein_agent toy_agent = {SKEIN_AGENT_VERSION, "toy", toy_begin, toy_pnote, toy_lnote};

/* ---- reading a script ---- */

static void fail(unsigned line, const char *why)
{
	fprintf(stderr, "toy: %s:%u: %s\n", script.file, line, why);
	exit(1);
}

static int variable(struct routine *r, const char *name, unsigned line)
{
	for (int i = 0; i < r->variables; i++)
		if (!strcmp(r->variable[i], name))
			return i;
	if (r->variables == VARIABLES)
		fail(line, "too many variables");
	strcpy(r->variable[r->variables], name);
	return r->variables++;
}

static struct operand operand(struct routine *r, const char *word, unsigned line)
{
	char *end;
	long long number = strtoll(word, &end, 10);
	if (*word && !*end)
		return (struct operand){-1, number};
	return (struct operand){variable(r, word, line), 0};
}

static void begin_routine(const char *name, unsigned line)
{
	if (script.routine_count == ROUTINES)
		fail(line, "too many routines");
	struct routine *r = &script.routines[script.routine_count++];
	strcpy(r->name, name);
	r->first = script.statement_count;
	variable(r, "a", line);
}

static void add_label(const char *name, unsigned line)
{
	if (script.label_count == LABELS)
		fail(line, "too many labels");
	strcpy(script.labels[script.label_count].name, name);
	script.labels[script.label_count].routine = script.routine_count - 1;
	script.labels[script.label_count++].statement = script.statement_count;
}

static void read_line(const char *text, unsigned line)
{
	char a[WORD], b[WORD], c[WORD], op[3] = "";
	struct routine *r = &script.routines[script.routine_count - 1];
	struct statement s = {.line = line, .to = -1};
	if (sscanf(text, " %1s", a) < 1 || *a == '#')
		return;
	if (sscanf(text, " routine %15s", a) == 1)
		begin_routine(a, line);
	else if (!script.routine_count || script.statement_count == STATEMENTS)
		fail(line, script.routine_count ? "too many statements" : "a script begins with a routine");
	else if (sscanf(text, " label %15s", a) == 1)
		add_label(a, line);
	else {
		if (sscanf(text, " let %15s = hash %15s", a, b) == 2)
			s = (struct statement){.operation = HASH, .to = variable(r, a, line), .x = operand(r, b, line)};
		else if (sscanf(text, " let %15s = %15s %2s %15s", a, b, op, c) == 4)
			s = (struct statement){.operation = LET, .to = variable(r, a, line), .x = operand(r, b, line), .y = operand(r, c, line)};
		else if (sscanf(text, " let %15s = %15s", a, b) == 2)
			s = (struct statement){.operation = LET, .to = variable(r, a, line), .x = operand(r, b, line)};
		else if (sscanf(text, " call %15s = %15s %15s", a, b, c) == 3) {
			s = (struct statement){.operation = CALL, .to = variable(r, a, line), .x = operand(r, c, line)};
			strcpy(s.word, b);
		} else if (sscanf(text, " if %15s %2s %15s goto %15s", a, op, b, s.word) == 4) {
			s.operation = IF;
			s.x = operand(r, a, line);
			s.y = operand(r, b, line);
		} else if (sscanf(text, " goto %15s", s.word) == 1)
			s.operation = GOTO;
		else if (sscanf(text, " return %15s", a) == 1)
			s = (struct statement){.operation = RETURN, .x = operand(r, a, line)};
		else
			fail(line, "not a statement");
		strcpy(s.operator, op);
		s.line = line;
		script.statements[script.statement_count++] = s;
	}
}

static int routine_named(const char *name)
{
	for (int i = 0; i < script.routine_count; i++)
		if (!strcmp(script.routines[i].name, name))
			return i;
	return -1;
}

static void connect(int routine, struct statement *s)
{
	if (s->operation == CALL && (s->callee = routine_named(s->word)) < 0)
		fail(s->line, "there is no such routine");
	if (s->operation != GOTO && s->operation != IF)
		return;
	for (int i = 0; i < script.label_count; i++)
		if (script.labels[i].routine == routine && !strcmp(script.labels[i].name, s->word))
			s->to = script.labels[i].statement;
	if (s->to < 0)
		fail(s->line, "there is no such label");
}

static void read_script(const char *file)
{
	char text[200];
	FILE *from = fopen(file, "r");
	script.file = realpath(file, NULL);
	if (!from || !script.file) {
		fprintf(stderr, "toy: cannot read %s\n", file);
		exit(1);
	}
	for (unsigned line = 1; fgets(text, sizeof text, from); line++)
		read_line(text, line);
	fclose(from);
	for (int r = 0; r < script.routine_count; r++) {
		int end = r + 1 < script.routine_count ? script.routines[r + 1].first : script.statement_count;
		if (end == script.routines[r].first || script.statements[end - 1].operation != RETURN)
			fail(0, "a routine ends with a return");
		for (int i = script.routines[r].first; i < end; i++)
			connect(r, &script.statements[i]);
	}
}

int main(int count, char **arguments)
{
	if (count < 2) {
		fprintf(stderr, "usage: toy SCRIPT [A]\n");
		return 2;
	}
	int64_t a = count > 2 ? atoll(arguments[2]) : 100000;
	read_script(arguments[1]);
	if (routine_named("main") < 0)
		fail(0, "there is no routine main");
	skein_agent_add(&toy_agent, __start_toy_run, __stop_toy_run);
	skein_agent_add(&toy_agent, __start_toy_ops, __stop_toy_ops);
	printf("main(%lld) = %lld\n", (long long)a, (long long)run(&script.routines[routine_named("main")], a));
	skein_agent_remove(&toy_agent);
	return 0;
}
