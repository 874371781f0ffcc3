/* SPDX-License-Identifier: MIT */
/* gccflags.c: the table of flags that are gcc's alone.
 *
 * Each entry is what follows -f or -fno-, -m or -mno-, -W, -Wno-, -Werror= or -Wno-error=. A star at the end stands for
 * anything. What clang accepts and ignores by itself is not here, nor what changes the ABI: those must stay errors. */
#include "build/gccflags.h"

#include <stddef.h>
#include <string.h>

#include "base/strv.h"

/* clang-format off */
static const char *const f_flags[] = {
	"aggressive-loop-optimizations", "allocation-dce", "allow-store-data-races", "analyzer*", "auto-inc-dec", "bit-tests",
	"branch-probabilities", "branch-target-load-optimize*", "btr-bb-exclusive", "callgraph-info*", "canonical-system-headers",
	"check-data-deps", "checking*", "chkp-*", "code-hoisting", "combine-stack-adjustments", "compare-debug*", "compare-elim",
	"concepts-diagnostics-depth=*", "conserve-stack", "cprop-registers", "crossjumping", "cse-follow-jumps", "cse-skip-blocks",
	"dbg-cnt*", "dce", "declone-ctor-dtor", "delayed-branch", "delete-dead-exceptions", "devirtualize-at-ltrans",
	"diagnostics-column-origin=*", "diagnostics-column-unit=*", "diagnostics-escape-format=*", "diagnostics-generate-patch",
	"diagnostics-minimum-margin-width=*", "diagnostics-path-format=*", "diagnostics-plain-output", "diagnostics-show-caret",
	"diagnostics-show-cwe", "diagnostics-show-labels", "diagnostics-show-path-depths", "diagnostics-urls=*", "dse", "dump-*",
	"early-inlining", "eliminate-dwarf2-dups", "emit-class-debug-always", "emit-struct-debug-*", "ext-numeric-literals",
	"extern-tls-init", "fold-simple-inlines", "forward-propagate", "fp-int-builtin-inexact", "function-cse", "gcse-lm",
	"gnu-unique", "graphite*", "guess-branch-probability", "harden-compares", "harden-conditional-branches",
	"hoist-adjacent-loads", "if-conversion*", "indirect-inlining", "inhibit-size-directive", "inline-atomics", "inline-limit-*",
	"ipa-*", "ira-*", "isolate-erroneous-paths-*", "keep-gc-roots-live", "keep-static-functions", "large-source-files",
	"lifetime-dse*", "limit-function-alignment", "live-patching*", "live-range-shrinkage", "loop-block", "loop-flatten",
	"loop-interchange", "loop-nest-optimize", "loop-optimize", "loop-parallelize-all", "loop-strip-mine", "loop-unroll-and-jam",
	"lra-remat", "lto-compression-level=*", "lto-odr-type-merging", "lto-partition=*", "lto-report*", "max-include-depth=*",
	"mem-report*", "merge-debug-strings", "move-loop-invariants", "move-loop-stores", "nothrow-opt", "opt-info*",
	"optimize-register-move", "optimize-strlen", "partial-inlining", "pch-deps", "peephole*", "post-ipa-mem-report",
	"pre-ipa-mem-report", "predictive-commoning", "pretty-templates", "printf-return-value", "profile-abs-path",
	"profile-info-section*", "profile-note=*", "profile-partial-training", "profile-prefix-map=*", "profile-prefix-path=*",
	"profile-reorder-functions", "profile-report", "profile-reproducible=*", "regmove", "reorder-blocks-algorithm=*",
	"reorder-blocks-and-partition", "reorder-functions", "report-bug", "rerun-cse-after-loop", "rerun-loop-opt",
	"reschedule-modulo-scheduled-loops", "sanitize-sections=*", "sched-*", "sched2-*", "schedule-fusion", "section-anchors",
	"sel-sched-*", "selective-scheduling*", "shrink-wrap*", "simd-cost-model=*", "split-ivs-in-unroller", "split-loops",
	"split-paths", "split-wide-types*", "ssa-backprop", "ssa-phiopt", "stack-check=*", "stack-limit*",
	"stack-protector-explicit", "stack-reuse=*", "stats", "stdarg-opt", "store-merging", "strict-volatile-bitfields",
	"sync-libcalls", "thread-jumps", "time-report-details", "toplevel-reorder", "track-macro-expansion*", "tree-*",
	"unconstrained-commons", "unroll-completely-grow-size", "use-linker-plugin", "var-tracking*", "vect-cost-model*",
	"version-loops-for-strides", "vpt", "vtv-*", "working-directory", "whole-program"
};

static const char *const f_clang[] = {"tree-vectorize", "tree-slp-vectorize"}; /* the stars above would take these */

