/* SPDX-License-Identifier: MIT */
/* ompt.c: learns from an OpenMP runtime about its threads (OMPT, OpenMP 5.1 chapter 4.5, as LLVM's libomp speaks
 * it).
 *
 * Problem: an OpenMP thread that spins in a barrier burns CPU and does nothing; one that picks up a task inside a
 * taskwait works though it "waits"; and what a task or a team member does belongs to the code that created it.
 * Idea: the wait belongs to the *task*, not to the thread. Tasks of a thread nest like calls, since libomp starts each
 * on top of the stack of the one that it interrupts: a switch to the task below is a return, any other one is a call.
 * So each thread has a stack of `struct running`, one per task, which tells whether the task waits and what it has
 * adopted; on a switch the thread's wait follows the task. An untied task may return and be called again elsewhere,
 * even before the first thread has heard of its return: it has a struct running of its own for each call. A worker
 * is idle from its creation to its first region, and between regions.
 *
 * libomp ends a worker's last barrier only when the next region wakes it. The wait is a barrier's until the region
 * ended in the thread that opened it (team->end), and from there on one for work.
 *
 * libomp's own pthread waits would count twice: while this is active, interposers ignore callers inside libomp. */
#include <dlfcn.h>
#include <omp-tools.h>
#include <stddef.h>
#include "arch/arch.h"
#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/client.h"
#include "threads/real.h"

/* What follows what, for a client that notes it: members of a team enter the region behind its opening (FLOW_OPEN, FLOW_ENTER), and meet at
 * its barriers; tasks begin behind their creation, and who waits for tasks goes on behind their ends (FLOW_OFFER, FLOW_FOLLOW). What a task
 * depends on is a lock that it has while it runs: alone if it changes the variable, shared if it only reads it. Tasks are
 * taken to stay on the threads on which they ran. */

/* Numbers of offers that belong to a task or a group of tasks: which, and one of a few things. */
enum offer { OFFER_CREATED, OFFER_CHILDREN, OFFER_GROUP, OFFERS };

struct group {
	uint64_t number;
	struct group *outer;
};

/* A parallel region. Used by the thread that opened it and by each other member until it ends its implicit task. */
struct team {
	atomic_uint users;
	_Atomic uint64_t end; /* tick, 0 while it is open */
	void *inherited;
	const void *name; /* by which events of the region are noted */
	const void *code;
};

/* One call of a task by a thread; only that thread uses it. */
struct running {
	struct task *task;     /* may be gone when the call returns: an address to compare, unless it is a tied one */
	struct running *below; /* what the thread runs again afterwards */
	void *adopted;         /* NULL: nothing */
	uintptr_t exit_frame;  /* of the task that adopted it; 0: not known yet */
	uint32_t waits;        /* kind of its wait + 1, or 0 */
};

/* What a task depends on. */
struct dependence {
	const void *name;
	bool reads; /* the task does not change the variable */
};

struct task {
	struct running own;       /* first: the call of a tied task, which is called once */
	void *inherited;          /* NULL: the task runs in its creator's place, or nothing was captured */
	struct team *team;        /* an implicit task: the team that another thread opened */
	const struct team *meets; /* an implicit task: its team, also if another thread opened it */
	bool untied, began;
	uint64_t number, parent; /* of the task, and of the task that created it; 0: no lens asks */
	uint64_t in_group;       /* number of the group that it belongs to; 0: none */
	struct group *group;     /* the innermost one that it has begun */
	const void *code;        /* where it was created */
	struct dependence *dependences;
	uint32_t dependence_count, dependence_room;
};

static struct {
	atomic_bool active;
	uintptr_t start, end; /* of libomp in memory */
	ompt_get_task_info_t task_info;
} ompt;

bool threads_ompt_owns(const void *caller)
{
	return (uintptr_t)caller - ompt.start < ompt.end - ompt.start && atomic_load_explicit(&ompt.active, memory_order_relaxed);
}

void threads_ompt_restart(void)
{
	if (atomic_load(&ompt.active))
		__atomic_fetch_or(&raw_header()->flags, RAW_OMPT, __ATOMIC_RELAXED);
}

/* ---- what follows what ---- */

static _Atomic uint64_t last_number;

static uint64_t new_number(void)
{
	return threads_client.note ? atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1 : 0;
}

static void tell(struct skein_self *self, enum flow_kind what, const void *object, const void *code)
{
	if (threads_client.note && self->lane && !self->inside)
		threads_client.note(self, what, object, code);
}

