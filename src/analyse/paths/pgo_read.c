/* SPDX-License-Identifier: MIT */
/* pgo_read.c: reads LLVM's text: what pgo.h names; it skips the rest.
 *
 * Places come at the end, as metadata with numbers: a location has a line and a scope, a scope a file. So instructions
 * keep numbers until all is read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/pgo.h"
#include "base/fields.h"

struct metadata {
	uint32_t line, scope, file; /* 0: none, else the number + 1 */
	const char *filename;
};

struct symbol {
	const char *name, *text; /* a global that holds a function's name in the profile */
};

struct reading {
	struct pgo *pgo;
	struct metadata *metadata;
	size_t metadata_count;
	struct symbol *symbols;
	size_t symbol_count, symbol_room;
	bool inside; /* the reader is inside a function */
};

/* ---- small pieces ---- */

/* The number behind `key`, + 1; 0: there is none. */
static uint32_t number_behind(const char *line, const char *key)
{
	const char *at = strstr(line, key);
	if (!at || !isdigit((unsigned char)at[strlen(key)]))
		return 0;
	unsigned long n = strtoul(at + strlen(key), NULL, 10);
	return n < UINT32_MAX - 1 ? (uint32_t)n + 1 : 0;
}

/* A string up to its closing quote, with \HH undone. */
static const char *string_at(struct pool *pool, const char *at)
{
	char *text = pool_bytes(pool, strcspn(at, "\"") + 1), *to = text;
	while (*at && *at != '"') {
		if (*at == '\\' && fields_hex(at[1]) >= 0 && fields_hex(at[2]) >= 0) {
			*to++ = (char)(16 * fields_hex(at[1]) + fields_hex(at[2]));
			at += 3;
		} else {
			*to++ = *at++;
		}
	}
	*to = 0;
	return text;
}

static uint32_t label_at(const char *at, size_t length)
{
	uint32_t h = 2166136261u;
	bool digits = length > 0 && length < 9;
	for (size_t i = 0; i < length; i++) {
		digits &= isdigit((unsigned char)at[i]) != 0;
		h = (h ^ (unsigned char)at[i]) * 16777619u;
	}
	return digits ? (uint32_t)strtoul(at, NULL, 10) : h | 1u << 31;
}

/* ---- globals and metadata ---- */

static void take_symbol(struct reading *r, const char *line)
{
	const char *text = strstr(line, " c\"");
	if (!text)
		return;
	const char *name = line[1] == '"' ? string_at(&r->pgo->pool, line + 2) : NULL;
	MEMORY_GROW(r->symbols, r->symbol_count, r->symbol_room);
	r->symbols[r->symbol_count++] =
		(struct symbol){name ? name : pool_print(&r->pgo->pool, "%.*s", (int)strcspn(line + 1, " "), line + 1),
	                        string_at(&r->pgo->pool, text + 3)};
}

static void take_metadata(struct reading *r, const char *line)
{
	enum { MOST = 1 << 26 };
	unsigned long number = strtoul(line + 1, NULL, 10);
	const char *name = strstr(line, "filename: \"");
	if (number >= MOST)
		return;
	if (number >= r->metadata_count) {
		size_t more = 2 * number + 1024;
		r->metadata = memory_resize(r->metadata, more, sizeof *r->metadata);
		memset(r->metadata + r->metadata_count, 0, (more - r->metadata_count) * sizeof *r->metadata);
		r->metadata_count = more;
	}
	r->metadata[number] =
		(struct metadata){number_behind(line, "line: "), number_behind(line, " scope: !"), number_behind(line, " file: !"),
	                          name ? string_at(&r->pgo->pool, name + strlen("filename: \"")) : NULL};
}

/* ---- functions ---- */

static struct pgo_block *begin_block(struct reading *r, uint32_t label)
{
	struct pgo *p = r->pgo;
	MEMORY_GROW(p->blocks, p->block_count, p->block_room);
	struct pgo_block *b = &p->blocks[p->block_count++];
	*b = (struct pgo_block){.label = label, .counter = PGO_NO_COUNTER, .first_line = p->line_count, .first_before = p->before_count};
	p->functions[p->function_count - 1].blocks++;
	return b;
}

static void begin_function(struct reading *r)
{
	struct pgo *p = r->pgo;
	MEMORY_GROW(p->functions, p->function_count, p->function_room);
	p->functions[p->function_count++] = (struct pgo_function){.first_block = p->block_count, .first_choice = p->choice_count};
	begin_block(r, UINT32_MAX);
	r->inside = true;
}

/* "12:      ; preds = %3, %7"; a name may be in quotes. */
static bool take_label(struct reading *r, const char *line)
{
	size_t length = line[0] == '"' ? strcspn(line + 1, "\"") + 2 : strcspn(line, ": ");
	struct pgo *p = r->pgo;
	if (!length || line[length] != ':')
		return false;
	struct pgo_function *f = &p->functions[p->function_count - 1];
	struct pgo_block *b = &p->blocks[p->block_count - 1];
	bool is_entry = f->blocks == 1 && !b->instructions && b->counter == PGO_NO_COUNTER;
	if (!is_entry)
		b = begin_block(r, 0);
	b->label = label_at(line, length);
	const char *at = strstr(line, "; preds = ");
	for (at = at ? strchr(at, '%') : NULL; at; at = strchr(at, '%')) {
		at++;
		size_t name = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, ", \n");
		MEMORY_GROW(p->befores, p->before_count, p->before_room);
		p->befores[p->before_count++] = label_at(at, name);
		b->befores++;
		at += name;
	}
	return true;
}

