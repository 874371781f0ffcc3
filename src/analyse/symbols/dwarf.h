/* SPDX-License-Identifier: MIT */
/* dwarf.h: routines, inlined routines and lines, as DWARF tells them.
 *
 *     struct symbols_dwarf *d = symbols_dwarf_open(elf);                     NULL: there is no DWARF
 *     struct symbols_routine *r = symbols_dwarf_routine(d, address);         NULL: DWARF knows no routine there
 *     for (size_t i = 0; symbols_dwarf_inlined(d, r, address, &i);) … r->pieces[i - 1] …     outermost first
 *     if (symbols_dwarf_line(d, address, r->low, &line)) …
 *     symbols_dwarf_close(d);
 *
 * Compilation units are read when they are first asked for, inlined pieces when their routine is. Everything is bounded by the size of the
 * file, so that a damaged one ends in a wrong name or none. The file names are as libdw gives them, less the folder of the compilation,
 * so that they are those the compiler was given; they and all names live until symbols_dwarf_close. */
#ifndef SKEIN_SYMBOLS_DWARF_H
#define SKEIN_SYMBOLS_DWARF_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include "analyse/symbols/elf.h"

/* An inlined routine at one of its call sites. */
struct symbols_piece {
	Dwarf_Die die;
	uint32_t next;               /* the first piece that is not inside this one */
	uint32_t first, range_count; /* in the routine's ranges */
	uint64_t address;            /* lowest address of the piece */
};

struct symbols_routine {
	Dwarf_Die die;
	uint32_t unit;
	uint64_t address;             /* address at which the routine is entered */
	uint64_t low, high;           /* the range of the routine that was asked for */
	bool was_read;                /* the pieces have been read */
	struct symbols_piece *pieces; /* outer pieces come before the pieces inside them */
	size_t piece_count, piece_room;
	struct symbols_range *ranges;
	size_t range_count, range_room;
};

struct symbols_line {
	const char *file;
	unsigned line; /* 0: code that belongs to no line */
};

struct symbols_dwarf;
struct symbols_dwarf *symbols_dwarf_open(const struct symbols_elf *elf);
void symbols_dwarf_close(struct symbols_dwarf *d);
struct symbols_routine *symbols_dwarf_routine(struct symbols_dwarf *d, uint64_t address);
/* Finds the next piece around the address; *at is then behind it. */
bool symbols_dwarf_inlined(struct symbols_dwarf *d, struct symbols_routine *r, uint64_t address, size_t *at);
bool symbols_dwarf_covers(const struct symbols_routine *r, const struct symbols_piece *piece, uint64_t address);
/* `floor`: rows before this address are not used */
bool symbols_dwarf_line(struct symbols_dwarf *d, uint64_t address, uint64_t floor, struct symbols_line *line);

/* The name of a routine or piece, and where it is declared and called; "" and 0 where not known. */
const char *symbols_dwarf_name(Dwarf_Die *die);
const char *symbols_dwarf_linkage(Dwarf_Die *die); /* "": the same as its name */
const char *symbols_dwarf_declared(Dwarf_Die *die, unsigned *line);
const char *symbols_dwarf_called(Dwarf_Die *piece, unsigned *line);
const char *symbols_dwarf_unit_file(Dwarf_Die *die); /* file of the unit around the entry */

#endif
