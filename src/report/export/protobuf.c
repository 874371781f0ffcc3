/* SPDX-License-Identifier: MIT */
#include "report/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { VARINT = 0, LENGTH = 2, SEVEN_BITS = 0x7f };

static void put_byte(struct protobuf *p, unsigned char byte)
{
	MEMORY_GROW(p->bytes.data, p->bytes.count, p->bytes.room);
	p->bytes.data[p->bytes.count++] = byte;
}

static void put_bytes(struct protobuf *p, const void *data, size_t count)
{
	while (p->bytes.room - p->bytes.count < count) {
		p->bytes.room = p->bytes.room ? 2 * p->bytes.room : 256;
		p->bytes.data = memory_resize(p->bytes.data, p->bytes.room, 1);
	}
	if (count)
		memcpy(p->bytes.data + p->bytes.count, data, count);
	p->bytes.count += count;
}

static void put_varint(struct protobuf *p, uint64_t number)
{
	for (; number > SEVEN_BITS; number >>= 7)
		put_byte(p, (unsigned char)(number & SEVEN_BITS) | (SEVEN_BITS + 1));
	put_byte(p, (unsigned char)number);
}

static void put_tag(struct protobuf *p, unsigned field, unsigned kind)
{
	put_varint(p, field << 3 | kind);
}

void protobuf_number(struct protobuf *p, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	put_tag(p, field, VARINT);
	put_varint(p, number);
}

void protobuf_text(struct protobuf *p, unsigned field, const char *text)
{
	put_tag(p, field, LENGTH);
	put_varint(p, strlen(text));
	put_bytes(p, text, strlen(text));
}

void protobuf_message(struct protobuf *p, unsigned field, struct protobuf *message)
{
	put_tag(p, field, LENGTH);
	put_varint(p, message->bytes.count);
	put_bytes(p, message->bytes.data, message->bytes.count);
	message->bytes.count = 0;
}

void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *numbers, size_t count)
{
	struct protobuf packed = {0};
	for (size_t i = 0; i < count; i++)
		put_varint(&packed, numbers[i]);
	protobuf_message(p, field, &packed);
	protobuf_free(&packed);
}

void protobuf_free(struct protobuf *p)
{
	free(p->bytes.data);
	p->bytes.data = NULL;
	p->bytes.count = p->bytes.room = 0;
}
