/* SPDX-License-Identifier: MIT */
/* The runtime's own functions on memory and text against the C library's, on random inputs that end where a page does. */
#include "unit/lib.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <wchar.h>

/* clang-format off */
#define OWN_LIST(X)                                                                                                      \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(bcmp) X(memchr) X(strlen) X(strnlen) X(strchr) X(strrchr) X(strcmp)    \
	X(strncmp) X(stpcpy) X(strcpy) X(strcat) X(strncpy) X(strspn) X(strcspn) X(strstr) X(wcslen) X(wcsnlen)
/* clang-format on */
#define X(name) __typeof__(name) own_##name;
OWN_LIST(X)
#undef X
#define memcpy own_memcpy
#define memmove own_memmove
#define memset own_memset
#define memcmp own_memcmp
#define bcmp own_bcmp
#define memchr own_memchr
#define strlen own_strlen
#define strnlen own_strnlen
#define strchr own_strchr
#define strrchr own_strrchr
#define strcmp own_strcmp
#define strncmp own_strncmp
#define stpcpy own_stpcpy
#define strcpy own_strcpy
#define strcat own_strcat
#define strncpy own_strncpy
#define strspn own_strspn
#define strcspn own_strcspn
#define strstr own_strstr
#define wcslen own_wcslen
#define wcsnlen own_wcsnlen
#include "raw/own.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef bcmp
#undef memchr
#undef strlen
#undef strnlen
#undef strchr
#undef strrchr
#undef strcmp
#undef strncmp
#undef stpcpy
#undef strcpy
#undef strcat
#undef strncpy
#undef strspn
#undef strcspn
#undef strstr
#undef wcslen
#undef wcsnlen

enum { PAGE = 4096, ROUNDS = 20000 };

/* Bytes behind which nothing can be read. */
static char *at_the_end_of_a_page(size_t bytes)
{
	static char *pages[4];
	static unsigned next;
	char **at = &pages[next++ % 4];
	if (!*at) {
		*at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(*at + PAGE, PAGE, PROT_NONE);
	}
	return *at + PAGE - bytes;
}

static size_t random_size(void)
{
	return (size_t)random() % (random() % 8 ? 70 : 3000);
}

/* Few letters, so that texts have parts in common. */
static char *random_text(size_t length)
{
	char *text = at_the_end_of_a_page(length + 1);
	for (size_t i = 0; i < length; i++)
		text[i] = "ab\xff"[random() % 3];
	text[length] = 0;
	return text;
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static void texts_are_the_same(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		size_t length = random_size(), most = random_size();
		char *x = random_text(length), *y = random_text(random() % 4 ? random_size() : length), c = "abz\xff"[random() % 5 % 4];
		if (random() % 2)
			memcpy(y, x, strnlen(y, length));
		assert_true(own_strlen(x) == strlen(x) && own_strnlen(x, most) == strnlen(x, most));
		assert_true(own_strchr(x, c) == strchr(x, c) && own_strrchr(x, c) == strrchr(x, c) && own_strchr(x, 0) == strchr(x, 0));
		assert_true(sign(own_strcmp(x, y)) == sign(strcmp(x, y)) && sign(own_strncmp(x, y, most)) == sign(strncmp(x, y, most)));
		assert_true(own_memchr(x, c, length) == memchr(x, c, length) && own_memchr(x, 'q', length) == NULL);
		assert_true(own_strspn(x, "ab") == strspn(x, "ab") && own_strcspn(x, "b") == strcspn(x, "b"));
		x[length > 5 ? 5 : length] = 0;
		assert_true(own_strstr(y, x) == strstr(y, x));
	}
}

static void bytes_are_the_same(void **state)
{
	(void)state;
	static char mine[3 * PAGE], theirs[3 * PAGE];
	for (int i = 0; i < ROUNDS; i++) {
		size_t bytes = random_size(), from = (size_t)random() % 200, to = (size_t)random() % 200;
		for (size_t k = 0; k < 3500; k++)
			mine[k] = theirs[k] = (char)random();
		switch (random() % 4) {
		case 0:
			assert_ptr_equal(own_memmove(mine + to, mine + from, bytes), mine + to);
			memmove(theirs + to, theirs + from, bytes);
			break;
		case 1:
			assert_ptr_equal(own_memset(mine + to, (int)from, bytes), mine + to);
			memset(theirs + to, (int)from, bytes);
			break;
		case 2:
			assert_ptr_equal(own_memcpy(mine + 2 * PAGE - bytes, mine + from, bytes), mine + 2 * PAGE - bytes);
			memcpy(theirs + 2 * PAGE - bytes, theirs + from, bytes);
			break;
		default:
			mine[from + bytes] = theirs[from + bytes] = 0;
			own_strncpy(mine + 2 * PAGE, mine + from, bytes / 2);
			strncpy(theirs + 2 * PAGE, theirs + from, bytes / 2);
		}
		assert_memory_equal(mine, theirs, sizeof mine);
		assert_true(sign(own_memcmp(mine + to, theirs + from, bytes)) == sign(memcmp(mine + to, theirs + from, bytes)));
		assert_int_equal(own_memcmp(mine, theirs, bytes), 0);
	}
}

static void texts_are_put_together(void **state)
{
	(void)state;
	char text[64];
	assert_ptr_equal(own_strcpy(text, "one"), text);
	assert_ptr_equal(own_strcat(text, ", two"), text);
	assert_ptr_equal(own_stpcpy(text + 8, "; three"), text + 15);
	assert_string_equal(text, "one, two; three");
	assert_true(own_wcslen(L"wide") == 4 && own_wcsnlen(L"wide", 2) == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_the_same),
		cmocka_unit_test(bytes_are_the_same),
		cmocka_unit_test(texts_are_put_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
