/* SPDX-License-Identifier: MIT */
/* finish.c: pieces that are not in the cache become objects: a compiler for each, as many at once as there are cores and memory for. */
#include "relink/pieces/pieces.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/spawn.h"
#include "build/compile.h"
#include "build/plan.h"
#include "build/recipe.h"
#include "keys/lenses.h"
#include "pass/shape.h"
#include "relink/crash.h"
#include "relink/pieces/optimised.h"
#include "relink/pieces/server.h"

struct job {
	struct piece *piece; /* NULL: free */
	struct spawn spawn;
	struct strv command, environment;
	char *stage, *log;
	struct server server; /* stays with this place when the job has ended */
};

static void add_compile(const struct relink_link *l, const struct strv *words, const char *from, const char *to, struct strv *command)
{
	strv_add(command, "clang-19");
	strv_add_all(command, words);
	strv_add(command, "-w");
	strv_add(command, "-Qunused-arguments");
	strv_addf(command, "-fpass-plugin=%s/libskein-pass.so", l->libdir);
	strv_add(command, "-x");
	strv_add(command, "ir");
	strv_add(command, from);
	strv_add(command, "-c");
	strv_add(command, "-o");
	strv_add(command, to);
}

/* Pieces are only optimised in the same way for nearly every plan. */
static void add_asked(const struct relink_link *l, bool are_alike, struct strv *variables)
{
	struct strv few = {0};

	if (plan_has(l->ask->plan, PLAN_INLINED, NULL))
		plan_add(&few, PLAN_INLINED, "1");
	plan_to_environment(are_alike ? (const char *const *)few.at : l->ask->plan, variables);
	strv_free(&few);
}

static void add_environment(const struct relink_link *l, bool are_alike, struct strv *plan, struct strv *environment)
{
	struct strv variables = {0};

	plan_add(plan, PLAN_LENS, "%s", l->ask->lens);
	plan_add(plan, PLAN_OBJECT, "%s", l->member->build_id);
	plan_to_environment((const char *const *)plan->at, &variables);
	add_asked(l, are_alike, &variables);
	relink_large_pages(&variables);
	recipe_environment(&l->member->note, &variables, environment);
	strv_free(&variables);
	strv_free(plan);
}

static int begin_alone(struct job *job, struct fail *why)
{
	job->spawn = (struct spawn){.argv = job->command.at, .errors = job->log, .environment = job->environment.at};
	return spawn_start(&job->spawn, why);
}

static int begin(struct job *job, struct fail *why)
{
	if (job->server.to >= 0 && server_give(&job->server, job->command.at, job->environment.at, job->log))
		return 0;
	server_end(&job->server);
	return begin_alone(job, why);
}

/* What a server that went away left undone is done without it. */
static int status_of(struct job *job)
{
	struct fail unsaid;
	int status;

	if (job->server.to < 0)
		return spawn_wait(&job->spawn);
	if (server_wait(&job->server, &status))
		return status;
	server_end(&job->server);
	return begin_alone(job, &unsaid) < 0 ? 127 : spawn_wait(&job->spawn);
}

static int start(const struct pieces *pieces, struct job *job, struct piece *p, const struct relink_link *l, struct fail *why)
{
	struct strv plan = {0};

	*job = (struct job){.piece = p, .stage = cache_stage(l->cache, why), .server = job->server};
	if (!job->stage)
		return -1;
	job->log = str_format("%s/log", job->stage);
	bool shared = optimised_is_shared(l, p) && !pieces->are_prepared;
	if (shared)
		optimised_take(l, p);
	char *object = str_format("%s/object", job->stage);
	add_compile(l, &p->command, p->bitcode, object, &job->command);
	if (!pieces->are_for_lto)
		plan_add(&plan, PLAN_PIECE, "%s", p->id);
	if (p->is_optimised)
		plan_add(&plan, PLAN_OPTIMISED, "1");
	else if (shared)
		plan_add(&plan, PLAN_AFTER, "%s/" OPTIMISED_FILE, job->stage);
	if (pieces->are_for_lto) { /* as the user's compile, but that this makes no native code */
		strv_add(&job->command, "-flto=full");
		strv_add(&job->command, "-fno-fat-lto-objects");
	} else if (pieces->are_prepared) {
		strv_add(&job->command, "-emit-llvm");
	} else {
		plan_add(&plan, PLAN_HOOKS, "%s/hooks-%s.o", l->libdir, l->ask->lens);
		plan_add(&plan, PLAN_TABLE, "%s/table", job->stage);
	}
	char *left = crashes_lines(l->crashes, p->name);
	if (left)
		plan_add(&plan, PLAN_LEAVE, "%s", left);
	free(left);
	bool are_alike = pieces->are_prepared && !pieces_tell_paths(pieces, l);
	if (pieces_ask_others(l) && !are_alike)
		plan_add(&plan, PLAN_DEFINED, "%s", pieces->defined_path);
	if (p->graph && pieces->are_prepared)
		plan_add(&plan, PLAN_GRAPH, "%s/graph", job->stage);
	if (p->facts)
		plan_add(&plan, PLAN_FACTS, "%s", p->facts);
	if (p->facts && pieces->graph.call_count > PLAN_MANY_SITES)
		plan_add(&plan, PLAN_MANY, "1");
	add_environment(l, are_alike, &plan, &job->environment);
	free(object);
	return begin(job, why);
}

