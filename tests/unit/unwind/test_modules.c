/* SPDX-License-Identifier: MIT */
/* test_modules.c: what file an address belongs to, also while files come and go.
 *
 * The oracle is /proc/self/maps. For the storm there are two copies of one small library that differ in their build-id
 * only, so that one comes to lie exactly where the other was: a thread opens, uses and closes them in turn while 5,000
 * samples a second ask where it is. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "raw/writer.h"
#include "unwind/unwind.h"

static char folder[] = "/tmp/skein-modules-XXXXXX", copies[2][64];

static const struct raw_module *record_of(uint32_t number)
{
	const char *at = (const char *)raw_header() + RAW_HEADER_BYTES, *end = (const char *)raw_header() + raw_header()->used_bytes;
	for (; at < end; at += ((const struct raw_record *)at)->bytes) {
		const struct raw_module *m = (const struct raw_module *)at;
		if (m->record.type == RAW_MODULE && m->number == number)
			return m;
	}
	return NULL;
}

static const char *path_of(const struct raw_module *m)
{
	return m ? m->text + strlen(m->text) + 1 : "no record";
}

/* The name of the mapping that has the address, as the kernel tells it. */
static const char *mapped_path(uintptr_t address)
{
	static char line[4096], path[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	*path = 0;
	while (fgets(line, sizeof line, maps)) {
		unsigned long start, end;
		int name = 0;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &name) == 2 && address >= start && address < end)
			sscanf(line + name, "%[^\n]", path);
	}
	fclose(maps);
	return path;
}

/* The file's GNU build-id, read from the file: where it is and how long. */
static size_t find_build_id(const unsigned char *file, size_t *bytes)
{
	const Elf64_Ehdr *elf = (const void *)file;
	const Elf64_Phdr *segment = (const void *)(file + elf->e_phoff);
	for (int i = 0; i < elf->e_phnum; i++, segment++)
		for (size_t at = segment->p_offset; segment->p_type == PT_NOTE && at < segment->p_offset + segment->p_filesz;) {
			const Elf64_Nhdr *note = (const void *)(file + at);
			size_t text = at + sizeof *note + ((note->n_namesz + 3u) & ~3u);
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4) {
				*bytes = note->n_descsz;
				return text;
			}
			at = text + ((note->n_descsz + 3u) & ~3u);
		}
	return 0;
}

static unsigned char *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*bytes = (size_t)ftell(f);
	rewind(f);
	unsigned char *text = malloc(*bytes);
	assert_true(fread(text, 1, *bytes, f) == *bytes);
	fclose(f);
	return text;
}

static void check_record(uintptr_t address, const char *path)
{
	struct module *m = module_at(address);
	assert_non_null(m);
	const struct raw_module *r = record_of(m->number);
	assert_non_null(r);
	assert_string_equal(path_of(r), path);
	assert_true(r->start == m->start && r->end == m->end && r->bias == m->bias && address >= m->start && address < m->end);
	assert_int_equal(module_place(m, address) >> RAW_PLACE_SHIFT, m->number);
	assert_true((module_place(m, address) & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1)) == address - r->bias);
}

