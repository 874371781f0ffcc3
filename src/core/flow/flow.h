/* SPDX-License-Identifier: MIT */
/* flow.h: what waited for what in a recorded run, and how long the run would have taken otherwise (cprof, section 5.2).
 *
 * Problem: "the analysis attempts to remove any task scheduling effects …, making it appear as if the program had the entire machine to
 * itself": a version of the trace that is compressed as far as the dependencies between its threads allow. A trace has too many events
 * to be held as a graph.
 * Idea: events come in the order of their times. A release is stamped before it is done and an acquisition after it succeeded, so that
 * order is a topological order of the graph, and one pass computes the longest path to each event: a strand (a thread, or a task) has a
 * position, and so has everything that was released and can be acquired. Positions are vectors: one number for each *question*, which
 * says what is left out of the run: the machine's load, the time that waking up takes, one lock, all but P cores.
 *
 * Of a question's run:
 *   a stretch of work          takes its CPU time, and the time without a core unless the question leaves load out
 *   what was released          can be acquired from the position of its release on; the recorded order of acquisitions is kept
 *   a wait that something in the run ended   ends at the latest there; from then until the strand went on is latency
 *   a wait that nothing in the run ended     keeps its length: input, sleep, a timeout; but not the time that it lacked a core
 * With everything left in, each position is the recorded time. So the run's length is the minimum, plus what load adds to it, plus what
 * latency adds to that.
 * With a number of cores, a stretch takes the core that is free first, in the recorded order: an approximation of a fair scheduler.
 * Cost: constant for each event and question, but for barriers and signals, which take as long as there are waiting strands. Memory:
 * strands, objects, and what was posted and not yet taken.
 *
 *     flow_start(&flow, &memory, questions, 2);
 *     while (next_event(&event))
 *             sender = flow_step(&flow, &event);      the event that this one had to wait for, or FLOW_NONE
 *     shortest = flow.longest[0];
 *
 * Differs from the paper, which gives no algorithm: questions, and what keeps its length. No allocation: memory has functions for it. */
#ifndef SKEIN_CORE_FLOW_H
#define SKEIN_CORE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_NONE UINT64_MAX
enum { FLOW_QUESTIONS = 24, FLOW_CORES = 64, FLOW_POSTS = 1 << 16 };

/* Each event ends a stretch of its strand, or a wait that FLOW_PAUSE began. */
enum flow_kind {
	FLOW_CREATE,  /* the strand `object` may begin */
	FLOW_BEGIN,   /* the strand begins: the first event of each */
	FLOW_END,     /* the strand ends: its last event */
	FLOW_JOIN,    /* the strand `object` has ended */
	FLOW_PAUSE,   /* the strand begins to wait; the next event of the strand, other than FLOW_OFF and FLOW_ON, ends that */
	FLOW_GO,      /* a wait has ended that nothing in the run ended */
	FLOW_ACQUIRE, /* the lock `object`, alone */
	FLOW_RELEASE,
	FLOW_SHARE, /* the lock, with others */
	FLOW_UNSHARE,
	FLOW_FILL,      /* a counter has `count` tokens from now on */
	FLOW_POST,      /* one more */
	FLOW_TAKE,      /* one less */
	FLOW_LISTEN,    /* the strand waits for signals of the condition `object` from now on: before FLOW_PAUSE */
	FLOW_SIGNAL,    /* to one that listens */
	FLOW_BROADCAST, /* to all that listen */
	FLOW_HEAR,      /* a signal has ended the wait */
	FLOW_IGNORE,    /* the wait for signals has ended by itself: a timeout */
	FLOW_ARRIVE,    /* at the barrier `object` */
	FLOW_PASS,      /* all have arrived */
	FLOW_OFF,       /* the strand has lost its core, and has work to do; in a wait that nothing in the run ends, too */
	FLOW_ON,        /* the strand has a core again */
	FLOW_OPEN,      /* others may enter `object` from now on */
	FLOW_ENTER,     /* behind the last FLOW_OPEN */
	FLOW_OFFER,     /* what was done until now can be waited for at `object` */
	FLOW_FOLLOW,    /* behind all that was offered there; then nothing is offered any more */
	FLOW_EXIT,      /* the strand ends the run, whatever others still do */
	/* what orders nothing: told for those who read the events */
	FLOW_REFUSE, /* a try for `object` has failed */
	FLOW_DETACH, /* no strand will wait for the end of the strand `object` */
	FLOW_RUN,    /* the strand runs a task from now on: `count`; 0: what it ran before any task */
	FLOW_MARK,   /* the program says something: `count` is an enum flow_said */
	/* routines, which flow_step does not take: analyse/flow/routines.h does */
	FLOW_ENTRY,  /* of a routine */
	FLOW_RETURN, /* from the innermost one */
	FLOW_UNWIND, /* the routines above a depth were left by a jump */
	FLOW_LEND,   /* the innermost one calls what others adopt under a number */
	FLOW_ADOPT,  /* a frame that stands for who lent the number, or created the strand `object` */
	FLOW_KINDS
};

