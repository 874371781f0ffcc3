/* SPDX-License-Identifier: MIT */
/* concurrent.c: read/write timestamping without a counter that all threads share.
 *
 * Problem: the paper's counter orders everything that all threads do, so they have to run one at a time.
 * Idea: the order is used for two questions only. Which of *its own* activations a thread had entered before its
 * last access follows from the thread's own counter. Whether another thread has written *this cell* since needs no
 * order: a word of the cell names the last write, the thread remembers the word that it saw, and if both differ
 * another thread has written. A word names a thread and an epoch of it. Two writes of one epoch have the same word,
 * but in a program without races no thread can read between them: it would have to synchronise with both, and the
 * epoch would have ended. For the same reason no other thread can have written a cell that this thread has accessed
 * since its last sync, so the fast path does not read the word.
 * After a sync the first read of each cell has to look for news. Most chunks have none: a world counts the epochs in which it was written, and
 * a cell that was accessed since the thread first found the present count has the word that the thread saw. A thread that writes in a new
 * epoch counts before it writes; to write a cell that this thread has accessed since, it must have synchronised with this thread, and is in
 * a new epoch.
 * Cost: as in the serial form, and a word more for each cell of a thread; no atomic operation that waits for others. An
 * epoch in which nothing was written is used again.
 * Differs from the paper, whose threads are serialised. */
#include "core/input/concurrent.h"
#include "core/input/fast.h"
#include "core/input/stack.h"

bool input_concurrent_start(struct input_concurrent *all, const struct input_port *port, unsigned cell_log2)
{
	*all = (struct input_concurrent){.count_max = INPUT_COUNT_MAX};
	input_shadow_start(&all->shadow, port, cell_log2, sizeof(struct input_concurrent_chunk), sizeof(struct input_concurrent_world));
	return input_writers_start(&all->writers, port);
}

/* Words of id 0 are reused, by all threads that have no id. */
static uint32_t shared_word(struct input_concurrent *all)
{
	uint32_t epoch = __atomic_add_fetch(&all->shared_epoch, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&all->reused, 1, __ATOMIC_RELAXED);
	return input_word(0, 1 + epoch % (all->writers.epochs_max - 1), INPUT_BY_THREAD);
}

/* Takes an id with epochs left. Renumbering gives every running thread a new id, this one too. */
static void take_id(struct input_concurrent_thread *me)
{
	struct input_concurrent *all = me->all;
	me->word = input_writers_take(&all->writers, me->t.id);
	if (!me->word && all->stop && all->stop(all->context)) {
		if (input_concurrent_renumber_words(all) && !me->word)
			me->word = input_writers_take(&all->writers, me->t.id);
		all->go(all->context);
	}
	if (!me->word)
		me->word = shared_word(all);
}

static void sync(struct input_concurrent_thread *me)
{
	if (me->wrote) {
		me->wrote = 0;
		me->word = input_word_id(me->word) ? input_writers_next(&me->all->writers, me->word) : 0;
		if (INPUT_RARELY(!me->word))
			take_id(me);
	}
	input_look_again(&me->t);
}

void input_concurrent_sync(struct input_concurrent_thread *me)
{
	if (!input_concurrent_enter(me))
		return;
	sync(me);
	input_concurrent_leave(me);
}

