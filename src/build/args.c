/* SPDX-License-Identifier: MIT */
/* args.c: reading a compiler's command line. */
#include "build/args.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blob.h"

#define RESPONSE_DEPTH 16 /* response files that name each other must end somewhere */

void args_split(const char *text, size_t size, struct strv *words)
{
	size_t i = 0;

	while (true) {
		while (i < size && isspace((unsigned char)text[i]))
			i++;
		if (i >= size)
			return;
		char *word, quote = 0;
		size_t length;
		FILE *out = mem_or_die(open_memstream(&word, &length));
		for (; i < size && (quote || !isspace((unsigned char)text[i])); i++) {
			if (text[i] == '\\' && quote != '\'' && i + 1 < size)
				fputc(text[++i], out);
			else if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'')
				quote = quote ? 0 : text[i];
			else
				fputc(text[i], out);
		}
		fclose(out);
		strv_add_bytes(words, word, length);
		free(word);
	}
}

/* A file that cannot be read is no response file: clang keeps such a word as it is, and so do we. */
static int expand(struct strv *to, const char *word, int depth, struct fail *why)
{
	struct strv inner = {0};
	struct blob file;
	struct fail unread;

	if (word[0] != '@' || blob_read(word + 1, &file, &unread) < 0) {
		strv_add(to, word);
		return 0;
	}
	if (depth == RESPONSE_DEPTH) {
		blob_free(&file);
		return fail_set(why, FAIL_USAGE, "%s: response files are nested more than %d deep", word, RESPONSE_DEPTH);
	}
	args_split((const char *)file.at, file.size, &inner);
	blob_free(&file);
	int failed = 0;
	for (size_t i = 0; i < inner.count && !failed; i++)
		failed = expand(to, inner.at[i], depth + 1, why);
	strv_free(&inner);
	return failed;
}

static bool in(const char *text, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(text, table[i]) == 0)
			return true;
	return false;
}
#define IN(text, ...) in(text, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

bool args_takes_value(const char *option)
{
	return IN(option, "-o", "--output", "-x", "--language", "-I", "-L", "-D", "-U", "-F", "-A", "-B", "-G", "-T", "-V", "-b", "-e",
	          "-h", "-l", "-u", "-z", "-arch", "-target", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix",
	          "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-iframework", "-ivfsoverlay", "-include-pch", "-cxx-isystem",
	          "-c-isystem", "-MF", "-MT", "-MQ", "-MJ", "-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xanalyzer",
	          "-Xopenmp-target", "-mllvm", "-mthread-model", "-working-directory", "--sysroot", "--param", "-rpath", "--include",
	          "--serialize-diagnostics", "-serialize-diagnostics", "-dependency-file", "-Ttext", "-Tdata", "-Tbss", "-framework",
	          "-gcc-toolchain", "-specs", "-wrapper", "-dumpbase", "-dumpdir", "-dumpbase-ext", "-aux-info", "--config", "-undef-file",
	          "-undefined", "-dyld-prefix", "-index-store-path", "-fmodule-file", "-ftrapv-handler", "-resource-dir", "-soname",
	          "-plugin", "--assert", "--define-macro", "--undefine-macro", "--include-directory", "--include-directory-after",
	          "--include-prefix", "--include-with-prefix", "--include-with-prefix-after", "--include-with-prefix-before", "--imacros",
	          "--system-header-prefix", "--no-system-header-prefix", "--library-directory", "--for-linker", "--force-link", "--prefix",
	          "--resource", "--rtlib", "--std", "--dyld-prefix", "--analyzer-output", "--vfsoverlay", "-vfsoverlay", "-isystem-after",
	          "-iwithsysroot", "-iframeworkwithsysroot", "-imultilib", "-stdlib++-isystem", "-fdebug-compilation-dir", "-meabi",
	          "-mmlir", "-dependency-dot", "-module-dependency-dir", "-Xoffload-linker", "-Xcuda-fatbinary", "-Xcuda-ptxas",
	          "-ccc-gcc-name", "-ccc-install-dir", "-filelist") ||
		str_starts(option, "-Xarch_") || str_starts(option, "-Xopenmp-target=");
}

