/* SPDX-License-Identifier: MIT */
#include "relink/pieces.h"

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
#include "relink/optimised.h"

bool pieces_fit(const struct bitcode *found)
{
	return !found->parallel && found->replaced.count == 0;
}

/* What some of these words ask for is decided with a view to the whole program. */
static bool can_finish(const struct relink_link *l)
{
	static const enum plan_key whole[] = {PLAN_COPIES, PLAN_WEIGHTS, PLAN_ONLYPATHS, PLAN_EDGES};
	bool can = lens_traits(l->ask->lens) & LENS_TAKES_PIECES && !plan_has(l->ask->plan, PLAN_MODE, MODE_COUNTS) && !l->copies;

	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		can = can && !plan_has(l->ask->plan, whole[i], NULL);
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

static bool asks_for_returns(const struct relink_link *l)
{
	return lens_traits(l->ask->lens) & LENS_ASKS_RETURNS;
}

static bool asks_for_others(const struct relink_link *l)
{
	return lens_traits(l->ask->lens) & LENS_ASKS_OTHERS || asks_for_returns(l);
}

static void see_symbol(void *context, const struct elf64_symbol *symbol)
{
	struct pieces *pieces = context;
	struct strv *list = symbol->is_defined ? &pieces->defined : &pieces->at[pieces->count - 1].undefined;

	pieces->has_resolvers |= symbol->is_resolved;
	if (!symbol->is_local && (symbol->is_function || !symbol->is_defined))
		strv_add(list, symbol->name);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
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
	digest_text(&sum, l->ask->lens);
	digest_add(&sum, l->tools, sizeof *l->tools);
	if (pieces->are_prepared) {
		digest_text(&sum, plan_has(l->ask->plan, PLAN_INLINED, NULL) ? "inlined" : ""); /* what else is planned comes later */
		digest_hex(&sum, p->key);
		return;
	}
	for (size_t i = 0; asks_for_others(l) && i < p->undefined.count; i++)
		if (bsearch(&p->undefined.at[i], pieces->defined.at, pieces->defined.count, sizeof *pieces->defined.at, by_text))
			digest_text(&sum, p->undefined.at[i]);
	digest_text(&sum, l->member->program ? "program" : "library");
	for (const char *const *word = l->ask->plan; word && *word; word++)
		digest_text(&sum, *word);
	digest_hex(&sum, p->key);
}

static int write_file(const char *path, struct blob contents, struct fail *why)
{
	FILE *out = fopen(path, "we");
	int failed = !out || fwrite(contents.at, 1, contents.size, out) != contents.size;

	if ((out && fclose(out) != 0) || failed)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

static bool find_bitcode(struct blob object, const struct relink_link *l, struct blob *bitcode, bool *is_optimised)
{
	if (elf64_type(object) != ET_REL)
		return false;
	*is_optimised = !(lens_traits(l->ask->lens) & LENS_KEEPS_CALLS) && elf64_section(object, COMPILE_OPTIMISED, bitcode);
	return (*is_optimised || elf64_section(object, COMPILE_BITCODE, bitcode)) && bitcode_modules(*bitcode) == 1;
}

/* A piece, if the object has bitcode; 1: it has none, and is linked as it is. */
static int add_piece(struct pieces *pieces, const struct relink_link *l, size_t input, const char *name, struct blob object,
                     struct fail *why)
{
	struct blob bitcode, returns;
	bool is_optimised;

	if (!find_bitcode(object, l, &bitcode, &is_optimised))
		return 1;
	MEMORY_GROW(pieces->at, pieces->count, pieces->room);
	size_t number = pieces->count++;
	struct piece *p = &pieces->at[number];
	*p = (struct piece){.name = str_copy(name), .bytes = bitcode.size, .is_optimised = is_optimised, .input = input};
	digest_add(&p->contents, bitcode.at, bitcode.size);
	read_command(object, &p->command);
	elf64_symbols(object, see_symbol, pieces);
	if (asks_for_returns(l) && elf64_section(object, COMPILE_RETURNS, &returns))
		returns_add(&pieces->returns, (const char *)returns.at, returns.size);
	p->bitcode = str_format("%s/piece-%zu.bitcode", l->stages->at[0], number); /* .bc would be a source for clang */
	return write_file(p->bitcode, bitcode, why);
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
	if (asks_for_returns(l))
		keep_returning(pieces, l);
	if (pieces->defined.count)
		qsort(pieces->defined.at, pieces->defined.count, sizeof *pieces->defined.at, by_text);
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
		if (pieces->are_prepared && p->is_optimised) { /* nothing is left to do */
			p->same = number;
			p->object = str_copy(p->bitcode);
			continue;
		}
		for (p->same = 0; strcmp(pieces->at[p->same].key, p->key) != 0;)
			p->same++;
		p->object = str_format("%s/piece-%zu.o", l->stages->at[0], p->same);
		if (!pieces->are_prepared)
			p->table = str_format("%s/piece-%zu.table", l->stages->at[0], p->same);
		if (!pieces->are_prepared && lens_traits(l->ask->lens) & LENS_WRITES_SHAPES)
			p->shape = str_format("%s/piece-%zu.shape", l->stages->at[0], p->same);
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

/* ---- finishing ---- */

struct job {
	struct piece *piece; /* NULL: free */
	struct spawn spawn;
	struct strv command, environment;
	char *stage;
};

static void add_compile(const struct relink_link *l, const struct strv *words, const char *from, const char *to, struct strv *command)
{
	strv_add(command, "clang-19");
	strv_add_all(command, words);
	strv_add(command, "-w");
	strv_add(command, "-Qunused-arguments");
	strv_addf(command, "-fpass-plugin=%s/libskein-pass.so", l->libdir);
	strv_add(command, "-x");
	strv_add(command, "ir");
	strv_add(command, from);
	strv_add(command, "-c");
	strv_add(command, "-o");
	strv_add(command, to);
}

static void add_environment(const struct relink_link *l, struct strv *plan, struct strv *environment)
{
	struct strv variables = {0};

	plan_add(plan, PLAN_LENS, "%s", l->ask->lens);
	plan_add(plan, PLAN_OBJECT, "%s", l->member->build_id);
	plan_to_environment((const char *const *)plan->at, &variables);
	plan_to_environment(l->ask->plan, &variables);
	relink_large_pages(&variables);
	recipe_environment(&l->member->note, &variables, environment);
	strv_free(&variables);
	strv_free(plan);
}

static int start(const struct pieces *pieces, struct job *job, struct piece *p, const struct relink_link *l, struct fail *why)
{
	struct strv plan = {0};

	*job = (struct job){.piece = p, .stage = cache_stage(l->cache, why)};
	if (!job->stage)
		return -1;
	bool shared = optimised_is_shared(l, p) && !pieces->are_prepared;
	if (shared)
		optimised_take(l, p);
	char *object = str_format("%s/object", job->stage), *log = str_format("%s/log", job->stage);
	add_compile(l, &p->command, p->bitcode, object, &job->command);
	plan_add(&plan, PLAN_PIECE, "%s", p->id);
	if (p->is_optimised)
		plan_add(&plan, PLAN_OPTIMISED, "1");
	else if (shared)
		plan_add(&plan, PLAN_AFTER, "%s/" OPTIMISED_FILE, job->stage);
	if (pieces->are_prepared) {
		strv_add(&job->command, "-emit-llvm");
	} else {
		plan_add(&plan, PLAN_HOOKS, "%s/hooks-%s.o", l->libdir, l->ask->lens);
		plan_add(&plan, PLAN_TABLE, "%s/table", job->stage);
	}
	if (asks_for_others(l) && !pieces->are_prepared)
		plan_add(&plan, PLAN_DEFINED, "%s", pieces->defined_path);
	add_environment(l, &plan, &job->environment);
	job->spawn = (struct spawn){.argv = job->command.at, .errors = log, .environment = job->environment.at};
	int failed = spawn_start(&job->spawn, why);
	free(object);
	free(log);
	return failed;
}

static void end(struct job *job)
{
	strv_free(&job->command);
	strv_free(&job->environment);
	free(job->stage);
	*job = (struct job){0};
}

static bool take_file(const char *folder, const char *name, const char *as)
{
	char *path = str_format("%s/%s", folder, name);
	bool taken = !as || link(path, as) == 0;

	free(path);
	return taken;
}

static void drop_files(const struct piece *p)
{
	unlink(p->object);
	if (p->table)
		unlink(p->table);
	if (p->shape)
		unlink(p->shape);
}

/* The entry may go as soon as it is given back: its files stay under names of this link's own. */
static int take(const struct piece *p, struct cache_entry *entry)
{
	bool taken = take_file(entry->folder, "object", p->object) && take_file(entry->folder, "table", p->table) &&
		take_file(entry->folder, SHAPE_FILE, p->shape);

	if (!taken) { /* the entry is not whole */
		drop_files(p);
		folder_remove(entry->folder);
	}
	cache_give(entry);
	return taken ? 0 : -1;
}

/* A compiler that crashed says at which function. */
static int say_failed(const struct job *job, const struct relink_link *l, const char *log, struct fail *why)
{
	static const char at[] = "on function '@";
	char *line = compile_line_with(log, "error", ""), *crash = compile_line_with(log, at, "");
	const char *name = crash ? strstr(crash, at) + strlen(at) : "";

	fail_set(why, FAIL_INTERNAL, "%s could not be finished for %s: %s%s%.*s", job->piece->name, l->ask->lens,
	         line ? line : "the compiler printed no error", *name ? ", at the function " : "", (int)strcspn(name, "'"), name);
	free(line);
	free(crash);
	return -1;
}

static int publish(struct job *job, const struct relink_link *l, int status, struct fail *why)
{
	struct cache_entry entry = {.lock = -1};
	char *key = str_format("piece-%s", job->piece->key), *log = str_format("%s/log", job->stage);
	int failed = 0;

	if (status) {
		failed = say_failed(job, l, log, why);
		optimised_drop(l, job->piece);
		folder_remove(job->stage);
	} else {
		unlink(log);
		optimised_keep(l, job->piece, job->stage);
		failed = cache_publish(l->cache, job->stage, key, &entry, why) < 0 || take(job->piece, &entry) < 0;
	}
	free(key);
	free(log);
	return failed ? -1 : 0;
}

/* The job whose tool has ended. */
static struct job *wait_for_one(struct job *jobs, size_t count)
{
	siginfo_t info = {0};
	size_t oldest = 0;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].piece && jobs[i].spawn.pid == info.si_pid)
			return &jobs[i];
		oldest = jobs[oldest].piece ? oldest : i;
	}
	return &jobs[oldest];
}

