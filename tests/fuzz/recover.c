/* SPDX-License-Identifier: MIT */
/* A session folder that becomes a recording: its plan, the table and shape of one object, and one raw recording. The reader of raw
 * recordings checks that lengths stay inside; here all numbers in the file are used for what they mean.
 *
 * The input is a line with the sizes of the first three, `PLAN TABLE SHAPE`, and then all four. */
#include "fuzz/fuzz.h"

#include <sys/stat.h>
#include <unistd.h>
#include "analyse/session.h"
#include "run/lens.h"

struct part {
	const unsigned char *at;
	size_t size;
};

/* The next part, as long as it says or as is left. */
static struct part cut(struct part *rest, size_t size)
{
	struct part part = {rest->at, size < rest->size ? size : rest->size};
	rest->at += part.size;
	rest->size -= part.size;
	return part;
}

static bool write_folder(struct part rest)
{
	static const char *const names[] = {"s/session", "s/table", "s/shape"};
	unsigned sizes[3];
	const unsigned char *newline = rest.size ? memchr(rest.at, '\n', rest.size) : NULL;
	if (!newline)
		return false;
	char *line = fuzz_text(rest.at, (size_t)(newline - rest.at));
	bool is_good = sscanf(line, "%9u %9u %9u", &sizes[0], &sizes[1], &sizes[2]) == 3;
	cut(&rest, strlen(line) + 1);
	free(line);
	mkdir("s", 0700);
	for (unsigned i = 0; is_good && i < 3; i++) {
		struct part part = cut(&rest, sizes[i]);
		fuzz_file(names[i], part.at, part.size);
	}
	fuzz_file("s/1-0.raw", rest.at, rest.size);
	return is_good;
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct session session;
	struct fail why;
	char aside[PATH_MAX];
	if (!write_folder((struct part){bytes, size}) || session_read(&session, "s", &why) < 0)
		return 0;
	const struct run_lens *lens = run_lens_find(session.plan.lens);
	if (lens)
		lens->save(&session, "recovered.skein", aside, &why);
	unlink("recovered.skein");
	session_free(&session);
	run_free(&session.run);
	return 0;
}