/* What a program may say: include/skein/skein.h. */
enum flow_said { FLOW_MARK_BEGIN, FLOW_MARK_END, FLOW_MARK_MESSAGE, FLOW_MARK_VALUE, FLOW_MARKS };

struct flow_event {
	uint64_t time;
	uint32_t strand, object; /* numbers from 0, each kind of thing by itself; UINT32_MAX: no object */
	uint32_t group;          /* of the object, for struct flow_question: objects that are to be free together */
	uint32_t count;          /* FLOW_FILL */
	enum flow_kind kind;
	uint64_t mark;        /* the caller's: comes back in the flow_cause of who waited for this event */
	const uint64_t *less; /* by question: ticks by which the stretch of work that ends here is shorter there; NULL: none */
};

/* What the pass backward (slack.h) needs to know of an event: edges of the graph. Events have numbers from 0, in the order in which they
 * came. Who waits for several events at once waits for a node, which has the number of the first of them. */
struct flow_link {
	uint64_t mark; /* the event's */
	uint64_t took; /* from the strand's position behind its last event until it was ready for this one */
	uint64_t held; /* from there to its position behind this event: it had to wait for `from` */
	uint64_t from; /* node that it could not precede; FLOW_NONE: none */
	uint64_t to;   /* node that it is a part of, for others; FLOW_NONE: none */
	uint32_t strand;
	bool begins; /* the first event of its strand */
	bool works;  /* what it took was work */
	bool exits;  /* the run ended here */
};

/* What an event ended, and what ended that. */
struct flow_cause {
	bool waited;     /* a wait has ended */
	bool is_known;   /* something in the run ended it, or let the strand go on: the rest is about that */
	uint64_t since;  /* time at which the wait began */
	uint64_t sent;   /* time of the event that ended it */
	uint64_t mark;   /* of that event */
	uint32_t strand; /* of that event */
};

struct flow_question {
	bool keeps_load, keeps_latency;
	uint32_t without; /* group of objects that strands never wait for; UINT32_MAX: none */
	uint32_t cores;   /* 0: as many as there are strands */
};

struct flow_way;

/* Where something was released: in each question's run, and in the recorded one. */
struct flow_point {
	uint64_t at[FLOW_QUESTIONS];
	uint64_t time;
	uint64_t mark;    /* of the event */
	uint64_t outside; /* the strand's, then */
	/* of the event that came last, of several that are waited for; the others are those of the one that counts in question 0 */
	uint64_t last_mark;
	uint32_t last_strand;
	uint64_t event;  /* number of the event: in the order in which they came, from 0 */
	uint64_t node;   /* number of the first event that is waited for here: see struct flow_link */
	uint32_t strand; /* the strand of that event */
	struct flow_way *way;
	struct flow_point *next;
};

