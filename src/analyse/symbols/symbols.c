/* SPDX-License-Identifier: MIT */
/* symbols.c: names an address from all sources of its file.
 *
 * Problem: DWARF, symbol tables, unwind tables and machine code each know a part, any of them may be missing, and marks
 * of overhead hide in file, routine and section names (Tallent and Mellor-Crummey, sections 2.2 and 5.2).
 * Idea: the routine comes from the best source that has it; what is inlined there from DWARF; marks are taken off names
 * and files, and the innermost one is kept. Each address is answered once and remembered.
 * Differs from the paper: a line number in a marked file is taken to be that of the routine's own file, as in the
 * paper's own post-processor; the names without marks are kept, so that overhead is shown at the source that causes
 * it. */
#include "analyse/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "analyse/symbols/dwarf.h"
#include "analyse/symbols/elf.h"
#include "analyse/symbols/loop_lines.h"
#include "analyse/symbols/suspects.h"
#include "base/map.h"
#include "base/strv.h"

#define MARK "parallel-overhead:"
#define MARKED_SECTION "skein_overhead_"

enum { SCOPES_LIMIT = 256, LOOPS_LIMIT = 64 };

struct symbols {
	struct symbols_elf elf;
	struct symbols_dwarf *dwarf; /* NULL: the file has no DWARF */
	bool is_there;
	char *path;
	const char *base;  /* the file's name without folders */
	struct map places; /* of struct found, by address */
	struct map loops;  /* struct symbols_loops, by the lowest address of the code */
	struct map names;  /* demangled, by the address of the linkage name */
	struct pool pool;
};

struct found {
	struct symbols_place place;
	struct symbols_scope scopes[];
};

/* An answer while it is put together. */
struct answer {
	struct symbols_scope scopes[SCOPES_LIMIT];
	uint32_t pieces[SCOPES_LIMIT]; /* for inlined scopes: the number of the piece in the routine */
	size_t count;
	uint64_t low, high; /* the code range of the routine around the address; both 0: not known */
	const char *file, *overhead;
	unsigned line;
};

/* ---- marks ---- */

/* The kind that a file or routine name marks, or NULL. A compiler may have put folders before the name. */
static const char *mark_of(const char *name)
{
	const char *base = str_base(name);
	return strncmp(base, MARK, sizeof MARK - 1) == 0 ? base + sizeof MARK - 1 : NULL;
}

static const char *section_mark(const struct symbols *s, uint64_t address)
{
	const struct symbols_section *section = symbols_elf_section(&s->elf, address);
	return section && strncmp(section->name, MARKED_SECTION, sizeof MARKED_SECTION - 1) == 0 ? section->name + sizeof MARKED_SECTION - 1
												 : NULL;
}

/* ---- routines ---- */

static const char *demangle(struct symbols *s, const char *linkage)
{
	if (strncmp(linkage, "_Z", 2) != 0)
		return linkage;
	void **known = map_at(&s->names, (uintptr_t)linkage);
	if (!*known)
		*known = (void *)(uintptr_t)names_demangle(&s->pool, linkage);
	return *known;
}

/* Sets names without marks; returns the kind if one of them is a mark. */
static const char *set_names(struct symbols *s, struct symbols_scope *scope, const char *linkage, const char *name)
{
	const char *of_linkage = mark_of(linkage), *of_name = mark_of(name);
	const char *kind = of_linkage ? of_linkage : of_name;
	if (of_linkage || !*linkage)
		linkage = of_name || !*name ? NULL : name;
	if (!linkage)
		linkage = kind ? pool_print(&s->pool, "(%s)", kind) : "(no name)";
	scope->linkage = linkage;
	scope->name = demangle(s, linkage);
	return kind;
}

/* DWARF's linkage name, or the symbol's where that says more: line tables alone have C++ names without their class or
 * namespace, C libraries define malloc under an internal name, and a name given in assembler may be a mark. */
static const char *die_linkage(const struct symbols *s, Dwarf_Die *die, uint64_t address)
{
	const char *linkage = symbols_dwarf_linkage(die);
	const char *name = *linkage ? linkage : symbols_dwarf_name(die);
	const struct symbols_name *symbol = symbols_elf_name_at(&s->elf, address);
	bool is_better = symbol &&
		((!*linkage && strncmp(symbol->linkage, "_Z", 2) == 0) || mark_of(symbol->linkage) ||
	         (strncmp(name, "__", 2) == 0 && symbol->is_public && strspn(symbol->linkage, "_") < strspn(name, "_")));
	return is_better ? symbol->linkage : linkage;
}

