// SPDX-License-Identifier: MIT
// shim.cpp: what LLVM offers to C++ alone: being a pass plugin, names in debug information, and some surgery.
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

extern "C" {
#include "pass/pass.h"
}

using namespace llvm;

struct Event : PassInfoMixin<Event> {
	void (*handle)(LLVMModuleRef);
	static constexpr auto isRequired = [] { return true; }; // at -O0 and for optnone functions too
	static constexpr auto printPipeline = [](raw_ostream &to, auto) { to << "skein on function '@" << pass_at() << "'"; }; // of a crash
	PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
	{
		PreservedAnalyses kept; // none
		kept.abandon<GlobalsAA>();
		return handle(wrap(&m)), kept;
	}
};

static bool describe(const DISubprogram *s, struct shim_source *out)
{
	StringRef name = !s ? "" : s->getLinkageName().empty() ? s->getName() : s->getLinkageName();
	if (s)
		*out = {name.data(), name.size(), s->getFilename().data(), s->getFilename().size(), s->getLine()};
	return s;
}

struct shim_loops {
	DominatorTree dominators;
	LoopInfo loops;
	AssumptionCache assumptions;
	TargetLibraryInfoImpl functions;
	TargetLibraryInfo library;
	ScalarEvolution values;
	SCEVExpander expander;
	explicit shim_loops(Function &f)
	    : dominators(f), loops(dominators), assumptions(f), functions(Triple(f.getParent()->getTargetTriple())), library(functions, &f),
	      values(f, library, assumptions, dominators, loops), expander(values, f.getParent()->getDataLayout(), "")
	{
	}
	const SCEV *turns(const Loop *l)
	{
		const SCEV *again = values.getBackedgeTakenCount(l);
		Type *u64 = Type::getInt64Ty(l->getHeader()->getContext());
		if (isa<SCEVCouldNotCompute>(again) || values.getTypeSizeInBits(again->getType()) > 64)
			return nullptr;
		return values.getAddExpr(values.getNoopOrZeroExtend(again, u64), values.getOne(u64));
	}
	const SCEV *first(const Loop *l, Value *pointer, int64_t *step)
	{
		const SCEV *value = values.getSCEV(pointer);
		auto *moving = dyn_cast<SCEVAddRecExpr>(value);
		if (!moving && values.isLoopInvariant(value, l))
			return *step = 0, value;
		if (!moving || moving->getLoop() != l || !moving->isAffine())
			return nullptr;
		auto *by = dyn_cast<SCEVConstant>(moving->getStepRecurrence(values));
		return by ? (*step = by->getAPInt().getSExtValue(), moving->getStart()) : nullptr;
	}
};

