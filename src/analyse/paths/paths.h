/* SPDX-License-Identifier: MIT */
/* paths.h: the paths lens's results: which acyclic paths of each function were taken, and how often.
 *
 * paths_build makes them from a session, with those of the other copies if there were several; store/ writes and reads
 * them, views and verdicts use them. A path is where it begins (the function's beginning, or the block behind a back
 * edge) and the edges that it takes; the last one is a back edge or leads out of the frame, and where it leads to is
 * not part of the path.
 *
 *     struct paths_walk at = paths_walk(paths, &paths->list[i]);
 *     while ((block = paths_walk_next(&at)) != PATHS_NONE) …          its blocks, in order
 *
 * The number of a path is its number by Ball and Larus in the graph of the function without cuts, which depends on the
 * function's blocks and edges alone, not on copies or plans. A function with 2^62 paths or more has no such numbers:
 * there the number is a hash of begin and edges.
 *
 * Counts of edges and blocks follow from paths, and from the prefixes of frames that never ended (struct paths_stop),
 * as far as the prefixes are known. */
#ifndef SKEIN_PATHS_H
#define SKEIN_PATHS_H

#include "analyse/run.h"
#include "analyse/session.h"
#include "core/paths/body.h"
#include "core/paths/probes.h"

struct paths_line {
	uint32_t file; /* in files, or PATHS_NONE */
	uint32_t line;
};

struct paths_block {
	uint32_t instructions;
	uint32_t lines, shown;
	size_t first_line, first_shown; /* in lines; shown: as the program's own source has the block, often the same list */
	uint64_t count;
};

/* How a function was counted. The letters are stored. */
/* clang-format off */
#define PATHS_FLAG_LIST(X)                                                                                               \
	X(TURNS, 't')     /* by turns: each copy counts its own calls */                                                 \
	X(SPLIT, 's')     /* copies count different paths of the function */                                             \
	X(CUT, 'c')       /* too many paths for an array: counted in segments */                                         \
	X(PART, 'p')      /* only the named paths were asked for: others may have been taken */                          \
	X(REST, 'r')      /* only paths other than the named ones were asked for: the named ones were executed before */ \
	X(NONE, 'n')      /* no path of the function was asked for */                                                    \
	X(MEASURED, 'm')  /* planned with measured weights */                                                            \
	X(FOGGY, 'f')     /* frames of the function never ended, and of some only the block is known */
/* clang-format on */
enum paths_flag_bit {
#define X(name, letter) PATHS_BIT_##name,
	PATHS_FLAG_LIST(X)
#undef X
		PATHS_BITS
};
enum paths_flag {
#define X(name, letter) PATHS_IS_##name = 1 << PATHS_BIT_##name,
	PATHS_FLAG_LIST(X)
#undef X
};

struct paths_profile {
	uint32_t routine; /* in run.routines; copies that the compiler made of a static function are several profiles of one routine */
	uint32_t blocks, edges;
	uint32_t flags;           /* enum paths_flag */
	size_t first_block;       /* in blocks */
	size_t first_edge;        /* in edges and passed: `edges` of them, and one more for the function's beginning */
	size_t first_path, paths; /* in list */
	size_t first_stop, stops;
	size_t first_part, parts;
	size_t first_name, names;      /* if PART: in names, in rising order, each once */
	uint64_t entries;              /* number of calls */
	double possible;               /* paths that the graph has; exact below 2^53 */
	uint64_t others, others_taken; /* if PART: paths that were counted but not asked for, and how often they were taken */
	struct paths_probes sequential_probes;
	struct paths_hits sequential; /* operations of counting all paths in one copy, without a plan */
};

struct paths_path {
	uint32_t profile;
	uint32_t copy;   /* the first copy that counted the path */
	uint64_t number; /* number, or hash */
	uint64_t count;
	uint32_t begin;    /* block, or PATHS_NONE: the function's beginning */
	uint32_t length;   /* number of edges */
	size_t first_step; /* in steps */
	uint32_t blocks;
	enum paths_kind kind;
	uint64_t instructions;
};

/* Frames that never ended, by their edges since the last back edge. */
struct paths_stop {
	uint32_t profile;
	uint32_t block; /* block of the call that did not return */
	bool is_known;  /* begin and edges are known */
	uint32_t ways;  /* if not known: one of this many ways was taken; 0: any number */
	uint32_t begin, length;
	size_t first_step;
	uint64_t count;
};

/* What one copy does for one function. */
struct paths_part {
	uint32_t profile, copy;
	uint32_t arcs, of_arcs; /* chosen arcs, of all arcs */
	struct paths_hits hits;
	struct paths_probes probes; /* of functions that are counted by turns none overlap */
};

struct paths_twin {
	uint64_t wall_ns, cpu_ns;
	uint64_t entries; /* calls counted only to compare copies */
	uint64_t lost_events;
};

