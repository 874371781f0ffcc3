#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# copies.sh: several copies of a program side by side: what each gets, how they end, what is left behind, what is refused.
. "$(dirname "$0")/../../lib/lib.sh"
mkdir "$tmp/t" "$tmp/bin" "$tmp/w"
export TMPDIR=$tmp/t
cd "$tmp/bin" && skein-cc -O2 -o ways "$tests/prog/paths/copies_ways.c" || exit
cd "$tmp/w" || exit
ways=$tmp/bin/ways

# record STATUS NAME OPTION… -- WORD…: with its own recording; what it printed is in $tmp/out and $tmp/err
record() {
	local status=$1 name=$2
	shift 2
	rm -f "$tmp/r.skein"
	expect_status "$status" "$name" timeout 120 skein record paths -o "$tmp/r.skein" "$@"
}
nothing_left() { # NAME
	same "$1" '' "$(ls -d "$tmp"/.*session* "$tmp"/t/* 2>/dev/null)"
}
not_recorded() { # NAME
	if [ -e "$tmp/r.skein" ]; then not_ok "$1" 'there is a recording'; else ok "$1"; fi
}
profile() { # FILE: paths without the copy that counted them
	skein report paths --top 0 --csv "$1" | awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} {print $at["function"], $at["path"], $at["kind"], $at["count"]}' | sort
}
copies_alive() { pgrep -fc ${2:+-r $2} "^$ways $1"; } # WORD [STATE]

# ---- the same of everything ----
seq 1 100000 >in
"$ways" self input <in >"$tmp/native" 2>/dev/null
for k in 1 2 8; do
	record 0 "$k copies" --copies $k -- "$ways" self input <in
	same "$k copies: output is shown once" "$(cat "$tmp/native")" "$(cat "$tmp/out")"
	profile "$tmp/r.skein" >"$tmp/profile-$k"
done
nothing_left 'nothing is left behind'
equal 'two copies count what one counts' "$tmp/profile-1" "$tmp/profile-2"
equal 'so do eight' "$tmp/profile-1" "$tmp/profile-8"
for share in p3 pbl; do
	record 0 "shared by $share" --copies 3 --share $share -- "$ways" self input <in
	equal "shared by $share: the same counts" "$tmp/profile-1" <(profile "$tmp/r.skein")
done

# of COPY COLUMN: of copies.csv
of() { csv_value "$tmp/copies.csv" "copy=$1" "$2"; }
# each THRESHOLD: the profile stays the same; then probes and overlapping ones of all copies together
each() {
	record 0 "p3 with threshold $1" --copies 3 --share p3 --threshold "$1" -- "$ways" self input <in
	equal "threshold $1: the same counts" "$tmp/profile-1" <(profile "$tmp/r.skein")
	skein report paths "$tmp/r.skein" --view copies --csv >"$tmp/copies.csv"
	same "threshold $1 is in the summary" "$1" "$(skein report paths "$tmp/r.skein" --view summary --csv | sed -n 's/^threshold,//p')"
	overlapping=$(($(of 0 probes_overlapping) + $(of 1 probes_overlapping) + $(of 2 probes_overlapping)))
	functions=$(($(of 0 functions) + $(of 1 functions) + $(of 2 functions)))
}
each 1
same 'threshold 1 divides nothing: no probes overlap' '0 0' "$overlapping $(of sequential probes_overlapping)"
same 'and each function is in one copy' "$(of sequential functions)" "$functions"
one=$(($(of 0 probes) + $(of 1 probes) + $(of 2 probes)))
check 'there are probes' [ "$one" -gt 10 ]
each 40
check 'threshold 40 divides functions' [ "$functions" -gt "$(of sequential functions)" ]
check 'and some of their probes overlap' [ "$overlapping" -gt 0 -a "$overlapping" -lt $(($(of 0 probes) + $(of 1 probes) + $(of 2 probes))) ]
record 0 'pbl has the probes of threshold 1' --copies 3 --share pbl -- "$ways" self input <in
skein report paths "$tmp/r.skein" --view copies --csv >"$tmp/copies.csv"
same 'and none overlap' "$one 0" "$(($(of 0 probes) + $(of 1 probes) + $(of 2 probes))) $(($(of 0 probes_overlapping) + $(of 1 probes_overlapping) + $(of 2 probes_overlapping)))"

