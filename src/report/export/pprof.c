/* SPDX-License-Identifier: MIT */
/* pprof.c: `skein export pprof`: a profile as `go tool pprof` and others read it: profile.proto of github.com/google/pprof, in gzip.
 *
 * A location is a routine at a line, whatever path leads there. It has no address: readers that find one in several files would take
 * these for one place. Texts are written once, and told by their number from then on; number 0 is the empty one. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/escape.h"
#include "base/hash.h"
#include "report/export/protobuf.h"
#include "report/export/stacks.h"

/* Fields of messages, as profile.proto numbers them. */
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_TEXT };
enum { PROFILE_TIME = 9, PROFILE_DURATION = 10, PROFILE_REMARK = 13, PROFILE_CHOSEN = 14 };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILD_ID = 6, MAPPING_KNOWS_FIRST = 7, MAPPING_KNOWS_LAST = 10 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_LINKAGE, FUNCTION_FILE, FUNCTION_LINE };

enum { GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8, CHUNK = 1 << 16 };

struct pprof {
	struct stacks *stacks;
	struct protobuf out;
	const char **texts;
	size_t text_count, text_room;
	struct lookup text_index;
	uint64_t *locations; /* by node: its location */
};

/* ---- texts ---- */

static bool is_text(const void *texts, size_t number, const void *text)
{
	return strcmp(((const char *const *)texts)[number], text) == 0;
}

static uint64_t text_of(struct pprof *p, const char *name)
{
	const char *text = escape_plain(&p->stacks->pool, name ? name : "");
	size_t *place = lookup_at(&p->text_index, hash_text(HASH_START, text), is_text, p->texts, text);
	if (!*place) {
		MEMORY_GROW(p->texts, p->text_count, p->text_room);
		p->texts[p->text_count++] = text;
		*place = p->text_count;
	}
	return *place - 1;
}

/* ---- what is once in the file ---- */

static void put_types(struct pprof *p)
{
	struct protobuf type = {0};
	for (size_t t = 0; t < p->stacks->type_count; t++) {
		protobuf_number(&type, TYPE_NAME, text_of(p, p->stacks->types[t].name));
		protobuf_number(&type, TYPE_UNIT, text_of(p, p->stacks->types[t].unit));
		protobuf_message(&p->out, PROFILE_TYPE, &type);
	}
	protobuf_number(&p->out, PROFILE_CHOSEN, text_of(p, p->stacks->types[p->stacks->chosen].name));
	protobuf_free(&type);
}

/* Readers must not look for names in files that may have changed since: all that is known is here. */
static void put_mapping(struct pprof *p, uint64_t id, const char *path, const char *build_id)
{
	struct protobuf mapping = {0};
	protobuf_number(&mapping, MAPPING_ID, id);
	protobuf_number(&mapping, MAPPING_FILE, text_of(p, path));
	protobuf_number(&mapping, MAPPING_BUILD_ID, text_of(p, build_id));
	for (unsigned field = MAPPING_KNOWS_FIRST; field <= MAPPING_KNOWS_LAST; field++)
		protobuf_number(&mapping, field, 1);
	protobuf_message(&p->out, PROFILE_MAPPING, &mapping);
	protobuf_free(&mapping);
}

/* The first mapping is the program, by which readers call the profile. */
static void put_mappings(struct pprof *p)
{
	const struct run *run = p->stacks->run;
	put_mapping(p, 1, run->program, run->build_id);
	for (size_t i = 0; i < run->object_count; i++)
		put_mapping(p, i + 2, run->objects[i].path, run->objects[i].build_id);
}

static uint64_t mapping_of(const struct run *run, uint32_t object)
{
	return object == RUN_NO_OBJECT || strcmp(run->objects[object].build_id, run->build_id) == 0 ? 1 : (uint64_t)object + 2;
}

static void put_functions(struct pprof *p)
{
	struct protobuf function = {0};
	for (size_t i = 0; i < p->stacks->function_count; i++) {
		const struct stacks_function *f = &p->stacks->functions[i];
		protobuf_number(&function, FUNCTION_ID, i + 1);
		protobuf_number(&function, FUNCTION_NAME, text_of(p, f->name));
		protobuf_number(&function, FUNCTION_LINKAGE, text_of(p, *f->linkage ? f->linkage : f->name));
		protobuf_number(&function, FUNCTION_FILE, text_of(p, f->file));
		protobuf_number(&function, FUNCTION_LINE, f->line);
		protobuf_message(&p->out, PROFILE_FUNCTION, &function);
	}
	protobuf_free(&function);
}

