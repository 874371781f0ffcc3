/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/record.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"

#include "arch/arch.h"
#include "keys/environment.h"
#include "raw/format.h"
#include "raw/input_rows.h"
#include "valgrind/contexts.h"

enum { PATH_BYTES = 4096, BUFFER_BYTES = 64 << 10, PIECE_ROWS = 512, NAMES_MAX = 10000 };
#define FIRST_BYTE (RAW_HEADER_BYTES + sizeof(struct raw_record))

/* Of Valgrind's core: the same file with a number beyond those that the subject may use. */
extern Int VG_(safe_fd)(Int file);

static struct {
	Int file; /* below 0: nothing is recorded */
	struct {
		struct raw_file file;
		UChar zeros[RAW_HEADER_BYTES - sizeof(struct raw_file)];
		struct raw_record to_records;
	} head;
	uint64_t start, end; /* of the records that are valid */
	UInt last_ms, pause_ms;
	uint64_t failed; /* number of failed attempts to write */

	Bool is_trial; /* only the length is computed */
	Bool is_bad;
	uint64_t written;
	UInt used;
	UChar buffer[BUFFER_BYTES];
} record = {.file = -1};

static uint64_t clock_ns(vki_clockid_t clock)
{
	struct vki_timespec t;
	VG_(clock_gettime)(&t, clock);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void flush(void)
{
	for (UInt done = 0; done < record.used && !record.is_bad;) {
		Int wrote = VG_(write)(record.file, record.buffer + done, (Int)(record.used - done));
		record.is_bad = wrote <= 0;
		done += wrote > 0 ? (UInt)wrote : 0;
	}
	record.used = 0;
}

static void put(const void *bytes, SizeT count)
{
	record.written += count;
	if (record.is_trial)
		return;
	for (const UChar *from = bytes; count;) {
		SizeT part = BUFFER_BYTES - record.used;
		part = part < count ? part : count;
		VG_(memcpy)(record.buffer + record.used, from, part);
		record.used += (UInt)part;
		from += part;
		count -= part;
		if (record.used == BUFFER_BYTES)
			flush();
	}
}

static void put_table(uint32_t kind, uint32_t lane, uint32_t object, const void *rows, uint32_t count)
{
	uint32_t row_bytes = raw_row_bytes(kind);
	struct raw_table table = {.record = {RAW_TABLE, (uint32_t)sizeof table + count * row_bytes},
	                          .kind = kind,
	                          .lane = lane,
	                          .object = object,
	                          .row_bytes = row_bytes,
	                          .capacity = count,
	                          .used = count};
	if (!count)
		return;
	put(&table, sizeof table);
	put(rows, (SizeT)count * row_bytes);
}

static void put_modules(void)
{
	static const HChar zeros[8];
	for (const struct module *m = modules; m; m = m->next) {
		if (!m->number)
			continue;
		SizeT id = VG_(strlen)(m->build_id) + 1, path = VG_(strlen)(m->path) + 1;
		SizeT bytes = (sizeof(struct raw_module) + id + path + 7) & ~(SizeT)7;
		struct raw_module out = {.record = {RAW_MODULE, (uint32_t)bytes},
		                         .number = m->number,
		                         .text_bytes = (uint32_t)(id + path),
		                         .start = m->start,
		                         .end = m->end,
		                         .bias = m->bias};
		put(&out, sizeof out);
		put(m->build_id, id);
		put(m->path, path);
		put(zeros, bytes - sizeof out - id - path);
	}
}

static void put_points(const struct tally *tally, const struct input_routine *r, const struct input_points *points, unsigned metrics)
{
	static struct raw_input_point rows[PIECE_ROWS];
	uint32_t count = 0;
	for (uint32_t i = 0; i < points->count; i++) {
		rows[count++] = input_row_of(r, points, i, tally->number, metrics);
		if (count == PIECE_ROWS || i + 1 == points->count) {
			put_table(RAW_INPUT_POINTS, tally->lane, 0, rows, count);
			count = 0;
		}
	}
}

static void put_set(void *thread, uint64_t key, uint64_t target)
{
	struct raw_input_set row = {.routine = key, .target = target, .thread = *(const uint32_t *)thread};
	put_table(RAW_INPUT_SETS, RAW_NO_LANE, 0, &row, 1);
}

static void put_routines(const struct tally *tally, uint64_t *bins)
{
	uint32_t thread = tally->number;
	const struct input_map *map = &tally_routines(tally)->map;
	for (uint32_t i = 0; i < input_map_slots(map); i++) {
		const struct input_routine *r = (const struct input_routine *)(Addr)map->slots[i].value;
		if (!map->slots[i].key || !r)
			continue;
		*bins += input_row_bins(r);
		input_choice_rows(r, put_set, &thread);
		put_points(tally, r, &r->same, INPUT_ROW_ALL);
		for (int m = 0; m < INPUT_METRICS; m++)
			put_points(tally, r, &r->own[m], 1u << m);
	}
}

static void put_sources(const struct tally *tally)
{
	const struct input_map *map = tally_sources(tally);
	for (uint32_t i = 0; i < input_map_slots(map); i++) {
		struct raw_input_source row = {.writer = input_row_writer(map->slots[i].key, INPUT_OTHERS),
		                               .reader = tally->number,
		                               .cells = map->slots[i].value};
		if (map->slots[i].key && row.cells)
			put_table(RAW_INPUT_MATRIX, tally->lane, 0, &row, 1);
	}
}

static void put_threads(struct raw_input_how *how)
{
	for (const struct tally *t = threads_tallies(); t; t = t->next) {
		struct raw_thread out = {.record = {RAW_THREAD, sizeof out},
		                         .number = t->number,
		                         .tid = t->tid,
		                         .lane = t->lane,
		                         .creator = t->creator,
		                         .start_tsc = t->start_tsc,
		                         .end_tsc = t->end_tsc};
		put(&out, sizeof out);
		put_routines(t, &how->binned);
		put_sources(t);
		how->renumberings += t->renumbered;
		record.head.file.lost[RAW_LOST_NO_MEMORY] += t->lost + tally_routines(t)->lost;
	}
	for (const struct thread *t = threads_all(); t; t = t->next) {
		how->renumberings += t->input.renumbered;
		record.head.file.lost[RAW_LOST_NO_MEMORY] += t->input.lost;
		record.head.file.workers++;
	}
}

static void put_contexts(void)
{
	uint32_t count;
	const struct context *all = contexts_all(&count);
	for (uint32_t i = 0; i < count; i++) {
		struct raw_input_context row = {.number = i + 1, .parent = all[i].parent, .routine = all[i].routine};
		put_table(RAW_INPUT_CONTEXTS, RAW_NO_LANE, 0, &row, 1);
	}
}

static void put_how(struct raw_input_how *how)
{
	how->producer = RAW_INPUT_VALGRIND;
	how->cost = options.cost_in_instructions ? RAW_INPUT_INSTRUCTIONS : RAW_INPUT_BLOCKS;
	how->options = RAW_INPUT_BY_PLACE | (options.count_returns ? RAW_INPUT_COUNTS_RETURNS : 0) |
		(options.count_locks ? RAW_INPUT_COUNTS_LOCKS : 0) | (options.keep_freed ? RAW_INPUT_KEEPS_FREED : 0) |
		(options.contexts ? RAW_INPUT_HAS_CONTEXTS : 0);
	how->cell_bytes = options.cell_bytes;
	how->sizes_max = options.sizes_max;
	how->reads = tool.reads;
	how->writes = tool.writes;
	how->kernel_reads = tool.kernel_reads;
	how->kernel_writes = tool.kernel_writes;
	how->switches = tool.switches;
	how->forgotten = tool.forgotten;
	how->cut = tool.cut;
	how->unseen = tool.unseen;
	put_table(RAW_INPUT_HOW, RAW_NO_LANE, 0, how, 1);
}

static void put_all(void)
{
	struct raw_input_how how = {0};
	record.written = 0;
	record.head.file.workers = 0;
	VG_(memset)(record.head.file.lost, 0, sizeof record.head.file.lost);
	put_modules();
	put_threads(&how);
	put_contexts();
	put_how(&how);
}

static void go_to(uint64_t at)
{
	if (VG_(lseek)(record.file, (Off64T)at, VKI_SEEK_SET) != (Off64T)at)
		record.is_bad = True;
}

static void make_valid(uint64_t start)
{
	struct raw_file *h = &record.head.file;
	h->threads = threads_count();
	h->last_tsc = arch_tick();
	h->last_ns = clock_ns(VKI_CLOCK_MONOTONIC);
	h->cpu_ns = (uint64_t)VG_(get_user_milliseconds)() * 1000000u;
	h->lost[RAW_LOST_NO_SPACE] = record.failed;
	h->used_bytes = start + record.written;
	h->file_bytes = h->file_bytes > h->used_bytes ? h->file_bytes : h->used_bytes;
	record.head.to_records = (struct raw_record){RAW_VOID, (uint32_t)(start - RAW_HEADER_BYTES)};
	go_to(0);
	if (VG_(write)(record.file, &record.head, FIRST_BYTE) != (Int)FIRST_BYTE)
		record.is_bad = True;
	record.start = start;
	record.end = h->used_bytes;
}

enum { FILE_SIZE_LIMIT = 1 }; /* RLIMIT_FSIZE, which Valgrind has no name for */

/* A write beyond it would be a signal to the program. */
static uint64_t file_limit(void)
{
	struct vki_rlimit limit;
	return VG_(getrlimit)(FILE_SIZE_LIMIT, &limit) == 0 ? limit.rlim_cur : UINT64_MAX;
}

static void write_all(void)
{
	if (record.file < 0)
		return;
	UInt start_ms = VG_(read_millisecond_timer)();
	record.is_trial = True;
	put_all();
	uint64_t start = FIRST_BYTE + record.written <= record.start || !record.end ? FIRST_BYTE : record.end;
	record.is_trial = False;
	record.is_bad = start + record.written > UINT32_MAX || start + record.written > file_limit();
	go_to(start);
	put_all();
	flush();
	if (!record.is_bad)
		make_valid(start);
	record.failed += record.is_bad;
	record.last_ms = VG_(read_millisecond_timer)();
	UInt pause = RECORD_SHARE * (record.last_ms - start_ms);
	record.pause_ms = pause > options.period_ms ? pause : options.period_ms;
}

static void open_file(const HChar *folder)
{
	static HChar path[PATH_BYTES];
	record.file = -1;
	for (Int n = 0; n < NAMES_MAX && record.file < 0; n++) {
		if (VG_(snprintf)(path, PATH_BYTES, "%s/%d-%d.raw", folder, VG_(getpid)(), n) >= PATH_BYTES - 1)
			return;
		SysRes result = VG_(open)(path, VKI_O_CREAT | VKI_O_EXCL | VKI_O_RDWR, 0600);
		if (!sr_isError(result))
			record.file = VG_(safe_fd)((Int)sr_Res(result));
		else if (sr_Err(result) != VKI_EEXIST)
			return;
	}
}

static void begin(uint32_t flags)
{
	const HChar *folder = options.session ? options.session : VG_(getenv)(ENVIRONMENT_SESSION);
	if (!folder)
		return;
	open_file(folder);
	record.start = record.end = 0;
	record.head.file = (struct raw_file){.version = RAW_VERSION,
	                                     .lens = RAW_LENS_INPUT,
	                                     .flags = flags | RAW_NO_SNAPSHOTS,
	                                     .pid = (uint32_t)VG_(getpid)(),
	                                     .parent_pid = (uint32_t)VG_(getppid)(),
	                                     .start_tsc = arch_tick(),
	                                     .start_ns = clock_ns(VKI_CLOCK_MONOTONIC),
	                                     .start_real_ns = clock_ns(VKI_CLOCK_REALTIME)};
	VG_(memcpy)(record.head.file.magic, RAW_MAGIC, sizeof record.head.file.magic);
	write_all();
}

void record_start(void)
{
	begin(0);
}

void record_now_and_then(void)
{
	if (record.file >= 0 && VG_(read_millisecond_timer)() - record.last_ms >= record.pause_ms)
		write_all();
}

void record_exec(Bool is_next)
{
	record.head.file.flags = is_next ? record.head.file.flags | RAW_EXECED : record.head.file.flags & ~(uint32_t)RAW_EXECED;
	write_all();
}

void record_fork(void)
{
	if (record.file >= 0)
		VG_(close)(record.file); /* the parent's */
	begin(RAW_FORKED);
}

void record_finish(Bool by_itself)
{
	record.head.file.flags |= by_itself ? RAW_FINISHED : 0;
	write_all();
}
