/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/instrument.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"

#include "valgrind/events.h"
#include "valgrind/guest.h"
#include "valgrind/stack.h"

enum { TURN_BYTES = 128 };

/* Facts about a block before it is translated. */
struct block {
	IRSB *in, *out;
	Int sp; /* where the stack pointer is in the guest's state */
	Addr address;
	struct routine *routine; /* NULL: no symbol */
	Bool is_linkage;         /* the block is between a call and the called routine */
};

void instrument_start(void)
{
	VG_(clo_vex_control).guest_chase = False;
	VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

static IRExpr *assign(IRSB *out, IRType type, IRExpr *e)
{
	IRTemp t = newIRTemp(out->tyenv, type);
	addStmtToIRSB(out, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

static IRExpr *word(const void *address)
{
	return IRExpr_Const(IRConst_U64((ULong)(Addr)address));
}

static IRExpr *load(IRSB *out, const void *from)
{
	return assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, word(from)));
}

static void add_to(IRSB *out, uint64_t *counter, ULong by)
{
	if (by)
		addStmtToIRSB(out,
		              IRStmt_Store(Iend_LE, word(counter),
		                           assign(out, Ity_I64,
		                                  IRExpr_Binop(Iop_Add64, load(out, counter), IRExpr_Const(IRConst_U64(by))))));
}

static IRExpr *stack_pointer(const struct block *b)
{
	return assign(b->out, Ity_I64, IRExpr_Get(b->sp, Ity_I64));
}

static void call(IRSB *out, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard)
{
	IRDirty *d = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
	if (guard)
		d->guard = guard;
	addStmtToIRSB(out, IRStmt_Dirty(d));
}

/* A stub: its only purpose is a jump to where a linkage table points. */
static Bool is_stub(const IRSB *in, Addr address)
{
	Int instructions = 0;
	for (Int i = 0; i < in->stmts_used; i++) {
		const IRStmt *s = in->stmts[i];
		instructions += s->tag == Ist_IMark;
		if (s->tag == Ist_WrTmp && s->Ist.WrTmp.data->tag == Iex_Load && s->Ist.WrTmp.data->Iex.Load.addr->tag == Iex_Const &&
		    in->jumpkind == Ijk_Boring && in->next->tag == Iex_RdTmp && in->next->Iex.RdTmp.tmp == s->Ist.WrTmp.tmp &&
		    instructions <= 2)
			return True;
	}
	return VG_(DebugInfo_sect_kind)(NULL, address) == Vg_SectPLT;
}

/* Instructions from a statement to the next way out, or to the end. */
static ULong cost_from(const IRSB *in, Int at)
{
	ULong count = 0;
	for (; at < in->stmts_used && in->stmts[at]->tag != Ist_Exit; at++)
		count += in->stmts[at]->tag == Ist_IMark;
	return count;
}

/* A block that is its routine's first makes it begin, before anything is counted. */
static void add_check(const struct block *b)
{
	IRSB *out = b->out;
	IRExpr *current = load(out, &tool.current);
	if (b->routine) {
		IRExpr *is_other = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, current, word(b->routine)));
		IRExpr **arguments = mkIRExprVec_2(word(b->routine), stack_pointer(b));
		if (b->address == b->routine->start)
			call(out, "stack_enter_start", stack_enter_start, arguments, is_other);
		else
			call(out, "stack_enter_middle", stack_enter_middle, arguments, is_other);
	} else {
		IRExpr *is_none = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, current, word(NULL)));
		call(out, "stack_enter_from", stack_enter_from, mkIRExprVec_2(word((void *)b->address), stack_pointer(b)), is_none);
	}
}

/* A copy costs the same by whichever instructions, or memcpy would be a hundred times as costly from some size on.
 * Below it, its loop moves four vectors of 32 bytes a turn. */
static void add_turn(const struct block *b, UInt bytes)
{
	IRSB *out = b->out;
	IRExpr *left = assign(out, Ity_I64, IRExpr_Get(GUEST_TURNS, Ity_I64));
	IRExpr *part = assign(out, Ity_I64, IRExpr_Binop(Iop_And64, left, IRExpr_Const(IRConst_U64(TURN_BYTES / bytes - 1))));
	IRExpr *is_whole = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, part, IRExpr_Const(IRConst_U64(0))));
	IRExpr *cost = assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, is_whole));
	addStmtToIRSB(out,
	              IRStmt_Store(Iend_LE, word(&tool.cost), assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, load(out, &tool.cost), cost))));
}

