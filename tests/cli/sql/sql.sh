#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein sql: the views, the queries of its page, its forms, and what a query must not do.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
for lens in paths input; do skein record $lens -q -o all.skein -- ./prog >/dev/null || exit; done
cp all.skein prog.skein
cp all.skein before.skein
one() { skein sql all.skein "$1" --csv | sed -n 2p; }

# ---- the views ----
skein sql all.skein --csv >views.csv
names=$(tail -n +2 views.csv | cut -d, -f1)
check 'there are views' [ "$(wc -w <<<"$names")" -ge 15 ]
for view in $names; do
	expect_status 0 "$view can be asked" skein sql all.skein "SELECT count(*) AS rows FROM $view" --csv
	case $view in
	v_ranks | v_messages | v_parts | v_part_values) same "$view has no rows of a program that is alone" 0 "$(sed -n 2p out)" ;; # tests/cli/ranks
	*) check "$view has rows" [ "$(sed -n 2p out)" -gt 0 ] ;;
	esac
	expect_match "doc/sql.md explains $view" "^\| \`$view\` \|" "$tests/../doc/sql.md"
done
skein sql all.skein --json >views.json
equal 'the columns that scripts rely on' "$tests/lib/views.txt" <(sqlite3 :memory: "select json_extract(value, '\$.view') || ': ' || json_extract(value, '\$.columns') from json_each(readfile('views.json'))")

# ---- they have the figures of the reports ----
same 'v_calls' "$(reported calls routines calls worker=all,entry=all),$(reported calls routines direct_ns worker=all,entry=all)" "$(one 'SELECT sum(calls), sum(direct_ns) FROM v_calls')"
same 'v_arcs' "$(reported calls arcs elapsed_ns)" "$(one 'SELECT sum(elapsed_ns) FROM v_arcs')"
same 'v_spans' "$(total_of span work),$(total_of span span)" "$(one 'SELECT work, span FROM v_spans')"
same 'v_sites' "$(total_of span span)" "$(one "SELECT sum(span) FROM v_sites WHERE profile = 'span' AND measure = 'local'")"
same 'v_contexts' "$(total_of idle work_ns),$(total_of idle idle_ns),$(total_of idle overhead_ns),$(total_of idle samples)" \
	"$(one 'SELECT sum(work_ns), sum(idle_ns), sum(overhead_ns), sum(samples) FROM v_contexts')"
same 'v_waits' "$(reported flow waits waited_ns)" "$(one 'SELECT sum(waited_ns) FROM v_waits')"
same 'v_waits: a thread has its number' "$(reported flow waits waited_ns thread=1)" "$(one 'SELECT sum(waited_ns) FROM v_waits WHERE thread = 1')"
same 'v_objects' "$(reported flow objects waited_ns object=table_lock)" "$(one "SELECT waited_ns FROM v_objects WHERE object = 'table_lock'")"
same 'v_paths' "$(reported paths paths count)" "$(one 'SELECT sum(count) FROM v_paths')"
same 'v_inputs' "$(reported input routines calls routine=fib,thread=all)" "$(one "SELECT sum(calls) FROM v_inputs WHERE metric = 'trms' AND routine = 'fib'")"
same 'v_threads' 3 "$(one "SELECT count(*) FROM v_threads WHERE lens = 'flow'")"

# ---- the queries of the page ----
awk '/^```sql/ {n++; inside = 1; next} /^```/ {inside = 0} inside {print >("query." n)}' "$tests/../doc/sql.md"
same 'the page has ten' 10 "$(find . -name 'query.*' | wc -l)"
for n in 1 2 3 4 5 6 7 8 9 10; do
	expect_status 0 "query $n runs" skein sql all.skein "$(cat query.$n)"
	check "query $n: there is an answer" [ "$(wc -l <out)" -ge 2 ]
done
expect_match 'query 7: the way to the root' '^root' <(skein sql all.skein "$(cat query.7)")
if command -v python3 >/dev/null; then
	awk '/^```python/ {n++; inside = 1; next} /^```/ {inside = 0} inside {print >("example" n ".py")}' "$tests/../doc/sql.md"
	expect_status 0 'the first program in Python' python3 example1.py
	expect_match 'it reads the runs' '^flow: [0-9.]+ ms$' out
	expect_status 0 'the second one' python3 example2.py
	expect_match 'it has the rows' '^fib [0-9]+$' out
