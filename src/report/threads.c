/* SPDX-License-Identifier: MIT */
#include "report/threads.h"

struct thread_row {
	const struct run *run;
	const struct run_thread *thread;
	size_t number;
	int64_t creator;
};

int64_t threads_creator(const struct run *run, const struct run_thread *thread)
{
	uint32_t found = run_find_thread(run, run->thread_count, thread->process, thread->creator);
	return found == RUN_NOWHERE || thread->creator == thread->number ? RUN_UNKNOWN : (int64_t)found;
}

static void put_thread(struct sheet *s, const struct thread_row *r)
{
	COLUMN(s, ID, "thread", "thread", r->number);
	COLUMN(s, ID, "process", NULL, r->run->processes[r->thread->process].pid);
	COLUMN(s, ID, "tid", "tid", r->thread->tid, .drop = 3);
	COLUMN(s, ID, "worker", "worker", r->thread->worker);
	COLUMN(s, ID, "creator", "creator", r->creator, .meaning = "number of the thread that created it");
	COLUMN(s, NS, "start_ns", "start", r->thread->start_ns, .meaning = "since the start of the run");
	COLUMN(s, NS, "end_ns", "end", r->thread->end_ns);
	COLUMN(s, NS, "alive_ns", "alive", r->thread->end_ns - r->thread->start_ns, .drop = 2);
	COLUMN(s, NS, "cpu_ns", "CPU", r->thread->cpu_ns);
	COLUMN(s, NS, "wait_ns", "waiting", r->thread->wait_ns, .drop = 1);
	COLUMN(s, NAME, "name", "name", r->thread->name);
}

void threads_fill(const struct run *run, long worker, struct sheet *s)
{
	bool merged = false;
	put_thread(s, &(struct thread_row){0});
	for (size_t i = 0; i < run->thread_count; i++) {
		const struct run_thread *thread = &run->threads[i];
		if (worker >= 0 && thread->worker != (uint32_t)worker)
			continue;
		merged |= thread->tid == 0;
		sheet_row(s, 0);
		put_thread(s, &(struct thread_row){run, thread, i, threads_creator(run, thread)});
	}
	s->legend = merged
		? "A row with tid 0 stands for several threads of one worker: start of the first, end of the last, sums of times."
		: NULL;
}
