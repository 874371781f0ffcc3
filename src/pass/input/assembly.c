/* SPDX-License-Identifier: MIT */
/* assembly.c: system calls by their instruction, as programs make them that do without the C library.
 *
 * Constraints say which value goes into which register: those of the number and the arguments are found by their names.
 * Where one is left to the compiler, or moved about by the assembly itself, the call is not known. */
#include "pass/input/input.h"

#include <string.h>
#include "arch/arch.h"

/* A number, then six arguments. */
static const struct {
	const char *name, *whole;
} registers[] = {
#define X(name, whole) {name, whole},
	ARCH_SYSTEM_CALL_LIST(X)
#undef X
};
enum { WORDS = sizeof registers / sizeof *registers };

static bool is(const char *name, const char *constraint, size_t bytes)
{
	return strlen(name) == bytes && memcmp(name, constraint, bytes) == 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || (c >= '0' && c <= '9');
}

static bool has_instruction(const char *text, const char *instruction)
{
	size_t bytes = strlen(instruction);
	for (const char *at = text; (at = strstr(at, instruction)); at += bytes)
		if ((at == text || !is_letter(at[-1])) && !is_letter(at[bytes]))
			return true;
	return false;
}

bool input_asks_kernel(LLVMValueRef call)
{
	size_t bytes;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAInlineAsm(callee) && has_instruction(LLVMGetInlineAsmAsmString(callee, &bytes), ARCH_SYSTEM_CALL);
}

/* Assembly without an instruction that the compiler may move accesses across, as benchmarks keep values with: other threads cannot tell. */
bool input_is_nothing(LLVMValueRef call)
{
	size_t bytes;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (!LLVMIsAInlineAsm(callee) || *LLVMGetInlineAsmAsmString(callee, &bytes))
		return false;
	const char *constraints = LLVMGetInlineAsmConstraintString(callee, &bytes);
	return !strstr(constraints, "{memory}") && !strchr(constraints, '*');
}

static int word_of(const char *constraint, size_t bytes)
{
	for (int i = 0; i < WORDS; i++)
		if (is(registers[i].name, constraint, bytes) || is(registers[i].whole, constraint, bytes))
			return i;
	return -1;
}

/* Constraints are divided by commas: outputs with =, then inputs, in the order of the operands, then what is lost, with
 * ~. An input that is a number goes where that output goes. */
static unsigned find_words(const char *constraints, LLVMValueRef call, LLVMValueRef *words)
{
	int outputs[WORDS];
	unsigned output_count = 0, operand = 0, found = 0, count = LLVMGetNumArgOperands(call);
	for (const char *at = constraints; *at; at += *at == ',') {
		size_t bytes = strcspn(at, ",");
		bool is_output = *at == '=', is_lost = *at == '~', is_address = at[is_output] == '*';
		size_t skip = (size_t)is_output + (is_output && at[1] == '&') + is_address;
		int word = word_of(at + skip, bytes - skip);
		if (is_output && output_count < WORDS)
			outputs[output_count++] = word;
		if (!is_output && *at >= '0' && *at <= '9' && (unsigned)(*at - '0') < output_count)
			word = outputs[*at - '0'];
		if (!is_output && !is_lost && operand < count && word >= 0) {
			words[word] = LLVMGetOperand(call, operand);
			found |= 1u << word;
		}
		operand += (!is_output && !is_lost) || (is_output && is_address);
		at += bytes;
	}
	return output_count && outputs[0] == 0 ? found : 0;
}

static bool has_words(LLVMValueRef call, LLVMValueRef *words)
{
	size_t bytes;
	return find_words(LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &bytes), call, words) & 1; /* the number */
}

bool input_knows_assembly(LLVMValueRef call)
{
	LLVMValueRef words[WORDS] = {0};
	return has_words(call, words);
}

void input_edit_assembly(struct input_pass *s, LLVMValueRef call)
{
	LLVMValueRef words[WORDS] = {0};
	if (has_words(call, words))
		input_edit_words(s, call, "by_number", words, WORDS);
}
