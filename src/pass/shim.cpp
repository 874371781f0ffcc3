// SPDX-License-Identifier: MIT
// shim.cpp: what LLVM offers to C++ alone: being a pass plugin, and names in debug information.
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

extern "C" {
#include "pass/pass.h"
}

using namespace llvm;

namespace {
struct Event : PassInfoMixin<Event> {
	void (*handle)(LLVMModuleRef);
	explicit Event(void (*h)(LLVMModuleRef)) : handle(h) {}
	PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
	{
		handle(wrap(&m));
		auto kept = PreservedAnalyses::none();
		kept.abandon<GlobalsAA>(); // survives none()
		return kept;
	}
	static bool isRequired() { return true; } // at -O0 and for optnone functions too
};

bool describe(const DISubprogram *s, struct shim_source *out)
{
	if (!s)
		return false;
	StringRef name = s->getLinkageName().empty() ? s->getName() : s->getLinkageName();
	*out = {name.data(), name.size(), s->getFilename().data(), s->getFilename().size(), s->getLine()};
	return true;
}
} // namespace

extern "C" bool shim_function_source(LLVMValueRef function, struct shim_source *out)
{
	return describe(unwrap<Function>(function)->getSubprogram(), out);
}

extern "C" bool shim_inlined(LLVMValueRef instruction, unsigned level, struct shim_source *out)
{
	const DILocation *at = unwrap<Instruction>(instruction)->getDebugLoc().get();
	for (; at && at->getInlinedAt(); at = at->getInlinedAt())
		if (level-- == 0)
			return describe(at->getScope()->getSubprogram(), out);
	return false;
}

extern "C" bool shim_is_interposable(LLVMValueRef function)
{
	auto *f = unwrap<Function>(function);
	return !f->hasLocalLinkage() && !f->isDSOLocal();
}

extern "C" bool shim_address_taken(LLVMValueRef function)
{
	return unwrap<Function>(function)->hasAddressTaken();
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "skein", "1", [](PassBuilder &builder) {
		builder.registerFullLinkTimeOptimizationEarlyEPCallback(
			[](ModulePassManager &m, OptimizationLevel) { m.addPass(Event(pass_at_link_start)); });
		builder.registerFullLinkTimeOptimizationLastEPCallback(
			[](ModulePassManager &m, OptimizationLevel) { m.addPass(Event(pass_at_link_end)); });
	}};
}
