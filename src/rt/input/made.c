/* SPDX-License-Identifier: MIT */
/* made.c: functions of the C library that hand on what they got from the system, make something of it, or take text
 * apart: words as in special.c. */
#include <aio.h>
#include <dirent.h>
#include <malloc.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <wchar.h>
#include "rt/input/calls.h"

#define SPECIAL(name) static void name(const struct input_call *c, uint64_t at, bool behind)
#define UNUSED(at) (void)(at)

static bool has_succeeded(const struct input_call *c)
{
	return (int64_t)c->result >= 0;
}

static void fresh(const struct input_call *c, uint64_t block)
{
	if (block)
		input_concurrent_forget(&c->me->core, block, malloc_usable_size((void *)(uintptr_t)block));
}

/* ---- from the system ---- */

static uint64_t entry_bytes(uint64_t entry)
{
	return input_call_address(entry) ? ((const struct dirent *)(uintptr_t)entry)->d_reclen : 0;
}

SPECIAL(entry)
{
	UNUSED(at);
	if (behind)
		input_call_kernel(c, c->result, entry_bytes(c->result));
}

/* readdir_r */
SPECIAL(entry_copied)
{
	at = c->a[2];
	uint64_t entry = behind && c->result == 0 ? *(const uint64_t *)(uintptr_t)at : 0;
	if (!behind || c->result)
		return;
	input_call_kernel(c, entry, entry_bytes(entry));
	input_call_write(c, at, sizeof entry);
}

SPECIAL(entries)
{
	at = c->a[1];
	if (!behind || !has_succeeded(c) || !input_call_address(at))
		return;
	uint64_t list = *(const uint64_t *)(uintptr_t)at;
	input_call_write(c, at, sizeof list);
	fresh(c, list);
	input_call_write(c, list, c->result * sizeof list);
	for (uint64_t i = 0; i < c->result; i++) {
		uint64_t entry = ((const uint64_t *)(uintptr_t)list)[i];
		fresh(c, entry);
		input_call_kernel(c, entry, entry_bytes(entry));
	}
}

/* getaddrinfo: a list of blocks, each with its address behind it. */
SPECIAL(addresses)
{
	at = c->a[3];
	if (!behind || c->result || !input_call_address(at))
		return;
	input_call_write(c, at, sizeof(void *));
	for (const struct addrinfo *info = *(struct addrinfo **)(uintptr_t)at; info; info = info->ai_next) {
		fresh(c, (uintptr_t)info);
		input_call_kernel(c, (uintptr_t)info, sizeof *info);
		input_call_kernel(c, (uintptr_t)info->ai_addr, info->ai_addrlen);
	}
}

/* inet_pton */
SPECIAL(address)
{
	enum { BYTES_4 = 4, BYTES_6 = 16 };
	if (behind && c->result == 1)
		input_call_write(c, at, c->a[0] == AF_INET6 ? BYTES_6 : BYTES_4);
}

/* aio_return: what a thread of the C library read meanwhile. */
SPECIAL(asked)
{
	const struct aiocb *request = (const struct aiocb *)(uintptr_t)at;
	if (behind && has_succeeded(c) && input_call_address(at) && request->aio_lio_opcode == LIO_READ)
		input_call_kernel(c, (uintptr_t)request->aio_buf, c->result);
}

/* getline and similar functions: also the address of the text and its room. */
SPECIAL(grown)
{
	if (!behind || !input_call_address(at))
		return;
	input_call_read(c, at, sizeof(char *));
	input_call_read(c, c->a[1], sizeof(size_t));
	if ((int64_t)c->result <= 0)
		return;
	input_call_write(c, at, sizeof(char *));
	input_call_write(c, c->a[1], sizeof(size_t));
	input_call_kernel(c, *(const uint64_t *)(uintptr_t)at, c->result + 1);
}

