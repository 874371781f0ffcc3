/* SPDX-License-Identifier: MIT */
/* What `skein check` is told: a claim is read or refused. */
#include "fuzz/fuzz.h"

#include "analyse/input/claim.h"
#include "cli/commands.h"

/* Only a word with ": " in it is never taken for the name of a recording. */
static void check(char *word)
{
	char *words[] = {word, "there/is/no/such.skein", NULL};
	struct arguments a = {.words = words, .word_count = 2};
	struct fail why;
	if (strstr(word, ": "))
		fuzz_hold(cmd_check(&a, &why) == -1);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size);
	struct inputs_claim claim;
	if (inputs_claim_read(text, &claim))
		fuzz_hold(claim.model == MODEL_POWER ? claim.power >= 0 && claim.power <= 10 : claim.model < MODELS_NAMED);
	check(text);
	free(text);
	return 0;
}