static void add_counts(const struct block *b, const struct events *events, Int at)
{
	UInt bytes = guest_turn_bytes((const UChar *)b->address); /* the block of a repeated string instruction has nothing else */
	if (bytes)
		add_turn(b, bytes);
	else
		add_to(b->out, &tool.cost, options.cost_in_instructions ? cost_from(b->in, at) : 1);
	add_to(b->out, &tool.reads, events->reads);
	add_to(b->out, &tool.writes, events->writes);
}

/* Accesses of the C library to its own variables do not count: which ones it reads depends on the processor. */
static Bool is_own(const struct block *b, const struct event *e)
{
	return b->routine && b->routine->module->is_library && e->base == IRTemp_INVALID && !options.count_returns;
}

static void add_event(const struct block *b, const struct event *e)
{
	IRSB *out = b->out;
	enum access_kind kind = is_own(b, e) && e->kind == ACCESS_MODIFY ? ACCESS_WRITE : e->kind;
	const struct access_hook *hook = access_hook(kind, e->bytes);
	if (is_own(b, e) && kind == ACCESS_READ)
		return;
	IRExpr *address = IRExpr_Const(IRConst_U64((ULong)e->offset));
	if (e->base != IRTemp_INVALID && e->offset)
		address = assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(e->base), address));
	else if (e->base != IRTemp_INVALID)
		address = IRExpr_RdTmp(e->base);
	IRExpr **arguments = hook->takes_bytes ? mkIRExprVec_2(address, IRExpr_Const(IRConst_U64(e->bytes))) : mkIRExprVec_1(address);
	call(out, hook->name, hook->function, arguments, e->guard);
}

/* A call of the next instruction is not a call: old code finds its own address that way. */
static Bool is_call(const struct block *b)
{
	const IRSB *in = b->in;
	Addr behind = 0;
	for (Int i = 0; i < in->stmts_used; i++)
		if (in->stmts[i]->tag == Ist_IMark)
			behind = (Addr)in->stmts[i]->Ist.IMark.addr + in->stmts[i]->Ist.IMark.len;
	return in->jumpkind == Ijk_Call && !(in->next->tag == Iex_Const && in->next->Iex.Const.con->Ico.U64 == behind);
}

/* Whether the block ends with a call or a jump to where a pointer points, which is not a linkage table's. */
static Bool goes_through(const struct block *b)
{
	const IRSB *in = b->in;
	if ((in->jumpkind != Ijk_Call && in->jumpkind != Ijk_Boring) || in->next->tag != Iex_RdTmp)
		return False;
	for (Int i = in->stmts_used - 1; i >= 0; i--) {
		const IRStmt *s = in->stmts[i];
		if (s->tag == Ist_WrTmp && s->Ist.WrTmp.tmp == in->next->Iex.RdTmp.tmp)
			return s->Ist.WrTmp.data->tag != Iex_Load || !events_is_linkage(s->Ist.WrTmp.data->Iex.Load.addr);
	}
	return True;
}

static void add_end(const struct block *b)
{
	if (!b->is_linkage && goes_through(b))
		addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, word(&tool.through), b->in->next));
	if (b->is_linkage) {
		if (b->in->jumpkind == Ijk_Call)
			call(b->out, "stack_hide", stack_hide, mkIRExprVec_1(stack_pointer(b)), NULL);
	} else if (is_call(b)) {
		addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, word(&tool.current), word(NULL)));
	} else if (b->in->jumpkind == Ijk_Ret) {
		call(b->out, "stack_return", stack_return, mkIRExprVec_1(stack_pointer(b)), NULL);
	}
}

static void translate(const struct block *b)
{
	static struct events events;
	Int next = 0, first = 0;
	events_find(&events, b->in);
	while (first < b->in->stmts_used && b->in->stmts[first]->tag != Ist_IMark)
		first++;
	for (Int i = 0; i < b->in->stmts_used; i++) {
		IRStmt *s = b->in->stmts[i];
		if (i == first && !b->is_linkage) {
			add_check(b);
			add_counts(b, &events, i);
		}
		for (; next < events.count && events.list[next].at == i; next++)
			if (!b->is_linkage || options.count_returns)
				add_event(b, &events.list[next]);
		addStmtToIRSB(b->out, s);
		if (s->tag == Ist_Exit && options.cost_in_instructions && i > first && !b->is_linkage &&
		    !guest_turn_bytes((const UChar *)b->address))
			add_to(b->out, &tool.cost, cost_from(b->in, i + 1));
	}
	add_end(b);
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word)
{
	(void)extents, (void)host, (void)guest_word, (void)host_word;
	struct block b = {.in = in, .out = deepCopyIRSBExceptStmts(in), .sp = layout->offset_SP, .address = (Addr)closure->nraddr};
	b.routine = routines_with(b.address);
	b.is_linkage = (b.routine && b.routine->is_resolver) || (!b.routine && is_stub(in, b.address));
	translate(&b);
	return b.out;
}
