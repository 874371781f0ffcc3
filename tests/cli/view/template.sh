#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The committed template of skein view is what web/ builds, byte by byte; it is small; and every licence of what is in it is there.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/npm.sh"
web=$tests/../web
cd "$tmp" || exit

check 'the template has at most 400,000 bytes' [ "$(wc -c <"$web/view.html")" -le 400000 ]
same 'it has one place for data' 1 "$(grep -c '@SKEIN_DATA@' "$web/view.html")"
same 'and no other place' '' "$(grep -oE '@[A-Z_]+@' "$web/view.html" | grep -v '@SKEIN_DATA@')"
check 'what this build installs is the template' cmp "$web/view.html" "$build/lib/skein/view.html"
for file in "$web/package.json" "$tests/browser/package.json"; do
	same "$(basename "$(dirname "$file")")/package.json names exact versions" '' "$(grep -E '": "[~^*<>]' "$file")"
done
for lock in "$web/package-lock.json" "$tests/browser/package-lock.json"; do
	same "$(basename "$(dirname "$lock")"): the lock file names no address" '' "$(grep -nE '"resolved"|https?://' "$lock" | grep -vE '"(url|funding)"' | head -n 3)"
	check "$(basename "$(dirname "$lock")"): every package of it has a digest" awk '/"node_modules\// {name = $1; n++} /"integrity"/ {m++} END {exit !(n > 1 && n == m)}' "$lock"
done

why=$(npm_missing)
[ -n "$why" ] || why=$(npm_install "$web" "$build/tests/web") || why="npm cannot install what the page is made of: $why"
if [ -n "$why" ]; then
	skip 'the template is what web/ builds' "$why"
	exit 0
fi
mkdir web
cp -r "$web"/{src,build.mjs,page.html,package.json,tsconfig.json} web
ln -s "$build/tests/web/node_modules" web/node_modules
cd web || exit
check 'web/ is without faults to TypeScript' node_modules/.bin/tsc --noEmit
check 'the template is built' node build.mjs view.html
check 'it is the one that is committed (else: cd web && npm ci && npm run build)' cmp view.html "$web/view.html"
check 'so are its licences' cmp LICENCES "$web/LICENCES"
node build.mjs again.html >/dev/null
check 'the same sources give the same bytes' cmp view.html again.html

# Every package that the program imports is named, with its version, and its licence allows to pass it on.
imports=$(grep -rhoE "(from|@import) ['\"][^.'\"][^'\"]*['\"]" src | sed -E "s/^[^'\"]*['\"]//; s/['\"]\$//; s,^(@[^/]*/[^/]*|[^@/][^/]*)/.*,\1," | sort -u)
check 'there are packages' [ "$(wc -w <<<"$imports")" -ge 3 ]
for package in $imports; do
	version=$(sed -n 's/^\t*"version": "\(.*\)".*/\1/p;s/^  "version": "\(.*\)".*/\1/p' "node_modules/$package/package.json")
	expect_match "LICENCES has $package" "^$package $version \((MIT|ISC|BSD-[23]-Clause)\)\$" LICENCES
done
expect_match 'the page shows the licences' 'Permission is hereby granted, free of charge' view.html

# A fault is found.
echo 'export const wrong: number = "text"' >src/wrong.ts
check 'a fault of types is found' eval '! node_modules/.bin/tsc --noEmit >said && grep -q wrong.ts said'
