/* SPDX-License-Identifier: MIT */
#include "analyse/flow/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "analyse/caveats.h"
#include "analyse/opening.h"
#include "base/text.h"

enum { MOST_OBJECTS = 3 };

struct judge {
	const struct flows *flows;
	struct findings *verdict;
	struct pool *pool;
};

static const char *time_of(const struct judge *j, uint64_t ns)
{
	return text_ns(j->pool, (double)ns);
}

static double share_of_run(const struct judge *j, uint64_t ns)
{
	return text_share_of((double)ns, (double)j->flows->wall_ns);
}

/* " (a.c:12)", or nothing. */
static const char *in_brackets(const struct judge *j, const char *file, uint32_t line)
{
	const char *place = text_place(j->pool, file, line);
	return *place && line ? pool_print(j->pool, " (%s)", place) : "";
}

/* "table_add (logs.c:149)"; "" if the routine is not known. */
static const char *describe(const struct judge *j, const struct flows_where *w)
{
	if (w->routine == RUN_OUTSIDE)
		return "";
	return pool_print(j->pool, "%s%s", run_shown(&j->flows->run->routines[w->routine]), in_brackets(j, w->file, w->line));
}

/* Of the sentence that was added last. */
static void tag(const struct judge *j, const struct finding_tag *tag)
{
	findings_tag(j->verdict, j->verdict->count - 1, tag);
}

static uint32_t known(uint32_t routine)
{
	return routine == RUN_OUTSIDE ? FINDING_NO_ROUTINE : routine;
}

/* ---- the critical path ---- */

/* The thread with the largest part of it. */
static uint32_t critical_thread(const struct flows *f)
{
	uint32_t most = 0;
	for (uint32_t t = 1; t <= f->run->thread_count; t++)
		if (f->threads[t].critical_ns > f->threads[most].critical_ns)
			most = t;
	return most;
}

/* The wait for something outside of the program that took a thread longest. */
static const struct flows_wait *outside_wait(const struct flows *f, uint32_t thread)
{
	for (size_t i = 0; i < f->wait_count; i++)
		if (f->waits[i].thread == thread && f->waits[i].for_thread == FLOWS_NONE &&
		    (f->waits[i].kind == FLOW_WAIT_KERNEL || !raw_wait_is_for_threads((enum raw_wait)f->waits[i].kind)))
			return &f->waits[i];
	return NULL;
}

static const char *outside_words(uint32_t kind)
{
	return kind == RAW_WAIT_IO                                        ? "input or output"
		: kind == RAW_WAIT_SLEEP                                  ? "a clock"
		: kind == RAW_WAIT_MESSAGE || kind == RAW_WAIT_COLLECTIVE ? "other ranks"
									  : "the kernel";
}

static void say_outside(const struct judge *j)
{
	const struct flows *f = j->flows;
	uint64_t outside = 0;
	for (size_t i = 0; i < f->path_count; i++)
		outside += f->path[i].outside_ns;
	if (text_share_of((double)outside, (double)f->minimum_ns) < FLOWS_OUTSIDE_PCT)
		return;
	const struct flows_wait *wait = outside_wait(f, critical_thread(f));
	const char *where = wait ? describe(j, &wait->where) : "";
	findings_add(j->verdict, "%s of that is waiting for %s%s%s: more cores do not make it shorter.", time_of(j, outside),
	             wait ? outside_words(wait->kind) : "something outside of the program", *where ? ", mostly in " : "", where);
	if (!wait || wait->kind == FLOW_WAIT_KERNEL)
		return; /* a page fault, or a wait that no door has seen: most of it may be load */
	tag(j,
	    &(struct finding_tag){.kind = FINDING_OUTSIDE,
	                          .routine = wait ? known(wait->where.routine) : FINDING_NO_ROUTINE,
	                          .part = (double)outside / (double)f->idle_ns,
	                          .whole_ns = f->idle_ns,
	                          .words = pool_print(j->pool, "%s of the critical path", time_of(j, outside))});
}