static void own_file(Dwarf_Die *die, struct symbols_scope *scope)
{
	scope->file = symbols_dwarf_declared(die, &scope->line);
	if (mark_of(scope->file))
		scope->file = symbols_dwarf_unit_file(die);
}

static void add_routine(struct symbols *s, struct answer *a, const struct symbols_routine *r)
{
	struct symbols_scope scope = {.kind = SYMBOLS_ROUTINE, .call_file = "", .address = r->address};
	Dwarf_Die die = r->die;
	const char *kind = set_names(s, &scope, die_linkage(s, &die, r->address), symbols_dwarf_name(&die));
	own_file(&die, &scope);
	if (kind)
		a->overhead = kind;
	a->low = r->low;
	a->high = r->high;
	a->scopes[a->count++] = scope;
}

static void add_inlined(struct symbols *s, struct answer *a, const struct symbols_routine *r, size_t piece)
{
	struct symbols_scope scope = {.kind = SYMBOLS_INLINED, .address = r->pieces[piece].address};
	Dwarf_Die die = r->pieces[piece].die;
	unsigned line;
	const char *kind = set_names(s, &scope, symbols_dwarf_linkage(&die), symbols_dwarf_name(&die));
	const char *of_file = mark_of(symbols_dwarf_declared(&die, &line));
	own_file(&die, &scope);
	scope.call_file = symbols_dwarf_called(&die, &scope.call_line);
	if (mark_of(scope.call_file))
		scope.call_file = a->scopes[a->count - 1].file;
	if (kind || of_file)
		a->overhead = kind ? kind : of_file;
	a->pieces[a->count] = (uint32_t)piece;
	a->scopes[a->count++] = scope;
}

/* Names a routine that DWARF does not know: by its symbol, as a stub, or by its start. */
static void add_unknown(struct symbols *s, struct answer *a, uint64_t address)
{
	struct symbols_scope scope = {.kind = SYMBOLS_ROUTINE, .file = "", .call_file = "", .address = address};
	struct symbols_line line;
	uint64_t start = s->is_there ? symbols_elf_start(&s->elf, address) : address;
	const struct symbols_name *symbol = s->is_there ? symbols_elf_name(&s->elf, address) : NULL;
	const char *callee = symbol || !s->is_there ? NULL : symbols_plt_callee(&s->elf, address, &start);
	if (symbol && symbol->size == 0 && start > symbol->address)
		symbol = NULL;
	scope.address = symbol ? symbol->address : start;
	if (symbol) {
		a->low = symbol->address;
		a->high = symbol->address + symbol->size;
	} else if (s->is_there && !callee) {
		a->low = start;
		a->high = symbols_elf_start_after(&s->elf, address);
	}
	if (symbol)
		a->overhead = set_names(s, &scope, symbol->linkage, "");
	else
		scope.linkage = scope.name = !callee ? pool_print(&s->pool, "(%s)+0x%llx", s->base, (unsigned long long)start)
			: *callee                    ? pool_print(&s->pool, "%s@plt", demangle(s, callee))
						     : "(plt)";
	if (s->dwarf && symbols_dwarf_line(s->dwarf, scope.address, scope.address, &line)) {
		scope.file = mark_of(line.file) ? "" : line.file;
		scope.line = line.line;
	}
	a->scopes[a->count++] = scope;
}

/* ---- places ---- */

static void set_line(struct symbols *s, struct answer *a, uint64_t address, uint64_t floor)
{
	struct symbols_line line;
	if (!s->dwarf || !symbols_dwarf_line(s->dwarf, address, floor, &line))
		return;
	const char *kind = mark_of(line.file);
	a->file = kind ? a->scopes[a->count - 1].file : line.file;
	a->line = line.line;
	if (kind)
		a->overhead = kind;
}

/* ---- loops ---- */

static const struct symbols_loops *loops_of(struct symbols *s, struct symbols_routine *r, const struct answer *a)
{
	void **known = map_at(&s->loops, a->low);
	if (!*known)
		*known = symbols_loops_new(&s->elf, s->dwarf, r, a->low, a->high);
	return *known;
}

/* The index of the scope behind which a loop belongs: after the inlined routines that contain both the loop and the
 * address. */
static size_t scope_before(const struct answer *a, const struct symbols_loop *loop)
{
	size_t at = 0;
	while (at < loop->depth && at + 1 < a->count && a->pieces[at + 1] == loop->pieces[at])
		at++;
	return at;
}

