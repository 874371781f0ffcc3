#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two versions of a program with known changes: what skein diff says of them under each lens. In the new one routines lie two lines lower, and
# two lines higher behind the one that was removed; so that one, too, could be the one that was renamed.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

mkdir old new
cp "$tests/prog/diff/changed.c" old/changed.c
{ printf '\n\n'; sed '/^KEPT void removed/,/^}/d' old/changed.c; } >new/changed.c
skein-cc -g -O1 -pthread old/changed.c -o old/prog || exit
skein-cc -g -O1 -pthread -DNEW new/changed.c -o new/prog || exit
for lens in calls span input paths flow; do
	for version in old new; do
		skein record $lens -q -o $version.skein -- ./$version/prog >out.txt 2>err.txt || not_ok "$lens is recorded" "$(cat err.txt)"
	done
	skein diff $lens old.skein new.skein --csv >$lens.csv
	skein diff $lens old.skein new.skein >$lens.txt
	same "$lens: the columns that scripts may rely on" lens,what,routine,file,line,figure,old,new,change,change_pct,sure "$(head -n 1 $lens.csv | cut -d, -f1-11)"
done

# row LENS COLUMN=VALUE…: old,new,change,sure,verdict
row() {
	local column line=
	for column in old new change sure verdict; do line+=$(csv_value "$1.csv" "$2" $column)' '; done
	echo "${line% }"
}

# ---- calls: one routine more, the lock removed ----
same 'twice as many calls are exact, and worse' '100 200 100 exact worse' "$(row calls routine=steady,figure=calls)"
same 'in percent' 100.0000 "$(csv_value calls.csv routine=steady,figure=calls change_pct)"
same 'a time of one run on each side is not sure' no "$(csv_value calls.csv routine=steady,figure=direct_ns sure)"
expect_match 'text says so' 'Skein cannot know whether a difference in time is real' calls.txt
expect_match 'and that times may have changed' '^- May have got (worse|better):' calls.txt
expect_match 'the verdict begins with what got worse' '^Got worse: the number of calls, [0-9,]+ to [0-9,]+ \(\+' calls.txt
tr '\n' ' ' <calls.txt >line.txt
expect_match 'and where' 'most in the number of calls of steady \(changed.c:[0-9]+\), 100 to 200 \(\+100 %\)' line.txt
same 'a removed routine is gone' '1    exact gone' "$(row calls routine=removed,figure=calls | sed 's/  */ /g; s/1 exact/1    exact/')"
same 'an added one is new' '1 new' "$(csv_value calls.csv routine=added,figure=calls new) $(csv_value calls.csv routine=added,figure=calls verdict)"
same 'the wait for the removed lock is gone' gone "$(csv_value calls.csv 'name=body: lock table_lock,figure=wait_ns' verdict)"
same 'a renamed routine is known by its place' 'old_name new_name  exact renamed' "$(row calls routine=new_name,figure=name)"
expect_match 'text says that, too' '^- Renamed: old_name is now new_name' calls.txt
same 'and neither is new nor gone' '' "$(grep -E '(old|new)_name' calls.csv | grep -E ',(new|gone),')"
same 'an inlined routine says into which' ' main  exact inlined' "$(row calls routine=becomes_inlined,figure=inlined_into)"
expect_match 'so does text' '^- Inlined: becomes_inlined is now part of main' calls.txt
moved=$(grep -n 'void steady' old/changed.c | cut -d: -f1)
same 'lines that moved are listed as such' "$((moved)) $((moved + 2)) 2 exact moved" "$(row calls routine=steady,figure=line)"
same 'the same figure in both is no row' '' "$(csv_value calls.csv routine=quadratic,figure=calls old)"

# Every old and new figure is that of the report.
compared=0 wrong=
for version in old new; do
	skein report calls $version.skein --csv >report.csv
	while read -r routine figure; do
		[ "$routine" != new_name ] || continue
		is=$(csv_value calls.csv "what=routine,routine=$routine,figure=$figure" $version)
		[ -n "$is" ] || continue
		said=$(csv_value report.csv "routine=$routine,worker=all,entry=all" "$figure")
		compared=$((compared + 1))
		[ "$is" = "$said" ] || wrong+="$version $routine $figure: $is, not $said; "
	done < <(awk -F, '$2 == "routine" && $6 ~ /_ns$|^calls$/ {print $3, $6}' calls.csv)
done
same 'figures are those of the report' '' "$wrong"
check 'many were compared' [ "$compared" -ge 12 ]

# ---- span ----
same 'the span on a site is exact' exact "$(csv_value span.csv 'name=steady,figure=span' sure; csv_value span.csv 'what=run,figure=span' sure)"
same 'and grew' worse "$(csv_value span.csv what=run,figure=span verdict)"
skein report span old.skein --view summary --csv >summary.csv
same 'the figure is that of the summary' "$(csv_value summary.csv name=work value)" "$(csv_value span.csv what=run,figure=work old)"
same 'a site that only moved is the same site' '' "$(csv_value span.csv 'name=main -> rare,figure=span' verdict | grep -E 'new|gone')"
same 'the site of what was removed is gone' gone "$(csv_value span.csv 'name=main -> removed,figure=span' verdict)"

