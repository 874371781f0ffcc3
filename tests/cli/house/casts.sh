#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A cast of a double that does not fit into a whole number has no defined result, and figures of a recording may be anything.
# Such casts stand in one file, which compares first; and in code that cannot include that file and compares by itself.
. "$(dirname "$0")/../../lib/lib.sh"

top=$(realpath "$tests/..")
cd "$tmp" || exit
may='base/number\.c:number_within core/paths/turns\.c:largest_share rt/span/clock\.c:clock_wait_end'

# The compiler's own view, in which no cast hides in an assignment, an argument or a macro. Constants have none.
cat >"$tmp/casts" <<'END'
#!/bin/sh
# LLVM TOP FILE…: a line FILE:FUNCTION for each cast from a double to a whole number; a file that cannot be read is one, too
llvm=$1 top=$2
shift 2
for file; do
	clang-19 -w -std=gnu11 -O0 -D_GNU_SOURCE -DSKEIN_VERSION='""' -DSKEIN_LIBOMP='""' -I"$top/src" -I"$top/include" \
		-I"$llvm" -S -emit-llvm -o - "$file" 2>/dev/null |
		awk -v file="$file" '/^define / {gsub(/.*@|\(.*/, ""); name = $0; seen = 1} /= fpto[su]i / {print file ":" name} END {if (!NR) print file ": not compiled"}'
done
END
chmod +x "$tmp/casts"

# casts SRC: of all C files but those of the Valgrind tool, which calculates with whole numbers only
casts() (cd "$1" && find . -name '*.c' -not -path './valgrind/*' -printf '%P\0' | xargs -0 -r -n 16 -P 2 "$tmp/casts" "$(llvm-config-19 --includedir)" "$top" | sort -u)

casts "$top/src" >found
for place in $may; do expect_match "the cast of $place is found" "^$place\$" found; done
same 'there is no other cast from a double' '' "$(grep -vxE "${may// /|}" found | paste -sd' ')"
same 'the Valgrind tool has no doubles' '' "$(grep -lwE 'double|float' -r "$top/src/valgrind" --include='*.[ch]' | paste -sd' ')"

# Each form is found.
mkdir -p "$tmp/wrong"
cat >"$tmp/wrong/wrong.c" <<'END'
#include <math.h>
int plain(double x) { return (int)x; }
unsigned long assigned(double x) { unsigned long y = ceil(x); return y; }
static int takes(long n) { return n != 0; }
int given(double x) { return takes(2 * x); }
int constant(void) { return (int)2.5; }
END
same 'a cast, an assignment and an argument are found, a constant is none' 'wrong.c:assigned wrong.c:given wrong.c:plain' "$(casts "$tmp/wrong" | paste -sd' ')"
