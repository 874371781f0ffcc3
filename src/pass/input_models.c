/* SPDX-License-Identifier: MIT */
/* input_models.c: what functions of the C library read and write, for the `input` lens.
 *
 * A model is a list of words, divided by spaces. What happens, where, how much:
 *
 *     R read, W written, K left by the kernel        0…5 an argument, = the result
 *     then the length in bytes:                      N an argument, xNM a product of two arguments, tN the text at an argument with its zero,
 *                                                    r the result, s the result and one, xrN the result times an argument
 *
 * Reads are told before the call, unless they depend on its result; the rest behind it. A word in small letters is a hook of its own, behind the call, with its first
 * three arguments (a digit at its end: that one instead of the third) and its result (rt/input_models.c). A model that begins with a dot is of a function that neither
 * synchronises nor waits; in all others the thread may meet others. */
#include "pass/input.h"

#include <stdlib.h>
#include <string.h>
#include "pass/span.h"

struct model {
	const char *name, *does;
};

/* Sorted by name. */
static const struct model models[] = {
	{"_ZdaPv", "."},
	{"_ZdaPvm", "."},
	{"_ZdlPv", "."},
	{"_ZdlPvm", "."},
	{"_Znam", ". fresh"},
	{"_Znwm", ". fresh"},
	{"__fread_chk", "K0xr2"},
	{"__memcpy_chk", ". R12 W02"},
	{"__memmove_chk", ". R12 W02"},
	{"__memset_chk", ". W02"},
	{"__read_chk", "K1r"},
	{"__snprintf_chk", ". W0s"},
	{"__sprintf_chk", ". W0s"},
	{"__stpcpy_chk", ". R1t1 W0t1"},
	{"__strcat_chk", ". append"},
	{"__strcpy_chk", ". R1t1 W0t1"},
	{"aligned_alloc", ". fresh"},
	{"atof", ". number"},
	{"atoi", ". number"},
	{"atol", ". number"},
	{"atoll", ". number"},
	{"bcmp", ". compare"},
	{"bsearch", "."},
	{"calloc", ". cleared"},
	{"clock_gettime", ". time"},
	{"fgets", "line"},
	{"fgets_unlocked", "line"},
	{"fputs", "R0t0"},
	{"fread", "K0xr1"},
	{"fread_unlocked", "K0xr1"},
	{"free", "."},
	{"fwrite", "R0x12"},
	{"fwrite_unlocked", "R0x12"},
	{"getdelim", "grown"},
	{"getline", "grown"},
	{"malloc", ". fresh"},
	{"memalign", ". fresh"},
	{"memchr", ". find_some"},
	{"memcmp", ". compare"},
	{"memcpy", ". R12 W02"},
	{"memmove", ". R12 W02"},
	{"mempcpy", ". R12 W02"},
	{"memset", ". W02"},
	{"mmap", "mapped4"},
	{"mmap64", "mapped4"},
	{"munmap", "unmapped"},
	{"pread", "K1r"},
	{"pread64", "K1r"},
	{"puts", "R0t0"},
	{"pwrite", "R12"},
	{"pwrite64", "R12"},
	{"qsort", ". R0x12 W0x12"},
	{"read", "K1r"},
	{"readv", "gathered"},
	{"realloc", ". moved"},
	{"recv", "K1r"},
	{"recvfrom", "K1r"},
	{"send", "R12"},
	{"sendto", "R12"},
	{"snprintf", ". W0s"},
	{"sprintf", ". W0s"},
	{"stpcpy", ". R1t1 W0t1"},
	{"strcasecmp", ". compare_text"},
	{"strcat", ". append"},
	{"strchr", ". find"},
	{"strcmp", ". compare_text"},
	{"strcoll", ". R0t0 R1t1"},
	{"strcpy", ". R1t1 W0t1"},
	{"strcspn", ". R0s R1t1"},
	{"strdup", ". copied"},
	{"strlen", ". R0s"},
	{"strncasecmp", ". compare_some"},
	{"strncat", ". append"},
	{"strncmp", ". compare_some"},
	{"strncpy", ". padded"},
	{"strnlen", ". R0r"},
	{"strpbrk", ". find"},
	{"strrchr", ". R0t0"},
	{"strspn", ". R0s R1t1"},
	{"strstr", ". R0t0 R1t1"},
	{"strtod", ". number"},
	{"strtol", ". number"},
	{"strtoll", ". number"},
	{"strtoul", ". number"},
	{"strtoull", ". number"},
	{"write", "R12"},
	{"writev", "scattered"},
};

static int by_name(const void *key, const void *item)
{
	return strcmp(key, ((const struct model *)item)->name);
}

