/* SPDX-License-Identifier: MIT */
/* cilk.c: one pass over the tokens of a source that speaks Cilk.
 *
 * What must come before a later token (a closing parenthesis, the end of a scope) waits on a stack: constructs nest, so the innermost
 * is always on top. No grammar is needed but that of statements, to see where one ends. */
#include "build/cilk/cilk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "build/cilk/loop.h"
#include "build/cilk/tokens.h"

#define SPAWN "__sk_spawn"
#define SYNC "__sk_sync"
#define FOR "__sk_for"
#define SCOPE "__sk_scope"
#define REDUCER "__sk_reducer"
#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

struct later {
	size_t before; /* the token before which it is written */
	char *text;
};

enum { FUNCTION = 0, UNOPENED = -1 }; /* UNOPENED: nothing in it spawns */
struct scope {
	size_t first, last; /* tokens */
	int number;         /* or one of these: */
};

struct rewrite {
	struct tokens t;
	FILE *out;
	bool cxx, parallel;
	struct later *later;
	size_t later_count;
	struct scope *scopes; /* scopes around the token that is read now */
	size_t scopes_count;
	int scopes_so_far, blocks_so_far;
	size_t skip; /* tokens before this one are not written */
	struct fail *why;
};

static int refuse(struct rewrite *r, size_t i, const char *sentence)
{
	const struct token *at = &r->t.at[i];
	return fail_set(r->why, 1, "%s:%u:%u: error: %s", r->t.files.at[at->file], at->line, at->column, sentence);
}

/* Where a statement ends: its last token. */
static size_t statement_end(const struct tokens *t, size_t i)
{
	while (tokens_in(t, i, LIST("case", "default")) || (tokens_is_name(t, i) && tokens_is(t, i + 1, ":"))) {
		while (i + 1 < t->count && !tokens_is(t, i, ":"))
			i++;
		i++;
	}
	if (tokens_is(t, i, "{"))
		return t->at[i].match;
	if (tokens_in(t, i, LIST(SCOPE, SPAWN, "else")))
		return statement_end(t, i + 1);
	if (tokens_is(t, i, "do"))
		return statement_end(t, statement_end(t, i + 1) + 1);
	if (tokens_in(t, i, LIST("if", "for", "while", "switch", FOR, "try"))) {
		size_t head = i + 1 + tokens_is(t, i + 1, "constexpr");
		if (tokens_is(t, head, "(") && tokens_is(t, t->at[head].match + 1, ";"))
			return t->at[head].match + 1; /* an empty body, or the end of do … while (…); */
		size_t end = statement_end(t, tokens_is(t, head, "(") ? t->at[head].match + 1 : head);
		if (tokens_is(t, i, "if") && tokens_is(t, end + 1, "else"))
			end = statement_end(t, end + 1);
		while (tokens_is(t, i, "try") && tokens_is(t, end + 1, "catch"))
			end = statement_end(t, tokens_match(t, end + 2) + 1);
		return end;
	}
	while (i + 1 < t->count && !tokens_is(t, i, ";"))
		i = t->at[i].match > i ? t->at[i].match + 1 : i + 1;
	return i;
}

static bool is_assignment(const struct tokens *t, size_t i)
{
	return tokens_in(t, i, LIST("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="));
}

/* Whether a statement may begin behind token i. */
static bool starts_statement(const struct tokens *t, size_t i)
{
	if (tokens_is(t, i, "{")) /* a list of initialisers ends in neither */
		return tokens_in(t, t->at[i].match - 1, LIST(";", "}"));
	if (tokens_in(t, i, LIST(";", "}", "else", "do")))
		return true;
	if (tokens_is(t, i, ")"))
		return tokens_in(t, t->at[i].match - 1, LIST("if", "while", "for", "switch", FOR, "constexpr", "__attribute__"));
	if (tokens_is(t, i, "]"))
		return tokens_is(t, i - 1, "]") && t->at[i - 1].match == t->at[i].match + 1;
	if (!tokens_is(t, i, ":"))
		return false;
	while (i-- > 0 && !tokens_in(t, i, LIST(";", "{", "}")))
		if (tokens_is(t, i, "?"))
			return false;
	return true;
}

/* y = cilk_spawn f(x): the assignment must be a statement of its own or an initialisation. */
static bool assigns_alone(const struct tokens *t, size_t i)
{
	while (i-- > 0) {
		if (starts_statement(t, i) || tokens_is(t, i, ","))
			return true;
		if (is_assignment(t, i) || tokens_in(t, i, LIST("(", "[", "{", "?", "return")))
			return false;
		i = t->at[i].match; /* over a pair of brackets */
	}
	return false;
}

