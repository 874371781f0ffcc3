/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/events.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "valgrind/guest.h"

enum { TOGETHER_MAX = 32 };

/* Where the value of a temporary is known to lie. */
struct value {
	IRTemp base;
	Long offset;
	Bool is_thread; /* the base is the start of the running thread's control block */
};

static struct value *values;
static Int values_room;

static void values_start(const IRSB *block)
{
	Int count = block->tyenv->types_used;
	if (count > values_room) {
		values_room = 2 * count;
		values = VG_(realloc)("skein.values", values, (SizeT)values_room * sizeof *values);
	}
	for (Int i = 0; i < count; i++)
		values[i] = (struct value){(IRTemp)i, 0, False};
}

static Long constant(const IRExpr *e)
{
	return (Long)e->Iex.Const.con->Ico.U64;
}

static struct value value_of(const IRExpr *e)
{
	if (e->tag == Iex_RdTmp)
		return values[e->Iex.RdTmp.tmp];
	return (struct value){IRTemp_INVALID, constant(e), False};
}

static struct value moved(const IRExpr *e, Long by)
{
	struct value v = value_of(e);
	v.offset += by;
	return v;
}

/* The thread control block: where the thread's register points to, and above. Variables of the program lie below. */
static Bool is_control_block(struct value v)
{
	return v.is_thread && v.offset >= 0;
}

/* Whether the value is the address of the thread control block: the register, or what the block has of its own address. */
static Bool is_thread(const IRExpr *e)
{
	if (e->tag == Iex_Get)
		return e->Iex.Get.offset == GUEST_THREAD;
	if (e->tag != Iex_Load || e->Iex.Load.ty != Ity_I64)
		return False;
	struct value v = value_of(e->Iex.Load.addr);
	return is_control_block(v) && guest_is_thread_itself(v.offset);
}

static void learn(const IRStmt *s)
{
	const IRExpr *e = s->Ist.WrTmp.data;
	struct value *v = &values[s->Ist.WrTmp.tmp];
	v->is_thread = is_thread(e);
	if (e->tag == Iex_RdTmp) {
		*v = value_of(e);
	} else if (e->tag == Iex_Binop && (e->Iex.Binop.op == Iop_Add64 || e->Iex.Binop.op == Iop_Sub64)) {
		const IRExpr *a = e->Iex.Binop.arg1, *b = e->Iex.Binop.arg2;
		if (a->tag == Iex_RdTmp && b->tag == Iex_Const)
			*v = moved(a, e->Iex.Binop.op == Iop_Add64 ? constant(b) : -constant(b));
		else if (a->tag == Iex_Const && b->tag == Iex_RdTmp && e->Iex.Binop.op == Iop_Add64) /* an offset into a segment */
			*v = moved(b, constant(a));
	}
}

static Bool covers(const struct event *by, const struct event *e)
{
	return by->base == e->base && !by->guard && by->offset <= e->offset && e->offset + e->bytes <= by->offset + by->bytes;
}

static Bool join(struct event *last, const struct event *e)
{
	Long start = last->offset < e->offset ? last->offset : e->offset;
	Long last_end = last->offset + last->bytes, end = e->offset + e->bytes;
	if (last->kind != e->kind || last->base != e->base || last->guard || last->stretch != e->stretch || e->offset > last_end ||
	    end < last->offset)
		return False;
	end = end > last_end ? end : last_end;
	if (end - start > TOGETHER_MAX)
		return False;
	last->offset = start;
	last->bytes = (UInt)(end - start);
	return True;
}

/* Whether an earlier event covers this access, or can be extended to. */
static Bool is_said(struct events *events, const struct event *e)
{
	for (Int i = 0; i < events->count; i++) {
		struct event *before = &events->list[i];
		if (!covers(before, e))
			continue;
		if (e->kind == ACCESS_READ || before->kind != ACCESS_READ)
			return True;
		if (!e->guard && before->bytes == e->bytes && before->stretch == e->stretch) {
			before->kind = ACCESS_MODIFY;
			return True;
		}
	}
	return events->count && !e->guard && join(&events->list[events->count - 1], e);
}

static void add(struct events *events, struct event e)
{
	if (events->count < EVENTS_MAX && (options.every || !is_said(events, &e)))
		events->list[events->count++] = e;
}

static void access(struct events *events, enum access_kind kind, Int at, UInt stretch, const IRExpr *address, UInt bytes, IRExpr *guard)
{
	struct value v = value_of(address);
	events->reads += kind != ACCESS_WRITE;
	events->writes += kind != ACCESS_READ;
	if (is_control_block(v) && !options.count_returns)
		kind = ACCESS_WRITE;
	add(events, (struct event){kind, at, v.base, v.offset, bytes, guard, stretch});
}

static Bool is_same(const IRExpr *a, const IRExpr *b)
{
	struct value v = value_of(a), w = value_of(b);
	return v.base == w.base && v.offset == w.offset;
}

/* The load of an instruction that is atomic: it goes on with a compare-and-swap of the same place. */
static Bool is_atomic(const IRSB *block, Int at, const IRExpr *address)
{
	for (Int i = at + 1; i < block->stmts_used && block->stmts[i]->tag != Ist_IMark; i++)
		if (block->stmts[i]->tag == Ist_CAS && is_same(block->stmts[i]->Ist.CAS.details->addr, address))
			return True;
	return False;
}

Bool events_is_linkage(const IRExpr *address)
{
	if (address->tag != Iex_Const)
		return False;
	VgSectKind kind = VG_(DebugInfo_sect_kind)(NULL, (Addr)address->Iex.Const.con->Ico.U64);
	return kind == Vg_SectGOT || kind == Vg_SectGOTPLT;
}