(cd "$tmp/bin" && skein-cc -O2 -pthread -o threads "$tests/prog/paths/copies_threads.c")
record 0 'threads in one copy' -- "$tmp/bin/threads"
profile "$tmp/r.skein" >"$tmp/profile-threads"
check 'all threads are counted' grep -q '^part .* 20000$' "$tmp/profile-threads"
record 0 'threads that do the same in each copy' --copies 3 -- "$tmp/bin/threads"
equal 'count what one copy counts' "$tmp/profile-threads" <(profile "$tmp/r.skein")
record 126 'threads that do not' --copies 2 -- "$tmp/bin/threads" race
expect_match 'are named as the likely cause' 'did not behave identically: .*likely because it ran with 5 threads' "$tmp/err"

# ---- standard input ----
cat in | record 0 'input through a pipe' --copies 3 -- "$ways" self input
same 'input through a pipe reaches all' "$(cat "$tmp/native")" "$(cat "$tmp/out")"
cat in | record 0 'a pipe, one copy after the other' --copies 3 --at-once 1 -- "$ways" self input
same 'input is kept for later copies' "$(cat "$tmp/native")" "$(cat "$tmp/out")"
printf '' | record 0 'an empty pipe, one copy after the other' --copies 3 --at-once 1 -- "$ways" input
yes | record 0 'input without an end that nobody wants' --copies 2 -- "$ways" some-input
yes | record 0 'input that is closed' --copies 2 -- "$ways" close-input nap
record 0 'no input at all' --copies 2 -- "$ways" input <&-
large() { seq 100000000 | head -c "$1"; }
large 300000000 | record 0 'a large input' --copies 2 -- "$ways" input
same 'a large input arrives' "$(large 300000000 | "$ways" input)" "$(cat "$tmp/out")"
large 60000000 | record 0 'a large input, one copy after the other' --copies 2 --at-once 1 -- "$ways" input
nothing_left 'no input is left behind'
left=$({ skein record paths -o "$tmp/r.skein" --copies 2 -- "$ways" some-input >/dev/null 2>&1; wc -c; } <in)
same 'who reads after us goes on where the first copy stopped' $(($(wc -c <in) - 10)) "$left"
printf 'a line from a terminal\n' | timeout 120 script -qec "skein record paths -o $tmp/r.skein --copies 2 -- $ways some-input" /dev/null >"$tmp/out"
expect_match 'a terminal feeds all copies' 'input 10 bytes, sum' "$tmp/out"
expect_match 'a terminal: recorded' 'Recorded in' "$tmp/out"
{ printf 'for somebody else\n'; sleep 2; } | timeout 120 script -qec "bash -c 'set -m; skein record paths -o $tmp/r.skein --copies 2 -- $ways nap & wait'" /dev/null >"$tmp/out"
expect_match 'in the background the terminal is left alone' 'Recorded in' "$tmp/out"
timeout 120 script -qec "skein record paths -o $tmp/r.skein --copies 2 -- $ways terminal" /dev/null </dev/null >"$tmp/out"
expect_match 'all copies print to a terminal if the first does' 'terminals: 6' "$tmp/out"
expect_match 'and do the same' 'Recorded in' "$tmp/out"

printf 'twelve bytes' >twelve
record 0 'other descriptors' --copies 3 --at-once 1 -- "$ways" other 3<twelve 4>"$tmp/other"
same 'each copy reads them' 'other descriptors: 8 7' "$(cat "$tmp/out")"
same 'one copy writes to them' 'a line' "$(cat "$tmp/other")"

# ---- working folder ----
tree() { (cd "$1" && find . -mindepth 1 -printf '%P %y %m %l\n' | sort && find . -type f | sort | xargs -r tail -n +1) 2>/dev/null; }
both() { # NAME OPTION… -- WORD…: the same in a folder natively and recorded
	local name=$1
	shift
	(cd "$tmp/native.d" && "$ways" "${@: -1}")
	(cd "$tmp/recorded.d" && record 0 "$name" "$@")
	equal "$name: the folder is as without us" <(tree "$tmp/native.d") <(tree "$tmp/recorded.d")
}
fresh() {
	rm -rf "$tmp/native.d" "$tmp/recorded.d"
	mkdir "$tmp/native.d" "$tmp/recorded.d"
	for d in native.d recorded.d; do (cd "$tmp/$d" && touch old && echo first >changed && ln changed linked); done
}
fresh
both 'files made by each copy' --copies 3 -- "$ways" files
same 'an existing file stays what it was' 2 "$(stat -c %h "$tmp/recorded.d/changed")"
fresh
both 'one copy after the other' --copies 2 --at-once 1 -- "$ways" files
for seed in 1 2 3 4 5 6; do
	rm -rf "$tmp/native.d" "$tmp/recorded.d"
	mkdir "$tmp/native.d" "$tmp/recorded.d"
	for d in native.d recorded.d; do (cd "$tmp/$d" && "$ways" random-$((seed + 100))); done
	both "random changes, $seed" --copies 2 -- "$ways" random-$seed