static uint64_t all_work(const struct flows *f)
{
	uint64_t work = 0;
	for (uint32_t t = 0; t <= f->run->thread_count; t++)
		work += f->threads[t].work_ns;
	return work;
}

/* The path has to be in some thread. Its work could be given to others if it has clearly more than any of them, and clearly more than each core
 * has if the cores share all work: else they have enough to do. */
static bool has_too_much(const struct flows *f, uint32_t thread)
{
	uint64_t mine = f->threads[thread].work_ns, most = 0;
	for (uint32_t t = 0; t <= f->run->thread_count; t++)
		if (t != thread && f->threads[t].work_ns > most)
			most = f->threads[t].work_ns;
	return (double)mine > FLOWS_MORE * (double)most &&
		(double)mine * f->machine_cores > (1 + FLOWS_WAIT_PCT / 100) * (double)all_work(f);
}

/* The part of the run that sharing out the work of a thread evenly among the cores would save at best. */
static double given_away(const struct flows *f, uint32_t thread)
{
	double each = (double)all_work(f) / f->machine_cores, mine = (double)f->threads[thread].work_ns;
	return f->idle_ns && mine > each ? (mine - each) / (double)f->idle_ns : 0;
}

static void say_path(const struct judge *j)
{
	const struct flows *f = j->flows;
	uint32_t thread = critical_thread(f);
	const struct flows_thread *t = &f->threads[thread];
	double share = text_share_of((double)t->critical_ns, (double)f->minimum_ns);
	if (f->run->thread_count < 2 || thread >= f->run->thread_count)
		return;
	const char *created = describe(j, &t->created);
	const char *who = *created && blame_is_programs(f->run, t->created.routine)
		? pool_print(j->pool, "thread %u, created in %s", thread, created)
		: pool_print(j->pool, "thread %u", thread);
	bool could_give = share >= FLOWS_PACE_PCT && has_too_much(f, thread);
	if (could_give) {
		findings_add(
			j->verdict,
			"%s of the critical path, which no number of cores makes shorter, is in %s. Give other threads a part of its work.",
			text_percent(j->pool, share), thread == 0 ? "the first thread" : who);
		tag(j,
		    &(struct finding_tag){.kind = FINDING_SERIAL,
		                          .routine = FINDING_NO_ROUTINE,
		                          .part = given_away(f, thread),
		                          .whole_ns = f->idle_ns,
		                          .words = pool_print(j->pool, "%s of the critical path in one thread",
		                                              text_percent(j->pool, share)),
		                          .advice = "Give other threads a part of its work"});
	} else if (share >= FLOWS_ONE_PCT)
		findings_add(j->verdict, "%s of the critical path, which no number of cores makes shorter, is in %s.",
		             text_percent(j->pool, share), thread == 0 ? "the first thread" : who);
	else
		findings_add(j->verdict, "The critical path goes through several threads: %s of it is in %s.", text_percent(j->pool, share),
		             thread == 0 ? "the first thread" : who);
}

/* ---- objects ---- */

/* The wait for an object that a known thread ended and that took longest. */
static const struct flows_wait *ender(const struct flows *f, uint32_t object)
{
	for (size_t i = 0; i < f->wait_count; i++)
		if (f->waits[i].object == object && f->waits[i].for_thread != FLOWS_NONE)
			return &f->waits[i];
	return NULL;
}

/* The wait for an object by whose ender most of its waits ended, however long they were; NULL: it is not known. */
static const struct flows_wait *most_frequent_ender(const struct flows *f, uint32_t object)
{
	uint64_t *counts = memory_zeroed(f->run->thread_count + 1, sizeof *counts);
	const struct flows_wait *found = NULL;
	for (size_t i = 0; i < f->wait_count; i++)
		if (f->waits[i].object == object && f->waits[i].for_thread != FLOWS_NONE)
			counts[f->waits[i].for_thread] += f->waits[i].count;
	for (size_t i = 0; i < f->wait_count; i++) /* the first row of a thread has its longest waits */
		if (f->waits[i].object == object && f->waits[i].for_thread != FLOWS_NONE &&
		    (!found || counts[f->waits[i].for_thread] > counts[found->for_thread]))
			found = &f->waits[i];
	free(counts);
	return found;
}