/* A block that was allocated for the caller: the result, or what an argument points to now. */
SPECIAL(made)
{
	UNUSED(at);
	if (behind && c->result)
		fresh(c, c->result);
}

SPECIAL(made_at)
{
	if (!behind || !input_call_address(at) || !has_succeeded(c))
		return;
	fresh(c, *(const uint64_t *)(uintptr_t)at);
	input_call_write(c, at, sizeof(void *));
}

/* The same, with a text as long as the result says. */
SPECIAL(text_made_at)
{
	made_at(c, at, behind);
	if (behind && input_call_address(at) && has_succeeded(c))
		input_call_write(c, *(const uint64_t *)(uintptr_t)at, c->result + 1);
}

/* ---- text that is taken apart ---- */

static void token(const struct input_call *c, uint64_t from, uint64_t delimiters)
{
	uint64_t end = c->result + strlen((const char *)(uintptr_t)c->result);
	input_call_read(c, from, end + 1 - from);
	input_call_read(c, delimiters, strlen((const char *)(uintptr_t)delimiters) + 1);
	input_call_write(c, end, 1);
}

/* strtok, strtok_r: the text is the first argument, or where the last token ended. */
SPECIAL(cut)
{
	UNUSED(at);
	if (behind && c->result)
		token(c, c->a[0] ? c->a[0] : c->result, c->a[1]);
}

/* strsep */
SPECIAL(parted)
{
	if (!behind || !input_call_address(at))
		return;
	input_call_read(c, at, sizeof(char *));
	if (!c->result)
		return;
	token(c, c->result, c->a[1]);
	input_call_write(c, at, sizeof(char *));
}

/* strndup, and wcsdup in bytes of four. */
static void duplicate(const struct input_call *c, uint64_t bytes)
{
	input_call_read(c, c->a[0], bytes);
	fresh(c, c->result);
	input_call_write(c, c->result, bytes);
}

SPECIAL(duplicated)
{
	UNUSED(at);
	if (behind && c->result)
		duplicate(c, strlen((const char *)(uintptr_t)c->result) + 1);
}

SPECIAL(duplicated_wide)
{
	UNUSED(at);
	if (behind && c->result)
		duplicate(c, (wcslen((const wchar_t *)(uintptr_t)c->result) + 1) * sizeof(wchar_t));
}

/* memccpy */
SPECIAL(copied_until)
{
	at = c->a[0];
	uint64_t bytes = c->result ? c->result - at : c->a[3];
	if (!behind)
		return;
	input_call_read(c, c->a[1], bytes);
	input_call_write(c, at, bytes);
}

/* A table of texts up to NULL: posix_spawn. */
SPECIAL(texts)
{
	for (const char *const *text = (const char *const *)(uintptr_t)at; behind && !c->result && input_call_address(at) && *text; text++)
		input_call_read(c, (uintptr_t)*text, strlen(*text) + 1);
}

const struct input_special input_specials_library[] = {INPUT_SPECIAL("entry", entry),
                                                       INPUT_SPECIAL("entry_copied", entry_copied),
                                                       INPUT_SPECIAL("entries", entries),
                                                       INPUT_SPECIAL("addresses", addresses),
                                                       INPUT_SPECIAL("address", address),
                                                       INPUT_SPECIAL("asked", asked),
                                                       INPUT_SPECIAL("grown", grown),
                                                       INPUT_SPECIAL("made", made),
                                                       INPUT_SPECIAL("made_at", made_at),
                                                       INPUT_SPECIAL("text_made_at", text_made_at),
                                                       INPUT_SPECIAL("cut", cut),
                                                       INPUT_SPECIAL("parted", parted),
                                                       INPUT_SPECIAL("duplicated", duplicated),
                                                       INPUT_SPECIAL("duplicated_wide", duplicated_wide),
                                                       INPUT_SPECIAL("copied_until", copied_until),
                                                       INPUT_SPECIAL("texts", texts),
                                                       INPUT_SPECIAL_LAST};
