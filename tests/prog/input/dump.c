/* input_dump FILE…: raw recordings of the input lens as CSV, names by the symboliser. For suites.
 *
 *     point,process,thread,routine,metric,size,calls,cost_min,cost_max,cost_sum,cost_outermost,self,thread_induced,external
 *     source,process,writer,reader,cells
 *     how,process,NAME,VALUE
 *     context,process,number,parent,routine */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "analyse/symbols/symbols.h"
#include "analyse/table.h"
#include "core/input/points.h"
#include "raw/reader.h"

enum { MODULES = 1000 };

static struct {
	struct symbols *symbols;
	char name[64];
} modules[MODULES];

static void find_modules(const struct raw_reader *raw)
{
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_module *m = (const void *)r;
		if (r->type == RAW_MODULE && m->number < MODULES)
			modules[m->number].symbols = symbols_open(raw_text(m->text, m->text_bytes, 1), raw_text(m->text, m->text_bytes, 0));
	}
}

/* Routines of a compiled subject, by number. */
static const struct raw_reader *compiled;

static const char *name_of_number(uint64_t number)
{
	static char name[256];
	for (const struct raw_record *r = raw_first(compiled); r; r = raw_next(compiled, r)) {
		const struct raw_object *o = (const void *)r;
		struct table table;
		struct fail why;
		if (r->type != RAW_OBJECT || number - o->first_routine >= o->routines || table_read(&table, raw_text(o->text, o->text_bytes, 1), &why) < 0)
			continue;
		snprintf(name, sizeof name, "%s", table.routines[number - o->first_routine].linkage);
		table_free(&table);
		return name;
	}
	return "?";
}

static const char *name_of(uint64_t place)
{
	static char number[32];
	uint64_t module = place >> RAW_PLACE_SHIFT;
	if (!place)
		return "(thread)";
	if (compiled)
		return name_of_number(place);
	if (module < MODULES && modules[module].symbols)
		return symbols_at(modules[module].symbols, place & 0xffffffffffffu, false)->scopes[0].name;
	snprintf(number, sizeof number, "0x%" PRIx64, place);
	return number;
}

static void dump_points(const struct raw_file *file, const struct raw_table *table, bool contexts)
{
	static const char *const metrics[] = {"rms", "rms+external", "trms"};
	size_t rows;
	const struct raw_input_point *p = raw_table_rows(table, &rows);
	for (; rows--; p++)
		for (int m = 0; m < INPUT_METRICS; m++) {
			if (!(p->metrics >> m & 1))
				continue;
			printf("point,%u,%u,", file->pid, p->thread);
			if (contexts)
				printf("%" PRIu64, p->routine & ~RAW_INPUT_SET_BITS);
			else
				printf("\"%s\"", name_of(p->routine & ~RAW_INPUT_SET_BITS));
			printf(",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", metrics[m], p->size, p->calls,
			       p->cost_min, p->cost_max, p->cost_sum, p->cost_outermost, p->self_sum, p->thread_induced, p->external);
		}
}

static void dump_sources(const struct raw_file *file, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_source *s = raw_table_rows(table, &rows);
	for (; rows--; s++) {
		if (s->writer == RAW_INPUT_KERNEL)
			printf("source,%u,kernel,%u,%" PRIu64 "\n", file->pid, s->reader, s->cells);
		else
			printf("source,%u,%u,%u,%" PRIu64 "\n", file->pid, s->writer, s->reader, s->cells);
	}
}

static void dump_contexts(const struct raw_file *file, const struct raw_table *table)
{
	size_t rows;
	const struct raw_input_context *c = raw_table_rows(table, &rows);
	for (; rows--; c++)
		printf("context,%u,%u,%u,\"%s\"\n", file->pid, c->number, c->parent, name_of(c->routine));
}

static void dump_how(const struct raw_file *file, const struct raw_input_how *h)
{
#define X(field) printf("how,%u," #field ",%" PRIu64 "\n", file->pid, (uint64_t)h->field);
	X(producer) X(cost) X(options) X(cell_bytes) X(sizes_max) X(reads) X(writes) X(kernel_reads) X(kernel_writes) X(switches) X(renumberings) X(forgotten)
	X(binned) X(cut) X(unseen) X(loops)
#undef X
	printf("how,%u,flags,%u\nhow,%u,threads,%" PRIu64 "\nhow,%u,no_memory,%" PRIu64 "\n", file->pid, file->flags, file->pid, file->threads, file->pid,
	       file->lost[RAW_LOST_NO_MEMORY]);
}

static uint32_t options_of(const struct raw_reader *raw)
{
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *t = (const void *)r;
		if (r->type == RAW_TABLE && t->kind == RAW_INPUT_HOW && t->used)
			return ((const struct raw_input_how *)(t + 1))->options;
	}
	return RAW_INPUT_BY_PLACE;
}

static void dump(const struct raw_reader *raw)
{
	bool contexts = options_of(raw) & RAW_INPUT_HAS_CONTEXTS;
	compiled = options_of(raw) & RAW_INPUT_BY_PLACE ? NULL : raw;
	for (const struct raw_record *r = raw_first(raw); r; r = raw_next(raw, r)) {
		const struct raw_table *t = (const void *)r;
		if (r->type != RAW_TABLE)
			continue;
		if (t->kind == RAW_INPUT_POINTS)
			dump_points(&raw->file, t, contexts);
		else if (t->kind == RAW_INPUT_MATRIX)
			dump_sources(&raw->file, t);
		else if (t->kind == RAW_INPUT_CONTEXTS)
			dump_contexts(&raw->file, t);
		else if (t->kind == RAW_INPUT_HOW && t->used)
			dump_how(&raw->file, (const void *)(t + 1));
	}
}

int main(int count, char **files)
{
	for (int i = 1; i < count; i++) {
		struct raw_reader raw;
		struct fail why;
		if (raw_reader_open(&raw, files[i], &why) < 0)
			return fail_print("input_dump", &why);
		memset(modules, 0, sizeof modules);
		find_modules(&raw);
		dump(&raw);
		raw_reader_close(&raw);
	}
	return 0;
}