static const char *who(const struct judge *j, uint32_t object)
{
	const struct flows_object *o = &j->flows->objects[object];
	const struct flows_wait *w = o->what == RAW_FLOW_BARRIER ? most_frequent_ender(j->flows, object) : ender(j->flows, object);
	if (o->what == RAW_FLOW_LOCK || o->what == RAW_FLOW_SHARED_LOCK)
		return *describe(j, &o->holder) ? pool_print(j->pool, ", held mostly by %s", describe(j, &o->holder)) : "";
	if (!w || !*describe(j, &w->for_where))
		return "";
	return pool_print(j->pool,
	                  o->what == RAW_FLOW_BARRIER ? "; thread %u arrived last most often, from %s"
	                                              : ", mostly until thread %u reached %s",
	                  w->for_thread, describe(j, &w->for_where));
}

static uint64_t saved(const struct flows *f, const struct flows_object *o)
{
	return o->free_idle_ns != RUN_UNKNOWN && (uint64_t)o->free_idle_ns < f->idle_ns ? f->idle_ns - (uint64_t)o->free_idle_ns : 0;
}

/* Of the run as it could be: a loaded machine makes nothing less important. What was hardly waited for saves nothing, whatever the order in
 * which the lock was taken says: the threads would have taken it in another order. */
static bool saves(const struct judge *j, const struct flows_object *o)
{
	uint64_t saves_ns = saved(j->flows, o);
	return text_share_of((double)saves_ns, (double)j->flows->idle_ns) >= FLOWS_NEWS_PCT && o->waited_ns >= saves_ns / 2;
}

/* A variable may be called `lock`, or `lock_of_table`: what has no variable is "lock at a.c:12", "lock of table_add", or just `lock` where
 * no place is known (build.c). */
static bool has_variable(const struct judge *j, const struct flows_object *o)
{
	const char *kind = flows_object_kinds[o->what];
	size_t length = strlen(kind);
	if (strncmp(o->name, kind, length) != 0)
		return true;
	const char *rest = o->name + length;
	return *rest ? strncmp(rest, " at ", 4) != 0 && strncmp(rest, " of ", 4) != 0 : *in_brackets(j, o->first.file, o->first.line) != 0;
}

/* The place is told unless the name does. */
static const char *name_object(const struct judge *j, const struct flows_object *o)
{
	return has_variable(j, o) ? pool_print(j->pool, "%s%s", o->name, in_brackets(j, o->first.file, o->first.line))
				  : pool_print(j->pool, "the %s", o->name);
}

static bool is_lock(const struct flows_object *o)
{
	return o->what == RAW_FLOW_LOCK || o->what == RAW_FLOW_SHARED_LOCK;
}

/* What the waits for an object are about: the call that held it, or that ended them. A pipe that another program writes to is something outside. */
static struct finding_tag tag_of(const struct judge *j, uint32_t object)
{
	const struct flows_object *o = &j->flows->objects[object];
	const struct flows_wait *w = is_lock(o) ? NULL : ender(j->flows, object);
	struct finding_tag found = {.kind = is_lock(o)                    ? FINDING_LOCK
	                                    : o->what == RAW_FLOW_BARRIER ? FINDING_UNEVEN
	                                                                  : FINDING_SERIAL,
	                            .routine = is_lock(o) ? known(o->holder.routine)
	                                    : w           ? known(w->for_where.routine)
	                                                  : FINDING_NO_ROUTINE,
	                            .object = has_variable(j, o) ? o->name : NULL};
	if (found.kind == FINDING_SERIAL && w && !blame_is_programs(j->flows->run, w->for_where.routine)) {
		found.kind = FINDING_OUTSIDE;
		found.routine = known(w->where.routine);
		found.object = NULL;
	}
	return found;
}

