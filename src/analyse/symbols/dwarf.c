/* SPDX-License-Identifier: MIT */
/* dwarf.c: an index over DWARF, made on demand.
 *
 * Problem: DWARF is a tree to be walked, and a sampled program asks for a hundred thousand addresses in a few routines.
 * Idea: three levels of sorted ranges, each made at the first question: units of the file, routines of a unit, pieces
 * of a routine. A unit that does not say where its code is (clang's line-tables-only units of one routine do, others
 * need not) is read at once.
 * Cost: one walk over the entries of each unit and routine that is asked for, then binary searches. Pieces are kept in
 * the order of the walk with the length of each subtree, so that a look-up skips subtrees of other addresses. */
#include "analyse/symbols/dwarf.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_LIMIT = 200, /* nested entries: real files have under 60 */
	UNIT_LIMIT = 1 << 24,
	RANGES_LIMIT = 1 << 20 /* ranges of one entry */
};

struct unit {
	Dwarf_Die die;  /* the unit, from which lines are found */
	Dwarf_Die code; /* the same unit, or the one in a .dwo file */
	bool was_read;
	struct symbols_ranges ranges; /* numbers are of routines */
};

struct symbols_dwarf {
	const struct symbols_elf *elf;
	Dwarf *dwarf;
	struct unit *units;
	size_t unit_count, unit_room;
	struct symbols_ranges ranges; /* numbers are of units */
	struct symbols_routine **routines;
	size_t routine_count, routine_room;
	struct pool pool;
};

/* How many entries a walk may still visit: no unit has more of them than bytes. */
struct walk {
	struct symbols_dwarf *d;
	uint64_t left;
	unsigned depth;
};

static uint64_t entry_limit(Dwarf_Die *die)
{
	Dwarf_Die unit;
	Dwarf_Off next;
	size_t header;
	Dwarf_Off at = dwarf_dieoffset(die) - dwarf_cuoffset(die);
	if (!dwarf_diecu(die, &unit, NULL, NULL) || dwarf_nextcu(dwarf_cu_getdwarf(unit.cu), at, &next, &header, NULL, NULL, NULL) != 0 ||
	    next <= at)
		return 1 << 20;
	return next - at;
}

/* Visits each range of code of an entry that is really in the file. */
static void each_range(struct symbols_dwarf *d, Dwarf_Die *die, void (*visit)(void *to, uint64_t low, uint64_t high), void *to)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	for (unsigned i = 0; i < RANGES_LIMIT && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0; i++)
		if (symbols_elf_is_code(d->elf, low, high))
			visit(to, low, high);
}

/* ---- routines of a unit ---- */

struct add_to {
	struct symbols_ranges *ranges;
	uint32_t what;
	uint64_t first;
	bool any;
};

static void add_range(void *to, uint64_t low, uint64_t high)
{
	struct add_to *a = to;
	symbols_ranges_add(a->ranges, low, high, a->what);
	if (!a->any)
		a->first = low;
	a->any = true;
}

static void add_routine(struct symbols_dwarf *d, uint32_t unit, Dwarf_Die *die)
{
	struct add_to to = {&d->units[unit].ranges, (uint32_t)d->routine_count, 0, false};
	Dwarf_Addr entry;
	each_range(d, die, add_range, &to);
	if (!to.any)
		return;
	struct symbols_routine *r = memory_zeroed(1, sizeof *r);
	r->die = *die;
	r->unit = unit;
	r->address = dwarf_entrypc(die, &entry) == 0 && symbols_elf_is_code(d->elf, entry, entry + 1) ? entry : to.first;
	MEMORY_GROW(d->routines, d->routine_count, d->routine_room);
	d->routines[d->routine_count++] = r;
}

static bool may_hold_routines(int tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block: return true;
	default: return false;
	}
}

static void find_routines(struct walk *w, uint32_t unit, Dwarf_Die *parent)
{
	Dwarf_Die die;
	if (w->depth >= DEPTH_LIMIT || dwarf_child(parent, &die) != 0)
		return;
	w->depth++;
	do {
		if (w->left == 0)
			break;
		w->left--;
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			add_routine(w->d, unit, &die);
		if (may_hold_routines(tag))
			find_routines(w, unit, &die);
	} while (dwarf_siblingof(&die, &die) == 0);
	w->depth--;
}

static void read_unit(struct symbols_dwarf *d, uint32_t unit)
{
	struct unit *u = &d->units[unit];
	if (u->was_read)
		return;
	u->was_read = true;
	find_routines(&(struct walk){.d = d, .left = entry_limit(&u->code)}, unit, &u->code);
	symbols_ranges_sort(&u->ranges);
}

/* ---- units of the file ---- */