static const char *const m_flags[] = {
	"8bit-idiv", "abm", "accumulate-outgoing-args", "align-data=*", "align-stringops", "avx256-split-unaligned-*",
	"branch-cost=*", "call-ms2sysv-xlogues", "cet-switch", "cld", "dispatch-scheduler", "dump-tune-features", "fentry-name=*",
	"fentry-section=*", "force-drap", "force-indirect-call", "fused-madd", "hle", "indirect-branch-register",
	"indirect-branch=*", "function-return=*", "inline-stringops-dynamically", "inline-all-stringops", "manual-endbr",
	"memcpy-strategy=*", "memset-strategy=*", "mitigate-rop", "move-max=*", "nop-mcount", "prefer-avx128", "push-args",
	"recip=*", "record-mcount", "record-return", "relax-cmpxchg-loop", "sse2avx", "store-max=*", "stringop-strategy=*",
	"stv", "tune-ctrl=*", "veclibabi=*"
};

static const char *const w_flags[] = {
	"abi-tag", "abi=*", "aggressive-loop-optimizations", "aligned-new*", "alloc-size-larger-than*", "alloc-zero",
	"alloca-larger-than*", "analyzer-*", "arith-conversion", "array-bounds=*", "array-compare", "array-parameter=*",
	"attribute-alias*", "attributes=*", "bidi-chars*", "bool-compare", "builtin-declaration-mismatch", "c11-c2x-compat",
	"c90-c99-compat", "c99-c11-compat", "cannot-profile", "cast-align=strict", "catch-value*", "class-memaccess",
	"clobbered", "comma-subscript", "conditionally-supported", "coverage-*", "dangling-pointer*", "designated-init",
	"discarded-array-qualifiers", "discarded-qualifiers", "duplicated-branches", "duplicated-cond", "format-contains-nul",
	"format-diag", "format-overflow=*", "format-truncation=*", "hsa", "if-not-aligned", "implicit-fallthrough=*",
	"inherited-variadic-ctor", "init-list-lifetime", "interference-size", "invalid-imported-macros", "invalid-memory-model",
	"jump-misses-init", "larger-than", "literal-suffix", "logical-op", "lto-type-mismatch", "maybe-uninitialized",
	"memset-elt-size", "mismatched-dealloc", "missing-attributes", "missing-parameter-type", "missing-profile",
	"missing-requires", "missing-template-keyword", "multiple-inheritance", "multistatement-macros", "namespaces", "noexcept",
	"non-template-friend", "nonnull-compare", "normalized*", "old-style-declaration", "openacc-parallelism", "openmp-simd",
	"override-init-side-effects", "packed-bitfield-compat", "packed-not-aligned", "placement-new*", "pmf-conversions",
	"prio-ctor-dtor", "redundant-tags", "restrict", "scalar-storage-order", "shadow-compatible-local", "shadow-local",
	"shadow=*", "shift-overflow=*", "sized-deallocation", "stack-usage*", "strict-null-sentinel", "stringop-overflow*",
	"stringop-overread", "stringop-truncation", "subobject-linkage", "suggest-attribute=*", "suggest-final-methods",
	"suggest-final-types", "switch-outside-range", "switch-unreachable", "sync-nand", "templates", "terminate",
	"traditional", "traditional-conversion", "trampolines", "trivial-auto-var-init", "tsan", "unsafe-loop-optimizations",
	"unsuffixed-float-constants", "unused-const-variable=*", "use-after-free*", "useless-cast",
	"vector-operation-performance", "virtual-inheritance", "virtual-move-assign", "vla-larger-than*", "vla-parameter",
	"volatile", "zero-length-bounds"
};
/* clang-format on */

static bool matches(const char *text, const char *entry)
{
	size_t length = strlen(entry);
	return entry[length - 1] == '*' ? strncmp(text, entry, length - 1) == 0 : strcmp(text, entry) == 0;
}

static bool in_table(const char *text, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (matches(text, table[i]))
			return true;
	return false;
}

#define COUNT(table) (sizeof table / sizeof *table)
#define IN(text, table) in_table(text, table, COUNT(table))

static const char *after(const char *text, const char *prefix)
{
	return str_starts(text, prefix) ? text + strlen(prefix) : text;
}

bool gccflag_is_foreign(const char *argument)
{
	if (argument[0] != '-' || argument[1] == 0)
		return false;
	const char *text = after(argument + 2, "no-");
	switch (argument[1]) {
	case 'f': return IN(text, f_flags) && !IN(text, f_clang);
	case 'm': return IN(text, m_flags);
	case 'W': return IN(after(text, "error="), w_flags);
	default: return false;
	}
}