/* Options after which clang neither compiles to an object nor links. */
static bool passes(const char *word)
{
	return IN(word, "-E", "--preprocess", "-S", "--assemble", "-M", "-MM", "--dependencies", "--user-dependencies", "-fsyntax-only",
	          "-emit-llvm", "-emit-ast", "--analyze", "-###", "--version", "--help", "-help", "--help-hidden", "-cc1", "-cc1as",
	          "--precompile", "-extract-api", "-rewrite-objc", "--target-help", "-emit-interface-stubs", "-fdriver-only",
	          "--autocomplete", "-print-targets", "-fmodules-codegen") ||
		str_starts(word, "-print-") || str_starts(word, "--print-") || str_starts(word, "-dump") ||
		str_starts(word, "--autocomplete=") || str_starts(word, "--offload-arch") || str_starts(word, "--help=");
}

static bool is_dependency(const char *word)
{
	return IN(word, "-MD", "-MMD", "-MP", "-MV", "-MG", "-MF", "-MT", "-MQ", "-MJ", "--write-dependencies",
	          "--write-user-dependencies") ||
		str_starts(word, "-MF") || str_starts(word, "-MT") || str_starts(word, "-MQ") || str_starts(word, "-MJ") ||
		str_starts(word, "-Wp,-MD") || str_starts(word, "-Wp,-MMD") || str_starts(word, "-Wp,-MT") || str_starts(word, "-Wp,-MP") ||
		str_starts(word, "-Wp,-MF");
}

static bool is_linker(const char *word)
{
	return IN(word, "-shared", "-static", "-static-pie", "-pie", "-no-pie", "-nopie", "-rdynamic", "-s", "-r", "-nostdlib",
	          "-nodefaultlibs", "-nostartfiles", "-nolibc", "-static-libgcc", "-shared-libgcc", "-static-libstdc++", "-static-openmp",
	          "-static-libsan", "-shared-libsan", "-symbolic", "-e", "-h", "-u", "-z", "-Xlinker", "-rpath", "-T", "-Ttext", "-Tdata",
	          "-Tbss", "--shared", "--static", "-soname", "-noprebind", "-N", "-n", "-t") ||
		str_starts(word, "-Wl,") || str_starts(word, "-l") || str_starts(word, "-L") || str_starts(word, "-fuse-ld=") ||
		str_starts(word, "--ld-path=") || str_starts(word, "-T") || (str_starts(word, "-u") && strcmp(word, "-undef") != 0) ||
		str_starts(word, "-z");
}

static bool is_lto(const char *word)
{
	return IN(word, "-flto", "-fno-lto", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fthin-link-bitcode", "-fsplit-lto-unit",
	          "-fno-split-lto-unit", "-funified-lto", "-fno-unified-lto") ||
		str_starts(word, "-flto=") || str_starts(word, "-flto-jobs=");
}

/* Beside the object: what these write must not be written a second time by the compile that makes the bitcode. */
static bool is_side_file(const char *word)
{
	return IN(word, "--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage", "-save-temps", "-gsplit-dwarf",
	          "--serialize-diagnostics", "-serialize-diagnostics", "-fsave-optimization-record", "-ftime-trace", "-fstack-usage",
	          "-H") ||
		str_starts(word, "-save-temps=") || str_starts(word, "--save-temps") || str_starts(word, "-ftime-trace=") ||
		str_starts(word, "-fsave-optimization-record=") || str_starts(word, "-foptimization-record-file=") ||
		str_starts(word, "-gsplit-dwarf=");
}

static enum args_word classify(const char *word)
{
	return IN(word, "-o", "--output") || str_starts(word, "--output=") || (str_starts(word, "-o") && !str_starts(word, "-ob"))
		? ARGS_OUTPUT
		: IN(word, "-x", "--language") || str_starts(word, "--language=") || str_starts(word, "-x") ? ARGS_LANGUAGE
		: IN(word, "-c", "--compile")                                                               ? ARGS_MODE
		: is_dependency(word)                                                                       ? ARGS_DEPENDENCY
		: is_lto(word)                                                                              ? ARGS_LTO
		: is_side_file(word)                                                                        ? ARGS_SIDE_FILE
		: is_linker(word)                                                                           ? ARGS_LINKER
													    : ARGS_OPTION;
}

