/* SPDX-License-Identifier: MIT */
/* calls.c: what a system call, or a function that is called like one, did to memory: the words of core/library/library.def, read one by one.
 *
 * They are read at run time, since such a call takes far longer than that, and since syscall() is told by its number
 * alone. Where a pointer is followed that the kernel would refuse, the subject must not crash: nothing is followed that
 * no address can be, or where the call has failed for its addresses. */
#include "rt/input/input.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <wchar.h>
#include "arch/arch.h"
#include "core/decimal.h"
#include "raw/kernel.h"
#include "rt/input/calls.h"

_Static_assert(sizeof(struct stat) == 144 && sizeof(struct statx) == 256 && sizeof(struct statfs) == 120 && sizeof(struct statvfs) == 112,
               "files");
_Static_assert(sizeof(struct epoll_event) == 12 && sizeof(struct rusage) == 144 && sizeof(siginfo_t) == 128 && sizeof(struct timex) == 208,
               "waits");
_Static_assert(sizeof(struct utsname) == 390 && sizeof(struct sysinfo) == 112 && sizeof(struct tms) == 32 && sizeof(struct rlimit) == 16,
               "system");

enum { LOWEST = 4096, ERRORS = 4095 };
#define HIGHEST (UINT64_C(1) << ARCH_ADDRESS_BITS)

bool input_call_address(uint64_t address)
{
	return address >= LOWEST && address < HIGHEST;
}

/* -1 of a function, or -E of the kernel itself. */
static bool has_failed(uint64_t result)
{
	return result > UINT64_MAX - ERRORS;
}

static bool has_failed_with(const struct input_call *c, int error)
{
	return (c->result == UINT64_MAX && errno == error) || c->result == (uint64_t)-(int64_t)error ||
		(error == EINTR && c->result == EINTR);
}

/* The kernel may not have looked at what it was given. */
static bool was_refused(const struct input_call *c)
{
	return has_failed(c->result) &&
		(has_failed_with(c, EFAULT) || has_failed_with(c, EBADF) || has_failed_with(c, EINVAL) || has_failed_with(c, ENOSYS));
}

/* ---- pieces of memory ---- */

void input_call_read(const struct input_call *c, uint64_t at, uint64_t bytes)
{
	if (input_call_address(at) && bytes < HIGHEST)
		skein_rt_input_read(c->me, (const void *)(uintptr_t)at, bytes);
}

void input_call_write(const struct input_call *c, uint64_t at, uint64_t bytes)
{
	if (input_call_address(at) && bytes < HIGHEST)
		skein_rt_input_write(c->me, (const void *)(uintptr_t)at, bytes);
}

void input_call_kernel(const struct input_call *c, uint64_t at, uint64_t bytes)
{
	if (input_call_address(at) && bytes && bytes < HIGHEST)
		input_concurrent_kernel_write(&c->me->core, at, bytes);
}

void input_call_parts(const struct input_call *c, uint64_t vector, uint64_t count, uint64_t bytes, input_call_does *does)
{
	const struct iovec *v = (const struct iovec *)(uintptr_t)vector;
	for (uint64_t i = 0; input_call_address(vector) && bytes && i < count; i++) {
		uint64_t part = v[i].iov_len < bytes ? v[i].iov_len : bytes;
		does(c, (uintptr_t)v[i].iov_base, part);
		bytes -= part;
	}
}

/* ---- words ---- */

static uint64_t number_at(uint64_t at)
{
	return input_call_address(at) ? *(const uint32_t *)(uintptr_t)at : 0;
}

/* The same before the call, when the address has not been checked. */
static uint64_t number_asked(uint64_t at)
{
	uint32_t number = 0;
	struct iovec to = {&number, sizeof number}, from = {(void *)(uintptr_t)at, sizeof number};
	return input_call_address(at) && kernel_call(SYS_process_vm_readv, kernel_pid(), &to, 1UL, &from, 1UL, 0UL) == sizeof number
		? number
		: sizeof(struct sockaddr_storage);
}