static void take_counter(struct reading *r, struct pgo_block *b, const char *call)
{
	struct pgo_function *f = &r->pgo->functions[r->pgo->function_count - 1];
	bool step = strstr(call, "increment.step(") != NULL;
	const char *at = strstr(call, "@__profn_"), *quoted = strstr(call, "@\"__profn_");
	const char *name = quoted ? string_at(&r->pgo->pool, quoted + 2)
		: at              ? pool_print(&r->pgo->pool, "%.*s", (int)strcspn(at + 1, ","), at + 1)
				  : "";
	const char *hash = strstr(call, ", i64 "), *number = hash ? strstr(hash + 1, ", i32 ") : NULL,
		   *index = number ? strstr(number + 1, ", i32 ") : NULL;
	if (!index)
		return;
	f->hash = strtoull(hash + 6, NULL, 10);
	f->counters = (uint32_t)strtoul(number + 6, NULL, 10);
	uint32_t counter = (uint32_t)strtoul(index + 6, NULL, 10);
	if (step) {
		MEMORY_GROW(r->pgo->choices, r->pgo->choice_count, r->pgo->choice_room);
		r->pgo->choices[r->pgo->choice_count++] = (struct pgo_choice){r->pgo->block_count - 1, counter};
		f->choices++;
	} else {
		b->counter = counter;
	}
	for (size_t i = 0; !f->name && i < r->symbol_count; i++)
		if (strcmp(r->symbols[i].name, name) == 0)
			f->name = r->symbols[i].text;
}

/* A call of llvm.instrprof.value.profile(ptr @__profn_f, i64 HASH, i64 VALUE, i32 KIND, i32 SITE). */
static void take_site(struct reading *r, const char *call)
{
	struct pgo_function *f = &r->pgo->functions[r->pgo->function_count - 1];
	const char *kind = strstr(call, ", i32 "), *site = kind ? strstr(kind + 1, ", i32 ") : NULL;
	unsigned long k = kind ? strtoul(kind + 6, NULL, 10) : PGO_KINDS, n = site ? strtoul(site + 6, NULL, 10) : 0;
	if (site && k < PGO_KINDS && n < UINT32_MAX && n >= f->sites[k])
		f->sites[k] = (uint32_t)n + 1;
}

static bool starts(const char *at, const char *word)
{
	return strncmp(at, word, strlen(word)) == 0;
}

static void take_instruction(struct reading *r, const char *line)
{
	struct pgo *p = r->pgo;
	struct pgo_block *b = &p->blocks[p->block_count - 1];
	const char *at = line + strspn(line, " ");
	if (starts(at, "#dbg_") || strstr(at, " = phi ") || *at == ';')
		return;
	if (strstr(at, "@llvm.instrprof.")) {
		if (strstr(at, "@llvm.instrprof.increment"))
			take_counter(r, b, at);
		else if (strstr(at, "@llvm.instrprof.value.profile("))
			take_site(r, at);
		return;
	}
	b->instructions++;
	b->leaves |= starts(at, "ret ") || starts(at, "unreachable") || starts(at, "resume ");
	uint32_t place = number_behind(at, "!dbg !");
	if (!place)
		return;
	MEMORY_GROW(p->lines, p->line_count, p->line_room);
	p->lines[p->line_count++] = (struct pgo_line){NULL, place - 1}; /* the number stands until places are known */
	b->lines++;
}

/* Functions that have no counters are of no use. */
static void end_function(struct reading *r)
{
	struct pgo *p = r->pgo;
	struct pgo_function *f = &p->functions[p->function_count - 1];
	r->inside = false;
	if (f->name && f->counters)
		return;
	p->block_count = f->first_block;
	p->function_count--;
}

static void find_places(struct reading *r)
{
	for (size_t i = 0; i < r->pgo->line_count; i++) {
		struct pgo_line *l = &r->pgo->lines[i];
		const struct metadata *m = l->line < r->metadata_count ? &r->metadata[l->line] : NULL;
		const struct metadata *scope = m && m->scope && m->scope - 1 < r->metadata_count ? &r->metadata[m->scope - 1] : NULL;
		const struct metadata *file =
			scope && scope->file && scope->file - 1 < r->metadata_count ? &r->metadata[scope->file - 1] : NULL;
		*l = (struct pgo_line){file ? file->filename : NULL, m && m->line ? m->line - 1 : 0};
	}
}

int pgo_read(struct pgo *pgo, FILE *file, struct fail *why)
{
	struct reading r = {.pgo = pgo};
	char *line = NULL;
	size_t room = 0;
	memset(pgo, 0, sizeof *pgo);
	while (getline(&line, &room, file) >= 0) {
		if (starts(line, "define "))
			begin_function(&r);
		else if (r.inside && line[0] == '}')
			end_function(&r);
		else if (r.inside && line[0] == ' ')
			take_instruction(&r, line);
		else if (r.inside)
			take_label(&r, line);
		else if (starts(line, "@__profn_") || starts(line, "@\"__profn_"))
			take_symbol(&r, line);
		else if (line[0] == '!' && isdigit((unsigned char)line[1]))
			take_metadata(&r, line);
	}
	if (r.inside)
		end_function(&r);
	find_places(&r);
	free(line);
	free(r.metadata);
	free(r.symbols);
	if (pgo->function_count)
		return 0;
	pgo_free(pgo);
	return fail_set(why, FAIL_INTERNAL, "clang showed no function with counters");
}

void pgo_free(struct pgo *pgo)
{
	free(pgo->functions);
	free(pgo->blocks);
	free(pgo->lines);
	free(pgo->choices);
	free(pgo->befores);
	pool_free(&pgo->pool);
	memset(pgo, 0, sizeof *pgo);
}
