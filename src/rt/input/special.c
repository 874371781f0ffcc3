/* SPDX-License-Identifier: MIT */
/* special.c: system calls whose accesses to memory need special code. */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "rt/input/calls.h"

/* Of a large file that is mapped, mostly little is read: it is not worth a shadow as large. */
enum { MAPPED_MOST = 256 << 20 };

#define SPECIAL(name) static void name(const struct input_call *c, uint64_t at, bool behind)
#define UNUSED(at) (void)(at)

static bool has_succeeded(const struct input_call *c)
{
	return (int64_t)c->result >= 0;
}

/* ---- memory ---- */

static void is_mapped(const struct input_call *c, uint64_t bytes, bool from_outside)
{
	if (!input_call_address(c->result))
		return;
	input_concurrent_forget(&c->me->core, c->result, bytes);
	if (from_outside && bytes <= MAPPED_MOST)
		input_call_kernel(c, c->result, bytes);
}

SPECIAL(mapped)
{
	UNUSED(at);
	if (behind)
		is_mapped(c, c->a[1], !(c->a[3] & MAP_ANONYMOUS));
}

SPECIAL(unmapped)
{
	UNUSED(at);
	if (behind && has_succeeded(c))
		input_concurrent_forget(&c->me->core, c->a[0], c->a[1]);
}

/* What has moved starts afresh, as under Valgrind. */
SPECIAL(remapped)
{
	UNUSED(at);
	if (behind && c->result != c->a[0])
		is_mapped(c, c->a[2], false);
}

SPECIAL(attached)
{
	struct shmid_ds segment = {0};
	UNUSED(at);
	if (behind && input_call_address(c->result) && kernel_call(SYS_shmctl, (int)c->a[0], IPC_STAT, &segment) == 0)
		is_mapped(c, segment.shm_segsz, true);
}

/* Reads and writes of io_uring cannot be seen. */
SPECIAL(behind_all)
{
	UNUSED(c);
	UNUSED(at);
	if (!behind)
		input_record_unseen();
}

/* ---- messages ---- */

static void one_message(const struct input_call *c, uint64_t at, uint64_t bytes, input_call_does *does)
{
	const struct msghdr *m = (const struct msghdr *)(uintptr_t)at;
	uint64_t name_bytes = m->msg_namelen < sizeof(struct sockaddr_storage) ? m->msg_namelen : sizeof(struct sockaddr_storage);
	does(c, (uintptr_t)m->msg_name, name_bytes);
	input_call_parts(c, (uintptr_t)m->msg_iov, m->msg_iovlen, bytes, does);
	does(c, (uintptr_t)m->msg_control, m->msg_controllen);
}

static void message(const struct input_call *c, uint64_t at, uint64_t bytes, bool is_sent)
{
	const struct msghdr *m = (const struct msghdr *)(uintptr_t)at;
	input_call_read(c, at, offsetof(struct msghdr, msg_namelen) + sizeof m->msg_namelen); /* then nothing, to the next word */
	input_call_read(c, at + offsetof(struct msghdr, msg_iov), offsetof(struct msghdr, msg_flags) - offsetof(struct msghdr, msg_iov));
	input_call_read(c, (uintptr_t)m->msg_iov, m->msg_iovlen * sizeof *m->msg_iov);
	one_message(c, at, bytes, is_sent ? input_call_read : input_call_kernel);
	if (is_sent)
		return;
	input_call_kernel(c, at + offsetof(struct msghdr, msg_namelen), sizeof m->msg_namelen);
	input_call_kernel(c, at + offsetof(struct msghdr, msg_controllen), sizeof m->msg_controllen + sizeof m->msg_flags);
}

SPECIAL(sent)
{
	if (behind && has_succeeded(c) && input_call_address(at))
		message(c, at, UINT64_MAX, true);
}

SPECIAL(received)
{
	if (behind && has_succeeded(c) && input_call_address(at))
		message(c, at, c->result, false);
}

static void messages(const struct input_call *c, uint64_t at, bool is_sent)
{
	for (uint64_t i = 0; has_succeeded(c) && input_call_address(at) && i < c->result; i++, at += sizeof(struct mmsghdr)) {
		const struct mmsghdr *m = (const struct mmsghdr *)(uintptr_t)at;
		message(c, at, is_sent ? UINT64_MAX : m->msg_len, is_sent);
		input_call_kernel(c, at + offsetof(struct mmsghdr, msg_len), sizeof m->msg_len);
	}
}

SPECIAL(all_sent)
{
	if (behind)
		messages(c, at, true);
}

SPECIAL(all_received)
{
	if (behind)
		messages(c, at, false);
}

/* ---- waiting ---- */

SPECIAL(polled)
{
	at = c->a[0];
	for (uint64_t i = 0; i < c->a[1] && (!behind || has_succeeded(c)); i++, at += sizeof(struct pollfd)) {
		if (behind)
			input_call_kernel(c, at + offsetof(struct pollfd, revents), sizeof(short));
		else
			input_call_read(c, at, offsetof(struct pollfd, revents));
	}
}

SPECIAL(chosen)
{
	enum { WORD_BITS = 64, WORD_BYTES = 8 };
	uint64_t bytes = (c->a[0] + WORD_BITS - 1) / WORD_BITS * WORD_BYTES;
	for (int i = 1; i <= 3 && (!behind || has_succeeded(c)); i++) {
		at = c->a[i];
		(behind ? input_call_kernel : input_call_read)(c, at, bytes);
	}
}

