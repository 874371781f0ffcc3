/* SPDX-License-Identifier: MIT */
/* try.c: records paths with any options of the plugin, and shows what was counted in a form that can be compared.
 *
 *     paths_try run FOLDER [KEY=VALUE…] -- PROGRAM [ARGUMENT…]     a session in FOLDER, which must be empty; exit status of the program
 *     paths_try edges FOLDER        function, number of the edge, blocks, count: by paths, or by the plain counters of EDGES=1
 *     paths_try paths FOLDER        function, kind, blocks, count; frames that never ended have the kind `stop`
 *     paths_try lost FOLDER         events that were lost
 *
 * Lines are sorted by function, and functions of one name by their order in the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "analyse/paths/gather.h"
#include "analyse/paths/paths.h"
#include "build/plan.h"
#include "relink/relink.h"
#include "relink/subject.h"
#include "run/launch.h"

#define EDGES "edges" /* the mode of a session with plain counters */

static int fail(const struct fail *why)
{
	fprintf(stderr, "paths_try: %s\n", why->text);
	return 125;
}

static int run(int argc, char **argv)
{
	const char *plan[16] = {0};
	int n = 0, i = 1;
	struct session_plan session = {.lens = "paths", .mode = "", .command = "-"};
	struct fail why = {0};
	struct relink_result linked;
	struct launch_end end;
	for (; i < argc && n < 15 && strcmp(argv[i], "--") != 0; i++)
		plan[n++] = argv[i];
	if (i + 1 >= argc)
		return 2;
	struct subject subject;
	if (subject_open(&subject, argv[i + 1], &why) < 0 ||
	    relink_program(&(struct relink_request){.subject = &subject, .lens = "paths", .plan = plan}, &linked, &why) < 0)
		return fail(&why);
	session.native = linked.objects[0].native;
	for (size_t k = 0; k < linked.count; k++) {
		MEMORY_GROW(session.objects, session.object_count, session.object_room);
		session.objects[session.object_count++] = (struct session_object){linked.objects[k].native, linked.objects[k].relinked,
		                                                                  linked.objects[k].table, linked.objects[k].build_id};
	}
	if (plan_has(plan, PLAN_EDGES, "1"))
		session.mode = EDGES;
	session_plan_read_clocks(&session);
	struct launch launch = {.path = linked.objects[0].relinked, .argv = argv + i + 1, .session_folder = argv[0]};
	if (session_plan_write(&session, argv[0], &why) < 0 || launch_run(&launch, &end, &why) < 0)
		return fail(&why);
	relink_result_free(&linked);
	subject_close(&subject);
	session_plan_free(&session);
	return launch_pass_on(&end);
}

static int by_counters(struct session *session, struct fail *why)
{
	for (size_t t = 0; t < session->table_count; t++) {
		struct gather g;
		if (gather_object(&g, session, t, why) < 0)
			return fail(why);
		for (size_t i = 0; i < g.shape.function_count; i++) {
			const struct shape_function *f = &g.shape.functions[i];
			for (uint32_t e = 0; e <= f->edges; e++)
				printf("%s\t%u\t%d\t%d\t%llu\n", session->tables[t].table.routines[f->routine].linkage, e,
				       e < f->edges ? (int)g.shape.edges[f->first_edge + e].from : -1,
				       e < f->edges ? (int)g.shape.edges[f->first_edge + e].to : 0,
				       (unsigned long long)gather_count(&g, f->first + e));
		}
		gather_free(&g);
	}
	return 0;
}

static void by_paths(const struct paths *p)
{
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		for (uint32_t e = 0; e <= f->edges; e++)
			printf("%s\t%u\t%d\t%d\t%llu\n", p->run->routines[f->routine].linkage, e,
			       e < f->edges ? (int)p->edges[f->first_edge + e].from : -1,
			       e < f->edges ? (int)p->edges[f->first_edge + e].to : 0, (unsigned long long)p->passed[f->first_edge + e]);
	}
}

static void print_walk(struct paths_walk walk)
{
	for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE;)
		printf("%u,", b);
}

static void all_paths(const struct paths *p)
{
	static const char *const kinds[] = {"entry-exit", "entry-back", "back-back", "back-exit"};
	for (size_t i = 0; i < p->path_count; i++) {
		const struct paths_path *path = &p->list[i];
		printf("%s\t%s\t", p->run->routines[p->profiles[path->profile].routine].linkage, kinds[path->kind]);
		print_walk(paths_walk(p, path));
		printf("\t%llu\n", (unsigned long long)path->count);
	}
	for (size_t i = 0; i < p->stop_count; i++) {
		const struct paths_stop *stop = &p->stops[i];
		printf("%s\tstop\t", p->run->routines[p->profiles[stop->profile].routine].linkage);
		if (stop->is_known)
			print_walk(paths_walk_stop(p, stop));
		else
			printf("?%u", stop->block);
		printf("\t%llu\n", (unsigned long long)stop->count);
	}
}

static uint64_t lost_in(const struct session *session)
{
	uint64_t lost = 0;
	for (size_t i = 0; i < session->process_count; i++)
		for (int k = 0; k < RAW_LOST_KINDS; k++)
			lost += session->processes[i].raw.file.lost[k];
	return lost;
}

static int show(struct session *session, const char *what)
{
	struct paths paths;
	struct fail why = {0};
	if (strcmp(what, "lost") == 0)
		return printf("%llu\n", (unsigned long long)lost_in(session)) < 0;
	if (strcmp(session->plan.mode, EDGES) == 0)
		return by_counters(session, &why);
	if (paths_build(session, &paths, &why) < 0)
		return fail(&why);
	if (paths.undecoded)
		fprintf(stderr, "paths_try: %llu counts mean no path\n", (unsigned long long)paths.undecoded);
	if (strcmp(what, "edges") == 0)
		by_paths(&paths);
	else
		all_paths(&paths);
	paths_free(&paths);
	return 0;
}

int main(int argc, char **argv)
{
	struct session session;
	struct fail why = {0};
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "run") == 0)
		return run(argc - 2, argv + 2);
	if (session_read(&session, argv[2], &why) < 0)
		return fail(&why);
	int status = show(&session, argv[1]);
	run_free(&session.run);
	session_free(&session);
	return status;
}