bool input_concurrent_thread_start(struct input_concurrent *all, struct input_concurrent_thread *me, uint32_t id,
                                   struct input_routine *routine)
{
	if (!me->all) {
		me->all = all;
		me->t.renumber = input_concurrent_renumber_times;
		me->t.next = __atomic_load_n(&all->threads, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&all->threads, &me->t.next, &me->t, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
	}
	me->busy = 1;
	me->interrupted = 0;
	me->t.count_max = all->count_max;
	bool started = input_thread_start(&me->t, id, routine);
	if (started)
		take_id(me);
	input_concurrent_leave(me);
	return started;
}

void input_concurrent_thread_end(struct input_concurrent_thread *me)
{
	me->busy = 1;
	input_thread_end(&me->t);
	input_writers_give(&me->all->writers, me->word);
	me->word = 0;
	me->wrote = 0;
	input_concurrent_leave(me);
}

void input_concurrent_call(struct input_concurrent_thread *me, struct input_routine *routine)
{
	if (!input_concurrent_enter(me))
		return;
	input_push(&me->t, routine);
	input_concurrent_leave(me);
}

void input_concurrent_return(struct input_concurrent_thread *me)
{
	if (!input_concurrent_enter(me))
		return;
	input_pop(&me->t);
	input_concurrent_leave(me);
}

/* A jump out of a handler may have left one of these functions halfway. */
void input_concurrent_return_to(struct input_concurrent_thread *me, uint32_t depth)
{
	me->busy = 1;
	input_return_to(&me->t, depth);
	input_concurrent_leave(me);
}

/* Reports reads of cells that were written with one word. */
static void tell_news(struct input_concurrent_thread *me, uint32_t stamp, uint32_t word, uint32_t cells)
{
	if (cells)
		input_induced(&me->t, stamp,
		              (word & INPUT_BY) == INPUT_BY_KERNEL ? INPUT_KERNEL : input_writers_who(&me->all->writers, word), cells);
}

/* Whether no other thread has written in the chunk since the thread's access with that stamp. */
static bool is_quiet(const struct input_thread *t, struct input_concurrent_chunk *chunk, uint32_t stamp)
{
	uint64_t changes = __atomic_load_n(&((struct input_concurrent_world *)chunk->head.world)->changes, __ATOMIC_RELAXED);
	if (chunk->changes != changes) {
		chunk->changes = changes;
		chunk->quiet = t->count;
	}
	return stamp && stamp >> 1 >= chunk->quiet;
}

/* Before the thread's first write in the chunk in this epoch. What is quiet stays so, unless others have written as well. */
static void tell_world(struct input_concurrent_chunk *chunk, uint32_t word)
{
	uint64_t before = __atomic_fetch_add(&((struct input_concurrent_world *)chunk->head.world)->changes, 1, __ATOMIC_RELAXED);
	chunk->changes += chunk->changes == before;
	chunk->word = word;
}

/* ---- ranges: four cells at a time where they are in the same state ---- */

static bool is_four(const uint32_t *numbers, uint32_t n)
{
	return arch_signs(*(const arch_four *)numbers == input_four_of(n)) == 15;
}

/* Sets the number of the first cell, and of the following ones that have the same. Returns how many. */
static uint32_t set_run(uint32_t *numbers, uint32_t count, uint32_t to)
{
	uint32_t old = numbers[0], n = 0;
	arch_four all = input_four_of(old), fresh = input_four_of(to);
	for (; n + 16 <= count; n += 16) {
		arch_four *four = (arch_four *)(numbers + n);
		if (arch_signs((four[0] == all) & (four[1] == all) & (four[2] == all) & (four[3] == all)) != 15)
			break;
		four[0] = four[1] = four[2] = four[3] = fresh;
	}
	for (; n < count && numbers[n] == old; n++)
		numbers[n] = to;
	return n;
}

/* How many of the first cells a read changes nothing of, in steps of 16. A branch, and not a choice between two lengths: the processor
 * goes on before it knows. */
static uint32_t known_run(const uint32_t *stamps, uint32_t count, uint32_t limit)
{
	arch_four least = input_four_of(limit);
	uint32_t n = 0;
	for (; n + 16 <= count; n += 16) {
		const arch_four *four = (const arch_four *)(stamps + n);
		if (arch_signs((four[0] < least) | (four[1] < least) | (four[2] < least) | (four[3] < least)))
			break;
	}
	return n;
}

static uint32_t read_quiet(struct input_thread *t, struct input_chunk *chunk, uint32_t at, uint32_t end)
{
	uint32_t old = chunk->stamps[at], run = set_run(chunk->stamps + at, end - at, t->count << 1);
	if (old >> 1 < input_top(t)->start)
		input_first(t, old, run);
	return run;
}

/* Reads a cell that others may have written since the thread's last access, and the following cells in the same
 * state. Returns how many. */
static uint32_t read_old(struct input_concurrent_thread *me, struct input_concurrent_chunk *chunk, uint32_t at, uint32_t end)
{
	struct input_thread *t = &me->t;
	struct input_concurrent_world *world = (struct input_concurrent_world *)chunk->head.world;
	uint32_t old = chunk->head.stamps[at], known = 0, news = 0, last = 0, cell = at;
	bool is_stale = input_is_stale(t, old);
	uint32_t stamp = is_stale ? 0 : old;
	if (is_quiet(t, chunk, stamp))
		return read_quiet(t, &chunk->head, at, end);
	for (uint32_t same; cell < end && chunk->head.stamps[cell] == old; cell += same) {
		uint32_t word = __atomic_load_n(&world->words[cell], __ATOMIC_RELAXED), seen = chunk->seen[cell];
		bool is_news = word && (is_stale || word != seen);
		same = cell + 4 <= end && is_four(&chunk->head.stamps[cell], old) && is_four(&world->words[cell], word) &&
				is_four(&chunk->seen[cell], seen)
			? 4
			: 1;
		for (uint32_t i = cell; i < cell + same; i++) {
			chunk->head.stamps[i] = t->count << 1;
			chunk->seen[i] = word;
		}
		if (is_news && word != last) {
			tell_news(me, stamp, last, news);
			last = word;
			news = 0;
		}
		news += is_news ? same : 0;
		known += is_news ? 0 : same;
	}
	tell_news(me, stamp, last, news);
	if (known && stamp >> 1 < input_top(t)->start)
		input_first(t, stamp, known);
	return cell - at;
}

/* A cell that the thread has accessed since its last sync is at most a first access, and its own write is still the
 * last one: the shared word need not be read. */
static void read_cells(struct input_concurrent_thread *me, struct input_concurrent_chunk *chunk, uint32_t at, uint32_t end)
{
	struct input_thread *t = &me->t;
	uint32_t *stamps = chunk->head.stamps, run;
	for (; at < end; at += run) {
		uint32_t stamp = stamps[at];
		if (stamp >= t->limit) {
			run = known_run(stamps + at, end - at, t->limit);
			run += !run;
			continue;
		}
		if (stamp < t->base << 1) {
			run = read_old(me, chunk, at, end);
			continue;
		}
		run = set_run(stamps + at, end - at, t->count << 1 | (stamp & INPUT_WRITTEN));
		input_first_here(t, stamp, run);
	}
}

static void write_cells(struct input_concurrent_thread *me, struct input_concurrent_chunk *chunk, uint32_t at, uint32_t end)
{
	struct input_concurrent_world *world = (struct input_concurrent_world *)chunk->head.world;
	uint32_t known = me->t.base << 1 | INPUT_WRITTEN, fresh = me->t.count << 1 | INPUT_WRITTEN;
	for (uint32_t run; at < end; at += run) {
		uint32_t stamp = chunk->head.stamps[at];
		run = 1;
		if (stamp >= known && stamp & INPUT_WRITTEN) {
			run = set_run(&chunk->head.stamps[at], end - at, fresh);
			continue;
		}
		chunk->head.stamps[at] = fresh;
		if (chunk->word != me->word)
			tell_world(chunk, me->word);
		__atomic_store_n(&world->words[at], me->word, __ATOMIC_RELAXED);
		chunk->seen[at] = me->word;
	}
}

/* Inlined into both of its uses. */
INPUT_INLINE void access_cells(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes,
                               void (*access)(struct input_concurrent_thread *, struct input_concurrent_chunk *, uint32_t, uint32_t))
{
	struct input_shadow *shadow = &me->all->shadow;
	struct input_range range = input_range_of(shadow->cell_log2, address, bytes);
	uint64_t number;
	uint32_t from, count;
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_chunk *chunk = input_chunk_at(shadow, &me->t.lane, number);
		if (chunk)
			access(me, (struct input_concurrent_chunk *)chunk, from, from + count);
		else
			me->t.lost++;
	}
}

