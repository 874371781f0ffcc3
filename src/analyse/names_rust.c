/* SPDX-License-Identifier: MIT */
/* names_rust.c: a demangler for Rust's v0 names (RFC 2603).
 *
 * Problem: a name is a small grammar of paths, types and constants, in which a back reference repeats what stands at an
 * earlier byte, so that a few bytes may mean a name of any length.
 * Idea: one function per rule, which prints while it reads. Depth, steps and output are bounded: beyond a bound the name
 * stays as it is. Hashes of crates and lifetimes that have no name are left out, as rustc's own short form does.
 * What differs: identifiers in Punycode are printed as punycode{…}. */
#include "analyse/names_rust.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analyse/names.h"

enum { MOST_DEPTH = 200, MOST_STEPS = 100000 };

struct reader {
	const char *text; /* behind _R */
	size_t at, length, depth, steps;
	uint64_t bound; /* lifetimes that the binders around this place name */
	bool bad, silent;
	char out[NAMES_LONGEST + 1];
	size_t written;
};

static void put(struct reader *r, const char *text, size_t bytes)
{
	if (r->silent || r->bad)
		return;
	if (r->written + bytes > NAMES_LONGEST) {
		r->bad = true;
		return;
	}
	memcpy(r->out + r->written, text, bytes);
	r->written += bytes;
}

