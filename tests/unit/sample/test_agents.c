/* SPDX-License-Identifier: MIT */
/* test_agents.c: who is asked about an address, while agents come and go, and what names become. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <cmocka.h>
#include "core/idle/logical.h"
#include "raw/writer.h"
#include "sample/agents.h"
#include "unwind/modules.h"

enum { MOST = 64 /* agents */, THREADS = 4 };

static enum skein_association begin(struct skein_unwind *u, void *state)
{
	(void)u, (void)state;
	return SKEIN_1_1;
}

#define AGENT {SKEIN_AGENT_VERSION, "test", begin, NULL, NULL}
#define FOUR AGENT, AGENT, AGENT, AGENT
#define SIXTEEN FOUR, FOUR, FOUR, FOUR
static const struct skein_agent agents[MOST] = {SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN};
static struct {
	uintptr_t start, end;
} ranges[MOST];

static int add(int i, uintptr_t start, uintptr_t end)
{
	ranges[i].start = start;
	ranges[i].end = end;
	return skein_agent_add(&agents[i], (void *)start, (void *)end);
}

static void nobody_is_asked_when_nobody_is_there(void **state)
{
	(void)state;
	for (uintptr_t ip = 0; ip < 1 << 30; ip += 4097)
		assert_null(agents_find(ip));
	assert_int_equal(skein_agent_remove(&agents[0]), -1);
}

static void wrong_agents_are_refused(void **state)
{
	(void)state;
	static const struct skein_agent other = {SKEIN_AGENT_VERSION + 1, "of another version", begin, NULL, NULL},
					empty = {SKEIN_AGENT_VERSION, "", NULL, NULL, NULL};
	assert_int_equal(skein_agent_add(&other, (void *)4096, (void *)8192), -1);
	assert_int_equal(skein_agent_add(&empty, (void *)4096, (void *)8192), -1);
	assert_int_equal(skein_agent_add(NULL, (void *)4096, (void *)8192), -1);
	assert_int_equal(add(0, 4096, 4096), -1);
	assert_null(agents_find(4096));
}

static void check_all(uintptr_t ip)
{
	const struct skein_agent *expected = NULL;
	for (int i = 0; i < MOST; i++)
		if (ip >= ranges[i].start && ip < ranges[i].end)
			expected = &agents[i];
	assert_ptr_equal(agents_find(ip), expected);
}

/* Each agent has a part of the address space to itself; in it ranges of all sizes, some larger than the filter. */
static void ranges_come_and_go(void **state)
{
	(void)state;
	srand(1);
	memset(ranges, 0, sizeof ranges);
	for (int turn = 0; turn < 3000; turn++) {
		int i = rand() % MOST;
		if (ranges[i].end) {
			assert_int_equal(skein_agent_remove(&agents[i]), 0);
			ranges[i].start = ranges[i].end = 0;
		} else {
			uintptr_t start = ((uintptr_t)i << 32) + (uintptr_t)rand() % 100000 + 1;
			assert_int_equal(add(i, start, start + 1 + (uintptr_t)rand() % (1u << rand() % 28)), 0);
		}
		for (int k = 0; k < MOST; k++) {
			check_all(ranges[k].start);
			check_all(ranges[k].start - 1);
			check_all(ranges[k].end);
			check_all(ranges[k].end - 1);
			check_all(ranges[k].start + (ranges[k].end - ranges[k].start) / 2);
		}
	}
	for (int i = 0; i < MOST; i++)
		skein_agent_remove(&agents[i]);
}

static void there_is_room_for_so_many(void **state)
{
	(void)state;
	for (int i = 0; i < MOST; i++)
		assert_int_equal(add(i, (uintptr_t)(i + 1) << 20, ((uintptr_t)(i + 1) << 20) + 10), 0);
	assert_int_equal(skein_agent_add(&agents[0], (void *)1, (void *)2), -1);
	assert_int_equal(skein_agent_remove(&agents[7]), 0);
	assert_int_equal(skein_agent_add(&agents[0], (void *)1, (void *)2), 0);
	assert_ptr_equal(agents_find(1), &agents[0]);
	assert_int_equal(skein_agent_remove(&agents[0]), 0); /* with both of its ranges */
	assert_null(agents_find(1));
	assert_null(agents_find(1 << 20));
	for (int i = 0; i < MOST; i++)
		skein_agent_remove(&agents[i]);
}

/* Agent i always has addresses of its own only, and the last one stays where it is. */
static _Atomic bool stop;
static _Atomic unsigned wrong;

