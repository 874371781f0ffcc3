/* SPDX-License-Identifier: MIT */
/* test_logical.c: core/idle/logical on scripted stacks with scripted agents, against an oracle that reads the script.
 *
 * A frame of the script says what its agent will say of it when a bichord begins there. The oracle makes lists of
 * p-notes and l-notes out of that, turns them round and lays them side by side; the walk must come to the same
 * X-structures. */
#include "unit/lib.h"

#include "core/idle/logical.h"

enum { FRAMES = 40, LNOTES = 6, ROOM = 400, ENDLESS = 1 << 20, PLACE = 1000 /* of a code address: the address and this */ };
enum kind { PLAIN, AGENT, AGENT_WITHOUT_LNOTE, AGENT_WITHOUT_PNOTE, KINDS };

struct scripted {
	enum kind kind;
	unsigned association; /* may be none */
	unsigned more;        /* p-notes that the agent would like after this one */
	unsigned lnotes;      /* that it would give if it were always asked */
	uint64_t lip[LNOTES]; /* over and over again if there are to be more of them */
	bool rooted;
};

static struct scripted script[FRAMES];
static unsigned frames;

/* ---- the machine ---- */

struct machine {
	struct skein_frame frame;
	unsigned at;
};

static void stand(struct machine *m, unsigned at)
{
	m->at = at;
	m->frame = (struct skein_frame){.ip = 100 + at, .sp = at};
}

static bool machine_step(void *machine)
{
	struct machine *m = machine;
	if (m->at + 1 >= frames)
		return false;
	stand(m, m->at + 1);
	return true;
}

static const struct skein_frame *machine_frame(const void *machine)
{
	return &((const struct machine *)machine)->frame;
}

static uint64_t machine_place(const void *machine)
{
	return ((const struct machine *)machine)->frame.ip + PLACE;
}

static uint64_t machine_place_of(void *machine, uint64_t lip)
{
	(void)machine;
	return lip + PLACE;
}

static const struct skein_agent agents[KINDS];

static const struct skein_agent *machine_agent(void *machine)
{
	enum kind kind = script[((struct machine *)machine)->at].kind;
	return kind == PLAIN ? NULL : &agents[kind];
}

static bool machine_read(void *machine, uintptr_t address, void *to, size_t bytes)
{
	(void)machine, (void)address, (void)to, (void)bytes;
	return false;
}

static const struct logical_port port = {machine_step, machine_frame, machine_place, machine_agent, machine_place_of, machine_read};

/* ---- the agents ---- */

struct mine {
	const struct scripted *frame;
	unsigned taken, given;
};

static enum skein_association begin(struct skein_unwind *u, void *state)
{
	static const unsigned char zero[SKEIN_AGENT_STATE];
	struct mine *mine = state;
	assert_memory_equal(state, zero, sizeof zero);
	mine->frame = &script[u->port->frame(u->machine)->sp];
	u->rooted = mine->frame->rooted; /* skein_unwind_rooted */
	return (enum skein_association)mine->frame->association;
}

static int pnote(struct skein_unwind *u, void *state)
{
	struct mine *mine = state;
	assert_ptr_equal(&script[u->port->frame(u->machine)->sp], mine->frame + mine->taken + 1);
	return mine->taken++ < mine->frame->more;
}

static int lnote(struct skein_unwind *u, void *state, uint64_t *lip)
{
	struct mine *mine = state;
	(void)u;
	assert_true(mine->given <= mine->frame->lnotes);
	if (mine->given == mine->frame->lnotes)
		return 0;
	*lip = mine->frame->lip[mine->given++ % LNOTES];
	return 1;
}

static const struct skein_agent agents[KINDS] = {
	[AGENT] = {SKEIN_AGENT_VERSION, "scripted", begin, pnote, lnote},
	[AGENT_WITHOUT_LNOTE] = {SKEIN_AGENT_VERSION, "without lnote", begin, pnote, NULL},
	[AGENT_WITHOUT_PNOTE] = {SKEIN_AGENT_VERSION, "without pnote", begin, NULL, lnote},
};

/* ---- the oracle ---- */

struct oracle {
	struct lcct_x x[4 * ROOM]; /* innermost first */
	size_t count;
};