static void say(struct reader *r, const char *text)
{
	put(r, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void sayf(struct reader *r, const char *format, ...)
{
	char text[64];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	say(r, text);
}

static char look(const struct reader *r)
{
	return r->at < r->length && !r->bad ? r->text[r->at] : 0;
}

static char next(struct reader *r)
{
	char c = look(r);
	if (c)
		r->at++;
	else
		r->bad = true;
	return c;
}

static bool take(struct reader *r, char c)
{
	if (look(r) != c)
		return false;
	r->at++;
	return true;
}

/* Each rule that may hold others begins and ends with these. */
static bool enter(struct reader *r)
{
	if (++r->depth > MOST_DEPTH || ++r->steps > MOST_STEPS)
		r->bad = true;
	return !r->bad;
}

static uint64_t base_62(struct reader *r)
{
	if (take(r, '_'))
		return 0;
	uint64_t value = 0;
	for (char c; (c = next(r)) != '_' && !r->bad;) {
		int digit = isdigit((unsigned char)c) ? c - '0'
			: islower((unsigned char)c)   ? c - 'a' + 10
			: isupper((unsigned char)c)   ? c - 'A' + 36
						      : -1;
		if (digit < 0 || __builtin_mul_overflow(value, 62, &value) || __builtin_add_overflow(value, (uint64_t)digit, &value))
			r->bad = true;
	}
	if (__builtin_add_overflow(value, 1, &value))
		r->bad = true;
	return value;
}

/* A number behind a letter, which may be missing: then 0, else one more than it says. */
static uint64_t maybe_62(struct reader *r, char letter)
{
	return take(r, letter) ? base_62(r) + 1 : 0;
}

struct word {
	const char *text;
	size_t bytes;
	uint64_t number; /* tells equal words apart */
	bool punycode;
};

static struct word plain_word(struct reader *r)
{
	struct word w = {.punycode = take(r, 'u')};
	if (!isdigit((unsigned char)look(r)))
		r->bad = true;
	if (!take(r, '0'))
		while (isdigit((unsigned char)look(r)) && w.bytes <= r->length)
			w.bytes = w.bytes * 10 + (size_t)(next(r) - '0');
	take(r, '_');
	if (w.bytes > r->length - r->at)
		r->bad = true;
	if (r->bad)
		return (struct word){.text = ""};
	w.text = r->text + r->at;
	r->at += w.bytes;
	return w;
}

static struct word word(struct reader *r)
{
	uint64_t number = maybe_62(r, 's');
	struct word w = plain_word(r);
	w.number = number;
	return w;
}

static void say_word(struct reader *r, struct word w)
{
	say(r, w.punycode ? "punycode{" : "");
	put(r, w.text, w.bytes);
	say(r, w.punycode ? "}" : "");
}

static void read_path(struct reader *r, bool in_value);
static void read_type(struct reader *r);
static void read_constant(struct reader *r);

/* Goes on at an earlier byte, and comes back. */
static void refer(struct reader *r, void (*rule)(struct reader *))
{
	size_t here = r->at - 1;
	uint64_t there = base_62(r);
	if (r->bad || there >= here) {
		r->bad = true;
		return;
	}
	size_t back = r->at;
	if (r->silent)
		return; /* what is not printed need not be read twice */
	r->at = (size_t)there;
	rule(r);
	r->at = back;
}

static void path_in_type(struct reader *r)
{
	read_path(r, false);
}

static void path_in_value(struct reader *r)
{
	read_path(r, true);
}

static void say_lifetime(struct reader *r, uint64_t index)
{
	if (index == 0)
		say(r, "'_");
	else if (index > r->bound)
		r->bad = true;
	else if (r->bound - index < 26)
		sayf(r, "'%c", (char)('a' + (r->bound - index)));
	else
		sayf(r, "'_%llu", (unsigned long long)(r->bound - index));
}

static void read_arguments(struct reader *r)
{
	for (bool first = true; !take(r, 'E') && !r->bad; first = false) {
		say(r, first ? "" : ", ");
		if (take(r, 'L'))
			say_lifetime(r, base_62(r));
		else if (take(r, 'K'))
			read_constant(r);
		else
			read_type(r);
	}
}

/* "::name", "::{closure#0}" */
static void read_nested(struct reader *r, bool in_value)
{
	char space = next(r);
	read_path(r, in_value);
	struct word w = word(r);
	if (isupper((unsigned char)space)) {
		say(r, space == 'C' ? "::{closure" : space == 'S' ? "::{shim" : "::{");
		if (space != 'C' && space != 'S')
			put(r, &space, 1);
		say(r, w.bytes ? ":" : "");
		say_word(r, w);
		sayf(r, "#%llu}", (unsigned long long)w.number);
	} else if (islower((unsigned char)space)) {
		say(r, w.bytes ? "::" : "");
		say_word(r, w);
	} else {
		r->bad = true;
	}
}

/* Where an impl stands is part of the name, but people leave it out. */
static void skip_impl(struct reader *r)
{
	bool silent = r->silent;
	r->silent = true;
	maybe_62(r, 's');
	read_path(r, false);
	r->silent = silent;
}

static void read_path(struct reader *r, bool in_value)
{
	if (!enter(r))
		return;
	char tag = next(r);
	switch (tag) {
	case 'C': say_word(r, word(r)); break;
	case 'N': read_nested(r, in_value); break;
	case 'I':
		read_path(r, in_value);
		say(r, in_value ? "::<" : "<");
		read_arguments(r);
		say(r, ">");
		break;
	case 'M':
	case 'X':
	case 'Y':
		if (tag != 'Y')
			skip_impl(r);
		say(r, "<");
		read_type(r);
		if (tag != 'M') {
			say(r, " as ");
			read_path(r, false);
		}
		say(r, ">");
		break;
	case 'B': refer(r, in_value ? path_in_value : path_in_type); break;
	default: r->bad = true;
	}
	r->depth--;
}

static const char *basic_type(char tag)
{
	static const char *const names[26] = {"i8",    "bool", "char", "f64", "str",  "f32",  NULL,  "u8", "isize",
	                                      "usize", NULL,   "i32",  "u32", "i128", "u128", "_",   NULL, NULL,
	                                      "i16",   "u16",  "()",   "...", NULL,   "i64",  "u64", "!"};
	return tag >= 'a' && tag <= 'z' ? names[tag - 'a'] : NULL;
}

/* "for<'a, 'b> "; returns how many lifetimes there were before. */
static uint64_t read_binder(struct reader *r)
{
	uint64_t before = r->bound, count = maybe_62(r, 'G');
	if (count > MOST_DEPTH)
		r->bad = true;
	for (uint64_t i = 0; i < count && !r->bad; i++) {
		r->bound++;
		say(r, i ? ", " : "for<");
		say_lifetime(r, 1);
	}
	say(r, count ? "> " : "");
	return before;
}

static void read_function_type(struct reader *r)
{
	uint64_t before = read_binder(r);
	say(r, take(r, 'U') ? "unsafe " : "");
	if (take(r, 'K')) {
		say(r, "extern \"");
		if (take(r, 'C')) {
			say(r, "C");
		} else {
			struct word w = plain_word(r);
			for (size_t i = 0; i < w.bytes; i++)
				put(r, w.text[i] == '_' ? "-" : &w.text[i], 1);
		}
		say(r, "\" ");
	}
	say(r, "fn(");
	for (bool first = true; !take(r, 'E') && !r->bad; first = false) {
		say(r, first ? "" : ", ");
		read_type(r);
	}
	say(r, ")");
	if (!take(r, 'u')) {
		say(r, " -> ");
		read_type(r);
	}
	r->bound = before;
}

/* The path of a trait with its arguments; true: the bracket is still open, for what the trait's types are bound to. */
static bool read_trait(struct reader *r)
{
	bool open = false;
	if (!enter(r))
		return false;
	if (look(r) == 'B') {
		r->at++;
		size_t here = r->at - 1;
		uint64_t there = base_62(r);
		if (there >= here)
			r->bad = true;
		size_t back = r->at;
		if (!r->bad) {
			r->at = (size_t)there;
			open = read_trait(r);
			r->at = back;
		}
	} else if (take(r, 'I')) {
		read_path(r, false);
		say(r, "<");
		read_arguments(r);
		open = true;
	} else {
		read_path(r, false);
	}
	r->depth--;
	return open;
}

static void read_dyn(struct reader *r)
{
	say(r, "dyn ");
	uint64_t before = read_binder(r);
	for (bool first = true; !take(r, 'E') && !r->bad; first = false) {
		say(r, first ? "" : " + ");
		bool open = read_trait(r);
		while (take(r, 'p')) {
			say(r, open ? ", " : "<");
			open = true;
			say_word(r, plain_word(r));
			say(r, " = ");
			read_type(r);
		}
		say(r, open ? ">" : "");
	}
	r->bound = before;
	if (!take(r, 'L'))
		r->bad = true;
	uint64_t lifetime = base_62(r);
	if (lifetime) {
		say(r, " + ");
		say_lifetime(r, lifetime);
	}
}

/* "&'a mut T"; the lifetime is said if it has a name. */
static void read_reference(struct reader *r, const char *how)
{
	say(r, "&");
	uint64_t lifetime = take(r, 'L') ? base_62(r) : 0;
	if (lifetime) {
		say_lifetime(r, lifetime);
		say(r, " ");
	}
	say(r, how);
	read_type(r);
}

static void read_tuple(struct reader *r)
{
	size_t count = 0;
	say(r, "(");
	for (; !take(r, 'E') && !r->bad; count++) {
		say(r, count ? ", " : "");
		read_type(r);
	}
	say(r, count == 1 ? ",)" : ")");
}

static void read_type(struct reader *r)
{
	const char *basic = basic_type(look(r));
	if (basic) {
		r->at++;
		say(r, basic);
		return;
	}
	if (!enter(r))
		return;
	char tag = next(r);
	switch (tag) {
	case 'A':
	case 'S':
		say(r, "[");
		read_type(r);
		if (tag == 'A') {
			say(r, "; ");
			read_constant(r);
		}
		say(r, "]");
		break;
	case 'T': read_tuple(r); break;
	case 'R': read_reference(r, ""); break;
	case 'Q': read_reference(r, "mut "); break;
	case 'P':
	case 'O':
		say(r, tag == 'P' ? "*const " : "*mut ");
		read_type(r);
		break;
	case 'F': read_function_type(r); break;
	case 'D': read_dyn(r); break;
	case 'B': refer(r, read_type); break;
	default:
		if (tag)
			r->at--;
		read_path(r, false);
	}
	r->depth--;
}

/* Hexadecimal digits up to "_". What has more than 64 bits is printed as it is. */
static void read_number(struct reader *r, char type)
{
	const char *digits = r->text + r->at;
	uint64_t value = 0;
	size_t count = 0;
	for (char c; (c = next(r)) != '_' && !r->bad; count++) {
		if (!isdigit((unsigned char)c) && !(c >= 'a' && c <= 'f'))
			r->bad = true;
		value = value << 4 | (uint64_t)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
	}
	if (count > 16) {
		say(r, "0x");
		put(r, digits, count);
	} else if (type == 'b') {
		say(r, value ? "true" : "false");
	} else if (type == 'c' && value >= 0x20 && value < 0x7f) {
		sayf(r, "'%c'", (char)value);
	} else if (type == 'c') {
		sayf(r, "'\\u{%llx}'", (unsigned long long)value);
	} else {
		sayf(r, "%llu", (unsigned long long)value);
	}
}

static void read_constant(struct reader *r)
{
	if (!enter(r))
		return;
	char type = next(r);
	if (type == 'B') {
		refer(r, read_constant);
	} else if (type == 'p') {
		say(r, "_");
	} else if (type && strchr("hbctmyojasilxn", type)) {
		say(r, strchr("asilxn", type) && take(r, 'n') ? "-" : "");
		read_number(r, type);
	} else {
		r->bad = true;
	}
	r->depth--;
}

const char *names_rust(struct pool *pool, const char *linkage)
{
	if (strncmp(linkage, "_R", 2) != 0 || strlen(linkage) > NAMES_LONGEST)
		return NULL;
	struct reader r = {.text = linkage + 2, .length = strcspn(linkage + 2, ".$")}; /* what follows is the vendor's */
	if (!isupper((unsigned char)look(&r)))
		return NULL; /* a later version of the form, or a name from a source file */
	read_path(&r, true);
	if (r.at < r.length) { /* the library that made this instance of a generic function */
		r.silent = true;
		read_path(&r, false);
	}
	return r.bad || r.at != r.length || r.depth ? NULL : pool_print(pool, "%.*s", (int)r.written, r.out);
}
