/* SPDX-License-Identifier: MIT */
/* What `skein check` is told: a claim is read or refused. */
#include "fuzz/fuzz.h"

#include "analyse/input/claim.h"
#include "cli/commands.h"
#include "report/check/claim.h"

/* Only a word with ": " in it is never taken for the name of a recording. */
static void check(char *word)
{
	char *words[] = {word, "there/is/no/such.skein", NULL};
	struct arguments a = {.words = words, .word_count = 2};
	struct fail why;
	if (strstr(word, ": "))
		fuzz_hold(cmd_check(&a, &why) == -1);
}

/* What was read is a claim as doc/check.md has it. */
static void read_claim(const char *word)
{
	struct pool pool = {0};
	struct claim c;
	struct fail why = {0};
	switch (claim_read(&pool, word, &c, &why)) {
	case CLAIM_READ:
		fuzz_hold(c.lens ? bound_fits(&c.bound, c.figure->unit) && c.bound.value >= 0 : c.routine && *c.routine);
		fuzz_hold(!c.lens ||
		          (!c.thing == (c.figure->rows->about == FIGURE_RUN) && !c.caller == (c.figure->rows->about != FIGURE_SITE)));
		break;
	case CLAIM_WRONG: fuzz_hold(why.status == FAIL_USAGE && *why.text); break;
	default: break;
	}
	pool_free(&pool);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size);
	struct inputs_claim claim;
	if (inputs_claim_read(text, &claim))
		fuzz_hold(claim.model == MODEL_POWER ? claim.power >= 0 && claim.power <= 10 : claim.model < MODELS_NAMED);
	read_claim(text);
	for (size_t i = 0; i < lens_count; i++) {
		char *word = memory_zeroed(size + 16, 1);
		snprintf(word, size + 16, "%s:%s", lenses[i]->name, text);
		read_claim(word);
		free(word);
	}
	check(text);
	free(text);
	return 0;
}