static void tell_offer(struct skein_self *self, enum flow_kind what, uint64_t number, enum offer which, const void *code)
{
	if (number)
		tell(self, what, (const void *)(uintptr_t)(number * OFFERS + which), code);
}

/* Teams use the memory of earlier ones: what tells regions apart is their code, too. No object of the program has such an
 * address, and no pipe such a name (trace/pipes.c). */
static const void *name_team(const struct team *team, const void *code)
{
	uint64_t mixed = (uint64_t)(uintptr_t)code * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(uintptr_t)team;
	return (const void *)(uintptr_t)((mixed & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 63);
}

/* The region whose barriers the thread's task meets. */
static const struct team *team_here(const struct skein_self *self)
{
	const struct running *running = self->running;
	while (running && !(running->task && running->task->meets))
		running = running->below;
	return running ? running->task->meets : NULL;
}

/* The wait that begins next is for others of the team. */
static void wait_at_barrier(struct skein_self *self, const void *code)
{
	const struct team *team = threads_client.note ? team_here(self) : NULL;
	if (!team)
		return;
	code = code ? code : team->code;
	tell(self, FLOW_ARRIVE, team->name, code);
	self->wait_object = team->name;
	self->wait_place = code;
}

static struct task *task_of(const ompt_data_t *data)
{
	return data ? data->ptr : NULL;
}

/* libomp knows its tasks from the innermost outwards, by creation; what the thread runs is among the first. Its frame is 0 before
 * libomp has called the task's code and after that has returned. False: libomp does not find the task now. */
static bool find_exit_frame(const struct task *task, uintptr_t *exit_frame)
{
	enum { LEVELS = 16 };
	ompt_data_t *data;
	ompt_frame_t *frame;

	for (int level = 0; level < LEVELS && ompt.task_info(level, NULL, &data, &frame, NULL, NULL) == 2; level++)
		if (data && data->ptr == task) {
			*exit_frame = (uintptr_t)frame->exit_frame.ptr;
			return true;
		}
	return false;
}

bool threads_current_task(const struct skein_self *self, struct threads_task *task)
{
	struct running *running = self->running;
	bool found = true;

	while (running && !running->adopted)
		running = running->below;
	if (!running)
		return false;
	if (!running->exit_frame)
		found = find_exit_frame(running->task, &running->exit_frame);
	*task = (struct threads_task){running->adopted, running->exit_frame};
	return found;
}

/* The last moment at which libomp surely finds the task: from here on it may run others on top of it, that have other ancestors. */
static void note_exit_frame(struct running *running)
{
	if (running && running->adopted && !running->exit_frame && threads_client.capture)
		find_exit_frame(running->task, &running->exit_frame);
}

/* The call of an untied task may be heard of after the task is gone; any other lives on its task's reference. */
static bool outlives(const struct running *running)
{
	return (const void *)running != (const void *)running->task;
}

static void adopt(struct skein_self *self, void *inherited)
{
	if (!inherited || !self->lane)
		return;
	if (outlives(self->running))
		client_retain(inherited);
	self->running->adopted = inherited;
	if (threads_client.adopt)
		threads_client.adopt(self, inherited);
}

static void disown(struct skein_self *self)
{
	void *inherited = self->running->adopted;

	if (!inherited)
		return;
	self->running->adopted = NULL;
	if (threads_client.disown && self->lane)
		threads_client.disown(self, inherited);
	if (outlives(self->running))
		client_release(inherited);
}

static void call(struct skein_self *self, struct task *task)
{
	struct running *running = task->untied ? arena_take(sizeof *running) : &task->own;

	if (!running)
		running = &task->own;
	*running = (struct running){.task = task, .below = self->running};
	self->running = running;
	adopt(self, task->inherited);
}

static void come_back(struct skein_self *self)
{
	struct running *running = self->running;

	disown(self);
	self->running = running->below;
	if (outlives(running))
		arena_give(running, sizeof *running);
}

/* libomp does not announce every return of an untied task: what lies above the task that goes on has come back. */
static void unwind_to(struct skein_self *self, const struct task *task)
{
	struct running *running = self->running;

	while (running && running->task != task)
		running = running->below;
	while (running && self->running != running)
		come_back(self);
}

static void team_release(struct team *team)
{
	if (!team || atomic_fetch_sub(&team->users, 1) > 1)
		return;
	client_release(team->inherited);
	arena_give(team, sizeof *team);
}

static void task_free(struct task *task)
{
	arena_give(task->dependences, task->dependence_room * sizeof *task->dependences);
	client_release(task->inherited);
	team_release(task->team);
	arena_give(task, sizeof *task);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	(void)data;
	if (type == ompt_thread_worker)
		threads_wait_begin(RAW_WAIT_TASK, NULL);
}

/* What a creator inherits, from its own frame on: libomp's frames in between need not be walked over. */
static void *capture(struct skein_self *self, const ompt_frame_t *frame, const void *code)
{
	if (threads_client.note)
		return threads_client.lend && self->lane ? threads_client.lend(self) : NULL; /* offers tell what follows what */
	const uintptr_t *entered = frame ? frame->enter_frame.ptr : NULL;

	self->entered = entered && entered[1] == (uintptr_t)code ? (uintptr_t)entered : 0;
	void *inherited = client_capture(self);
	self->entered = 0;
	return inherited;
}

static void on_parallel_begin(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags,
                              const void *code)
{
	struct skein_self *self = threads_meet();
	struct team *team = arena_take(sizeof *team);

	(void)parent, (void)requested, (void)flags;
	if (threads_client.team_begin && self->lane)
		threads_client.team_begin(self);
	parallel->ptr = team;
	if (team) {
		atomic_init(&team->users, 1);
		team->inherited = capture(self, frame, code);
		team->name = name_team(team, code);
		team->code = code;
		tell(self, FLOW_OPEN, team->name, code);
	}
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *parent, int flags, const void *code)
{
	struct skein_self *self = threads_meet();
	struct team *team = parallel ? parallel->ptr : NULL;

	(void)parent, (void)flags, (void)code;
	if (threads_client.team_end && self->lane)
		threads_client.team_end(self);
	if (team) {
		atomic_store(&team->end, arch_tick());
		team_release(team);
		parallel->ptr = NULL;
	}
}

/* libomp numbers the members of a team from 0, the thread that opened it; the initial task has no team. */
static void implicit_begin(struct skein_self *self, struct team *team, ompt_data_t *data, unsigned index)
{
	struct task *task = arena_take(sizeof *task);

	if (index > 0 && team)
		tell(self, FLOW_ENTER, team->name, team->code);
	threads_wait_end();
	data->ptr = task;
	if (!task)
		return;
	task->meets = team;
	task->number = new_number();
	if (index > 0 && team) {
		atomic_fetch_add(&team->users, 1);
		task->team = team;
	}
	if (team && (index > 0 || threads_client.openers_adopt)) {
		task->inherited = team->inherited;
		client_retain(task->inherited);
	}
	call(self, task);
}

static void implicit_end(struct skein_self *self, ompt_data_t *data)
{
	struct task *task = task_of(data);

	if (!task)
		return;
	unwind_to(self, task);
	if (self->running == &task->own)
		come_back(self);
	if (task->team)
		threads_wait_begin(RAW_WAIT_TASK, NULL);
	task_free(task);
	data->ptr = NULL;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data, unsigned parallelism, unsigned index,
                             int flags)
{
	struct skein_self *self = threads_meet();

	(void)parallelism, (void)flags;
	if (endpoint == ompt_scope_begin)
		implicit_begin(self, parallel ? parallel->ptr : NULL, data, index);
	else
		implicit_end(self, data);
}

static enum raw_wait kind_of(ompt_sync_region_t kind)
{
	return kind == ompt_sync_region_taskwait || kind == ompt_sync_region_taskgroup ? RAW_WAIT_TASK : RAW_WAIT_BARRIER;
}

static void begin_wait(struct skein_self *self, enum raw_wait kind, const void *code)
{
	if (kind == RAW_WAIT_BARRIER)
		wait_at_barrier(self, code);
	else
		self->wait_place = threads_client.note ? code : NULL;
}

/* The end of a barrier follows from the end of the wait. */
static void tell_end(struct skein_self *self, ompt_sync_region_t kind, const void *code)
{
	struct task *task = self->running ? self->running->task : NULL;
	if (!task)
		return;
	if (kind == ompt_sync_region_taskwait)
		tell_offer(self, FLOW_FOLLOW, task->number, OFFER_CHILDREN, code);
	else if (kind == ompt_sync_region_taskgroup && task->group)
		tell_offer(self, FLOW_FOLLOW, task->group->number, OFFER_GROUP, code);
}

/* A group begins before its wait does. */
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data,
                           const void *code)
{
	struct skein_self *self = threads_meet();
	struct task *task = self->running ? self->running->task : NULL;
	struct group *group = task ? task->group : NULL;

	(void)parallel, (void)data, (void)code;
	if (kind != ompt_sync_region_taskgroup || !task)
		return;
	if (endpoint == ompt_scope_begin) {
		group = arena_take(sizeof *group);
		if (group)
			*group = (struct group){.number = new_number(), .outer = task->group};
		task->group = group ? group : task->group;
	} else if (group) {
		task->group = group->outer;
		arena_give(group, sizeof *group);
	}
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *data,
                                const void *code)
{
	struct skein_self *self = threads_meet();
	struct team *left = NULL; /* the team whose region ends here for a worker */

	(void)parallel;
	unwind_to(self, task_of(data));
	struct running *running = self->running;
	if (kind == ompt_sync_region_barrier_implicit_parallel && running && task_of(data) == running->task && data)
		left = running->task->team;
	if (running)
		running->waits = endpoint == ompt_scope_begin ? kind_of(kind) + 1u : 0;
	if (endpoint == ompt_scope_begin)
		note_exit_frame(running);
	if (endpoint == ompt_scope_begin && left)
		disown(self);
	if (endpoint == ompt_scope_begin)
		begin_wait(self, kind_of(kind), code);
	else
		tell_end(self, kind, code);
	if (endpoint == ompt_scope_begin)
		threads_wait_begin(kind_of(kind), NULL);
	else if (left)
		threads_wait_turn(atomic_load(&left->end), RAW_WAIT_TASK);
	else
		threads_wait_end();
}

