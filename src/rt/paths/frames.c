/* SPDX-License-Identifier: MIT */
/* frames.c: the list of frames that are in a call that may not return.
 *
 * Rows in the recording, used like a stack, in tables that do not move: the last row of one leads to the next. A row is
 * in use if its routine is not 0. Rows above the running frame were left by a jump; they are found when a frame
 * would take their row, when control lands in a frame below them, or when the thread ends, and counted as frames
 * that never ended. The reader counts rows that are left when the process ends. */
#include "raw/writer.h"
#include "rt/paths/paths.h"

enum { FIRST_FRAMES = 256, MORE_FRAMES_MAX = 1 << 16 };

/* For code that runs where nothing can be recorded: any thread writes it, and it is never read. */
static struct raw_paths_open nowhere[2] = {[1] = {.routine = RAW_PATHS_LINK}};

static struct raw_table *new_table(const struct paths_worker *w, uint32_t rows)
{
	struct raw_table *table = raw_add_table(RAW_PATHS_OPEN, w->lane, 0, rows);
	if (!table)
		return NULL;
	((struct raw_paths_open *)raw_rows(table))[rows - 1].routine = RAW_PATHS_LINK;
	table->used = rows;
	return table;
}

struct raw_paths_open *paths_first_frame(struct paths_worker *w)
{
	if (!w->open)
		w->open = new_table(w, FIRST_FRAMES);
	return w->open ? raw_rows(w->open) : &skein_no_frames;
}

/* The rows that a link leads to, or NULL. */
static struct raw_paths_open *follow(const struct raw_paths_open *link)
{
	return (struct raw_paths_open *)(uintptr_t)link->reg;
}

static struct raw_paths_open *go_on(const struct paths_worker *w, struct raw_paths_open *link, uint32_t rows)
{
	struct raw_paths_open *next = follow(link);
	if (!next && w) {
		struct raw_table *table = new_table(w, rows);
		next = table ? raw_rows(table) : NULL;
		link->reg = (uintptr_t)next;
	}
	return next;
}

/* `vforked`: the frame was in a child that records nothing. */
static void drop(struct paths_worker *w, struct raw_paths_open *row)
{
	while (row && row->routine) {
		if (row->routine == RAW_PATHS_LINK) {
			row = follow(row);
			continue;
		}
		if (w && !skein_self.vforked && row->block != RAW_PATHS_NO_CALL)
			paths_count_stop(w, row);
		row->routine = 0;
		row++;
	}
}

struct raw_paths_open *paths_frames(struct skein_object *object)
{
	struct skein_self *self = &skein_self;
	if (self->open == &skein_no_frames && !self->vforked) {
		if (!object->first_routine)
			skein_rt_register(object);
		self = threads_meet();
	}
	struct paths_worker *w = self->vforked ? NULL : paths_mine(self);
	struct raw_paths_open *row = self->open;
	uint32_t rows = FIRST_FRAMES;
	while (row && row->routine) {
		if (row->routine != RAW_PATHS_LINK)
			drop(w, row);
		else
			row = go_on(w, row, rows = rows < MORE_FRAMES_MAX ? 2 * rows : rows);
	}
	if (row && w)
		return row;
	raw_lose(self->vforked ? RAW_LOST_VFORK : w ? RAW_LOST_TOO_DEEP : RAW_LOST_TOO_EARLY, 1);
	return nowhere;
}

void paths_drop(struct raw_paths_open *from)
{
	drop(skein_self.vforked ? NULL : paths_mine(&skein_self), from);
}

void paths_drop_all(struct skein_self *self, struct paths_worker *w)
{
	(void)self;
	if (w->open)
		drop(w, raw_rows(w->open));
}

void paths_forget_above(struct raw_paths_open *from)
{
	drop(NULL, from);
}

/* The frames of the one thread that is left are the child's, too. raw_fork has made their tables void. */
void paths_restart_frames(struct paths_worker *w, bool mine)
{
	struct raw_table *table = mine ? w->open : NULL;
	if (!mine)
		w->open = NULL;
	while (table) {
		table->lane = w->lane;
		raw_done(&table->record, RAW_TABLE);
		struct raw_paths_open *next = follow((struct raw_paths_open *)raw_rows(table) + table->capacity - 1);
		table = next ? (struct raw_table *)next - 1 : NULL;
	}
}