/* Not input: the return address, a linkage table, a lock. */
static Bool is_passed_by(const IRSB *block, Int at)
{
	const IRStmt *s = block->stmts[at];
	const IRExpr *address = s->Ist.WrTmp.data->Iex.Load.addr;
	if (!options.count_returns &&
	    ((block->jumpkind == Ijk_Ret && block->next->tag == Iex_RdTmp && block->next->Iex.RdTmp.tmp == s->Ist.WrTmp.tmp) ||
	     events_is_linkage(address)))
		return True;
	return !options.count_locks && is_atomic(block, at, address);
}

/* The store of the return address by a call. It is the last one of its block, and only code that looks for return
 * addresses reads it. */
static Bool is_return_address(const IRSB *block, Int at)
{
	const IRExpr *data = block->stmts[at]->Ist.Store.data;
	if (options.count_returns || block->jumpkind != Ijk_Call || data->tag != Iex_Const)
		return False;
	for (Int i = at + 1; i < block->stmts_used; i++)
		if (block->stmts[i]->tag == Ist_Store)
			return False;
	return True;
}

static UInt loaded_bytes(IRLoadGOp op)
{
	IRType result, loaded;
	typeOfIRLoadGOp(op, &result, &loaded);
	return (UInt)sizeofIRType(loaded);
}

static void swap(struct events *events, const IRSB *block, Int at, UInt stretch)
{
	const IRCAS *cas = block->stmts[at]->Ist.CAS.details;
	UInt bytes = (UInt)sizeofIRType(typeOfIRExpr(block->tyenv, cas->dataLo)) * (cas->dataHi ? 2 : 1);
	access(events, options.count_locks ? ACCESS_MODIFY : ACCESS_WRITE, at, stretch, cas->addr, bytes, NULL);
}

static void helper(struct events *events, Int at, UInt stretch, const IRDirty *d)
{
	IRExpr *guard = d->guard->tag == Iex_Const ? NULL : d->guard;
	enum access_kind kind = d->mFx == Ifx_Read ? ACCESS_READ : d->mFx == Ifx_Write ? ACCESS_WRITE : ACCESS_MODIFY;
	if (d->mFx != Ifx_None)
		access(events, kind, at, stretch, d->mAddr, (UInt)d->mSize, guard);
}

/* A pop takes back what its routine has pushed, or only moves the stack pointer: compilers release room by a pop into a
 * register that nothing needs. What the pop reads was not given to the routine. */
static Bool is_pop(const IRSB *block, Int at)
{
	while (block->stmts[at]->tag != Ist_IMark)
		at--;
	return guest_is_pop((const UChar *)(Addr)block->stmts[at]->Ist.IMark.addr);
}

static void load(struct events *events, const IRSB *block, Int at, UInt stretch)
{
	const IRExpr *e = block->stmts[at]->Ist.WrTmp.data;
	if (is_passed_by(block, at))
		return;
	if (is_pop(block, at) && !options.count_returns)
		events->reads++;
	else
		access(events, ACCESS_READ, at, stretch, e->Iex.Load.addr, (UInt)sizeofIRType(e->Iex.Load.ty), NULL);
}

static void look_at(struct events *events, const IRSB *block, Int at, UInt stretch)
{
	const IRStmt *s = block->stmts[at];
	switch (s->tag) {
	case Ist_WrTmp:
		learn(s);
		if (s->Ist.WrTmp.data->tag == Iex_Load)
			load(events, block, at, stretch);
		break;
	case Ist_Store:
		if (!is_return_address(block, at))
			access(events, ACCESS_WRITE, at, stretch, s->Ist.Store.addr,
			       (UInt)sizeofIRType(typeOfIRExpr(block->tyenv, s->Ist.Store.data)), NULL);
		break;
	case Ist_LoadG:
		access(events, ACCESS_READ, at, stretch, s->Ist.LoadG.details->addr, loaded_bytes(s->Ist.LoadG.details->cvt),
		       s->Ist.LoadG.details->guard);
		break;
	case Ist_StoreG:
		access(events, ACCESS_WRITE, at, stretch, s->Ist.StoreG.details->addr,
		       (UInt)sizeofIRType(typeOfIRExpr(block->tyenv, s->Ist.StoreG.details->data)), s->Ist.StoreG.details->guard);
		break;
	case Ist_CAS: swap(events, block, at, stretch); break;
	case Ist_LLSC:
		access(events, s->Ist.LLSC.storedata ? ACCESS_WRITE : ACCESS_READ, at, stretch, s->Ist.LLSC.addr,
		       (UInt)sizeofIRType(s->Ist.LLSC.storedata ? typeOfIRExpr(block->tyenv, s->Ist.LLSC.storedata)
		                                                : typeOfIRTemp(block->tyenv, s->Ist.LLSC.result)),
		       NULL);
		break;
	case Ist_Dirty: helper(events, at, stretch, s->Ist.Dirty.details); break;
	default: break;
	}
}

void events_find(struct events *events, const IRSB *block)
{
	UInt stretch = 0;
	Bool preamble = True;
	events->count = 0;
	events->reads = events->writes = 0;
	values_start(block);
	for (Int i = 0; i < block->stmts_used; i++) {
		preamble = preamble && block->stmts[i]->tag != Ist_IMark;
		if (!preamble)
			look_at(events, block, i, stretch);
		stretch += block->stmts[i]->tag == Ist_Exit;
	}
}
