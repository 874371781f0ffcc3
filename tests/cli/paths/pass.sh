#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the paths lens counts inside a program: edges that follow from paths equal plain counters of edges, for every kind of control flow; what subjects know of themselves
# is so; nothing is lost; and the program behaves as it does without.
. "$(dirname "$0")/../../lib/lib.sh"
try=$build/tests/paths_try
[ -x "$try" ] || { not_ok 'the helper paths_try was built' "there is no $try"; exit; }
cd "$tmp" || exit

# record NAME FOLDER [KEY=VALUE…] -- PROGRAM…: output in FOLDER.out, with the exit status
record() {
	local name=$1 folder=$2
	shift 2
	mkdir "$folder"
	"$try" run "$tmp/$folder" "$@" >"$folder.out" 2>"$folder.err"
	echo "status $?" >>"$folder.out"
	same "$name: nothing is lost in silence" "$(awk '$1 == "lost" {n = $2} END {print n + 0}' "$folder.out")" "$("$try" lost "$tmp/$folder" 2>&1)"
}

# count FOLDER FUNCTION KIND: of its paths whose kind matches, or of its frames that never ended
count() { "$try" paths "$tmp/$1" | awk -F '\t' -v f="$2" -v k="$3" '$1 == f && $2 ~ k {n += $4} END {print n + 0}'; }

# knows NAME FOLDER: what the program said of itself
knows() {
	local word function number
	while read -r word function number; do
		case $word in
		expect) same "$1: paths of $function" "$number" "$(count "$2" "$function" -)" ;;
		stops) same "$1: frames of $function that never end" "$number" "$(count "$2" "$function" '^stop$')" ;;
		esac
	done <"$2.out"
}

# Functions are in the order of the link, which differs if objects are finished one by one.
edges_of() { "$try" edges "$tmp/$1" | sort; }

# subject NAME PROGRAM…: natively, by paths, by edges
subject() {
	local name=$1 id=${1//[^a-z0-9]/_}
	shift
	{ "$@"; echo "status $?"; } >native.out 2>/dev/null
	record "$name" "$id.paths" -- "$@"
	record "$name, edges" "$id.edges" EDGES=1 -- "$@"
	equal "$name behaves as it does" native.out "$id.paths.out"
	equal "$name: edges by paths are edges by counters" <(edges_of "$id.paths") <(edges_of "$id.edges")
	knows "$name" "$id.paths"
}

skein-cc -O2 -g "$tests/prog/paths/ways.c" -o ways || exit
skein-cc -O0 -g "$tests/prog/paths/ways.c" -o ways-0 || exit
skein-cc -O2 -g "$tests/prog/paths/jumps.c" -o jumps || exit
skein-cc -O0 -g "$tests/prog/paths/jumps.c" -o jumps-0 || exit
skein-c++ -O2 -g "$tests/prog/paths/throws.cpp" -o throws || exit
skein-c++ -O0 -g "$tests/prog/paths/throws.cpp" -o throws-0 || exit
skein-cc -O2 -g -pthread "$tests/prog/paths/threads.c" -o threads || exit
skein-cc -O2 -g -static "$tests/prog/paths/ways.c" -o ways-static || exit
skein-cc -O2 -g "$tests/prog/paths/cuts.c" -o cuts || exit
skein-cc -O1 -c "$tests/prog/paths/gotos.ll" -o gotos.o 2>/dev/null && skein-cc gotos.o -o gotos || exit
skein-cc -O2 -g -shared -fPIC "$tests/prog/calls/opens_library.c" -o libopens.so && skein-cc -O2 -g -pthread "$tests/prog/calls/opens.c" -o opens -ldl || exit

subject ways ./ways
subject 'ways -O0' ./ways-0 now
subject 'ways -static' ./ways-static
subject jumps ./jumps
subject 'jumps -O0' ./jumps-0
subject throws ./throws
subject 'throws -O0' ./throws-0
subject threads ./threads
subject 'several computed gotos' ./gotos

record 'a library that comes and goes' opens.paths -- ./opens
record 'a library that comes and goes, edges' opens.edges EDGES=1 -- ./opens
equal 'a library that comes and goes: edges by paths are edges by counters' <(edges_of opens.paths) <(edges_of opens.edges)
same 'a library that comes and goes: calls' 6 "$(count opens.paths library_work '^entry')"

# However a process ends, the frames that were open are known: nine below main, which is in the call, too.
for how in exit abort kill; do
	subject "ways $how" ./ways $how
	same "ways $how: frames that were open" 9 "$(count "ways_$how.paths" below '^stop$')"
	same "ways $how: main was" 1 "$(count "ways_$how.paths" main '^stop$')"
done

record 'a child counts its own' children -- ./threads fork
knows 'a child counts its own' children
record 'tables that grow, with a child' cuts.paths -- ./cuts
knows 'tables that grow, with a child' cuts.paths

# Several copies together, however they share the work, have the profile of one.
listed() { skein report paths "$1" --csv | awk -F, 'NR > 1 {print $1, $4, $6}' | sort; }
expect_status 0 'one copy records' skein record paths -o one.skein -- ./ways
listed one.skein >one.list
same 'it has paths' yes "$([ "$(wc -l <one.list)" -gt 100 ] && echo yes)"
for how in best p3 pbl; do
	expect_status 0 "three copies by $how record" skein record paths --copies 3 --share $how -o $how.skein -- ./ways
	equal "three copies by $how have the profile of one" one.list <(listed $how.skein)
done
expect_status 0 'three copies record by a plan' skein record paths --copies 3 --plan one.skein -o plan.skein -- ./ways
equal 'three copies by a plan have the profile of one' one.list <(listed plan.skein)
expect_status 0 'one copy records by a plan' skein record paths --plan one.skein -o plan.skein -- ./ways
equal 'one copy by a plan has the profile of one without' one.list <(listed plan.skein)
