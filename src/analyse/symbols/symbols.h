/* SPDX-License-Identifier: MIT */
/* symbols.h: names an offset in a file: routine, inlined routines, loops, line.
 *
 *     struct symbols *s = symbols_open("/usr/bin/prog", "1f0a…");       never NULL; a file that is gone or is another build has no names
 *     const struct symbols_place *p = symbols_at(s, 0x1234, true);
 *     for (size_t i = 0; i < p->count; i++) … p->scopes[i] …          outermost first; the first one is always the routine
 *     symbols_close(s);
 *
 * Names come from DWARF (in the file, or in a separate debug file found by build-id or debug link), else from the
 * symbol tables, .dynsym included; an address in no symbol belongs to the nearest symbol before it only if that has no
 * size and no routine is known to begin between them; else its name is "(file name)+0x1234", with the start of its
 * routine if the unwind tables know it, or "callee@plt". File names are as the compiler was given them. Loops are
 * found in the machine code (loops.h); a loop is a scope between the routine, or the inlined routine, that it is in
 * and what it contains. Everything returned lives until symbols_close. */
#ifndef SKEIN_SYMBOLS_H
#define SKEIN_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum symbols_kind { SYMBOLS_ROUTINE, SYMBOLS_INLINED, SYMBOLS_LOOP };

enum symbols_construct { SYMBOLS_NO_CONSTRUCT, SYMBOLS_PARALLEL, SYMBOLS_TASK };

struct symbols_scope {
	enum symbols_kind kind;
	const char *linkage;   /* of a routine or inlined routine; "" for a loop */
	const char *name;      /* demangled; a loop: "loop" */
	const char *file;      /* where the routine is declared, or where the loop begins; "" if not known */
	unsigned line;         /* 0: not known */
	const char *call_file; /* inlined routine: where its caller calls it */
	unsigned call_line;
	enum symbols_construct
		construct; /* what gcc made the routine f._omp_fn.0 of; SYMBOLS_NO_CONSTRUCT: another routine, or not known */
	uint64_t address;  /* offset at which the routine, the inlined piece or the loop's head begins: tells scopes apart */
};

struct symbols_place {
	const struct symbols_scope *scopes;
	size_t count;     /* at least 1 */
	const char *file; /* file of the address itself; "" if not known */
	unsigned line;
	const char *
		overhead; /* the KIND of a mark parallel-overhead:KIND that covers the address (file name of the line or of an inlined routine,
	                             routine name, or section skein_overhead_KIND), else NULL. Names and files in scopes are then those without the mark */
};

struct symbols;
struct symbols *symbols_open(const char *path, const char *build_id); /* build_id "": any build */
void symbols_close(struct symbols *s);
const struct symbols_place *symbols_at(struct symbols *s, uint64_t offset, bool is_return); /* is_return: take the byte before */
const char *symbols_variable(struct symbols *s, uint64_t offset); /* the variable around it, demangled; "": none is known */
bool symbols_have_lines(const struct symbols *s);                 /* the file has DWARF */
bool symbols_are_there(const struct symbols *s);                  /* the file could be read and is the same build */

#endif
