/* SPDX-License-Identifier: MIT */
#include "analyse/flow/backward.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/hash.h"
#include "base/memory.h"

enum { BLOCK_BYTES = 4 << 20 };
_Static_assert(sizeof((struct flow_backward *)0)->folder >= PATH_MAX, "any folder has room");

void flow_backward_start(struct flow_backward *b, const char *folder)
{
	*b = (struct flow_backward){.file = -1};
	snprintf(b->folder, sizeof b->folder, "%s", folder);
	b->block = (struct flow_links){.bytes = memory_resize(NULL, BLOCK_BYTES, 1), .room = BLOCK_BYTES};
}

/* ---- forward ---- */

static int open_file(const char *folder)
{
	char path[PATH_MAX];
	if ((size_t)snprintf(path, sizeof path, "%slinks.XXXXXX", folder) >= sizeof path)
		return -1;
	int file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	return file;
}

/* All of it, or not. */
static bool move(int file, void *memory, size_t bytes, off_t at, bool writes)
{
	for (size_t done = 0; done < bytes;) {
		char *from = (char *)memory + done;
		off_t place = at + (off_t)done;
		ssize_t now = writes ? pwrite(file, from, bytes - done, place) : pread(file, from, bytes - done, place);
		if (now <= 0)
			return false;
		done += (size_t)now;
	}
	return true;
}

static void spill(struct flow_backward *b)
{
	if (b->file < 0)
		b->file = open_file(b->folder);
	if (b->file < 0 || !move(b->file, b->block.bytes, b->block.used, (off_t)b->block_count * BLOCK_BYTES, true)) {
		b->failed = true;
		return;
	}
	MEMORY_GROW(b->blocks, b->block_count, b->block_room);
	b->blocks[b->block_count++] = b->block.used;
	b->block.used = 0;
}

void flow_backward_put(struct flow_backward *b, const struct flow *flow)
{
	uint64_t number = b->links++;
	if (b->failed || flow_links_put(&b->block, &flow->link, number))
		return;
	spill(b);
	if (!b->failed)
		flow_links_put(&b->block, &flow->link, number);
}

/* ---- backward ---- */

static struct flow_slack_strand *strand_at(void *context, uint32_t number)
{
	struct flow_backward *b = context;
	return number < b->strand_count ? &b->strands[number].core : NULL;
}

static uint32_t new_node(struct flow_backward *b)
{
	if (b->unused_count)
		return b->unused[--b->unused_count];
	MEMORY_GROW(b->nodes, b->node_count, b->node_room);
	return (uint32_t)b->node_count++;
}

static uint64_t *node_at(void *context, uint64_t number)
{
	struct flow_backward *b = context;
	void **found = map_at(&b->by_node, number);
	if (!*found) {
		uint32_t node = new_node(b);
		b->nodes[node] = FLOW_NONE;
		*found = (void *)((uintptr_t)node + 1);
	}
	return &b->nodes[(uintptr_t)*found - 1];
}

static void drop_node(void *context, uint64_t number)
{
	struct flow_backward *b = context;
	const void *found = map_find(&b->by_node, number);
	if (!found)
		return;
	MEMORY_GROW(b->unused, b->unused_count, b->unused_room);
	b->unused[b->unused_count++] = (uint32_t)((uintptr_t)found - 1);
	map_drop(&b->by_node, number);
}

static bool same_row(const void *array, size_t number, const void *what)
{
	const struct flow_backward_row *a = (const struct flow_backward_row *)array + number, *b = what;
	return a->strand == b->strand && a->from == b->from && a->to == b->to;
}

static void add_stretch(struct flow_backward *b, uint32_t strand, uint64_t from)
{
	const struct flow_backward_strand *s = &b->strands[strand];
	struct flow_backward_row key = {.strand = strand, .from = from, .to = s->to, .slack = FLOW_NONE};
	uint64_t hash = hash_number(hash_number(hash_number(HASH_START, strand), from), s->to);
	size_t *place = lookup_at(&b->by_row, hash, same_row, b->rows, &key);
	if (!*place) {
		MEMORY_GROW(b->rows, b->row_count, b->row_room);
		b->rows[b->row_count++] = key;
		*place = b->row_count;
	}
	struct flow_backward_row *row = &b->rows[*place - 1];
	row->count++;
	row->ticks += s->ticks;
	row->slack = s->room < row->slack ? s->room : row->slack;
	row->critical += s->room ? 0 : s->ticks;
	if (s->room == FLOW_NONE)
		return;
	row->bound += s->ticks;
	row->room += (double)s->ticks * (double)s->room;
}

/* A loss or a gain of the core is no end of a stretch. */
static bool says_nothing(const struct flow_link *l)
{
	return !l->works && !l->begins && !l->took && !l->held && l->from == FLOW_NONE && l->to == FLOW_NONE;
}

static void take_link(struct flow_backward *b, const struct flow_link *link, uint64_t slack)
{
	struct flow_backward_strand *s = &b->strands[link->strand];
	if (says_nothing(link))
		return;
	if (s->is_open)
		add_stretch(b, link->strand, link->mark);
	s->is_open = link->works && link->took;
	s->to = link->mark;
	s->ticks = link->took;
	s->room = slack;
}

static bool last_block(struct flow_backward *b)
{
	if (!b->block_count)
		return false;
	b->block.used = b->blocks[--b->block_count];
	b->failed = !move(b->file, b->block.bytes, b->block.used, (off_t)b->block_count * BLOCK_BYTES, false);
	return !b->failed;
}

void flow_backward_run(struct flow_backward *b, struct flow *flow, uint32_t strands)
{
	const struct flow_slack_memory memory = {strand_at, node_at, drop_node, b};
	struct flow_slack slack;
	struct flow_link link;
	b->strands = memory_zeroed((size_t)strands + 1, sizeof *b->strands);
	b->strand_count = strands;
	flow_slack_start(&slack, &memory, flow->longest[0], flow->exited);
	for (uint32_t i = 0; i < strands; i++)
		flow_slack_strand(&slack, i, flow->memory.strand(flow->memory.context, i)->at[0]);
	while (b->links && !b->failed) {
		if (!flow_links_take(&b->block, &link, --b->links)) {
			b->links++;
			b->failed |= !last_block(b);
			continue;
		}
		uint64_t room = flow_slack_step(&slack, &link, b->links);
		b->failed |= slack.failed;
		if (!b->failed)
			take_link(b, &link, room);
	}
}

void flow_backward_free(struct flow_backward *b)
{
	if (b->file >= 0)
		close(b->file);
	free(b->block.bytes);
	free(b->blocks);
	free(b->strands);
	map_free(&b->by_node);
	free(b->nodes);
	free(b->unused);
	free(b->rows);
	lookup_free(&b->by_row);
}
