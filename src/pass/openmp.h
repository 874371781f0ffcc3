/* SPDX-License-Identifier: MIT */
/* openmp.h: what a call of the OpenMP runtime means; openmp.def is the list.
 *
 *     const struct openmp_entry *e = openmp_entry(callee);     NULL: the function is not the OpenMP runtime's
 *     if (e && e->means == OPENMP_TASK) …
 *     openmp_means(call) == OPENMP_LOOP                        the same of a call instruction
 */
#ifndef SKEIN_PASS_OPENMP_H
#define SKEIN_PASS_OPENMP_H

#include "pass/pass.h"

enum openmp_means {
	OPENMP_NONE,           /* the function is not the OpenMP runtime's */
	OPENMP_OTHER,          /* a construct's, without an event of its own */
	OPENMP_BY_NAME,        /* not a construct's: the program calls it by its name */
	OPENMP_LOOP,           /* hands out iterations of a loop */
	OPENMP_ORDERED,        /* iterations wait for earlier ones */
	OPENMP_TEAM,           /* runs its third argument in a team, and waits for its tasks */
	OPENMP_TEAM_OF_ONE,    /* the caller goes on as a team */
	OPENMP_TASK_ALLOC,     /* makes room for a task; its sixth argument is the task's function */
	OPENMP_TASK,           /* a task, its third argument: may run now or later */
	OPENMP_TASK_DEPENDS,   /* a task that waits for the tasks that it depends on */
	OPENMP_TASKLOOP,       /* a loop as tasks */
	OPENMP_UNDEFERRED,     /* an undeferred task, which runs at once, begins */
	OPENMP_UNDEFERRED_END, /* an undeferred task ends */
	OPENMP_GROUP,          /* a task group begins */
	OPENMP_GROUP_END,      /* a task group ends: all its tasks are over */
	OPENMP_TASKWAIT,       /* waits for the task's own tasks */
	OPENMP_WAIT_FOR,       /* a wait for some tasks */
	OPENMP_BARRIER
};

enum { OPENMP_NO_BOUND = -1 };

struct openmp_entry {
	const char *name;
	bool starts; /* all functions whose names begin so */
	enum openmp_means means;
	bool query; /* returns at once, and calls nothing of the program */
	int bound;  /* the argument that points to the upper bound of a loop, or OPENMP_NO_BOUND */
};

const struct openmp_entry *openmp_entry(const char *function);
const struct openmp_entry *openmp_called(LLVMValueRef instruction); /* NULL also for what is not a call of a named function */
enum openmp_means openmp_means(LLVMValueRef instruction);
bool openmp_has(LLVMModuleRef module, enum openmp_means means); /* the module declares a function with this meaning */

#endif