static void add_loop(struct answer *a, size_t behind, const struct symbols_loop *loop)
{
	struct symbols_scope scope = {.kind = SYMBOLS_LOOP,
	                              .linkage = "",
	                              .name = "loop",
	                              .file = loop->file,
	                              .line = loop->line,
	                              .call_file = "",
	                              .address = loop->head};
	if (mark_of(loop->file))
		scope.file = a->scopes[behind].file;
	memmove(&a->scopes[behind + 2], &a->scopes[behind + 1], (a->count - behind - 1) * sizeof scope);
	a->scopes[behind + 1] = scope;
	a->count++;
}

/* Loops and inlined routines are each in order already: a loop goes behind the inlined routines that it is in, and
 * behind the loop around it. */
static void add_loops(struct symbols *s, struct answer *a, struct symbols_routine *r, uint64_t address)
{
	const struct symbols_loop *chain[LOOPS_LIMIT];
	size_t behind[LOOPS_LIMIT], least = 0;
	if (a->low >= a->high)
		return;
	size_t count = symbols_loops_at(loops_of(s, r, a), address, chain, LOOPS_LIMIT);
	for (size_t i = 0; i < count; i++) {
		behind[i] = scope_before(a, chain[i]);
		if (behind[i] < least)
			behind[i] = least;
		least = behind[i];
	}
	for (size_t i = count; i-- > 0 && a->count < SCOPES_LIMIT;)
		add_loop(a, behind[i], chain[i]);
}

static void ask(struct symbols *s, struct answer *a, uint64_t address)
{
	struct symbols_routine *r = s->dwarf ? symbols_dwarf_routine(s->dwarf, address) : NULL;
	if (r) {
		add_routine(s, a, r);
		for (size_t i = 0; a->count < SCOPES_LIMIT && symbols_dwarf_inlined(s->dwarf, r, address, &i);)
			add_inlined(s, a, r, i - 1);
	} else {
		add_unknown(s, a, address);
	}
	if (s->is_there && strstr(a->scopes[0].linkage, SYMBOLS_GCC_BODY))
		a->scopes[0].construct = symbols_outlined(&s->elf, a->scopes[0].address);
	set_line(s, a, address, r ? r->low : a->scopes[0].address);
	if (!a->overhead && s->is_there)
		a->overhead = section_mark(s, address);
	add_loops(s, a, r, address);
}

static struct found *keep(const struct answer *a)
{
	struct found *f = memory_resize(NULL, 1, sizeof *f + a->count * sizeof *a->scopes);
	memcpy(f->scopes, a->scopes, a->count * sizeof *a->scopes);
	f->place =
		(struct symbols_place){.scopes = f->scopes, .count = a->count, .file = a->file, .line = a->line, .overhead = a->overhead};
	return f;
}

const struct symbols_place *symbols_at(struct symbols *s, uint64_t offset, bool is_return)
{
	uint64_t address = offset - (is_return && offset > 0);
	void **known = map_at(&s->places, address);
	if (!*known) {
		struct answer a;
		a.count = 0;
		a.low = a.high = 0;
		a.file = "";
		a.line = 0;
		a.overhead = NULL;
		suspects_at(s->path);
		ask(s, &a, address);
		suspects_at("");
		*known = keep(&a);
	}
	return &((struct found *)*known)->place;
}

/* ---- files ---- */

struct symbols *symbols_open(const char *path, const char *build_id)
{
	struct symbols *s = memory_zeroed(1, sizeof *s);
	s->path = memory_text(path);
	s->base = *path ? str_base(s->path) : "unknown";
	suspects_at(path);
	s->is_there = symbols_elf_open(&s->elf, suspects_have(path) ? "" : path, build_id);
	if (s->is_there)
		s->dwarf = symbols_dwarf_open(&s->elf);
	suspects_at("");
	return s;
}

void symbols_close(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->places.room; i++)
		free(s->places.at[i].value);
	for (size_t i = 0; i < s->loops.room; i++)
		symbols_loops_free(s->loops.at[i].value);
	map_free(&s->places);
	map_free(&s->loops);
	map_free(&s->names);
	suspects_at(s->path);
	symbols_dwarf_close(s->dwarf);
	symbols_elf_close(&s->elf);
	suspects_at("");
	pool_free(&s->pool);
	free(s->path);
	free(s);
}

const char *symbols_variable(struct symbols *s, uint64_t offset)
{
	suspects_at(s->path);
	const char *linkage = s->is_there ? symbols_elf_variable(&s->elf, offset) : NULL;
	suspects_at("");
	return linkage ? demangle(s, symbols_elf_own(&s->pool, linkage)) : "";
}

bool symbols_have_lines(const struct symbols *s)
{
	return s->dwarf;
}

bool symbols_are_there(const struct symbols *s)
{
	return s->is_there;
}
