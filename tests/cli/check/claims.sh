#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claims on the command line and in files, and what is said of each: exit status, sentences, other recordings, hostile input.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
examples=$(realpath "$tests/../examples")

skein-cc -O2 -g -fno-inline "$examples/paths/parcels.c" -o parcels || exit
skein-cc -O2 -g "$examples/cilk/quicksort.c" -o quicksort || exit
skein record paths -q -- ./parcels >/dev/null 2>&1 || exit
skein record calls --counts -q -- ./parcels >/dev/null 2>&1 || exit
skein record span -q -o sort.skein -- ./quicksort 50000 >/dev/null 2>&1 || exit
skein record span -q -o more.skein -- ./quicksort 100000 >/dev/null 2>&1 || exit

# ---- exit status ----

expect_status 0 'all hold' skein check 'paths: postage calls == 6' 'paths: lost == 0' parcels.skein
expect_status 1 'one fails' skein check 'paths: postage calls == 6' 'paths: postage never-executed == 0' parcels.skein
expect_status 3 'one cannot be told' skein check 'paths: postage calls == 6' 'calls: test wall <= 5 s' parcels.skein
expect_status 1 'a failure counts more than a doubt' skein check 'calls: test wall <= 5 s' 'paths: postage calls == 7' 'calls: test wall <= 5 s' parcels.skein
for wrong in 'paths: postage kalls == 6' 'paths: postage calls = 6' 'paths: postage calls == six' 'paths: calls == 6' 'calls: wall <= 5' \
	'paths: nobody calls == 6' 'calls: nobody -> main calls == 1' 'calls: main -> nobody calls == 1' 'nothing: x == 5' "paths: '' calls == 1" 'paths:'; do
	expect_status 2 "wrong usage: $wrong" skein check "$wrong" parcels.skein
	expect_sentence "one sentence: $wrong"
	same "and no answer: $wrong" '' "$(cat "$tmp/out")"
done
refused 127 'a lens that was not recorded' 'no run of the idle lens' skein check 'idle: idleness <= 5 %' parcels.skein
refused 127 'a recording that is not there' 'nothing\.skein' skein check 'idle: idleness <= 5 %' nothing.skein
refused 127 'another recording that is not there' 'nothing\.skein' skein check 'paths: coverage >= 100 % of nothing.skein' parcels.skein
refused 2 'an option of growth without such a claim' '--metric is for claims about the lens input: add such a claim' skein check 'paths: coverage >= 5' --metric rms parcels.skein
refused 2 'a list of a lens that is not there' 'there is no lens spam' skein check --list spam
expect_status 0 'the newest recording' env -C "$tmp" skein check 'span: parallelism > 1'

# ---- what is said ----

shows 'figures, bounds, how sure they are' skein check 'paths: postage calls == 6' 'paths: coverage >= 80 %' 'paths: postage never-executed == 0' \
	'paths: p*e calls >= 6' 'paths: serve executed == 0' 'calls: main -> test calls == 1' parcels.skein <<'END'
holds    paths: postage calls == 6: 6 (exact)
fails    paths: coverage >= 80 %: 41 % (exact)
fails    paths: postage never-executed == 0: 1 (exact)
holds    paths: p*e calls >= 6: postage (parcels.c:27) 6 (exact)
holds    paths: serve executed == 0: 0 (exact)
holds    calls: main -> test calls == 1: 1 (exact)
END
shows 'each match must hold' skein check 'paths: *a* calls <= 1' parcels.skein <<'END'
holds    paths: *a* calls <= 1: main (parcels.c:64) 1 (exact)
fails    paths: *a* calls <= 1: postage (parcels.c:27) 6 (exact)
fails    paths: *a* calls <= 1: abroad (parcels.c:22) 2 (exact)
END
shows 'brackets are another spelling' skein check 'paths: calls(postage) == 6' parcels.skein <<'END'
holds    paths: calls(postage) == 6: 6 (exact)
END
coverage=$(awk 'BEGIN {printf "%.4f", 900 / 22}')
expect_status 0 'equal as far as is written' skein check "paths: coverage == $coverage" 'paths: coverage == 40.9' 'paths: coverage == 41 %' parcels.skein
expect_status 1 'but no further' skein check 'paths: coverage == 40.900 %' parcels.skein
shows 'as many digits as tell it from the bound' skein check 'paths: coverage >= 40.91' 'paths: coverage > 40.9' parcels.skein <<'END'
fails    paths: coverage >= 40.91: 40.909 % (exact)
holds    paths: coverage > 40.9: 40.91 % (exact)
END

