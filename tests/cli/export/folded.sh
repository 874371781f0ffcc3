#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export folded, as flamegraph.pl reads it; and which lens an export is made from.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export

# ---- which lens ----
expect_status 0 'the only lens that has the format' skein export folded known.skein
equal 'is the one that could be named' out <(skein export folded idle known.skein)
refused 2 'several lenses have it' 'all.skein holds several lenses that can be exported as folded \(idle, flow\): name one' skein export folded all.skein
expect_status 0 'one is named' skein export folded flow all.skein
refused 2 'a lens that does not have it' 'the lens calls cannot be exported as folded; these lenses can: idle, flow' skein export folded calls all.skein
refused 2 'an unknown lens' 'there is no lens fow; did you mean flow' skein export folded fow all.skein
refused 2 'an unknown format' 'there is no format foldde; did you mean folded' skein export foldde all.skein
refused 2 'an option of another lens' '--metric' skein export folded flow --metric idle all.skein
cp known.skein bare.skein
sqlite3 bare.skein 'delete from run'
refused 127 'a recording without these lenses' 'holds no lens that can be exported as folded; these can: idle, flow' skein export folded bare.skein
refused 127 'a recording without the lens that was named' 'skein record flow' skein export folded flow known.skein

# ---- what is in it ----
for asked in '--metric work' '--metric idle' '--metric overhead' '--metric effort' '--metric samples' '--metric LLC-misses' '--paths physical' '--thread 1'; do
	# shellcheck disable=SC2086 # words of options
	equal "idle: the same as the view, $asked" <(skein export folded idle known.skein $asked | sort) <(skein report idle known.skein --view folded $asked | sed 's/^thread 1;//' | sort)
done
shows 'idle: as a person sees it' skein export folded known.skein --metric idle <<'END2'
prog;_start;main;prepare 1200000000
prog;_start;main;task::work(int);pthread_mutex_lock 10000000
prog;_start;main;free_matrix;free_matrix;free 600000000
prog;_start;main;toy_main 90000000
END2
refused 2 'idle: a metric that is not a sum' '--metric of an export is work, idle' skein export folded known.skein --metric cores
refused 2 'idle: an unknown metric' 'there is no metric nonsense' skein export folded known.skein --metric nonsense
sum() { awk '{n += $NF} END {printf "%.0f\n", n}'; }
skein export folded flow all.skein >waits.folded
same 'flow: the sum is that of all waits' "$(reported flow waits waited_ns)" "$(sum <waits.folded)"
same 'flow: one thread' "$(reported flow waits waited_ns thread=1)" "$(skein export folded flow --thread 1 all.skein | sum)"
expect_match 'flow: a path has its callers, and what was waited for' '^body;table_add;wait: table_lock \(lock\) [0-9]+$' waits.folded
same 'each path is there once' '' "$(sed 's/ [0-9]*$//' waits.folded | sort | uniq -d)"

# A name of the program cannot leave its frame or its line.
cp known.skein odd.skein
sqlite3 odd.skein "update routine set linkage = 'a;b' || char(10) || 'c 12' where name = 'prepare'"
expect_match 'hostile names stay names' '^prog;_start;main;a:b\\x0ac 12 400000000$' <(skein export folded odd.skein)

# ---- the real reader ----
flamegraph=$(command -v flamegraph.pl || find /usr/share/perl5 -name flamegraph.pl 2>/dev/null | head -n 1)
if [ -z "$flamegraph" ]; then
	skip 'flamegraph.pl reads it' 'there is no flamegraph.pl'
else
	skein export folded known.skein | perl "$flamegraph" --countname ns >flame.svg 2>said
	same 'flamegraph.pl reads all lines' '' "$(grep -i ignored said)"
	expect_match 'flamegraph.pl: the total is that of the report' "<title>all \\($(total_of idle work_ns known.skein | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta') ns, 100%\\)" flame.svg
	expect_match 'flamegraph.pl: a routine is a frame' '<title>prepare \(400,000,000 ns' flame.svg
	perl "$flamegraph" waits.folded >flame.svg 2>said
	same 'flamegraph.pl reads waits' '' "$(grep -i ignored said)"
fi