/* A function that copies counted differently. */
struct paths_differ {
	uint32_t profile;
	uint32_t copy;         /* the copy that differs from copy 0 */
	uint64_t first, other; /* calls in copy 0 and in the other; equal if only paths differ */
};

struct paths {
	struct run *run;   /* not owned, but the session's or the store's: the run of copy 0, with losses and notes of all copies */
	const char *share; /* how work was divided: all, best, p3, pbl */
	const char **files;
	size_t file_count, file_room;
	struct paths_line *lines;
	size_t line_count, line_room;
	struct paths_profile *profiles;
	size_t profile_count, profile_room;
	struct paths_block *blocks;
	uint8_t *block_stops;
	size_t block_count, block_room, block_stop_room;
	struct paths_edge *edges;
	uint64_t *passed;
	size_t edge_count, edge_room, passed_room;
	struct paths_path *list; /* by profile, then from the largest count */
	size_t path_count, path_room;
	uint32_t *steps;
	size_t step_count, step_room;
	struct paths_stop *stops;
	size_t stop_count, stop_room;
	struct paths_part *parts;
	size_t part_count, part_room;
	uint64_t *names; /* paths that were, or were not, asked for: numbers, or hashes */
	size_t name_count, name_room;
	struct paths_twin *twins; /* by copy */
	uint32_t copies;
	uint64_t threshold; /* of P3, if one was asked for; otherwise 0 */
	uint64_t undecoded; /* counts whose counters stand for no path: the recording is damaged */
	struct paths_differ *differs;
	size_t differ_count, differ_room;
};

/* Also reads the sessions of the other copies. -1: a session cannot be read, or the copies are not of one program.
 * `differs` lists functions that copies counted differently: their numbers cannot be trusted. */
int paths_build(struct session *session, struct paths *paths, struct fail *why);
void paths_start(struct paths *paths, struct run *run); /* empty */
void paths_free(struct paths *paths);
void paths_add_block(struct paths *paths, const struct paths_block *block, bool stops);
void paths_add_edge(struct paths *paths, const struct paths_edge *edge);
void paths_add_step(struct paths *paths, uint32_t edge);

/* ---- blocks of a path, or of what is known of a stop ---- */

struct paths_walk {
	const struct paths *paths;
	const struct paths_profile *profile;
	const uint32_t *step;
	uint32_t left; /* edges that are left to walk */
	uint32_t at;   /* the next block */
};
struct paths_walk paths_walk(const struct paths *paths, const struct paths_path *path);
struct paths_walk paths_walk_stop(const struct paths *paths, const struct paths_stop *stop);
uint32_t paths_walk_next(struct paths_walk *walk); /* or PATHS_NONE */

uint64_t paths_flow(const struct paths_path *path);     /* count times instructions */
uint64_t paths_instructions(const struct paths *paths); /* executed, of all profiles */

/* The lines of a path in the order in which they are reached, each once: "lua.c:10-14,17;list.h:4". Code that was inlined
 * from a header of the system has the line of the program's own source that uses it. */
const char *paths_lines(struct pool *pool, const struct paths *paths, struct paths_walk walk);
/* "lua.c:12", the first or last line of a block, of the program's own source as above; "" if it has no line */
const char *paths_where(struct pool *pool, const struct paths *paths, const struct paths_profile *f, uint32_t block, bool last);
/* The same as the compiler has it: "stl_vector.h:1278". */
const char *paths_code_where(struct pool *pool, const struct paths *paths, const struct paths_profile *f, uint32_t block, bool last);

/* ---- what was asked for (`--only-paths`) ---- */

bool paths_is_partial(const struct paths_profile *f); /* only some paths were asked for, or none: the function as a whole is not known */
bool paths_are_partial(const struct paths *paths);    /* some function is partial */
bool paths_is_asked(const struct paths *paths, const struct paths_profile *f, uint64_t number);
double paths_asked(const struct paths_profile *f); /* number of paths that were asked for; all, unless restricted */

/* ---- graphs ---- */

/* The memory that core needs, and its release. */
void paths_memory_start(struct paths_memory *memory);
void paths_memory_free(struct paths_memory *memory);

/* The graph without cuts. False: the edges make no graph. */
bool paths_graph_of(const struct paths *paths, const struct paths_profile *f, struct paths_graph *g, struct paths_memory *memory);

/* Fills in kinds, blocks, instructions and numbers of the profile's paths, `possible`, and counts of edges and blocks;
 * sorts its paths. False: the edges make no graph, or the paths are not paths of the graph. */
bool paths_complete(struct paths *paths, struct paths_profile *f, struct paths_memory *memory);

/* Writes the guide for a later recording (`skein record paths --plan`): lines of text, see doc/paths.md. `names`:
 * also write which paths were executed, for functions with too many paths to list arcs, and for functions of which
 * only new paths were counted. */
void paths_weights_write(const struct paths *paths, bool names, FILE *file);

#endif