static void say_object(const struct judge *j, uint32_t object)
{
	const struct flows_object *o = &j->flows->objects[object];
	const char *would = "";
	if (saves(j, o))
		would = pool_print(j->pool, " Without %s the run could take %s.", is_lock(o) ? "that lock" : "that waiting",
		                   time_of(j, (uint64_t)o->free_idle_ns));
	else if (o->free_idle_ns != RUN_UNKNOWN && is_lock(o))
		would = " That did not make the run longer.";
	findings_add(j->verdict, "Threads waited %s %s %s%s.%s", time_of(j, o->waited_ns), o->what == RAW_FLOW_BARRIER ? "at" : "for",
	             name_object(j, o), who(j, object), would);
	struct finding_tag found = tag_of(j, object);
	found.part = (double)saved(j->flows, o) / (double)j->flows->idle_ns;
	found.whole_ns = j->flows->idle_ns;
	found.words = pool_print(j->pool, "%s of waiting", time_of(j, o->waited_ns));
	found.harmless = o->free_idle_ns != RUN_UNKNOWN && !saves(j, o);
	tag(j, &found);
}

/* A thread sets the pace if it has nearly all of the critical path. */
static bool one_sets_the_pace(const struct flows *f)
{
	return text_share_of((double)f->threads[critical_thread(f)].critical_ns, (double)f->minimum_ns) >= FLOWS_PACE_PCT;
}

/* Threads wait for conditions and the like by design: that is news if it makes the run longer, and if no thread sets the pace, which is
 * the better news. Locks are there for something else; but one that is waited for a few times, and long, may be held to stop a thread. */
static bool is_news(const struct judge *j, const struct flows_object *o)
{
	bool waits = share_of_run(j, o->waited_ns) >= FLOWS_WAIT_PCT && o->contended >= FLOWS_OFTEN;
	return is_lock(o) ? saves(j, o) || waits : saves(j, o) && (o->what == RAW_FLOW_BARRIER || !one_sets_the_pace(j->flows));
}

/* What could be held for less time, or shared more evenly; of other objects one is enough. */
static bool can_be_mended(const struct flows_object *o)
{
	return is_lock(o) || o->what == RAW_FLOW_BARRIER;
}

/* What saves most comes first, then locks. */
static void say_objects(const struct judge *j)
{
	const struct flows *f = j->flows;
	bool said_other = false;
	bool said[32] = {false};
	size_t count = f->object_count < 32 ? f->object_count : 32;
	for (int n = 0; n < MOST_OBJECTS; n++) {
		size_t best = count;
		for (size_t i = 0; i < count; i++)
			if (!said[i] && is_news(j, &f->objects[i]) && !(said_other && !can_be_mended(&f->objects[i])) &&
			    (best == count || saved(f, &f->objects[i]) > saved(f, &f->objects[best])))
				best = i;
		if (best == count)
			return;
		said[best] = true;
		said_other |= !can_be_mended(&f->objects[best]);
		say_object(j, (uint32_t)best);
	}
}

/* ---- the run ---- */

static bool could_be_shorter(const struct judge *j)
{
	return share_of_run(j, j->flows->wall_ns - j->flows->idle_ns) >= FLOWS_NEWS_PCT;
}

static void say_minimum(const struct judge *j)
{
	const struct flows *f = j->flows;
	uint32_t cores = f->machine_cores;
	if (!could_be_shorter(j)) {
		findings_add(j->verdict, "The run took %s, and would take as long if it had the machine (%u core%s) for itself.",
		             time_of(j, f->wall_ns), cores, text_s(cores));
		return;
	}
	findings_add(j->verdict, "On an idle machine (%u core%s) this run would take %s instead of %s.", cores, text_s(cores),
	             time_of(j, f->idle_ns), time_of(j, f->wall_ns));
	uint64_t more = f->wall_ns - f->idle_ns, others = more > f->latency_ns ? more - f->latency_ns : 0;
	bool load = share_of_run(j, others) >= FLOWS_NEWS_PCT, latency = share_of_run(j, f->latency_ns) >= FLOWS_NEWS_PCT;
	if (load) {
		findings_add(j->verdict, "Other programs kept cores from its threads: %s%s.", time_of(j, others),
		             latency ? pool_print(j->pool, ". Threads that could go on did so late: %s", time_of(j, f->latency_ns)) : "");
		findings_tag(j->verdict, j->verdict->count - 2,
		             &(struct finding_tag){.kind = FINDING_LOAD,
		                                   .routine = FINDING_NO_ROUTINE,
		                                   .share = (double)others / (double)f->wall_ns});
	} else if (latency)
		findings_add(j->verdict,
		             "The difference is the time from the moment at which a thread could go on to that at which it did.");
}

