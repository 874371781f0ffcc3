// SPDX-License-Identifier: MIT
// shim.cpp: what LLVM offers to C++ alone: being a pass plugin, names in debug information, and some surgery.
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"

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

extern "C" {
// clang-format off
bool shim_function_source(LLVMValueRef f, struct shim_source *out) { return describe(unwrap<Function>(f)->getSubprogram(), out); }
bool shim_is_interposable(LLVMValueRef f) { return !unwrap<Function>(f)->hasLocalLinkage() && !unwrap<Function>(f)->isDSOLocal(); }
bool shim_address_taken(LLVMValueRef f) { return unwrap<Function>(f)->hasAddressTaken(); }
LLVMBasicBlockRef shim_split(LLVMValueRef i) { return wrap(unwrap<Instruction>(i)->getParent()->splitBasicBlock(unwrap<Instruction>(i))); }
void shim_erase_dead(LLVMValueRef f) { removeUnreachableBlocks(*unwrap<Function>(f)); }
void shim_fold_end(LLVMBasicBlockRef b) { ConstantFoldTerminator(unwrap(b), true); }
// clang-format on
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
