/* SPDX-License-Identifier: MIT */
/* object.h: the data that an instrumented object shares with the runtime.
 *
 * Each re-linked program or library holds one struct skein_object (in its hooks). The plugin fills the first part at
 * link time, the runtime the second when the object registers itself, before any other constructor of the object. */
#ifndef SKEIN_RT_OBJECT_H
#define SKEIN_RT_OBJECT_H

#include <stdint.h>

struct skein_object {
	uint32_t routines, sites; /* lines of its table */
	char build_id[72];        /* of the native file, hex */
	uint64_t *nowhere;        /* as large as a table of its sites: for counts that are never read */
	uint32_t root;            /* span: 1 + the site that stands for what no site called, in the object that has main; else 0 */
	uint32_t first_routine;   /* number of its routine 0; 0 until it is registered */
	uint32_t slot;            /* index of this object in a thread's tables of sites; 0 until it is registered */
	uint32_t unused;
	uint64_t first_key; /* span: of its site 0 in a log */
};

#define RT_API __attribute__((visibility("default")))

RT_API void skein_rt_register(struct skein_object *object);
RT_API void skein_rt_unregister(struct skein_object *object);

#endif
