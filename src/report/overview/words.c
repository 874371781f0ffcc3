/* SPDX-License-Identifier: MIT */
/* words.c: the sentences of a finding. */
#include <math.h>
#include <string.h>

#include "analyse/names.h"
#include "base/strv.h"
#include "base/text.h"
#include "report/overview/merge.h"

enum { LONG_NAME = 60 };

const char *overview_who(struct overview *o, uint32_t routine)
{
	if (routine >= o->routine_count)
		return "";
	const struct overview_routine *r = &o->routines[routine];
	const char *name = names_short(&o->pool, r->shown, LONG_NAME), *place = r->line ? text_place(&o->pool, r->file, r->line) : "";
	return *place ? pool_print(&o->pool, "%s (%s)", name, place) : name;
}

/* The texts that are filled in may be long: they come from the program. */
const char *overview_fill(struct overview *o, const char *text, const char *who, const char *object, const char *words, const char *lens)
{
	size_t room = strlen(text) * (strlen(who) + strlen(object ? object : "") + strlen(words) + strlen(lens) + 1) + 1, at = 0;
	char *filled = pool_bytes(&o->pool, room);
	bool drops = false;
	for (; *text; text++) {
		const char *put = NULL;
		if (*text == '[' || *text == ']') {
			drops = *text == '[' && !*who;
			continue;
		}
		if (*text == '%' && text[1] && strchr("wodl", text[1])) {
			text++;
			put = *text == 'w' ? who : *text == 'o' ? (object ? object : "") : *text == 'd' ? words : lens;
		}
		if (drops)
			continue;
		size_t length = put ? strlen(put) : 1;
		memcpy(filled + at, put ? put : text, length);
		at += length;
	}
	filled[at] = 0;
	return filled;
}

const char *overview_quoted(struct pool *pool, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@%+=,-";
	const char *quoted = "'";
	if (*word && !word[strspn(word, plain)])
		return word;
	for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
		quoted = pool_print(pool, "%s%.*s'\\''", quoted, (int)(quote - word), word);
	return pool_print(pool, "%s%s'", quoted, word);
}

/* ---- the first sentence ---- */

static bool is_by_span_alone(const struct overview_finding *f)
{
	for (size_t i = 0; i < f->evidence_count; i++)
		if (f->evidence[i].relation == OVERVIEW_AGREES && !f->evidence[i].confirms && f->evidence[i].lens != OVERVIEW_SPAN)
			return false;
	return true;
}

static const char *fact(struct overview *o, const struct overview_finding *f)
{
	const struct overview_kind *kind = &overview_kinds[f->kind];
	const char *who = overview_who(o, f->routine), *text = kind->alone;
	if (f->within != OVERVIEW_NONE)
		who = pool_print(&o->pool, "%s, called by %s,", who, names_short(&o->pool, o->routines[f->within].shown, LONG_NAME));
	if (f->routine != OVERVIEW_NONE && kind->by_span && is_by_span_alone(f))
		text = kind->by_span;
	else if (f->waits)
		text = f->object ? "threads wait for %o in %w" : "threads wait in %w";
	else if (f->object && kind->of_object)
		text = kind->of_object;
	else if (f->routine != OVERVIEW_NONE)
		text = kind->of_routine;
	return overview_fill(o, text, who, f->object, f->evidence_count ? f->evidence[0].words : "", "");
}

/* What mending it would bring, with what follows a colon; or nothing. */
static const char *gain(struct overview *o, const struct overview_finding *f)
{
	struct pool *pool = &o->pool;
	if (f->saved_ns >= 0)
		return pool_print(pool, "At most %s of %s: ", text_ns(pool, (double)f->saved_ns), text_ns(pool, (double)f->of_ns));
	if (!isnan(f->cores) && f->kind != FINDING_GROWTH && f->kind != FINDING_HOT)
		return pool_print(pool, "At most %.1f times the parallelism: ", f->cores);
	return "";
}

static const char *capital(struct overview *o, const char *text, const char *who)
{
	char *copy = pool_text(&o->pool, text);
	if (*copy >= 'a' && *copy <= 'z' && !(*who && strncmp(text, who, strlen(who)) == 0))
		*copy = (char)(*copy - 'a' + 'A');
	return copy;
}

static const char *growth(struct overview *o, const struct overview_finding *f)
{
	if (f->kind != FINDING_GROWTH || isnan(f->grown_pct))
		return "";
	return pool_print(&o->pool, ": %s of the cost now, %s at ten times the input", text_percent(&o->pool, f->share_pct),
	                  text_percent(&o->pool, f->grown_pct));
}

/* ---- who agrees ---- */

static const char *agreement(struct overview *o, const struct overview_finding *f)
{
	static const char *const numbers[] = {"No", "One", "Two", "Three", "Four", "Five", "Six"};
	const char *list = "";
	size_t count = 0;
	for (size_t i = 0; i < f->evidence_count; i++) {
		const struct overview_evidence *e = &f->evidence[i];
		if (e->relation != OVERVIEW_AGREES)
			continue;
		list = pool_print(&o->pool, "%s%s%s%s%s%s", list, count ? ", " : "", o->lenses[e->lens].name, *e->words ? " (" : "",
		                  e->words, *e->words ? ")" : "");
		count++;
	}
	return pool_print(&o->pool, count == 1 ? "%s lens says so: %s." : "%s lenses agree: %s.", numbers[count], list);
}

/* ---- the rows ---- */

static const char *command(struct overview *o, const struct overview_finding *f)
{
	struct pool *pool = &o->pool;
	const char *path = overview_quoted(pool, o->path);
	for (size_t e = 0; e < f->evidence_count; e++)
		for (size_t i = 0; i < overview_shown_count; i++) {
			const struct overview_shown *s = &overview_shown[i];
			if (s->kind != f->kind || s->lens != f->evidence[e].lens)
				continue;
			bool picks = s->by_routine && f->routine != OVERVIEW_NONE;
			return pool_print(pool, "skein report %s %s --view %s%s%s", o->lenses[s->lens].name, path, s->view,
			                  picks ? " --routine " : "", picks ? overview_quoted(pool, o->routines[f->routine].name) : "");
		}
	return pool_print(pool, "skein report %s %s", o->lenses[f->evidence[0].lens].name, path);
}

void overview_word(struct overview *o, struct overview_finding *f)
{
	const char *says = fact(o, f), *brings = gain(o, f);
	if (!f->advice)
		f->advice = overview_kinds[f->kind].advice;
	f->text = pool_print(&o->pool, "%s%s%s. %s.", brings, *brings ? says : capital(o, says, overview_who(o, f->routine)), growth(o, f),
	                     f->advice);
	if (f->saved_ns >= 0 && !isnan(f->cores)) {
		MEMORY_GROW(f->remarks, f->remark_count, f->remark_room);
		f->remarks[f->remark_count++] = pool_print(&o->pool, "On more cores: at most %.1f times the parallelism.", f->cores);
	}
	f->agree = agreement(o, f);
	f->command = command(o, f);
}