static void say_use(const struct judge *j)
{
	const struct flows *f = j->flows;
	if (f->run->thread_count > 1 && f->wall_ns)
		findings_add(j->verdict, "Its threads used %.1f of %u core%s on average.", (double)all_work(f) / (double)f->wall_ns,
		             f->machine_cores, text_s(f->machine_cores));
}

/* The fewest cores that are nearly as good as one for each thread. */
static const struct flows_core *enough(const struct flows *f)
{
	const struct flows_core *last = &f->cores[f->core_count - 1], *few = last;
	for (size_t i = f->core_count; i--;)
		if ((double)f->cores[i].ns <= (double)last->ns * (1 + FLOWS_WAIT_PCT / 100))
			few = &f->cores[i];
	return few;
}

static void say_cores(const struct judge *j)
{
	const struct flows *f = j->flows;
	if (f->run->thread_count < 2 || f->core_count < 2)
		return;
	const struct flows_core *few = enough(f);
	if (few == f->cores)
		findings_add(j->verdict, "It would take as long on 1 core: its threads hardly ever work at the same time.");
	else
		findings_add(j->verdict, "On 1 core the run would take %s, on %u %s; more cores would change little.",
		             time_of(j, f->cores[0].ns), few->cores, time_of(j, few->ns));
}

static uint64_t all_load(const struct flows *f)
{
	uint64_t load = 0;
	for (uint32_t t = 0; t <= f->run->thread_count; t++)
		load += f->threads[t].load_ns;
	return load;
}

static void add_caveats(const struct flows *f, struct findings *caveats)
{
	uint64_t waits = 0;
	for (size_t i = 0; i < f->wait_count; i++)
		waits += f->waits[i].count;
	caveats_begin(f->run, "what its threads did after the last event is missing", caveats);
	if (f->orders) {
		findings_add(caveats, "Events have an order and no times, because of --order: how long anything took is not known.");
		return;
	}
	findings_add(caveats,
	             "The minimum is an approximation: locks are taken in the recorded order, and each stretch of work takes as long "
	             "as it did. Waiting for a variable in a loop counts as work.");
	if (f->skipped_ns)
		findings_add(caveats, "The first %s of the run are left out; how often objects were taken, and held, is of the whole run.",
		             text_ns(&caveats->pool, (double)f->skipped_ns));
	if (f->switches == RUN_UNKNOWN && all_load(f))
		findings_add(caveats, "Context switches were not recorded: when threads lacked a core is estimated from their CPU clocks.");
	else if (f->switches == RUN_UNKNOWN)
		findings_add(caveats, "The kernel does not show context switches here, so time without a core counts as work%s.",
		             f->run->wanted_ns > 0 ? pool_print(&caveats->pool, ". It counted %s of that in all threads",
		                                                text_ns(&caveats->pool, (double)f->run->wanted_ns))
		                                   : "");
	else if (f->switches_lost > 0)
		findings_add(caveats, "%s of %s context switches were lost: the time without a core is too short.",
		             text_count(&caveats->pool, f->switches_lost), text_count(&caveats->pool, f->switches + f->switches_lost));
	if (text_share_of((double)f->unexplained, (double)waits) >= FLOWS_OPEN_PCT)
		findings_add(caveats, "For %s of %s waits it is not known what ended them; they keep their length.",
		             text_count(&caveats->pool, (int64_t)f->unexplained), text_count(&caveats->pool, (int64_t)waits));
	if (f->keeps == FLOWS_TOO_MANY)
		findings_add(caveats,
		             "The events themselves are not in the recording, because they take more than 64 MiB: the view events, "
		             "--what-if and `skein export chrome-trace` need them.");
	if (f->bad)
		findings_add(caveats, "%s parts of the logs could not be read.", text_count(&caveats->pool, (int64_t)f->bad));
}