static void put_location(struct pprof *p, uint64_t id, const struct stacks_node *node)
{
	struct protobuf line = {0}, location = {0};
	protobuf_number(&line, LINE_FUNCTION, node->function + UINT64_C(1));
	protobuf_number(&line, LINE_NUMBER, node->line);
	protobuf_number(&location, LOCATION_ID, id);
	protobuf_number(&location, LOCATION_MAPPING, mapping_of(p->stacks->run, p->stacks->functions[node->function].object));
	protobuf_message(&location, LOCATION_LINE, &line);
	protobuf_message(&p->out, PROFILE_LOCATION, &location);
	protobuf_free(&location);
	protobuf_free(&line);
}

static void put_locations(struct pprof *p)
{
	const struct stacks *s = p->stacks;
	struct map known = {0}; /* by function and line: its location */
	p->locations = memory_zeroed(s->node_count + 1, sizeof *p->locations);
	for (size_t i = 0; i < s->node_count; i++) {
		void **place = map_at(&known, (uint64_t)s->nodes[i].function << 32 | s->nodes[i].line);
		if (!*place) {
			*place = (void *)(uintptr_t)(known.count);
			put_location(p, known.count, &s->nodes[i]);
		}
		p->locations[i] = (uintptr_t)*place;
	}
	map_free(&known);
}

/* ---- samples ---- */

static void put_label(struct pprof *p, struct protobuf *sample, const char *key, const char *text)
{
	struct protobuf label = {0};
	if (text && *text) {
		protobuf_number(&label, LABEL_KEY, text_of(p, key));
		protobuf_number(&label, LABEL_TEXT, text_of(p, text));
		protobuf_message(sample, SAMPLE_LABEL, &label);
	}
	protobuf_free(&label);
}

static void put_samples(struct pprof *p)
{
	struct stacks *s = p->stacks;
	struct protobuf message = {0};
	uint64_t *path = NULL;
	size_t room = 0;
	for (size_t i = 0; i < s->sample_count; i++) {
		const struct stacks_sample *sample = &s->samples[i];
		uint64_t values[STACKS_TYPES];
		size_t count = 0;
		for (uint32_t at = sample->node; at != STACKS_NOWHERE; at = s->nodes[at].parent) {
			MEMORY_GROW(path, count, room);
			path[count++] = p->locations[at];
		}
		for (size_t t = 0; t < s->type_count; t++)
			values[t] = (uint64_t)stacks_value(s, i, t);
		protobuf_packed(&message, SAMPLE_LOCATIONS, path, count);
		protobuf_packed(&message, SAMPLE_VALUES, values, s->type_count);
		put_label(p, &message, "thread", stacks_thread(s, sample->thread));
		put_label(p, &message, "wait", sample->wait);
		put_label(p, &message, "object", sample->object);
		protobuf_message(&p->out, PROFILE_SAMPLE, &message);
	}
	protobuf_free(&message);
	free(path);
}

/* ---- the whole ---- */

static void put_profile(struct pprof *p)
{
	const struct run *run = p->stacks->run;
	text_of(p, "");
	put_types(p);
	put_mappings(p);
	put_functions(p);
	put_locations(p);
	put_samples(p);
	protobuf_number(&p->out, PROFILE_TIME, run->started_real_ns);
	protobuf_number(&p->out, PROFILE_DURATION, run->wall_ns);
	protobuf_number(&p->out, PROFILE_REMARK,
	                text_of(p, pool_print(&p->stacks->pool, "made by skein " SKEIN_VERSION " from: %s", run->command)));
	for (size_t i = 0; i < p->stacks->remark_count; i++)
		protobuf_number(&p->out, PROFILE_REMARK, text_of(p, p->stacks->remarks[i]));
	for (size_t i = 0; i < p->text_count; i++)
		protobuf_text(&p->out, PROFILE_TEXT, p->texts[i]);
}

static int write_gzip(const unsigned char *data, size_t count, FILE *file, struct fail *why)
{
	z_stream z = {0};
	unsigned char *out = memory_resize(NULL, CHUNK, 1);
	int code = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY);
	bool is_begun = code == Z_OK;
	while (code == Z_OK) {
		if (z.avail_in == 0) {
			z.next_in = (unsigned char *)(uintptr_t)data;
			z.avail_in = count < CHUNK ? (unsigned)count : CHUNK;
			data += z.avail_in;
			count -= z.avail_in;
		}
		z.next_out = out;
		z.avail_out = CHUNK;
		code = deflate(&z, count ? Z_NO_FLUSH : Z_FINISH);
		fwrite(out, 1, CHUNK - z.avail_out, file);
	}
	if (is_begun)
		deflateEnd(&z);
	free(out);
	return code == Z_STREAM_END ? 0 : fail_set(why, FAIL_INTERNAL, "zlib could not compress the profile (%d)", code);
}

int export_pprof(struct stacks *s, FILE *file, struct fail *why)
{
	struct pprof p = {.stacks = s};
	put_profile(&p);
	int result = write_gzip(p.out.bytes.data, p.out.bytes.count, file, why);
	protobuf_free(&p.out);
	free(p.texts);
	lookup_free(&p.text_index);
	free(p.locations);
	return result;
}
