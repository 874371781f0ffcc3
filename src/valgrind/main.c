/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c: the tool's interface to Valgrind: options, start and end. tool.h says what the tool is. */
#include "valgrind/tool.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "keys/environment.h"
#include "valgrind/instrument.h"
#include "valgrind/kernel.h"
#include "valgrind/record.h"
#include "valgrind/threads.h"

struct tool tool;
struct options options = {.cell_bytes = 4, .sizes_max = INPUT_SIZES_MAX, .count_max = INPUT_COUNT_MAX, .period_ms = 5000};

static Bool option(const HChar *text)
{
	const HChar *cost = NULL;
	if VG_BINT_CLO (text, "--skein-cell", options.cell_bytes, 1, 16) {
		if (options.cell_bytes & (options.cell_bytes - 1))
			VG_(fmsg_bad_option)(text, "a cell has 1, 2, 4, 8 or 16 bytes\n");
	} else if VG_STR_CLO (text, "--skein-cost", cost) {
		options.cost_in_instructions = VG_STREQ(cost, "instructions");
		if (!options.cost_in_instructions && !VG_STREQ(cost, "blocks"))
			VG_(fmsg_bad_option)(text, "cost is counted in blocks or instructions\n");
	} else if VG_BINT_CLO (text, "--skein-sizes", options.sizes_max, INPUT_SIZES_LEAST, 1 << 20) {
	} else if VG_BINT_CLO (text, "--skein-counter", options.count_max, 1000, INPUT_COUNT_MAX) {
	} else if VG_BOOL_CLO (text, "--skein-every", options.every) {
	} else if VG_BINT_CLO (text, "--skein-period", options.period_ms, 1, 1 << 30) {
	} else if VG_STR_CLO (text, "--skein-session", options.session) {
	} else if VG_BOOL_CLO (text, "--skein-count-returns", options.count_returns) {
	} else if VG_BOOL_CLO (text, "--skein-count-locks", options.count_locks) {
	} else if VG_BOOL_CLO (text, "--skein-keep-freed", options.keep_freed) {
	} else if VG_BOOL_CLO (text, "--skein-contexts", options.contexts) {
	} else {
		return False;
	}
	return True;
}

static void usage(void)
{
	VG_(printf)("    --skein-session=FOLDER            where the recording goes [$" ENVIRONMENT_SESSION "]\n"
	            "    --skein-cell=1|2|4|8|16           bytes of a memory cell [4]\n"
	            "    --skein-cost=blocks|instructions  what is counted as cost [blocks]\n"
	            "    --skein-contexts=no|yes           keep sizes per calling context, not per routine [no]\n"
	            "    --skein-sizes=N                   keep at most N different sizes per routine [1024]\n"
	            "    --skein-count-returns=no|yes      reads of return addresses and linkage tables are input [no]\n"
	            "    --skein-count-locks=no|yes        reads of synchronisation objects are input [no]\n"
	            "    --skein-keep-freed=no|yes         freed memory keeps its history [no]\n"
	            "    --skein-period=MS                 time between two recordings [5000]\n");
}

static void no_usage(void)
{
	VG_(printf)("    --skein-counter=N                 renumber when the counter reaches N\n"
	            "    --skein-every=no|yes              look at every access, also at redundant ones [no]\n");
}

static void ready(void)
{
	while (1u << options.cell_log2 < options.cell_bytes)
		options.cell_log2++;
	instrument_start();
	input_serial_start(&tool.serial, &memory_port, options.cell_log2);
	tool.serial.count_max = options.count_max;
	record_start();
}

static void finish(Int status)
{
	(void)status;
	threads_finish();
	record_finish(tool.exits);
}

static void forked(ThreadId tid)
{
	(void)tid;
	if (!tool.running)
		return;
	threads_fork();
	record_fork();
}

static void start(void)
{
	VG_(details_name)("skein");
	VG_(details_version)(NULL);
	VG_(details_description)("how cost grows with input");
	VG_(details_copyright_author)("part of Skein, GPL-2.0-or-later");
	VG_(details_bug_reports_to)("the authors of Skein");
	VG_(basic_tool_funcs)(ready, instrument, finish);
	VG_(needs_command_line_options)(option, usage, no_usage);
	VG_(atfork)(NULL, NULL, forked);
	threads_start();
	kernel_start();
}

VG_DETERMINE_INTERFACE_VERSION(start)