/* One or two cells that the thread has accessed since its last sync, in an activation that is a few frames below the top: what functions
 * of an interpreter do most. False: nothing was done. */
INPUT_INLINE bool read_near(struct input_thread *t, unsigned cell_log2, uint64_t address, uint64_t bytes)
{
	enum { NEAR = 8 };
	uint64_t first = address >> cell_log2, cells = ((address + bytes - 1) >> cell_log2) - first + 1;
	uint32_t *stamps = cells - 1 < 2 ? input_stamps_at(t, address, cell_log2, (uint32_t)cells, false) : NULL;
	if (!stamps || stamps[0] >= t->deep || stamps[0] < t->base << 1 || stamps[cells - 1] != stamps[0] || t->depth < NEAR)
		return false;
	uint32_t stamp = stamps[0];
	struct input_frame *top = input_top(t), *f = top - 2;
	while (f > top - NEAR + 1 && f->start > stamp >> 1)
		f--;
	if (f->start > stamp >> 1)
		return false;
	stamps[0] = stamps[cells - 1] = t->count << 1 | (stamp & INPUT_WRITTEN);
	top->size += (int64_t)cells;
	f->size -= (int64_t)cells;
	return true;
}

static __attribute__((noinline)) void read_any(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes)
{
	access_cells(me, address, bytes, read_cells);
	input_concurrent_leave(me);
}