static void *look(void *unused)
{
	for (unsigned seed = (unsigned)(uintptr_t)unused; !stop;) {
		uintptr_t i = (uintptr_t)rand_r(&seed) % MOST;
		const struct skein_agent *found = agents_find((i + 1) << 20 | rand_r(&seed) % 4096);
		wrong += found && found != &agents[i];
		wrong += agents_find((uintptr_t)MOST << 20) != &agents[MOST - 1];
	}
	return NULL;
}

static void agents_come_and_go_while_others_look(void **state)
{
	(void)state;
	pthread_t threads[THREADS - 1];
	unsigned seed = 1;
	bool there[MOST] = {0};
	stop = false;
	wrong = 0;
	add(MOST - 1, (uintptr_t)MOST << 20, ((uintptr_t)MOST << 20) + 4096);
	for (int t = 0; t < THREADS - 1; t++)
		pthread_create(&threads[t], NULL, look, (void *)(uintptr_t)(t + 1));
	for (int turn = 0; turn < 200000; turn++) {
		int i = rand_r(&seed) % 5; /* few rows, often changed */
		if (there[i])
			skein_agent_remove(&agents[i]);
		else
			assert_int_equal(add(i, (uintptr_t)(i + 1) << 20, ((uintptr_t)(i + 1) << 20) + 1 + (uintptr_t)rand_r(&seed) % 4096),
			                 0);
		there[i] = !there[i];
	}
	stop = true;
	for (int t = 0; t < THREADS - 1; t++)
		pthread_join(threads[t], NULL);
	assert_int_equal(wrong, 0);
	for (int i = 0; i < MOST; i++)
		skein_agent_remove(&agents[i]);
}

/* The same row, between any two instructions of the one who looks. */
static _Atomic unsigned turns;

static void change(int number)
{
	(void)number;
	int gone = turns++ % 2;
	skein_agent_remove(&agents[gone]);
	add(!gone, (uintptr_t)(!gone + 1) << 20, ((uintptr_t)(!gone + 1) << 20) + 4096);
}

static void a_row_changes_while_it_is_read(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = change}, before;
	turns = 0;
	add(0, 1 << 20, (1 << 20) + 4096);
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 30}, {0, 30}}, NULL);
	while (turns < 8000)
		for (uintptr_t i = 0; i < 2; i++) {
			const struct skein_agent *found = agents_find((i + 1) << 20 | 5);
			assert_true(!found || found == &agents[i]);
		}
	setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
	sigaction(SIGALRM, &before, NULL);
	skein_agent_remove(&agents[0]);
	skein_agent_remove(&agents[1]);
}

/* ---- the walk, as an agent sees it ---- */

static const struct skein_frame here = {.ip = 1, .sp = 2, .bp = 3, .cfa = 4};
static const struct skein_frame *machine_frame(const void *machine)
{
	(void)machine;
	return &here;
}

static bool machine_read(void *machine, uintptr_t address, void *to, size_t bytes)
{
	(void)machine;
	if (address)
		memcpy(to, (void *)address, bytes);
	return address != 0;
}

static void agents_see_the_walk(void **state)
{
	(void)state;
	static const struct logical_port port = {.frame = machine_frame, .read = machine_read};
	char scratch[64], to[4];
	struct skein_unwind u;
	logical_begin(&u, &port, NULL, scratch, sizeof scratch);
	assert_ptr_equal(skein_unwind_frame(&u), &here);
	assert_int_equal(skein_unwind_read(&u, (uintptr_t)"abc", to, 4), 0);
	assert_string_equal(to, "abc");
	assert_int_equal(skein_unwind_read(&u, 0, to, 4), -1);
	assert_non_null(skein_unwind_memory(&u, 16));
	assert_null(skein_unwind_memory(&u, 100));
	assert_false(u.rooted);
	skein_unwind_rooted(&u);
	assert_true(u.rooted);
}

/* ---- names ---- */

static char folder[] = "/tmp/test_sample_agents.XXXXXX";

static const struct raw_place *recorded(uint64_t place)
{
	const struct raw_place *found = NULL;
	const char *map = (const char *)raw_header();
	assert_int_equal(place >> RAW_PLACE_SHIFT, RAW_AGENT_MODULE);
	for (uint64_t at = RAW_HEADER_BYTES; at < raw_header()->used_bytes; at += ((const struct raw_record *)(map + at))->bytes) {
		const struct raw_place *p = (const void *)(map + at);
		if (p->record.type != RAW_PLACE || p->number != (uint32_t)place)
			continue;
		assert_null(found);
		found = p;
	}
	return found;
}

static void without_a_recording_there_are_no_names(void **state)
{
	(void)state;
	for (int i = 0; i < 1 << 17; i++) /* and none are used up */
		assert_int_equal(skein_place_name("routine", "file", (unsigned)i), 0);
	assert_non_null(mkdtemp(folder));
	assert_int_equal(raw_open(folder, RAW_LENS_IDLE, 0), 0);
	modules_start();
}

