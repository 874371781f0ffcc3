/* SPDX-License-Identifier: MIT */
/* tokens.c: a tokenizer that is quick on every text that its author tried, and its repair.
 *
 *     tokens [LARGEST]
 *
 * Each token knows its line. tokenize_slow counts lines from the start of the text for each token: nothing that one sees in a file of a page, but `skein record input` finds that
 * it grows like n^2, and that line_of is where. tokenize counts lines as it goes, and grows like n. Sizes are cells of four characters. */
#include <stdio.h>
#include <stdlib.h>

struct token {
	const char *at;
	unsigned bytes, line;
};

static unsigned line_of(const char *text, const char *at)
{
	unsigned line = 1;
	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

static int is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static int is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* The end of the token that begins here: a word, or one other character. */
static const char *token_end(const char *at)
{
	if (!is_word(*at))
		return at + 1;
	while (is_word(*at))
		at++;
	return at;
}

static size_t tokenize_slow(const char *text, struct token *tokens)
{
	size_t count = 0;
	for (const char *at = text, *end; *at; at = end) {
		end = token_end(at);
		if (!is_space(*at))
			tokens[count++] = (struct token){at, (unsigned)(end - at), line_of(text, at)};
	}
	return count;
}

static size_t tokenize(const char *text, struct token *tokens)
{
	size_t count = 0;
	unsigned line = 1;
	for (const char *at = text, *end; *at; at = end) {
		end = token_end(at);
		if (*at == '\n')
			line++;
		else if (!is_space(*at))
			tokens[count++] = (struct token){at, (unsigned)(end - at), line};
	}
	return count;
}

/* A program of so many characters. */
static char *text_new(size_t bytes)
{
	static const char statement[] = "total = total + price[item] * 12;\n\tif (total > limit_of_all)\n\t\treturn item;\n";
	char *text = malloc(bytes + 1);
	if (!text)
		exit(1);
	for (size_t i = 0; i < bytes; i++)
		text[i] = statement[i % (sizeof statement - 1)];
	text[bytes] = 0;
	return text;
}

static int is_same(const struct token *a, const struct token *b, size_t count)
{
	int same = 1;
	for (size_t i = 0; i < count; i++)
		same = same && a[i].at == b[i].at && a[i].bytes == b[i].bytes && a[i].line == b[i].line;
	return same;
}

int main(int argc, char **argv)
{
	size_t largest = argc > 1 ? (size_t)atol(argv[1]) : 6000, texts = 0, last = 0;
	int right = 1;
	if (largest < 100) {
		fputs("usage: tokens [LARGEST], 100 or more\n", stderr);
		return 2;
	}
	for (size_t n = 100; n <= largest; n += n / 4) {
		char *text = text_new(n);
		struct token *slow = malloc(n * sizeof *slow), *quick = malloc(n * sizeof *quick);
		if (!slow || !quick)
			return 1;
		last = tokenize_slow(text, slow);
		right = right && tokenize(text, quick) == last && is_same(slow, quick, last);
		texts++;
		free(slow);
		free(quick);
		free(text);
	}
	printf("%zu texts, %zu tokens in the last: %s\n", texts, last, right ? "right" : "wrong");
	return !right;
}
