/* SPDX-License-Identifier: MIT */
#include "relink/pieces/pieces.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyse/table.h"
#include "base/folder.h"
#include "base/spawn.h"
#include "build/archive.h"
#include "build/args.h"
#include "build/command.h"
#include "build/compile.h"
#include "build/elf64.h"
#include "build/plan.h"
#include "build/recipe.h"
#include "keys/lenses.h"
#include "keys/piece.h"
#include "pass/shape.h"
#include "relink/pieces/optimised.h"

bool pieces_fit(const struct bitcode *found)
{
	return !found->parallel && found->replaced.count == 0;
}

bool pieces_are_counted(const struct relink_link *l)
{
	return plan_has(l->ask->plan, PLAN_MODE, MODE_COUNTS);
}

bool pieces_are_divided(const struct relink_link *l)
{
	return plan_has(l->ask->plan, PLAN_COPIES, NULL);
}

bool pieces_tell_paths(const struct pieces *pieces, const struct relink_link *l)
{
	return pieces->are_prepared && pieces->are_two_steps && pieces_are_divided(l);
}

bool pieces_is_ready(const struct pieces *pieces, const struct piece *p)
{
	return pieces->are_prepared && p->is_optimised && !pieces->are_two_steps;
}

bool pieces_ask_others(const struct relink_link *l)
{
	return pieces_are_counted(l) || pieces_ask(l, LENS_ASKS_OTHERS | LENS_ASKS_RETURNS);
}

/* What some of these words ask for is decided with a view to the whole program. */
static bool can_finish(const struct relink_link *l)
{
	static const enum plan_key whole[] = {PLAN_WEIGHTS, PLAN_ONLYPATHS, PLAN_EDGES, PLAN_UNDER, PLAN_WHATIF};
	bool can = pieces_ask(l, LENS_TAKES_PIECES) && !l->copies;

	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		can = can && !plan_has(l->ask->plan, whole[i], NULL);
	if (pieces_ask(l, LENS_ASKS_GRAPH) || pieces_are_counted(l)) /* what others know of a function holds if it is profiled */
		can = can && !plan_has(l->ask->plan, PLAN_ONLY, NULL) && !plan_has(l->ask->plan, PLAN_SKIP, NULL);
	return can;
}

/* One object that takes longer than all others together would keep one core busy: its code is generated in parts. */
static bool are_one_sided(const struct pieces *pieces)
{
	enum { LARGE_BYTES = 1 << 20 };
	size_t all = 0, largest = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		all += pieces->at[i].bytes;
		largest = pieces->at[i].bytes > largest ? pieces->at[i].bytes : largest;
	}
	return spawn_cores() > 1 && largest >= LARGE_BYTES && largest > all / 4 * 3;
}

/* ---- which there are ---- */

/* Options that decide what becomes of bitcode. What a front end or an instrumenting pass reads has had its effect. */
static bool is_for_code(const char *word)
{
	static const char *const starts[] = {"-O",
	                                     "-m",
	                                     "-fPIC",
	                                     "-fpic",
	                                     "-fPIE",
	                                     "-fpie",
	                                     "-fno-PIC",
	                                     "-fno-pic",
	                                     "-fno-PIE",
	                                     "-fno-pie",
	                                     "-ffunction-sections",
	                                     "-fno-function-sections",
	                                     "-fdata-sections",
	                                     "-fno-data-sections",
	                                     "-fno-unique-section-names",
	                                     "-ftls-model",
	                                     "-femulated-tls",
	                                     "-ffp-contract",
	                                     "-ffast-math",
	                                     "-fvectorize",
	                                     "-fno-vectorize",
	                                     "-fslp-vectorize",
	                                     "-fno-slp-vectorize",
	                                     "-ftree-vectorize",
	                                     "-fno-tree-vectorize",
	                                     "-ftree-slp-vectorize",
	                                     "-fno-tree-slp-vectorize",
	                                     "-fveclib=",
	                                     "-fno-zero-initialized-in-bss",
	                                     "-fno-unroll-loops",
	                                     "-funroll-loops",
	                                     "-fno-inline",
	                                     "-finline-",
	                                     "-fno-plt",
	                                     "-fno-integrated-as",
	                                     "--target="};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (str_starts(word, starts[i]))
			return true;
	return false;
}