static const char *name_of(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static const char *model_of(LLVMValueRef call)
{
	const struct model *m = bsearch(name_of(call), models, sizeof models / sizeof *models, sizeof *models, by_name);
	return m ? m->does : NULL;
}

/* Whether the optimiser knows that it writes to nothing that others can see, but for what it is given. */
static bool keeps_to_itself(LLVMValueRef call)
{
	static const char name[] = "memory";
	enum { OTHER_WRITTEN = 1 << 5 }; /* two bits each for arguments, hidden memory, all other memory: read, written */
	LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
	return memory && !(LLVMGetEnumAttributeValue(memory) & OTHER_WRITTEN);
}

bool input_is_quiet(LLVMValueRef call)
{
	const char *name = name_of(call), *does = model_of(call);
	if (!*name)
		return false;
	return does ? *does == '.' : keeps_to_itself(call) || (span_is_quiet(name) && strncmp(name, "__kmpc_", 7) != 0);
}

/* ---- inserting a model ---- */

struct word {
	struct input_pass *s;
	LLVMValueRef call, before;
};

static LLVMTypeRef u64(const struct input_pass *s)
{
	return LLVMInt64TypeInContext(LLVMGetModuleContext(s->p->module));
}

static LLVMBuilderRef builder(const struct word *w)
{
	LLVMPositionBuilderBefore(w->s->e.builder, w->before);
	LLVMSetCurrentDebugLocation2(w->s->e.builder, w->s->e.location);
	return w->s->e.builder;
}

static LLVMValueRef as_number(const struct word *w, LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
	if (kind == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(builder(w), value, u64(w->s), "");
	if (kind == LLVMIntegerTypeKind)
		return LLVMBuildIntCast2(builder(w), value, u64(w->s), true, "");
	return input_u64(w->s, 0);
}

static LLVMValueRef argument(const struct word *w, unsigned number)
{
	return number < LLVMGetNumArgOperands(w->call) ? as_number(w, LLVMGetOperand(w->call, number)) : input_u64(w->s, 0);
}

/* Negative ones are errors. */
static LLVMValueRef result(const struct word *w, unsigned more)
{
	LLVMValueRef n = as_number(w, w->call), none = input_u64(w->s, 0);
	LLVMValueRef is_one = LLVMBuildICmp(builder(w), LLVMIntSGE, n, none, "");
	return LLVMBuildSelect(builder(w), is_one, LLVMBuildAdd(builder(w), n, input_u64(w->s, more), ""), none, "");
}

static LLVMValueRef length(const struct word *w, const char *how)
{
	if (*how == 'x')
		return LLVMBuildMul(builder(w), how[1] == 'r' ? result(w, 0) : argument(w, (unsigned)(how[1] - '0')), argument(w, (unsigned)(how[2] - '0')), "");
	if (*how == 't') {
		LLVMValueRef text = argument(w, (unsigned)(how[1] - '0'));
		return edit_hook(&w->s->e, w->before, "skein_hook_text", &text, 1);
	}
	return *how == 'r' ? result(w, 0) : *how == 's' ? result(w, 1) : argument(w, (unsigned)(*how - '0'));
}

static void edit_word(struct word *w, const char *word, LLVMValueRef after)
{
	char hook[64] = "skein_hook_";
	bool simple = *word == 'R' || *word == 'W' || *word == 'K';
	w->before = simple && *word == 'R' && !strpbrk(word, "rs") ? w->call : after;
	if (!w->before)
		return;
	if (!simple) {
		size_t end = strcspn(word, "0123456789");
		strncat(hook, word, end);
		LLVMValueRef arguments[] = {w->s->me, argument(w, 0), argument(w, 1), argument(w, word[end] ? (unsigned)(word[end] - '0') : 2), as_number(w, w->call)};
		edit_hook(&w->s->e, w->before, hook, arguments, 5);
		return;
	}
	LLVMValueRef at = word[1] == '=' ? as_number(w, w->call) : argument(w, (unsigned)(word[1] - '0')), bytes = length(w, word + 2);
	LLVMValueRef pointer = LLVMBuildIntToPtr(builder(w), at, LLVMPointerTypeInContext(LLVMGetModuleContext(w->s->p->module), 0), "");
	strcat(hook, *word == 'R' ? "read" : *word == 'W' ? "write" : "kernel");
	edit_hook(&w->s->e, w->before, hook, (LLVMValueRef[]){w->s->me, pointer, bytes}, 3);
}

void input_edit_model(struct input_pass *s, LLVMValueRef call)
{
	const char *does = model_of(call);
	struct word w = {.s = s, .call = call};
	char one[32];
	while (does && *does) {
		size_t end = strcspn(does, " ");
		if (*does != '.' && end < sizeof one) {
			memcpy(one, does, end);
			one[end] = 0;
			edit_word(&w, one, edit_after(call));
		}
		does += end + (does[end] == ' ');
	}
}
