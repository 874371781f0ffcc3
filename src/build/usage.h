/* SPDX-License-Identifier: MIT */
/* usage.h: what skein-cc is, in the words of its --help and of its man page. */
#ifndef SKEIN_USAGE_H
#define SKEIN_USAGE_H

#define USAGE_COMPILER                                                                                     \
	"Compiles and links like clang 19, with the same options. The program runs at native speed. Each " \
	"object also holds LLVM bitcode, and the program holds a note that says how it was linked. "       \
	"`skein record` re-links the program from these, so keep the objects and archives."

#define USAGE_COMPILER_EXAMPLES                                                \
	"make CC=skein-cc CXX=skein-c++\n"                                     \
	"./configure CC=skein-cc && make\n"                                    \
	"cmake -DCMAKE_C_COMPILER=skein-cc -DCMAKE_CXX_COMPILER=skein-c++ .\n" \
	"skein-cc -O2 -g -pthread prog.c -o prog"

#endif
