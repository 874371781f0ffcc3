#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# alone
# Whatever a subject does, it behaves as it does without the sampler, and its work is in the routines that did it.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/idle/subjects.sh"

# misplaced: routines of compared.csv whose work is neither within 15 % nor within 8 ms of what it was. With $coarse a timer may have ticked so seldom that one routine's
# work was taken for another's: then it is the sum, and each of them must have been seen.
misplaced() {
	awk -F, -v coarse="${coarse:-}" 'function wrong(name, is, was) {
			off = is - was
			if (off < 0) off = -off
			if (off > 0.15 * was && off > 8e6) printf "%s worked %.1f ms, recorded %.1f; ", name, was / 1e6, is / 1e6
		}
		{was += $2; is += $3}
		coarse && !$3 {printf "%s was not seen; ", $1}
		!coarse {wrong($1, $3, $2)}
		END {wrong("all", is, was); if (!NR) print "the subject told nothing"}' compared.csv
}

# survives NAME [ARGUMENT…]: with $around and $options; its behaviour, and what was recorded of it
survives() {
	local name=${1##*/} title="$1${2:+ $2}${note:+, $note}" native wrong
	cd "$tmp/$1" || return
	{ (shift && exec "./$name" "$@") >native.out 2>native.err </dev/null; } 2>/dev/null
	native=$?
	wrong=$(idle_record "$@" 2>&1 && idle_compare 2>&1 && misplaced
		[ "$native" -eq "$recorded" ] || echo "exit status $recorded, natively $native; it said: $(head -c 400 recorded.err)")
	head -n "$(wc -l <native.out)" recorded.out | grep -v '^expect ' | cmp -s - <(grep -v '^expect ' native.out) || wrong+="its output differs: $(diff native.out recorded.out | grep -v expect | head -n 5)"
	if [ -z "$wrong" ]; then ok "$title"; else not_ok "$title" "$wrong"; fi
}

for subject in opens.c process.c signals.c ptrace.c eintr.c stacks.c early.c throws.cpp; do
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