else
	skip 'the programs in Python' 'there is no python3'
fi

# ---- forms ----
query="SELECT 1 AS number, 'a,\"b' || char(10) AS text, NULL AS none, 0.1 AS real, x'0102' AS bytes, '=1' AS formula"
shows 'text' skein sql all.skein "$query" <<'END2'
number  text      none  real  bytes      formula
     1  a,"b\x0a         0.1  (2 bytes)  =1
END2
shows 'CSV' skein sql all.skein "$query" --csv <<'END2'
number,text,none,real,bytes,formula
1,"a,""b\x0a",,0.1,(2 bytes),\x3d1
END2
skein sql all.skein "$query" --json >out.json
same 'JSON' '1|a,"b|null|0.1|=1' "$(sqlite3 :memory: "select json_extract(v, '\$.number') || '|' || json_extract(v, '\$.text') || '|' || json_type(v, '\$.none') || '|' ||
	json_extract(v, '\$.real') || '|' || json_extract(v, '\$.formula') from (select json_extract(readfile('out.json'), '\$[0]') as v)" | tr -d '\n')"
many='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n'
same 'text has the first 1000 rows' 'The first 1,000 rows; --top 0 shows all.' "$(skein sql all.skein "$many" | tail -n 1)"
same 'or all' 2001 "$(skein sql all.skein "$many" --top 0 | wc -l)"
same 'CSV has all' 2001 "$(skein sql all.skein "$many" --csv | wc -l)"
same 'or the first' 6 "$(skein sql all.skein "$many" --csv --top 5 | wc -l)"
same 'no row is an answer, too' '[]' "$(skein sql all.skein 'SELECT 1 WHERE 0' --json | tr -d '\n')"

# ---- what is refused ----
refused 2 'no file' 'sql needs a recording' skein sql
refused 127 'a file that is not there' 'cannot open the recording none.skein' skein sql none.skein
refused 2 'a query that is wrong' 'no such column: nonsense' skein sql all.skein 'SELECT nonsense FROM v_runs'
refused 2 'no query' 'the query is empty' skein sql all.skein ' -- nothing'
refused 2 'two of them' 'a query is one statement' skein sql all.skein 'SELECT 1; SELECT 2'
expect_status 0 'a semicolon may end it' skein sql all.skein 'SELECT 1; -- that is all'
for query in 'DELETE FROM run' 'CREATE TEMP TABLE x (y)' 'DROP VIEW v_runs' "ATTACH 'other.db' AS other" 'PRAGMA writable_schema = on' 'VACUUM' \
	"VACUUM INTO 'copy.db'" 'BEGIN' "SELECT load_extension('x')" 'INSERT INTO temp.sqlite_schema VALUES (1, 2, 3, 4, 5)' 'REINDEX'; do
	expect_status 2 "refused: $query" skein sql all.skein "$query"
	expect_sentence "refused in one sentence: $query"
done
check 'nothing was made' [ ! -e copy.db ]
check 'nothing was made here either' [ ! -e other.db ]
refused 125 'a query that fails while it runs' 'the query failed: ' skein sql all.skein 'SELECT abs(-9223372036854775808)'
refused 125 'a text without bounds' 'the query failed: string or blob too big' skein sql all.skein "SELECT length(replace(hex(zeroblob(1000000)), '0', 'abc'))"
equal 'the recording is as it was' before.skein all.skein
cp all.skein odd.skein
sqlite3 odd.skein 'CREATE VIEW v_runs AS SELECT 1'
refused 125 'a recording with a view of its own' 'holds the view v_runs, which skein did not make' skein sql odd.skein
cp all.skein loop.skein
sqlite3 loop.skein 'UPDATE idle_scope SET parent = scope + 1 WHERE scope > 1'
expect_status 0 'contexts in a ring' skein sql loop.skein 'SELECT count(*) FROM v_contexts'
