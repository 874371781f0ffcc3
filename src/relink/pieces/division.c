/* SPDX-License-Identifier: MIT */
/* division.c: the calls of all pieces are put together, then the paths of all functions are shared.
 *
 * Each piece guesses how often its functions are called, by itself: the same guess stands in its shapes, and graphs are made from those, so that
 * the arcs that are chosen here are those that the plugin knows. Only for the sharing are weights multiplied by what the whole program makes
 * of the calls. A function that several pieces have is one: the first. The others, of which the linker drops all, weigh nothing. */
#include "relink/pieces/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/paths.h"
#include "analyse/table.h"
#include "base/memory.h"
#include "pass/shape.h"

struct division_function {
	size_t name;
	bool is_first;         /* of its name */
	bool has_address;      /* which is taken: it may be called from anywhere */
	uint32_t calls, users; /* places that call it; those in other functions */
	uint32_t arcs;         /* of its graph */
};

struct reading {
	struct division *d;
	const struct shape *shape;
	size_t functions; /* met so far */
};

/* ---- what a piece tells ---- */

static size_t name_of(struct reading *in, const char *name)
{
	return scoped_index(&in->d->names, name + 1, *name == '-' ? in->d->pieces : 0);
}

static bool add_routine(struct reading *in, char *f[TABLE_FIELDS])
{
	struct division *d = in->d;
	uint32_t routine;

	if (in->functions == in->shape->function_count || !table_number(f[1], &routine) ||
	    in->shape->functions[in->functions].routine != routine)
		return false;
	MEMORY_GROW(d->functions, d->count, d->room);
	d->functions[d->count++] = (struct division_function){.name = name_of(in, f[2]), .has_address = *f[3] == 'a'};
	in->functions++;
	return true;
}

static bool add_call(struct reading *in, char *f[TABLE_FIELDS])
{
	struct division *d = in->d;
	char *end;
	double times = strtod(f[3], &end);

	if (!in->functions || !*f[3] || *end || !(times >= 0) || times > 1e300)
		return false;
	MEMORY_GROW(d->calls, d->call_count, d->call_room);
	d->calls[d->call_count++] = (struct paths_call){(uint32_t)d->count - 1, (uint32_t)name_of(in, f[2]), times};
	return true;
}

static enum table_line add_line(void *context, char *f[TABLE_FIELDS])
{
	struct reading *in = context;
	bool is_routine = strcmp(f[0], "w") == 0, is_call = strcmp(f[0], "k") == 0;

	if (strcmp(f[0], "end") == 0)
		return in->functions == in->shape->function_count ? TABLE_LINE_LAST : TABLE_LINE_BAD;
	if ((is_routine || is_call) && *f[2] != '-' && *f[2] != '+')
		return TABLE_LINE_BAD;
	return (is_routine && !add_routine(in, f)) || (is_call && !add_call(in, f)) ? TABLE_LINE_BAD : TABLE_LINE_GOOD;
}

int division_add(struct division *d, const char *path, struct fail *why)
{
	static const struct table_form form = {"a list of shapes and calls", SHAPE_MAGIC, SHAPE_VERSION, add_line};

	MEMORY_GROW(d->shapes, d->pieces, d->piece_room);
	if (d->first_room < d->piece_room)
		d->firsts = memory_resize(d->firsts, d->first_room = d->piece_room, sizeof *d->firsts);
	struct shape *shape = &d->shapes[d->pieces];
	if (shape_read(shape, path, why) < 0)
		return -1;
	d->firsts[d->pieces++] = d->count;
	return table_read_lines(path, &form, &(struct reading){.d = d, .shape = shape}, why);
}

/* ---- how often functions are called ---- */

/* From names to functions; calls of what no piece has are dropped, and those of functions that the linker drops. */
static void resolve(struct division *d)
{
	size_t *owner = memory_zeroed(d->names.count + 1, sizeof *owner), kept = 0; /* 1 + the number */

	for (size_t i = 0; i < d->count; i++) {
		size_t *mine = &owner[d->functions[i].name];
		d->functions[i].is_first = !*mine;
		*mine = *mine ? *mine : i + 1;
		d->functions[*mine - 1].has_address |= d->functions[i].has_address;
	}
	for (size_t i = 0; i < d->call_count; i++) {
		struct paths_call call = d->calls[i];
		if (!owner[call.callee] || !d->functions[call.caller].is_first)
			continue;
		call.callee = (uint32_t)(owner[call.callee] - 1);
		d->functions[call.callee].calls++;
		d->functions[call.callee].users += call.caller != call.callee;
		d->calls[kept++] = call;
	}
	d->call_count = kept;
	free(owner);
}

/* What nothing calls that is known is called from elsewhere: main, what a library is for, what other objects use. */
static double *guess_calls(const struct division *d)
{
	double *entries = memory_zeroed(d->count + 1, sizeof *entries);

	for (size_t i = 0; i < d->count; i++)
		entries[i] = d->functions[i].is_first && (d->functions[i].has_address || !d->functions[i].users);
	paths_guess_calls(entries, (uint32_t)d->count, d->calls, (uint32_t)d->call_count);
	return entries;
}

/* ---- sharing ---- */

