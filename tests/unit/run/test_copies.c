/* SPDX-License-Identifier: MIT */
/* Several copies: one standard input for all, against readers that read, wait, stop and come later at random; and what
 * a copy is started with, written and read. */
#include "unit/lib.h"

#include <signal.h>

#include "base/folder.h"
#include "run/copies/brief.h"
#include "run/copies/feed.h"

enum { MOST = 4, BYTES = 300000 };

static uint64_t state;

static unsigned draw(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}

/* Byte i of what is sent: a copy that misses or repeats some is found out. */
static char byte_at(size_t i)
{
	return (char)(i * 2654435761u >> 13);
}

struct reader {
	int fd; /* -1: not yet, or no longer */
	size_t got;
	bool is_whole; /* it reads to the end */
};

static void read_some(struct reader *r)
{
	char buffer[70000];
	ssize_t got = read(r->fd, buffer, 1 + draw(sizeof buffer));
	for (ssize_t i = 0; i < got; i++)
		assert_int_equal(buffer[i], byte_at(r->got + (size_t)i));
	if (got > 0)
		r->got += (size_t)got;
	if (got == 0) {
		close(r->fd);
		r->fd = -1;
		r->is_whole = true;
	}
}

static void send_some(int *source, size_t *sent, size_t bytes)
{
	char buffer[50000];
	size_t count = 1 + draw(sizeof buffer);
	count = count < bytes - *sent ? count : bytes - *sent;
	for (size_t i = 0; i < count; i++)
		buffer[i] = byte_at(*sent + i);
	ssize_t put = count ? write(*source, buffer, count) : 0;
	if (put > 0)
		*sent += (size_t)put;
	if (*sent == bytes || (put < 0 && errno == EPIPE)) {
		close(*source);
		*source = -1;
	}
}

static void feed_once(struct copies_feed *feed)
{
	struct pollfd polls[MOST + 1];
	int timeout = 0;
	size_t count = copies_feed_polls(feed, polls, &timeout);
	if (poll(polls, count, 0) >= 0)
		copies_feed_work(feed, polls, count);
}

/* One run: who begins when, who stops early, is drawn. Nothing waits: if somebody would be starved, the loop would not end. */
static void play(const char *folder, size_t count, size_t bytes)
{
	struct copies_feed feed;
	struct reader readers[MOST];
	struct fail why;
	size_t begun = 0, sent = 0, left = count;
	bool all_stay = draw(2);
	int ends[2];
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	fcntl(ends[0], F_SETFL, 0);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	assert_int_equal(copies_feed_open(&feed, count, folder, &why), 0);
	assert_int_equal(feed.how, COPIES_FEED_PIPES);
	for (size_t turn = 0; left; turn++) {
		assert_true(turn < 1000000);
		if (begun < count && (draw(20) == 0 || begun == 0)) {
			readers[begun] = (struct reader){.fd = copies_feed_input(&feed, begun, &why)};
			fcntl(readers[begun++].fd, F_SETFL, O_NONBLOCK);
		}
		if (ends[1] >= 0 && draw(2))
			send_some(&ends[1], &sent, bytes);
		feed_once(&feed);
		size_t i = draw((unsigned)begun);
		if (readers[i].fd < 0)
			continue;
		read_some(&readers[i]);
		if (!all_stay && draw(200) == 0 && readers[i].fd >= 0) {
			close(readers[i].fd); /* it has had enough, or died */
			readers[i].fd = -1;
			if (draw(2))
				copies_feed_end(&feed, i);
		}
		left -= readers[i].fd < 0;
	}
	for (size_t i = 0; i < count; i++)
		if (readers[i].is_whole || all_stay)
			assert_int_equal(readers[i].got, bytes);
	assert_int_equal(feed.error, 0);
	copies_feed_close(&feed);
	if (ends[1] >= 0)
		close(ends[1]);
}

