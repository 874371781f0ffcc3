#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# alone
# Whatever a subject does, it behaves as it does without the sampler, and its work is in the routines that did it.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/idle/subjects.sh"

# misplaced: routines of all.csv, which has one or more runs, whose work is neither within 15 % nor on average within 8 ms of what it was. With $coarse a timer may have ticked so seldom
# that one routine's work was taken for another's: then it is the sum, and each of them must have been seen.
misplaced() {
	awk -F, -v coarse="${coarse:-}" '
		function wrong(name, is, was, runs) {
			off = is - was
			if (off < 0) off = -off
			if (off > 0.15 * was && off > 8e6 * runs) printf "%s worked %.1f ms, recorded %.1f in %d runs; ", name, was / 1e6, is / 1e6, runs
		}
		{was[$1] += $2; is[$1] += $3; runs[$1]++; all_was += $2; all_is += $3; if (runs[$1] > most) most = runs[$1]}
		END {
			for (name in was) {
				if (coarse && !is[name]) printf "%s was not seen; ", name
				if (!coarse) wrong(name, is[name], was[name], runs[name])
			}
			wrong("all", all_is, all_was, most)
			if (!NR) print "the subject told nothing"
		}' all.csv
}

# survives NAME [ARGUMENT…]: with $around and $options; its behaviour, which must be right in each run, and what was recorded of it, which must be right in the mean of one to
# nine runs. One of 40 samples is lost to a lock where the machine is loaded: one run is up to 20 % off, and one in ten is more than 15 % off; the mean of nine varies by a third of that and is so in fewer than 1 of 10^6.
survives() {
	local name=${1##*/} title="$1${2:+ $2}${note:+, $note}" native run wrong='' off=-
	cd "$tmp/$1" || return
	{ (shift && exec "./$name" "$@") >native.out 2>native.err </dev/null; } 2>/dev/null
	native=$?
	rm -f accounted.csv all.csv
	for ((run = 1; run <= 9 && ${#off} && !${#wrong}; run++)); do
		idle_record "$@" >wrong 2>&1 && idle_compare >>wrong 2>&1 && cat compared.csv >>all.csv
		wrong=$(cat wrong)
		[ "$native" -eq "$recorded" ] || wrong+="exit status $recorded, natively $native; it said: $(head -c 400 recorded.err)"
		head -n "$(wc -l <native.out)" recorded.out | grep -v '^expect ' | cmp -s - <(grep -v '^expect ' native.out) || wrong+="its output differs: $(diff native.out recorded.out | grep -v expect | head -n 5)"
		off=$(misplaced; idle_unaccounted)
	done
	wrong+="$off"
	if [ -z "$wrong" ]; then ok "$title"; else not_ok "$title" "$wrong"; fi
}

for subject in opens.c process.c signals.c parts.c ptrace.c eintr.c stacks.c early.c throws.cpp; do
	idle_build "idle/$subject" && survives "idle/${subject%.*}"
done
idle_build idle/many.c
for how in short few-files closes killed; do survives idle/many $how; done

# Without perf events, from the start or from an exec on: a coarser clock, and the report says so.
idle_build idle/forbid.c
idle_build idle/c11.c
coarse=1 note='no perf events' around="$tmp/idle/forbid/forbid" survives idle/c11
skein report idle "$tmp/idle/c11/run.skein" | tr '\n' ' ' | tr -s ' ' >"$tmp/out"
expect_match 'no perf events: the report says so' 'CPU-time timers, because perf events are not allowed' "$tmp/out"
cp "$tmp/idle/c11/c11" "$tmp/idle/forbid/"
coarse=1 survives idle/forbid ./c11

# What cannot be sampled is refused before it runs.
cd "$tmp" || exit
printf '#include <stdio.h>\nint main(void) { puts("it ran"); return 0; }\n' >hello.c
cc -O2 -static hello.c -o hello-static
cc -O2 hello.c -o hello-setuid
expect_status 126 'a static program is refused' skein record idle -o refused.skein -- ./hello-static
expect_sentence 'a static program: one sentence'
same 'a static program does not run' '' "$(cat "$tmp/out")"
if is_root; then
	chown 1 hello-setuid && chmod u+s hello-setuid
	expect_status 126 'a setuid program is refused' skein record idle -o refused.skein -- ./hello-setuid
	expect_sentence 'a setuid program: one sentence'
	same 'a setuid program does not run' '' "$(cat "$tmp/out")"
else
	skip 'a setuid program' 'it needs root'
fi
same 'nothing is left of what was refused' '' "$(find . -maxdepth 1 -name '*refused*')"