/* A compile of a large object takes half a gigabyte. */
static size_t job_count(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	size_t room = pages > 0 && size > 0 ? (size_t)pages * (size_t)size >> 29 : 1, cores = spawn_cores();

	return room < 1 ? 1 : room < cores ? room : cores;
}

static void tell(const struct relink_link *l, size_t done, size_t all)
{
	if (!l->ask->progress)
		return;
	char *text = str_format("linking %s for %s: object %zu of %zu", str_base(l->member->path), l->ask->lens, done, all);
	l->ask->progress(l->ask->context, text);
	free(text);
}

static int by_size(const void *a, const void *b)
{
	const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;
	return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : x < y ? -1 : x > y;
}

/* The largest come first, or the last one would have the machine for itself. After a failure what runs is waited for. */
static int finish_all(const struct pieces *pieces, struct piece **missing, const struct relink_link *l, struct fail *why)
{
	size_t count = pieces->finished, most = job_count(), running = 0, next = 0, done = 0;
	struct job *jobs = mem_or_die(calloc(most, sizeof *jobs));
	int failed = 0;

	qsort(missing, count, sizeof *missing, by_size);
	while (running || (next < count && !failed)) {
		if (!failed && next < count && running < most) {
			struct job *job = jobs;
			while (job->piece)
				job++;
			failed = start(pieces, job, missing[next++], l, why);
			running += !failed;
			if (failed)
				end(job);
			continue;
		}
		struct job *job = wait_for_one(jobs, most);
		struct fail unsaid;
		int status = spawn_wait(&job->spawn);
		failed = publish(job, l, status, failed ? &unsaid : why) < 0 || failed;
		end(job);
		running--;
		tell(l, ++done, count);
	}
	free(jobs);
	return failed ? -1 : 0;
}