static void note_created(struct skein_self *self, struct task *task, const struct task *parent, const void *code)
{
	task->number = new_number();
	task->parent = parent ? parent->number : 0;
	task->in_group = !parent ? 0 : parent->group ? parent->group->number : parent->in_group;
	task->code = code;
	tell_offer(self, FLOW_OFFER, task->number, OFFER_CREATED, code);
}

/* libomp lets the task begin when it may, so nothing waits here. */
static void take_dependences(struct skein_self *self, const struct task *task)
{
	for (uint32_t i = 0; i < task->dependence_count; i++)
		tell(self, task->dependences[i].reads ? FLOW_SHARE : FLOW_ACQUIRE, task->dependences[i].name, task->code);
}

static void give_dependences(struct skein_self *self, const struct task *task)
{
	for (uint32_t i = task->dependence_count; i--;)
		tell(self, task->dependences[i].reads ? FLOW_UNSHARE : FLOW_RELEASE, task->dependences[i].name, task->code);
}

/* A thread in a barrier has arrived there again when it has run a task. */
static void note_done(struct skein_self *self, const struct task *task)
{
	const struct team *team = threads_client.note ? team_here(self) : NULL;
	if (!task->number || task->meets)
		return;
	give_dependences(self, task);
	tell_offer(self, FLOW_OFFER, task->parent, OFFER_CHILDREN, NULL);
	tell_offer(self, FLOW_OFFER, task->in_group, OFFER_GROUP, NULL);
	if (team && self->running->waits == RAW_WAIT_BARRIER + 1u)
		tell(self, FLOW_ARRIVE, team->name, team->code);
}