static void add_unit(struct symbols_dwarf *d, Dwarf_Die *die, Dwarf_Die *code)
{
	uint32_t number = (uint32_t)d->unit_count;
	struct add_to to = {&d->ranges, number, 0, false};
	MEMORY_GROW(d->units, d->unit_count, d->unit_room);
	d->units[d->unit_count++] = (struct unit){.die = *die, .code = *code};
	each_range(d, die, add_range, &to);
	if (to.any)
		return;
	read_unit(d, number);
	for (size_t i = 0; i < d->units[number].ranges.count; i++)
		symbols_ranges_add(&d->ranges, d->units[number].ranges.at[i].low, d->units[number].ranges.at[i].high, number);
}

static Dwarf *begin(Elf *elf)
{
	GElf_Shdr header;
	bool has = elf && (symbols_debug_section(elf, ".debug_info", &header) || symbols_debug_section(elf, ".zdebug_info", &header));
	return has ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
}

struct symbols_dwarf *symbols_dwarf_open(const struct symbols_elf *elf)
{
	Dwarf *dwarf = begin(elf->elf);
	if (!dwarf && !(dwarf = begin(elf->debug)))
		return NULL;
	struct symbols_dwarf *d = memory_zeroed(1, sizeof *d);
	d->elf = elf;
	d->dwarf = dwarf;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t kind;
	while (d->unit_count < UNIT_LIMIT && dwarf_get_units(dwarf, cu, &cu, NULL, &kind, &die, &split) == 0)
		if (kind == DW_UT_compile || kind == DW_UT_skeleton)
			add_unit(d, &die, kind == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_compile_unit ? &split : &die);
	symbols_ranges_sort(&d->ranges);
	return d;
}

void symbols_dwarf_close(struct symbols_dwarf *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->routine_count; i++) {
		free(d->routines[i]->pieces);
		free(d->routines[i]->ranges);
		free(d->routines[i]);
	}
	for (size_t i = 0; i < d->unit_count; i++)
		symbols_ranges_free(&d->units[i].ranges);
	free(d->routines);
	free(d->units);
	symbols_ranges_free(&d->ranges);
	pool_free(&d->pool);
	dwarf_end(d->dwarf);
	free(d);
}

struct symbols_routine *symbols_dwarf_routine(struct symbols_dwarf *d, uint64_t address)
{
	const struct symbols_range *unit = symbols_ranges_find(&d->ranges, address);
	if (!unit)
		return NULL;
	read_unit(d, unit->what);
	const struct symbols_range *hit = symbols_ranges_find(&d->units[unit->what].ranges, address);
	if (!hit)
		return NULL;
	struct symbols_routine *r = d->routines[hit->what];
	r->low = hit->low;
	r->high = hit->high;
	return r;
}

/* ---- pieces of a routine ---- */

static void add_piece_range(void *to, uint64_t low, uint64_t high)
{
	struct symbols_routine *r = to;
	struct symbols_piece *p = &r->pieces[r->piece_count - 1];
	MEMORY_GROW(r->ranges, r->range_count, r->range_room);
	r->ranges[r->range_count++] = (struct symbols_range){.low = low, .high = high};
	if (p->range_count++ == 0 || low < p->address)
		p->address = low;
}

static bool may_hold_pieces(int tag)
{
	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static void find_pieces(struct walk *w, struct symbols_routine *r, Dwarf_Die *parent)
{
	Dwarf_Die die;
	if (w->depth >= DEPTH_LIMIT || dwarf_child(parent, &die) != 0)
		return;
	w->depth++;
	do {
		if (w->left == 0)
			break;
		w->left--;
		int tag = dwarf_tag(&die);
		if (!may_hold_pieces(tag))
			continue;
		size_t mine = r->piece_count;
		if (tag == DW_TAG_inlined_subroutine) {
			MEMORY_GROW(r->pieces, r->piece_count, r->piece_room);
			r->pieces[r->piece_count++] = (struct symbols_piece){.die = die, .first = (uint32_t)r->range_count};
			each_range(w->d, &die, add_piece_range, r);
		}
		find_pieces(w, r, &die);
		if (tag == DW_TAG_inlined_subroutine)
			r->pieces[mine].next = (uint32_t)r->piece_count;
	} while (dwarf_siblingof(&die, &die) == 0);
	w->depth--;
}

bool symbols_dwarf_covers(const struct symbols_routine *r, const struct symbols_piece *piece, uint64_t address)
{
	for (uint32_t i = piece->first; i < piece->first + piece->range_count; i++)
		if (address >= r->ranges[i].low && address < r->ranges[i].high)
			return true;
	return false;
}

bool symbols_dwarf_inlined(struct symbols_dwarf *d, struct symbols_routine *r, uint64_t address, size_t *at)
{
	if (!r->was_read) {
		r->was_read = true;
		find_pieces(&(struct walk){.d = d, .left = entry_limit(&r->die)}, r, &r->die);
	}
	size_t end = *at > 0 ? r->pieces[*at - 1].next : r->piece_count;
	for (size_t i = *at; i < end; i = r->pieces[i].next)
		if (symbols_dwarf_covers(r, &r->pieces[i], address)) {
			*at = i + 1;
			return true;
		}
	return false;
}

/* ---- names ---- */

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	const char *text = dwarf_attr_integrate(die, attribute, &a) ? dwarf_formstring(&a) : NULL;
	return text ? text : "";
}

