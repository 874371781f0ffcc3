/* SPDX-License-Identifier: MIT */
#include "report/repeats/repeated.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/strv.h"
#include "base/text.h"

enum { NAMED = 4 }; /* failed runs, or figures that differ, which a verdict names */

static bool adds_up(const struct lens *lens)
{
	return lens_traits(lens->name) & LENS_RUNS_ADD_UP;
}

/* ---- which run ---- */

static int no_such_run(const struct repeats *repeats, long asked, struct fail *why)
{
	char list[200] = "";
	for (size_t i = 0; i < repeats->count && strlen(list) + 20 < sizeof list; i++)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%u", i ? ", " : "", repeats->runs[i].turn);
	return fail_set(why, FAIL_USAGE, "this recording has no run %ld; its runs are %s (see --view runs)", asked, list);
}

/* Runs that add up are chosen by their lens, of all that there are. */
static int choose_run(struct repeated *r, struct store *store, const struct arguments *a, struct fail *why)
{
	long asked;
	if (arguments_number(a, OPTION_RUN, 0, 1, UINT32_MAX - 1, &asked, why) < 0)
		return -1;
	r->is_asked = asked > 0;
	r->shown = adds_up(r->lens) ? r->repeats.count : asked ? repeats_find(&r->repeats, (uint32_t)asked) : r->repeats.median;
	if (adds_up(r->lens))
		return 0;
	if (r->shown == r->repeats.count)
		return no_such_run(&r->repeats, asked, why);
	store_choose(store, r->repeats.runs[r->shown].run);
	return 0;
}

int repeated_open(struct repeated *r, struct store *store, const struct lens *lens, const struct arguments *a, bool whole, struct fail *why)
{
	*r = (struct repeated){.lens = lens};
	if (store_repeats(store, lens->name, &r->repeats, why) < 0)
		return -1;
	int result = choose_run(r, store, a, why);
	if (result == 0 && whole && r->repeats.count > 1 && !(r->is_asked && adds_up(lens))) {
		result = totals_load(store, lens, a, &r->repeats, &r->totals, why);
		if (result == 0)
			result = store_differences(store, lens->name, &r->repeats, &r->differences, why);
	}
	if (result < 0)
		repeated_close(r);
	return result;
}

void repeated_close(struct repeated *r)
{
	repeats_free(&r->repeats);
	totals_free(&r->totals);
	differences_free(&r->differences);
}

/* ---- what is said ---- */

const char *repeated_end(struct pool *pool, const struct repeats_run *run)
{
	const char *known = run->died_of > 0 && run->died_of < NSIG ? sigabbrev_np((int)run->died_of) : NULL;
	if (run->stopped)
		return "stopped after its time";
	if (run->died_of > 0)
		return known ? pool_print(pool, "SIG%s", known) : pool_print(pool, "signal %lld", (long long)run->died_of);
	return run->exit_code == RUN_UNKNOWN ? "" : pool_print(pool, "exit status %lld", (long long)run->exit_code);
}

static const char *value_text(struct pool *pool, const char *figure, double value)
{
	if (str_ends(figure, "_ns"))
		return text_ns(pool, value);
	if (strstr(figure, "_pct"))
		return text_percent(pool, value);
	return value >= 1000 ? text_count(pool, number_whole(value + 0.5)) : pool_print(pool, "%.3g", value);
}

static const char *with_spread(struct pool *pool, const struct lens_told *told, const struct spread *s)
{
	const char *median = value_text(pool, told->figure, s->median);
	return s->least < s->most ? pool_print(pool, "%s %s ± %s", told->words, median, value_text(pool, told->figure, s->plus_minus))
				  : pool_print(pool, "%s %s in each", told->words, median);
}

