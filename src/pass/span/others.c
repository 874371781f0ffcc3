/* SPDX-License-Identifier: MIT */
/* others.c: a piece of a program (pass/piece.h) and all others: what it tells about its functions, and what it is told.
 *
 * What is proved about a routine depends on all that it can reach, and caller and callee must agree on it. So each piece writes down what
 * its functions call (PLAN_GRAPH), skein solves the graph of all of them (relink/pieces/callgraph.h has the lines), and a piece that is finished
 * reads the facts about its own functions and those that it calls (PLAN_FACTS). Without facts the module is the whole program, and span_graph knows all. */
#include "pass/piece.h"
#include "pass/span/span.h"

#include <stdlib.h>
#include <string.h>

/* ---- telling ---- */

static void write_name(FILE *to, const char *before, LLVMValueRef value)
{
	char *name = piece_scoped_name(value);
	fprintf(to, "%s%s", before, name);
	free(name);
}

/* A call of what no piece defines is of foreign code, which may be quiet. */
static void write_callee(const struct span_pass *s, FILE *to, const struct site *site)
{
	size_t length;
	LLVMValueRef callee = LLVMGetCalledValue(site->call);
	bool is_quiet = LLVMIsACallInst(site->call) && cost_is_quiet(LLVMGetValueName2(callee, &length));
	write_name(to, is_quiet && !span_callee(s, site) ? "\tq" : "\tf", callee);
}

/* The name stands for something that is not a routine here, or calls of it may reach something else. */
static bool is_unclear(const struct span_pass *s, const struct site *site)
{
	LLVMValueRef callee = LLVMGetCalledValue(site->call);
	return !LLVMIsAFunction(callee) || (piece_is_local(callee) && !span_callee(s, site));
}

static void write_routine(const struct span_pass *s, FILE *to, unsigned r)
{
	const struct span_facts *f = &s->facts[r];
	LLVMValueRef function = s->p->routines[r].function;
	bool unclear = false;
	write_name(to, "f\t", function);
	for (unsigned i = 0; i < f->site_count; i++) {
		const struct site *site = &s->p->sites[f->first_site + i];
		unclear |= site->call && is_unclear(s, site);
	}
	fprintf(to, "\t-%s%s%s%s", f->steady ? "s" : "", f->site_count ? "" : "l", unclear ? "u" : "",
	        shim_is_interposable(function) ? "w" : "");
	for (unsigned i = 0; i < f->site_count; i++) {
		const struct site *site = &s->p->sites[f->first_site + i];
		if (site->call && !is_unclear(s, site))
			write_callee(s, to, site);
	}
	fputc('\n', to);
}

/* Called by an invoke or a musttail call, or by functions without sites. */
static bool has_odd_user(const struct span_pass *s, LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool is_plain = LLVMIsACallInst(user) && LLVMGetTailCallKind(user) != LLVMTailCallKindMustTail;
		if (LLVMIsAInstruction(user) && (!is_plain || !span_has_sites(s, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))))
			return true;
	}
	return false;
}

/* Module-level assembly may call whatever it names. */
static void write_named_in_assembly(LLVMModuleRef module, FILE *to)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$@";
	size_t length;
	const char *text = LLVMGetModuleInlineAsm(module, &length), *end = text + length;
	while (text < end) {
		size_t bytes = strspn(text, letters);
		char *name = bytes ? strndup(text, bytes) : NULL;
		LLVMValueRef f = name ? LLVMGetNamedFunction(module, name) : NULL;
		if (f)
			write_name(to, "o\t", f), fputc('\n', to);
		else if (name)
			fprintf(to, "o\t+%s\n", name);
		free(name);
		text += bytes + 1;
	}
}

static void write_others(const struct span_pass *s, FILE *to)
{
	LLVMModuleRef module = s->p->module;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (shim_address_taken(f) || has_odd_user(s, f))
			write_name(to, "o\t", f), fputc('\n', to);
	for (size_t r = 0; r < s->p->routine_count; r++)
		if (!s->p->routines[r].profiled && !piece_is_local(s->p->routines[r].function))
			write_name(to, "x\t", s->p->routines[r].function), fputc('\n', to);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
		if (!piece_is_local(a))
			write_name(to, "x\t", a), fputc('\n', to);
	write_named_in_assembly(module, to);
}

