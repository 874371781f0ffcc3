/* SPDX-License-Identifier: MIT */
/* claim.c: reads claims.
 *
 * A name of a routine may hold whatever a claim is made of: blanks, colons, comparisons (operator<=), quotes. Two rules say what is
 * meant. A claim of growth ends with O(…) behind its last colon. In a claim of a figure the last comparison counts that has a figure
 * of the lens on its left and a bound on its right. A name in quotes is taken as it is. */
#include "report/check/claim.h"

#include <ctype.h>
#include <string.h>

enum { MOST_FIGURES = 128, MOST_BYTES = 16384 };

const char *const claim_operators[CLAIM_OPERATORS] = {
#define X(name, text) text,
	CLAIM_OPERATOR_LIST(X)
#undef X
};

/* ---- words ---- */

/* A copy without blanks at its ends. */
static char *trimmed(struct pool *pool, const char *from, const char *to)
{
	while (from < to && isspace((unsigned char)*from))
		from++;
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	char *copy = pool_bytes(pool, (size_t)(to - from) + 1);
	memcpy(copy, from, (size_t)(to - from));
	copy[to - from] = 0;
	return copy;
}

static const char *unquoted(struct pool *pool, const char *text)
{
	const char *end, *inside = bound_unquote(pool, text, &end);
	return inside && !*end ? inside : text;
}

/* The comparison that begins here, the longer one of two; CLAIM_OPERATORS: none does. */
static enum claim_operator operator_at(const char *at)
{
	enum claim_operator found = CLAIM_OPERATORS;
	for (int i = 0; i < CLAIM_OPERATORS; i++)
		if (strncmp(at, claim_operators[i], strlen(claim_operators[i])) == 0 &&
		    (found == CLAIM_OPERATORS || strlen(claim_operators[i]) > strlen(claim_operators[found])))
			found = (enum claim_operator)i;
	return found;
}

/* ---- growth ---- */

/* Where "O(…)" begins behind the last colon; NULL: the word is no claim of growth. */
static const char *growth_in(const char *word)
{
	const char *colon = strrchr(word, ':');
	if (!colon)
		return NULL;
	colon++;
	while (isspace((unsigned char)*colon))
		colon++;
	return (*colon == 'O' || *colon == 'o') && colon[1] == '(' ? colon : NULL;
}

static enum claim_reading read_growth(struct pool *pool, struct claim *claim, struct fail *why)
{
	claim->growth = growth_in(claim->text);
	if (!inputs_claim_read(claim->growth, &claim->is)) {
		fail_set(
			why, FAIL_USAGE,
			"%.100s is not a growth that can be checked: write O(1), O(log n), O(n), O(n log n), O(n^1.5), O(n^2), O(n^2 log n), O(n^3) or O(2^n)",
			claim->growth);
		return CLAIM_WRONG;
	}
	claim->routine = unquoted(pool, trimmed(pool, claim->text, strrchr(claim->text, ':')));
	if (*claim->routine)
		return CLAIM_READ;
	fail_set(why, FAIL_USAGE, "a claim needs a routine: 'ROUTINE: %.100s'", claim->growth);
	return CLAIM_WRONG;
}

/* ---- what a figure is of ---- */

/* The left side of a comparison. */
struct subject {
	const char *figure; /* a name of a figure of the lens, perhaps of several */
	const char *thing, *caller;
	bool in_brackets; /* FIGURE(THING) */
};

/* With % behind the bound, the name of a time or a count means its share: "wait <= 5 %" is wait%. */
static bool is_named(const struct figure *figure, const char *name, const struct bound *bound)
{
	size_t length = strlen(name);
	if (strcmp(figure->name, name) == 0)
		return true;
	return bound->kind == BOUND_PERCENT && strncmp(figure->name, name, length) == 0 && strcmp(figure->name + length, "%") == 0;
}

static bool has_figure(const struct lens *lens, const char *name, const struct bound *bound)
{
	for (const struct figure *f = lens->figures->list; f->name; f++)
		if (is_named(f, name, bound))
			return true;
	return false;
}

