/* SPDX-License-Identifier: MIT */
/* replay.c: gives files to a target of `make fuzz` without libFuzzer, one after the other: TARGET FILE… The first file that crashes the
 * target ends it; the last line says which one it was. */
#include "fuzz/fuzz.h"

static int replay(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned char *bytes = NULL;
	size_t size = 0, room = 0, got = 1;
	if (!file) {
		perror(path);
		return 1;
	}
	while (got) {
		if (size == room && !(bytes = realloc(bytes, room = 2 * room + 4096)))
			exit(1);
		size += got = fread(bytes + size, 1, room - size, file);
	}
	fclose(file);
	/* As many bytes as there are: reading behind them is an error of memory. */
	unsigned char *exact = malloc(size ? size : 1);
	if (!exact)
		exit(1);
	memcpy(exact, bytes, size);
	free(bytes);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;
	for (int i = 1; i < argc; i++) {
		fprintf(stderr, "%s\n", argv[i]);
		status |= replay(argv[i]);
	}
	return status;
}
