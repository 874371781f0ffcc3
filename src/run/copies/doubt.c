/* SPDX-License-Identifier: MIT */
#include "run/copies/doubt.h"

#include <elf.h>
#include <string.h>

#include "base/blob.h"
#include "build/elf64.h"
#include "relink/subject.h"

/* A name that ends in * is a beginning. */
static const struct {
	const char *cause, *names[16];
} causes[] = {{"starts threads", {"pthread_create", "thrd_create", "__kmpc_fork_call", "GOMP_parallel*", "_ZNSt6thread15_M_start_thread*"}},
              {"reads the time",
               {"time", "clock_gettime", "gettimeofday", "clock", "times", "getrusage", "timespec_get", "localtime", "_ZNSt6chrono*"}},
              {"draws random numbers", {"getrandom", "getentropy", "arc4random*", "_ZNSt13random_device*"}},
              {"may draw random numbers", {"rand", "random", "drand48", "lrand48", "rand_r", "random_r"}},
              {"reads its process id", {"getpid", "getppid", "gettid"}},
              {"checks whether it writes to a terminal", {"isatty", "ttyname"}},
              {"sets timers", {"alarm", "setitimer", "timer_create", "timerfd_create"}},
              {"communicates with other processes",
               {"socket", "accept", "connect", "fork", "vfork", "popen", "system", "poll", "select", "epoll_wait"}}};
enum { CAUSES = sizeof causes / sizeof *causes, THREADS = 0 };

static bool fits(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);
	return pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0 : strcmp(pattern, name) == 0;
}

static void note_name(const char *name, const char *found[CAUSES])
{
	for (size_t i = 0; i < CAUSES; i++)
		for (size_t k = 0; k < sizeof causes[i].names / sizeof *causes[i].names && causes[i].names[k]; k++)
			if (!found[i] && fits(causes[i].names[k], name))
				found[i] = causes[i].names[k];
}

/* What a file needs from others; one that is linked statically has it all in its own table of symbols. */
static void note_file(struct blob file, const char *found[CAUSES])
{
	struct blob symbols, strings;
	bool dynamic = elf64_section(file, ".dynsym", &symbols) && elf64_section(file, ".dynstr", &strings);
	if (!dynamic && !(elf64_section(file, ".symtab", &symbols) && elf64_section(file, ".strtab", &strings)))
		return;
	for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size; at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;
		memcpy(&symbol, symbols.at + at, sizeof symbol);
		const char *name = (const char *)strings.at + symbol.st_name;
		if (symbol.st_name < strings.size && memchr(name, 0, strings.size - symbol.st_name) &&
		    (!dynamic || symbol.st_shndx == SHN_UNDEF))
			note_name(name, found);
	}
}

static void note_path(const char *path, const char *found[CAUSES])
{
	struct blob file;
	struct fail unread;
	if (blob_read(path, &file, &unread) < 0)
		return;
	note_file(file, found);
	blob_free(&file);
}

bool copies_doubt_threads(struct subject *program)
{
	const char *found[CAUSES] = {0};
	struct fail unsaid;
	const struct family *family = subject_family(program, &unsaid);
	if (!family)
		return true;
	note_file(program->file, found);
	for (size_t i = 1; i < family->count; i++)
		note_path(family->members[i].path, found);
	return found[THREADS];
}

const char *copies_doubt_causes(struct pool *pool, const struct session_plan *plan)
{
	const char *found[CAUSES] = {0}, *text = "";
	for (size_t i = 0; i < plan->object_count; i++)
		note_path(plan->objects[i].native, found);
	for (size_t i = 0; i < CAUSES; i++)
		if (found[i])
			text = pool_print(pool, "%s%s%s (%.*s)", text, *text ? ", " : "it ", causes[i].cause, (int)strcspn(found[i], "*"),
			                  found[i]);
	return text;
}