static void read_command(struct blob object, struct strv *words)
{
	struct blob section;
	struct command command = {0};
	size_t at = 0;

	if (elf64_section(object, COMMAND_SECTION, &section) && command_next(section, &at, &command)) {
		for (size_t i = 1; i < command.words.count; i++) {
			const char *word = command.words.at[i];
			bool keep = is_for_code(word), pair = args_takes_value(word) && i + 1 < command.words.count;
			if (keep)
				strv_add(words, word);
			i += pair;
			if (keep && pair)
				strv_add(words, command.words.at[i]);
		}
	} else { /* the source came from a pipe */
		bool known = elf64_section(object, COMPILE_MARK, &section) && section.size == 1;
		strv_addf(words, "-O%c", known ? section.at[0] : '2');
		strv_add(words, "-fPIC");
	}
	command_free(&command);
}

static void see_symbol(void *context, const struct elf64_symbol *symbol)
{
	struct pieces *pieces = context;
	struct strv *list = symbol->is_defined ? &pieces->defined : &pieces->at[pieces->count - 1].undefined;

	pieces->has_resolvers |= symbol->is_resolved;
	if (!symbol->is_local && (symbol->is_function || !symbol->is_defined))
		strv_add(list, symbol->name);
}

/* Of an object that is no piece: what it calls has no site there, and what it has may take the place of a piece's. */
static void see_native(void *graph, const struct elf64_symbol *symbol)
{
	if (symbol->is_local)
		return;
	if (symbol->is_defined)
		callgraph_replace(graph, symbol->name);
	else
		callgraph_refer(graph, symbol->name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Pieces of two copies are the same if they are told the same. */
static bool is_known_by_facts(const char *word)
{
	return plan_is(word, PLAN_COPY);
}

static bool is_for_division(const char *word)
{
	return plan_is(word, PLAN_COPIES) || plan_is(word, PLAN_SHARE) || plan_is(word, PLAN_THRESHOLD) || plan_is(word, PLAN_TURNS);
}

/* Other objects matter as far as they define what this one calls. */
static void make_keys(const struct pieces *pieces, const struct relink_link *l, struct piece *p)
{
	struct digest sum = p->contents;

	for (size_t i = 0; i < p->command.count; i++)
		digest_text(&sum, p->command.at[i]);
	digest_hex(&sum, p->id);
	struct digest shared = sum;
	digest_add(&shared, l->plugin, sizeof *l->plugin);
	digest_hex(&shared, p->shared);
	digest_text(&sum, p->is_optimised ? "optimised" : "");
	char *left = crashes_lines(l->crashes, p->name);
	if (left)
		digest_text(&sum, left);
	free(left);
	if (pieces->are_for_lto) { /* for any lens */
		digest_text(&sum, "lto");
		digest_add(&sum, l->plugin, sizeof *l->plugin);
		digest_hex(&sum, p->key);
		return;
	}
	digest_text(&sum, l->ask->lens);
	digest_add(&sum, l->tools, sizeof *l->tools);
	if (pieces->are_prepared && !pieces_tell_paths(pieces, l)) {
		digest_text(&sum, plan_has(l->ask->plan, PLAN_INLINED, NULL) ? "inlined" : ""); /* what else is planned comes later */
		digest_hex(&sum, p->key);
		return;
	}
	for (size_t i = 0; pieces_ask_others(l) && i < p->undefined.count; i++)
		if (bsearch(&p->undefined.at[i], pieces->defined.at, pieces->defined.count, sizeof *pieces->defined.at, by_text))
			digest_text(&sum, p->undefined.at[i]);
	digest_text(&sum, l->member->program ? "program" : "library");
	if (p->facts)
		digest_add(&sum, &p->known, sizeof p->known);
	digest_text(&sum, pieces->graph.call_count > PLAN_MANY_SITES ? "many" : "");
	for (const char *const *word = l->ask->plan; word && *word; word++)
		if (!is_known_by_facts(*word) && !(pieces->are_prepared && is_for_division(*word)))
			digest_text(&sum, *word);
	digest_text(&sum, pieces->are_prepared ? "told" : "");
	digest_hex(&sum, p->key);
}

/* What a compile of its own made for link-time optimisation is optimised as far as that wants it. */
static bool find_own(struct blob object, struct blob *bitcode, bool *is_optimised)
{
	*is_optimised = elf64_section(object, COMPILE_OWN, bitcode);
	return *is_optimised || elf64_section(object, COMPILE_RAW, bitcode);
}

static bool find_bitcode(struct pieces *pieces, const struct relink_link *l, struct blob object, struct blob *bitcode, bool *is_optimised)
{
	if (elf64_type(object) != ET_REL)
		return false;
	bool is_own = find_own(object, bitcode, is_optimised);
	if (!is_own)
		*is_optimised = !(lens_traits(l->ask->lens) & LENS_KEEPS_CALLS) && elf64_section(object, COMPILE_OPTIMISED, bitcode);
	if ((!is_own && !*is_optimised && !elf64_section(object, COMPILE_BITCODE, bitcode)) || bitcode_modules(*bitcode) != 1)
		return false;
	pieces->are_for_lto |= is_own;
	return true;
}

/* A piece, if the object has bitcode; 1: it has none, and is linked as it is. */
static int add_piece(struct pieces *pieces, const struct relink_link *l, size_t input, const char *name, struct blob object,
                     struct fail *why)
{
	struct blob bitcode, returns;
	bool is_optimised;

	if (!find_bitcode(pieces, l, object, &bitcode, &is_optimised)) {
		if (pieces_ask(l, LENS_ASKS_GRAPH))
			elf64_symbols(object, see_native, &pieces->graph);
		if (pieces_are_counted(l))
			certain_add_native(&pieces->certain, object);
		return 1;
	}
	MEMORY_GROW(pieces->at, pieces->count, pieces->room);
	size_t number = pieces->count++;
	struct piece *p = &pieces->at[number];
	*p = (struct piece){.name = str_copy(name), .bytes = bitcode.size, .is_optimised = is_optimised, .input = input};
	digest_add(&p->contents, bitcode.at, bitcode.size);
	read_command(object, &p->command);
	elf64_symbols(object, see_symbol, pieces);
	if (pieces_are_counted(l))
		certain_add_piece(&pieces->certain, object);
	if (pieces_ask(l, LENS_ASKS_RETURNS) && elf64_section(object, COMPILE_RETURNS, &returns))
		returns_add(&pieces->returns, (const char *)returns.at, returns.size);
	p->bitcode = str_format("%s/piece-%zu.bitcode", l->stages->at[0], number); /* .bc would be a source for clang */
	return pieces_write_file(p->bitcode, bitcode, why);
}

/* Of those that are defined. */
static void keep_returning(struct pieces *pieces, const struct relink_link *l)
{
	struct strv names = {0};

	for (size_t i = 0; i < pieces->defined.count; i++)
		returns_define(&pieces->returns, pieces->defined.at[i]);
	returns_solve(&pieces->returns, l->member->program, &names);
	strv_free(&pieces->defined);
	pieces->defined = names;
}

static int write_defined(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	if (pieces_ask(l, LENS_ASKS_RETURNS))
		keep_returning(pieces, l);
	if (pieces->defined.count)
		qsort(pieces->defined.at, pieces->defined.count, sizeof *pieces->defined.at, by_text);
	if (pieces_are_counted(l) && pieces_are_renamed(&l->member->note))
		strv_free(&pieces->defined);
	if (pieces_are_counted(l))
		certain_keep(&pieces->certain, &pieces->defined);
	pieces->defined_path = str_format("%s/defined", l->stages->at[0]);
	FILE *to = fopen(pieces->defined_path, "we");
	if (to)
		fputs(l->member->program ? "program\n" : "library\n", to);
	for (size_t i = 0; to && i < pieces->defined.count; i++)
		fprintf(to, "%s\n", pieces->defined.at[i]);
	return to && fclose(to) == 0 ? 0 : fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", pieces->defined_path, strerror(errno));
}

/* Once all are known. */
static void identify(struct pieces *pieces, const struct relink_link *l)
{
	for (size_t number = 0; number < pieces->count; number++) {
		struct piece *p = &pieces->at[number];
		make_keys(pieces, l, p);
		if (pieces_is_ready(pieces, p)) {
			p->same = number;
			p->object = str_copy(p->bitcode);
			continue;
		}
		for (p->same = 0; strcmp(pieces->at[p->same].key, p->key) != 0;)
			p->same++;
		p->object = str_format("%s/piece-%zu.o", l->stages->at[0], p->same);
		if (!pieces->are_prepared)
			p->table = str_format("%s/piece-%zu.table", l->stages->at[0], p->same);
		if (!pieces->are_prepared && pieces_ask(l, LENS_WRITES_SHAPES))
			p->shape = str_format("%s/piece-%zu.shape", l->stages->at[0], p->same);
		if (pieces->are_prepared && pieces->are_two_steps)
			p->graph = str_format("%s/piece-%zu.graph", l->stages->at[0], p->same);
	}
}

static int add_archive(struct pieces *pieces, const struct relink_link *l, size_t input, struct blob file, struct fail *why)
{
	const char *path = l->member->note.inputs[input].path;
	struct archive ar;
	struct archive_member member;
	int failed = 0;

	for (archive_open(&ar, file, path); failed >= 0 && archive_next(&ar, &member);) {
		char *name = str_format("%s(%s)", path, member.name);
		failed = add_piece(pieces, l, input, name, member.contents, why);
		free(name);
	}
	archive_close(&ar);
	return failed;
}

static int collect(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	const struct note *note = &l->member->note;
	int failed = 0;

	for (size_t i = 0; i < note->inputs_count && failed >= 0; i++) {
		const struct note_input *input = &note->inputs[i];
		struct blob file;
		if (input->kind != 'o' && input->kind != 'a')
			continue;
		if (blob_read(input->path, &file, why) < 0)
			return -1;
		failed = input->kind == 'a' ? add_archive(pieces, l, i, file, why) : add_piece(pieces, l, i, input->path, file, why);
		blob_free(&file);
	}
	return failed < 0 ? -1 : 0;
}

/* ---- what the link needs ---- */

static size_t counted_sites(const struct table *table)
{
	size_t rows = 0;

	for (size_t i = 0; i < table->site_count; i++)
		rows += (table->sites[i].flags & TABLE_COUNTED) != 0;
	return rows;
}

/* Rows of counters, by the last line of its shape. */
static size_t rows_of(const struct piece *p)
{
	struct strv lines = {0};
	size_t rows = 0;

	if (p->shape)
		strv_read(&lines, p->shape);
	if (lines.count)
		sscanf(lines.at[lines.count - 1], "end\t%*u\t%zu", &rows);
	strv_free(&lines);
	return rows;
}

/* 1 + the number of the site at which the program starts; 0: the piece does not have it. */
static size_t root_of(const struct table *table, size_t first)
{
	for (size_t i = 0; i < table->site_count; i++)
		if (table->sites[i].flags & TABLE_START)
			return first + i + 1;
	return 0;
}

/* total: routines, rows, and the root. */
static int number(struct pieces *pieces, const struct relink_link *l, size_t total[3], struct fail *why)
{
	bool is_row_a_site = pieces_ask(l, LENS_ASKS_GRAPH);

	total[0] = total[1] = total[2] = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		struct table table;
		if (p->same != i)
			continue;
		if (table_read(&table, p->table, why) < 0)
			return -1;
		p->first = total[0];
		p->first_row = total[1];
		total[0] += table.routine_count;
		total[1] += is_row_a_site ? table.site_count : pieces_are_counted(l) ? counted_sites(&table) : rows_of(p);
		total[2] = total[2] ? total[2] : root_of(&table, p->first_row);
		table_free(&table);
		strv_addf(&pieces->words, "--defsym=" PIECE_FIRST "%s=%zu", p->id, p->first);
		strv_addf(&pieces->words, "--defsym=" PIECE_ROWS "%s=%zu", p->id, p->first_row);
		strv_addf(&pieces->words, "--defsym=" PIECE_BYTES "%s=%zu", p->id, p->first_row * lens_row_words(l->ask->lens) * 8);
		if (pieces_are_divided(l))
			strv_addf(&pieces->words, "--defsym=" PIECE_COPY "%s=%s", p->id, plan_value(l->ask->plan, PLAN_COPY));
	}
	return 0;
}

/* An archive like the input, with finished members; lld wants no index. */
static int put_archive(const struct pieces *pieces, size_t *at, size_t input, const char *path, const char *copy, struct fail *why)
{
	struct archive ar;
	struct archive_member member;
	struct blob file;
	int failed = 0;

	if (blob_read(path, &file, why) < 0)
		return -1;
	FILE *to = fopen(copy, "we");
	if (to)
		fputs("!<arch>\n", to);
	for (archive_open(&ar, file, path); to && !failed && archive_next(&ar, &member);) {
		char *name = str_format("%s(%s)", path, member.name);
		const struct piece *p = *at < pieces->count ? &pieces->at[*at] : NULL;
		bool is_piece = p && p->input == input && strcmp(p->name, name) == 0;
		struct blob finished = {0};
		failed = is_piece ? blob_read(p->object, &finished, why) : 0;
		if (!failed)
			archive_write(to, is_piece ? finished : member.contents);
		*at += is_piece;
		blob_free(&finished);
		free(name);
	}
	archive_close(&ar);
	blob_free(&file);
	if ((!to || fclose(to) != 0) && !failed)
		failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", copy, strerror(errno));
	return failed;
}

/* Pieces are in the order of the inputs. */
static int replace_inputs(const struct pieces *pieces, const struct relink_link *l, struct bitcode *found, struct fail *why)
{
	const struct note *note = &l->member->note;
	int failed = 0;

	for (size_t at = 0; at < pieces->count && !failed;) {
		size_t input = pieces->at[at].input;
		const char *path = note->inputs[input].path;
		strv_add(&found->replaced, path);
		if (note->inputs[input].kind == 'a') {
			strv_addf(&found->replaced, "%s/input-%zu.a", l->stages->at[0], input);
			failed = put_archive(pieces, &at, input, path, found->replaced.at[found->replaced.count - 1], why);
		} else {
			strv_add(&found->replaced, pieces->at[at++].object);
		}
	}
	return failed;
}

int pieces_finish(struct pieces *pieces, const struct relink_link *l, struct bitcode *found, struct fail *why)
{
	size_t total[3];

	if (collect(pieces, l, why) < 0 || write_defined(pieces, l, why) < 0)
		return -1;
	bool is_whole = pieces->count && (pieces->are_for_lto || !can_finish(l) || are_one_sided(pieces));
	if (!is_whole && pieces->has_resolvers)
		return fail_set(why, FAIL_INTERNAL, "it has indirect functions, whose resolvers and their callees must not be profiled");
	pieces->are_two_steps = !is_whole && (pieces_ask(l, LENS_ASKS_GRAPH) || pieces_are_divided(l));
	pieces->are_prepared = is_whole || pieces->are_two_steps;
	identify(pieces, l);
	if (pieces_finish_missing(pieces, l, why) < 0)
		return -1;
	if (is_whole)
		return replace_inputs(pieces, l, found, why);
	if (pieces->are_two_steps) {
		if (pieces_begin_second_step(pieces, l, why) < 0)
			return -1;
		identify(pieces, l);
		if (pieces_finish_missing(pieces, l, why) < 0)
			return -1;
	}
	for (size_t i = 0; l->ask->parts && i < pieces->count; i++)
		if (pieces->at[i].same == i)
			strv_add(l->ask->parts, pieces->at[i].key);
	if (number(pieces, l, total, why) < 0 || pieces_finish_hooks(pieces, l, total, why) < 0)
		return -1;
	return replace_inputs(pieces, l, found, why);
}

void pieces_free(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		unlink(p->bitcode);
		if (p->object)
			pieces_drop_files(p);
		free(p->name);
		free(p->bitcode);
		free(p->object);
		free(p->table);
		free(p->shape);
		if (p->facts)
			unlink(p->facts);
		free(p->graph);
		free(p->facts);
		strv_free(&p->command);
		strv_free(&p->undefined);
	}
	if (pieces->defined_path)
		unlink(pieces->defined_path);
	if (pieces->hooks)
		unlink(pieces->hooks);
	free(pieces->at);
	free(pieces->hooks);
	free(pieces->defined_path);
	returns_free(&pieces->returns);
	callgraph_free(&pieces->graph);
	division_free(&pieces->division);
	strv_free(&pieces->defined);
	certain_free(&pieces->certain);
	strv_free(&pieces->words);
	*pieces = (struct pieces){0};
}