void span_tell(const struct span_pass *s, FILE *to)
{
	for (unsigned r = 0; r < s->p->routine_count; r++)
		if (s->p->routines[r].profiled)
			write_routine(s, to, r);
	write_others(s, to);
}

/* ---- being told ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct span_told *)a)->name, ((const struct span_told *)b)->name);
}

/* NAME FLAGS COMPONENT. */
static void take_line(struct span_pass *s, char *line)
{
	char *rest = line, *name = strsep(&rest, "\t"), *flags = strsep(&rest, "\t"), *component = strsep(&rest, "\n");
	if (!component)
		pass_fail("%s has a line that is not whole", pass_option(PLAN_FACTS));
	s->told = pass_grow(s->told, s->told_count, sizeof *s->told);
	struct span_told *t = &s->told[s->told_count++];
	*t = (struct span_told){.name = strdup(name)};
	if (!t->name)
		pass_fail("out of memory");
	t->facts = (struct span_facts){.steady = strchr(flags, 's'),
	                               .recursive = strchr(flags, 'r'),
	                               .outside = strchr(flags, 'o'),
	                               .leaf = strchr(flags, 'l'),
	                               .unknown = strchr(flags, 'x'),
	                               .component = (unsigned)strtoul(component, NULL, 10)};
	t->facts.measured = t->facts.steady && !t->facts.outside;
	t->facts.leaf &= t->facts.measured;
}

static const struct span_facts *find(const struct span_pass *s, LLVMValueRef function)
{
	struct span_told key = {.name = piece_scoped_name(function)};
	const struct span_told *hit = s->told_count ? bsearch(&key, s->told, s->told_count, sizeof key, by_name) : NULL;
	free(key.name);
	return hit ? &hit->facts : NULL;
}

/* The facts about callees that are not certainly routines of this module: those of other pieces. */
static void take_callees(struct span_pass *s)
{
	struct program *p = s->p;
	s->elsewhere = pass_zeroed(p->site_count, sizeof *s->elsewhere);
	for (size_t i = 0; i < p->site_count; i++) {
		LLVMValueRef callee = LLVMGetCalledValue(p->sites[i].call);
		if (p->sites[i].callee < 0 && LLVMIsAFunction(callee))
			s->elsewhere[i] = find(s, callee);
		p->sites[i].order = (unsigned)i;
		p->sites[i].elsewhere = s->elsewhere[i] && !s->elsewhere[i]->unknown;
	}
}

bool span_take_told(struct span_pass *s)
{
	const char *path = pass_option(PLAN_FACTS);
	size_t room = 0;
	char *line = NULL;
	if (!*path)
		return false;
	FILE *from = fopen(path, "r");
	if (!from)
		pass_fail("cannot read %s", path);
	while (getline(&line, &room, from) > 0)
		take_line(s, line);
	fclose(from);
	free(line);
	qsort(s->told, s->told_count, sizeof *s->told, by_name);
	for (unsigned r = 0; r < s->p->routine_count; r++) {
		const struct span_facts *told = find(s, s->p->routines[r].function);
		bool chunk = s->facts[r].chunk;
		if (!told && s->p->routines[r].profiled)
			pass_fail("%s lacks the function %s", path, s->p->routines[r].name);
		if (told)
			s->facts[r] = *told;
		s->facts[r].chunk = chunk;
		s->facts[r].peels = s->facts[r].measured && !shim_is_interposable(s->p->routines[r].function);
	}
	take_callees(s);
	return true;
}

const struct span_facts *span_callee(const struct span_pass *s, const struct site *site)
{
	if (site->callee >= 0)
		return &s->facts[site->callee];
	return s->elsewhere && site->call ? s->elsewhere[site->order] : NULL;
}

void span_forget_told(struct span_pass *s)
{
	for (size_t i = 0; i < s->told_count; i++)
		free(s->told[i].name);
	free(s->told);
	free(s->elsewhere);
}