static void note_level(struct args *args, const char *rest)
{
	args->level_given = true;
	args->level = *rest == 0                                ? '1'
		: *rest >= '0' && *rest <= '3'                  ? *rest
		: isdigit((unsigned char)*rest) || *rest == 'f' ? '3'
		: *rest == 'g'                                  ? '1'
			       : '2'; /* -O is -O1, -Ofast and -O4 are -O3, -Og is -O1, -Os and -Oz are -O2 for small code */
}

static void note_option(struct args *args, const char *word, const char *value)
{
	if (str_starts(word, "-O") && strcmp(word, "-ObjC") != 0)
		note_level(args, word + 2);
	else if (str_starts(word, "-flto"))
		args->lto = args->lto || (strcmp(word, "-flto") == 0 || str_starts(word, "-flto="));
	else if (strcmp(word, "-fno-lto") == 0)
		args->lto = false;
	else if (IN(word, "-MD", "-MMD", "--write-dependencies", "--write-user-dependencies"))
		args->dep_wanted = true;
	else if (str_starts(word, "-MF"))
		args->dep_file = value ? value : word + 3;
	else if (str_starts(word, "-MT") || str_starts(word, "-MQ"))
		args->dep_target = true;
}

static const char *output_of(const char *word, const char *value)
{
	return value ? value : str_starts(word, "--output=") ? word + strlen("--output=") : word + 2;
}

static const char *language_of(const char *word, const char *value)
{
	const char *name = value ? value : str_starts(word, "--language=") ? word + strlen("--language=") : word + 2;
	return strcmp(name, "none") == 0 ? NULL : name;
}

static bool is_header(const char *path, const char *language)
{
	const char *dot = strrchr(str_base(path), '.');
	if (language)
		return strstr(language, "-header") != NULL;
	return dot && IN(dot, ".h", ".hh", ".hpp", ".hxx", ".H", ".h++", ".hp", ".tcc", ".cppm", ".ixx", ".ccm", ".cxxm");
}

static enum args_kind kind_of(const char *path, const char *language)
{
	if (language)
		return IN(language, "c", "c++", "cpp-output", "c++-cpp-output", "objective-c", "objective-c++", "ir",
		          "objective-c-cpp-output", "objective-c++-cpp-output")
			? ARGS_SOURCE
			: ARGS_ASSEMBLY;
	const char *dot = strrchr(str_base(path), '.');
	if (!dot)
		return strcmp(path, "-") == 0 ? ARGS_SOURCE : ARGS_LINKED;
	if (IN(dot, ".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".CXX", ".C", ".CC", ".c++", ".C++", ".ii", ".m", ".mi", ".mm", ".M",
	       ".mii", ".ll", ".bc"))
		return ARGS_SOURCE;
	return IN(dot, ".s", ".S", ".sx", ".asm", ".cu", ".cl", ".hip", ".f", ".F", ".f90", ".F90") ? ARGS_ASSEMBLY : ARGS_LINKED;
}

static void add_input(struct args *args, size_t at, const char *language)
{
	args->inputs = memory_resize(args->inputs, args->inputs_count + 1, sizeof *args->inputs);
	args->inputs[args->inputs_count++] = (struct args_input){at, kind_of(args->words.at[at], language), language};
	args->is[at] = ARGS_INPUT;
}

/* One pass over the words: what each is, and what it says. */
static void read_words(struct args *args, bool *pass)
{
	const char *language = NULL;
	bool compile = false;

	for (size_t i = 0; i < args->words.count; i++) {
		const char *word = args->words.at[i];
		if (word[0] != '-' || word[1] == 0) {
			*pass = *pass || is_header(word, language);
			add_input(args, i, language);
			continue;
		}
		bool two = args_takes_value(word) && i + 1 < args->words.count;
		const char *value = two ? args->words.at[i + 1] : NULL;
		args->is[i] = classify(word);
		*pass = *pass || passes(word);
		compile = compile || args->is[i] == ARGS_MODE;
		if (args->is[i] == ARGS_OUTPUT)
			args->output = output_of(word, value);
		else if (args->is[i] == ARGS_LANGUAGE)
			language = language_of(word, value);
		else
			note_option(args, word, value);
		if (two) {
			args->is[i + 1] = args->is[i];
			i++;
		}
	}
	args->action = *pass || args->inputs_count == 0 ? ARGS_PASS : compile ? ARGS_COMPILE : ARGS_LINK;
}