/* What is asked: "without journal", "if parse and its callees took 50 % of their time". */
static const char *condition(const struct judge *j, const struct flows_what_if *w)
{
	const char *what = w->objects + w->routines == 1
		? w->asked
		: pool_print(j->pool, "the %s %s that match '%s'", text_count(j->pool, (int64_t)(w->objects + w->routines)),
	                     w->routines ? "routines" : "objects", w->asked);
	if (!w->routines)
		return pool_print(j->pool, "Without %s", what);
	double factor = strtod(w->factor, NULL);
	const char *whose = w->routines == 1 ? "its" : "their";
	return factor > 0
		? pool_print(j->pool, "If %s and %s callees took %s of their time,", what, whose, text_percent(j->pool, 100 * factor))
		: pool_print(j->pool, "If %s and %s callees took no time,", what, whose);
}

/* What was asked for by --what-if comes first. */
static void say_what_ifs(const struct judge *j)
{
	const struct flows *f = j->flows;
	for (size_t i = 0; i < f->what_if_count; i++) {
		const struct flows_what_if *w = &f->what_ifs[i];
		const char *now = time_of(j, f->idle_ns), *then = time_of(j, w->ns);
		if (w->ns < f->idle_ns && strcmp(now, then) != 0)
			findings_add(j->verdict, "%s the run could take %s instead of %s.", condition(j, w), then, now);
		else
			findings_add(j->verdict, "%s the run would take as long: %s.", condition(j, w), now);
	}
}

/* ---- without times ---- */

/* For which object threads waited most often; NULL: for none. */
static const struct flows_object *most_contended(const struct flows *f, uint32_t *number)
{
	const struct flows_object *most = NULL;
	for (uint32_t i = 0; i < f->object_count; i++)
		if (f->objects[i].contended && (!most || f->objects[i].contended > most->contended)) {
			most = &f->objects[i];
			*number = i;
		}
	return most;
}

static void say_order(const struct judge *j)
{
	const struct flows *f = j->flows;
	uint64_t waits = 0;
	uint32_t object;
	for (size_t i = 0; i < f->wait_count; i++)
		waits += f->waits[i].count;
	const struct flows_object *most = most_contended(f, &object);
	if (most) {
		const struct flows_wait *ended = most_frequent_ender(f, object);
		const char *by = ended && *describe(j, &ended->for_where)
			? pool_print(j->pool, ", most often until thread %u reached %s", ended->for_thread, describe(j, &ended->for_where))
			: "";
		findings_add(j->verdict, "Threads waited %s time%s for %s%s.", text_count(j->pool, (int64_t)most->contended),
		             text_s(most->contended), name_object(j, most), by);
	}
	findings_add(j->verdict, "%s thread%s waited %s time%s in all.", text_count(j->pool, (int64_t)f->run->thread_count),
	             text_s(f->run->thread_count), text_count(j->pool, (int64_t)waits), text_s(waits));
}

void flows_judge(const struct flows *flows, struct findings *verdict, struct findings *caveats)
{
	struct judge j = {flows, verdict, &verdict->pool};
	opening_add(flows->run, NULL, verdict);
	if (flows->orders) {
		say_order(&j);
		add_caveats(flows, caveats);
		return;
	}
	say_what_ifs(&j);
	if (flows->what_if_count)
		verdict->openings = verdict->count - 1; /* the other views, which tell the beginning only, answer it, too */
	bool is_loaded = could_be_shorter(&j), paces = flows->run->thread_count > 1 && one_sets_the_pace(flows);
	if (is_loaded) {
		size_t before = verdict->count;
		say_minimum(&j);
		verdict->openings += verdict->count - before;
	}
	say_objects(&j);
	if (paces)
		say_path(&j);
	if (!is_loaded)
		say_minimum(&j);
	say_outside(&j);
	if (!paces)
		say_path(&j);
	say_use(&j);
	say_cores(&j);
	add_caveats(flows, caveats);
}
