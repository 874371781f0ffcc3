/* SPDX-License-Identifier: MIT */
/* loop_lines.c: finds the inlined routine and the line of a loop. */
#include "analyse/symbols/loop_lines.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_LIMIT = 64 };

struct symbols_loops {
	struct loops found;
	struct symbols_loop *loops; /* by number in found */
};

struct context {
	struct symbols_dwarf *dwarf;
	struct symbols_routine *routine; /* NULL: nothing is inlined */
	const struct loops *found;
};

/* Numbers of the pieces around an address, outermost first. */
static size_t pieces_at(const struct context *c, uint64_t address, uint32_t pieces[PIECES_LIMIT])
{
	size_t depth = 0, at = 0;
	while (c->routine && depth < PIECES_LIMIT && symbols_dwarf_inlined(c->dwarf, c->routine, address, &at))
		pieces[depth++] = (uint32_t)at - 1;
	return depth;
}

static void find_pieces(const struct context *c, const struct loops_loop *from, struct symbols_loop *loop)
{
	uint32_t pieces[PIECES_LIMIT], others[PIECES_LIMIT];
	size_t depth = pieces_at(c, from->head, pieces);
	for (uint32_t i = 0; depth > 0 && i < from->latch_count; i++) {
		size_t common = 0, other = pieces_at(c, c->found->branches[from->first_latch + i], others);
		while (common < depth && common < other && pieces[common] == others[common])
			common++;
		depth = common;
	}
	loop->depth = depth;
	loop->pieces = memory_resize(NULL, depth, sizeof *loop->pieces);
	memcpy(loop->pieces, pieces, depth * sizeof *pieces);
}

/* The line of an address as seen from the scope around the loop; for inlined code, the line of its call. */
static bool line_from(const struct context *c, const struct symbols_loop *loop, uint64_t address, struct symbols_line *line)
{
	uint32_t pieces[PIECES_LIMIT];
	if (pieces_at(c, address, pieces) > loop->depth) {
		Dwarf_Die die = c->routine->pieces[pieces[loop->depth]].die;
		line->file = symbols_dwarf_called(&die, &line->line);
		return line->line > 0;
	}
	return symbols_dwarf_line(c->dwarf, address, address, line) && line->line > 0;
}

static const char *scope_file(const struct context *c, const struct symbols_loop *loop)
{
	unsigned line;
	if (!c->routine)
		return "";
	Dwarf_Die die = loop->depth ? c->routine->pieces[loop->pieces[loop->depth - 1]].die : c->routine->die;
	return symbols_dwarf_declared(&die, &line);
}

/* Takes a line if it is better than the current one: in the scope's own file, then lower. */
static void consider(struct symbols_loop *loop, const struct symbols_line *line, const char *own)
{
	bool mine = strcmp(line->file, own) == 0, old = loop->line && strcmp(loop->file, own) == 0;
	if (!loop->line || mine > old || (mine == old && line->line < loop->line)) {
		loop->file = line->file;
		loop->line = line->line;
	}
}

static void find_line(const struct context *c, const struct loops_loop *from, struct symbols_loop *loop)
{
	struct symbols_line line;
	const char *own = scope_file(c, loop);
	loop->file = "";
	if (!c->dwarf)
		return;
	for (uint32_t i = 0; i < from->latch_count; i++)
		if (line_from(c, loop, c->found->branches[from->first_latch + i], &line))
			consider(loop, &line, own);
	for (uint32_t i = 0; i < from->exit_count; i++)
		if (line_from(c, loop, c->found->branches[from->first_exit + i], &line))
			consider(loop, &line, own);
	if (!loop->line && line_from(c, loop, from->head, &line))
		consider(loop, &line, own);
}

struct symbols_loops *symbols_loops_new(const struct symbols_elf *elf, struct symbols_dwarf *dwarf, struct symbols_routine *routine,
                                        uint64_t low, uint64_t high)
{
	struct symbols_loops *l = memory_zeroed(1, sizeof *l);
	if (low < high && high - low <= LOOPS_LARGEST) {
		unsigned char *code = memory_resize(NULL, high - low, 1);
		loops_find(&l->found, code, low, symbols_elf_read(elf, low, code, high - low));
		free(code);
	}
	struct context c = {dwarf, routine, &l->found};
	l->loops = memory_zeroed(l->found.loop_count, sizeof *l->loops);
	for (size_t i = 0; i < l->found.loop_count; i++) {
		l->loops[i].head = l->found.loops[i].head;
		find_pieces(&c, &l->found.loops[i], &l->loops[i]);
		find_line(&c, &l->found.loops[i], &l->loops[i]);
	}
	return l;
}

void symbols_loops_free(struct symbols_loops *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->found.loop_count; i++)
		free(l->loops[i].pieces);
	free(l->loops);
	loops_free(&l->found);
	free(l);
}

size_t symbols_loops_at(const struct symbols_loops *l, uint64_t address, const struct symbols_loop **chain, size_t room)
{
	size_t count = 0, all = 0;
	uint32_t inner = loops_at(&l->found, address);
	for (uint32_t i = inner; i != LOOPS_NONE; i = l->found.loops[i].parent)
		all++;
	for (uint32_t i = inner; i != LOOPS_NONE; i = l->found.loops[i].parent)
		if (--all < room) {
			chain[all] = &l->loops[i];
			count++;
		}
	return count;
}
