/* SPDX-License-Identifier: MIT */
/* otf2.c: `skein export otf2`: what each thread did over time, as an archive of the Open Trace Format 2, which Vampir, Scalasca and Trace
 * Compass read. libotf2 writes it, if skein was built with that.
 *
 * A process is a location group, a thread a location. A slice is an entry of its region and a leave: `work`, `no core`, and waits in the
 * routine that waited. Times are nanoseconds since the start of the run. Regions are the functions of slices.h, and their names strings:
 * function f has string STRINGS + 2 f for its name and STRINGS + 2 f + 1 for its file. */
#include "report/flow/view.h"

#ifndef SKEIN_OTF2

int view_flow_otf2(const void *data, const char *folder, struct fail *why)
{
	(void)data, (void)folder;
	return fail_set(why, FAIL_INTERNAL, "this skein was built without libotf2: install libotf2-trace-dev, then build skein again");
}

#else

#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "report/flow/slices.h"

enum { CHUNK_BYTES = 1 << 20 };
enum { STRING_EMPTY, STRING_NODE, STRING_MACHINE, STRINGS };

struct archive {
	const struct flow_data *data;
	struct slices slices;
	OTF2_Archive *to;
	OTF2_GlobalDefWriter *definitions;
	OTF2_ErrorCode error; /* the first one */
	uint32_t strings;
};

/* OTF2's functions say whether they could do their work. What comes after a failure is left out. */
#define TRY(archive, call)                            \
	do {                                          \
		if ((archive)->error == OTF2_SUCCESS) \
			(archive)->error = (call);    \
	} while (0)

/* Errors are told in one sentence, by skein. */
static OTF2_ErrorCode say_nothing(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                  const char *format, va_list values)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)values;
	return code;
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_last)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_last;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)type, (void)location;
	return ((const struct archive *)data)->slices.end_ns;
}

/* ---- events ---- */

static void put(struct archive *a, OTF2_EvtWriter *to, uint32_t function, uint64_t ns, bool enters)
{
	if (function == STACKS_NOWHERE)
		return;
	if (enters)
		TRY(a, OTF2_EvtWriter_Enter(to, NULL, ns, function));
	else
		TRY(a, OTF2_EvtWriter_Leave(to, NULL, ns, function));
}

static uint64_t put_slices(struct archive *a, uint32_t number)
{
	const struct strand *strand = &a->slices.strands[number];
	OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(a->to, number);
	uint64_t count = 0;
	if (!to) {
		a->error = OTF2_ERROR_MEM_FAULT;
		return 0;
	}
	for (size_t i = 0; i < strand->count; i++) {
		const struct slice *s = &strand->slices[i];
		uint64_t until = slices_until(&a->slices, strand, i);
		if (until <= s->from_ns)
			continue;
		put(a, to, s->routine, s->from_ns, true);
		put(a, to, s->frame, s->from_ns, true);
		put(a, to, s->frame, until, false);
		put(a, to, s->routine, until, false);
	}
	TRY(a, OTF2_EvtWriter_GetNumberOfEvents(to, &count));
	TRY(a, OTF2_Archive_CloseEvtWriter(a->to, to));
	return count;
}

/* Each location has a file of definitions of its own, which are none. */
static void put_local(struct archive *a)
{
	TRY(a, OTF2_Archive_OpenDefFiles(a->to));
	for (uint32_t i = 0; i < a->slices.count && a->error == OTF2_SUCCESS; i++) {
		OTF2_DefWriter *local = slices_are_asked(&a->slices, a->data, i) ? OTF2_Archive_GetDefWriter(a->to, i) : NULL;
		if (local)
			TRY(a, OTF2_Archive_CloseDefWriter(a->to, local));
	}
	TRY(a, OTF2_Archive_CloseDefFiles(a->to));
}

/* ---- definitions ---- */

static uint32_t put_string(struct archive *a, const char *text)
{
	uint32_t number = a->strings++;
	TRY(a, OTF2_GlobalDefWriter_WriteString(a->definitions, number, text));
	return number;
}

static OTF2_Paradigm paradigm_of(const char *name)
{
	return strncmp(name, "wait: ", strlen("wait: ")) == 0 ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_USER;
}