/* The last token of the expression behind cilk_spawn; `one` tells whether it looks like one call. */
static size_t expression_end(const struct tokens *t, size_t i, bool *one)
{
	int angles = 0;
	size_t first = i;

	for (*one = true; i < t->count; i++) {
		if (tokens_in(t, i, LIST(";", ")", "]", "}")) || (tokens_is(t, i, ",") && angles <= 0))
			break;
		angles += tokens_is(t, i, "<") - tokens_is(t, i, ">") - 2 * tokens_is(t, i, ">>");
		bool behind = i > first && (tokens_is(t, i - 1, ")") || (tokens_is_name(t, i - 1) && angles <= 0));
		if (is_assignment(t, i) || (behind && tokens_in(t, i, LIST("*", "&", "-"))) ||
		    tokens_in(t, i,
		              LIST("+", "/", "%", "^", "|", "!", "~", "==", "!=", "<=", ">=", "&&", "||", "?", "<<", "++", "--", "return")))
			*one = false;
		if (tokens_in(t, i, LIST("(", "[", "{")))
			i = t->at[i].match;
	}
	if (!tokens_is(t, i - 1, ")"))
		*one = false;
	return i - 1;
}

/* [captures](parameters) … {: the index of its last brace, or of token i when no lambda begins there. */
static size_t lambda_end(const struct tokens *t, size_t i)
{
	if (!tokens_is(t, i, "[") || tokens_is_name(t, i - 1) || tokens_in(t, i - 1, LIST(")", "]")))
		return i;
	size_t n = t->at[i].match + 1;
	while (n < t->count && !tokens_in(t, n, LIST("{", ";", ")", "]", "}")))
		n = t->at[n].match > n ? t->at[n].match + 1 : n + 1;
	return tokens_is(t, n, "{") ? t->at[n].match : i;
}

static bool has_label(const struct tokens *t, size_t first, size_t last, const struct token *name)
{
	for (size_t i = first; i < last; i++)
		if (t->at[i].length == name->length && memcmp(t->at[i].text, name->text, name->length) == 0 && tokens_is(t, i + 1, ":"))
			return true;
	return false;
}

/* A spawned block runs beside what follows it and cannot decide where that goes on; the body of a cilk_for can decide that it is over. */
static bool leaves_block(const struct tokens *t, size_t first, size_t last, bool is_body)
{
	for (size_t i = first; i < last; i++) {
		i = lambda_end(t, i);
		if (tokens_is(t, i, "return") || (tokens_is(t, i, "goto") && !has_label(t, first, last, &t->at[i + 1])))
			return true;
	}
	for (size_t i = first; i <= last; i++) {
		i = lambda_end(t, i);
		if (tokens_in(t, i, LIST("for", "while", "do", "switch", FOR)))
			i = statement_end(t, i);
		else if (tokens_is(t, i, "break") || (tokens_is(t, i, "continue") && !is_body))
			return true;
	}
	return false;
}

static void push_later(struct rewrite *r, size_t before, char *text)
{
	r->later = memory_resize(r->later, r->later_count + 1, sizeof *r->later);
	r->later[r->later_count++] = (struct later){before, text};
}

static bool spawns_itself(const struct tokens *t, size_t first, size_t last)
{
	for (size_t i = first; i <= last && i < t->count; i++) {
		if (tokens_is(t, i, SPAWN))
			return true;
		if (tokens_in(t, i, LIST(SCOPE, FOR)))
			i = statement_end(t, i);
		i = lambda_end(t, i);
	}
	return false;
}

static void push_scope(struct rewrite *r, size_t first, size_t last, int number)
{
	r->scopes = memory_resize(r->scopes, r->scopes_count + 1, sizeof *r->scopes);
	r->scopes[r->scopes_count++] = (struct scope){first, last, number};
}

/* A scope from one token to another; its number, or UNOPENED. */
static int open_scope(struct rewrite *r, size_t first, size_t last, bool needed)
{
	int number = needed ? ++r->scopes_so_far : UNOPENED;

	push_scope(r, first, last, number);
	return number;
}

/* Where calls run beside each other, what a spawned call threw goes on from the sync. */
static bool syncs_throw(const struct rewrite *r)
{
	return r->cxx && r->parallel;
}

static char *scope_text(const struct rewrite *r, int number)
{
	return number > 0 ? str_format(" char __attribute__((cleanup(__skein_mark_scope_%s))) __skein_scope = __skein_mark_scope(%d);",
	                               syncs_throw(r) ? "close" : "end", number)
			  : str_copy("");
}

