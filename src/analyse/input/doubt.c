/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the input lens, and where its sizes differ from the paper's
 * definitions. */
#include "analyse/caveats.h"
#include "analyse/input/verdict.h"
#include "base/text.h"

static void doubt_definitions(const struct raw_input_how *how, struct findings *caveats)
{
	const char *fresh = how->options & RAW_INPUT_KEEPS_FREED ? "" : "freed memory counts as new when it is allocated again";
	const char *returns = how->options & RAW_INPUT_COUNTS_RETURNS ? "" : "return addresses and the C library's own data are not input";
	const char *locks = how->options & RAW_INPUT_COUNTS_LOCKS ? "" : "synchronisation objects are not input";
	const char *first = *fresh && (*returns || *locks) ? "; " : "", *second = *returns && *locks ? "; " : "";
	if (*fresh || *returns || *locks)
		findings_add(
			caveats,
			"Input sizes differ from the paper's definition on purpose: %s%s%s%s%s. Options of `skein record input` change that.",
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
			"Routines with more than %u different sizes have them in bins (%s bins, by metric and thread). Sizes in the widest bin "
			"differ by up to %.2g %%; means, sums and calls are exact.",
			sizes_max, text_count(&caveats->pool, (int64_t)binned), 100 / (double)(UINT64_C(1) << (bits - 1)));
	else if (bits)
		findings_add(
			caveats,
			"Routines with more than %u different sizes have them in bins; the widest bins are powers of two. Means, sums and "
			"calls are exact.",
			sizes_max);
	if (cut)
		findings_add(caveats, "%s activations did not return: control left their stack (longjmp, exceptions, exit).",
		             text_count(&caveats->pool, (int64_t)cut));
	if (unseen)
		findings_add(
			caveats,
			"%s requests went to the kernel through io_uring%s. Their reads and writes are not seen: external input is too low.",
			text_count(&caveats->pool, (int64_t)unseen),
			inputs_how(inputs)->producer == RAW_INPUT_COMPILED ? ", or by a system call number without a model" : "");
}

static bool has_threads(const struct run *run)
{
	for (size_t i = 1; i < run->thread_count; i++)
		if (run->threads[i].process == run->threads[i - 1].process)
			return true;
	return false;
}

/* Hooks cost nothing by definition: blocks and instructions are counted where they stand in the program. */
static void doubt_cost(const struct inputs *inputs, const struct raw_input_how *how, struct findings *caveats)
{
	const struct run *run = inputs->run;
	if (how->producer != RAW_INPUT_VALGRIND)
		caveats_hooks(run, "Costs do", caveats);
	else if (run->cpu_ns)
		findings_add(caveats, "The program ran in Valgrind: most of its %s of CPU time are Skein's. Costs do not contain them.",
		             text_ns(&caveats->pool, (double)run->cpu_ns));
}

static void doubt_producer(const struct inputs *inputs, const struct raw_input_how *how, struct findings *caveats)
{
	const char *unit = how->cost == RAW_INPUT_INSTRUCTIONS ? "instructions" : "basic blocks";
	findings_add(caveats, "Costs are counts of %s, not times; input sizes are in cells of %u bytes.", unit, how->cell_bytes);
	if (!has_threads(inputs->run))
		return;
	if (how->producer == RAW_INPUT_VALGRIND)
		findings_add(
			caveats,
			"Valgrind runs one thread at a time: what threads read from each other depends on the order in which it ran them.");
	else
		findings_add(caveats, "Where two threads write to a cell without synchronisation, the input of its readers is uncertain.");
}

static void doubt_runs(const struct inputs *inputs, struct findings *caveats)
{
	if (inputs->run_count > 1)
		findings_add(caveats, "%zu runs are combined (--view runs lists them, --run N shows one).", inputs->run_count);
	if (inputs->runs_left_out)
		findings_add(caveats,
		             "%zu run%s left out, recorded with another cell size, unit of cost or set of options than the newest run.",
		             inputs->runs_left_out, inputs->runs_left_out == 1 ? " is" : "s are");
}

void inputs_doubt(const struct inputs *inputs, struct findings *caveats)
{
	const struct raw_input_how *how = inputs_how(inputs);
	caveats_begin(inputs->run, "activations that had not returned are missing", caveats);
	doubt_runs(inputs, caveats);
	doubt_producer(inputs, how, caveats);
	doubt_cost(inputs, how, caveats);
	doubt_definitions(how, caveats);
	doubt_sizes(inputs, caveats);
}
