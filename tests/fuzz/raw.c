/* SPDX-License-Identifier: MIT */
/* A raw recording: every byte that the reader lets through lies in the file. */
#include "fuzz/fuzz.h"

#include "raw/reader.h"

static void read_record(const struct raw_record *r)
{
	fuzz_read_bytes(r, r->bytes);
	if (r->type == RAW_TABLE) {
		const struct raw_table *table = (const void *)r;
		size_t rows;
		const void *at = raw_table_rows(table, &rows);
		fuzz_read_bytes(at, rows * table->row_bytes);
	} else if (r->type == RAW_OBJECT) {
		const struct raw_object *object = (const void *)r;
		for (unsigned n = 0; n < 4; n++)
			fuzz_read(raw_text(object->text, object->text_bytes, n));
	} else if (r->type == RAW_NAME) {
		const struct raw_name *name = (const void *)r;
		for (unsigned n = 0; n < 3; n++)
			fuzz_read(raw_text(name->text, name->text_bytes, n));
	} else if (r->type == RAW_MODULE) {
		const struct raw_module *module = (const void *)r;
		for (unsigned n = 0; n < 3; n++)
			fuzz_read(raw_text(module->text, module->text_bytes, n));
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct raw_reader raw;
	struct fail why;
	if (raw_reader_open(&raw, fuzz_file("1.raw", bytes, size), &why) < 0)
		return 0;
	for (const struct raw_record *r = raw_first(&raw); r; r = raw_next(&raw, r))
		read_record(r);
	raw_reader_close(&raw);
	return 0;
}