/* io_getevents: requests that were served, and what those that read have brought. */
SPECIAL(served)
{
	for (uint64_t i = 0; behind && has_succeeded(c) && input_call_address(at) && i < c->result; i++, at += sizeof(struct io_event)) {
		const struct io_event *event = (const struct io_event *)(uintptr_t)at;
		const struct iocb *request = (const struct iocb *)(uintptr_t)event->obj;
		input_call_kernel(c, at, sizeof *event);
		if (!input_call_address(event->obj) || event->res <= 0)
			continue;
		if (request->aio_lio_opcode == IOCB_CMD_PREAD)
			input_call_kernel(c, request->aio_buf, (uint64_t)event->res);
		else if (request->aio_lio_opcode == IOCB_CMD_PREADV)
			input_call_parts(c, request->aio_buf, request->aio_nbytes, (uint64_t)event->res, input_call_kernel);
	}
}

/* ---- what a descriptor, a process and a thread are asked ---- */

SPECIAL(control)
{
	int what = (int)c->a[1];
	at = c->a[2];
	bool asks = what == F_GETLK || what == F_OFD_GETLK,
	     locks = asks || what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
	if (locks && !behind)
		input_call_read(c, at, sizeof(struct flock));
	if (asks && behind && has_succeeded(c))
		input_call_kernel(c, at, sizeof(struct flock));
	if (what == F_GETOWN_EX && behind && has_succeeded(c))
		input_call_kernel(c, at, sizeof(struct f_owner_ex));
}

/* Requests that are older than the way in which sizes are part of them. */
static uint64_t old_request(uint64_t request)
{
	enum { KERNEL_TERMIOS = 36 };
	switch (request) {
	case TCGETS: return KERNEL_TERMIOS;
	case TIOCGWINSZ: return sizeof(struct winsize);
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCMGET: return sizeof(int);
	default: return 0;
	}
}

SPECIAL(control_device)
{
	uint64_t request = (uint32_t)c->a[1], old = old_request(request), bytes = old ? old : _IOC_SIZE(request);
	at = c->a[2];
	if (!behind && !old && _IOC_DIR(request) & _IOC_WRITE)
		input_call_read(c, at, bytes);
	if (behind && has_succeeded(c) && (old || _IOC_DIR(request) & _IOC_READ))
		input_call_kernel(c, at, bytes);
}

SPECIAL(process)
{
	enum { NAME = 16 };
	at = c->a[1];
	if (!behind && c->a[0] == PR_SET_NAME)
		input_call_read(c, at, NAME);
	if (behind && has_succeeded(c) && c->a[0] == PR_GET_NAME)
		input_call_kernel(c, at, NAME);
	if (behind && has_succeeded(c) && (c->a[0] == PR_GET_PDEATHSIG || c->a[0] == PR_GET_TSC || c->a[0] == PR_GET_CHILD_SUBREAPER))
		input_call_kernel(c, at, sizeof(int));
}

SPECIAL(thread_word)
{
	enum { GET_FS = 0x1003, GET_GS = 0x1004 };
	at = c->a[1];
	if (behind && has_succeeded(c) && (c->a[0] == GET_FS || c->a[0] == GET_GS))
		input_call_kernel(c, at, sizeof(uint64_t));
}

static const struct input_special specials[] = {INPUT_SPECIAL("mapped", mapped),
                                                INPUT_SPECIAL("unmapped", unmapped),
                                                INPUT_SPECIAL("remapped", remapped),
                                                INPUT_SPECIAL("attached", attached),
                                                INPUT_SPECIAL("behind", behind_all),
                                                INPUT_SPECIAL("sent", sent),
                                                INPUT_SPECIAL("received", received),
                                                INPUT_SPECIAL("all_sent", all_sent),
                                                INPUT_SPECIAL("all_received", all_received),
                                                INPUT_SPECIAL("polled", polled),
                                                INPUT_SPECIAL("chosen", chosen),
                                                INPUT_SPECIAL("served", served),
                                                INPUT_SPECIAL("control", control),
                                                INPUT_SPECIAL("control_device", control_device),
                                                INPUT_SPECIAL("process", process),
                                                INPUT_SPECIAL("thread_word", thread_word),
                                                INPUT_SPECIAL_LAST};

static const struct input_special *find(const struct input_special *list, const char *word, size_t bytes)
{
	for (; list->name; list++)
		if (list->bytes == bytes && memcmp(list->name, word, bytes) == 0)
			return list;
	return NULL;
}

static const struct input_special *look_up(const char *word)
{
	size_t bytes = strcspn(word, "0123456789 ");
	const struct input_special *special = find(specials, word, bytes);
	special = special ? special : find(input_specials_library, word, bytes);
	return special ? special : find(input_specials_cpp, word, bytes);
}

/* A signal handler may run in between: when it finds the word, the meaning is already stored. */
static const struct input_special *special_of(struct rt_input *me, const char *word)
{
	struct input_word *known = &me->words[(uintptr_t)word % INPUT_WORDS];
	if (known->word == word)
		return known->special;
	const struct input_special *special = look_up(word);
	known->word = NULL;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->special = special;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	known->word = word;
	return special;
}

void input_call_special(const struct input_call *c, const char *word, bool behind)
{
	const struct input_special *special = special_of(c->me, word);
	char end = special ? word[special->bytes] : 0;
	if (special)
		special->does(c, end >= '0' && end <= '5' ? c->a[end - '0'] : 0, behind);
	else if (strncmp(word, "scan:", 5) == 0 || strncmp(word, "print:", 6) == 0)
		input_call_format(c, word, behind);
}