struct flow_strand {
	uint64_t at[FLOW_QUESTIONS]; /* the strand's position */
	uint64_t booked;             /* time until which it is in the books */
	uint64_t paused, off;        /* times; UINT64_MAX: not */
	uint64_t off_ticks;          /* in the current stretch */
	struct flow_point *created, *ended;
	struct flow_way *way;                 /* the longest path to the position: see way.h */
	uint64_t work, load, waited, outside; /* sums, which add up to the strand's life */
	uint32_t queue;                       /* object that it waits for; UINT32_MAX: none, or not known */
	uint64_t arrived;                     /* number of the turn of the barrier at which the strand waits */
	bool alive;
};

/* A strand that listens to a condition. */
struct flow_listener {
	struct flow_listener *next;
	struct flow_point *heard; /* NULL: no signal yet */
	uint32_t strand;
};

struct flow_object {
	struct flow_point *released, *unshared; /* the last release; the latest of all shared ones since */
	struct flow_point *first, *last;        /* posts that were not taken yet, in their order */
	uint64_t tokens;
	uint32_t posts;                  /* number of those: at most FLOW_POSTS; further ones are tokens, which no post has to precede */
	struct flow_listener *listeners; /* in their order */
	uint64_t turn;                   /* of a barrier */
	struct flow_point *gathered, *passed;
	/* what happened to it */
	uint64_t acquired, contended, waited, held;
	uint64_t taken; /* time of the acquisition that holds it */
	uint64_t taken_mark;
	uint32_t waiting, longest_queue;
	uint64_t queued, queued_at; /* sum over strands of the time that they waited, until that time */
	uint64_t queued_before;     /* value of `queued` when the lock was acquired */
};

struct flow_memory {
	struct flow_strand *(*strand)(void *context, uint32_t number); /* zeroed at first, and stays where it is; NULL: no memory */
	struct flow_object *(*object)(void *context, uint32_t number);
	void *(*take)(void *context, size_t bytes); /* NULL: no memory */
	void (*give)(void *context, void *memory, size_t bytes);
	void *context;
};

struct flow {
	struct flow_memory memory;
	struct flow_question question[FLOW_QUESTIONS];
	uint32_t questions;
	uint64_t events;
	uint64_t begin, end; /* times of the first and the last event */
	uint64_t longest[FLOW_QUESTIONS];
	uint32_t longest_strand; /* the first strand whose position was longest[0]: the strand's way is the critical path */
	uint64_t ways;           /* number of ways that are held: see way.h */
	bool exited;             /* a strand has ended the run: longest and longest_strand stay what they were then */
	uint64_t core_free[FLOW_QUESTIONS][FLOW_CORES];
	bool failed; /* memory was refused, or events came that cannot be: the figures are worth nothing */
	/* of the last event */
	struct flow_cause cause;
	struct flow_link link; /* in the run of question 0; not of FLOW_OFF and FLOW_ON */
	uint64_t charged;      /* FLOW_RELEASE: sum over strands of the time that they waited for the lock meanwhile */
	uint64_t unexplained;  /* waits that ended for no reason that was recorded: they keep their length */
};

void flow_start(struct flow *f, const struct flow_memory *memory, const struct flow_question *questions, uint32_t count);
/* Returns the number of the event without which this one would be earlier in the run of question 0; FLOW_NONE: the strand's own. */
uint64_t flow_step(struct flow *f, const struct flow_event *e);
/* Sums up stretches of the critical path that are shorter than `least`, of a strand or an object: see flow_way_thin. */
void flow_thin_strand(struct flow *f, const struct flow_strand *s, uint64_t least, uint64_t turn);
void flow_thin_object(struct flow *f, const struct flow_object *o, uint64_t least, uint64_t turn);
/* Gives back what a strand or an object holds, once nothing is asked of it any more. */
void flow_forget_strand(struct flow *f, struct flow_strand *s);
void flow_forget_object(struct flow *f, struct flow_object *o);

#endif
