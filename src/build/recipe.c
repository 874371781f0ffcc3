/* SPDX-License-Identifier: MIT */
/* recipe.c: turning a native link into an instrumented one. */
#include "build/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/args.h"
#include "keys/environment.h"
#include "keys/lenses.h"

/* How a word is left out: alone, or with the word behind it. A star stands for anything. */
struct rule {
	const char *word;
	bool with_value;
};

static const struct rule driver_rules[] = {{"-o", true},
                                           {"--output", true},
                                           {"--output=*", false},
                                           {"-x", true},
                                           {"-x*", false},
                                           {"-flto*", false},
                                           {"-fno-lto", false},
                                           {"-ffat-lto-objects", false},
                                           {"-fno-fat-lto-objects", false},
                                           {"-fthinlto-index=*", false},
                                           {"-fuse-ld=*", false},
                                           {"--ld-path=*", false},
                                           {"-save-temps*", false},
                                           {"--save-temps*", false},
                                           {"-v", false},
                                           {"-t", false},
                                           {"-s", false},
                                           {"-MD", false},
                                           {"-MMD", false},
                                           {"-MP", false},
                                           {"-MF", true},
                                           {"-MT", true},
                                           {"-MQ", true},
                                           {"-MJ", true},
                                           {"-MF*", false},
                                           {"-MT*", false},
                                           {"-MQ*", false},
                                           {"-Wp,*", false},
                                           {"-fwhole-program-vtables", false},
                                           {"-fsplit-lto-unit", false},
                                           {"-o*", false}};

static const struct rule linker_rules[] = {{"-rpath", true},
                                           {"--rpath", true},
                                           {"-rpath=*", false},
                                           {"--rpath=*", false},
                                           {"-R", true},
                                           {"-Map", true},
                                           {"--Map", true},
                                           {"-Map=*", false},
                                           {"--Map=*", false},
                                           {"-M", false},
                                           {"--print-map", false},
                                           {"--cref", false},
                                           {"--dependency-file", true},
                                           {"--dependency-file=*", false},
                                           {"--reproduce=*", false},
                                           {"-plugin", true},
                                           {"--plugin", true},
                                           {"-plugin-opt*", false},
                                           {"--plugin-opt*", false},
                                           {"--thinlto-*", false},
                                           {"--lto-*", false},
                                           {"--time-trace*", false},
                                           {"--save-temps*", false},
                                           {"-save-temps*", false},
                                           {"-t", false},
                                           {"--trace", false},
                                           {"--verbose", false},
                                           {"--stats", false},
                                           {"--build-id*", false},
                                           {"--enable-new-dtags", false},
                                           {"--disable-new-dtags", false},
                                           {"--fatal-warnings", false},
                                           {"--gdb-index", false},
                                           {"-s", false},
                                           {"-S", false},
                                           {"--strip-all", false},
                                           {"--strip-debug", false},
                                           {"--no-undefined-version", false},
                                           {"--fat-lto-objects", false},
                                           {"--no-fat-lto-objects", false},
                                           {"--print-gc-sections", false},
                                           {"--print-memory-usage", false},
                                           {"--compress-debug-sections*", false}};

static bool matches(const char *word, const char *entry)
{
	size_t length = strlen(entry);
	return entry[length - 1] == '*' ? strncmp(word, entry, length - 1) == 0 : strcmp(word, entry) == 0;
}

static const struct rule *rule_for(const char *word, bool linker)
{
	const struct rule *rules = linker ? linker_rules : driver_rules;
	size_t count = linker ? sizeof linker_rules / sizeof *rules : sizeof driver_rules / sizeof *rules;

	for (size_t i = 0; i < count; i++)
		if (matches(word, rules[i].word))
			return &rules[i];
	return NULL;
}

/* The copy that stands for an input, when there is one. -lx stands for a libx.a that was found somewhere. */
static const char *replacement(const struct recipe *r, const char *word)
{
	char *path = str_absolute(r->note->folder, word);
	const char *copy = NULL;

	for (size_t i = 0; i + 1 < r->found->replaced.count && !copy; i += 2) {
		const char *base = str_base(r->found->replaced.at[i]);
		bool by_name = (str_starts(word, "-l") && str_starts(base, "lib") && str_starts(base + 3, word + 2) &&
		                strcmp(base + 3 + strlen(word + 2), ".a") == 0) ||
			(str_starts(word, "-l:") && strcmp(base, word + 3) == 0);
		if (by_name || strcmp(path, r->found->replaced.at[i]) == 0)
			copy = r->found->replaced.at[i + 1];
	}
	free(path);
	return copy;
}

static void add_linker(struct strv *command, const char *word)
{
	strv_add(command, "-Xlinker"); /* unlike -Wl, it bears a comma in the word */
	strv_add(command, word);
}

static void add_users_words(const struct recipe *r, struct strv *command)
{
	struct args_flat flat;

	args_flatten(&r->note->words, &flat);
	for (size_t i = 0; i < flat.words.count; i++) {
		const char *word = flat.words.at[i];
		const struct rule *rule = rule_for(word, flat.linker[i]);
		bool value = !flat.linker[i] && args_takes_value(word) && i + 1 < flat.words.count;
		if (rule) {
			i += rule->with_value;
			continue;
		}
		if (flat.linker[i] && strv_has(r->refused, word))
			continue;
		const char *copy = replacement(r, word);
		if (flat.linker[i] && !copy)
			add_linker(command, word);
		else
			strv_add(command, copy ? copy : word);
		if (value)
			strv_add(command, flat.words.at[++i]);
	}
	args_flat_free(&flat);
}

