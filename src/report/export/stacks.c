/* SPDX-License-Identifier: MIT */
#include "report/export/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void stacks_start(struct stacks *s, const struct run *run)
{
	*s = (struct stacks){.run = run};
}

void stacks_free(struct stacks *s)
{
	free(s->functions);
	free(s->nodes);
	free(s->samples);
	free(s->values);
	for (size_t i = 0; i < s->arc_count; i++)
		free((void *)(uintptr_t)s->arcs[i].values);
	free(s->arcs);
	lookup_free(&s->function_index);
	lookup_free(&s->node_index);
	lookup_free(&s->sample_index);
	pool_free(&s->pool);
}

void stacks_type(struct stacks *s, const char *name, const char *unit)
{
	if (s->type_count == STACKS_TYPES)
		return;
	s->types[s->type_count].name = name;
	s->types[s->type_count++].unit = unit;
}

void stacks_remark(struct stacks *s, const char *text)
{
	if (s->remark_count < STACKS_REMARKS)
		s->remarks[s->remark_count++] = text;
}

/* ---- functions ---- */

static bool same_function(const void *functions, size_t number, const void *what)
{
	const struct stacks_function *a = (const struct stacks_function *)functions + number, *b = what;
	return a->line == b->line && a->object == b->object && strcmp(a->name, b->name) == 0 && strcmp(a->linkage, b->linkage) == 0 &&
		strcmp(a->file, b->file) == 0;
}

uint32_t stacks_function(struct stacks *s, const struct stacks_function *f)
{
	uint64_t hash = hash_text(hash_text(hash_text(hash_number(HASH_START, f->object), f->name), f->linkage), f->file);
	size_t *place = lookup_at(&s->function_index, hash_number(hash, f->line), same_function, s->functions, f);
	if (!*place) {
		MEMORY_GROW(s->functions, s->function_count, s->function_room);
		s->functions[s->function_count++] = *f;
		*place = s->function_count;
	}
	return (uint32_t)*place - 1;
}

uint32_t stacks_routine(struct stacks *s, uint32_t routine)
{
	const struct run_routine *r = &s->run->routines[routine];
	return stacks_function(s, &(struct stacks_function){r->name, r->linkage, r->file, r->line, r->object});
}

/* ---- nodes ---- */

static bool same_node(const void *nodes, size_t number, const void *what)
{
	const struct stacks_node *a = (const struct stacks_node *)nodes + number, *b = what;
	return a->parent == b->parent && a->function == b->function && a->line == b->line;
}

uint32_t stacks_call(struct stacks *s, uint32_t parent, uint32_t function, uint32_t line)
{
	struct stacks_node node = {parent, function, line};
	uint64_t hash = hash_number(hash_number(hash_number(HASH_START, parent), function), line);
	size_t *place = lookup_at(&s->node_index, hash, same_node, s->nodes, &node);
	if (!*place) {
		MEMORY_GROW(s->nodes, s->node_count, s->node_room);
		s->nodes[s->node_count++] = node;
		*place = s->node_count;
	}
	return (uint32_t)*place - 1;
}

/* ---- samples ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_sample(const void *samples, size_t number, const void *what)
{
	const struct stacks_sample *a = (const struct stacks_sample *)samples + number, *b = what;
	return a->node == b->node && a->thread == b->thread && same_text(a->wait, b->wait) && same_text(a->object, b->object);
}

static bool is_nothing(const struct stacks *s, const int64_t *values)
{
	for (size_t t = 0; t < s->type_count; t++)
		if (values[t])
			return false;
	return true;
}

void stacks_add(struct stacks *s, const struct stacks_sample *sample, const int64_t *values)
{
	if (is_nothing(s, values))
		return;
	uint64_t hash = hash_text(hash_number(hash_number(HASH_START, sample->node), sample->thread), sample->wait ? sample->wait : "");
	size_t *place = lookup_at(&s->sample_index, hash_text(hash, sample->object ? sample->object : ""), same_sample, s->samples, sample);
	if (!*place) {
		if (s->sample_count == s->sample_room) {
			MEMORY_GROW(s->samples, s->sample_count, s->sample_room);
			s->values = memory_resize(s->values, s->sample_room * s->type_count, sizeof *s->values);
		}
		memset(&s->values[s->sample_count * s->type_count], 0, s->type_count * sizeof *s->values);
		s->samples[s->sample_count++] = *sample;
		*place = s->sample_count;
	}
	int64_t *to = &s->values[(*place - 1) * s->type_count];
	for (size_t t = 0; t < s->type_count; t++)
		to[t] = stacks_sum(to[t], values[t]);
}

int64_t stacks_sum(int64_t a, int64_t b)
{
	int64_t sum;
	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a < 0 ? INT64_MIN : INT64_MAX;
}

int64_t stacks_value(const struct stacks *s, size_t sample, size_t type)
{
	return s->values[sample * s->type_count + type];
}

void stacks_arc(struct stacks *s, const struct stacks_arc *arc)
{
	int64_t *values = memory_resize(NULL, s->type_count, sizeof *values);
	memcpy(values, arc->values, s->type_count * sizeof *values);
	MEMORY_GROW(s->arcs, s->arc_count, s->arc_room);
	s->arcs[s->arc_count] = *arc;
	s->arcs[s->arc_count++].values = values;
}

const char *stacks_thread(struct stacks *s, uint32_t thread)
{
	if (thread == STACKS_NOWHERE || thread >= s->run->thread_count)
		return NULL;
	const char *name = s->run->threads[thread].name;
	return pool_print(&s->pool, "%s%sthread %u", name, *name ? ", " : "", thread);
}
