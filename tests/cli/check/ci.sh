#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The workflow of doc/ci.md works: its files are taken from the page, and the commands of both systems are run, but for those that
# install Skein.
. "$(dirname "$0")/../../lib/lib.sh"
page=$(realpath "$tests/../doc/ci.md")
examples=$(realpath "$tests/../examples")
mkdir "$tmp/project" && cd "$tmp/project" || exit

# block FILE: the block of code that names it in its first lines
block() { awk -v name="# $1" '/^```/ {if (inside && found) {printf "%s", text; exit} inside = !inside; text = ""; found = 0; next} inside {text = text $0 "\n"; found = found || $0 == name}' "$page"; }
# steps FILE KEY: the commands below a step of that name, as lines without their indentation
steps() { block "$1" | awk -v key="$2" '$0 ~ key {getline; if (/run: \|/) getline; match($0, /^ */); depth = RLENGTH; do {match($0, /^ */); if (RLENGTH < depth) exit; line = substr($0, depth + 1); sub(/^- /, "", line); print line} while ((getline) > 0)}'; }

mkdir ci
for file in skein.check ci/skein.sh .github/workflows/skein.yml .gitlab-ci.yml; do
	block $file >"$tmp/block"
	check "the page has $file" [ -s "$tmp/block" ]
	cp "$tmp/block" "$(basename $file)"
done
mv skein.sh ci/
cp "$examples/paths/parcels.c" prog.c
printf 'CFLAGS = -O2 -g -fno-inline\nprog: prog.c\n\t$(CC) $(CFLAGS) -o $@ prog.c\n' >Makefile
printf 'prog\n*.skein\n.skein\nskein.xml\n' >.gitignore
git init -q . && git add -A && git -c user.name=test -c user.email=test@example.org commit -qm first || exit
base=$(git rev-parse HEAD)

steps .github/workflows/skein.yml 'name: Check' >"$tmp/github"
steps .gitlab-ci.yml '^  script:' >"$tmp/gitlab"
expect_match 'GitHub runs the script' '^sh ci/skein\.sh >>' "$tmp/github"
expect_match 'GitLab runs the script' '^sh ci/skein\.sh$' "$tmp/gitlab"
for system in .github/workflows/skein.yml:'name: Install' .gitlab-ci.yml:'^  before_script:'; do
	steps "${system%%:*}" "${system#*:}" >"$tmp/install"
	expect_match "${system%%:*} installs Skein" '^make -C /opt/skein install PREFIX=/usr/local$' "$tmp/install"
done
check 'the page says the same of both' diff <(steps .github/workflows/skein.yml 'name: Install') <(steps .gitlab-ci.yml '^  before_script:')

github() { rm -f prog; HOME=$tmp GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$tmp/summary BASE=$1 bash -e "$tmp/github"; }
gitlab() { rm -f prog; CI_MERGE_REQUEST_DIFF_BASE_SHA=$1 bash -e "$tmp/gitlab"; }
read_junit() { python3 -c 'import sys, xml.etree.ElementTree as e; s = e.parse("skein.xml").getroot().find("testsuite"); print(s.get("tests"), s.get("failures"), s.get("errors"), len(s.findall("testcase")))'; }

expect_status 0 'GitLab, a push: all claims hold' gitlab ''
same 'each is a test' '5 0 0 5' "$(read_junit)"
expect_status 0 'GitHub, a request that changes nothing' github "$base"
same 'with the comparisons' '7 0 0 7' "$(read_junit)"
expect_match 'the summary is a table' '^\*\*skein check\*\*: 7 of 7 held$' "$tmp/summary"
check 'nothing is annotated' eval '! grep -q "^::" "$tmp/err"'
check 'the tree of the base is gone' [ ! -e .base ]

# More work, and one call more.
sed -i 's/^int main(.*/static volatile long slow;\n&/; s/^\treturn argc > 1/\tfor (long i = 0; i < 10000; i++)\n\t\tslow += i;\n\tslow += (long)postage(\&(struct parcel){0});\n&/' prog.c
expect_status 1 'GitHub, a request that makes it slower' github "$base"
expect_match 'the summary has what failed' '^\| \*\*fails\*\* \| span&#58; work &#60;= 105 % of base\.skein \| [0-9,]+, [0-9]+ % of [0-9,]+ \| exact, both \|$' "$tmp/summary"
expect_match 'a claim of the file is annotated at its line' "^::error file=skein\.check,line=$(grep -n 'calls: postage' skein.check | cut -d: -f1),title=skein check%3A fails::calls: postage calls == 6: " "$tmp/err"
expect_match 'a claim of the script without one' '^::error title=skein check%3A fails::span: work <= 105 %25 of base\.skein: ' "$tmp/err"
expect_status 1 'GitLab, the same' gitlab "$base"
same 'they are failures' '7 3 0 7' "$(read_junit)"
