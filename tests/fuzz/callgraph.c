/* SPDX-License-Identifier: MIT */
/* What pieces of a program tell of their calls. A zero byte divides pieces; the last piece is names that other code calls, replaces and
 * hides, by turns. */
#include "fuzz/fuzz.h"

#include "relink/pieces/callgraph.h"

static bool is_there(void *program, const char *name)
{
	(void)program;
	return strlen(name) % 2;
}

/* Returns where the last piece begins. */
static const char *add_pieces(struct callgraph *g, const char *text, const char *end)
{
	for (const char *zero; (zero = memchr(text, 0, (size_t)(end - text))); text = zero + 1)
		callgraph_add(g, text, (size_t)(zero - text));
	return text;
}

static void add_names(struct callgraph *g, const char *text)
{
	static void (*const tell[])(struct callgraph *, const char *) = {callgraph_refer, callgraph_replace, callgraph_obscure};
	char *copy = fuzz_text((const unsigned char *)text, strlen(text)), *rest = copy;
	unsigned turn = 0;
	for (char *line; (line = strsep(&rest, "\n")); turn++)
		tell[turn % 3](g, line);
	free(copy);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size);
	for (unsigned how = 0; how < 4; how++) {
		struct callgraph graph = {0};
		add_names(&graph, add_pieces(&graph, text, text + size));
		callgraph_solve(&graph, how & 1, how & 2);
		for (size_t piece = 0; piece < graph.pieces; piece++)
			callgraph_write(&graph, piece, fuzz_nowhere());
		const char *broken = callgraph_broken(&graph, is_there, NULL);
		if (broken)
			fuzz_read(broken);
		callgraph_free(&graph);
	}
	free(text);
	return 0;
}
