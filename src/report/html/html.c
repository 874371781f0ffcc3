/* SPDX-License-Identifier: MIT */
/* html.c: fills in the page: head and columns, compressed, in the place of the template that is for them. */
#include "report/html/html.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/blob.h"
#include "base/folder.h"
#include "base/strv.h"

static const char marker[] = "@SKEIN_DATA@";

/* ---- gzip in base64 ---- */

struct packer {
	FILE *file;
	z_stream z;
	unsigned char out[3 * 16384];
};

static void put_base64(FILE *file, const unsigned char *at, size_t count)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (; count; at += 3) {
		size_t n = count < 3 ? count : 3;
		uint32_t bits = (uint32_t)at[0] << 16 | (n > 1 ? (uint32_t)at[1] << 8 : 0) | (n > 2 ? at[2] : 0);
		char text[] = {digits[bits >> 18], digits[bits >> 12 & 63], n > 1 ? digits[bits >> 6 & 63] : '=',
		               n > 2 ? digits[bits & 63] : '='};
		fwrite(text, 1, sizeof text, file);
		count -= n;
	}
}

/* Whole triples go out, so that the text is that of all bytes in one. */
static void pack(struct packer *p, const unsigned char *at, size_t count, bool is_last)
{
	do {
		p->z.next_in = (unsigned char *)at;
		p->z.avail_in = count < 1u << 30 ? (unsigned)count : 1u << 30;
		at += p->z.avail_in;
		count -= p->z.avail_in;
		int state = Z_OK;
		while (state == Z_OK && (p->z.avail_in || is_last)) {
			state = deflate(&p->z, is_last && !count ? Z_FINISH : Z_NO_FLUSH);
			size_t ready = sizeof p->out - p->z.avail_out;
			if (!p->z.avail_out || state == Z_STREAM_END) {
				put_base64(p->file, p->out, ready);
				p->z.next_out = p->out;
				p->z.avail_out = sizeof p->out;
			}
		}
	} while (count);
}

int html_pack(const unsigned char *head, size_t head_bytes, const unsigned char *body, size_t body_bytes, FILE *file, struct fail *why)
{
	enum { GZIP = 16, LEVEL = 6 };
	struct packer *p = memory_zeroed(1, sizeof *p);
	const unsigned char length[4] = {(unsigned char)head_bytes, (unsigned char)(head_bytes >> 8), (unsigned char)(head_bytes >> 16),
	                                 (unsigned char)(head_bytes >> 24)};
	p->file = file;
	if (deflateInit2(&p->z, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(p);
		return fail_set(why, FAIL_INTERNAL, "cannot compress the page: zlib refuses");
	}
	p->z.next_out = p->out;
	p->z.avail_out = sizeof p->out;
	pack(p, length, sizeof length, false);
	pack(p, head, head_bytes, false);
	pack(p, body, body_bytes, true);
	deflateEnd(&p->z);
	free(p);
	return 0;
}

/* ---- the page ---- */

static int put_head(const struct html_ask *ask, struct columns *columns, FILE *head, struct fail *why)
{
	fprintf(head, "{\"version\": 1, \"skein\": \"" SKEIN_VERSION "\",\n\"recordings\": [");
	for (size_t i = 0; i < ask->count; i++) {
		fputs(i ? ",\n" : "", head);
		if (html_recording(ask->paths[i], ask->with_source, columns, head, why) < 0)
			return -1;
	}
	fputs("],\n", head);
	if (ask->count == 2) {
		fputs("\"difference\": ", head);
		if (html_difference(ask->paths, columns, head, why) < 0)
			return -1;
		fputs(",\n", head);
	}
	fputs("\"texts\": ", head);
	columns_texts(columns, head);
	fputs("}\n", head);
	return 0;
}

static int read_template(struct html_page *page, struct fail *why)
{
	char *folder = folder_libdir(), *path = folder ? str_format("%s/view.html", folder) : NULL;
	int result = 0;
	if (!path || blob_read(path, &page->template, why) < 0)
		result = fail_set(why, FAIL_INTERNAL, "skein's own file view.html is missing: install skein again");
	if (result == 0) {
		page->place = memmem(page->template.at, page->template.size, marker, sizeof marker - 1);
		if (!page->place)
			result = fail_set(why, FAIL_INTERNAL, "%.300s has no place for data: install skein again", path);
	}
	free(path);
	free(folder);
	return result;
}

int html_make(struct html_page *page, const struct html_ask *ask, struct fail *why)
{
	*page = (struct html_page){0};
	if (read_template(page, why) < 0)
		return -1;
	FILE *head = mem_or_die(open_memstream(&page->head, &page->head_bytes));
	int result = put_head(ask, &page->columns, head, why);
	fclose(head);
	return result;
}

int html_write(const struct html_page *page, FILE *file, struct fail *why)
{
	const unsigned char *rest = page->place + sizeof marker - 1, *end = page->template.at + page->template.size;
	fwrite(page->template.at, 1, (size_t)(page->place - page->template.at), file);
	int result = html_pack((const unsigned char *)page->head, page->head_bytes, page->columns.bytes, page->columns.count, file, why);
	fwrite(rest, 1, (size_t)(end - rest), file);
	return result;
}

void html_free(struct html_page *page)
{
	blob_free(&page->template);
	free(page->head);
	columns_free(&page->columns);
	memset(page, 0, sizeof *page);
}