void input_concurrent_read_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes)
{
	if (!input_concurrent_enter(me))
		return;
	if (read_near(&me->t, me->all->shadow.cell_log2, address, bytes))
		input_concurrent_leave(me);
	else
		read_any(me, address, bytes);
}

void input_concurrent_write_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes)
{
	if (!input_concurrent_enter(me))
		return;
	me->wrote = 1;
	access_cells(me, address, bytes, write_cells);
	input_concurrent_leave(me);
}

/* The kernel's write gets an epoch of its own. */
void input_concurrent_kernel_write(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes)
{
	if (!input_concurrent_enter(me))
		return;
	struct input_shadow *shadow = &me->all->shadow;
	struct input_range range = input_range_of(shadow->cell_log2, address, bytes);
	uint64_t number;
	uint32_t from, count;
	sync(me);
	while (input_range_next(&range, &number, &from, &count)) {
		struct input_concurrent_world *world = (struct input_concurrent_world *)input_world_at(shadow, number);
		if (!world)
			me->t.lost++;
		else
			__atomic_fetch_add(&world->changes, 1, __ATOMIC_RELAXED);
		for (uint32_t i = from; world && i < from + count; i++)
			__atomic_store_n(&world->words[i], me->word ^ INPUT_BY, __ATOMIC_RELAXED);
	}
	me->wrote = 1;
	sync(me);
	input_concurrent_leave(me);
}

void input_concurrent_forget(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes)
{
	if (!input_concurrent_enter(me))
		return;
	struct input_shadow *shadow = &me->all->shadow;
	struct input_range range = input_range_inside(shadow->cell_log2, address, bytes);
	for (uint64_t number = range.cell >> INPUT_CELLS_LOG2; range.cell < range.end; number++) {
		struct input_world *world = input_world_next(shadow, &number, (range.end - 1) >> INPUT_CELLS_LOG2);
		if (!world)
			break;
		uint32_t from, count = input_range_in(&range, number, &from);
		input_world_forget(world, from, count);
		__builtin_memset(&((struct input_concurrent_world *)world)->words[from], 0, count * sizeof(uint32_t));
	}
	input_concurrent_leave(me);
}
