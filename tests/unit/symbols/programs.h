/* SPDX-License-Identifier: MIT */
/* programs.h: small programs that are compiled in a folder of their own, and what binutils say of them. */
#ifndef SKEIN_UNIT_SYMBOLS_PROGRAMS_H
#define SKEIN_UNIT_SYMBOLS_PROGRAMS_H

#include "unit/lib.h"

#include "analyse/symbols/ranges.h"
#include "analyse/symbols/symbols.h"

static uint64_t random_state = 20090214;
static char folder[] = "/tmp/skein-symbols-XXXXXX";

static inline unsigned random_below(size_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % limit);
}

/* ---- programs ---- */

__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...)
{
	char command[2048], whole[4096];
	va_list list;
	va_start(list, format);
	vsnprintf(command, sizeof command, format, list);
	va_end(list);
	snprintf(whole, sizeof whole, "cd %s && { %s; }", folder, command);
	if (system(whole) != 0)
		fail_msg("%s", whole);
}

static inline void write_file(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fputs(text, f) < 0, 0);
	assert_int_equal(fclose(f), 0);
}

static inline struct symbols *open_here(const char *name, const char *build_id)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return symbols_open(path, build_id);
}

/* What the first line of a command's output says. */
__attribute__((format(printf, 3, 4))) static void ask(char *line, size_t room, const char *format, ...)
{
	char command[2048], whole[4096];
	va_list list;
	va_start(list, format);
	vsnprintf(command, sizeof command, format, list);
	va_end(list);
	snprintf(whole, sizeof whole, "cd %s && { %s; }", folder, command);
	FILE *f = popen(whole, "r");
	assert_non_null(f);
	if (!fgets(line, (int)room, f))
		line[0] = 0;
	pclose(f);
	line[strcspn(line, "\n")] = 0;
}

static inline uint64_t symbol(const char *name, const char *program, uint64_t *size)
{
	char line[256];
	ask(line, sizeof line, "nm -S %s | awk '$NF == \"%s\" {print $1, NF == 4 ? $2 : 0}'", program, name);
	char *end;
	uint64_t address = strtoull(line, &end, 16);
	if (end == line)
		fail_msg("%s has no %s", program, name);
	if (size)
		*size = strtoull(end, NULL, 16);
	return address;
}

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static volatile int sink;\n"
			     "static inline __attribute__((always_inline)) void leaf(int x) { sink += x; sink ^= 3; }\n"
			     "static inline __attribute__((always_inline)) void middle(int x)\n"
			     "{\n"
			     "	sink = 1;\n"
			     "	leaf(x + 1);\n" /* 8 */
			     "	sink = 2;\n"
			     "}\n"
			     "__attribute__((noinline)) int outer(int n)\n"
			     "{\n"
			     "	for (int i = 0; i < n; i++)\n"
			     "		middle(i);\n" /* 14 */
			     "	if (n > 100)\n"
			     "		abort();\n"
			     "	return sink;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	(void)argv;\n"
			     "	puts(\"x\");\n"
			     "	return outer(argc) + rand();\n"
			     "}\n";

static const char *const ways[] = {"gcc -O2 -gdwarf-4",
                                   "gcc -O2 -gdwarf-5",
                                   "clang-19 -O2 -gdwarf-4",
                                   "clang-19 -O2 -gdwarf-5",
                                   "gcc -O0 -g",
                                   "clang-19 -O0 -g",
                                   "gcc -O2 -g -no-pie",
                                   "clang-19 -O3 -g -ffunction-sections -Wl,--gc-sections -fuse-ld=lld"};

/* Compares what the symbolizer says of an address, innermost first, with what we say. */

static inline int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

#endif