/* The number of the innermost scope around a token. */
static int scope_at(struct rewrite *r, size_t i)
{
	while (r->scopes_count && r->scopes[r->scopes_count - 1].last < i)
		r->scopes_count--;
	for (size_t n = r->scopes_count; n-- > 0;)
		if (r->scopes[n].first <= i)
			return r->scopes[n].number;
	return FUNCTION;
}

/* The text of some tokens on one line, without directives. */
static char *flat(const struct tokens *t, size_t first, size_t last)
{
	char *text;
	size_t length;
	FILE *out = mem_or_die(open_memstream(&text, &length));

	for (size_t i = first; i <= last; i++)
		fprintf(out, "%.*s ", (int)t->at[i].length, t->at[i].text);
	fclose(out);
	return text;
}

static void spawn_call(struct rewrite *r, size_t i, size_t last)
{
	int number = scope_at(r, i);

	if (r->cxx) {
		fprintf(r->out, "(__skein_mark_spawn(%d) ? throw :", number);
	} else {
		char *copy = flat(&r->t, i + 1, last);
		fprintf(r->out, "(__skein_mark_spawn(%d) ? *(__typeof__(%s) *)0 :", number, copy);
		free(copy);
	}
	push_later(r, last + 1, str_copy(")"));
}

static int spawn_block(struct rewrite *r, size_t i)
{
	size_t last = statement_end(&r->t, i + 1);

	if (leaves_block(&r->t, i + 1, last, false))
		return refuse(r, i, "a block after cilk_spawn cannot be left by return, break, continue or goto");
	int outer = scope_at(r, i);
	if (r->cxx) { /* a function of its own, and so without a number */
		fprintf(r->out, "(__skein_mark_spawn(%d) ? throw : [&]() __attribute__((always_inline)) -> void {", outer);
		push_later(r, last + 1, str_copy("}());"));
		push_scope(r, i + 1, last, FUNCTION);
		return 0;
	}
	int inner = open_scope(r, i + 1, last, spawns_itself(&r->t, i + 1, last));
	char *text = scope_text(r, inner);
	fprintf(r->out, "{ __skein_mark_block(%d, %d); {%s", outer, ++r->blocks_so_far, text);
	free(text);
	push_later(r, last + 1, str_format("} __skein_mark_block_end(%d); }", r->blocks_so_far));
	return 0;
}

static int rewrite_spawn(struct rewrite *r, size_t i)
{
	bool one, statement = starts_statement(&r->t, i - 1);

	if (!statement && !(is_assignment(&r->t, i - 1) && assigns_alone(&r->t, i - 1)))
		return refuse(
			r, i,
			"cilk_spawn must begin a statement, or be the whole right-hand side of a statement that assigns or initialises; "
			"elsewhere its value would be used before the cilk_sync");
	if (statement && tokens_is(&r->t, i + 1, "{"))
		return spawn_block(r, i);
	size_t last = expression_end(&r->t, i + 1, &one);
	if (!one && statement)
		return spawn_block(r, i);
	if (!one)
		return refuse(
			r, i,
			"the expression after cilk_spawn must be a single call; otherwise its value would be used before the cilk_sync");
	spawn_call(r, i, last);
	return 0;
}

/* A loop over some of the iterations, as a lambda or a block; false where the head is of a form that cannot be counted. */
static bool rewrite_parallel_for(struct rewrite *r, size_t i)
{
	size_t head = i + 1, first = tokens_match(&r->t, head) + 1, last = statement_end(&r->t, first);
	struct loop loop;

	if (leaves_block(&r->t, first, last, true) || !loop_read(&r->t, head, &loop))
		return false;
	char *count = loop_count_text(&loop), *value = loop_value_text(&loop);
	char *scope = scope_text(r, open_scope(r, first, last, spawns_itself(&r->t, first, last)));
	fprintf(r->out, "{ %s ", count);
	if (r->cxx) {
		fprintf(r->out,
		        "[&](unsigned long __skein_k, unsigned long __skein_end) -> void { for (; __skein_k < __skein_end; __skein_k++) { %s {%s",
		        value, scope);
		push_later(r, last + 1, str_copy("} } }(__skein_mark_low(), __skein_count); }"));
	} else {
		int number = ++r->blocks_so_far;
		fprintf(r->out,
		        "unsigned long __skein_bounds[2]; __skein_mark_loop(%d, __skein_count, &__skein_bounds); "
		        "for (unsigned long __skein_k = __skein_bounds[0], __skein_end = __skein_bounds[1]; __skein_k < __skein_end; __skein_k++) { %s {%s",
		        number, value, scope);
		push_later(r, last + 1, str_format("} } __skein_mark_loop_end(%d); }", number));
	}
	r->skip = first;
	free(count);
	free(value);
	free(scope);
	loop_free(&loop);
	return true;
}