static int finish_missing(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	struct piece **missing = mem_or_die(calloc(pieces->count + 1, sizeof *missing));

	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		struct cache_entry entry = {.lock = -1};
		char *key = str_format("piece-%s", p->key);
		bool is_ready = pieces->are_prepared && p->is_optimised;
		if (p->same == i && !is_ready && (!cache_take(l->cache, key, &entry) || take(p, &entry) < 0))
			missing[pieces->finished++] = p;
		free(key);
	}
	int failed = finish_all(pieces, missing, l, why);
	free(missing);
	return failed;
}

/* ---- what the link needs ---- */

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

/* total: routines and rows. */
static int number(struct pieces *pieces, size_t total[2], struct fail *why)
{
	total[0] = total[1] = 0;
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
		total[1] += rows_of(p);
		table_free(&table);
		strv_addf(&pieces->words, "--defsym=" PIECE_FIRST "%s=%zu", p->id, p->first);
		strv_addf(&pieces->words, "--defsym=" PIECE_ROWS "%s=%zu", p->id, p->first_row);
	}
	return 0;
}

static int finish_hooks(struct pieces *pieces, const struct relink_link *l, const size_t total[2], struct fail *why)
{
	struct strv command = {0}, environment = {0}, plan = {0}, words = {0};
	char *hooks = str_format("%s/hooks-%s.o", l->libdir, l->ask->lens);

	pieces->hooks = str_format("%s/hooks.o", l->stages->at[0]);
	strv_add(&words, "-O2");
	strv_add(&words, "-fPIC");
	add_compile(l, &words, hooks, pieces->hooks, &command);
	plan_add(&plan, PLAN_TOTAL, "%zu %zu", total[0], total[1]);
	add_environment(l, &plan, &environment);
	struct spawn job = {.argv = command.at, .environment = environment.at, .errors = "/dev/null"};
	int failed = spawn_start(&job, why);
	if (!failed && spawn_wait(&job) != 0)
		failed = fail_set(why, FAIL_INTERNAL, "the hooks of %s could not be finished", l->ask->lens);
	strv_free(&command);
	strv_free(&environment);
	strv_free(&words);
	free(hooks);
	return failed;
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
	size_t total[2];

	if (collect(pieces, l, why) < 0 || write_defined(pieces, l, why) < 0)
		return -1;
	pieces->are_prepared = pieces->count && (!can_finish(l) || are_one_sided(pieces));
	if (pieces->are_prepared) {
		identify(pieces, l);
		return finish_missing(pieces, l, why) < 0 ? -1 : replace_inputs(pieces, l, found, why);
	}
	if (pieces->has_resolvers)
		return fail_set(why, FAIL_INTERNAL, "it has indirect functions, whose resolvers and their callees must not be profiled");
	identify(pieces, l);
	if (finish_missing(pieces, l, why) < 0 || number(pieces, total, why) < 0 || finish_hooks(pieces, l, total, why) < 0)
		return -1;
	return replace_inputs(pieces, l, found, why);
}

void pieces_free(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		unlink(p->bitcode);
		if (p->object)
			drop_files(p);
		free(p->name);
		free(p->bitcode);
		free(p->object);
		free(p->table);
		free(p->shape);
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
	strv_free(&pieces->defined);
	strv_free(&pieces->words);
	*pieces = (struct pieces){0};
}