/* p and l: innermost first. */
static void add_bichord(struct oracle *o, const uint64_t *p, size_t pnotes, const uint64_t *l, size_t lnotes)
{
	size_t notes = pnotes > lnotes ? pnotes : lnotes;
	for (size_t note = notes; note >= 1; note--)
		o->x[o->count++] =
			(struct lcct_x){note <= pnotes ? p[pnotes - note] : 0, note <= lnotes ? l[lnotes - note] : 0, (uint32_t)note,
		                        lnotes == 0           ? pnotes == 1 ? SKEIN_1_0 : SKEIN_M_0
		                                : lnotes > 1  ? SKEIN_1_M
		                                : pnotes == 1 ? SKEIN_1_1
		                                              : SKEIN_M_1};
}

static size_t oracle_lnotes(const struct scripted *s, unsigned at, uint64_t *l)
{
	size_t count = 0, most = s->association == SKEIN_1_M ? s->lnotes : s->association == SKEIN_1_1 || s->association == SKEIN_M_1;
	if (s->kind == AGENT_WITHOUT_LNOTE) {
		l[0] = at + 100 + PLACE;
		return s->association == SKEIN_1_1;
	}
	for (size_t i = 0; i < most && i < s->lnotes; i++)
		if (s->lip[i % LNOTES])
			l[count++] = s->lip[i % LNOTES] + PLACE;
	return count;
}

static void read_script(struct oracle *o)
{
	bool rooted = false;
	o->count = 0;
	for (unsigned at = 0, end; at < frames; at = end) {
		const struct scripted *s = &script[at];
		uint64_t p[FRAMES], l[ROOM];
		size_t lnotes = 0;
		end = at + 1;
		if (rooted)
			end = frames;
		else if (s->kind == PLAIN || s->association > SKEIN_1_M)
			l[lnotes++] = at + 100 + PLACE;
		else {
			if ((s->association == SKEIN_M_0 || s->association == SKEIN_M_1) && s->kind != AGENT_WITHOUT_PNOTE)
				end = frames - end < s->more ? frames : end + s->more;
			lnotes = oracle_lnotes(s, at, l);
			rooted = s->rooted;
		}
		for (unsigned i = at; i < end; i++)
			p[i - at] = i + 100 + PLACE;
		add_bichord(o, p, end - at, l, lnotes);
	}
}

/* ---- */

static void random_script(unsigned seed)
{
	srand(seed);
	frames = 1 + (unsigned)rand() % FRAMES;
	for (unsigned i = 0; i < frames; i++) {
		struct scripted *s = &script[i];
		*s = (struct scripted){.kind = rand() % 3 ? (enum kind)(rand() % KINDS) : AGENT,
		                       .association = rand() % 20 ? (unsigned)rand() % 6 : 77,
		                       .more = rand() % 10 ? (unsigned)rand() % 4 : 1000,
		                       .lnotes = (unsigned)rand() % 12,
		                       .rooted = rand() % 40 == 0};
		for (unsigned n = 0; n < LNOTES; n++)
			s->lip[n] = (unsigned)rand() % 8; /* 0: a name that could not be kept */
	}
}

static size_t walk(struct lcct_x *path, size_t room, bool *whole)
{
	static unsigned char scratch[64];
	struct machine m;
	struct skein_unwind u;
	stand(&m, 0);
	logical_begin(&u, &port, &m, scratch, sizeof scratch);
	return logical_backtrace(&u, path, room, whole);
}

static void assert_same_x(const struct lcct_x *a, const struct lcct_x *b)
{
	assert_int_equal(a->ip, b->ip);
	assert_int_equal(a->lip, b->lip);
	assert_int_equal(a->note, b->note);
	assert_int_equal(a->association, b->association);
}

static void random_stacks_give_the_paths_of_the_script(void **state)
{
	(void)state;
	static struct oracle o;
	static struct lcct_x path[ROOM];
	for (unsigned seed = 1; seed <= 20000; seed++) {
		bool whole = false;
		random_script(seed);
		read_script(&o);
		size_t count = walk(path, ROOM, &whole);
		assert_true(whole);
		assert_int_equal(count, o.count);
		for (size_t i = 0; i < count; i++)
			assert_same_x(&path[ROOM - 1 - i], &o.x[i]);
	}
}

static void without_room_the_innermost_part_is_there(void **state)
{
	(void)state;
	static struct oracle o;
	struct lcct_x path[8];
	for (unsigned seed = 1; seed <= 5000; seed++) {
		size_t room = seed % 9, complete = 0;
		bool whole = false;
		random_script(seed);
		read_script(&o);
		size_t count = walk(path, room, &whole);
		assert_int_equal(whole, o.count <= room);
		assert_int_equal(count, whole ? o.count : room);
		for (size_t i = 0; i < count; i++)
			if (o.x[i].note == 1)
				complete = i + 1; /* up to here bichords are whole */
		for (size_t i = 0; i < complete; i++)
			assert_same_x(&path[room - 1 - i], &o.x[i]);
		for (size_t i = complete; i < count; i++) {
			assert_int_equal(path[room - 1 - i].note, count - i);
			assert_true(path[room - 1 - i].ip || path[room - 1 - i].lip);
		}
	}
}