/* A power of two, so that it changes no proportion, and stays as it is when another function changes a little. */
static double factor_of(double calls, double guessed)
{
	int exponent;

	if (!(calls > 0 && guessed > 0))
		return 0;
	double part = frexp(calls / guessed, &exponent); /* from 1/2 to 1 */
	return ldexp(1, part * part > 0.5 ? exponent : exponent - 1);
}

static enum paths_status weigh(struct division *d, const double *entries, struct paths_graph *graphs, struct paths_function *functions)
{
	enum paths_status status = PATHS_OK;

	for (size_t piece = 0, n = 0; piece < d->pieces; piece++) {
		const struct shape *shape = &d->shapes[piece];
		for (size_t i = 0; i < shape->function_count && status == PATHS_OK; i++, n++) {
			struct paths_body body = shape_body(shape, &shape->functions[i]);
			double *weights, factor = factor_of(entries[n], body.passed[body.edges]);
			status = paths_body_graph(&body, &graphs[n], &weights, &d->memory);
			for (uint32_t a = 0; status == PATHS_OK && a < graphs[n].arcs; a++)
				weights[a] *= factor;
			struct division_function *f = &d->functions[n];
			f->arcs = graphs[n].arcs;
			functions[n] = (struct paths_function){&graphs[n], weights, f->calls <= 1 && !f->has_address};
		}
	}
	return status;
}

static enum paths_status share_out(struct division *d, const struct paths_function *functions, const struct division_how *how)
{
	bool is_whole = how->share && strcmp(how->share, "pbl") == 0, is_p3 = how->share && strcmp(how->share, "p3") == 0;

	if (is_whole || is_p3)
		return paths_share_p3(&d->share, functions, (uint32_t)d->count,
		                      &(struct paths_p3){.copies = how->copies, .threshold = how->threshold, .whole = is_whole},
		                      &d->memory);
	uint32_t *home = memory_zeroed(d->count + 1, sizeof *home);
	for (size_t piece = 0, n = 0; piece < d->pieces; piece++)
		for (size_t i = 0; i < d->shapes[piece].function_count; i++)
			home[n++] = (uint32_t)(piece % how->copies);
	enum paths_status status =
		paths_share_best(&d->share, functions, (uint32_t)d->count,
	                         &(struct paths_best){.copies = how->copies, .turns = how->turns, .home = home}, &d->memory);
	free(home);
	return status;
}

int division_solve(struct division *d, const struct division_how *how, struct fail *why)
{
	struct paths_graph *graphs = memory_zeroed(d->count + 1, sizeof *graphs);
	struct paths_function *functions = memory_zeroed(d->count + 1, sizeof *functions);

	resolve(d);
	double *entries = guess_calls(d);
	paths_memory_start(&d->memory);
	enum paths_status status = weigh(d, entries, graphs, functions);
	if (status == PATHS_OK)
		status = share_out(d, functions, how);
	free(entries);
	free(functions);
	free(graphs);
	if (status != PATHS_OK)
		return fail_set(why, FAIL_INTERNAL, "the paths cannot be divided among %u copies (%d)", how->copies, (int)status);
	return 0;
}

/* ---- what it came to ---- */

static const uint8_t *chosen_of(const struct division *d, size_t function, uint32_t copy)
{
	return d->share.chosen[(size_t)copy * d->share.functions + function];
}

static void write_chosen(const struct division *d, size_t function, const uint8_t *chosen, FILE *to)
{
	uint32_t arcs = d->functions[function].arcs;

	if (!memchr(chosen, 0, arcs)) {
		fputs("*\n", to);
		return;
	}
	for (uint32_t a = 0; a < arcs; a += 4) {
		unsigned digit = 0;
		for (uint32_t k = 0; k < 4 && a + k < arcs; k++)
			digit |= (unsigned)chosen[a + k] << k;
		fprintf(to, "%x", digit);
	}
	fputc('\n', to);
}

void division_write(const struct division *d, size_t piece, uint32_t copy, FILE *to)
{
	const struct shape *shape = &d->shapes[piece];

	for (size_t i = 0; i < shape->function_count; i++) {
		size_t function = d->firsts[piece] + i;
		const uint8_t *chosen = chosen_of(d, function, copy);
		if (!chosen)
			continue;
		fprintf(to, "%u\t%c\t", shape->functions[i].routine, d->share.by_turns && d->share.by_turns[function] ? 't' : '-');
		write_chosen(d, function, chosen, to);
	}
}

void division_write_parts(const struct division *d, size_t piece, size_t function, FILE *to)
{
	size_t number = d->firsts[piece] + function;

	for (uint32_t copy = 0; copy < d->share.copies; copy++) {
		const uint8_t *chosen = chosen_of(d, number, copy);
		if (!chosen)
			continue;
		fprintf(to, "c\t%u\t", copy);
		write_chosen(d, number, chosen, to);
	}
}

void division_free(struct division *d)
{
	for (size_t i = 0; i < d->pieces; i++)
		shape_free(&d->shapes[i]);
	free(d->shapes);
	free(d->firsts);
	free(d->functions);
	free(d->calls);
	scoped_free(&d->names);
	if (d->memory.context)
		paths_memory_free(&d->memory);
	*d = (struct division){0};
}