/* A wait is left for a task that was not announced: it has not come to its end. */
static void tell_going_on(struct skein_self *self)
{
	const struct team *team = self->running && self->running->waits ? team_here(self) : NULL;
	if (team)
		tell(self, FLOW_ENTER, team->name, team->code);
}

/* Behind the creation of the task. */
static void on_dependences(ompt_data_t *data, const ompt_dependence_t *dependences, int count)
{
	struct task *task = task_of(data);
	if (!task || !task->number || task->dependences || count <= 0)
		return;
	task->dependences = arena_take((size_t)count * sizeof *task->dependences);
	if (!task->dependences)
		return;
	task->dependence_room = (uint32_t)count;
	for (int i = 0; i < count; i++) {
		ompt_dependence_type_t type = dependences[i].dependence_type;
		if (type == ompt_dependence_type_source || type == ompt_dependence_type_sink)
			continue; /* of the iterations of a loop: the value is no address */
		task->dependences[task->dependence_count++] = (struct dependence){
			.name = (const void *)((uintptr_t)dependences[i].variable.ptr | THREADS_DEPENDENCE),
			.reads = type == ompt_dependence_type_in || type == ompt_dependence_type_inoutset,
		};
	}
}

/* A task that is not deferred runs in its creator's place, on top of its creator's own activations. */
static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *data, int flags, int has_dependences,
                           const void *code)
{
	struct task *task = arena_take(sizeof *task);

	(void)has_dependences;
	data->ptr = task;
	if (task && (flags & ompt_task_explicit) && !((unsigned)flags & (ompt_task_undeferred | ompt_task_merged)))
		task->inherited = capture(threads_meet(), frame, code);
	if (!task)
		return;
	task->untied = (flags & ompt_task_untied) != 0;
	if (flags & ompt_task_explicit)
		note_created(threads_meet(), task, task_of(parent), code);
}

