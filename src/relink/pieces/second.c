/* SPDX-License-Identifier: MIT */
/* second.c: between the two steps of a lens that must know of all pieces: what they told is solved, and each is given what it must know
 * (callgraph.h, division.h). */
#include "relink/pieces/pieces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/plan.h"

bool pieces_are_renamed(const struct note *note)
{
	static const char *const words[] = {"-wrap", "-defsym", "-init", "-fini", "-entry", ",-e,", "-e="};

	for (size_t i = 0; i < note->words.count; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (strstr(note->words.at[i], words[k]) || strcmp(note->words.at[i], "-e") == 0)
				return true;
	return false;
}

int pieces_write_file(const char *path, struct blob contents, struct fail *why)
{
	FILE *out = fopen(path, "we");
	int failed = !out || fwrite(contents.at, 1, contents.size, out) != contents.size;

	if ((out && fclose(out) != 0) || failed)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

static void add_renamed(struct callgraph *graph, const char *name)
{
	static const char *const before[] = {"", "__wrap_", "__real_"};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		char *whole = str_format("%s%s", before[i], name);
		callgraph_obscure(graph, whole);
		free(whole);
	}
}

/* Whatever its words name may be what it was told about: --wrap=NAME, -Wl,--wrap,NAME, -Xlinker NAME. */
static void add_words(struct callgraph *graph, const struct note *note)
{
	for (size_t i = 0; i < note->words.count; i++) {
		char *copy = str_copy(note->words.at[i]), *rest = copy;
		for (const char *name; (name = strsep(&rest, ",="));)
			add_renamed(graph, name);
		free(copy);
	}
}

static int add_graphs(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	struct blob file;

	for (size_t i = 0; i < pieces->count; i++) {
		if (blob_read(pieces->at[i].graph, &file, why) < 0)
			return -1;
		callgraph_add(&pieces->graph, (const char *)file.at, file.size);
		blob_free(&file);
	}
	for (size_t i = 0; i < l->member->exported.count; i++)
		callgraph_refer(&pieces->graph, l->member->exported.at[i]);
	return 0;
}

static int divide(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	struct division_how how = {.copies = (uint32_t)strtoul(plan_value(l->ask->plan, PLAN_COPIES), NULL, 10),
	                           .share = plan_value(l->ask->plan, PLAN_SHARE),
	                           .threshold = (uint32_t)strtoul(plan_value(l->ask->plan, PLAN_THRESHOLD), NULL, 10),
	                           .turns = *plan_value(l->ask->plan, PLAN_TURNS)};

	for (size_t i = 0; i < pieces->count; i++)
		if (division_add(&pieces->division, pieces->at[i].graph, why) < 0)
			return -1;
	return division_solve(&pieces->division, &how, why);
}

/* Solves what all pieces tell. */
static int solve(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	if (pieces_are_divided(l))
		return divide(pieces, l, why);
	if (add_graphs(pieces, l, why) < 0)
		return -1;
	callgraph_refer(&pieces->graph, "main"); /* by what the compiler adds to every program */
	if (pieces_are_renamed(&l->member->note))
		add_words(&pieces->graph, &l->member->note);
	callgraph_solve(&pieces->graph, l->member->program, plan_has(l->ask->plan, PLAN_MODE, MODE_GENERAL));
	return 0;
}

static int write_facts(struct pieces *pieces, const struct relink_link *l, size_t number, struct fail *why)
{
	struct piece *p = &pieces->at[number];
	char *text = NULL;
	size_t size;
	FILE *to = mem_or_die(open_memstream(&text, &size));

	if (pieces_are_divided(l))
		division_write(&pieces->division, p->same, (uint32_t)strtoul(plan_value(l->ask->plan, PLAN_COPY), NULL, 10), to);
	else
		callgraph_write(&pieces->graph, number, to);
	fclose(to);
	digest_add(&p->known, text, size);
	p->facts = str_format("%s/piece-%zu.facts", l->stages->at[0], number);
	int failed = pieces_write_file(p->facts, (struct blob){(unsigned char *)text, size}, why);
	free(text);
	return failed;
}

/* A prepared piece is what the second step begins with. */
int pieces_begin_second_step(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	if (solve(pieces, l, why) < 0)
		return -1;
	for (size_t i = 0; i < pieces->count; i++)
		unlink(pieces->at[i].graph);
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		if (write_facts(pieces, l, i, why) < 0)
			return -1;
		unlink(p->bitcode);
		free(p->bitcode);
		p->bitcode = str_format("%s.bitcode", p->object);
		if (p->same == i && rename(p->object, p->bitcode) < 0)
			return fail_set(why, FAIL_INTERNAL, "cannot rename %s: %s", p->object, strerror(errno));
		free(p->object);
		free(p->graph);
		p->object = p->graph = NULL;
		p->is_optimised = true;
	}
	pieces->are_prepared = false;
	return 0;
}
