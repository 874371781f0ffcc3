/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the input lens, and where its sizes are not those of the paper's definitions. */
#include "analyse/caveats.h"
#include "analyse/input/verdict.h"

static void doubt_definitions(const struct raw_input_how *how, struct findings *caveats)
{
	const char *fresh = how->options & RAW_INPUT_KEEPS_FREED ? "" : "memory that was freed starts afresh";
	const char *returns = how->options & RAW_INPUT_COUNTS_RETURNS ? "" : "return addresses and the C library's own words are no input";
	const char *locks = how->options & RAW_INPUT_COUNTS_LOCKS ? "" : "synchronisation objects are no input";
	const char *first = *fresh && (*returns || *locks) ? ", " : "", *second = *returns && *locks ? ", " : "";
	if (*fresh || *returns || *locks)
		findings_add(
			caveats,
			"Sizes deviate from the paper's definitions on purpose: %s%s%s%s%s (options of `skein record input` count them).",
			fresh, first, returns, second, locks);
}

static void doubt_sizes(const struct inputs *inputs, struct findings *caveats)
{
	uint64_t binned = 0, cut = 0, unseen = 0;
	uint32_t sizes_max = 0;
	unsigned bits = 0;
	for (size_t i = 0; i < inputs->run->process_count; i++) {
		binned += inputs->hows[i].binned;
		cut += inputs->hows[i].cut;
		unseen += inputs->hows[i].unseen;
		sizes_max = inputs->hows[i].binned && inputs->hows[i].sizes_max > sizes_max ? inputs->hows[i].sizes_max : sizes_max;
	}
	for (size_t i = 0; i < inputs->point_count; i++)
		bits = inputs->points[i].bits && (!bits || inputs->points[i].bits < bits) ? inputs->points[i].bits : bits;
	if (bits > 1)
		findings_add(
			caveats,
			"Routines with more than %u different sizes have them in bins (%llu, by metric and thread): sizes in the widest differ by up to %.2g %%; means, sums and calls are exact.",
			sizes_max, (unsigned long long)binned, 100 / (double)(UINT64_C(1) << (bits - 1)));
	else if (bits)
		findings_add(
			caveats,
			"Routines with more than %u different sizes have them in bins, the widest by powers of two; means, sums and calls are exact.",
			sizes_max);
	if (cut)
		findings_add(caveats,
		             "%llu activations were ended because control left their stack (longjmp, exceptions, exit), not by a return.",
		             (unsigned long long)cut);
	if (unseen)
		findings_add(
			caveats,
			"%llu requests went to the kernel through io_uring%s, whose reads and writes cannot be seen: external input is too low.",
			(unsigned long long)unseen,
			inputs_how(inputs)->producer == RAW_INPUT_COMPILED ? ", or by a number that no model knows" : "");
}

static bool has_threads(const struct run *run)
{
	for (size_t i = 1; i < run->thread_count; i++)
		if (run->threads[i].process == run->threads[i - 1].process)
			return true;
	return false;
}

static void doubt_producer(const struct inputs *inputs, const struct raw_input_how *how, struct findings *caveats)
{
	const char *unit = how->cost == RAW_INPUT_INSTRUCTIONS ? "instructions" : "basic blocks";
	findings_add(caveats, "Costs are %s, not time; sizes are cells of %u bytes.", unit, how->cell_bytes);
	if (!has_threads(inputs->run))
		return;
	if (how->producer == RAW_INPUT_VALGRIND)
		findings_add(
			caveats,
			"Recorded under Valgrind, which runs one thread at a time: what threads read from each other depends on how they took turns.");
	else
		findings_add(caveats,
		             "Where two threads write to one cell without synchronisation, the input of whoever reads it is uncertain.");
}

static void doubt_runs(const struct inputs *inputs, struct findings *caveats)
{
	if (inputs->run_count > 1)
		findings_add(caveats, "%zu runs are put together (--view runs lists them, --run N shows one).", inputs->run_count);
	if (inputs->runs_left_out)
		findings_add(caveats,
		             "%zu run%s left out: recorded with another cell size, unit of cost or set of options than the newest one.",
		             inputs->runs_left_out, inputs->runs_left_out == 1 ? " is" : "s are");
}

void inputs_doubt(const struct inputs *inputs, struct findings *caveats)
{
	const struct raw_input_how *how = inputs_how(inputs);
	caveats_lost(inputs->run, caveats);
	caveats_notes(inputs->run, caveats);
	for (size_t i = 0; i < inputs->run->process_count; i++)
		if (!(inputs->run->processes[i].flags & (RAW_FINISHED | RAW_EXECED)))
			findings_add(caveats, "Process %u was killed, or still ran: activations that had not ended are missing.",
			             inputs->run->processes[i].pid);
	doubt_runs(inputs, caveats);
	doubt_producer(inputs, how, caveats);
	doubt_definitions(how, caveats);
	doubt_sizes(inputs, caveats);
}