const char *symbols_dwarf_name(Dwarf_Die *die)
{
	return text_of(die, DW_AT_name);
}

const char *symbols_dwarf_linkage(Dwarf_Die *die)
{
	const char *linkage = text_of(die, DW_AT_linkage_name);
	return *linkage ? linkage : text_of(die, DW_AT_MIPS_linkage_name);
}

static const char *without_folder(Dwarf_Die *unit, const char *path)
{
	const char *folder = unit ? text_of(unit, DW_AT_comp_dir) : "";
	size_t length = strlen(folder);
	return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/' && path[length + 1] ? path + length + 1 : path;
}

static const char *file_of(Dwarf_Attribute *a)
{
	Dwarf_Word index;
	Dwarf_Files *files;
	Dwarf_Die unit;
	if (dwarf_formudata(a, &index) != 0 || !dwarf_cu_die(a->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, NULL) != 0)
		return "";
	const char *path = dwarf_filesrc(files, index, NULL, NULL);
	return path ? without_folder(&unit, path) : "";
}

static unsigned number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word number;
	return dwarf_attr_integrate(die, attribute, &a) && dwarf_formudata(&a, &number) == 0 && number <= 0xffffffffu ? (unsigned)number
														      : 0;
}

const char *symbols_dwarf_declared(Dwarf_Die *die, unsigned *line)
{
	Dwarf_Attribute a;
	*line = number_of(die, DW_AT_decl_line);
	return dwarf_attr_integrate(die, DW_AT_decl_file, &a) ? file_of(&a) : "";
}

const char *symbols_dwarf_called(Dwarf_Die *piece, unsigned *line)
{
	Dwarf_Attribute a;
	*line = number_of(piece, DW_AT_call_line);
	return dwarf_attr(piece, DW_AT_call_file, &a) ? file_of(&a) : "";
}

const char *symbols_dwarf_unit_file(Dwarf_Die *die)
{
	Dwarf_Die unit;
	return dwarf_diecu(die, &unit, NULL, NULL) ? without_folder(&unit, text_of(&unit, DW_AT_name)) : "";
}

/* ---- lines ---- */

/* The last row of the table at or before an address; count: none. */
static size_t row_at(Dwarf_Lines *lines, size_t count, uint64_t address)
{
	size_t from = 0, to = count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		Dwarf_Addr at = UINT64_MAX;
		dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at);
		if (at <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from > 0 ? from - 1 : count;
}

/* Code without a line takes the line of the last row before it in the same file. */
static unsigned line_before(Dwarf_Lines *lines, size_t row, uint64_t floor, const char *file)
{
	for (bool ends = false; row > 0; row--) {
		Dwarf_Line *line = dwarf_onesrcline(lines, row - 1);
		Dwarf_Addr at = 0;
		int number = 0;
		if (dwarf_lineendsequence(line, &ends) != 0 || ends || dwarf_lineaddr(line, &at) != 0 || at < floor)
			return 0;
		const char *mine = dwarf_linesrc(line, NULL, NULL);
		if (mine && dwarf_lineno(line, &number) == 0 && number > 0 && strcmp(mine, file) == 0)
			return (unsigned)number;
	}
	return 0;
}

bool symbols_dwarf_line(struct symbols_dwarf *d, uint64_t address, uint64_t floor, struct symbols_line *line)
{
	const struct symbols_range *hit = symbols_ranges_find(&d->ranges, address);
	Dwarf_Lines *lines;
	size_t count, row;
	bool ends = true;
	int number = 0;
	if (!hit || dwarf_getsrclines(&d->units[hit->what].die, &lines, &count) != 0 || (row = row_at(lines, count, address)) == count)
		return false;
	Dwarf_Line *found = dwarf_onesrcline(lines, row);
	const char *file = dwarf_linesrc(found, NULL, NULL);
	if (!file || dwarf_lineendsequence(found, &ends) != 0 || ends || dwarf_lineno(found, &number) != 0)
		return false;
	line->file = without_folder(&d->units[hit->what].die, file);
	line->line = number > 0 ? (unsigned)number : line_before(lines, row, floor, file);
	return true;
}