# Names of C++ are made of what claims are made of.
cat >names.cpp <<'END'
namespace span {
struct point {
	int x;
	__attribute__((noinline)) bool operator<=(const point &p) const { asm volatile(""); return x <= p.x; }
	__attribute__((noinline)) point *operator->() { asm volatile(""); return this; }
};
__attribute__((noinline)) int calls(int a, int b) { asm volatile(""); return a + b; }
}
__attribute__((noinline)) int span_of(span::point p) { return p->x; }
int main()
{
	span::point a = {1}, b = {2};
	int sum = 0;
	for (int i = 0; i < 3; i++) sum += span::calls(i, a <= b) + span_of(a);
	return sum != 9;
}
END
skein-c++ -O1 -g names.cpp -o names || exit
expect_status 0 'a C++ program' skein record calls --counts -q -- ./names
shows 'names of C++' skein check 'calls: span::calls(int, int) calls == 3' 'calls: span::point::operator<=(span::point const&) const calls <= 3' \
	"calls: 'span::point::operator->()' calls == 3" 'calls: span_of(span::point) -> span::point::operator->() calls == 3' \
	'calls: _ZN4span5callsEii calls < 3' 'calls: calls(span::calls(int, int)) == 3' names.skein <<'END'
holds    calls: span::calls(int, int) calls == 3: 3 (exact)
holds    calls: span::point::operator<=(span::point const&) const calls <= 3: 3 (exact)
holds    calls: 'span::point::operator->()' calls == 3: 3 (exact)
holds    calls: span_of(span::point) -> span::point::operator->() calls == 3: 3 (exact)
fails    calls: _ZN4span5callsEii calls < 3: span::calls(int, int) (names.cpp:7) 3 (exact)
holds    calls: calls(span::calls(int, int)) == 3: 3 (exact)
END

expect_status 0 'a pattern of them' skein check 'calls: span::* calls == 3' names.skein
same 'each is told' 3 "$(grep -cE '^holds    calls: span::\* calls == 3: span::.* \(names\.cpp:[0-9]+\) 3 \(exact\)$' "$tmp/out")"

# ---- another recording ----

small=$(csv_value <(skein report span sort.skein --view summary --csv) name=work value)
large=$(csv_value <(skein report span more.skein --view summary --csv) name=work value)
expect_status 0 'as much as itself' skein check 'span: work == 100 % of sort.skein' 'span: partition span% <= 100 % of sort.skein' sort.skein
expect_match 'both are exact' '\(exact, both\)$' "$tmp/out"
expect_status 0 'less than another' skein check "span: work <= 100 % of more.skein" 'span: partition work < 90% of more.skein' sort.skein
expect_status 1 'more than another' skein check 'span: work <= 110 % of sort.skein' more.skein
expect_match 'it says by how much' "^fails    span: work <= 110 % of sort.skein: $(sed -E ':a; s/([0-9])([0-9]{3})(,|$)/\1,\2\3/; ta' <<<"$large"), $(awk "BEGIN {printf \"%.0f\", 100 * $large / $small}") % of" "$tmp/out"
expect_status 0 'a name with a blank, in quotes' env -C "$tmp" bash -c 'cp sort.skein "a <= 5.skein"; skein check "span: work == 100 % of '"'a <= 5.skein'"'" sort.skein'
cp parcels.skein base.skein
sqlite3 base.skein "update routine set name = 'other', linkage = 'other' where name = 'postage'"
expect_status 3 'a routine that the other has not' skein check 'paths: postage calls <= 100 % of base.skein' parcels.skein
expect_match 'it says so' 'cannot be checked: base.skein: this recording has no routine postage' "$tmp/out"
refused 127 'the other lacks the lens' 'sort.skein has no run of the paths lens' skein check 'paths: postage calls <= 100 % of sort.skein' parcels.skein

# ---- events that were lost ----