static int rewrite_for(struct rewrite *r, size_t i)
{
	const struct tokens *t = &r->t;
	size_t head = i + 1, close = tokens_match(t, head), parts = 0, step = 0;

	for (size_t n = head + 1; tokens_is(t, head, "(") && n < close; n++) {
		if (tokens_is(t, n, ";") && ++parts == 2)
			step = n + 1;
		n = t->at[n].match > n ? t->at[n].match : n;
	}
	if (parts != 2)
		return refuse(r, i, "cilk_for needs a start, a condition and a step, separated by semicolons");
	if (r->parallel && rewrite_parallel_for(r, i))
		return 0;
	size_t first = close + 1, last = statement_end(t, first);
	int number = open_scope(r, first, last, spawns_itself(t, first, last));
	if (number != UNOPENED) {
		char *text = scope_text(r, number);
		push_later(r, last + 1, str_copy("}"));
		push_later(r, first, str_format("{%s", text));
		free(text);
	}
	push_later(r, step, str_format("__skein_mark_for(%u, %u)%s", t->at[i].line, t->at[i].column, step == close ? "" : ","));
	fputs("for", r->out);
	return 0;
}

static void rewrite_scope(struct rewrite *r, size_t i)
{
	size_t last = statement_end(&r->t, i + 1);
	char *text = scope_text(r, open_scope(r, i + 1, last, true));

	fprintf(r->out, "{%s", text);
	push_later(r, last + 1, str_copy("}"));
	free(text);
}

static void rewrite_sync(struct rewrite *r, size_t i)
{
	int number = scope_at(r, i);

	if (number == UNOPENED)
		fputs("((void)0)", r->out); /* nothing was spawned that it could wait for */
	else
		fprintf(r->out, "__skein_mark_%s(%d)", syncs_throw(r) ? "join" : "sync", number);
}

static int rewrite_token(struct rewrite *r, size_t i)
{
	if (tokens_is(&r->t, i, SPAWN))
		return rewrite_spawn(r, i);
	if (tokens_is(&r->t, i, FOR))
		return rewrite_for(r, i);
	if (tokens_is(&r->t, i, REDUCER))
		return r->parallel ? refuse(r, i, "a cilk_reducer has only one view, so code that uses it cannot run in parallel") : 0;
	if (tokens_is(&r->t, i, SCOPE))
		rewrite_scope(r, i);
	else
		rewrite_sync(r, i);
	return 0;
}

/* Behind text of ours a token begins a line of its own, in its old column. */
static void place(struct rewrite *r, size_t i)
{
	fprintf(r->out, "\n# %u\n%*s", r->t.at[i].line, (int)r->t.at[i].column - 1, "");
}

static int rewrite_all(struct rewrite *r)
{
	const char *done = r->t.text;
	bool moved = false;
	int failed = 0;

	for (size_t i = 0; i < r->t.count && !failed; i++) {
		const struct token *at = &r->t.at[i];
		if (i < r->skip) {
			done = at->text + at->length;
			continue;
		}
		fwrite(done, 1, (size_t)(at->text - done), r->out);
		for (; r->later_count && r->later[r->later_count - 1].before <= i; moved = true) {
			fputs(r->later[--r->later_count].text, r->out);
			free(r->later[r->later_count].text);
		}
		if (moved)
			place(r, i);
		if (lambda_end(&r->t, i) != i)
			push_scope(r, i, lambda_end(&r->t, i), FUNCTION);
		moved = tokens_in(&r->t, i, LIST(SPAWN, SYNC, FOR, SCOPE, REDUCER));
		if (moved)
			failed = rewrite_token(r, i);
		else
			fwrite(at->text, 1, at->length, r->out);
		done = at->text + at->length;
	}
	fwrite(done, 1, (size_t)(r->t.text + r->t.size - done), r->out);
	return failed;
}

static bool is_cxx(const struct tokens *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (tokens_is(t, i, "__skein_is_cxx"))
			return true;
	return false;
}

int cilk_rewrite(struct blob text, enum cilk_form form, const char *output, bool *cxx, struct fail *why)
{
	struct rewrite r = {.out = fopen(output, "we"), .parallel = form == CILK_PARALLEL, .why = why};

	if (!r.out)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", output, strerror(errno));
	tokens_read(&r.t, (const char *)text.at, text.size);
	*cxx = r.cxx = is_cxx(&r.t);
	int failed = rewrite_all(&r);
	if (fclose(r.out) != 0 && !failed)
		failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", output, strerror(errno));
	for (size_t i = 0; i < r.later_count; i++)
		free(r.later[i].text);
	free(r.later);
	free(r.scopes);
	tokens_free(&r.t);
	return failed ? -1 : 0;
}
