/* SPDX-License-Identifier: MIT */
/* pgo_read.c: reads what the plugin wrote of clang's counters (pass/counters.h). */
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/pgo.h"
#include "analyse/table.h"
#include "base/fields.h"

enum { FIELDS = 7 };

struct reading {
	struct pgo *pgo;
	char *field[FIELDS];
	const char *file; /* of the last line */
	bool whole;       /* the end of the text was seen */
};

static bool small(const char *text, uint32_t *value)
{
	return table_number(text, value);
}

static bool take_function(struct reading *r)
{
	struct pgo *p = r->pgo;
	MEMORY_GROW(p->functions, p->function_count, p->function_room);
	struct pgo_function *f = &p->functions[p->function_count++];
	*f = (struct pgo_function){.name = pool_print(&p->pool, "%s", r->field[1]),
	                           .first_block = p->block_count,
	                           .first_choice = p->choice_count};
	bool good = *f->name && fields_number(r->field[2], &f->hash) && small(r->field[3], &f->counters) && f->counters;
	for (int k = 0; k < PGO_KINDS; k++)
		good &= small(r->field[4 + k], &f->sites[k]) && f->sites[k] <= UINT16_MAX; /* as many as clang's own profiles can hold */
	return good;
}

static bool take_block(struct reading *r)
{
	struct pgo *p = r->pgo;
	struct pgo_function *f = &p->functions[p->function_count - 1];
	uint32_t leaves;
	MEMORY_GROW(p->blocks, p->block_count, p->block_room);
	struct pgo_block *b = &p->blocks[p->block_count++];
	*b = (struct pgo_block){.counter = PGO_NO_COUNTER, .first_line = p->line_count, .first_before = p->before_count};
	f->blocks++;
	bool good = small(r->field[2], &b->instructions) && small(r->field[3], &leaves);
	b->leaves = good && leaves;
	return good && (!*r->field[1] || (small(r->field[1], &b->counter) && b->counter < f->counters));
}

static bool take_choice(struct reading *r)
{
	struct pgo *p = r->pgo;
	struct pgo_function *f = &p->functions[p->function_count - 1];
	uint32_t counter;
	if (!small(r->field[1], &counter) || counter >= f->counters)
		return false;
	MEMORY_GROW(p->choices, p->choice_count, p->choice_room);
	p->choices[p->choice_count++] = (struct pgo_choice){p->block_count - 1, counter};
	f->choices++;
	return true;
}

static bool take_line(struct reading *r)
{
	struct pgo *p = r->pgo;
	uint32_t line, inlined;
	if (!small(r->field[2], &line) || !small(r->field[3], &inlined) || inlined > 1)
		return false;
	if (!r->file || strcmp(r->file, r->field[1]) != 0)
		r->file = pool_print(&p->pool, "%s", r->field[1]);
	MEMORY_GROW(p->lines, p->line_count, p->line_room);
	p->lines[p->line_count++] = (struct pgo_line){r->file, line, inlined};
	p->blocks[p->block_count - 1].lines++;
	return true;
}

static bool take_before(struct reading *r)
{
	struct pgo *p = r->pgo;
	MEMORY_GROW(p->befores, p->before_count, p->before_room);
	p->blocks[p->block_count - 1].befores++;
	return small(r->field[1], &p->befores[p->before_count++]);
}

/* A block of a function, what is said of one, or the end. */
static bool take(struct reading *r)
{
	char what = r->field[0][0];
	struct pgo *p = r->pgo;
	if (strcmp(r->field[0], "end") == 0)
		return r->whole = strtoull(r->field[1], NULL, 10) == p->function_count;
	if (what == 'f')
		return take_function(r);
	if (!p->function_count || (what != 'b' && !p->functions[p->function_count - 1].blocks))
		return false;
	return what == 'b' ? take_block(r) : what == 'c' ? take_choice(r) : what == 'l' ? take_line(r) : what == 'p' && take_before(r);
}

/* Blocks before others are in the same function. */
static bool befores_exist(const struct pgo *p)
{
	for (size_t i = 0; i < p->function_count; i++)
		for (size_t b = 0; b < p->functions[i].blocks; b++) {
			const struct pgo_block *block = &p->blocks[p->functions[i].first_block + b];
			for (size_t k = 0; k < block->befores; k++)
				if (p->befores[block->first_before + k] >= p->functions[i].blocks)
					return false;
		}
	return true;
}

/* Each counter is in a block or counts a choice: a function asks for no more memory than its lines took. */
static bool counters_exist(const struct pgo *p)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].counters > p->functions[i].blocks + p->functions[i].choices)
			return false;
	return true;
}

int pgo_read(struct pgo *pgo, FILE *file, struct fail *why)
{
	struct reading r = {.pgo = pgo};
	char *line = NULL;
	size_t room = 0;
	memset(pgo, 0, sizeof *pgo);
	bool good = getline(&line, &room, file) >= 0 && table_fields(line, r.field, FIELDS) && strcmp(r.field[0], COUNTERS_MAGIC) == 0 &&
		atoi(r.field[1]) == COUNTERS_VERSION;
	while (good && !r.whole && getline(&line, &room, file) >= 0) {
		table_fields(line, r.field, FIELDS);
		good = take(&r);
	}
	free(line);
	if (good && r.whole && pgo->function_count && befores_exist(pgo) && counters_exist(pgo))
		return 0;
	bool none = good && r.whole && !pgo->function_count;
	pgo_free(pgo);
	return fail_set(why, FAIL_INTERNAL, none ? "clang put counters into no function" : "the plugin's list of counters is damaged");
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