static void end(struct job *job)
{
	strv_free(&job->command);
	strv_free(&job->environment);
	free(job->stage);
	free(job->log);
	*job = (struct job){.server = job->server};
}

static bool take_file(const char *folder, const char *name, const char *as)
{
	char *path = str_format("%s/%s", folder, name);
	bool taken = !as || link(path, as) == 0;

	free(path);
	return taken;
}

void pieces_drop_files(const struct piece *p)
{
	unlink(p->object);
	if (p->table)
		unlink(p->table);
	if (p->shape)
		unlink(p->shape);
	if (p->graph)
		unlink(p->graph);
}

/* The entry may go as soon as it is given back: its files stay under names of this link's own. */
static int take(const struct piece *p, struct cache_entry *entry)
{
	bool taken = take_file(entry->folder, "object", p->object) && take_file(entry->folder, "table", p->table) &&
		take_file(entry->folder, SHAPE_FILE, p->shape) && take_file(entry->folder, "graph", p->graph);

	if (!taken) { /* the entry is not whole */
		pieces_drop_files(p);
		folder_remove(entry->folder);
	}
	cache_give(entry);
	return taken ? 0 : -1;
}

/* A compiler that crashed says at which function. */
static int say_failed(const struct job *job, const struct relink_link *l, struct fail *why)
{
	const char *log = job->log;
	char *said = compile_line_with(log, "skein: ", ""), *line = said ? said : compile_line_with(log, "error", ""),
	     *name = crash_function(log);

	fail_set(why, FAIL_INTERNAL, "%s could not be finished for %s: %s%s%s", job->piece->name, l->ask->lens,
	         line ? line : "the compiler printed no error", name ? ", at the function " : "", name ? name : "");
	crashes_note(l->crashes, job->piece->name, log);
	free(line);
	free(name);
	return -1;
}

static int publish(struct job *job, const struct relink_link *l, int status, struct fail *why)
{
	struct cache_entry entry = {.lock = -1};
	char *key = str_format("piece-%s", job->piece->key);
	int failed = 0;

	if (status) {
		failed = say_failed(job, l, why);
		optimised_drop(l, job->piece);
		folder_remove(job->stage);
	} else {
		unlink(job->log);
		optimised_keep(l, job->piece, job->stage);
		failed = cache_publish(l->cache, job->stage, key, &entry, why) < 0 || take(job->piece, &entry) < 0;
	}
	free(key);
	return failed ? -1 : 0;
}

/* The job whose server has answered; NULL: some have no server. */
static struct job *wait_for_server(struct job *jobs, size_t count)
{
	struct pollfd *answers = mem_or_die(calloc(count, sizeof *answers));
	struct job *ended = NULL;
	bool all = true;

	for (size_t i = 0; i < count; i++) {
		answers[i] = (struct pollfd){.fd = jobs[i].piece ? jobs[i].server.from : -1, .events = POLLIN};
		all = all && (!jobs[i].piece || jobs[i].server.to >= 0);
	}
	while (all && poll(answers, count, -1) < 0 && errno == EINTR)
		;
	for (size_t i = 0; all && i < count && !ended; i++)
		if (answers[i].revents)
			ended = &jobs[i];
	free(answers);
	return ended;
}

/* The job whose tool has ended. */
static struct job *wait_for_one(struct job *jobs, size_t count)
{
	struct job *served = wait_for_server(jobs, count);
	siginfo_t info = {0};
	size_t oldest = 0;

	if (served)
		return served;
	while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].piece && jobs[i].spawn.pid == info.si_pid)
			return &jobs[i];
		oldest = jobs[oldest].piece ? oldest : i;
	}
	return &jobs[oldest];
}

