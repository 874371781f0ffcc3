/* SPDX-License-Identifier: MIT */
/* schema.h: schema.sql as a string, and the two numbers in the head of every recording. */
#ifndef SKEIN_STORE_SCHEMA_H
#define SKEIN_STORE_SCHEMA_H

#define SCHEMA_APPLICATION_ID 0x536b656e /* "Sken" */
/* Rises with each change of a statement in schema.sql; tests/lib/schema.tsv has the list. */
#define SCHEMA_VERSION 28

extern const char schema_sql[];

#endif