static void one_frame(unsigned association, unsigned lnotes)
{
	frames = 1;
	script[0] = (struct scripted){.kind = AGENT, .association = association, .lnotes = lnotes, .lip = {1, 2, 3, 4, 5, 6}};
}

static void endless_notes_have_an_end(void **state)
{
	(void)state;
	static struct lcct_x path[ROOM];
	struct machine m;
	struct skein_unwind u;
	uint64_t place;
	uint32_t notes = 0;
	bool whole = true;
	one_frame(SKEIN_1_M, ENDLESS);
	assert_int_equal(walk(path, ROOM, &whole), ROOM);
	assert_false(whole);
	assert_int_equal(path[0].ip, 100 + PLACE);
	stand(&m, 0);
	logical_begin(&u, &port, &m, NULL, 0);
	assert_true(logical_step_bichord(&u));
	while (logical_step_pnote(&u, &place))
		;
	while (logical_step_lnote(&u, &place))
		notes++;
	assert_in_range(notes, 1000, ENDLESS / 2);
	memset(script[0].lip, 0, sizeof script[0].lip); /* and none of them has a name */
	assert_int_equal(walk(path, ROOM, &whole), 1);
	assert_int_equal(path[ROOM - 1].association, SKEIN_1_0);
}

static void steps_look_ahead_for_frames_only(void **state)
{
	(void)state;
	struct machine m;
	struct skein_unwind u;
	uint64_t place;
	frames = 4;
	memset(script, 0, sizeof script);
	script[1] = (struct scripted){.kind = AGENT, .association = SKEIN_M_1, .more = 1, .lnotes = 1, .lip = {9}};
	stand(&m, 0);
	logical_begin(&u, &port, &m, NULL, 0);
	assert_true(logical_step_bichord(&u));
	assert_int_equal(m.at, 0);
	assert_true(logical_step_pnote(&u, &place));
	assert_int_equal(place, 100 + PLACE);
	assert_int_equal(m.at, 0);
	assert_false(logical_step_pnote(&u, &place)); /* the end of the chord is seen from the next frame */
	assert_int_equal(m.at, 1);
	assert_false(logical_step_pnote(&u, &place));
	assert_int_equal(m.at, 1);
	assert_true(logical_step_lnote(&u, &place));
	assert_int_equal(place, 100 + PLACE);
	assert_false(logical_step_lnote(&u, &place));
	assert_true(logical_step_bichord(&u));
	assert_int_equal(u.association, SKEIN_M_1);
	assert_true(logical_step_pnote(&u, &place));
	assert_true(logical_step_bichord(&u)); /* what was not asked for is passed over */
	assert_true(logical_step_pnote(&u, &place));
	assert_int_equal(place, 103 + PLACE);
	assert_false(logical_step_pnote(&u, &place));
	assert_false(logical_step_bichord(&u));
	assert_false(logical_step_bichord(&u));
}

static void memory_lasts_for_the_walk(void **state)
{
	(void)state;
	static _Alignas(16) unsigned char scratch[100];
	struct skein_unwind u;
	logical_begin(&u, &port, NULL, scratch + 1, 80);
	unsigned char *a = logical_memory(&u, 20), *b = logical_memory(&u, 16);
	assert_int_equal((uintptr_t)a % 16, 0);
	assert_int_equal((uintptr_t)b % 16, 0);
	assert_true(a >= scratch + 1 && a + 20 <= b);
	assert_null(logical_memory(&u, 18));
	assert_null(logical_memory(&u, SIZE_MAX));
	assert_ptr_equal(logical_memory(&u, 17), b + 16);
	assert_null(logical_memory(&u, 1));
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(random_stacks_give_the_paths_of_the_script),
		cmocka_unit_test(without_room_the_innermost_part_is_there),
		cmocka_unit_test(endless_notes_have_an_end),
		cmocka_unit_test(steps_look_ahead_for_frames_only),
		cmocka_unit_test(memory_lasts_for_the_walk),
	};
	return cmocka_run_group_tests(all, NULL, NULL);
}