# ---- input ----
same 'a routine that became quadratic' '0.95 worse' "$(csv_value input.csv routine=quadratic,figure=exponent sure) $(csv_value input.csv routine=quadratic,figure=exponent verdict)"
same 'its models' 'n n^2  exact other' "$(row input routine=quadratic,figure=model)"
same 'the cost at the same sizes is exact' 'exact worse' "$(csv_value input.csv routine=quadratic,figure=cost_at_same_sizes sure) $(csv_value input.csv routine=quadratic,figure=cost_at_same_sizes verdict)"
# by the points of both
points() { skein report input $1.skein --view points --routine quadratic --metric trms --csv | awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} $at["thread"] == "all" {print $at["size"], $at["cost_mean"]}'; }
same 'and the sum over the sizes of both' "$(join <(points old | sort) <(points new | sort) | awk '{a += $2; b += $3} END {printf "%.4f %.4f", a, b}')" \
	"$(csv_value input.csv routine=quadratic,figure=cost_at_same_sizes old) $(csv_value input.csv routine=quadratic,figure=cost_at_same_sizes new)"

# ---- paths ----
branch=$(grep -n 'sink += 1' old/changed.c | cut -d: -f1) # lines of a path: from before it to behind it
other=$(grep -n 'sink ^= 5' new/changed.c | cut -d: -f1)
same 'the path that vanished' 1 "$(awk -F, '$2 == "path" && $3 == "rare" && $6 == "count" && $12 == "gone"' paths.csv | grep -c "$((branch - 1))-$((branch + 2))")"
same 'and the one that is taken instead' 1 "$(awk -F, '$2 == "path" && $3 == "rare" && $6 == "count" && $12 == "new"' paths.csv | grep -c "$other")"
same 'a path that only moved is the same path' '' "$(awk -F, '$2 == "path" && $3 == "slower" && ($12 == "new" || $12 == "gone")' paths.csv)"
same 'the paths of a renamed function are the same' '' "$(awk -F, '$2 == "path" && ($3 == "new_name" || $3 == "old_name") && ($12 == "new" || $12 == "gone")' paths.csv)"

# ---- flow ----
same 'the removed lock is a gone object' gone "$(csv_value flow.csv 'name=table_lock (lock),figure=waited_ns' verdict)"
same 'how often it was taken is exact' '40 exact' "$(csv_value flow.csv 'name=table_lock (lock),figure=acquisitions' old) $(csv_value flow.csv 'name=table_lock (lock),figure=acquisitions' sure)"
expect_match 'text says so' '^- Gone: object table_lock \(lock\)' flow.txt

# ---- what is shown ----
expect_status 1 'worse, and that is sure' skein diff calls old.skein new.skein --fail-if-worse
expect_status 0 'a better one is not worse' skein diff span new.skein old.skein --fail-if-worse
expect_status 0 'without the option it is never a failure' skein diff calls old.skein new.skein
expect_status 0 'fewer calls are better' skein diff calls new.skein old.skein --fail-if-worse
same 'a change below --threshold is neither worse nor better' other "$(skein diff calls old.skein new.skein --csv --threshold 50 >most.csv; csv_value most.csv what=run,figure=calls verdict)"
same 'one above it is worse' worse "$(csv_value most.csv routine=steady,figure=calls verdict)"
same '--view shows one kind' gone "$(skein diff calls old.skein new.skein --view gone --csv | tail -n +2 | cut -d, -f12 | sort -u)"
same '--routine shows one routine' steady "$(skein diff calls old.skein new.skein --routine steady --csv | tail -n +2 | cut -d, -f3 | sort -u)"
same '--top cuts each kind' 2 "$(skein diff calls old.skein new.skein --view gone --csv --top 2 | tail -n +2 | wc -l)"
skein diff old.skein new.skein --csv >all.csv
same 'without a lens: all that both have' 'calls flow input paths span' "$(tail -n +2 all.csv | cut -d, -f1 | sort -u | paste -sd' ')"
same 'with one head' 1 "$(grep -c '^lens,what' all.csv)"
skein diff calls old.skein new.skein --json >calls.json
same 'JSON has the same rows' "$(($(wc -l <calls.csv) - 1))" "$(sqlite3 :memory: "select json_array_length(readfile('calls.json'), '\$.rows')")"
same 'and numbers' '100 200' "$(sqlite3 -separator ' ' :memory: "select json_extract(value, '\$.old'), json_extract(value, '\$.new') from json_each(readfile('calls.json'), '\$.rows')
	where json_extract(value, '\$.routine') = 'steady' and json_extract(value, '\$.figure') = 'calls'")"
