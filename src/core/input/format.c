/* SPDX-License-Identifier: MIT */
/* format.c: walks along a format string.
 *
 * Problem: only the format, its arguments and, for scanf, the number of assigned conversions say what scanf wrote
 * and printf reads.
 * Idea: read the format as the C library does (with numbered arguments, `m`, wide formats), and stop at the first
 * conversion that was not assigned.
 * Cost: one step for each character of the format. */
#include "core/input/format.h"

#include <stddef.h>

enum { GP_END = 48, FP_END = 176, WORD = 8, VECTOR = 16, LONG_DOUBLE_STORED = 10 };

struct walk {
	const struct input_format *f;
	size_t at;    /* position in the text */
	size_t taken; /* number of arguments taken, in order */
	struct input_format_list list;
	bool is_lost; /* an argument cannot be found */
};

struct conversion {
	uint64_t position; /* position of the argument, from 1; 0: the next one */
	uint64_t width;
	bool has_width, is_suppressed, is_made;
	unsigned shorter, longer; /* number of h and of l */
	bool is_longest;          /* L, q, j, z, t */
	char kind;
};

/* ---- the text ---- */

static uint32_t look(const struct walk *w)
{
	return w->f->is_wide ? ((const uint32_t *)w->f->text)[w->at] : ((const unsigned char *)w->f->text)[w->at];
}

static bool take(struct walk *w, char c)
{
	if (look(w) != (unsigned char)c)
		return false;
	w->at++;
	return true;
}

static bool is_one_of(uint32_t c, const char *set)
{
	for (; *set; set++)
		if (c == (unsigned char)*set)
			return true;
	return false;
}

static bool take_number(struct walk *w, uint64_t *number)
{
	bool any = false;
	for (*number = 0; look(w) >= '0' && look(w) <= '9'; w->at++, any = true)
		*number = *number < UINT32_MAX ? 10 * *number + (look(w) - '0') : *number;
	return any;
}

/* N$ says which argument is meant. */
static uint64_t take_position(struct walk *w)
{
	size_t start = w->at;
	uint64_t number;
	if (take_number(w, &number) && take(w, '$'))
		return number;
	w->at = start;
	return 0;
}

static void take_lengths(struct walk *w, struct conversion *c)
{
	for (;; w->at++) {
		uint32_t letter = look(w);
		if (letter == 'h')
			c->shorter++;
		else if (letter == 'l')
			c->longer++;
		else if (letter == 'm')
			c->is_made = true;
		else if (is_one_of(letter, "Lqjzt"))
			c->is_longest = true;
		else
			return;
	}
}

/* ---- arguments ---- */

static uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

static uint64_t from_stack(struct input_format_list *list, unsigned bytes)
{
	if (bytes > WORD)
		list->overflow = (list->overflow + VECTOR - 1) & ~(uint64_t)(VECTOR - 1);
	list->overflow += bytes;
	return list->overflow - bytes;
}

static uint64_t next_word(struct walk *w)
{
	if (w->f->arguments)
		return w->f->arguments[w->taken++];
	if (w->list.gp_offset >= GP_END)
		return word_at(from_stack(&w->list, WORD));
	w->list.gp_offset += WORD;
	return word_at(w->list.saved + w->list.gp_offset - WORD);
}

static void pass_real(struct walk *w, bool is_long)
{
	if (w->f->arguments)
		w->taken++;
	else if (is_long)
		from_stack(&w->list, 2 * WORD);
	else if (w->list.fp_offset >= FP_END)
		from_stack(&w->list, WORD);
	else
		w->list.fp_offset += VECTOR;
}

/* The arguments of scanf are all pointers; sizes of printf's arguments are known only when the whole format has been
 * read. */
static uint64_t word_of(struct walk *w, uint64_t position, bool all_words)
{
	if (!position)
		return next_word(w);
	if (w->f->arguments)
		return w->f->arguments[position - 1];
	w->is_lost = !all_words;
	struct walk first = {.f = w->f, .list = *w->f->list};
	while (all_words && --position)
		next_word(&first);
	return all_words ? next_word(&first) : 0;
}

/* ---- scanf ---- */

/* Behind the [: a ] is part of the set if it comes first. */
static void pass_set(struct walk *w)
{
	take(w, '^');
	take(w, ']');
	while (look(w) && !take(w, ']'))
		w->at++;
}

static struct conversion take_scanned(struct walk *w)
{
	struct conversion c = {.position = take_position(w)};
	while (is_one_of(look(w), "*'I"))
		c.is_suppressed |= look(w) == '*', w->at++;
	c.has_width = take_number(w, &c.width);
	take_lengths(w, &c);
	uint32_t kind = look(w);
	c.kind = kind && kind < 128 ? (char)kind : 0;
	w->at += kind != 0;
	if (c.kind == '[')
		pass_set(w);
	if (is_one_of((unsigned char)c.kind, "CS"))
		c.longer++;
	return c;
}

