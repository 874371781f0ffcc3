/* SPDX-License-Identifier: MIT */
#include "build/way.h"

#include <string.h>

static bool starts_as(const char *word, const char *const *list)
{
	while (*list && !str_starts(word, *list))
		list++;
	return *list;
}

static bool is_one_of(const char *word, const char *const *list)
{
	while (*list && strcmp(word, *list) != 0)
		list++;
	return *list;
}

/* Passes that these ask for come behind the plugin's, or make several files of one source. */
static bool adds_code(const char *word)
{
	static const char *const starts[] = {"-fsanitize",       "-fprofile",        "-fcs-profile",
	                                     "-fauto-profile",   "-fcoverage",       "-finstrument-",
	                                     "-fxray",           "-fpass-plugin",    "-fplugin",
	                                     "-fmemory-profile", "-fembed-bitcode",  "-fthinlto",
	                                     "--offload",        "-fopenmp-targets", "-fopenmp-target-",
	                                     "-mfentry",         "-fsplit-mach",     NULL};

	return strcmp(word, "-pg") == 0 || starts_as(word, starts);
}

enum debug { DEBUG_NONE, DEBUG_FULL, DEBUG_ODD };

/* Others of its kind leave out what lenses show, or what Valgrind reads. */
static enum debug debug_of(const char *word)
{
	static const char *const full[] = {"-g", "-g2", "-g3", "-ggdb", "-ggdb2", "-ggdb3", "-gdwarf", "-gdwarf-4", NULL};
	static const char *const none[] = {"-g0", "-ggdb0", NULL};

	return is_one_of(word, full) ? DEBUG_FULL : is_one_of(word, none) ? DEBUG_NONE : DEBUG_ODD;
}

enum way way_of(const struct args *args)
{
	enum debug debug = DEBUG_NONE;
	bool is_odd = false;

	for (size_t i = 0; i < args->words.count; i++) {
		const char *word = args->words.at[i];
		is_odd |= args->is[i] == ARGS_SIDE_FILE || strcmp(word, "-Xclang") == 0;
		if (args->is[i] != ARGS_OPTION)
			continue;
		if (adds_code(word))
			return WAY_LTO;
		if (str_starts(word, "-g") && strcmp(word, "-gcc-toolchain") != 0)
			debug = debug_of(word);
		is_odd |= debug == DEBUG_ODD;
		i += args_takes_value(word);
	}
	if (is_odd && args->lto)
		return WAY_LTO;
	return is_odd ? WAY_SECOND : debug == DEBUG_FULL ? WAY_SAME : WAY_STRIP;
}
