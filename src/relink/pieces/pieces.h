/* SPDX-License-Identifier: MIT */
/* pieces.h: the objects of a link that have bitcode, each finished by itself (pass/piece.h): several at once, and from the cache what did
 * not change. Then an ordinary link makes a program of them, which is inlined as the native one is.
 *
 * First pieces_finish; then a link of what found->replaced has, with the object `hooks` and the linker's `words`; then pieces_join, for
 * the table of the whole. A lens that must see the whole program has its pieces prepared only: they are optimised and stay bitcode, and
 * the linker puts them together, without optimising again, before the lens works on them and code is generated.
 *
 * Most have been optimised by their native compile, and such a piece is prepared already. Those of a program that was built with -flto are
 * prepared as far as a compile with -flto does, for any lens, and the linker optimises the whole, as it does natively.
 *
 * Some lenses take two steps: all pieces are prepared and tell of their functions; what that comes to is told each (second.c), and they
 * are finished.
 *
 * A piece is an entry of the cache: `object` and, if it is finished, its own `table`, and `shape` where the lens has one. Its key is all that decides what it is: the bitcode, how it
 * was compiled, the lens, the plan, Skein's own libraries, and for some lenses which of the functions that it calls other pieces define. */
#ifndef SKEIN_RELINK_PIECES_H
#define SKEIN_RELINK_PIECES_H

#include "build/bitcode.h"
#include "keys/lenses.h"
#include "relink/link.h"
#include "relink/pieces/callgraph.h"
#include "relink/pieces/certain.h"
#include "relink/pieces/division.h"
#include "relink/pieces/returns.h"

struct piece {
	char *name;                             /* of the object, for people */
	char key[33];                           /* of its entry in the cache */
	char id[33];                            /* what its symbol is called by */
	char shared[33];                        /* of what it is when it is optimised (optimised.h) */
	size_t bytes;                           /* of its bitcode */
	bool is_optimised;                      /* by its native compile (pass/capture.h) */
	size_t same;                            /* the first piece that is the same: itself, if there is none */
	size_t input;                           /* the input of the note that it is of */
	struct strv command;                    /* words that decide what code is made */
	struct digest contents, known;          /* known: what it is told (callgraph.h) */
	struct strv undefined;                  /* symbols */
	char *bitcode, *object, *table, *shape; /* shape: NULL if the lens has none */
	char *graph, *facts;                    /* what it tells of its calls, and is told; NULL if the lens does not ask (callgraph.h) */
	size_t first, first_row;                /* numbers of its first routine and its first row of counters */
};

struct pieces {
	struct piece *at;
	size_t count, room;
	bool are_prepared;  /* bitcode, which was only optimised: the lens wants to see the whole program */
	bool are_for_lto;   /* the program was built with -flto: prepared as far as a compile with -flto does */
	bool are_two_steps; /* first all are prepared, and tell what they call; with what that proves they are finished */
	char *hooks;        /* the hooks, as an object of their own */
	struct strv words;  /* for the linker */
	struct returns returns;
	struct callgraph graph;
	struct division division; /* if there are several copies */
	struct strv
		defined; /* functions of all pieces that the lens asks for: those that they define, or of these those that come back; in order */
	struct certain certain; /* if calls are only counted */
	char *defined_path;
	bool has_resolvers; /* there are indirect functions */
	size_t finished;    /* how many were not in the cache */
};

bool pieces_fit(const struct bitcode *found);
int pieces_finish(struct pieces *pieces, const struct relink_link *link, struct bitcode *found, struct fail *why);
int pieces_join(const struct pieces *pieces, const struct relink_link *link, struct fail *why);
/* Part of it. gone: by number of routine, whether the linker dropped it. */
int pieces_join_shapes(const struct pieces *pieces, const struct relink_link *link, const bool *gone, struct fail *why);
void pieces_free(struct pieces *pieces);

/* finish.c */
int pieces_finish_missing(struct pieces *pieces, const struct relink_link *link, struct fail *why);
int pieces_finish_hooks(struct pieces *pieces, const struct relink_link *link, const size_t total[3], struct fail *why);
void pieces_drop_files(const struct piece *piece);

/* second.c */
int pieces_begin_second_step(struct pieces *pieces, const struct relink_link *link, struct fail *why);
bool pieces_are_renamed(const struct note *note); /* the linker is told what a name stands for, or which function runs first or last */
int pieces_write_file(const char *path, struct blob contents, struct fail *why);

bool pieces_are_divided(const struct relink_link *link);                             /* several copies divide the paths of the program */
bool pieces_tell_paths(const struct pieces *pieces, const struct relink_link *link); /* for that, in the first of two steps */
bool pieces_is_ready(const struct pieces *pieces, const struct piece *piece);        /* nothing is left to be optimised */
/* Calls are only counted, where they are made: a piece has a row for each site whose callee is known. */
bool pieces_are_counted(const struct relink_link *link);
bool pieces_ask_others(const struct relink_link *link); /* what is done in one depends on what others define */

static inline bool pieces_ask(const struct relink_link *link, unsigned traits)
{
	return lens_traits(link->ask->lens) & traits;
}

#endif
