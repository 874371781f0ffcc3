/* SPDX-License-Identifier: MIT */
/* input.h: what the files of the `input` lens tell each other.
 *
 * The plan: CELL=log2 of a cell's bytes (2), COST=instructions (else basic blocks), LOCKS=1 (atomic operations that
 * synchronise are input, too). */
#ifndef SKEIN_PASS_INPUT_H
#define SKEIN_PASS_INPUT_H

#include "pass/pass.h"

struct input_pass {
	struct program *p;
	struct editor e;
	unsigned cell_log2;
	bool instructions; /* cost is counted in these */
	bool locks;
	LLVMValueRef me, mine; /* of the routine that is edited: the thread, and its frame */
	LLVMValueRef from;     /* where it was called from, or NULL */
	LLVMValueRef counter;  /* cost that the thread has not been told of */
	LLVMValueRef firsts;   /* first accesses that it has not been told of */
	LLVMValueRef words;    /* room for the arguments of a call; NULL: not needed so far */
	LLVMValueRef ranges;   /* room for the ranges of a loop; NULL: not needed so far */
};

/* access.c: which instructions access memory that others can know of. */
enum input_what {
	INPUT_READ,
	INPUT_WRITE,  /* a load, a store */
	INPUT_MODIFY, /* a load, then a store of the same */
	INPUT_READ_RANGE,
	INPUT_WRITE_RANGE, /* of an intrinsic that copies or fills */
	INPUT_MASKED,      /* a masked or gathering intrinsic */
	INPUT_SYNC,        /* behind it the thread syncs */
	INPUT_SYNC_FIRST,  /* before it */
	INPUT_VA_START,
	INPUT_VA_COPY,
	INPUT_ASSEMBLY /* assembly that makes a system call */
};
struct input_spot {
	LLVMValueRef at;
	enum input_what what;
	LLVMValueRef pointer, length; /* of ranges; the pointer also of the first three */
	long long offset;             /* of these: from the pointer on */
	unsigned bytes, alignment;
	bool exact;        /* as many cells as there is a hook for, and no other */
	bool near;         /* the hook is in line */
	LLVMValueRef told; /* NULL, or whether it is true that the access was told before its loop */
};
struct input_spots {
	struct input_spot *at;
	size_t count;
};
void input_spot_add(struct input_spots *spots, struct input_spot spot);
void input_find(const struct input_pass *s, LLVMValueRef function, struct input_spots *spots);
void input_edit_access(struct input_pass *s, const struct input_spot *spot);

/* far.c: most hooks of accesses are called, not in line. */
void input_find_near(LLVMValueRef function, struct input_spots *spots);
/* As edit_hook, for a hook of which all arguments are constant but the first two. */
LLVMValueRef input_edit_far(struct input_pass *s, LLVMValueRef before, const char *hook, LLVMValueRef arguments[5]);

/* ranges.c: one hook for all accesses of a loop. */
struct input_ranges {
	struct input_loop *at;
	size_t count;
};
void input_find_ranges(const struct input_pass *s, LLVMValueRef function, const struct input_spots *spots, struct input_ranges *ranges);
void input_edit_ranges(struct input_pass *s, struct input_spots *spots, const struct input_ranges *ranges);
void input_ranges_free(struct input_ranges *ranges);

/* join.c: one hook for several accesses. */
enum { INPUT_STRETCH = 64 };
struct input_event {
	LLVMValueRef at, base;
	long long offset, bytes;
	unsigned alignment, order;
	enum input_what what; /* one of the first three */
	bool exact, gone;
	unsigned long long written; /* of what was read: a bit for each byte */
};
struct input_stretch {
	struct input_event at[INPUT_STRETCH];
	struct input_event log[INPUT_STRETCH]; /* all, as they came */
	unsigned count, logged, order;
	unsigned ranges_at; /* when memory was accessed about which nothing is known here */
};
void input_stretch_add(const struct input_pass *s, struct input_stretch *stretch, struct input_event e, struct input_spots *spots);
void input_stretch_range(struct input_stretch *stretch);
void input_stretch_end(struct input_stretch *stretch, struct input_spots *spots);

/* models.c: what functions without hooks do to memory, by the words of core/library/library.def. */
struct input_model {
	const char *words;
	bool is_call;    /* the words are read at run time */
	bool is_quiet;   /* the function neither synchronises nor waits */
	bool calls_back; /* the function is quiet, and calls functions that it is given */
};
bool input_model(const char *name, struct input_model *model);
bool input_is_foreign(LLVMValueRef function); /* the function's body is elsewhere, even if the optimiser may see a copy */
bool input_is_quiet(LLVMValueRef call);       /* the call neither synchronises nor calls back with other threads' values */
bool input_calls_back(LLVMValueRef call);     /* the call is quiet, and calls functions that it is given */
void input_edit_model(struct input_pass *s, LLVMValueRef call); /* inserts what is known of it */
/* A model whose words are read at run time; NULL: no argument. */
void input_edit_words(struct input_pass *s, LLVMValueRef call, const char *words, LLVMValueRef *arguments, unsigned count);

/* pointers.c: functions whose address is taken. */
void input_wrap_pointers(struct input_pass *s);

/* assembly.c: system calls by their instruction. */
bool input_is_nothing(LLVMValueRef call);     /* assembly that does nothing to memory; */
bool input_asks_kernel(LLVMValueRef call);    /* assembly that makes a system call; */
bool input_knows_assembly(LLVMValueRef call); /* which one can be told */
void input_edit_assembly(struct input_pass *s, LLVMValueRef call);

/* unseen.c: calls of functions of which nothing is known. The list is the program's own (pass/lens.h). */
struct input_unseen *input_find_unseen(const struct program *p);
void input_write_unseen(const struct program *p, FILE *table);
void input_free_unseen(struct program *p);

/* input.c */
void input_add(struct input_pass *s, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef more);
LLVMValueRef input_u64(const struct input_pass *s, unsigned long long value);

#endif
