/* SPDX-License-Identifier: MIT */
#include "analyse/opening.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/text.h"

static bool is_crash(int64_t number)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (crashes[i] == number)
			return true;
	return false;
}

static const char *signal_name(struct pool *pool, int64_t number)
{
	const char *known = number > 0 && number < NSIG ? sigabbrev_np((int)number) : NULL;
	return known ? pool_print(pool, "SIG%s", known) : pool_print(pool, "signal %lld", (long long)number);
}

static void say_end(const struct run *run, struct findings *verdict)
{
	if (run->died_of <= 0)
		return;
	double lasted = run->lasted_ns > 0 ? (double)run->lasted_ns : (double)run->wall_ns;
	findings_add(verdict, "The program %s after %s (%s): the figures end there.",
	             is_crash(run->died_of)            ? "crashed"
	                     : run->died_of == SIGKILL ? "was killed"
	                                               : "was stopped",
	             text_ns(&verdict->pool, lasted), signal_name(&verdict->pool, run->died_of));
	verdict->openings++;
	findings_tag(verdict, verdict->count - 1, &(struct finding_tag){.kind = FINDING_END, .routine = FINDING_NO_ROUTINE});
}

/* A program that could hardly ever run, because it waited, has not lacked cores, however late it was woken. */
double opening_no_core_pct(const struct run *run)
{
	if (run->lasted_ns > 0 && text_share_of((double)run->wanted_ns, (double)run->lasted_ns) < OPENING_LITTLE_PCT)
		return 0;
	return run->wanted_ns > 0 && run->ran_ns >= 0 ? text_share_of((double)run->wanted_ns, (double)run->wanted_ns + (double)run->ran_ns)
						      : 0;
}

/* The cause of a lack of cores, where it is known. */
static const char *taken_by(const struct run *run)
{
	double own = run->crowd_ns < 0 ? NAN : text_share_of((double)run->crowd_ns, (double)run->wanted_ns);
	if (isnan(own))
		return "other programs took the cores, or it has more threads than cores";
	if (own >= 100 - OPENING_MINOR_PCT)
		return "it has more threads than cores";
	return own <= OPENING_MINOR_PCT ? "other programs took the cores"
					: "other programs took the cores, and it has more threads than cores";
}

void opening_say_cores(const struct run *run, const char *trust, struct findings *verdict)
{
	double pct = opening_no_core_pct(run);
	if (!trust || pct < OPENING_NO_CORE_PCT)
		return;
	findings_add(verdict, "The program had no core for %s of the time in which it could have run: %s. %s",
	             text_percent(&verdict->pool, pct), taken_by(run), trust);
	findings_tag(verdict, verdict->count - 1,
	             &(struct finding_tag){.kind = FINDING_LOAD, .routine = FINDING_NO_ROUTINE, .share = pct / 100});
}

/* ---- ranks ---- */

/* Of all calls of MPI of one name; MPI_Init waits for the job to begin. */
static uint64_t longest_call(const struct run *run, const char **name)
{
	uint64_t most = 0;
	for (size_t i = 0, end; i < run->message_count; i = end) {
		uint64_t sum = 0;
		for (end = i; end < run->message_count && strcmp(run->messages[i].call, run->messages[end].call) == 0; end++)
			sum += run->messages[end].wait_ns;
		if (sum > most && strncmp(run->messages[i].call, "MPI_Init", strlen("MPI_Init")) != 0) {
			most = sum;
			*name = run->messages[i].call;
		}
	}
	return most;
}

/* MPI was told nothing by the launcher: each rank is a world of its own. */
static void say_alone(const struct run *run, struct findings *verdict)
{
	if (run->rank.ranks > 1 && run->rank.mpi_ranks == 1)
		findings_add(
			verdict,
			"The launcher (%s) started %lld ranks, but MPI knows only one: each rank runs the whole program by itself. Start "
			"it with the launcher of its own MPI; with srun, by --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI).",
			run->rank.launcher, (long long)run->rank.ranks);
}

static void say_rank(const struct run *run, struct findings *verdict)
{
	uint64_t waited = 0;
	const char *call = "";
	uint64_t most = longest_call(run, &call);
	int64_t rank = run->rank.mpi_rank >= 0 ? run->rank.mpi_rank : run->rank.rank,
		ranks = run->rank.mpi_ranks > 1 ? run->rank.mpi_ranks : run->rank.ranks;
	say_alone(run, verdict);
	for (size_t i = 0; i < run->worker_count; i++)
		waited += run->workers[i].wait_ns[RAW_WAIT_MESSAGE] + run->workers[i].wait_ns[RAW_WAIT_COLLECTIVE];
	if (!waited || rank < 0)
		return;
	findings_add(verdict, "Rank %lld of %lld spent %s of its %s in MPI%s%s%s%s.", (long long)rank, (long long)ranks,
	             text_share(&verdict->pool, (double)waited, (double)run->wall_ns), text_ns(&verdict->pool, (double)run->wall_ns),
	             most ? ", of which " : "", most ? text_ns(&verdict->pool, (double)most) : "", most ? " in " : "", call);
}

void opening_add(const struct run *run, const char *trust, struct findings *verdict)
{
	say_end(run, verdict);
	size_t before = verdict->count;
	opening_say_cores(run, trust, verdict);
	say_rank(run, verdict);
	verdict->openings += verdict->count - before;
}
