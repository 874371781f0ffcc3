/* SPDX-License-Identifier: MIT */
/* make.h: makes sessions of the span lens for tests, as a subject would have left them.
 *
 * A parallel quicksort on eight cores, with work 56,000 and span 10,000; local spans on the span sum to the span, local works to
 * the work. Its log has a gap with nonsense in it, its tables are changed before they are written where a test asks. */
#ifndef SKEIN_SPANMAKE_H
#define SKEIN_SPANMAKE_H

#include "unit/raw/make.h"

enum { SPANMAKE_FIRST = 10, SPANMAKE_SITES = 7, SPANMAKE_ENTRIES = 17 };

struct spanmake {
	struct rawmake raw;
	struct span_kept *lane;
	struct span_site *sites;
	struct span_entry *log;
	struct raw_span_what_if *what_ifs;
};

static inline void spanmake_plan(const char *folder, const char *more)
{
	char plan[2048];
	snprintf(
		plan, sizeof plan,
		"lens\tspan\nmode\tinsn\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog 2\nobject\t/home/me/prog\t/cache/prog\t%s/prog.table\tb1d\n"
		"clock\tinsn\ncores\t8\nwhat_if\t0.5 0\nwhat_if_sites\tpartition\\x0apqsort->partition\n%s",
		folder, more);
	rawmake_text(folder, "session", plan);
	rawmake_text(folder, "prog.table",
	             "skein-table\t2\no\tb1d\tinsn\n"
	             "r\t0\tmain\t/src/sort.c\t9\t-\nr\t1\tpqsort\t/src/sort.c\t1\t-\nr\t2\t_ZN4sort9partitionEi\t/src/part.cpp\t2\ta\n"
	             "s\t0\t0\t1\tpqsort\t/src/sort.c\t11\t2\t1\n"
	             "s\t1\t1\t2\t_ZN4sort9partitionEi\t/src/sort.c\t3\t8\t-\n"
	             "s\t2\t1\t1\tpqsort\t/src/sort.c\t4\t16\tp\n"
	             "s\t3\t1\t1\tpqsort\t/src/sort.c\t5\t3\t-\n"
	             "s\t4\t0\t-1\trand\\x1b[31m,\"x\t/src/sort.c\t10\t2\tf1\n"
	             "s\t5\t1\t-1\t-\t/src/sort.c\t6\t3\t-\n"
	             "s\t6\t0\t0\tmain\t/src/sort.c\t9\t0\t01\n"
	             "end\t3\t7\n");
}

static inline void spanmake_sites(struct span_site *site)
{
	site[0].on_work[SPAN_LOCAL] = (struct span_sum){1, 50, 50};
	site[0].on_work[SPAN_TOP_SITE] = (struct span_sum){1, 55750, 9750};
	site[1].on_work[SPAN_LOCAL] = (struct span_sum){100, 54000, 54000};
	site[1].on_work[SPAN_TOP_SITE] = (struct span_sum){100, 54000, 54000};
	site[1].on_work[SPAN_TOP_CALLER] = (struct span_sum){1, 6000, 6000};
	site[2].on_work[SPAN_LOCAL] = (struct span_sum){100, 900, 900};
	site[2].on_work[SPAN_TOP_SITE] = (struct span_sum){3, 30000, 6000};
	site[2].on_work[SPAN_TOP_CALLER] = (struct span_sum){1, 25000, 5000};
	site[3].on_work[SPAN_LOCAL] = (struct span_sum){99, 800, 800};
	site[3].on_work[SPAN_TOP_SITE] = (struct span_sum){4, 28000, 7000};
	site[3].on_work[SPAN_TOP_CALLER] = (struct span_sum){1, 24000, 6000};
	site[4].on_work[SPAN_LOCAL] = (struct span_sum){20, 200, 200};
	site[4].on_work[SPAN_TOP_SITE] = (struct span_sum){20, 200, 200};
	site[4].ticks = 1000; /* of the first call, which stands for all 20 */
	site[6].on_work[SPAN_LOCAL] = (struct span_sum){1, 50, 50};
	site[6].on_work[SPAN_TOP_SITE] = (struct span_sum){1, 56000, 10000};
}

static inline struct span_entry spanmake_entry(uint64_t site, enum span_measure measure, uint64_t count, uint64_t work, uint64_t span)
{
	return (struct span_entry){(SPANMAKE_FIRST + site) * SPAN_MEASURES + measure, {count, work, span}};
}

static inline void spanmake_log(struct span_entry *log)
{
	log[0] = spanmake_entry(4, SPAN_TOP_SITE, 20, 200, 200);
	log[1] = spanmake_entry(4, SPAN_LOCAL, 20, 200, 200);
	log[2] = spanmake_entry(1, SPAN_LOCAL, 10, 9000, 9000);
	log[3] = spanmake_entry(1, SPAN_TOP_SITE, 10, 9000, 9000);
	log[4] = spanmake_entry(1, SPAN_TOP_CALLER, 1, 6000, 6000);
	log[5] = (struct span_entry){SPAN_GAP, {3, 0, 0}};
	log[6] = spanmake_entry(0, SPAN_LOCAL, 77, 77777, 77777);
	log[7] = spanmake_entry(5, SPAN_LOCAL, 77, 77777, 77777);
	log[8] = spanmake_entry(2, SPAN_LOCAL, 3, 300, 300);
	log[9] = spanmake_entry(2, SPAN_TOP_SITE, 1, 30000, 6000);
	log[10] = spanmake_entry(3, SPAN_LOCAL, 4, 250, 250);
	log[11] = spanmake_entry(3, SPAN_LOCAL, 2, 150, 150);
	log[12] = spanmake_entry(3, SPAN_TOP_SITE, 1, 28000, 7000);
	log[13] = spanmake_entry(0, SPAN_TOP_SITE, 1, 55750, 9750);
	log[14] = spanmake_entry(0, SPAN_LOCAL, 1, 50, 50);
	log[15] = spanmake_entry(6, SPAN_TOP_SITE, 1, 56000, 10000);
	log[16] = spanmake_entry(6, SPAN_LOCAL, 1, 50, 50);
}