/* The runtime comes before everything else, and so before libc: only then do its interposers catch. The hooks are an
 * object; from an archive they would be dropped, since nothing refers to them before the plugin does. */
static void add_runtime(const struct recipe *r, struct strv *command)
{
	if (r->is_static && !r->parallel)
		strv_addf(command, "%s/skein-rt-static.o", r->libdir);
	if (r->is_static)
		return;
	for (size_t i = 0; i < r->run_paths->count; i++) {
		add_linker(command, "-rpath");
		add_linker(command, r->run_paths->at[i]);
	}
	add_linker(command, r->old_tags ? "--disable-new-dtags" : "--enable-new-dtags");
	if (r->parallel)
		return;
	strv_add(command, "-Wl,--push-state,--no-as-needed");
	strv_addf(command, "%s/%s", r->libdir, lens_runtime(r->lens));
	strv_add(command, "-Wl,--pop-state");
}

/* Without a level at the link lld takes 2, even for a program that was compiled with 0 or 3. */
static char level_of(const struct recipe *r)
{
	return r->found->level >= '0' && r->found->level <= '3' ? r->found->level : '2';
}

static void add_lto(const struct recipe *r, struct strv *command)
{
	strv_add(command, "-flto=full");
	strv_add(command, "-ffat-lto-objects");
	strv_add(command, "-Xlinker");
	strv_addf(command, "--load-pass-plugin=%s/libskein-pass.so", r->libdir);
	strv_add(command, "-Wl,-mllvm,-compute-dead=false"); /* or what was inlined everywhere is gone before the plugin is asked */
	strv_addf(command, "-Wl,--lto-O%c", r->prepared ? '0' : level_of(r));
	strv_addf(command, "-Wl,--lto-CGO%c", level_of(r));
	if (r->parts)
		strv_addf(command, "-Wl,--lto-partitions=%zu", r->parts);
}

void recipe_words(const struct recipe *r, struct strv *command)
{
	strv_add(command, r->note->cxx ? "clang++-19" : "clang-19");
	add_runtime(r, command);
	if (r->hooks)
		strv_add(command, r->hooks);
	else
		strv_addf(command, r->parallel ? "%s/cilk.o" : "%s/hooks-%s.o", r->libdir, r->lens);
	add_users_words(r, command);
	if (r->parallel) {
		strv_add(command, "-fopenmp=libomp");
		strv_add(command, "-Wl,--build-id=sha1");
	}
	strv_add(command, "-fuse-ld=lld");
	strv_add(command, "-Qunused-arguments");
	strv_add(command, "-Wl,--undefined-version");
	strv_add(command, "-Wl,-z,nostart-stop-gc"); /* tables of hooks are reached by __start_ symbols only */
	if (r->hooks)
		for (size_t i = 0; i < r->words->count; i++)
			add_linker(command, r->words->at[i]);
	else
		add_lto(r, command);
	if (r->one_thread)
		strv_add(command, "-Wl,--threads=1");
	strv_add(command, "-o");
	strv_add(command, r->output);
}

bool recipe_has_all(const struct recipe *r)
{
	struct strv command = {0};
	bool all = true;

	recipe_words(r, &command);
	for (size_t i = 1; i < r->found->replaced.count; i += 2)
		all = all && strv_has(&command, r->found->replaced.at[i]);
	strv_free(&command);
	return all;
}

static bool names_same_variable(const char *a, const char *b)
{
	size_t length = strcspn(a, "=");
	return strncmp(a, b, length) == 0 && b[length] == '=';
}

static bool is_overridden(const char *variable, const struct strv *by)
{
	for (size_t i = 0; i < by->count; i++)
		if (names_same_variable(by->at[i], variable))
			return true;
	return false;
}

void recipe_environment(const struct note *note, const struct strv *plan, struct strv *environment)
{
	static const char *const ours[] = {ENVIRONMENT_PASS,   "LIBRARY_PATH=",         "COMPILER_PATH=", "LD_RUN_PATH=",
	                                   "LD_LIBRARY_PATH=", "CCC_OVERRIDE_OPTIONS=", "LC_ALL=",        "LD_PRELOAD="};

	for (char **p = environ; *p; p++) {
		bool drop = is_overridden(*p, &note->environment) || is_overridden(*p, plan);
		for (size_t i = 0; i < sizeof ours / sizeof *ours && !drop; i++)
			drop = str_starts(*p, ours[i]);
		if (!drop)
			strv_add(environment, *p);
	}
	strv_add(environment, "LC_ALL=C");
	strv_add_all(environment, &note->environment);
	strv_add_all(environment, plan);
}

bool recipe_is_static(const struct note *note)
{
	return strv_has(&note->words, "-static") || strv_has(&note->words, "--static") || strv_has(&note->words, "-static-pie") ||
		strv_has(&note->words, "-Wl,-static");
}