done
nothing_left 'no layer is left behind'
fresh
(cd "$tmp/recorded.d" && skein record paths -o in-here.skein --copies 2 -- "$ways" files >/dev/null 2>&1; ls -A) >"$tmp/out"
same 'a recording in the same folder' 'changed in-here.skein linked made.d made.too' "$(paste -sd' ' "$tmp/out")"
mkdir "$tmp/recorded.d/t"
(cd "$tmp/recorded.d" && expect_status 0 'a temporary folder in the working folder' env TMPDIR="$tmp/recorded.d/t" skein record paths -o "$tmp/r.skein" --copies 2 -- "$ways" self)
same 'it is empty again' '' "$(ls "$tmp/recorded.d/t")"
small() { # in a namespace: a small file system as the temporary folder, then the rest
	unshare -rm sh -c 'mount -t tmpfs -o size=64k none "$TMPDIR" && exec "$@"' sh "$@"
}
fresh
(cd "$tmp/recorded.d" && expect_status 0 'a full temporary folder' small skein record paths -o "$tmp/r.skein" --copies 2 -- "$ways" files)
little() { unshare -rm sh -c 'mount -t tmpfs -o size=64k none . && cd "$PWD" && exec "$@"' sh "$@"; }
(cd "$tmp/recorded.d" && expect_status 125 'a full working folder' little skein record paths -o "$tmp/m.skein" --copies 2 -- "$ways" big)
expect_match 'what could not be written is kept, and named' 'big: No space left on device; all files are in [^ ]*/upper' "$tmp/err"
same 'there it is' 1048576 "$(stat -c %s "$tmp"/t/*/upper/big)"
rm -rf "$tmp"/t/*
mounted() { unshare -rm sh -c 'mkdir -p inner && mount -t tmpfs none inner && exec "$@"' sh "$@"; }
record_mounted() { (cd "$tmp/recorded.d" && expect_status "$1" "$2" mounted skein record paths -o "$tmp/m.skein" "${@:3}"); }
record_mounted 125 'a folder with others mounted in it' --copies 2 -- "$ways" self
expect_sentence 'it is told in one sentence'
expect_match 'which names the way out' '--shared-folder' "$tmp/err"
record_mounted 0 'unless it may be shared' --copies 2 --shared-folder -- "$ways" self
readonly_here() { unshare -rm sh -c 'mount --bind . . && mount -o remount,bind,ro . && cd "$PWD" && exec "$@"' sh "$@"; }
(cd "$tmp/recorded.d" && expect_status 0 'a folder that cannot be written to' readonly_here skein record paths -o "$tmp/m.skein" --copies 2 -- "$ways" self)
if is_root; then
	# The other user has his own copy of Skein: the build may lie where only root can go, as in root's home.
	mkdir -p "$tmp/user/skein" && cp "$ways" "$tmp/user/ways" && cp -rL "$build/bin" "$build/lib" "$tmp/user/skein"
	fresh && cp -r "$tmp/recorded.d" "$tmp/user/w"
	chown -R 12345:12345 "$tmp/user" "$tmp/t" "$tmp/user/w" && chmod 755 "$tmp"
	(cd "$tmp/user/w" && expect_status 0 'a user who may not mount' setpriv --reuid 12345 --regid 12345 --clear-groups env XDG_CACHE_HOME="$tmp/user/cache" \
		"$tmp/user/skein/bin/skein" record paths -o "$tmp/user/r.skein" --copies 2 -- "$tmp/user/ways" files)
	same 'his files are carried over' 'changed linked made.d made.too' "$(ls -A "$tmp/user/w" | paste -sd' ')"
	same 'and are his own' 12345:12345 "$(stat -c %u:%g "$tmp/user/w/made.too")"
	nothing_left 'nor does he leave anything behind'
else
	skip 'a user who may not mount' 'it needs root'
fi

# ---- how copies end ----
record 5 'all end with the same exit code' --copies 3 -- "$ways" exit-5
expect_match 'that is recorded' 'Recorded in' "$tmp/err"
(record 134 'all die of the same signal' --copies 2 -- "$ways" abort) 2>/dev/null
record 126 'one ends with another exit code' --copies 2 -- "$ways" self differ-exit
expect_match 'its output is shown' 'copy gives up' "$tmp/err"
expect_match 'it is named' 'copy 1 of the program ended with exit code 7, but copy 0 ended with exit code 0' "$tmp/err"
not_recorded 'and nothing is recorded'
record 126 'one dies' --copies 3 -- "$ways" self differ-death
expect_match 'its death is named' 'copy [12] of the program was killed by signal 11 .* but copy 0 ended with exit code 0' "$tmp/err"
record 126 'one calls a function more often' --copies 2 -- "$ways" differ-calls
expect_match 'the function is named, and the likely cause' 'extra was called 3 times in copy 0, but 4 times in copy 1.*likely because.*reads the time .gettimeofday' "$tmp/err"
expect_sentence 'in one sentence'
not_recorded 'and nothing is kept'
nothing_left 'nor left behind'
record 0 'a child of each copy' --copies 2 -- "$ways" fork

# ---- signals ----
start() { # OPTION… -- WORD…: in the background, as $skein
	rm -f "$tmp/r.skein"
	skein record paths -o "$tmp/r.skein" "$@" >"$tmp/out" 2>"$tmp/err" &
	skein=$!
}
# until_alive N WORD [STATE]: so many have come to where they wait for something, or to another state
until_alive() {
	for _ in $(seq 600); do
		[ "$(copies_alive "$2" "${3:-S}")" -ge "$1" ] && return
		sleep 0.1
	done
	not_ok 'copies are started' "$(copies_alive "$2") of $1 run"
}
# What outlives skein has its arguments, or a copy's.
until_gone() {
	for _ in $(seq 600); do
		pgrep -f "$tmp" >/dev/null || return
		sleep 0.1
	done
	not_ok 'all of them end' "$(pgrep -fa "$tmp")"
}
# Copies that have come to the gate wait until it is opened.
gate=$tmp/gate
mkfifo "$gate"
open_gate() {
	exec 9<>"$gate"
	until_gone
	exec 9>&-
}
start --copies 2 -- "$ways" sleep
until_alive 2 sleep
kill -TERM $skein
wait $skein 2>/dev/null
expect_match 'SIGTERM reaches all copies, and a sentence says what it did' 'stopped at different points|Recorded in' "$tmp/err"
same 'none of them survives' 0 "$(copies_alive sleep)"
(until_alive 2 sleep; copies_alive sleep >"$tmp/interrupted"; printf '\003'; sleep 0.5) | timeout 120 script -qec "skein record paths -o $tmp/r.skein --copies 2 -- $ways sleep" /dev/null >"$tmp/out"
same 'nor an interrupt from the terminal' '2 0' "$(cat "$tmp/interrupted") $(copies_alive sleep)"
start --copies 2 -- "$ways" stop self
until_alive 1 stop T
for pid in $(pgrep -f "^$ways stop"); do kill -CONT "$pid"; done
wait $skein
same 'a copy that was stopped goes on' 0 $?

start --copies 3 --at-once 1 -- "$ways" sleep
until_alive 1 sleep
kill -TERM $skein
wait $skein 2>/dev/null
same 'no copy is started after a signal' 0 "$(copies_alive sleep)"
expect_match 'and that is told' 'signal 15 .* arrived before all copies had run' "$tmp/err"

# ---- what outlives skein, and who outlives the program ----
session() { ls -d "$tmp"/.r.skein.session-*; }
start --outlive --copies 2 -- "$ways" "gate:$gate" fork
until_alive 2 gate
kill -KILL $skein
wait $skein 2>/dev/null
expect_status 125 'recovered too soon' skein recover "$(session)" -o "$tmp/r.skein"
expect_match 'who still runs is named' 'process [0-9]+ of the session is still running' "$tmp/err"
open_gate
expect_status 2 'one copy alone' skein recover "$(session)/copy-1" -o "$tmp/r.skein"
expect_status 0 'skein was killed: all copies are recovered' skein recover "$(session)" -o "$tmp/r.skein"
check 'with all counts' grep -q '^extra .* 1$' <(profile "$tmp/r.skein")
start --copies 2 -- "$ways" "gate:$gate" fork
until_alive 2 gate
kill -KILL $skein
wait $skein 2>/dev/null
until_gone
expect_status 0 'skein was killed, and its copies with it: what there is is recovered' skein recover "$(session)" -o "$tmp/r.skein"
nothing_left 'killed copies'
start --outlive --copies 2 --at-once 1 -- "$ways" "gate:$gate" fork
until_alive 1 gate
kill -KILL $skein
wait $skein 2>/dev/null
open_gate
expect_status 125 'a copy that never ran' skein recover "$(session)" -o "$tmp/r.skein"
expect_match 'is told' 'copy 1 of 2 did not run' "$tmp/err"
rm -rf "$(session)"
(cd "$tmp/recorded.d" && record 125 'a program that leaves a daemon' --copies 2 -- "$ways" "daemon:$gate")
expect_match 'what to do then is told' 'process [0-9]+ of a copy is still running.*skein recover' "$tmp/err"
open_gate
expect_status 0 'its recording is made when it has ended' skein recover "$(session)" -o "$tmp/r.skein"
check 'what it wrote is there' test -e "$tmp/recorded.d/daemon"
nothing_left 'and nothing else'
fresh
cd "$tmp/recorded.d" || exit
start --outlive --copies 2 -- "$ways" files "gate:$gate"
until_alive 2 files
kill -KILL $skein $(pgrep -P $skein)
wait $skein 2>/dev/null
cd "$tmp/w" || exit
open_gate
same 'skein and its helpers were killed: the folder is as without us' 'changed linked made.d made.too' "$(ls -A "$tmp/recorded.d" | paste -sd' ')"
same 'no layer is left' '' "$(ls "$tmp/t")"
rm -rf "$(session)"

# ---- launchers ----
export COPIES_TEST='two words'
"$ways" self 'x  y' "it's" <in >"$tmp/native" 2>/dev/null
launched() { # NAME PREFIX [OPTION…]
	record 0 "$1" --launch "$2" "${@:3}" -- "$ways" self 'x  y' "it's"
	same "$1: the same words, name and folder" "$(cat "$tmp/native")" "$(cat "$tmp/out")"
}
launched 'env' 'env A=1' --copies 2
launched 'without an environment' 'env -i' --copies 2
launched 'nice, one copy' 'nice -n 5'
launched 'nice' 'nice -n 5' --copies 2
launched 'a shell' "sh -c 'exec \"\$@\"' sh" --copies 2
launched 'as ssh does: words are joined and read by a shell elsewhere' "sh -c 'cd /; exec sh -c \"\$*\"' sh" --copies 2
launched 'mpirun' 'mpirun --allow-run-as-root -n 1' --copies 2
cat in | record 0 'mpirun with input' --launch 'mpirun --allow-run-as-root -n 1' --copies 2 -- "$ways" input
expect_match 'input reaches what mpirun starts' 'input 588895 bytes' "$tmp/out"
record 0 'several processes in each copy' --launch 'mpirun --allow-run-as-root --oversubscribe -n 2' --copies 2 --shared-folder -- "$ways" fork
check 'all of them are counted' grep -q '^extra .* 2$' <(profile "$tmp/r.skein")
record 125 'several processes in one private folder' --launch 'mpirun --allow-run-as-root --oversubscribe -n 2' --copies 2 -- "$ways" fork
expect_match 'is refused' '--shared-folder' "$tmp/err"
# As ssh: words are joined and read by a shell elsewhere; no signal gets there; of a program that died of one no more is known than that it failed.
cat >"$tmp/bin/far" <<'END2'
#!/bin/bash
set -m # else what runs in the background ignores interrupts
setsid -w sh -c "cd /; exec env -i sh -c '$*'" <&0 &
wait $!
status=$?
exit $((status > 128 ? 255 : status))
END2
chmod +x "$tmp/bin/far"
launched 'far away' "$tmp/bin/far" --copies 2
launched 'far away, one copy' "$tmp/bin/far"
cat in | record 0 'far away with input' --launch "$tmp/bin/far" --copies 2 -- "$ways" input
expect_match 'input gets there' 'input 588895 bytes' "$tmp/out"
record 5 'far away: the exit code' --launch "$tmp/bin/far" --copies 2 -- "$ways" exit-5
for k in 1 2; do
	(record 134 "far away, $k: the signal that it died of" --launch "$tmp/bin/far" --copies $k -- "$ways" abort) 2>/dev/null
	start --launch "$tmp/bin/far" --copies $k -- "$ways" sleep
	until_alive $k sleep
	kill -TERM $skein
	wait $skein 2>/dev/null
	same "far away, $k: SIGTERM gets there" '143 0' "$? $(copies_alive sleep)"
	(until_alive $k sleep; printf '\003'; sleep 0.5) | timeout 120 script -qec "skein record paths -o $tmp/r.skein --copies $k --launch $tmp/bin/far -- $ways sleep" /dev/null >"$tmp/out"
	same "far away, $k: so does an interrupt" 0 "$(copies_alive sleep)"
	expect_match "far away, $k: and it is recorded" 'Recorded in' "$tmp/out"
done
record 126 'a launcher that is not there' --launch 'no-such-launcher -n 1' --copies 2 -- "$ways" self
expect_sentence 'is told in one sentence'
record 126 'a launcher that starts nothing' --launch 'sh -c "exit 9"' --copies 2 -- "$ways" self
expect_match 'is told too' 'sh ended with exit code 9 without starting copy 0' "$tmp/err"
nothing_left 'launchers leave nothing behind'

# ---- plans, and what is refused ----
unset COPIES_TEST
record 0 'a short run' -- "$ways" input <<<'short'
mv "$tmp/r.skein" "$tmp/train.skein"
# What one copy without a plan executes is the same figure in all recordings of one run.
figure() { csv_value <(skein report paths "$tmp/r.skein" --view summary --csv) name="$1" value; }
record 0 'one copy, without a plan' -- "$ways" self input <in
alone=$(figure hits_sequential)
same 'it executes what is called sequential' "$alone" "$(figure hits_slowest)"
for options in '--plan train.skein' '--copies 2' '--copies 2 --plan train.skein' '--copies 3 --share p3 --plan train.skein'; do
	record 0 "sequential: $options" ${options/train/$tmp/train} -- "$ways" self input <in
	same "sequential: the same figure with $options" "$alone" "$(figure hits_sequential)"
done
record 0 'a plan' --copies 2 --plan "$tmp/train.skein" -- "$ways" self input <in
equal 'with a plan: the same counts' "$tmp/profile-1" <(profile "$tmp/r.skein")
cp "$ways" "$tmp/bin/other" && (cd "$tmp/bin" && skein-cc -O1 -o other "$tests/prog/paths/copies_ways.c")
record 2 'a plan of another build' --copies 2 --plan "$tmp/train.skein" -- "$tmp/bin/other" self
expect_match 'says so' 'another build' "$tmp/err"
record 127 'a plan that is not there' --plan "$tmp/nothing.skein" -- "$ways" self
skein record calls -o "$tmp/calls.skein" -- "$ways" self >/dev/null 2>&1
record 2 'a plan of another lens' --plan "$tmp/calls.skein" -- "$ways" self
record 2 'no copies' --copies 0 -- "$ways" self
record 2 'an unknown way to share' --copies 2 --share fairly -- "$ways" self
record 2 'sharing alone' --share p3 -- "$ways" self
record 2 'a threshold without P3' --copies 2 --threshold 4 -- "$ways" self
expect_match 'names the option that is missing' '--threshold is that of P3: add --copies K --share p3' "$tmp/err"
record 2 'a threshold of 0' --copies 2 --share p3 --threshold 0 -- "$ways" self
record 2 'paths of nobody' --only-paths 3,4 -- "$ways" self
record 2 'never executed by whom' --only-paths main:never-executed -- "$ways" self
record 2 'some paths in several copies' --copies 2 --only-paths main:0 -- "$ways" self
record 2 'an empty launcher' --launch '' -- "$ways" self
cc -o "$tmp/bin/plain" "$tests/prog/paths/copies_ways.c"
record 126 'a program that skein-cc did not build' --copies 2 -- "$tmp/bin/plain" self
expect_sentence 'one sentence for it'
expect_status 2 'run-copy is not for people' skein run-copy
nothing_left 'what is refused leaves nothing'