static inline void spanmake_name(struct rawmake *raw, uint32_t routine, uint32_t line, const char *name)
{
	static const char file[] = "/src/sort.c";
	size_t bytes = strlen(name) + 1;
	struct raw_name *record = rawmake_add(raw, RAW_NAME, sizeof *record + bytes + sizeof file);
	record->routine = routine;
	record->line = line;
	record->text_bytes = (uint32_t)(bytes + sizeof file);
	memcpy(record->text, name, bytes);
	memcpy(record->text + bytes, file, sizeof file);
}

/* Two threads have given one name two numbers. */
static inline void spanmake_regions(struct rawmake *raw)
{
	spanmake_name(raw, 40, 12, "sort, all of it");
	spanmake_name(raw, 41, 3, "part");
	spanmake_name(raw, 42, 12, "sort, all of it");
	struct span_region *region = rawmake_table(raw, RAW_SPAN_REGIONS, 0, sizeof *region, 3);
	region[0] = (struct span_region){3, 2, 40000, 7000, 15000, 40, 1};
	region[1] = (struct span_region){10, 10, 9000, 9000, 9000, 41, 0};
	region[2] = (struct span_region){1, 1, 10000, 2000, 5000, 42, 0};
}

static inline void spanmake_start(struct spanmake *m, uint32_t flags)
{
	rawmake_start(&m->raw, flags);
	m->raw.file->lens = RAW_LENS_SPAN;
	m->raw.file->span_burden = 1000;
	m->raw.file->span_events[RAW_SPAN_SPAWNS] = 100;
	struct raw_object *object = rawmake_object(&m->raw, 3, 1, 3, "b1d", "prog.table", "/cache/prog");
	object->first_site = SPANMAKE_FIRST;
	object->sites = SPANMAKE_SITES;
	rawmake_thread(&m->raw, 0, 0, 0, 1000000000, "prog");
	m->lane = rawmake_table(&m->raw, RAW_SPAN_LANE, 0, sizeof *m->lane, 1);
	*m->lane = (struct span_kept){56000, 10000, 25000, SPANMAKE_ENTRIES * sizeof *m->log, 2};
	m->sites = rawmake_table(&m->raw, RAW_SPAN_SITES, 0, sizeof *m->sites, SPANMAKE_SITES);
	((struct raw_table *)(void *)m->sites - 1)->object = 3;
	spanmake_sites(m->sites);
	m->log = rawmake_table(&m->raw, RAW_SPAN_LOG, 0, sizeof *m->log, 3); /* a smaller place that the log has left */
	((struct raw_table *)(void *)m->log - 1)->object = 1;
	m->log[0] = spanmake_entry(5, SPAN_LOCAL, 77, 77777, 77777);
	m->log = rawmake_table(&m->raw, RAW_SPAN_LOG, 0, sizeof *m->log, SPANMAKE_ENTRIES);
	((struct raw_table *)(void *)m->log - 1)->object = 2;
	spanmake_log(m->log);
	m->what_ifs = rawmake_table(&m->raw, RAW_SPAN_WHAT_IF, 0, sizeof *m->what_ifs, 2);
	m->what_ifs[0] = (struct raw_span_what_if){29000, 5500};
	m->what_ifs[1] = (struct raw_span_what_if){2000, 1000};
	spanmake_regions(&m->raw);
}

/* A site that calls through a pointer, in two lanes: code without a file, code in a file that is gone, and targets that there
 * was no room for. */
static inline void spanmake_targets(struct spanmake *m)
{
	const uint64_t gone = UINT64_C(1) << RAW_PLACE_SHIFT | 0x10;
	static const char text[] = "\0/nowhere/lib.so";
	struct raw_module *module = rawmake_add(&m->raw, RAW_MODULE, sizeof *module + sizeof text);
	module->number = 1;
	module->text_bytes = sizeof text;
	memcpy(module->text, text, sizeof text);
	m->sites[5].on_work[SPAN_LOCAL] = (struct span_sum){110, 0, 0};
	struct raw_span_target *row = rawmake_table(&m->raw, RAW_SPAN_TARGETS, 0, sizeof *row, 4);
	row[0] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, RAW_SPAN_OTHER_TARGETS, 50};
	row[1] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, gone, 7};
	row[2] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, 0x1234, 20};
	row[3] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, 0x5678, 0}; /* of a parent process */
	row = rawmake_table(&m->raw, RAW_SPAN_TARGETS, 1, sizeof *row, 2);
	row[0] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, gone, 30};
	row[1] = (struct raw_span_target){SPANMAKE_FIRST + 5, 0, 0x9abc, 3}; /* as nameless as the other one */
}

static inline void spanmake_write(struct spanmake *m, const char *folder, const char *name)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rawmake_write(&m->raw, path);
	rawmake_free(&m->raw);
}

static inline void spanmake_session(const char *folder)
{
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	spanmake_write(&m, folder, "1000.raw");
}

static inline void spanmake_session_with_targets(const char *folder)
{
	struct spanmake m;
	spanmake_plan(folder, "");
	spanmake_start(&m, RAW_FINISHED);
	spanmake_targets(&m);
	spanmake_write(&m, folder, "1000.raw");
}

#endif