static unsigned number_bytes(const struct conversion *c)
{
	return c->longer || c->is_longest || c->kind == 'p' ? 8 : c->shorter > 1 ? 1 : c->shorter ? 2 : 4;
}

static unsigned real_bytes(const struct conversion *c)
{
	return c->is_longest || c->longer > 1 ? LONG_DOUBLE_STORED : c->longer ? 8 : 4;
}

static void write_text(const struct input_format *f, const struct conversion *c, uint64_t at)
{
	bool is_wide = c->longer > 0, is_counted = is_one_of((unsigned char)c->kind, "cC");
	if (c->is_made) {
		f->does(f->context, true, INPUT_FORMAT_MADE, at, sizeof(uint64_t));
		at = word_at(at);
	}
	if (is_counted)
		f->does(f->context, true, INPUT_FORMAT_BYTES, at, (c->has_width ? c->width : 1) * (is_wide ? 4 : 1));
	else
		f->does(f->context, true, is_wide ? INPUT_FORMAT_WIDE : INPUT_FORMAT_TEXT, at, UINT64_MAX);
}

static void write_scanned(struct walk *w, const struct conversion *c)
{
	const struct input_format *f = w->f;
	uint64_t at = word_of(w, c->position, true);
	if (is_one_of((unsigned char)c->kind, "sScC["))
		write_text(f, c, at);
	else if (is_one_of((unsigned char)c->kind, "aAeEfFgG"))
		f->does(f->context, true, INPUT_FORMAT_BYTES, at, real_bytes(c));
	else
		f->does(f->context, true, INPUT_FORMAT_BYTES, at, number_bytes(c));
}

void input_format_scan(const struct input_format *f, int64_t assigned)
{
	struct walk w = {.f = f};
	if (f->list)
		w.list = *f->list;
	while (look(&w)) {
		bool is_conversion = take(&w, '%');
		if (!is_conversion || take(&w, '%')) {
			w.at += !is_conversion;
			continue;
		}
		struct conversion c = take_scanned(&w);
		if (!c.kind || (c.kind != 'n' && !c.is_suppressed && assigned-- <= 0))
			return;
		if (!c.is_suppressed)
			write_scanned(&w, &c);
	}
}

/* ---- printf ---- */

/* A number, or * for an argument. */
static bool take_amount(struct walk *w, uint64_t *amount)
{
	if (!take(w, '*'))
		return take_number(w, amount);
	*amount = word_of(w, take_position(w), false);
	return true;
}

static struct conversion take_printed(struct walk *w, uint64_t *precision)
{
	uint64_t width;
	struct conversion c = {.position = take_position(w)};
	while (is_one_of(look(w), "-+ #0'I"))
		w->at++;
	take_amount(w, &width);
	*precision = UINT64_MAX;
	if (take(w, '.') && !take_amount(w, precision))
		*precision = 0;
	if ((int32_t)*precision < 0)
		*precision = UINT64_MAX;
	uint32_t kind = look(w);
	if (kind != 'm')
		take_lengths(w, &c);
	kind = look(w);
	c.kind = kind && kind < 128 ? (char)kind : 0;
	w->at += kind != 0;
	return c;
}

static void read_printed(struct walk *w, const struct conversion *c, uint64_t precision)
{
	const struct input_format *f = w->f;
	if (is_one_of((unsigned char)c->kind, "aAeEfFgG")) {
		if (!c->position)
			pass_real(w, c->is_longest);
		return;
	}
	uint64_t word = word_of(w, c->position, false);
	if (w->is_lost || !word)
		return;
	if (c->kind == 'n')
		f->does(f->context, true, INPUT_FORMAT_BYTES, word, number_bytes(c));
	else if (c->kind == 'S' || (c->kind == 's' && c->longer))
		f->does(f->context, false, INPUT_FORMAT_WIDE, word, precision);
	else if (c->kind == 's')
		f->does(f->context, false, INPUT_FORMAT_TEXT, word, precision);
}

void input_format_print(const struct input_format *f)
{
	struct walk w = {.f = f};
	uint64_t precision;
	if (f->list)
		w.list = *f->list;
	while (look(&w) && !w.is_lost) {
		bool is_conversion = take(&w, '%');
		if (!is_conversion || take(&w, '%')) {
			w.at += !is_conversion;
			continue;
		}
		struct conversion c = take_printed(&w, &precision);
		if (!c.kind)
			return;
		if (c.kind != 'm')
			read_printed(&w, &c, precision);
	}
}
