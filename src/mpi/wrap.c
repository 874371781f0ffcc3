/* SPDX-License-Identifier: MIT */
/* wrap.c: time in MPI's calls is waiting.
 *
 * Problem: the two families of MPI have other handles, constants and headers, Fortran has three sets of names, and a rank that waits
 * burns as much CPU time as one that computes.
 * Idea: a wrapper for every name passes on as many words as the longest call has; what lies behind a call's own arguments is never looked
 * at. Only numbers that MPI's standard fixes are read: ranks, tags, counts. A guard of the thread keeps calls that MPI makes of itself, in
 * Fortran's wrappers and in collectives, from counting twice.
 * Cost: two reads of the clock and a probe of a table per call. Loops over MPI_Test are not seen. */
#include <stddef.h>
#include <string.h>

#include "arch/arch.h"
#include "mpi/mpi.h"
#include "raw/format.h"

/* Of the library of the lens; not there if the program is not recorded. */
extern bool skein_wait_open(unsigned kind, const void *object, const void *caller, const void *frame) __attribute__((weak));
extern void skein_wait_close(void) __attribute__((weak));

enum kind { KIND_MESSAGE = RAW_WAIT_MESSAGE, KIND_COLLECTIVE = RAW_WAIT_COLLECTIVE, KIND_START = RAW_WAIT_KINDS };
enum form { IN_C, IN_FORTRAN };
enum { SMALLEST_ADDRESS = 4096, OTHER_ERROR = 15 };

struct call {
	enum kind kind;
	signed char peer, tag, count, type, comm, status;
};

static const struct call calls[MPI_CALLS] = {
#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) {KIND_##kind, peer, tag, count, type, comm, status},
#define MPI_COUNT MPI_CALL
#include "keys/mpi.def"
#undef MPI_CALL
#undef MPI_COUNT
};

/* Stack address of the outermost call of MPI in this thread. One that lies below a new one was left by longjmp. */
static _Thread_local const char *outermost;

static int64_t argument(const intptr_t *a, int at, enum form form)
{
	if (at < 0)
		return -1;
	return form == IN_FORTRAN ? *(const int *)a[at] : (int64_t)(int)a[at];
}

/* Ranks and tags that stand for any are below zero in both families, and are then in the status. */
static void ask_status(const struct call *call, const intptr_t *a, int64_t *peer, int64_t *tag)
{
	static _Atomic int at; /* of the source in the status, and 1 */
	const int *status = call->status < 0 ? NULL : (const int *)a[(int)call->status];
	if (*peer >= 0 || (uintptr_t)status < SMALLEST_ADDRESS)
		return;
	if (!at)
		at = mpi_is_open_mpi() ? 1 : 3;
	*peer = status[at - 1];
	*tag = status[at];
}

static uint64_t bytes_of(const struct call *call, const intptr_t *a, enum form form, bool is_large)
{
	static int (*size_of)(intptr_t, int *);
	static void (*size_of_fortran)(const int *, int *, int *);
	int bytes = 0, error;
	int64_t count = is_large && call->count >= 0 ? (int64_t)a[(int)call->count] : argument(a, call->count, form);
	if (count <= 0)
		return 0;
	if (form == IN_FORTRAN) {
		if (!size_of_fortran)
			*(void **)&size_of_fortran = mpi_symbol("pmpi_type_size_");
		if (size_of_fortran)
			size_of_fortran((const int *)a[(int)call->type], &bytes, &error);
	} else {
		if (!size_of)
			*(void **)&size_of = mpi_symbol("PMPI_Type_size");
		if (size_of)
			size_of(a[(int)call->type], &bytes);
	}
	return bytes > 0 ? (uint64_t)count * (uint64_t)bytes : 0;
}

static void account(enum mpi_call number, const intptr_t *a, enum form form, bool is_large, uint64_t ticks)
{
	const struct call *call = &calls[number];
	int64_t peer = argument(a, call->peer, form), tag = argument(a, call->tag, form);
	intptr_t comm = call->comm < 0 ? -1 : form == IN_FORTRAN ? (intptr_t)argument(a, call->comm, form) : a[(int)call->comm];
	if (form == IN_C)
		ask_status(call, a, &peer, &tag);
	mpi_count(number, comm, peer, tag, bytes_of(call, a, form, is_large), ticks, form == IN_FORTRAN);
}