/* libomp also runs tasks that it did not announce (next is NULL), on top of those that it did. */
static void switch_to(struct skein_self *self, struct task *next)
{
	struct running *running = self->running;

	if (running && running->below && running->below->task == next)
		come_back(self);
	else if (next && (!running || running->task != next))
		call(self, next);
}

/* The initial task, and those of a region's members, have no number that anybody asks for. */
static void tell_run(struct skein_self *self, bool begins, bool ended)
{
	const struct task *task = self->running ? self->running->task : NULL;
	bool is_explicit = task && !task->meets && task->code;
	if (threads_client.runs && self->lane && !self->inside)
		threads_client.runs(self, is_explicit ? task->number : 0, is_explicit ? task->code : NULL,
		                    (begins && is_explicit ? FLOW_RUN_BEGINS : 0u) | (ended ? FLOW_RUN_ENDED : 0u));
}

static void on_task_schedule(ompt_data_t *prior_data, ompt_task_status_t status, ompt_data_t *next_data)
{
	struct skein_self *self = threads_meet();
	struct task *prior = task_of(prior_data), *next = task_of(next_data);
	bool over = status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_late_fulfill ||
		status == ompt_taskwait_complete;

	if (next_data) {
		unwind_to(self, prior);
		bool begins = next && !next->began;
		if (begins) {
			tell_offer(self, FLOW_FOLLOW, next->number, OFFER_CREATED, NULL);
			take_dependences(self, next);
			next->began = true;
		}
		if (!next)
			tell_going_on(self);
		if (self->running && self->running->waits)
			threads_wait_end();
		switch_to(self, next);
		if (over && prior)
			note_done(self, prior);
		if (next)
			tell_run(self, begins, over && prior);
		if (next && self->running->waits) {
			begin_wait(self, (enum raw_wait)(self->running->waits - 1), NULL);
			threads_wait_begin((enum raw_wait)(self->running->waits - 1), NULL);
		}
	}
	if (over && prior) {
		task_free(prior);
		prior_data->ptr = NULL;
	}
}

/* A test that fails is followed by nothing, so no wait may begin with it. */
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t id, const void *code)
{
	(void)hint, (void)implementation;
	if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock)
		return;
	skein_self.wait_object = (const void *)(uintptr_t)id;
	skein_self.wait_place = code;
	threads_wait_begin(RAW_WAIT_LOCK, NULL);
}

static void mutex_wait_end(void)
{
	if (skein_self.waiting && skein_self.wait_kind == RAW_WAIT_LOCK)
		threads_wait_end();
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	(void)kind;
	tell(threads_meet(), FLOW_ACQUIRE, (const void *)(uintptr_t)id, code);
	mutex_wait_end();
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	(void)kind;
	tell(threads_meet(), FLOW_RELEASE, (const void *)(uintptr_t)id, code);
}

/* Taken once more by its owner. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code)
{
	(void)id, (void)code;
	if (endpoint == ompt_scope_begin)
		mutex_wait_end();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	ompt.task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	struct dl_find_object runtime;

	(void)device, (void)data;
	if (!set || !ompt.task_info)
		return 0;
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait);
	set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
	set(ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired);
	set(ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock);
	if (threads_client.note) {
		set(ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released);
		set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
		set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
	}
	if (_dl_find_object((void *)lookup, &runtime) == 0) {
		ompt.start = (uintptr_t)runtime.dlfo_map_start;
		ompt.end = (uintptr_t)runtime.dlfo_map_end;
	}
	atomic_store(&ompt.active, true);
	threads_ompt_restart();
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	atomic_store(&ompt.active, false);
}

/* libomp looks up this function by name when it starts; NULL: no tool. */
EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name)
{
	static ompt_start_tool_result_t tool = {.initialize = initialize, .finalize = finalize};

	(void)version, (void)name;
	return threads_started() && !threads_client.no_openmp ? &tool : NULL;
}