/* Known without loading the runs, and also where a signal ended them. */
static struct spread spread_of_wall(const struct repeats *repeats)
{
	double *wall = memory_resize(NULL, repeats->count, sizeof *wall);
	size_t count = 0;
	for (size_t i = 0; i < repeats->count; i++)
		if (repeats->runs[i].counts)
			wall[count++] = (double)repeats->runs[i].wall_ns;
	struct spread spread = spread_of(wall, count);
	free(wall);
	return spread;
}

/* The figures by which the lens is known, with their spread. */
static const char *list_figures(struct pool *pool, const struct repeated *r)
{
	const char *list = "";
	for (const struct lens_told *told = r->lens->told; told->figure; told++) {
		const struct total *f = totals_find(&r->totals, told->figure);
		bool is_wall = strcmp(told->figure, "wall_ns") == 0;
		struct spread spread = is_wall ? spread_of_wall(&r->repeats) : f ? f->spread : spread_of(NULL, 0);
		if (!isnan(spread.median))
			list = pool_print(pool, "%s%s%s", list, *list ? ", " : "", with_spread(pool, told, &spread));
	}
	return list;
}

static void say_which(const struct repeated *r, struct findings *verdict)
{
	const struct repeats *repeats = &r->repeats;
	const char *figures = list_figures(&verdict->pool, r), *colon = *figures ? ": " : "";
	if (r->shown == repeats->count)
		findings_add(verdict, "Median of %zu runs%s%s. The report adds up all runs.", repeats->counted, colon, figures);
	else if (r->is_asked)
		findings_add(verdict, "The report shows run %u. Median of %zu runs%s%s.", repeats->runs[r->shown].turn, repeats->counted,
		             colon, figures);
	else if (repeats->counted > 1)
		findings_add(verdict, "Median of %zu runs%s%s. The report shows run %u.", repeats->counted, colon, figures,
		             repeats->runs[r->shown].turn);
	else
		findings_add(verdict, "Run %u of %zu.", repeats->runs[r->shown].turn, repeats->count);
}

static void say_failed(const struct repeated *r, struct findings *verdict)
{
	const struct repeats *repeats = &r->repeats;
	const char *list = "";
	size_t failed = 0;
	for (size_t i = 0; i < repeats->count; i++) {
		const struct repeats_run *run = &repeats->runs[i];
		if (run->failed && failed++ < NAMED)
			list = pool_print(&verdict->pool, "%s%srun %u (%s)", list, *list ? ", " : "", run->turn,
			                  repeated_end(&verdict->pool, run));
	}
	if (failed > NAMED)
		list = pool_print(&verdict->pool, "%s and %zu more", list, failed - NAMED);
	if (failed == repeats->count)
		findings_add(verdict, "All %zu runs failed: %s.", failed, list);
	else if (failed)
		findings_add(verdict, "%zu of %zu runs failed and %s not count: %s.", failed, repeats->count, failed == 1 ? "does" : "do",
		             list);
}

static void say_differences(const struct repeated *r, struct findings *verdict)
{
	const struct differences *d = &r->differences;
	struct pool *pool = &verdict->pool;
	const char *list = "";
	for (size_t i = 0; i < d->count && i < NAMED; i++) {
		const struct difference *one = &d->at[i];
		list = pool_print(pool, "%s%s%s%s%s %s to %s", list, *list ? ", " : "", one->what, *one->subject ? " of " : "",
		                  one->subject, text_count(pool, one->least), text_count(pool, one->most));
	}
	if (d->count > NAMED)
		list = pool_print(pool, "%s, and %zu more (--view differences)", list, d->count - NAMED);
	if (d->count)
		findings_add(verdict, "Exact figures differ between runs: %s.", list);
	else if (d->compared)
		findings_add(verdict, "Exact figures are identical in all %zu runs.", r->repeats.counted);
}

void repeated_say(const struct repeated *r, struct findings *verdict)
{
	size_t before = verdict->count;
	if (r->repeats.count < 2 || (r->is_asked && adds_up(r->lens)))
		return;
	say_which(r, verdict);
	say_failed(r, verdict);
	say_differences(r, verdict);
	verdict->openings += verdict->count - before;
}