/* -fcilk= is ours alone: whether it is, and what it says. */
static bool take_cilk(struct args *args, const char *word, struct fail *why, int *failed)
{
	if (!str_starts(word, "-fcilk="))
		return false;
	args->parallel = strcmp(word, "-fcilk=parallel") == 0;
	if (!args->parallel && strcmp(word, "-fcilk=serial") != 0)
		*failed = fail_set(why, FAIL_USAGE, "unknown option %s: use -fcilk=serial (the default) or -fcilk=parallel", word);
	return true;
}

/* All words but those of ours. Behind "--" all words are inputs; with a folder before it, such a word needs no "--" and options may follow. */
static int take_own(struct args *args, const struct strv *all, struct fail *why)
{
	bool only_inputs = false;
	int failed = 0;

	for (size_t i = 0; i < all->count; i++) {
		if (only_inputs) {
			strv_addf(&args->words, "%s%s", all->at[i][0] == '-' ? "./" : "", all->at[i]);
			continue;
		}
		if (strcmp(all->at[i], "--") == 0) {
			only_inputs = true;
			continue;
		}
		if (take_cilk(args, all->at[i], why, &failed))
			continue;
		bool two = args_takes_value(all->at[i]) && i + 1 < all->count;
		strv_add(&args->words, all->at[i]);
		if (two)
			strv_add(&args->words, all->at[++i]);
	}
	return failed;
}

int args_parse(struct args *args, int count, char *const *words, struct fail *why)
{
	struct strv all = {0};
	bool pass = false;
	int failed = 0;

	*args = (struct args){.level = '0'};
	for (int i = 0; i < count && !failed; i++)
		failed = expand(&all, words[i], 0, why);
	if (!failed && (failed = take_own(args, &all, why)) == 0) {
		args->is = mem_or_die(calloc(args->words.count + 1, sizeof *args->is));
		read_words(args, &pass);
	}
	strv_free(&all);
	if (failed)
		args_free(args);
	return failed;
}

void args_free(struct args *args)
{
	strv_free(&args->words);
	strv_free(&args->quiet);
	free(args->is);
	free(args->inputs);
	*args = (struct args){0};
}

static void flat_add(struct args_flat *flat, const char *word, size_t bytes, bool linker)
{
	flat->linker = memory_resize(flat->linker, flat->words.count + 1, sizeof *flat->linker);
	flat->linker[flat->words.count] = linker;
	strv_add_bytes(&flat->words, word, bytes);
}

void args_flatten(const struct strv *words, struct args_flat *flat)
{
	*flat = (struct args_flat){0};
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->at[i];
		if (strcmp(word, "-Xlinker") == 0 && i + 1 < words->count) {
			i++;
			flat_add(flat, words->at[i], strlen(words->at[i]), true);
		} else if (strcmp(word, "-rpath") == 0 || strcmp(word, "-z") == 0) {
			flat_add(flat, word, strlen(word), true);
			if (++i < words->count)
				flat_add(flat, words->at[i], strlen(words->at[i]), true);
		} else if (str_starts(word, "-Wl,")) {
			for (const char *p = word + 4, *comma; p; p = comma ? comma + 1 : NULL) {
				comma = strchr(p, ',');
				flat_add(flat, p, comma ? (size_t)(comma - p) : strlen(p), true);
			}
		} else {
			flat_add(flat, word, strlen(word), false);
		}
	}
}

void args_flat_free(struct args_flat *flat)
{
	strv_free(&flat->words);
	free(flat->linker);
	*flat = (struct args_flat){0};
}
