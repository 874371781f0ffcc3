/* SPDX-License-Identifier: MIT */
/* csv.c: a reader of tables with commas, as a machine with four states.
 *
 *     csv [ROWS]
 *
 * `skein record paths` finds that one way around the loop makes most of it: one more character of a field in quotes, 35 times a row and 2 more in the line of names. The next
 * is one more character of a plain field. And it finds what this text never asks for: a carriage return, a quote inside a plain field, a doubled quote, something behind a quote, an end
 * inside of quotes. Tests of those are missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { START, PLAIN, QUOTED, QUOTE };

struct table {
	size_t rows, fields, characters; /* that fields have, without their quotes */
	size_t doubled, wrong;
};

static void end_row(struct table *t)
{
	t->fields++;
	t->rows++;
}

static void read_table(const char *at, struct table *t)
{
	enum state state = START;
	for (; *at; at++)
		switch (state) {
		case START:
		case PLAIN:
			if (*at == ',') {
				t->fields++;
				state = START;
			} else if (*at == '\n') {
				end_row(t);
				state = START;
			} else if (*at == '"') {
				if (state == PLAIN)
					t->wrong++;
				state = QUOTED;
			} else if (*at != '\r') {
				t->characters++;
				state = PLAIN;
			}
			break;
		case QUOTED:
			if (*at == '"')
				state = QUOTE;
			else
				t->characters++;
			break;
		case QUOTE:
		default:
			if (*at == ',') {
				t->fields++;
				state = START;
			} else if (*at == '\n') {
				end_row(t);
				state = START;
			} else if (*at == '"') {
				t->doubled++;
				t->characters++;
				state = QUOTED;
			} else {
				t->wrong++;
				state = PLAIN;
			}
		}
	if (state == QUOTED)
		t->wrong++;
}

/* A line of names, then rows with 44 characters in four fields. */
static char *text_new(size_t rows)
{
	static const char names[] = "\"no\",what\n", row[] = "12345,\"a row, like many others\",6789,\"and a remark\"\n";
	char *text = malloc(sizeof names + rows * (sizeof row - 1)), *at = text;
	if (!text)
		exit(1);
	memcpy(at, names, sizeof names - 1);
	at += sizeof names - 1;
	for (size_t i = 0; i < rows; i++, at += sizeof row - 1)
		memcpy(at, row, sizeof row - 1);
	*at = 0;
	return text;
}

int main(int argc, char **argv)
{
	size_t rows = argc > 1 ? (size_t)atol(argv[1]) : 100000;
	struct table t = {0};
	char *text = text_new(rows);
	read_table(text, &t);
	int right = t.rows == rows + 1 && t.fields == 2 + 4 * rows && t.characters == 6 + 44 * rows && !t.doubled && !t.wrong;
	printf("%zu rows, %zu fields, %zu characters: %s\n", t.rows, t.fields, t.characters, right ? "right" : "wrong");
	free(text);
	return !right;
}