static void each_copy_reads_all_of_the_input_at_its_own_pace(void **unused)
{
	(void)unused;
	struct fail why;
	char *folder = folder_temporary(&why);
	int stdin_before = dup(STDIN_FILENO);
	signal(SIGPIPE, SIG_IGN);
	for (state = 1; state < 200; state++) {
		uint64_t seed = state;
		play(folder, 2 + draw(MOST - 1), draw(8) ? draw(BYTES) : 0);
		state = seed;
	}
	dup2(stdin_before, STDIN_FILENO);
	close(stdin_before);
	assert_int_equal(rmdir(folder), 0);
	free(folder);
}

static void same_strings(const struct strv *a, const struct strv *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_string_equal(a->at[i], b->at[i]);
}

static char *any_text(void)
{
	size_t length = draw(40);
	char *text = calloc(1, length + 1);
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(1 + draw(255));
	return text;
}

static void add_any(struct strv *to)
{
	char *text = any_text();
	strv_add(to, text);
	free(text);
}

static void a_brief_is_read_as_it_was_written(void **unused)
{
	(void)unused;
	struct fail why;
	for (state = 1; state < 300; state++) {
		uint64_t seed = state;
		char *base = folder_temporary(&why), *word;
		struct copies_brief b = {.folder = str_format("%s/my folder 'é' %u", base, draw(10)),
		                         .path = any_text(),
		                         .hold = any_text(),
		                         .here = any_text(),
		                         .is_private = draw(2),
		                         .is_kept = draw(2),
		                         .is_fixed = draw(2),
		                         .outlives = draw(2),
		                         .group = any_text()},
				    read;
		for (size_t n = 1 + draw(5); n--;)
			add_any(&b.argv);
		for (size_t n = draw(5); n--;)
			add_any(&b.environment);
		assert_int_equal(folder_make(b.folder, 0700, &why), 0);
		assert_int_equal(copies_brief_write(&b, &why), 0);
		word = copies_brief_word(b.folder);
		assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-%"), strlen(word));
		for (int times = 0; times < 2; times++) {
			assert_int_equal(copies_brief_read(&read, word, &why), 0);
			assert_int_equal(read.is_first, times == 0);
			assert_string_equal(read.folder, b.folder);
			assert_string_equal(read.path, b.path);
			assert_string_equal(read.hold, b.hold);
			assert_string_equal(read.here, b.here);
			assert_string_equal(read.group, b.group);
			assert_int_equal(read.is_private * 8 + read.is_kept * 4 + read.is_fixed * 2 + read.outlives,
			                 b.is_private * 8 + b.is_kept * 4 + b.is_fixed * 2 + b.outlives);
			same_strings(&read.argv, &b.argv);
			same_strings(&read.environment, &b.environment);
			copies_brief_free(&read);
		}
		folder_remove(base);
		copies_brief_free(&b);
		free(word);
		free(base);
		state = seed;
	}
}

static void a_brief_that_is_cut_is_refused(void **unused)
{
	(void)unused;
	struct fail why;
	char *folder = folder_temporary(&why), *path = str_format("%s/" COPIES_BRIEF, folder);
	struct copies_brief b = {.folder = folder, .path = "/bin/true", .hold = "/h", .here = "/", .group = ""}, read;
	strv_add(&b.argv, "true");
	strv_add(&b.argv, "");
	assert_int_equal(copies_brief_write(&b, &why), 0);
	FILE *file = fopen(path, "re");
	fseek(file, 0, SEEK_END);
	long whole = ftell(file);
	fclose(file);
	for (long size = whole; size-- > 0;) {
		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(copies_brief_read(&read, folder, &why), -1);
		copies_brief_free(&read);
	}
	folder_remove(folder);
	strv_free(&b.argv);
	free(path);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_copy_reads_all_of_the_input_at_its_own_pace),
		cmocka_unit_test(a_brief_is_read_as_it_was_written),
		cmocka_unit_test(a_brief_that_is_cut_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
