#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Answers as lines, Markdown, JUnit's XML and annotations: what readers of each form read, also of names that were made to break it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
skein-cc -O2 -g -fno-inline "$tests/../examples/paths/parcels.c" -o parcels || exit
skein record paths -q -- ./parcels >/dev/null 2>&1 || exit
skein record calls --counts -q -- ./parcels >/dev/null 2>&1 || exit
claims=('paths: postage calls == 6' 'paths: postage never-executed == 0' 'calls: test wall <= 5 s')

cat >expected.md <<'END'
**skein check**: 1 of 3 held, 1 failed, 1 cannot be told

| result | claim | figure | confidence |
|---|---|---|---|
| holds | paths&#58; postage calls == 6 | 6 | exact |
| **fails** | paths&#58; postage never-executed == 0 | 1 | exact |
| **unknown** | calls&#58; test wall &#60;= 5 s |  | record without --counts, and a run that lasts longer than some snapshots (--period) |
END
expect_status 1 'Markdown' skein check --markdown --junit check.xml "${claims[@]}" parcels.skein
equal 'a table' expected.md "$tmp/out"

# read_junit FILE: as a reader of XML has it, a line for each test
read_junit() {
	python3 - "$1" <<'END'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
suite = root.find("testsuite")
assert root.tag == "testsuites" and len(root) == 1
cases = suite.findall("testcase")
counts = [len(cases), sum(c.find("failure") is not None for c in cases), sum(c.find("error") is not None for c in cases)]
assert counts == [int(suite.get(n)) for n in ("tests", "failures", "errors")] and suite.get("skipped") == "0"
for case in cases:
    said = [e for e in case if e.tag in ("failure", "error")]
    assert len(said) <= 1 and float(case.get("time")) == 0
    print(case.get("classname"), case.get("name"), case.get("file"), *(f"{e.tag} {e.get('type')} {e.get('message')}" for e in said), sep="|")
END
}
cat >expected <<'END'
skein.paths|paths: postage calls == 6|None
skein.paths|paths: postage never-executed == 0|None|failure|fails|paths: postage never-executed == 0: 1 (exact)
skein.calls|calls: test wall <= 5 s|None|error|unknown|calls: test wall <= 5 s cannot be checked: record without --counts, and a run that lasts longer than some snapshots (--period)
END
sed -i -E 's/(failure|error)\|(fails|unknown)\|/\1 \2 /' expected
read_junit check.xml >cases.read
equal 'JUnit: a reader of XML reads the tests' expected cases.read

# Annotations appear only on GitHub, on standard error.
same 'none elsewhere' '' "$(skein check "${claims[@]}" parcels.skein 2>&1 | grep '^::')"
same 'none if it is not true' '' "$(GITHUB_ACTIONS=false skein check "${claims[@]}" parcels.skein 2>&1 | grep '^::')"
printf '\n%s\n' "${claims[@]}" >some,file:100%.check
GITHUB_ACTIONS=true skein check --claims some,file:100%.check parcels.skein >out 2>err
cat >expected <<'END'
::error file=some%2Cfile%3A100%25.check,line=4,title=skein check%3A fails::paths: postage never-executed == 0: 1 (exact)
::warning file=some%2Cfile%3A100%25.check,line=6,title=skein check%3A unknown::calls: test wall <= 5 s cannot be checked: record without --counts, and a run that lasts longer than some snapshots (--period)
END
equal 'what does not hold is annotated at its line' expected err

# Growth is told in all forms, too.
"$build/tests/input/test_report" --recording growth.skein 3 12
expect_status 1 'growth' skein check --markdown --junit growth.xml 'insert: O(n log n)' 'lookup: O(1)' growth.skein
expect_match 'in Markdown' '^\| \*\*worse\*\* \| insert&#58; O\(n log n\) \| insert grows like n&#94;2 \| ' "$tmp/out"
read_junit growth.xml >cases.read
expect_match 'in JUnit' '^skein\.input\|insert: O\(n log n\) \(insert\)\|None\|failure worse insert: grows like n\^2, faster than' cases.read

# A name that would break each of the forms. U+FFFE is not a character of XML.
cp parcels.skein odd.skein
odd="'a|b\`<i>&amp;@x \\ [l](u) ' || char(27) || '[2J' || char(10) || '::error::x%0A\"]]>-->' || char(65534) || 'é'"
sqlite3 odd.skein "update routine set name = $odd, linkage = $odd where name = 'postage'"
GITHUB_ACTIONS=true skein check --markdown --junit odd.xml 'paths: a|b* calls == 7' odd.skein >out 2>err
same 'Markdown: the table has one row' 1 "$(grep -c '^| \*\*fails' out)"
same 'of four cells' 5 "$(grep '^| \*\*fails' out | tr -cd '|' | wc -c)"
check 'and nothing else' eval '[ "$(wc -l <out)" -eq 5 ] && ! grep -q "[<>@\`\\\\]" <(tail -n 1 out)'
same 'an annotation is one line' 1 "$(wc -l <err)"
read_junit odd.xml >cases.read
expect_match 'JUnit: a reader of XML has the name' 'a\|b`<i>&amp;@x \\ \[l\]\(u\) \\x1b\[2J\\x0a::error::x%0A"\]\]>-->\\xef\\xbf\\xbeé' cases.read

# What cannot be written.
refused 125 'a folder that is not there' 'cannot write nothing/check\.xml' skein check --junit nothing/check.xml "${claims[@]}" parcels.skein
refused 125 'a full disk' 'cannot write /dev/full' skein check --junit /dev/full "${claims[0]}" parcels.skein
check 'the device is still there' [ -c /dev/full ]
expect_status 125 'a full disk for the answers' bash -c "skein check '${claims[0]}' parcels.skein >/dev/full"

# The list of figures.
for lens in calls span idle input paths flow; do
	skein check --list $lens >list
	same "the list of $lens has that lens only" "$lens" "$(tail -n +2 list | awk '{print $1}' | sort -u)"
done
same 'a list of all lenses' 6 "$(skein check --list | tail -n +2 | awk '{print $1}' | sort -u | wc -l)"
