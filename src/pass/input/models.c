/* SPDX-License-Identifier: MIT */
/* models.c: hooks for what functions without hooks read and write, for the `input` lens: the words of core/library/library.def become
 * code.
 *
 * Models that cost little are hooks in line. Reads are told before the call, unless they depend on its result; the rest behind it. A
 * word in small letters is a hook of its own, behind the call, with its first three arguments (a digit at its end: that one instead of
 * the third) and its result (rt/input/models.c). Models of system calls, and all with more to them than that, are read at run time: the
 * runtime gets their words and all arguments. */
#include "pass/input/input.h"

#include <stdlib.h>
#include <string.h>
#include "pass/cost.h"
#include "pass/library.h"
#include "pass/openmp.h"
#include "pass/piece.h"

bool input_is_foreign(LLVMValueRef function)
{
	return LLVMIsAFunction(function) && (LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage) &&
		!piece_defines(function);
}

bool input_model(const char *name, struct input_model *model)
{
	const char *words = library_words(name);
	if (!words || strcmp(words, LIBRARY_OWN) == 0)
		return false;
	model->is_quiet = *words == '.';
	model->calls_back = model->is_quiet && words[1] == '&';
	words += strspn(words, ".& ");
	model->is_call = *words == '@';
	model->words = words + model->is_call;
	return true;
}

static const char *name_of(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return input_is_foreign(callee) ? LLVMGetValueName2(callee, &length) : "";
}

/* Whether the optimiser knows that it writes to nothing that others can see, but for what it is given. */
static bool keeps_to_itself(LLVMValueRef call)
{
	static const char name[] = "memory";
	enum { OTHER_WRITTEN = 1 << 5 }; /* two bits each for arguments, hidden memory, all other memory: read, written */
	LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), LLVMAttributeFunctionIndex,
	                                                      LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
	return memory && !(LLVMGetEnumAttributeValue(memory) & OTHER_WRITTEN);
}

bool input_is_quiet(LLVMValueRef call)
{
	const char *name = name_of(call);
	struct input_model model;
	if (!*name)
		return false;
	enum openmp_means means = openmp_means(call);
	bool construct = means != OPENMP_NONE && means != OPENMP_BY_NAME;
	return input_model(name, &model) ? model.is_quiet : keeps_to_itself(call) || (cost_is_quiet(name) && !construct);
}

bool input_calls_back(LLVMValueRef call)
{
	struct input_model model;
	return input_model(name_of(call), &model) && model.calls_back;
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
	if (kind == LLVMStructTypeKind && LLVMCountStructElementTypes(LLVMTypeOf(value))) /* of assembly: the first is the result */
		return as_number(w, LLVMBuildExtractValue(builder(w), value, 0, ""));
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
		return LLVMBuildMul(builder(w), how[1] == 'r' ? result(w, 0) : argument(w, (unsigned)(how[1] - '0')),
		                    argument(w, (unsigned)(how[2] - '0')), "");
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
		LLVMValueRef arguments[] = {w->s->me, argument(w, 0), argument(w, 1),
		                            argument(w, word[end] ? (unsigned)(word[end] - '0') : 2), as_number(w, w->call)};
		edit_hook(&w->s->e, w->before, hook, arguments, 5);
		return;
	}
	LLVMValueRef at = word[1] == '=' ? as_number(w, w->call) : argument(w, (unsigned)(word[1] - '0')), bytes = length(w, word + 2);
	LLVMValueRef pointer = LLVMBuildIntToPtr(builder(w), at, LLVMPointerTypeInContext(LLVMGetModuleContext(w->s->p->module), 0), "");
	strcat(hook, *word == 'R' ? "read" : *word == 'W' ? "write" : "kernel");
	edit_hook(&w->s->e, w->before, hook, (LLVMValueRef[]){w->s->me, pointer, bytes}, 3);
}

static void edit_words(struct word *w, const char *words)
{
	char one[32];
	while (*words) {
		size_t end = strcspn(words, " ");
		if (end < sizeof one) {
			memcpy(one, words, end);
			one[end] = 0;
			edit_word(w, one, edit_after(w->call));
		}
		words += end + (words[end] == ' ');
	}
}

/* ---- models that are read at run time ---- */

enum { ROOM = 10, FORMAT_LIST = 3 }; /* INPUT_CALL_ROOM of rt/input/calls.h */

/* Calls have one array for their arguments, since the next begins when the last has ended; those with many have their own. */
static LLVMValueRef room_for(struct word *w, unsigned count)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->s->e.function));
	if (count <= ROOM && w->s->words)
		return w->s->words;
	LLVMPositionBuilderBefore(w->s->e.builder, first);
	LLVMSetCurrentDebugLocation2(w->s->e.builder, w->s->e.location);
	LLVMValueRef room = LLVMBuildAlloca(w->s->e.builder, LLVMArrayType2(u64(w->s), count <= ROOM ? ROOM : count), "");
	if (count <= ROOM)
		w->s->words = room;
	return room;
}

static void store(struct word *w, LLVMValueRef room, unsigned index, LLVMValueRef value)
{
	LLVMValueRef at = input_u64(w->s, index), word = as_number(w, value);
	LLVMValueRef to = LLVMBuildGEP2(builder(w), u64(w->s), room, &at, 1, "");
	LLVMBuildStore(builder(w), word, to);
}

/* One constant a text, however many calls there are. */
static LLVMValueRef text_of(struct word *w, const char *words)
{
	char name[128] = "skein_hook_words ";
	strncat(name, words, sizeof name - strlen(name) - 1);
	LLVMValueRef known = LLVMGetNamedGlobal(w->s->p->module, name);
	return known ? known : LLVMBuildGlobalString(builder(w), words, name);
}

void input_edit_words(struct input_pass *s, LLVMValueRef call, const char *words, LLVMValueRef *arguments, unsigned count)
{
	struct word w = {.s = s, .call = call, .before = call};
	LLVMValueRef after = edit_after(call), room = room_for(&w, count), text = text_of(&w, words);
	for (unsigned i = 0; i < count || i < ROOM - FORMAT_LIST; i++)
		store(&w, room, i, i < count && arguments[i] ? arguments[i] : input_u64(s, 0));
	LLVMValueRef before = edit_hook(&s->e, call, "skein_hook_calls", (LLVMValueRef[]){s->me, text, room}, 3);
	w.before = after;
	if (after)
		edit_hook(&s->e, after, "skein_hook_called", (LLVMValueRef[]){s->me, text, room, as_number(&w, call), before}, 5);
}

static void edit_called(struct input_pass *s, LLVMValueRef call, const char *words)
{
	unsigned count = LLVMGetNumArgOperands(call);
	LLVMValueRef *arguments = pass_zeroed(count, sizeof *arguments);
	for (unsigned i = 0; i < count; i++)
		arguments[i] = LLVMGetOperand(call, i);
	input_edit_words(s, call, words, arguments, count);
	free(arguments);
}

void input_edit_model(struct input_pass *s, LLVMValueRef call)
{
	struct word w = {.s = s, .call = call};
	struct input_model model;
	if (!input_model(name_of(call), &model))
		return;
	if (model.is_call && *model.words)
		edit_called(s, call, model.words);
	else if (!model.is_call)
		edit_words(&w, model.words);
}