/* "CALLER -> CALLEE", each perhaps in quotes, or a name. */
static void read_thing(struct pool *pool, const char *text, struct subject *subject)
{
	const char *end = text, *inside = bound_unquote(pool, text, &end), *arrow = strstr(text, " -> ");
	while (inside && isspace((unsigned char)*end))
		end++;
	if (inside && !*end) {
		subject->thing = inside;
	} else if (inside && end[0] == '-' && end[1] == '>') {
		subject->caller = inside;
		subject->thing = unquoted(pool, trimmed(pool, end + 2, end + strlen(end)));
	} else if (arrow) {
		subject->caller = trimmed(pool, text, arrow);
		subject->thing = unquoted(pool, trimmed(pool, arrow + 4, arrow + strlen(arrow)));
	} else {
		subject->thing = text;
	}
}

/* FIGURE, THING FIGURE or FIGURE(THING). */
static bool read_subject(struct pool *pool, const struct lens *lens, const char *text, const struct bound *bound, struct subject *subject)
{
	const char *end = text + strlen(text), *last = end, *bracket = strchr(text, '(');
	*subject = (struct subject){0};
	while (last > text && !isspace((unsigned char)last[-1]))
		last--;
	if (has_figure(lens, last, bound)) {
		subject->figure = last;
		if (last > text)
			read_thing(pool, trimmed(pool, text, last), subject);
		return true;
	}
	if (!bracket || end[-1] != ')')
		return false;
	subject->figure = trimmed(pool, text, bracket);
	subject->in_brackets = true;
	read_thing(pool, trimmed(pool, bracket + 1, end - 1), subject);
	return *subject->figure && has_figure(lens, subject->figure, bound);
}

static bool is_about(const struct figure *figure, const struct subject *subject)
{
	enum figure_about about = figure->rows->about;
	if (!subject->thing)
		return about == FIGURE_RUN;
	return subject->caller ? about == FIGURE_SITE : about == FIGURE_ROUTINE || about == FIGURE_OBJECT;
}

/* An object is usually in brackets and a routine is not, if both have a figure of that name. */
static const struct figure *choose_figure(const struct lens *lens, const struct subject *subject, const struct bound *bound)
{
	const struct figure *found = NULL;
	for (const struct figure *f = lens->figures->list; f->name; f++) {
		bool usual = subject->in_brackets == (f->rows->about == FIGURE_OBJECT);
		if (is_named(f, subject->figure, bound) && is_about(f, subject) && bound_fits(bound, f->unit) && (!found || usual))
			found = f;
	}
	return found;
}

/* ---- what is wrong ---- */

static const char *unit_needed(enum unit unit)
{
	return unit == UNIT_NS         ? "is a time: write a bound such as 5 ms or 2.5 s"
		: unit == UNIT_PERCENT ? "is a percentage: write a bound such as 10 %"
				       : "is a number: write a bound such as 8 or 5.2 M";
}

/* The figure is there, but not of that, or not in that unit. */
static void explain_figure(const struct lens *lens, const struct subject *subject, const struct bound *bound, struct fail *why)
{
	static const char *const of[FIGURE_ABOUTS] = {"the whole run", "a routine", "a call", "an object"},
				 *const before[FIGURE_ABOUTS] = {"", "ROUTINE ", "CALLER -> CALLEE ", ""},
				 *const behind[FIGURE_ABOUTS] = {"", "", "", "(OBJECT)"};
	const struct figure *other = NULL;
	for (const struct figure *f = lens->figures->list; f->name; f++) {
		if (!is_named(f, subject->figure, bound))
			continue;
		other = other ? other : f;
		if (is_about(f, subject)) {
			fail_set(why, FAIL_USAGE, "%s of the lens %s %s", subject->figure, lens->name, unit_needed(f->unit));
			return;
		}
	}
	enum figure_about about = other ? other->rows->about : FIGURE_RUN;
	fail_set(why, FAIL_USAGE, "%s of the lens %s is a figure of %s: write '%s: %s%s%s <= …'", subject->figure, lens->name, of[about],
	         lens->name, before[about], subject->figure, behind[about]);
}

static void explain_name(const struct lens *lens, const char *name, struct fail *why)
{
	const char *names[MOST_FIGURES + 1];
	size_t count = 0;
	for (const struct figure *f = lens->figures->list; f->name && count < MOST_FIGURES; f++)
		names[count++] = f->name;
	names[count] = NULL;
	const char *near = *name ? nearest(name, names) : NULL;
	if (near)
		fail_set(why, FAIL_USAGE, "the lens %s has no figure %.100s; did you mean %s?", lens->name, name, near);
	else
		fail_set(why, FAIL_USAGE, "the lens %s has no figure %.100s; `skein check --list %s` lists them", lens->name,
		         *name ? name : "''", lens->name);
}

