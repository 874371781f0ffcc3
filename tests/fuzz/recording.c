/* SPDX-License-Identifier: MIT */
/* A recording from anywhere: it is opened, and every view of every lens is made, with its picture, every export that runs nothing, and
 * the page of skein view; then one question with options. The bytes decide in which form and which question: all of them would take
 * thirty times as long, and inputs differ enough to see them all.
 *
 * Most bytes of a recording that change make it one that SQLite refuses. So the mutator mostly changes a value in a table, with
 * SQLite, and only sometimes bytes. */
#include "fuzz/fuzz.h"

#include "base/blob.h"
#include "cli/commands.h"
#include "fuzz/values.h"
#include "report/html/html.h"
#include "report/lens.h"
#include "report/overview/overview.h"
#include "report/report.h"
#include "store/store.h"

static uint64_t digest_of(const unsigned char *bytes, size_t size)
{
	struct digest sum = {0};
	digest_add(&sum, bytes, size);
	return sum.low;
}

static void report_all(struct store *store, const struct lens *lens, enum report_form form)
{
	struct fail why;
	for (const struct view *const *view = lens->views; *view; view++) {
		struct report_ask ask = {.form = form, .view_name = (*view)->name, .view = {.all_rows = form != REPORT_TEXT, .top = -1}};
		report_lens(store, lens, &ask, fuzz_nowhere(), &why);
	}
}

/* This export runs a compiler with what a program says of itself; doc/security.md asks for a trusted one. */
static bool runs_something(const struct export_format *format)
{
	return strcmp(format->name, "llvm-profdata") == 0;
}

static void draw_and_export(struct store *store, const struct lens *lens)
{
	const struct arguments none = {0};
	struct view_ask ask = {.top = -1};
	struct fail why;
	void *data = lens_open(lens, store, &none, &ask, &why);
	for (const struct view *const *view = data ? lens->views : NULL; view && *view; view++)
		if ((*view)->draw && (!(*view)->check || (*view)->check(data, &ask, &why) == 0))
			(*view)->draw(data, &ask, fuzz_nowhere(), &why);
	for (const struct export_format *f = data ? lens->exports : NULL; f && f->name; f++) {
		struct stacks stacks;
		if (runs_something(f) || (f->check && f->check(data, &why) < 0))
			continue;
		if (f->write)
			f->write(data, fuzz_nowhere(), &why);
		if (!f->write_stacks)
			continue;
		if (lens->stack(data, f->wants_arcs, &stacks, &why) == 0)
			f->write_stacks(&stacks, fuzz_nowhere(), &why);
		stacks_free(&stacks);
	}
	if (data)
		lens_close(lens, data);
}

/* In memory. Where columns lie is what the page relies on. */
static void make_page(const char *path)
{
	struct columns columns = {0};
	struct fail why;
	char *text = NULL;
	size_t bytes = 0;
	FILE *head = open_memstream(&text, &bytes);
	if (!head)
		exit(1);
	html_recording(path, true, &columns, head, &why);
	columns_texts(&columns, head);
	fclose(head);
	fuzz_hold(strlen(text) == bytes);
	html_pack((const unsigned char *)text, bytes, columns.bytes, columns.count, fuzz_nowhere(), &why);
	free(text);
	columns_free(&columns);
}