cp parcels.skein lost.skein
sqlite3 lost.skein "insert into lost select process.run, process.process, 0, 3, '' from process join run on run.run = process.run where run.lens = 'paths'"
expect_status 3 'a count may be too small' skein check 'paths: postage calls == 6' lost.skein
expect_match 'it says why' '6, which cannot be told from the bound \(3 events were lost\)$' "$tmp/out"
expect_status 0 'but no smaller than it is' skein check 'paths: postage calls >= 6' lost.skein
expect_status 1 'and is too large already' skein check 'paths: postage calls < 6' lost.skein
expect_status 3 'a share may be anything' skein check 'paths: coverage >= 1' lost.skein
expect_status 1 'the loss itself is known' skein check 'paths: lost == 0' lost.skein

# ---- files of claims ----

printf '# what must stay\n\n  paths: postage calls == 6   # of the tests\r\n\tpaths: coverage >= 5 %%\n#last\n' >skein.check
expect_status 0 'skein.check of this folder' skein check parcels.skein
same 'all of its claims' 2 "$(grep -c '^holds' "$tmp/out")"
expect_status 1 'not with a claim' skein check 'paths: coverage >= 95 %' parcels.skein
same 'that alone' 1 "$(wc -l <"$tmp/out")"
echo 'paths: coverage >= 95 %' >other.check
expect_status 1 'another file' skein check --claims other.check parcels.skein
same 'that alone, too' 1 "$(wc -l <"$tmp/out")"
expect_status 1 'two files and a claim' skein check 'paths: lost == 0' --claims other.check --claims skein.check parcels.skein
same 'all of them' 4 "$(wc -l <"$tmp/out")"
printf 'paths: lost == 0\npaths: postage kalls == 6\n' >wrong.check
refused 2 'a wrong line' 'wrong\.check:2: the lens paths has no figure kalls; did you mean calls' skein check --claims wrong.check parcels.skein
printf '\nlost\n' >wrong.check
refused 2 'a line that is no claim' 'wrong\.check:2: lost is not a claim' skein check --claims wrong.check parcels.skein
printf 'paths: nobody calls == 6\n' >wrong.check
refused 2 'a routine that is not there' 'wrong\.check:1: this recording has no routine nobody' skein check --claims wrong.check parcels.skein
printf 'paths: lost == 0\0\n' >wrong.check
refused 2 'a byte 0' 'wrong\.check:1: a byte 0 is not text' skein check --claims wrong.check parcels.skein
echo '# nothing' >wrong.check
refused 2 'no claim in it' 'no claim in wrong\.check' skein check --claims wrong.check parcels.skein
refused 2 'no such file' 'cannot read claims from nothing\.check' skein check --claims nothing.check parcels.skein
refused 2 'a folder' 'cannot read claims from \.: ' skein check --claims . parcels.skein
rm skein.check
refused 2 'no claim at all' 'check needs a claim' skein check parcels.skein

# ---- hostile names ----

cp parcels.skein odd.skein
# shellcheck disable=SC2016 # no expansion is meant
odd="'a|b\`<i>&' || char(27) || '[2J' || char(10) || '::error::x%0A\"]]>'"
sqlite3 odd.skein "update routine set name = $odd, linkage = $odd where name = 'postage'"
expect_status 1 'a hostile name' skein check 'paths: *error* calls == 7' odd.skein
same 'is one line' 1 "$(wc -l <"$tmp/out")"
check 'without control characters' eval '! grep -q "[[:cntrl:]]" "$tmp/out"'
for claim in 'calls: [ calls == 1' 'calls: [!a calls == 1' 'calls: *\\ calls == 1' "calls: $(printf 'x%.0s' {1..3000}) calls == 1" "calls: $(printf '<=%.0s' {1..3000})" \
	"calls: f calls <= $(printf '9%.0s' {1..300})" 'calls: %s%n calls == 1' "calls: f calls == 1 % of $(printf '../%.0s' {1..2000})x"; do
	status=0
	skein check "$claim" parcels.skein >"$tmp/out" 2>"$tmp/err" || status=$?
	check "refused in a sentence: ${claim:0:30}" eval '{ [ $status -eq 2 ] || [ $status -eq 127 ] || [ $status -eq 125 ]; } && [ "$(wc -l <"$tmp/err")" -eq 1 ]'
done
refused 2 'a very long claim' 'at most 16384 bytes' skein check "calls: $(printf 'x%.0s' {1..20000}) calls == 1" parcels.skein
