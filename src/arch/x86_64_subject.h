/* SPDX-License-Identifier: MIT */
/* x86_64_subject.h: Intel's and AMD's 64-bit processors, inside a subject. Include arch/subject.h. */
#ifndef SKEIN_ARCH_X86_64_SUBJECT_H
#define SKEIN_ARCH_X86_64_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

/* ---- registers by DWARF's numbers ---- */

enum {
	DWARF_FP = 6,        /* rbp: the frame pointer, in code that keeps one */
	DWARF_SP = 7,        /* rsp */
	DWARF_RA = 16,       /* the code address: of a frame that is not innermost, its return address */
	DWARF_REGISTERS = 17 /* number of registers in descriptions of frames */
};

/* Registers that a function gives back as they were, but for the stack pointer: X(index, DWARF's number). */
#define ARCH_SAVED_LIST(X) X(0, 3) X(1, 6) X(2, 12) X(3, 13) X(4, 14) X(5, 15)
#define ARCH_SAVED 6    /* how many */
#define ARCH_SAVED_FP 1 /* index of the frame pointer */

/* Registers that are known in called code: ARCH_SAVED_LIST and the stack pointer, as bits. */
#define ARCH_KEPT_BITS 0xf0c8u

/* ---- the calling thread ---- */

/* Where the C library keeps the thread: also its pthread_t. */
ARCH_INLINE uintptr_t arch_thread(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

/* ---- a thread that a signal interrupted ---- */

ARCH_INLINE uintptr_t arch_context_sp(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
}

ARCH_INLINE void arch_context_registers(const ucontext_t *context, uintptr_t registers[DWARF_REGISTERS])
{
	static const uint8_t numbers[DWARF_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
	                                                 REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	for (unsigned i = 0; i < DWARF_REGISTERS; i++)
		registers[i] = (uintptr_t)context->uc_mcontext.gregs[numbers[i]];
}

/* ---- a thread of another process, as the kernel describes it in a sample ---- */

/* Which registers to ask for (attr.sample_regs_user), and DWARF's numbers of them in the order in which they come. */
#define ARCH_SAMPLE_REGISTERS UINT64_C(0xff01ff)
#define ARCH_SAMPLE_ORDER {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15}
#define ARCH_SAMPLE_ABI 2 /* of a 64-bit program: PERF_SAMPLE_REGS_ABI_64 */

/* Whether the two bytes before a code address are a system call. */
ARCH_INLINE bool arch_is_system_call(const unsigned char before[2])
{
	return before[0] == 0x0f && before[1] == 0x05;
}

/* Whether the thread was about to read the cycle counter. If so it goes on behind that, and has read `tick`. */
ARCH_INLINE bool arch_context_has_read_tick(ucontext_t *context, uint64_t tick)
{
	static const unsigned char read[] = {0x0f, 0x31}, read_with_core[] = {0x0f, 0x01, 0xf9};
	greg_t *registers = context->uc_mcontext.gregs;
	const void *at = (const void *)registers[REG_RIP];
	bool has_core = memcmp(at, read_with_core, sizeof read_with_core) == 0;
	if (!has_core && memcmp(at, read, sizeof read) != 0)
		return false;
	registers[REG_RAX] = (greg_t)(tick & UINT32_MAX);
	registers[REG_RDX] = (greg_t)(tick >> 32);
	registers[REG_RCX] = has_core ? 0 : registers[REG_RCX];
	registers[REG_RIP] += (greg_t)(has_core ? sizeof read_with_core : sizeof read);
	return true;
}

/* ---- return addresses ---- */

enum { ARCH_CALL_BYTES_MAX = 7 };

/* Length of an indirect call with the second byte `modrm` (and third `sib`), without prefixes; 0: not a call. */
ARCH_INLINE unsigned arch_indirect_call_bytes(unsigned modrm, unsigned sib)
{
	unsigned mode = modrm >> 6, base = modrm & 7;
	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return 2;
	unsigned bytes = base == 4 ? 3 : 2;
	if (mode == 1)
		return bytes + 1;
	if (mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5))
		return bytes + 4;
	return bytes;
}

/* Whether the ARCH_CALL_BYTES_MAX bytes before the address `ip` end with a call. *target: where a direct call goes,
 * or 0. `code` has one more byte, 0. */
ARCH_INLINE bool arch_ends_with_call(const unsigned char code[ARCH_CALL_BYTES_MAX + 1], uintptr_t ip, uintptr_t *target)
{
	int32_t distance;
	*target = 0;
	if (code[ARCH_CALL_BYTES_MAX - 5] == 0xe8) {
		memcpy(&distance, &code[ARCH_CALL_BYTES_MAX - 4], sizeof distance);
		*target = ip + (uintptr_t)(intptr_t)distance;
		return true;
	}
	for (unsigned bytes = 2; bytes <= ARCH_CALL_BYTES_MAX; bytes++) {
		const unsigned char *call = &code[ARCH_CALL_BYTES_MAX - bytes];
		if (call[0] == 0xff && arch_indirect_call_bytes(call[1], call[2]) == bytes)
			return true;
	}
	return false;
}

/* ---- functions in assembly ----
 *
 * Each macro stands in one file, outside of any function, and defines what its comment says. */

/* The registers that ARCH_CALL_WITH_CALLER saves, in the order of its pushes. */
struct arch_caller {
	uintptr_t r15, r14, r13, r12, rbp, rbx, rip;
};

ARCH_INLINE void arch_caller_registers(const struct arch_caller *caller, uintptr_t registers[DWARF_REGISTERS])
{
	registers[3] = caller->rbx;
	registers[DWARF_FP] = caller->rbp;
	registers[DWARF_SP] = (uintptr_t)(caller + 1);
	registers[12] = caller->r12;
	registers[13] = caller->r13;
	registers[14] = caller->r14;
	registers[15] = caller->r15;
	registers[DWARF_RA] = caller->rip;
}

#define ARCH_FUNCTION(name) ".pushsection .text\n.p2align 4\n.type " #name ", @function\n" #name ":\n\t.cfi_startproc\n"
#define ARCH_FUNCTION_END(name) "\t.cfi_endproc\n.size " #name ", . - " #name "\n.popsection\n"
#define ARCH_PUSH(name) "\tpushq %" #name "\n\t.cfi_adjust_cfa_offset 8\n"
#define ARCH_POP(name) "\tpopq %" #name "\n\t.cfi_adjust_cfa_offset -8\n"

/* clang-format off */

/* name(a, b, c, d) calls with(a, b, c, d, const struct arch_caller *): the registers of the function that called name.
 * Both are hidden. In assembly, so that the registers are still those of the caller. */
#define ARCH_CALL_WITH_CALLER(name, with)                                                     \
	__asm__(".globl " #name "\n"                                                          \
	        ".hidden " #name "\n"                                                         \
	        ".hidden " #with "\n"                                                         \
	        ARCH_FUNCTION(name)                                                           \
	        ARCH_PUSH(rbx) ARCH_PUSH(rbp) ARCH_PUSH(r12)                                  \
	        ARCH_PUSH(r13) ARCH_PUSH(r14) ARCH_PUSH(r15)                                  \
	        "\tmovq %rsp, %r8\n"                                                          \
	        "\tsubq $8, %rsp\n" /* calls need a stack pointer that is a multiple of 16 */ \
	        "\t.cfi_adjust_cfa_offset 8\n"                                                \
	        "\tcall " #with "\n"                                                          \
	        "\taddq $56, %rsp\n"                                                          \
	        "\t.cfi_adjust_cfa_offset -56\n"                                              \
	        "\tret\n"                                                                     \
	        ARCH_FUNCTION_END(name))

/* vfork(): calls begin(), asks the kernel, and in the parent ends with `return end(long result)`, result as the kernel
 * gives it. The child returns on the parent's stack, so neither the return address nor anything else may be kept there. */
#define ARCH_VFORK(begin, end)                                             \
	__asm__(".globl vfork\n"                                           \
	        ARCH_FUNCTION(vfork)                                       \
	        "\tendbr64\n"                                              \
	        "\tsubq $8, %rsp\n"                                        \
	        "\t.cfi_adjust_cfa_offset 8\n"                             \
	        "\tcall " #begin "\n"                                      \
	        "\taddq $8, %rsp\n"                                        \
	        "\t.cfi_adjust_cfa_offset -8\n"                            \
	        ARCH_POP(rdi)                                              \
	        "\t.cfi_register %rip, %rdi\n"                             \
	        "\tmovl $58, %eax\n" /* the number of vfork */             \
	        "\tsyscall\n"                                              \
	        ARCH_PUSH(rdi)                                             \
	        "\t.cfi_offset %rip, -8\n"                                 \
	        "\ttestq %rax, %rax\n"                                     \
	        "\tje 1f\n"                                                \
	        "\tmovq %rax, %rdi\n"                                      \
	        "\tjmp " #end "\n"                                         \
	        "1:\tret\n"                                                \
	        ARCH_FUNCTION_END(vfork))

/* skein_rt_NAME: the hidden function NAME by clang's convention preserve_most, which gcc does not know: all general
 * registers are kept but r11 and that of the result. ARCH_KEEPING_DOES: NAME has no result, and that register is kept
 * too. Vector registers may change. Seven or nine words are pushed: where calls are made the stack is a multiple of 16. */
#define ARCH_KEEPING(name, before, after)                                  \
	__asm__(".globl skein_rt_" #name "\n"                              \
	        ".hidden " #name "\n"                                      \
	        ARCH_FUNCTION(skein_rt_##name)                             \
	        "\tendbr64\n"                                              \
	        before                                                     \
	        ARCH_PUSH(rcx) ARCH_PUSH(rdx) ARCH_PUSH(rsi) ARCH_PUSH(rdi) \
	        ARCH_PUSH(r8) ARCH_PUSH(r9) ARCH_PUSH(r10)                 \
	        "\tcall " #name "\n"                                       \
	        ARCH_POP(r10) ARCH_POP(r9) ARCH_POP(r8)                    \
	        ARCH_POP(rdi) ARCH_POP(rsi) ARCH_POP(rdx) ARCH_POP(rcx)    \
	        after                                                      \
	        "\tret\n"                                                  \
	        ARCH_FUNCTION_END(skein_rt_##name))
/* clang-format on */

#define ARCH_KEEPING_GIVES(name) ARCH_KEEPING(name, "", "")
#define ARCH_KEEPING_DOES(name) ARCH_KEEPING(name, ARCH_PUSH(rax) ARCH_PUSH(rax), ARCH_POP(rax) ARCH_POP(rax))

#endif
