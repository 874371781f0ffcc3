/* SPDX-License-Identifier: MIT */
/* compile.c: a compile, or two, and the joining of what they make. */
#include "build/compile.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/folder.h"
#include "base/spawn.h"
#include "build/command.h"
#include "build/elf64.h"
#include "build/way.h"
#include "keys/environment.h"
#include "keys/plan.h"

/* Which words of the command line a compile is given. */
static bool keeps(const struct compile *job, size_t i, bool bitcode)
{
	switch (job->args->is[i]) {
	case ARGS_OPTION: return true;
	case ARGS_LINKER: return !job->split;
	case ARGS_LTO: return job->args->lto && !bitcode;
	case ARGS_DEPENDENCY:
	case ARGS_SIDE_FILE: return !bitcode;
	default: return false;
	}
}

/* A file for make is named after the output. When a link follows, the object's name is ours, and clang must be told the
 * name that it would have chosen for the user's output. */
static void add_dependency_names(const struct compile *job, struct strv *words)
{
	const char *name = job->args->output ? job->args->output : str_base(job->args->words.at[job->input->at]);
	const char *dot = strrchr(str_base(name), '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);

	if (!job->split || !job->args->dep_wanted)
		return;
	if (!job->args->dep_file)
		strv_addf(words, "-MF%.*s.d", stem, name);
	if (!job->args->dep_target) {
		strv_add(words, "-MT");
		if (job->args->output)
			strv_add(words, name);
		else
			strv_addf(words, "%.*s.o", stem, name);
	}
}

/* Lines are what a profile shows, so bitcode always has debug information. The native half has what the user asked for and no
 * more: clang picks other instructions here and there when it writes debug information (in divsufsort.c of zstd even with
 * nothing but line tables). DWARF 4, because Valgrind 3.19 stops at clang's DWARF 5. */
static void add_debug(const struct compile *job, bool bitcode, struct strv *words)
{
	strv_add(words, bitcode || job->way == WAY_STRIP ? "-gdwarf-4" : "-fdebug-default-version=4");
}

/* Preprocessed sources have no use for headers, and the user's -Werror is about his own options. */
void compile_add_headers(const char *libdir, struct strv *words)
{
	if (!libdir)
		return;
	strv_add(words, "--start-no-unused-arguments");
	strv_addf(words, "-I%s/include", libdir);
	strv_add(words, "--end-no-unused-arguments");
}

/* What both halves must be given in common goes here. */
static void add_common(const struct compile *job, struct strv *words)
{
	strv_add_all(words, &job->args->quiet);
	if (job->split)
		strv_add(words, "-Qunused-arguments");
}

/* One compile makes native code and bitcode. */
static bool is_one(const struct compile *job)
{
	return job->way == WAY_SAME || job->way == WAY_STRIP;
}

/* What link-time optimisation begins with is not what code is made of. */
static bool keeps_optimised(const struct compile *job)
{
	return job->way == WAY_SAME && !job->args->lto;
}

static void add_plugin(const struct compile *job, struct strv *words)
{
	if (job->libdir)
		strv_addf(words, "-fpass-plugin=%s/libskein-pass.so", job->libdir);
}

/* For link-time optimisation, or when bitcode is written down on the way. */
static void add_bitcode(const struct compile *job, struct strv *words)
{
	strv_add(words, "-w");
	strv_add(words, "-Qunused-arguments");
	if (job->way == WAY_LTO) {
		strv_add(words, "-flto=full");
		strv_add(words, "-fno-fat-lto-objects");
	} else {
		strv_add(words, "-emit-llvm");
	}
	add_plugin(job, words);
}

struct strv compile_command(const struct compile *job, bool bitcode, const char *output)
{
	struct strv words = {0};

	strv_add(&words, job->driver);
	compile_add_headers(job->libdir, &words);
	for (size_t i = 0; i < job->args->words.count; i++)
		if (keeps(job, i, bitcode))
			strv_add(&words, job->args->words.at[i]);
	add_debug(job, bitcode, &words);
	add_common(job, &words);
	if (bitcode) {
		add_bitcode(job, &words);
	} else {
		if (is_one(job))
			add_plugin(job, &words);
		add_dependency_names(job, &words);
		if (job->args->lto && job->input->kind == ARGS_SOURCE)
			strv_add(&words, "-ffat-lto-objects");
	}
	strv_add(&words, "-o");
	strv_add(&words, output);
	return words;
}

void compile_add_input(const struct compile *job, const char *mode, struct strv *words)
{
	strv_add(words, mode);
	if (job->input->language) {
		strv_add(words, "-x");
		strv_add(words, job->input->language);
	}
	strv_add(words, job->args->words.at[job->input->at]);
}

/* Standard input is read once and compiled twice. */
static int spool(const char *path, struct fail *why)
{
	char buffer[65536];
	size_t n;
	FILE *out = fopen(path, "we");

	while (out && (n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
		fwrite(buffer, 1, n, out);
	if (!out || fclose(out) != 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

static void warn_no_bitcode(const struct compile *job, const char *log)
{
	char *line = compile_line_with(log, "error", "");

	fail_note("skein-cc", "warning: there is no bitcode of %s, so its functions cannot be profiled: %s",
	          job->args->words.at[job->input->at], line ? line : "");
	free(line);
}

/* Some outputs are no objects (-o /dev/null, a target that is not 64-bit ELF): they stay as clang made them. */
static bool wants_bitcode(const struct compile *job)
{
	struct stat st;

	return job->input->kind == ARGS_SOURCE && strcmp(job->output, "-") != 0 && (stat(job->output, &st) < 0 || S_ISREG(st.st_mode));
}

/* The record from which the source can be compiled once more (command.h); empty if that is impossible. */
static struct blob own_command(const struct compile *job)
{
	struct fail unsaid;
	struct strv words = {0};
	struct blob record = {0};
	char *here = strcmp(job->args->words.at[job->input->at], "-") == 0 ? NULL : folder_here(&unsaid);

	strv_add(&words, job->driver);
	for (size_t i = 0; i < job->args->words.count; i++)
		if ((job->args->is[i] == ARGS_OPTION || job->args->is[i] == ARGS_LTO) && *job->args->words.at[i])
			strv_add(&words, job->args->words.at[i]);
	compile_add_input(job, "-c", &words);
	if (here)
		record = command_record(here, &words);
	free(here);
	strv_free(&words);
	return record;
}

/* An empty blob for a file that is not there. */
static int read_part(const char *path, struct blob *part, struct fail *why)
{
	*part = (struct blob){0};
	return access(path, F_OK) == 0 ? blob_read(path, part, why) : 0;
}

static int join(const struct compile *job, const struct halves *h, struct fail *why)
{
	struct blob object, half = {0}, optimised = {0}, returns = {0}, parallel = {0};
	const unsigned char *level = (const unsigned char *)&job->args->level;

	if (blob_read(job->output, &object, why) < 0)
		return -1;
	int type = elf64_type(object);
	blob_free(&object);
	if (type != ET_REL)
		return 0;
	int failed = blob_read(h->bitcode, &half, why) < 0 || read_part(h->optimised, &optimised, why) < 0 ||
		read_part(h->returns, &returns, why) < 0 || read_part(h->parallel, &parallel, why) < 0;
	struct blob record = own_command(job);
	struct elf64_addition more[6] = {
		job->args->lto ? (struct elf64_addition){is_one(job) ? COMPILE_RAW : COMPILE_OWN, SHT_PROGBITS, SHF_EXCLUDE, half}
			       : (struct elf64_addition){COMPILE_BITCODE, ELF64_LLVM_LTO, SHF_EXCLUDE, half},
		{COMPILE_MARK, SHT_PROGBITS, SHF_EXCLUDE, {level, 1}},
		{COMMAND_SECTION, SHT_PROGBITS, 0, record},
	};
	size_t count = 3;
	if (optimised.at)
		more[count++] = (struct elf64_addition){COMPILE_OPTIMISED, SHT_PROGBITS, SHF_EXCLUDE, optimised};
	if (returns.size)
		more[count++] = (struct elf64_addition){COMPILE_RETURNS, SHT_PROGBITS, SHF_EXCLUDE, returns};
	if (parallel.at)
		more[count++] = (struct elf64_addition){COMPILE_PARALLEL, SHT_PROGBITS, SHF_EXCLUDE, parallel};
	failed = failed || elf64_add(job->output, more, count, why);
	blob_free(&record);
	blob_free(&half);
	blob_free(&optimised);
	blob_free(&returns);
	blob_free(&parallel);
	return failed ? -1 : 0;
}

static void tell_plugin(enum plan_key key, const char *path)
{
	char variable[64];

	snprintf(variable, sizeof variable, ENVIRONMENT_PASS "%s", plan_key_name(key));
	if (path)
		setenv(variable, path, 1);
	else
		unsetenv(variable);
}

/* The compile that is for bitcode alone, as far as it is the user's affair: its errors are kept for us. */
static int start_bitcode(const struct compile *job, const struct halves *h, struct spawn *other, struct strv *words, struct fail *why)
{
	*words = compile_command(job, true, job->way == WAY_LTO ? h->bitcode : h->optimised);
	strv_add(words, "-D__skein_bitcode__=1");
	compile_add_input(job, "-c", words);
	*other = (struct spawn){.argv = words->at, .input = h->input, .errors = h->log};
	tell_plugin(PLAN_BEFORE, job->way == WAY_LTO ? NULL : h->bitcode);
	tell_plugin(PLAN_EMITS, job->way == WAY_LTO ? NULL : "1");
	tell_plugin(PLAN_RETURNS, h->returns);
	int failed = spawn_start(other, why);
	tell_plugin(PLAN_BEFORE, NULL);
	tell_plugin(PLAN_EMITS, NULL);
	tell_plugin(PLAN_RETURNS, NULL);
	return failed;
}

static int start_native(const struct compile *job, const struct halves *h, struct spawn *native, struct strv *words, struct fail *why)
{
	*words = compile_command(job, false, job->output);
	compile_add_input(job, "-c", words);
	*native = (struct spawn){.argv = words->at, .input = h->input};
	tell_plugin(PLAN_BEFORE, is_one(job) ? h->bitcode : NULL);
	tell_plugin(PLAN_AFTER, keeps_optimised(job) ? h->optimised : NULL);
	tell_plugin(PLAN_STRIP, job->way == WAY_STRIP ? "1" : NULL);
	tell_plugin(PLAN_RETURNS, job->args->lto ? NULL : h->returns);
	int failed = spawn_start(native, why);
	tell_plugin(PLAN_BEFORE, NULL);
	tell_plugin(PLAN_AFTER, NULL);
	tell_plugin(PLAN_STRIP, NULL);
	tell_plugin(PLAN_RETURNS, NULL);
	return failed;
}

/* Native code is there; bitcode_status is of the compile for bitcode. */
static int end_halves(struct compile *job, const struct halves *h, int bitcode_status, int *status, struct fail *why)
{
	if (bitcode_status != 0 && compile_says_cilk(h->log)) {
		job->way = WAY_LTO;
		bitcode_status = compile_cilk(job, h, status, why);
	}
	if (*status == 0 && bitcode_status != 0)
		warn_no_bitcode(job, h->log);
	return *status == 0 && bitcode_status == 0 ? join(job, h, why) : 0;
}

static int run_halves(struct compile *job, const struct halves *h, int *status, struct fail *why)
{
	struct spawn native, other;
	struct strv native_words, other_words = {0};
	int failed = start_native(job, h, &native, &native_words, why), bitcode_status = 1;

	if (!failed) {
		bool both = start_bitcode(job, h, &other, &other_words, why) == 0;
		*status = spawn_wait(&native);
		if (both && *status != 0)
			kill(other.pid, SIGTERM);
		bitcode_status = both ? spawn_wait(&other) : 1;
		if (*status == 0)
			failed = end_halves(job, h, bitcode_status, status, why);
	}
	strv_free(&native_words);
	strv_free(&other_words);
	return failed ? -1 : 0;
}

static bool was_at_work(const struct halves *h)
{
	char *mark = str_format("%s" PLAN_AT_WORK_ENDING, h->bitcode);
	bool was = access(mark, F_OK) == 0;

	free(mark);
	return was;
}

/* One compile for both. Where nothing came of it but native code, a second one is made behind it: the source speaks Cilk, or the disk was
 * full. After a crash in the plugin the source is compiled as if there were none. */
static int run_one(struct compile *job, const struct halves *h, int *status, struct fail *why)
{
	struct spawn tool;
	struct strv words;
	int failed = start_native(job, h, &tool, &words, why);

	if (!failed)
		*status = spawn_wait(&tool);
	strv_free(&words);
	if (!failed && *status != 0 && was_at_work(h)) {
		job->way = job->args->lto ? WAY_LTO : WAY_SECOND;
		return run_halves(job, h, status, why);
	}
	if (failed || *status != 0)
		return failed;
	if (access(h->bitcode, F_OK) == 0 && (!keeps_optimised(job) || access(h->optimised, F_OK) == 0))
		return join(job, h, why);
	job->way = WAY_LTO;
	unlink(h->optimised);
	int bitcode_status = start_bitcode(job, h, &tool, &words, why) == 0 ? spawn_wait(&tool) : 1;
	strv_free(&words);
	return end_halves(job, h, bitcode_status, status, why);
}

static int run_both(struct compile *job, const char *folder, int *status, struct fail *why)
{
	struct halves h = {.bitcode = str_format("%s/half.bc", folder),
	                   .optimised = str_format("%s/optimised.bc", folder),
	                   .returns = str_format("%s/returns", folder),
	                   .parallel = str_format("%s/parallel.bc", folder),
	                   .log = str_format("%s/log", folder),
	                   .stdin_copy = str_format("%s/stdin", folder),
	                   .plain = str_format("%s/plain.i", folder),
	                   .marked = str_format("%s/marked.i", folder)};
	bool from_stdin = strcmp(job->args->words.at[job->input->at], "-") == 0;
	int failed = from_stdin ? spool(h.stdin_copy, why) : 0;

	if (from_stdin)
		h.input = h.stdin_copy;
	failed = failed || (is_one(job) ? run_one : run_halves)(job, &h, status, why);
	free(h.bitcode);
	free(h.optimised);
	free(h.returns);
	free(h.parallel);
	free(h.log);
	free(h.stdin_copy);
	free(h.plain);
	free(h.marked);
	return failed ? -1 : 0;
}

static int run_native(const struct compile *job, int *status, struct fail *why)
{
	struct strv words = compile_command(job, false, job->output);

	compile_add_input(job, "-c", &words);
	struct spawn native = {.argv = words.at};
	int failed = spawn_start(&native, why);

	if (!failed)
		*status = spawn_wait(&native);
	strv_free(&words);
	return failed;
}

static int run_in_folder(struct compile *job, int *status, struct fail *why)
{
	char *folder = folder_temporary(why);
	int failed = folder ? run_both(job, folder, status, why) : -1;

	if (folder)
		folder_remove(folder);
	free(folder);
	return failed;
}

/* Code of LLVM's own has the debug information that it has. */
static bool is_llvms(const struct compile *job)
{
	const char *path = job->args->words.at[job->input->at], *dot = strrchr(str_base(path), '.');

	return job->input->language ? strcmp(job->input->language, "ir") == 0 : dot && (strcmp(dot, ".ll") == 0 || strcmp(dot, ".bc") == 0);
}

int compile_run(struct compile *job, int *status, struct fail *why)
{
	job->libdir = folder_libdir();
	bool wanted = wants_bitcode(job);
	job->way = wanted && job->libdir ? way_of(job->args) : WAY_SECOND;
	if (job->way == WAY_STRIP && is_llvms(job))
		job->way = WAY_SAME;
	int failed = wanted ? run_in_folder(job, status, why) : run_native(job, status, why);
	free(job->libdir);
	job->libdir = NULL;
	return failed;
}