/* A compile of a large object takes half a gigabyte. */
static size_t job_count(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	size_t room = pages > 0 && size > 0 ? (size_t)pages * (size_t)size >> 29 : 1, cores = spawn_cores();

	return room < 1 ? 1 : room < cores ? room : cores;
}

static void tell(const struct pieces *pieces, const struct relink_link *l, size_t done, size_t all)
{
	if (!l->ask->progress)
		return;
	const char *step = !pieces->are_two_steps ? "" : pieces->are_prepared ? ", step 1 of 2" : ", step 2 of 2";
	char *text = str_format("linking %s for %s: object %zu of %zu%s", str_base(l->member->path), l->ask->lens, done, all, step);
	l->ask->progress(l->ask->context, text);
	free(text);
}

static int by_size(const void *a, const void *b)
{
	const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;
	return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : x < y ? -1 : x > y;
}

/* A server for each place, if all of them can be had and there is more than one job for each. */
static void begin_servers(struct job *jobs, size_t most, size_t count, const struct relink_link *l)
{
	bool wanted = count > most;

	for (size_t i = 0; i < most; i++)
		jobs[i].server = (struct server){.to = -1, .from = -1};
	for (size_t i = 0; i < most && wanted; i++)
		wanted = server_begin(&jobs[i].server, l->libdir) == 0;
	for (size_t i = 0; i < most && !wanted; i++)
		server_end(&jobs[i].server);
}

/* The largest come first, or the last one would have the machine for itself. After a failure what runs is waited for. */
static int finish_all(const struct pieces *pieces, struct piece **missing, const struct relink_link *l, struct fail *why)
{
	size_t count = pieces->finished, most = job_count(), running = 0, next = 0, done = 0;
	struct job *jobs = mem_or_die(calloc(most, sizeof *jobs));
	int failed = 0;

	begin_servers(jobs, most, count, l);
	qsort(missing, count, sizeof *missing, by_size);
	while (running || (next < count && !failed)) {
		if (!failed && next < count && running < most) {
			struct job *job = jobs;
			while (job->piece)
				job++;
			failed = start(pieces, job, missing[next++], l, why);
			running += !failed;
			if (failed)
				end(job);
			continue;
		}
		struct job *job = wait_for_one(jobs, most);
		struct fail unsaid;
		int status = status_of(job);
		failed = publish(job, l, status, failed ? &unsaid : why) < 0 || failed;
		end(job);
		running--;
		tell(pieces, l, ++done, count);
	}
	for (size_t i = 0; i < most; i++)
		server_end(&jobs[i].server);
	free(jobs);
	return failed ? -1 : 0;
}

int pieces_finish_missing(struct pieces *pieces, const struct relink_link *l, struct fail *why)
{
	struct piece **missing = mem_or_die(calloc(pieces->count + 1, sizeof *missing));

	pieces->finished = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece *p = &pieces->at[i];
		struct cache_entry entry = {.lock = -1};
		char *key = str_format("piece-%s", p->key);
		if (p->same == i && !pieces_is_ready(pieces, p) && (!cache_take(l->cache, key, &entry) || take(p, &entry) < 0))
			missing[pieces->finished++] = p;
		free(key);
	}
	int failed = finish_all(pieces, missing, l, why);
	free(missing);
	return failed;
}

int pieces_finish_hooks(struct pieces *pieces, const struct relink_link *l, const size_t total[3], struct fail *why)
{
	struct strv command = {0}, environment = {0}, plan = {0}, words = {0};
	char *hooks = str_format("%s/hooks-%s.o", l->libdir, l->ask->lens);

	pieces->hooks = str_format("%s/hooks.o", l->stages->at[0]);
	strv_add(&words, "-O2");
	strv_add(&words, "-fPIC");
	add_compile(l, &words, hooks, pieces->hooks, &command);
	plan_add(&plan, PLAN_TOTAL, "%zu %zu %zu", total[0], total[1], total[2]);
	add_environment(l, false, &plan, &environment);
	struct spawn job = {.argv = command.at, .environment = environment.at, .errors = "/dev/null"};
	int failed = spawn_start(&job, why);
	if (!failed && spawn_wait(&job) != 0)
		failed = fail_set(why, FAIL_INTERNAL, "the hooks of %s could not be finished", l->ask->lens);
	strv_free(&command);
	strv_free(&environment);
	strv_free(&words);
	free(hooks);
	return failed;
}
