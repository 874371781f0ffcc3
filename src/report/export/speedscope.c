/* SPDX-License-Identifier: MIT */
/* speedscope.c: `skein export speedscope`: call paths as speedscope's own format has them, a profile for each figure.
 *
 * A profile is "sampled": paths in an order, here that of the lens, each with its weight. It has no times; the view "Left Heavy" is the one
 * to look at. */
#include "report/export/speedscope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/strv.h"

void speedscope_begin(const struct stacks *s, FILE *file)
{
	fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"skein " SKEIN_VERSION "\",\"name\":",
	      file);
	escape_json(file, str_base(s->run->program));
	fputs(",\"activeProfileIndex\":0,\"profiles\":[", file);
}

void speedscope_profile(FILE *file, bool *is_first, const char *type, const char *name, const char *unit, int64_t end)
{
	fprintf(file, "%s\n{\"type\":\"%s\",\"name\":", *is_first ? "" : ",", type);
	escape_json(file, name);
	fprintf(file, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64, strcmp(unit, "nanoseconds") == 0 ? unit : "none", end);
	*is_first = false;
}

void speedscope_end(const struct stacks *s, FILE *file)
{
	fputs("],\n\"shared\":{\"frames\":[", file);
	for (size_t i = 0; i < s->function_count; i++) {
		const struct stacks_function *f = &s->functions[i];
		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", file);
		escape_json(file, f->name);
		if (*f->file) {
			fputs(",\"file\":", file);
			escape_json(file, f->file);
		}
		if (*f->file && f->line)
			fprintf(file, ",\"line\":%u", f->line);
		fputc('}', file);
	}
	fputs("]}}\n", file);
}

static void put_path(const struct stacks *s, uint32_t node, uint32_t **path, size_t *room, FILE *file)
{
	size_t count = 0;
	for (uint32_t at = node; at != STACKS_NOWHERE; at = s->nodes[at].parent) {
		MEMORY_GROW(*path, count, *room);
		(*path)[count++] = s->nodes[at].function;
	}
	fputc('[', file);
	while (count--)
		fprintf(file, "%u%s", (*path)[count], count ? "," : "");
	fputc(']', file);
}

static void put_type(const struct stacks *s, size_t type, bool *is_first, FILE *file)
{
	int64_t total = 0;
	uint32_t *path = NULL;
	size_t room = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		total = stacks_sum(total, stacks_value(s, i, type));
	speedscope_profile(file, is_first, "sampled", s->types[type].name, s->types[type].unit, total);
	const char *comma = "";
	fputs(",\"samples\":[", file);
	for (size_t i = 0; i < s->sample_count; i++)
		if (stacks_value(s, i, type)) {
			fputs(comma, file);
			put_path(s, s->samples[i].node, &path, &room, file);
			comma = ",";
		}
	comma = "";
	fputs("],\"weights\":[", file);
	for (size_t i = 0; i < s->sample_count; i++)
		if (stacks_value(s, i, type)) {
			fprintf(file, "%s%" PRId64, comma, stacks_value(s, i, type));
			comma = ",";
		}
	fputs("]}", file);
	free(path);
}

/* The chosen figure comes first: speedscope opens that one. */
int export_speedscope(struct stacks *s, FILE *file, struct fail *why)
{
	bool is_first = true;
	(void)why;
	speedscope_begin(s, file);
	put_type(s, s->chosen, &is_first, file);
	for (size_t t = 0; t < s->type_count; t++)
		if (t != s->chosen)
			put_type(s, t, &is_first, file);
	speedscope_end(s, file);
	return 0;
}
