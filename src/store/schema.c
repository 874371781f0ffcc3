/* SPDX-License-Identifier: MIT */
/* schema.c: embeds schema.sql; the assembler reads it from the folder in which make runs. */
#include "store/schema.h"

__asm__(".pushsection .rodata\n"
        ".globl schema_sql\n"
        ".type schema_sql, @object\n"
        "schema_sql:\n"
        ".incbin \"src/store/schema.sql\"\n"
        ".byte 0\n"
        ".size schema_sql, . - schema_sql\n"
        ".popsection\n");
