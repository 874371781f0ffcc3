/* SPDX-License-Identifier: MIT */
/* protobuf.h: writes messages in the wire format of Protocol Buffers: varints, texts, messages inside of messages.
 *
 *     struct protobuf line = {0}, location = {0};
 *     protobuf_number(&line, 1, 7);                     a field that is 0 is left out: that is its default
 *     protobuf_message(&location, 4, &line);            empties `line`, for the next one
 *     protobuf_packed(&location, 1, ids, count);
 *     fwrite(location.bytes.data, 1, location.bytes.count, file);
 *     protobuf_free(&location);
 *     protobuf_free(&line); */
#ifndef SKEIN_PROTOBUF_H
#define SKEIN_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct protobuf {
	struct {
		unsigned char *data;
		size_t count, room;
	} bytes;
};

void protobuf_number(struct protobuf *p, unsigned field, uint64_t number); /* of a negative one, its two's complement */
void protobuf_text(struct protobuf *p, unsigned field, const char *text);  /* also an empty one */
void protobuf_message(struct protobuf *p, unsigned field, struct protobuf *message);
void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *numbers, size_t count);
void protobuf_free(struct protobuf *p);

#endif