static void modules_are_what_the_kernel_says_is_mapped(void **state)
{
	(void)state;
	uintptr_t code[] = {(uintptr_t)modules_are_what_the_kernel_says_is_mapped, (uintptr_t)dlsym(RTLD_DEFAULT, "qsort"),
	                    (uintptr_t)dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests")};
	for (size_t i = 0; i < sizeof code / sizeof *code; i++) {
		char real[4096], mine[4096];
		check_record(code[i], path_of(record_of(module_at(code[i])->number)));
		assert_non_null(realpath(path_of(record_of(module_at(code[i])->number)), mine));
		assert_non_null(realpath(mapped_path(code[i]), real));
		assert_string_equal(mine, real);
	}
	check_record(getauxval(AT_SYSINFO_EHDR) + 64, "[vdso]");
}

static void build_id_is_that_of_the_file(void **state)
{
	(void)state;
	struct module *m = module_at((uintptr_t)dlsym(RTLD_DEFAULT, "qsort"));
	size_t bytes, id_bytes = 0;
	unsigned char *file = read_file(path_of(record_of(m->number)), &bytes);
	size_t id = find_build_id(file, &id_bytes);
	char hex[129] = "";
	for (size_t i = 0; i < id_bytes; i++)
		sprintf(hex + 2 * i, "%02x", file[id + i]);
	assert_true(id_bytes > 0);
	assert_string_equal(record_of(m->number)->text, hex);
	free(file);
}

static void memory_without_a_file_has_no_module(void **state)
{
	(void)state;
	int local;
	assert_null(module_at((uintptr_t)&local));
	assert_null(module_at(16));
	assert_null(module_at(UINTPTR_MAX));
	assert_true(module_place(NULL, 0x1234567) == 0x1234567);
}

/* ---- files that come and go ---- */

static void make_copies(void)
{
	void *handle = dlopen("libz.so.1", RTLD_NOW);
	Dl_info info;
	assert_non_null(handle);
	assert_true(dladdr(dlsym(handle, "crc32"), &info));
	size_t bytes, id_bytes = 0;
	unsigned char *file = read_file(info.dli_fname, &bytes);
	dlclose(handle);
	modules_closed();
	size_t id = find_build_id(file, &id_bytes);
	assert_true(id_bytes > 0);
	for (int i = 0; i < 2; i++) {
		snprintf(copies[i], sizeof copies[i], "%s/%c.so", folder, 'a' + i);
		file[id] ^= (unsigned char)i;
		FILE *f = fopen(copies[i], "wb");
		assert_true(f && fwrite(file, 1, bytes, f) == bytes && fclose(f) == 0);
	}
	free(file);
}

static void remove_copies(void)
{
	remove(copies[0]);
	remove(copies[1]);
}

typedef unsigned long crc32_function(unsigned long, const unsigned char *, unsigned);

static void another_file_at_the_same_place_gets_another_number(void **state)
{
	(void)state;
	uint32_t numbers[2] = {0, 0};
	uintptr_t places[2] = {0, 0};
	make_copies();
	for (int round = 0; round < 8; round++) {
		int which = round / 2 % 2; /* each twice in turn */
		void *handle = dlopen(copies[which], RTLD_NOW);
		uintptr_t code = (uintptr_t)dlsym(handle, "crc32");
		struct module *m = module_at(code);
		assert_non_null(m);
		check_record(code, copies[which]);
		assert_ptr_equal(module_at(code), m);
		if (numbers[which] && places[which] == code)
			assert_int_equal(m->number, numbers[which]); /* the same file in the same place */
		numbers[which] = m->number;
		places[which] = code;
		modules_closed();
		dlclose(handle);
		modules_closed();
		assert_null(module_at(code));
	}
	assert_true(numbers[0] != numbers[1]);
	remove_copies();
}

/* ---- the storm ---- */

enum { SAMPLES_MAX = 20000, STORM_MS = 1000 };
static struct {
	_Alignas(64) unsigned char cache[UNWIND_CACHE_BYTES];
	uintptr_t low, high;
	volatile int open; /* which copy may be there now */
	struct {
		uint32_t number;
		int open;
	} seen[SAMPLES_MAX];
	atomic_uint samples, inside, ended;
	_Atomic uintptr_t last_code;
	atomic_bool done;
} storm;

static void on_tick(int signal, siginfo_t *info, void *context)
{
	struct unwind u;
	unsigned n = atomic_load(&storm.samples);
	int depth = 0;
	(void)signal, (void)info;
	if (n == SAMPLES_MAX)
		return;
	unwind_begin(&u, (struct unwind_cache *)storm.cache, storm.low, storm.high, context);
	storm.seen[n].number = (uint32_t)(u.place >> RAW_PLACE_SHIFT);
	storm.seen[n].open = storm.open;
	enum unwind_step how;
	while ((how = unwind_step(&u)) == UNWIND_FRAME && depth < 200)
		depth++;
	atomic_fetch_add(&storm.ended, how == UNWIND_END);
	atomic_store(&storm.samples, n + 1);
}

static void *open_and_close(void *unused)
{
	static unsigned char text[20000];
	pthread_attr_t attr;
	void *low;
	size_t bytes;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &low, &bytes);
	pthread_attr_destroy(&attr);
	storm.low = (uintptr_t)low;
	storm.high = storm.low + bytes;

	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
	event._sigev_un._tid = (int)syscall(SYS_gettid);
	struct itimerspec every = {{0, 200000}, {0, 200000}};
	timer_t timer;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &every, NULL);
	for (int i = 0; !atomic_load(&storm.done); i++) {
		storm.open = i / 2 % 2;
		void *handle = dlopen(copies[storm.open], RTLD_NOW);
		crc32_function *crc = (crc32_function *)(uintptr_t)dlsym(handle, "crc32");
		atomic_store(&storm.last_code, (uintptr_t)crc);
		for (int k = 0; k < 10; k++)
			crc(0, text, sizeof text);
		modules_closed();
		dlclose(handle);
		modules_closed();
	}
	timer_delete(timer);
	return unused;
}

static void storm_of_files_names_none_wrongly(void **state)
{
	(void)state;
	struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct timespec from, now;
	pthread_t thread;
	make_copies();
	sigaction(SIGURG, &action, NULL);
	assert_int_equal(pthread_create(&thread, NULL, open_and_close, NULL), 0);
	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		/* Addresses that are perhaps just being unmapped. */
		uintptr_t code = atomic_load(&storm.last_code);
		for (int i = 0; code && i < 20; i++)
			module_at(code + (uintptr_t)(i * 64));
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < STORM_MS);
	atomic_store(&storm.done, true);
	pthread_join(thread, NULL);
	unsigned inside = 0, samples = atomic_load(&storm.samples);
	for (unsigned i = 0; i < samples; i++) {
		const struct raw_module *r = storm.seen[i].number ? record_of(storm.seen[i].number) : NULL;
		if (!r || strncmp(path_of(r), folder, strlen(folder)) != 0)
			continue;
		inside++;
		assert_string_equal(path_of(r), copies[storm.seen[i].open]);
	}
	remove_copies();
	printf("# %u samples, %u of them in the copies, %u reached the end; generation %u\n", samples, inside, atomic_load(&storm.ended),
	       modules_generation());
	assert_true(samples > 100 && inside > 10);
	assert_true(atomic_load(&storm.ended) * 100 >= samples * 99);
}

int main(void)
{
	if (!mkdtemp(folder) || raw_open(folder, RAW_LENS_IDLE, 0) < 0)
		return 1;
	modules_start();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_what_the_kernel_says_is_mapped),
		cmocka_unit_test(build_id_is_that_of_the_file),
		cmocka_unit_test(memory_without_a_file_has_no_module),
		cmocka_unit_test(another_file_at_the_same_place_gets_another_number),
		cmocka_unit_test(storm_of_files_names_none_wrongly),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char path[128];
	snprintf(path, sizeof path, "%s/%d-0.raw", folder, (int)getpid());
	remove(path);
	remove(folder);
	return failed;
}
