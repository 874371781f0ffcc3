/* SPDX-License-Identifier: MIT */
/* session_plan.c: the file `session`, written before the subject runs and read after it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyse/session.h"
#include "arch/arch.h"

static void write_line(FILE *file, enum session_key key, const char *const values[], size_t count)
{
	fputs(session_key_name(key), file);
	for (size_t i = 0; i < count; i++) {
		fputc('\t', file);
		table_write_field(file, values[i]);
	}
	fputc('\n', file);
}

static void write_plan(FILE *file, const struct session_plan *plan)
{
	char period[32], tsc[32], ns[32];
	snprintf(period, sizeof period, "%" PRIu64, plan->period_us);
	snprintf(tsc, sizeof tsc, "%" PRIu64, plan->clock_tsc);
	snprintf(ns, sizeof ns, "%" PRIu64, plan->clock_ns);
	write_line(file, SESSION_LENS, &plan->lens, 1);
	write_line(file, SESSION_MODE, &plan->mode, 1);
	write_line(file, SESSION_PERIOD_US, (const char *const[]){period}, 1);
	write_line(file, SESSION_CLOCKS, (const char *const[]){tsc, ns}, 2);
	write_line(file, SESSION_NATIVE, &plan->native, 1);
	write_line(file, SESSION_COMMAND, &plan->command, 1);
	for (size_t i = 0; i < plan->object_count; i++) {
		const struct session_object *o = &plan->objects[i];
		write_line(file, SESSION_OBJECT, (const char *const[]){o->native, o->relinked, o->table, o->build_id}, 4);
	}
	for (size_t i = 0; i < plan->foreign_count; i++)
		write_line(file, SESSION_FOREIGN, &plan->foreign[i], 1);
}

static void write_settings(FILE *file, const struct session_setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		write_line(file, settings[i].key, &settings[i].value, 1);
}

void session_plan_set(struct session_plan *plan, enum session_key key, const char *value)
{
	MEMORY_GROW(plan->settings, plan->setting_count, plan->setting_room);
	plan->settings[plan->setting_count++] = (struct session_setting){key, pool_text(&plan->pool, value)};
}

void session_plan_put(struct session_plan *plan, enum session_key key, const char *value)
{
	for (size_t i = 0; i < plan->setting_count; i++)
		if (plan->settings[i].key == key) {
			plan->settings[i].value = pool_text(&plan->pool, value);
			return;
		}
	session_plan_set(plan, key, value);
}

const char *session_plan_setting(const struct session_plan *plan, enum session_key key)
{
	for (size_t i = 0; i < plan->setting_count; i++)
		if (plan->settings[i].key == key)
			return plan->settings[i].value;
	return "";
}

void session_plan_read_clocks(struct session_plan *plan)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	plan->clock_tsc = arch_tick();
	plan->clock_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Opens the session file with these flags of open; a plan, or else settings, go in. */
static int write_session(const char *folder, int flags, const struct session_plan *plan, const struct session_setting *settings,
                         size_t count, struct fail *why)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/session", folder);
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	if (plan)
		write_plan(file, plan);
	write_settings(file, settings, count);
	int bad = ferror(file);
	if (fclose(file) != 0 || bad)
		return fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

int session_plan_write(const struct session_plan *plan, const char *folder, struct fail *why)
{
	return write_session(folder, O_CREAT | O_EXCL, plan, plan->settings, plan->setting_count, why);
}

int session_plan_append(const struct session_setting *settings, size_t count, const char *folder, struct fail *why)
{
	return write_session(folder, O_APPEND, NULL, settings, count, why);
}

static void take_object(struct session_plan *plan, char *f[5])
{
	MEMORY_GROW(plan->objects, plan->object_count, plan->object_room);
	plan->objects[plan->object_count++] = (struct session_object){pool_text(&plan->pool, f[1]), pool_text(&plan->pool, f[2]),
	                                                              pool_text(&plan->pool, f[3]), pool_text(&plan->pool, f[4])};
}

static void take_foreign(struct session_plan *plan, const char *text)
{
	MEMORY_GROW(plan->foreign, plan->foreign_count, plan->foreign_room);
	plan->foreign[plan->foreign_count++] = pool_text(&plan->pool, text);
}

enum session_key session_plan_key(const char *name)
{
	enum session_key key = 0;
	while (key < SESSION_KEY_COUNT && strcmp(session_key_name(key), name) != 0)
		key++;
	return key;
}

/* A line with an unknown key was written by another version of skein: it is left out. */
static void take_line(struct session_plan *plan, char *f[5])
{
	enum session_key key = session_plan_key(f[0]);
	switch (key) {
	case SESSION_LENS: plan->lens = pool_text(&plan->pool, f[1]); break;
	case SESSION_MODE: plan->mode = pool_text(&plan->pool, f[1]); break;
	case SESSION_NATIVE: plan->native = pool_text(&plan->pool, f[1]); break;
	case SESSION_COMMAND: plan->command = pool_text(&plan->pool, f[1]); break;
	case SESSION_PERIOD_US: plan->period_us = strtoull(f[1], NULL, 10); break;
	case SESSION_CLOCKS:
		plan->clock_tsc = strtoull(f[1], NULL, 10);
		plan->clock_ns = strtoull(f[2], NULL, 10);
		break;
	case SESSION_OBJECT: take_object(plan, f); break;
	case SESSION_FOREIGN: take_foreign(plan, f[1]); break;
	case SESSION_KEY_COUNT: break;
	default: session_plan_set(plan, key, f[1]);
	}
}

int session_plan_read(struct session_plan *plan, const char *folder, struct fail *why)
{
	memset(plan, 0, sizeof *plan);
	plan->lens = plan->mode = plan->native = plan->command = "";
	char path[PATH_MAX], *line = NULL, *f[5];
	size_t room = 0;
	snprintf(path, sizeof path, "%s/session", folder);
	FILE *file = fopen(path, "re");
	if (!file)
		return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_INTERNAL,
		                "%s is not a session of skein: cannot read its file `session`: %s", folder, strerror(errno));
	while (getline(&line, &room, file) >= 0) {
		table_fields(line, f, 5);
		take_line(plan, f);
	}
	free(line);
	fclose(file);
	if (!*plan->lens || (plan->object_count == 0 && !*plan->native)) {
		session_plan_free(plan);
		return fail_set(why, FAIL_INTERNAL, "%s is not a session of skein: it does not name a lens and a program", path);
	}
	return 0;
}

void session_plan_free(struct session_plan *plan)
{
	free(plan->objects);
	free(plan->foreign);
	free(plan->settings);
	pool_free(&plan->pool);
	memset(plan, 0, sizeof *plan);
}