extern "C" {
// clang-format off
struct shim_loops *shim_loops_begin(LLVMValueRef f) { return new shim_loops(*unwrap<Function>(f)); }
void shim_loops_end(struct shim_loops *s) { delete s; }
LLVMValueRef shim_before_loop(void *loop) { return wrap(static_cast<Loop *>(loop)->getLoopPreheader()->getTerminator()); }
bool shim_function_source(LLVMValueRef f, struct shim_source *out) { return describe(unwrap<Function>(f)->getSubprogram(), out); }
bool shim_is_interposable(LLVMValueRef f) { return !unwrap<Function>(f)->hasLocalLinkage() && !unwrap<Function>(f)->isDSOLocal(); }
bool shim_address_taken(LLVMValueRef f) { return unwrap<Function>(f)->hasAddressTaken(); }
LLVMBasicBlockRef shim_split(LLVMValueRef i) { return wrap(unwrap<Instruction>(i)->getParent()->splitBasicBlock(unwrap<Instruction>(i))); }
void shim_erase_dead(LLVMValueRef f) { removeUnreachableBlocks(*unwrap<Function>(f)); }
void shim_fold_end(LLVMBasicBlockRef b) { ConstantFoldTerminator(unwrap(b), true); }
// clang-format on
void *shim_counted_loop(struct shim_loops *s, LLVMBasicBlockRef block, bool *always)
{
	Loop *l = s->loops.getLoopFor(unwrap(block));
	if (!l || !l->isInnermost() || !l->getLoopPreheader() || !l->getLoopLatch() || l->getExitingBlock() != l->getLoopLatch())
		return nullptr;
	const SCEV *turns = s->turns(l);
	*always = s->dominators.dominates(unwrap(block), l->getLoopLatch());
	return turns && s->expander.isSafeToExpandAt(turns, l->getLoopPreheader()->getTerminator()) ? l : nullptr;
}

bool shim_moves_by(struct shim_loops *s, void *loop, LLVMValueRef pointer, long long *step)
{
	auto *l = static_cast<Loop *>(loop);
	int64_t bytes = 0;
	const SCEV *first = s->first(l, unwrap(pointer), &bytes);
	*step = bytes;
	return first && s->expander.isSafeToExpandAt(first, l->getLoopPreheader()->getTerminator());
}

bool shim_distance(struct shim_loops *s, LLVMValueRef from, LLVMValueRef to, long long *bytes)
{
	auto *apart = dyn_cast<SCEVConstant>(s->values.getMinusSCEV(s->values.getSCEV(unwrap(to)), s->values.getSCEV(unwrap(from))));
	*bytes = apart ? apart->getAPInt().getSExtValue() : 0;
	return apart;
}

LLVMValueRef shim_first_value(struct shim_loops *s, void *loop, LLVMValueRef pointer)
{
	int64_t step;
	const SCEV *first = s->first(static_cast<Loop *>(loop), unwrap(pointer), &step);
	return wrap(s->expander.expandCodeFor(first, unwrap(pointer)->getType(), unwrap<Instruction>(shim_before_loop(loop))));
}

LLVMValueRef shim_turns(struct shim_loops *s, void *loop)
{
	const SCEV *turns = s->turns(static_cast<Loop *>(loop));
	return wrap(s->expander.expandCodeFor(turns, turns->getType(), unwrap<Instruction>(shim_before_loop(loop))));
}

bool shim_inlined(LLVMValueRef instruction, unsigned level, struct shim_source *out)
{
	for (const DILocation *at = unwrap<Instruction>(instruction)->getDebugLoc(); at && at->getInlinedAt(); at = at->getInlinedAt())
		if (level-- == 0)
			return describe(at->getScope()->getSubprogram(), out);
	return false;
}

void shim_add_to_loop(LLVMValueRef latch, LLVMMetadataRef *entries, unsigned count)
{
	auto *branch = unwrap<Instruction>(latch);
	ArrayRef more(reinterpret_cast<MDNode **>(entries), count);
	branch->setMetadata("llvm.loop", makePostTransformationMetadata(branch->getContext(), branch->getMetadata("llvm.loop"), {}, more));
}

LLVMValueRef shim_outline(LLVMBasicBlockRef *blocks, unsigned count, const char *suffix)
{
	CodeExtractorAnalysisCache cache(*unwrap(blocks[0])->getParent());
	CodeExtractor extractor(ArrayRef(reinterpret_cast<BasicBlock **>(blocks), count), nullptr, false, nullptr, nullptr, nullptr, false,
	                        false, nullptr, suffix);
	return extractor.isEligible() ? wrap(extractor.extractCodeRegion(cache)) : nullptr;
}

LLVMBasicBlockRef shim_split_edge(LLVMValueRef terminator, unsigned successor)
{
	auto *last = unwrap<Instruction>(terminator);
	BasicBlock *from = last->getParent(), *to = last->getSuccessor(successor);
	auto *middle = BranchInst::Create(to, BasicBlock::Create(from->getContext(), "", from->getParent(), to))->getParent();
	last->setSuccessor(successor, middle);
	for (PHINode &phi : to->phis()) // one entry for each edge
		phi.setIncomingBlock(phi.getBasicBlockIndex(from), middle);
	return wrap(middle);
}

LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "skein", "1", [](PassBuilder &builder) {
			auto on = [](auto handle) {
				return [handle](ModulePassManager &m, OptimizationLevel) { m.addPass(Event{{}, handle}); };
			};
			if (auto *events = builder.getPassInstrumentationCallbacks()) {
				events->registerShouldRunOptionalPassCallback([](StringRef, Any) { return pass_wants_others(); });
				events->registerAfterPassCallback([](StringRef pass, Any ir, const PreservedAnalyses &) {
					if (auto *m = any_cast<const Module *>(&ir); m && pass == "PGOInstrumentationGen")
						counters_write(wrap(*m));
				});
			}
			builder.registerPipelineStartEPCallback(on(pass_at_compile_start));
			builder.registerOptimizerLastEPCallback(on(pass_at_compile_end));
			builder.registerFullLinkTimeOptimizationEarlyEPCallback(on(pass_at_link_start));
			builder.registerFullLinkTimeOptimizationLastEPCallback(on(pass_at_link_end));
		}};
}
} // extern "C"
