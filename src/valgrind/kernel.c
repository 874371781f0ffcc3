/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/kernel.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "arch/arch.h"
#include "valgrind/access.h"
#include "valgrind/record.h"
#include "valgrind/stack.h"

enum { IO_URING_SETUP = 425, IO_URING_REGISTER = 427 };

/* A mapped file, and which of its pages have been touched. */
struct file {
	struct file *next;
	Addr start, end;
	UChar *touched; /* one bit per page */
};

static struct file *files;
Addr kernel_files_start, kernel_files_end;
static UInt system_call; /* system call of the running thread: reads that Valgrind reports belong to it */

static void set_bounds(void)
{
	kernel_files_start = files ? ~(Addr)0 : 0;
	kernel_files_end = 0;
	for (const struct file *f = files; f; f = f->next) {
		kernel_files_start = f->start < kernel_files_start ? f->start : kernel_files_start;
		kernel_files_end = f->end > kernel_files_end ? f->end : kernel_files_end;
	}
}

static SizeT bitmap_bytes(const struct file *f)
{
	return ((f->end - f->start) >> ARCH_PAGE_LOG2) / 8 + 1;
}

/* Whether the page has not been touched before. */
static Bool touch(struct file *f, Addr page)
{
	Addr number = (page - f->start) >> ARCH_PAGE_LOG2;
	UChar bit = (UChar)(1 << (number & 7));
	Bool fresh = !(f->touched[number / 8] & bit);
	f->touched[number / 8] |= bit;
	return fresh;
}

static void file_mapped(Addr start, SizeT bytes)
{
	struct file *f = VG_(calloc)("skein.file", 1, sizeof *f);
	f->start = start;
	f->end = start + bytes;
	f->touched = memory_port.take(NULL, bitmap_bytes(f));
	if (!f->touched) {
		tool.running->input.lost++;
		VG_(free)(f);
		return;
	}
	f->next = files;
	files = f;
	set_bounds();
}

static void file_unmapped(Addr start, SizeT bytes)
{
	for (struct file **at = &files, *f; (f = *at);) {
		if (start <= f->start && f->end <= start + bytes) {
			*at = f->next;
			memory_port.give(NULL, f->touched, bitmap_bytes(f));
			VG_(free)(f);
			continue;
		}
		for (Addr page = f->start; page < f->end; page += ARCH_PAGE_BYTES)
			if (page - start < bytes)
				touch(f, page);
		at = &f->next;
	}
	set_bounds();
}

void kernel_touch_page(Addr address, SizeT bytes)
{
	for (struct file *f = files; f; f = f->next)
		for (Addr page = address & ~(Addr)(ARCH_PAGE_BYTES - 1); page < address + bytes; page += ARCH_PAGE_BYTES)
			if (page >= f->start && page < f->end && touch(f, page))
				input_serial_kernel_write(&tool.serial, page, ARCH_PAGE_BYTES);
}

void kernel_forget(Addr start, SizeT bytes)
{
	tool.forgotten++;
	input_serial_forget(&tool.serial, start, bytes);
}

/* What the loader maps is the program. */
static Bool is_loading(void)
{
	ThreadId tid = VG_(get_running_tid)();
	return tid == VG_INVALID_THREADID || modules_at(VG_(get_IP)(tid))->is_loader;
}

static void mapped(Addr start, SizeT bytes, Bool r, Bool w, Bool x, ULong handle)
{
	(void)r, (void)w;
	const NSegment *segment = VG_(am_find_nsegment)(start);
	file_unmapped(start, bytes);
	kernel_forget(start, bytes);
	if (segment && segment->kind == SkFileC && !x && !handle && tool.running && !is_loading())
		file_mapped(start, bytes);
}

static void unmapped(Addr start, SizeT bytes)
{
	file_unmapped(start, bytes);
	kernel_forget(start, bytes);
	if (modules_unmapped(start, bytes))
		routines_unmapped(start, bytes);
}

static void moved(Addr from, Addr to, SizeT bytes)
{
	(void)from;
	kernel_forget(to, bytes);
}

/* A wait or a wake uses the address of the word, not its value. */
static Bool is_wait(UInt number)
{
	return !options.count_locks && (number == __NR_futex || number == __NR_set_robust_list || number == __NR_set_tid_address);
}

static void reads(CorePart part, ThreadId tid, const HChar *what, Addr start, SizeT bytes)
{
	(void)what;
	if (part != Vg_CoreSysCall || !tool.running || !bytes || is_wait(system_call))
		return;
	threads_run(tid);
	tool.kernel_reads++;
	access_read(start, bytes);
}

static void reads_text(CorePart part, ThreadId tid, const HChar *what, Addr start)
{
	SizeT bytes = 0;
	while (VG_(am_is_valid_for_client)(start + bytes, 1, VKI_PROT_READ)) {
		const HChar *text = (const HChar *)start;
		Addr page_end = (start + bytes + ARCH_PAGE_BYTES) & ~(Addr)(ARCH_PAGE_BYTES - 1);
		while (start + bytes < page_end && text[bytes])
			bytes++;
		if (start + bytes < page_end) {
			reads(part, tid, what, start, bytes + 1);
			return;
		}
	}
}

static void writes(CorePart part, ThreadId tid, Addr start, SizeT bytes)
{
	if (!tool.running || !bytes || part == Vg_CoreStartup || part == Vg_CoreClientReq)
		return;
	threads_run(tid);
	tool.kernel_writes++;
	kernel_touch(start, bytes);
	input_serial_kernel_write(&tool.serial, start, bytes);
	stack_written(tool.running, start, bytes);
}

static void before(ThreadId tid, UInt number, UWord *arguments, UInt count)
{
	(void)arguments, (void)count;
	threads_run(tid);
	system_call = number;
	tool.exits = number == __NR_exit || number == __NR_exit_group;
	if (number >= IO_URING_SETUP && number <= IO_URING_REGISTER)
		tool.unseen++;
	if (number == __NR_execve || number == __NR_execveat)
		record_exec(True);
}

static void after(ThreadId tid, UInt number, UWord *arguments, UInt count, SysRes result)
{
	(void)arguments, (void)count, (void)result;
	threads_run(tid);
	if (number == __NR_execve || number == __NR_execveat) /* the call failed: otherwise this code would not run */
		record_exec(False);
}

void kernel_start(void)
{
	VG_(needs_syscall_wrapper)(before, after);
	VG_(track_pre_mem_read)(reads);
	VG_(track_pre_mem_read_asciiz)(reads_text);
	VG_(track_post_mem_write)(writes);
	VG_(track_new_mem_mmap)(mapped);
	VG_(track_die_mem_munmap)(unmapped);
	VG_(track_die_mem_brk)(kernel_forget);
	VG_(track_copy_mem_remap)(moved);
}
