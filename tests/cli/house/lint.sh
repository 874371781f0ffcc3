#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The source is as the linters want it, and each linter can fail.
. "$(dirname "$0")/../../lib/lib.sh"

lint=$tests/../tools/lint
export JOBS=1 # suites run beside this one

for part in format tidy shell spelling; do
	check "$part: nothing to complain of" "$lint" "$build" "$part"
done

# finds PART PATTERN FILE: the linter complains of this file, with these words
finds() {
	if "$lint" "$build" "$1" "$3" >"$tmp/found" 2>&1; then
		not_ok "$1 complains" "nothing was said of $(basename "$3")"
	else
		expect_match "$1 complains" "$2" "$tmp/found"
	fi
}

printf 'int  f( void ) ;\n' >"$tmp/ugly.c"
cp "$tests/../.clang-format" "$tmp"
finds format 'should be clang-formatted' "$tmp/ugly.c"
cp "$tests/../.clang-tidy" "$tmp"
printf '#include <string.h>\nint f(const char *a) { return strcmp(a, "x") == 7; }\n' >"$tmp/wrong.c"
finds tidy bugprone-suspicious-string-compare "$tmp/wrong.c"
printf '#!/bin/sh\nrm $1\n' >"$tmp/unquoted"
finds shell SC2086 "$tmp/unquoted"
echo 'It was rec''ieved.' >"$tmp/misspelt.md"
finds spelling '==> received' "$tmp/misspelt.md"
