/* SPDX-License-Identifier: MIT */
/* The link recipe of a program: what is read, printed and read again is printed the same. */
#include "fuzz/fuzz.h"

#include "build/note.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct note note, again;
	struct fail why;
	size_t printed, reprinted;
	if (note_parse((struct blob){bytes, size}, "program", &note, &why) < 0)
		return 0;
	char *text = note_print(&note, &printed);
	fuzz_hold(note_parse((struct blob){(unsigned char *)text, printed}, "program", &again, &why) == 0);
	char *retext = note_print(&again, &reprinted);
	fuzz_hold(printed == reprinted && memcmp(text, retext, printed) == 0);
	free(text);
	free(retext);
	note_free(&note);
	note_free(&again);
	return 0;
}
