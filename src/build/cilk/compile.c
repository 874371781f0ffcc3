/* SPDX-License-Identifier: MIT */
/* compile.c: the bitcode of a source that speaks Cilk. The source is preprocessed, its keywords are rewritten (cilk.h), and the
 * result is compiled once for the lenses and once to run in parallel. */
#include "build/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spawn.h"
#include "build/cilk/cilk.h"
#include "keys/environment.h"
#include "keys/plan.h"

/* The line of a log that has both words; the caller frees. NULL: there is none. */
char *compile_line_with(const char *log, const char *word, const char *other)
{
	struct strv lines = {0};
	char *found = NULL;

	strv_read(&lines, log);
	for (size_t i = 0; i < lines.count && !found; i++)
		if (strstr(lines.at[i], word) && strstr(lines.at[i], other))
			found = str_copy(lines.at[i]);
	strv_free(&lines);
	return found;
}

static int run(const struct strv *words, const struct halves *h, struct fail *why)
{
	struct spawn tool = {.argv = words->at, .input = h->input, .errors = h->log};
	return spawn_start(&tool, why) < 0 ? -1 : spawn_wait(&tool);
}

/* What the plugin or the rewriting found to be no Cilk ends the compile as an error of clang's would. */
static int refuse(const struct compile *job, const char *sentence, int *status)
{
	fprintf(stderr, "%s\n", sentence);
	unlink(job->output);
	*status = 1;
	return 1;
}

static int show_cilk_error(const struct compile *job, const char *log, int *status)
{
	char *line = compile_line_with(log, ": error: ", "cilk_spawn");

	if (line)
		refuse(job, line, status);
	free(line);
	return 1;
}

static int preprocess(const struct compile *job, const struct halves *h, struct fail *why)
{
	struct strv words = compile_command(job, true, h->plain);

	strv_add(&words, "-D__skein_bitcode__=2");
	compile_add_input(job, "-E", &words);
	int status = run(&words, h, why);
	strv_free(&words);
	return status;
}

/* The names of blocks tell the plugin where a conditional ends. `throw` must be allowed in the arm that is never taken even where the
 * user forbids exceptions; no code comes of it. */
static int compile_marked(const struct compile *job, const struct halves *h, const char *output, bool cxx, struct fail *why)
{
	struct strv words = compile_command(job, true, output);

	strv_add(&words, "-fno-discard-value-names");
	if (cxx) {
		strv_add(&words, "-Xclang");
		strv_add(&words, "-fcxx-exceptions");
	}
	strv_add(&words, "-c");
	strv_add(&words, "-x");
	strv_add(&words, cxx ? "c++-cpp-output" : "cpp-output");
	strv_add(&words, h->marked);
	int status = run(&words, h, why);
	strv_free(&words);
	return status;
}

/* Beside it the bitcode in which spawned calls are tasks. Who links the program to run in parallel is told why a source has none. */
static void compile_parallel(const struct compile *job, const struct halves *h, struct blob text)
{
	struct fail why;
	char *line = NULL, variable[64];
	bool cxx;

	snprintf(variable, sizeof variable, ENVIRONMENT_PASS "%s", plan_key_name(PLAN_CILK));
	unlink(h->log);
	bool refused = cilk_rewrite(text, CILK_PARALLEL, h->marked, &cxx, &why) < 0;
	if (!refused) {
		setenv(variable, cxx ? CILK_PARALLEL_CXX : CILK_PARALLEL_C, 1);
		int status = compile_marked(job, h, h->parallel, cxx, &why);
		unsetenv(variable);
		if (status == 0)
			return;
		line = compile_line_with(h->log, "error", "");
	}
	FILE *out = fopen(h->parallel, "we");
	if (out && fprintf(out, "%s", refused ? why.text : line ? line : "") < 0)
		unlink(h->parallel);
	if (out)
		fclose(out);
	free(line);
}

/* The bitcode of a source that speaks Cilk: 0 when it is there. */
int compile_cilk(const struct compile *job, const struct halves *h, int *status, struct fail *why)
{
	struct blob text;
	struct fail wrong;
	bool cxx;

	unlink(h->log); /* of the compile that told us */
	if (preprocess(job, h, why) != 0 || blob_read(h->plain, &text, why) < 0)
		return 1;
	int failed = cilk_rewrite(text, CILK_SERIAL, h->marked, &cxx, &wrong);
	if (failed)
		failed = refuse(job, wrong.text, status);
	else if (compile_marked(job, h, h->bitcode, cxx, why) != 0)
		failed = show_cilk_error(job, h->log, status);
	else
		compile_parallel(job, h, text);
	blob_free(&text);
	return failed;
}

/* The keywords of include/cilk/cilk.h stop the compile of the bitcode with this error. */
bool compile_says_cilk(const char *log)
{
	char *line = compile_line_with(log, "error", "this source speaks Cilk");

	free(line);
	return line;
}