static void a_name_has_one_number(void **state)
{
	(void)state;
	uint64_t a = skein_place_name("fib", "fib.toy", 3);
	assert_true(a);
	assert_int_equal(skein_place_name("fib", "fib.toy", 3), a);
	const char *routines[] = {"fib", "fi", "", NULL, "fibfib.toy"}, *files[] = {"fib.toy", "bfib.toy", "", NULL};
	for (int r = 0; r < 5; r++)
		for (int f = 0; f < 4; f++)
			for (unsigned line = 2; line < 5; line++) {
				uint64_t place = skein_place_name(routines[r], files[f], line);
				const struct raw_place *p = recorded(place);
				assert_int_equal(place == a, r == 0 && f == 0 && line == 3);
				assert_non_null(p);
				assert_int_equal(p->line, line);
				assert_string_equal(p->text, routines[r] ? routines[r] : "");
				assert_string_equal(p->text + strlen(p->text) + 1, files[f] ? files[f] : "");
				assert_int_equal(p->text_bytes, strlen(p->text) + strlen(p->text + strlen(p->text) + 1) + 2);
			}
}

static void long_names_are_cut(void **state)
{
	(void)state;
	static char name[10000];
	memset(name, 'x', sizeof name - 1);
	uint64_t place = skein_place_name(name, name, 1);
	assert_true(strlen(recorded(place)->text) < 2000);
	assert_int_equal(recorded(place)->text_bytes,
	                 strlen(recorded(place)->text) + 1 + strlen(recorded(place)->text + strlen(recorded(place)->text) + 1) + 1);
	assert_int_equal(skein_place_name(name, name, 1), place);
}

enum { TOGETHER = 2000 };
static void *name_all(void *numbers)
{
	for (unsigned i = 0; i < TOGETHER; i++)
		((uint64_t *)numbers)[i] = skein_place_name("together", "many.toy", i);
	return NULL;
}

static void threads_that_name_the_same_get_the_same(void **state)
{
	(void)state;
	static uint64_t numbers[THREADS][TOGETHER];
	pthread_t threads[THREADS];
	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, name_all, numbers[t]);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (int i = 0; i < TOGETHER; i++) {
		for (int t = 1; t < THREADS; t++)
			assert_int_equal(numbers[t][i], numbers[0][i]);
		assert_int_equal(recorded(numbers[0][i])->line, i);
	}
}

static void what_an_lnote_says_becomes_a_place(void **state)
{
	(void)state;
	uint64_t named = skein_place_name("fib", "fib.toy", 3), nobodys = (uint64_t)RAW_AGENT_MODULE << RAW_PLACE_SHIFT,
		 code = (uintptr_t)what_an_lnote_says_becomes_a_place;
	assert_int_equal(agents_place_of(named), named);
	assert_int_equal(agents_place_of(nobodys), 0);
	assert_int_equal(agents_place_of(nobodys | 1 << 20), 0);
	assert_int_equal(agents_place_of(UINT64_C(5) << RAW_PLACE_SHIFT | 77), UINT64_C(5) << RAW_PLACE_SHIFT | 77);
	assert_non_null(module_at(code));
	assert_int_equal(agents_place_of(code), module_place(module_at(code), code));
	assert_int_equal(agents_place_of(0), 0);
}

static void names_come_to_an_end(void **state)
{
	(void)state;
	uint64_t last = 1, named = skein_place_name("fib", "fib.toy", 3), lost = raw_header()->lost[RAW_LOST_NO_MEMORY];
	for (unsigned i = 0; i < 1 << 16 && last; i++)
		last = skein_place_name("", "", 1000 + i);
	assert_int_equal(last, 0);
	assert_int_equal(raw_header()->lost[RAW_LOST_NO_MEMORY], lost + 1);
	assert_int_equal(skein_place_name("fib", "fib.toy", 3), named);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(nobody_is_asked_when_nobody_is_there),
		cmocka_unit_test(wrong_agents_are_refused),
		cmocka_unit_test(ranges_come_and_go),
		cmocka_unit_test(there_is_room_for_so_many),
		cmocka_unit_test(agents_come_and_go_while_others_look),
		cmocka_unit_test(a_row_changes_while_it_is_read),
		cmocka_unit_test(agents_see_the_walk),
		cmocka_unit_test(without_a_recording_there_are_no_names),
		cmocka_unit_test(a_name_has_one_number),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(threads_that_name_the_same_get_the_same),
		cmocka_unit_test(what_an_lnote_says_becomes_a_place),
		cmocka_unit_test(names_come_to_an_end),
	};
	int failed = cmocka_run_group_tests(all, NULL, NULL);
	char command[sizeof folder + 16];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command) ? 1 : failed;
}