/* What stands where a figure should: before a bracket, or the last word. */
static const char *figure_word(struct pool *pool, const char *left)
{
	const char *end = left + strlen(left), *word = end, *bracket = strchr(left, '(');
	while (word > left && !isspace((unsigned char)word[-1]))
		word--;
	return bracket && end[-1] == ')' ? trimmed(pool, left, bracket) : word;
}

/* No comparison has a figure on its left and a bound on its right: what is wrong with the last one? */
static void explain(struct pool *pool, const struct lens *lens, const char *text, const char *rest, struct fail *why)
{
	const char *end = rest + strlen(rest), *at = end;
	struct bound bound;
	while (at > rest && operator_at(at) == CLAIM_OPERATORS)
		at--;
	enum claim_operator op = operator_at(at);
	if (op == CLAIM_OPERATORS) {
		fail_set(why, FAIL_USAGE, "%.200s is not a claim: write '%s: FIGURE <= BOUND' (`skein check --list %s` lists the figures)",
		         text, lens->name, lens->name);
		return;
	}
	const char *right = trimmed(pool, at + strlen(claim_operators[op]), end);
	if (bound_read(pool, right, &bound))
		explain_name(lens, figure_word(pool, trimmed(pool, rest, at)), why);
	else
		fail_set(why, FAIL_USAGE, "%.200s is not a bound: write a number with its unit (8, 10 %%, 5.2 M, 30 ms), or 110 %% of FILE",
		         *right ? right : "''");
}

/* ---- a claim ---- */

/* The lens that a word begins with, and its colon: "span: …", but not "span::…". */
static const struct lens *lens_in(const char *word, const char **rest)
{
	for (size_t i = 0; i < lens_count; i++) {
		size_t length = strlen(lenses[i]->name);
		if (strncmp(word, lenses[i]->name, length) != 0 || word[length] != ':' || word[length + 1] == ':')
			continue;
		*rest = word + length + 1;
		return lenses[i];
	}
	return NULL;
}

/* The last comparison between a figure and a bound. */
static bool read_figure(struct pool *pool, const char *rest, struct claim *claim, struct subject *subject)
{
	const char *end = rest + strlen(rest);
	for (const char *at = end; at > rest; at--) {
		enum claim_operator op = operator_at(at);
		if (op == CLAIM_OPERATORS || !bound_read(pool, trimmed(pool, at + strlen(claim_operators[op]), end), &claim->bound) ||
		    !read_subject(pool, claim->lens, trimmed(pool, rest, at), &claim->bound, subject))
			continue;
		claim->op = op;
		claim->limit = trimmed(pool, at, end);
		return true;
	}
	return false;
}

enum claim_reading claim_read(struct pool *pool, const char *word, struct claim *claim, struct fail *why)
{
	struct subject subject;
	const char *rest;
	*claim = (struct claim){.text = trimmed(pool, word, word + strlen(word))};
	const struct lens *lens = claim->lens = lens_in(claim->text, &rest);
	if (strlen(claim->text) > MOST_BYTES && (lens || growth_in(claim->text))) {
		fail_set(why, FAIL_USAGE, "a claim has at most %d bytes: give a pattern instead of a long name", MOST_BYTES);
		return CLAIM_WRONG;
	}
	if (lens && read_figure(pool, rest, claim, &subject)) {
		claim->thing = subject.thing;
		claim->caller = subject.caller;
		claim->figure = choose_figure(lens, &subject, &claim->bound);
		bool is_empty = (claim->thing && !*claim->thing) || (claim->caller && !*claim->caller);
		if (claim->figure && !is_empty)
			return CLAIM_READ;
		if (is_empty)
			fail_set(why, FAIL_USAGE, "'%.200s' does not say whose %s is meant", claim->text, subject.figure);
		else
			explain_figure(lens, &subject, &claim->bound, why);
		return CLAIM_WRONG;
	}
	claim->lens = NULL;
	if (growth_in(claim->text))
		return read_growth(pool, claim, why);
	if (!lens)
		return CLAIM_NONE;
	explain(pool, lens, claim->text, rest, why);
	return CLAIM_WRONG;
}

const struct lens *claim_lens(const struct claim *claim)
{
	return claim->lens ? claim->lens : &lens_input;
}
