/* SPDX-License-Identifier: MIT */
/* loops.c: finds the loops that were tagged as parallel when the source was compiled (pass/lower/cilk.c, pass/lower/openmp.c).
 *
 * The tag is part of the loop's metadata, on the branch that closes it, so the optimiser could do with the loop what it does
 * with any other. LLVM-C knows no loops: here are predecessors, back edges by depth-first search, and natural loops. */
#include "pass/span/span.h"

#include <stdlib.h>
#include <string.h>

struct flow {
	LLVMBasicBlockRef *blocks; /* sorted by address */
	size_t count;
	size_t *first_before; /* of a block's predecessors; one more at the end */
	size_t *before;
	unsigned char *state; /* of the search: 0 new, 1 on the way, 2 done */
};

static int by_address(const void *a, const void *b)
{
	LLVMBasicBlockRef x = *(const LLVMBasicBlockRef *)a, y = *(const LLVMBasicBlockRef *)b;
	return x < y ? -1 : x > y;
}

static size_t index_of(const struct flow *f, LLVMBasicBlockRef b)
{
	return (size_t)((LLVMBasicBlockRef *)bsearch(&b, f->blocks, f->count, sizeof *f->blocks, by_address) - f->blocks);
}

static void flow_begin(struct flow *f, LLVMValueRef function)
{
	f->count = LLVMCountBasicBlocks(function);
	f->blocks = pass_zeroed(f->count, sizeof *f->blocks);
	LLVMGetBasicBlocks(function, f->blocks);
	qsort(f->blocks, f->count, sizeof *f->blocks, by_address);
	f->first_before = pass_zeroed(f->count + 1, sizeof *f->first_before);
	f->state = pass_zeroed(f->count, 1);
	for (size_t i = 0; i < f->count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[i]);
		for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++)
			f->first_before[index_of(f, LLVMGetSuccessor(last, k)) + 1]++;
	}
	for (size_t i = 0; i < f->count; i++)
		f->first_before[i + 1] += f->first_before[i];
	f->before = pass_zeroed(f->first_before[f->count], sizeof *f->before);
	size_t *at = pass_zeroed(f->count, sizeof *at);
	for (size_t i = 0; i < f->count; i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[i]);
		for (unsigned k = 0; last && k < LLVMGetNumSuccessors(last); k++) {
			size_t to = index_of(f, LLVMGetSuccessor(last, k));
			f->before[f->first_before[to] + at[to]++] = i;
		}
	}
	free(at);
}

static void flow_end(struct flow *f)
{
	free(f->blocks);
	free(f->first_before);
	free(f->before);
	free(f->state);
}

/* The tag of a loop is an operand of the node on the branch that closes it: !{!"skein.loop", line, column, construct}. */
static bool read_tag(LLVMValueRef branch, struct span_tagged *to)
{
	static const char kind_name[] = "llvm.loop";
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch))));
	LLVMValueRef node = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(context, kind_name, sizeof kind_name - 1));
	LLVMValueRef parts[64], tag[8];
	unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
	if (!count || count > 64)
		return false;
	LLVMGetMDNodeOperands(node, parts);
	for (unsigned i = 1; i < count; i++) {
		unsigned length = 0;
		if (!parts[i] || LLVMIsAMDNode(parts[i]) == NULL || LLVMGetMDNodeNumOperands(parts[i]) != 4)
			continue;
		LLVMGetMDNodeOperands(parts[i], tag);
		const char *name = tag[0] && LLVMIsAMDString(tag[0]) ? LLVMGetMDString(tag[0], &length) : "";
		if (length != 10 || memcmp(name, "skein.loop", 10) != 0)
			continue;
		const char *construct = LLVMIsAMDString(tag[3]) ? LLVMGetMDString(tag[3], &length) : "loop";
		to->line = (unsigned)LLVMConstIntGetZExtValue(tag[1]);
		to->column = (unsigned)LLVMConstIntGetZExtValue(tag[2]);
		to->construct = strndup(construct, length);
		return true;
	}
	return false;
}

struct search {
	struct flow *flow;
	struct span_tagged *loops;
	size_t count;
};

static void add_loop(struct search *s, size_t latch, size_t header)
{
	struct span_tagged loop = {.header = s->flow->blocks[header], .latch = s->flow->blocks[latch], .outer = -1};
	if (!read_tag(LLVMGetBasicBlockTerminator(loop.latch), &loop))
		return;
	unsigned char *seen = pass_zeroed(s->flow->count, 1);
	size_t *work = pass_zeroed(s->flow->count, sizeof *work), pending = 0;
	seen[header] = 1;
	if (!seen[latch])
		seen[work[pending++] = latch] = 1;
	while (pending) {
		size_t b = work[--pending];
		for (size_t i = s->flow->first_before[b]; i < s->flow->first_before[b + 1]; i++)
			if (!seen[s->flow->before[i]])
				seen[work[pending++] = s->flow->before[i]] = 1;
	}
	loop.blocks = pass_zeroed(s->flow->count, sizeof *loop.blocks);
	for (size_t i = 0; i < s->flow->count; i++)
		if (seen[i])
			loop.blocks[loop.block_count++] = s->flow->blocks[i];
	free(seen);
	free(work);
	s->loops = pass_grow(s->loops, s->count, sizeof *s->loops);
	s->loops[s->count++] = loop;
}

/* Depth first; an edge to a block that is still on the way closes a loop. */
static void walk(struct search *s, LLVMValueRef function)
{
	struct flow *f = s->flow;
	size_t *path = pass_zeroed(f->count, sizeof *path), depth = 0;
	unsigned *next = pass_zeroed(f->count, sizeof *next);
	path[depth++] = index_of(f, LLVMGetEntryBasicBlock(function));
	f->state[path[0]] = 1;
	while (depth) {
		size_t b = path[depth - 1];
		LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b]);
		if (!last || next[b] >= LLVMGetNumSuccessors(last)) {
			f->state[b] = 2;
			depth--;
			continue;
		}
		size_t to = index_of(f, LLVMGetSuccessor(last, next[b]++));
		if (f->state[to] == 1)
			add_loop(s, b, to);
		else if (f->state[to] == 0)
			f->state[path[depth++] = to] = 1;
	}
	free(path);
	free(next);
}

bool span_loop_has(const struct span_tagged *loop, LLVMBasicBlockRef block)
{
	return bsearch(&block, loop->blocks, loop->block_count, sizeof *loop->blocks, by_address) != NULL;
}

static int larger_first(const void *a, const void *b)
{
	size_t x = ((const struct span_tagged *)a)->block_count, y = ((const struct span_tagged *)b)->block_count;
	return x < y ? 1 : x > y ? -1 : 0;
}

size_t span_loops(LLVMValueRef function, struct span_tagged **loops)
{
	struct flow flow;
	struct search s = {.flow = &flow};
	flow_begin(&flow, function);
	walk(&s, function);
	flow_end(&flow);
	if (s.count)
		qsort(s.loops, s.count, sizeof *s.loops, larger_first);
	for (size_t i = 0; i < s.count; i++)
		for (size_t k = 0; k < i; k++)
			if (span_loop_has(&s.loops[k], s.loops[i].header) && s.loops[k].header != s.loops[i].header)
				s.loops[i].outer = (int)k; /* the last one found is the smallest */
	*loops = s.loops;
	return s.count;
}

void span_loops_free(struct span_tagged *loops, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(loops[i].blocks);
		free((void *)(uintptr_t)loops[i].construct);
	}
	free(loops);
}
