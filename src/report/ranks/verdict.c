/* SPDX-License-Identifier: MIT */
/* verdict.c: what is said of many ranks: who works more than others, who comes last, what is unusual, what is missing. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "report/ranks/ranks.h"
#include "report/view.h"

#define UNEVEN 1.05       /* of the mean: less imbalance is not worth a sentence */
#define WAITS_SHARE 0.05  /* of the run: less waiting is not a finding */
#define LATE_SHARE 0.5    /* of what others wait: a rank that waits less comes later than they */
#define SLOWER 1.3        /* times the median: an outlier */
#define FAR_DEVIATIONS 5. /* times the median deviation: likewise, both must hold */
enum { MOST_OUTLIERS = 5, MOST_MISSING = 12 };

struct telling {
	const struct ranks *r;
	struct findings *to;
	struct pool *pool;
	double wall; /* of the longest part */
};

static const char *time_text(const struct telling *t, double ns)
{
	return text_ns(t->pool, ns);
}

/* A figure of the main column: nanoseconds, or a count. */
static const char *amount(const struct telling *t, double value)
{
	return strstr(t->r->main, "_ns") ? text_ns(t->pool, value) : text_amount(t->pool, number_whole(value));
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* ---- nodes ---- */

static size_t ranks_on(const struct ranks *r, const char *node)
{
	size_t count = 0;
	for (size_t i = 0; i < r->count; i++)
		count += strcmp(r->list[i].node, node) == 0;
	return count;
}

static int by_node(const void *a, const void *b)
{
	return strcmp((*(const struct part *const *)a)->node, (*(const struct part *const *)b)->node);
}

static size_t count_nodes(const struct ranks *r, size_t *fewest)
{
	const struct part **sorted = memory_zeroed(r->count, sizeof *sorted);
	size_t nodes = 0;
	*fewest = r->count;
	for (size_t i = 0; i < r->count; i++)
		sorted[i] = &r->list[i];
	qsort(sorted, r->count, sizeof *sorted, by_node);
	for (size_t i = 0, end; i < r->count; i = end, nodes++) {
		for (end = i; end < r->count && strcmp(sorted[end]->node, sorted[i]->node) == 0;)
			end++;
		*fewest = end - i < *fewest ? end - i : *fewest;
	}
	free(sorted);
	return nodes;
}

/* " on node n3, which has 2 ranks more than others", or where it is, or nothing. */
static const char *where_of(const struct telling *t, const struct part *part)
{
	size_t fewest, nodes = count_nodes(t->r, &fewest), here = ranks_on(t->r, part->node);
	if (nodes < 2 || !*part->node)
		return "";
	if (here > fewest)
		return pool_print(t->pool, "; its node %s has %zu rank%s more than others", part->node, here - fewest,
		                  text_s(here - fewest));
	return pool_print(t->pool, " (node %s)", part->node);
}

/* ---- findings ---- */

static void say_all(const struct telling *t)
{
	size_t fewest, nodes = count_nodes(t->r, &fewest);
	const struct part *first = &t->r->list[0];
	findings_add(t->to, "%zu %.4s%s of %s on %zu node%s; the longest took %s.", t->r->count, ranks_name(t->pool, first),
	             text_s(t->r->count), base(first->program), nodes, text_s(nodes), time_text(t, t->wall));
}

static void say_balance(const struct telling *t)
{
	const struct ranks_row *work = ranks_row_of(t->r, RANKS_WORK);
	if (!work || !(ranks_imbalance(work) >= UNEVEN) || t->r->count < 2)
		return;
	const struct part *most = &t->r->list[work->most_at];
	bool is_time = !t->r->work_counts;
	findings_add(t->to, "The work is uneven: %s has %s, the mean is %s (%.2f times the mean)%s.%s", ranks_name(t->pool, most),
	             is_time ? time_text(t, work->most) : text_amount(t->pool, number_whole(work->most)),
	             is_time ? time_text(t, work->mean) : text_amount(t->pool, number_whole(work->mean)), ranks_imbalance(work),
	             where_of(t, most),
	             is_time ? pool_print(t->pool, " Dividing it evenly saves at most %s of %s.", time_text(t, work->most - work->mean),
	                                  time_text(t, t->wall))
	                     : "");
}

/* The rank that others wait for in collective calls waits least itself. */
static void say_late(const struct telling *t)
{
	const struct ranks_row *wait = ranks_row_of(t->r, RANKS_SYNC);
	if (!wait || t->r->count < 2 || wait->median < WAITS_SHARE * t->wall || wait->least > LATE_SHARE * wait->median)
		return;
	const struct part *late = &t->r->list[wait->least_at];
	findings_add(t->to, "%s comes last to collective calls: it waits %s there, others %s (median)%s.",
	             pool_print(t->pool, "%c%s", ranks_name(t->pool, late)[0] == 'r' ? 'R' : 'T', ranks_name(t->pool, late) + 1),
	             time_text(t, wait->least), time_text(t, wait->median), where_of(t, late));
}

static void say_waiting(const struct telling *t)
{
	const struct ranks_row *best = NULL;
	for (size_t i = 0; i < t->r->row_count; i++) {
		const struct ranks_row *row = &t->r->rows[i];
		const struct part_figure *figure = &t->r->parts.figures[row->figure];
		if (figure->of == PART_CALL && strstr(figure->name, " wait_ns") && strncmp(figure->name, "MPI_Init", 8) != 0 &&
		    (!best || row->sum > best->sum))
			best = row;
	}
	if (!best || best->mean < WAITS_SHARE * t->wall)
		return;
	const char *name = t->r->parts.figures[best->figure].name;
	findings_add(t->to, "Most waiting in MPI is in %.*s: %s per rank on average, %s in %s.", (int)strcspn(name, " "), name,
	             time_text(t, best->mean), time_text(t, best->most), ranks_name(t->pool, &t->r->list[best->most_at]));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* The median of how far values are from their median. */
static double deviation(const struct ranks *r, const struct ranks_row *row, double *room)
{
	for (size_t i = 0; i < r->count; i++)
		room[i] = fabs(row->values[i] - row->median);
	qsort(room, r->count, sizeof *room, by_value);
	return room[r->count / 2];
}

struct outlier {
	const struct ranks_row *row;
	size_t part;
};

static double excess(const struct outlier *o)
{
	return o->row->values[o->part] - o->row->median;
}

static int by_excess(const void *a, const void *b)
{
	double more = excess(a) - excess(b);
	return more > 0 ? -1 : more < 0;
}

/* One rank that takes much longer in a routine than most do. Where half of the ranks do not run it at all, it is their role. */
static void say_outliers(const struct telling *t)
{
	const struct ranks *r = t->r;
	struct outlier *list = NULL;
	size_t count = 0, room = 0;
	double *sorted = memory_zeroed(r->count, sizeof *sorted), of_rank = 0;
	for (size_t i = 0; i < r->row_count; i++)
		if (r->rows[i].values && r->parts.figures[r->rows[i].figure].of == PART_ROUTINE)
			of_rank += r->rows[i].mean;
	for (size_t i = 0; i < r->row_count && r->count > 2; i++) {
		const struct ranks_row *row = &r->rows[i];
		if (!row->values || r->parts.figures[row->figure].of != PART_ROUTINE || row->median <= 0)
			continue;
		double far = FAR_DEVIATIONS * deviation(r, row, sorted);
		for (size_t p = 0; p < r->count; p++) {
			double more = row->values[p] - row->median;
			if (row->values[p] < SLOWER * row->median || more < far || more < WAITS_SHARE * of_rank)
				continue;
			MEMORY_GROW(list, count, room);
			list[count++] = (struct outlier){row, p};
		}
	}
	if (count)
		qsort(list, count, sizeof *list, by_excess);
	for (size_t i = 0; i < count && i < MOST_OUTLIERS; i++) {
		const struct part *part = &r->list[list[i].part];
		const char *name = ranks_name(t->pool, part);
		findings_add(t->to, "%c%s has %.1f times the median of %s: %s, the median is %s%s.", name[0] == 'r' ? 'R' : 'T', name + 1,
		             list[i].row->values[list[i].part] / list[i].row->median,
		             run_shown(&r->parts.names.routines[list[i].row->routine]), amount(t, list[i].row->values[list[i].part]),
		             amount(t, list[i].row->median), where_of(t, part));
	}
	if (count > MOST_OUTLIERS)
		findings_add(t->to, "%zu more ranks or routines are as unusual: see --view routines.", count - MOST_OUTLIERS);
	free(sorted);
	free(list);
}

static void say_groups(const struct telling *t)
{
	const struct ranks *r = t->r;
	const char *text = "";
	if (r->group_count < 2 || r->group_count == r->count)
		return;
	for (uint32_t g = 0; g < r->group_count; g++)
		text = pool_print(t->pool, "%s%s%s", text, g ? "; " : "", ranks_list(t->pool, r, g));
	findings_add(t->to, "Ranks behave in %zu different ways: %s (--view groups).", r->group_count, text);
}

/* ---- caveats ---- */

/* Ranks that the job had and that left no recording. */
static void say_missing(const struct ranks *r, struct findings *caveats)
{
	int64_t ranks = 0;
	const char *text = "";
	size_t missing = 0;
	for (size_t i = 0; i < r->count; i++)
		ranks = r->list[i].ranks > ranks && r->list[i].task < 0 ? r->list[i].ranks : ranks;
	for (int64_t rank = 0, at = 0; rank < ranks; rank++) {
		while (at < (int64_t)r->count && r->list[at].rank < rank)
			at++;
		if (at < (int64_t)r->count && r->list[at].rank == rank)
			continue;
		if (missing++ < MOST_MISSING)
			text = pool_print(&caveats->pool, "%s%s%" PRId64, text, *text ? ", " : "", rank);
	}
	if (missing)
		findings_add(caveats, "%zu of %" PRId64 " ranks left no recording: %s%s.", missing, ranks, text,
		             missing > MOST_MISSING ? ", …" : "");
}

static void say_ends(const struct ranks *r, struct findings *caveats)
{
	for (size_t i = 0, told = 0; i < r->count && told < MOST_OUTLIERS; i++) {
		const struct part *p = &r->list[i];
		const char *name = ranks_name(&caveats->pool, p);
		if (p->died_of > 0)
			findings_add(caveats, "The figures of %s end early: signal %" PRId64 " ended it.", name, p->died_of);
		else if (p->exit_code > 0)
			findings_add(caveats, "%c%s ended with status %" PRId64 ".", name[0] == 'r' ? 'R' : 'T', name + 1, p->exit_code);
		else if (p->died_of < 0 && p->exit_code < 0)
			findings_add(caveats, "The figures of %s end early: it was killed together with skein.", name);
		else
			continue;
		told++;
	}
}

static void say_alone(const struct ranks *r, struct findings *caveats)
{
	size_t alone = 0;
	for (size_t i = 0; i < r->count; i++)
		alone += r->list[i].mpi_ranks == 1 && r->list[i].ranks > 1;
	if (alone > 1 && alone == r->count)
		findings_add(
			caveats,
			"MPI knew of no other rank in any of them: each ran the whole program by itself. Start the job with the launcher of "
			"its own MPI; with srun, by --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI).");
}

void ranks_judge(const struct ranks *r, struct findings *verdict, struct findings *caveats)
{
	const struct ranks_row *wall = ranks_row_of(r, RANKS_WALL), *lost = ranks_row_of(r, RANKS_LOST);
	struct telling t = {.r = r, .to = verdict, .pool = &verdict->pool, .wall = wall ? wall->most : 0};
	say_all(&t);
	say_balance(&t);
	say_late(&t);
	say_waiting(&t);
	say_outliers(&t);
	say_groups(&t);
	say_missing(r, caveats);
	say_alone(r, caveats);
	say_ends(r, caveats);
	for (size_t i = 0; i < r->parts.note_count; i++)
		findings_add(caveats, "%s", r->parts.notes[i]);
	if (lost && lost->sum > 0)
		findings_add(caveats, "%s events were lost, most in %s.", text_count(&caveats->pool, number_whole(lost->sum)),
		             ranks_name(&caveats->pool, &r->list[lost->most_at]));
	else
		findings_add(caveats, "No events were lost.");
}
