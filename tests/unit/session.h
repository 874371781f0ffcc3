/* SPDX-License-Identifier: MIT */
/* session.h: for tests that go from raw recordings to a report: a folder for the session, the name of a recording in it, and what
 * a verdict says.
 *
 *     cmocka_unit_test_setup_teardown(a_test, make_folder, remove_folder)
 *     …
 *     must_say(&verdict, "Idle cores took");
 */
#ifndef SKEIN_UNIT_SESSION_H
#define SKEIN_UNIT_SESSION_H

#include "unit/lib.h"

#include "analyse/findings.h"
#include "unit/raw/make.h"

static char folder[64], recording[128];

static inline int make_folder(void **state)
{
	(void)state;
	return rawmake_folder(folder, sizeof folder, recording, sizeof recording, "prog.skein");
}

static inline int remove_folder(void **state)
{
	(void)state;
	return rawmake_remove(folder);
}

static inline bool says(const struct findings *findings, const char *text)
{
	for (size_t i = 0; i < findings->count; i++)
		if (strstr(findings->lines[i], text))
			return true;
	return false;
}

static inline void must_say(const struct findings *findings, const char *text)
{
	if (says(findings, text))
		return;
	for (size_t i = 0; i < findings->count; i++)
		print_message("%s\n", findings->lines[i]);
	fail_msg("nobody says '%s'", text);
}

#endif