static void put_regions(struct archive *a)
{
	const struct stacks *s = &a->slices.frames;
	for (uint32_t i = 0; i < s->function_count; i++) {
		const struct stacks_function *f = &s->functions[i];
		uint32_t name = put_string(a, f->name), file = put_string(a, f->file);
		TRY(a,
		    OTF2_GlobalDefWriter_WriteRegion(a->definitions, i, name, name, STRING_EMPTY, OTF2_REGION_ROLE_FUNCTION,
		                                     paradigm_of(f->name), OTF2_REGION_FLAG_NONE, file, f->line, 0));
	}
}

static void put_processes(struct archive *a)
{
	const struct run *run = &a->data->run;
	const char *slash = strrchr(run->program, '/');
	struct pool pool = {0};
	for (uint32_t i = 0; i < run->process_count; i++) {
		uint32_t name = put_string(a, pool_print(&pool, "%s %u", slash ? slash + 1 : run->program, run->processes[i].pid));
		TRY(a,
		    OTF2_GlobalDefWriter_WriteLocationGroup(a->definitions, i, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
		                                            OTF2_UNDEFINED_LOCATION_GROUP));
	}
	pool_free(&pool);
}

static void put_threads(struct archive *a, const uint64_t *events)
{
	const struct run *run = &a->data->run;
	for (uint32_t i = 0; i < a->slices.count; i++) {
		struct flows_runner runner = flows_replay_runner(&a->slices.replay, i);
		const char *name = stacks_thread(&a->slices.frames, runner.thread);
		if (!slices_are_asked(&a->slices, a->data, i))
			continue;
		uint32_t string = put_string(a, name ? name : "a thread");
		TRY(a,
		    OTF2_GlobalDefWriter_WriteLocation(a->definitions, i, string, OTF2_LOCATION_TYPE_CPU_THREAD, events[i],
		                                       runner.process < run->process_count ? runner.process : 0));
	}
}

static void put_definitions(struct archive *a, const uint64_t *events)
{
	a->definitions = OTF2_Archive_GetGlobalDefWriter(a->to);
	if (!a->definitions && a->error == OTF2_SUCCESS)
		a->error = OTF2_ERROR_MEM_FAULT;
	TRY(a,
	    OTF2_GlobalDefWriter_WriteClockProperties(a->definitions, 1000000000, 0, a->slices.end_ns + 1,
	                                              (uint64_t)a->data->run.started_real_ns));
	put_string(a, "");
	put_string(a, "node");
	put_string(a, "machine");
	TRY(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->definitions, 0, STRING_MACHINE, STRING_NODE, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	put_regions(a);
	put_processes(a);
	put_threads(a, events);
	TRY(a, OTF2_Archive_CloseGlobalDefWriter(a->to, a->definitions));
}

/* ---- the archive ---- */

static void put_all(struct archive *a)
{
	static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
	uint64_t *events = memory_zeroed(a->slices.count + 1, sizeof *events);
	TRY(a, OTF2_Archive_SetFlushCallbacks(a->to, &flush, a));
	TRY(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->to));
	TRY(a, OTF2_Archive_SetCreator(a->to, "skein " SKEIN_VERSION));
	TRY(a, OTF2_Archive_OpenEvtFiles(a->to));
	for (uint32_t i = 0; i < a->slices.count && a->error == OTF2_SUCCESS; i++)
		if (slices_are_asked(&a->slices, a->data, i))
			events[i] = put_slices(a, i);
	TRY(a, OTF2_Archive_CloseEvtFiles(a->to));
	put_local(a);
	if (a->error == OTF2_SUCCESS)
		put_definitions(a, events);
	free(events);
}

int view_flow_otf2(const void *data, const char *folder, struct fail *why)
{
	struct archive a = {.data = data, .error = OTF2_SUCCESS};
	if (slices_gather(&a.slices, data, why) < 0)
		return -1;
	OTF2_Error_RegisterCallback(say_nothing, NULL);
	a.to = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES, CHUNK_BYTES, OTF2_SUBSTRATE_POSIX,
	                         OTF2_COMPRESSION_NONE);
	if (a.to)
		put_all(&a);
	OTF2_ErrorCode closed = a.to ? OTF2_Archive_Close(a.to) : OTF2_ERROR_FILE_CAN_NOT_OPEN;
	a.error = a.error == OTF2_SUCCESS ? closed : a.error;
	slices_free(&a.slices);
	if (a.error == OTF2_SUCCESS)
		return 0;
	fail_set(why, FAIL_INTERNAL, "cannot write the archive %.300s: %s", folder, OTF2_Error_GetDescription(a.error));
	folder_remove(folder);
	return -1;
}

#endif