static uint64_t argument(const struct input_call *c, char digit)
{
	return c->a[digit - '0'];
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t text_bytes(uint64_t at)
{
	return input_call_address(at) ? strlen((const char *)(uintptr_t)at) + 1 : 0;
}

static uint64_t wide_bytes(uint64_t at)
{
	return input_call_address(at) ? (wcslen((const wchar_t *)(uintptr_t)at) + 1) * sizeof(wchar_t) : 0;
}

static uint64_t result_of(const struct input_call *c)
{
	return has_failed(c->result) ? 0 : c->result;
}

static uint64_t length_of(const struct input_call *c, const char *how)
{
	enum { WORD = 8 };
	char kind = *how++;
	switch (kind) {
	case '#': return decimal_read(&how);
	case '*': return result_of(c) * decimal_read(&how);
	case '+': return result_of(c) ? decimal_read(&how) : 0;
	case 'r': return decimal_is_digit(*how) ? less(result_of(c), argument(c, *how)) : result_of(c);
	case 's': return has_failed(c->result) ? 0 : decimal_is_digit(*how) ? less(c->result + 1, argument(c, *how)) : c->result + 1;
	case 'q': return WORD + (*how == 'r' ? result_of(c) : argument(c, *how));
	case 't': return text_bytes(*how == '=' ? c->result : argument(c, *how));
	case 'w': return wide_bytes(argument(c, *how));
	case 'v': return less(number_at(argument(c, *how)), c->before);
	case 'x': {
		uint64_t n = argument(c, *how++), by = *how == '#' ? (how++, decimal_read(&how)) : argument(c, *how);
		return by && n > HIGHEST / by ? 0 : n * by;
	}
	default: return argument(c, kind);
	}
}

/* Whether the word is reported after the call. */
static bool is_late(const char *word)
{
	return *word != 'R' || word[1] == '=' || strchr("twirs*+", word[2]) || (word[2] == 'q' && word[3] == 'r');
}

static bool happens(const struct input_call *c, char what)
{
	switch (what) {
	case 'R': return true; /* though the call may fail */
	case 'E': return has_failed_with(c, EINTR);
	case 'Z': return c->result == 0;
	default: return !has_failed(c->result);
	}
}

static void do_word(const struct input_call *c, const char *word, bool behind)
{
	if (*word >= 'a' && *word <= 'z') {
		input_call_special(c, word, behind);
		return;
	}
	if (is_late(word) != behind || (behind && was_refused(c)))
		return;
	bool reads = *word == 'R';
	uint64_t at = word[1] == '=' ? c->result : argument(c, word[1]);
	bool inside = *word == 'W' || (*word == 'S' && input_call_is_of_text(c->a[0]));
	input_call_does *does = reads ? input_call_read : inside ? input_call_write : input_call_kernel;
	if (!happens(c, *word) || !input_call_address(at))
		return;
	if (word[2] == 'i')
		input_call_parts(c, at, argument(c, word[3]), reads ? UINT64_MAX : result_of(c), does);
	else
		does(c, at, length_of(c, word + 2));
}

void input_call_words(const struct input_call *c, const char *words, bool behind)
{
	for (; *words; words += *words == ' ') {
		if (*words != '.')
			do_word(c, words, behind);
		while (*words && *words != ' ')
			words++;
	}
}

/* ---- for hooks ---- */

/* The number at the argument that a word `v` names: the kernel will write another one there. */
static uint64_t before_of(const char *words, const uint64_t *arguments)
{
	for (const char *at = words; (at = strchr(at, 'v')); at++)
		if (at - words >= 2 && at[-2] == 'K' && decimal_is_digit(at[1]))
			return number_asked(arguments[at[1] - '0']);
	return 0;
}

uint64_t skein_rt_input_calls(struct rt_input *me, const char *words, uint64_t *arguments)
{
	int error = errno;
	struct input_call c = {.me = me, .a = arguments, .more = arguments + INPUT_CALL_MORE};
	if (input_is_nobody(me))
		return 0;
	if (strcmp(words, "by_number") == 0)
		words = input_call_by_number(&c);
	input_call_words(&c, words, false);
	errno = error;
	return before_of(words, c.a);
}

void skein_rt_input_called(struct rt_input *me, const char *words, uint64_t *arguments, uint64_t result, uint64_t before)
{
	int error = errno;
	struct input_call c = {.me = me, .a = arguments, .more = arguments + INPUT_CALL_MORE, .result = result, .before = before};
	if (input_is_nobody(me))
		return;
	if (strcmp(words, "by_number") == 0)
		words = input_call_by_number(&c);
	input_call_words(&c, words, true);
	errno = error;
}

/* ---- by number ---- */

static const char *const by_number[] = {
#define CALL(name, words, price) [SYS_##name] = words,
#define NUMBER(name, words) [SYS_##name] = words,
#include "core/library/library.def"
};

/* The arguments of syscall() follow the number. Unknown calls are counted with those that are not seen. */
const char *input_call_by_number(struct input_call *c)
{
	uint64_t number = *c->a++;
	const char *words = number < sizeof by_number / sizeof *by_number ? by_number[number] : NULL;
	return words ? words + strspn(words, ".& @") : "behind";
}
