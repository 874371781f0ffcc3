#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pictures of the documents show what the source has.
. "$(dirname "$0")/../../lib/lib.sh"

top=$(realpath "$tests/..")
graph=$top/tools/include-graph
cd "$top" || exit

check 'the picture of includes is that of the source (else: make pictures)' diff doc/pictures/includes.dot <("$graph")
check 'it has every folder' diff <(cd src && printf '%s\n' */ | tr -d /) <(sed -n 's/^\t\([a-z_]*\) \[fillcolor.*/\1/p' doc/pictures/includes.dot)

# titles FILE: nodes and edges by name, of a picture
titles() { sed -n 's,^<title>\(.*\)</title>$,\1,p' "$1" | sed 's/&#45;/-/g; s/&gt;/>/g' | sort; }
for picture in doc/pictures/*.dot; do
	check "$(basename "$picture") is drawn as it is (else: make pictures)" diff <(titles "${picture%.dot}.svg") <(dot -Tsvg "$picture" >"$tmp/now.svg"; titles "$tmp/now.svg")
	expect_match "doc/architecture.md shows $(basename "$picture" .dot)" "pictures/$(basename "$picture" .dot)\.svg" doc/architecture.md
done

# An include more is an arrow more; an include that follows from others is none.
cp -r src "$tmp/src"
echo '#include "store/store.h"' >>"$tmp/src/pass/cost.c"
expect_match 'a new include shows' '^> 	pass -> store' <(diff <("$graph" src) <("$graph" "$tmp/src"))
mkdir -p "$tmp/small"/{a,b,c}
printf '#include "b/b.h"\n#include "c/c.h"\n' >"$tmp/small/a/a.c"
echo '#include "c/c.h"' >"$tmp/small/b/b.h"
same 'arrows that follow from others are left out' 'a->b b->c' "$("$graph" "$tmp/small" | sed -n 's/^\t\(.*\) -> \(.*\)/\1->\2/p' | xargs)"