/* MPI_COMM_WORLD is a variable of Open MPI's and a number of MPICH's. */
static void learn_world(void)
{
	int (*rank_of)(intptr_t, int *), (*size_of)(intptr_t, int *), rank = -1, ranks = -1;
	void *variable = mpi_symbol("ompi_mpi_comm_world");
	intptr_t world = variable ? (intptr_t)variable : 0x44000000;
	*(void **)&rank_of = mpi_symbol("PMPI_Comm_rank");
	*(void **)&size_of = mpi_symbol("PMPI_Comm_size");
	if (rank_of && size_of && rank_of(world, &rank) == 0 && size_of(world, &ranks) == 0)
		mpi_world(rank, ranks);
}

static inline __attribute__((always_inline)) intptr_t call_real(mpi_real *real, const intptr_t *a)
{
	return real(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
}

static intptr_t skein_mpi_measure(enum mpi_call number, mpi_real *real, const intptr_t *a, enum form form, bool is_large,
                                  const void *caller)
{
	const struct call *call = &calls[number];
	const char *frame = __builtin_frame_address(0);
	bool waits = call->kind != KIND_START && skein_wait_open && skein_wait_open(call->kind, mpi_objects[number], caller, frame);
	outermost = frame;
	uint64_t from = arch_tick();
	intptr_t result = call_real(real, a);
	uint64_t took = arch_tick() - from;
	if (number == MPI_CALL_Init || number == MPI_CALL_Init_thread)
		learn_world();
	if (form == IN_FORTRAN || result == 0)
		account(number, a, form, is_large, call->kind == KIND_START ? 0 : took);
	outermost = NULL;
	if (waits && skein_wait_close)
		skein_wait_close();
	return result;
}

static __attribute__((noinline)) intptr_t skein_mpi_call(enum mpi_call number, mpi_real **real, const char *name, const intptr_t *a,
                                                         enum form form, bool is_large, const void *caller)
{
	mpi_real *behind = __atomic_load_n(real, __ATOMIC_RELAXED);
	if (!behind) {
		behind = mpi_find(name);
		__atomic_store_n(real, behind, __ATOMIC_RELAXED);
	}
	if (!behind)
		return OTHER_ERROR;
	bool is_inside = outermost && (const char *)__builtin_frame_address(0) < outermost;
	return is_inside ? call_real(behind, a) : skein_mpi_measure(number, behind, a, form, is_large, caller);
}

#define WORDS                                                                                                                   \
	intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g, intptr_t h, intptr_t i, intptr_t j, \
		intptr_t k, intptr_t l, intptr_t m, intptr_t n
#define WRAP(number, symbol, form, is_large)                                                                                               \
	__attribute__((visibility("default"))) intptr_t symbol(WORDS);                                                                     \
	__attribute__((visibility("default"))) intptr_t symbol(WORDS)                                                                      \
	{                                                                                                                                  \
		static mpi_real *real;                                                                                                     \
		return skein_mpi_call(number, &real, #symbol, (const intptr_t[MPI_WORDS]){a, b, c, d, e, f, g, h, i, j, k, l, m, n}, form, \
		                      is_large, __builtin_return_address(0));                                                              \
	}

#define EVERY(name, lower)                                           \
	WRAP(MPI_CALL_##name, MPI_##name, IN_C, false)               \
	WRAP(MPI_CALL_##name, mpi_##lower##_, IN_FORTRAN, false)     \
	WRAP(MPI_CALL_##name, mpi_##lower##_f08_, IN_FORTRAN, false) \
	WRAP(MPI_CALL_##name, mpi_##lower##_f08ts_, IN_FORTRAN, false)
#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) EVERY(name, lower)
#define MPI_COUNT(kind, name, lower, peer, tag, count, type, comm, status) \
	EVERY(name, lower)                                                 \
	WRAP(MPI_CALL_##name, MPI_##name##_c, IN_C, true)
#include "keys/mpi.def"