/* Questions with options, as they are typed. Routines and files are those of the seeds. */
static const struct question {
	const char *lens, *words;
} questions[] = {
	{"calls", "report calls a.skein --view family --routine square"},
	{"calls", "report calls a.skein --routine choose --by-worker"},
	{"calls", "report calls a.skein --view callees --worker 1 --sort calls"},
	{"calls", "report calls a.skein --source small.c"},
	{"calls", "check calls:_*_calls_>=_0 calls:_*_->_*_calls_<=_100_%_of_a.skein calls:_wait(*)_>=_0 calls:_*_wall_<=_1_s a.skein"},
	{"span", "report span a.skein --source small.c --profile span"},
	{"span", "check span:_*_span%_<=_100 span:_*_->_*_parallelism_>=_1 span:_work_==_100_%_of_a.skein a.skein --markdown"},
	{"span", "report span a.skein --view table --measure local --routine choose"},
	{"span", "report span a.skein --under first --cores 64"},
	{"idle", "report idle a.skein --source small.c --metric idle"},
	{"idle", "report idle a.skein --routine square --threshold 0 --depth 3 --paths physical"},
	{"idle", "report idle a.skein --view flat --by-thread --derive x=idle/work"},
	{"idle", "check idle:_idleness_<=_10_% idle:_*_work_<=_100_%_of_a.skein idle:_work_>=_0 a.skein"},
	{"input", "report input a.skein --view points --routine square --svg a.svg --overlay --linear"},
	{"input", "report input a.skein --view workload --routine square --metric rms --cost worst"},
	{"input", "report input a.skein --by-thread --run 1 --svg a.svg"},
	{"input", "check square:_O(n) *:_O(1) a.skein --metric rms+external"},
	{"input", "check input:_*_exponent_<=_1 input:_cost_>=_0 input:_*_cost%_<=_100_%_of_a.skein a.skein --markdown"},
	{"paths", "check paths:_*_coverage_>=_1 paths:_never-executed_==_0 paths:_*_calls_<=_100_%_of_a.skein a.skein"},
	{"paths", "report paths a.skein --source small.c --routine square --path 1"},
	{"paths", "report paths a.skein --dot choose"},
	{"paths", "report paths a.skein --view never --routine choose"},
	{"paths", "report paths a.skein --view blocks --path 1 --routine choose"},
	{"paths", "report paths a.skein --view edges"},
	{"flow", "check flow:_wait(*)_<=_5_% flow:_*_wait_<=_1_s flow:_*_calls_>=_1 flow:_minimum_<=_100_%_of_a.skein a.skein"},
	{"flow", "report flow a.skein --what-if lock --view objects"},
	{"flow", "report flow a.skein --what-if * --view events --thread 1 --sort time_ns"},
	{"flow", "report flow a.skein --view events --csv --routine work --top 7"},
	{"calls", "diff calls a.skein b.skein,c.skein --top 0"},
	{"calls", "trend calls.square.calls a.skein b.skein"},
	{"span", "diff span a.skein b.skein c.skein --csv"},
	{"idle", "diff idle a.skein b.skein,c.skein --csv --routine square"},
	{"input", "diff input a.skein b.skein --json --threshold 0"},
	{"paths", "diff paths a.skein b.skein --view same"},
	{"flow", "diff flow a.skein b.skein c.skein"},
};

/* One for a lens that was recorded; NULL: there is none. */
static const char *choose_question(struct store *store, uint64_t number)
{
	size_t count = sizeof questions / sizeof *questions;
	for (size_t i = 0; i < count; i++) {
		const struct question *q = &questions[(number + i) % count];
		if (store_has_lens(store, q->lens))
			return q->words;
	}
	return NULL;
}

/* `bytes` is what the other recordings of a diff hold, too. */
static void type_command(const char *question, const unsigned char *bytes, size_t size)
{
	char *line = fuzz_text((const unsigned char *)question, strlen(question)), *words[16] = {NULL}, *rest = line;
	struct arguments a;
	struct fail why;
	for (size_t i = 0; i < 15 && (words[i] = strsep(&rest, " ")); i++)
		for (char *gap = words[i]; (gap = strchr(gap, '_'));)
			*gap = ' ';
	if (strstr(question, "b.skein"))
		fuzz_file("b.skein", bytes, size);
	if (strstr(question, "c.skein"))
		fuzz_file("c.skein", bytes, size);
	const struct command *command = command_find(words[0]);
	if (arguments_parse(&a, command->id, words + 1, &why) == 0)
		command->run(&a, &why);
	arguments_free(&a);
	free(line);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	static const enum report_form forms[] = {REPORT_TEXT, REPORT_CSV, REPORT_JSON};
	uint64_t digest = digest_of(bytes, size);
	struct fail why;
	struct store *store = store_open(fuzz_file("a.skein", bytes, size), &why);
	if (!store)
		return 0;
	stdout = fuzz_nowhere();
	overview_report(store, &(struct report_ask){.form = forms[digest % (sizeof forms / sizeof *forms)]}, fuzz_nowhere(), &why);
	for (size_t i = 0; i < lens_count; i++)
		if (store_has_lens(store, lenses[i]->name)) {
			report_all(store, lenses[i], forms[digest % (sizeof forms / sizeof *forms)]);
			draw_and_export(store, lenses[i]);
		}
	const char *question = choose_question(store, digest >> 32);
	store_close(store);
	make_page("a.skein");
	if (question)
		type_command(question, bytes, size);
	return 0;
}

/* libFuzzer's own mutator of bytes; a replay has none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(unsigned char *bytes, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t room, unsigned seed)
{
	return seed % 8 ? values_change(bytes, size, room, seed) : LLVMFuzzerMutate(bytes, size, room);
}
