#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where the kernel shows no context switches, as in a container, or nobody asks for them: when threads lacked a core is estimated.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/truth.sh"

cd "$tmp" || exit
cc -O2 -g -pthread "$tests/prog/flow/forms.c" -o forms || exit
cc -O2 "$tests/prog/campaign/deny.c" -o deny || exit
cat >skein <<'END'
#!/bin/sh
exec ./deny 1 "$SKEIN" "$@"
END
chmod +x skein
SKEIN=$(command -v skein)
export SKEIN
loops=4
caveat='Context switches were not recorded: when threads lacked a core is estimated from their CPU clocks.'

# near NAME LEAST FIGURE MOST: within 5 % or 2 ms of what CPU clocks say, since clocks are read beside the program's own
near() { truth_between "$1" "$(awk "BEGIN {print $2 * 0.95 - 2e6}")" "$3" "$(awk "BEGIN {print $4 * 1.05 + 2e6}")"; }
minimum() {
	local cpu core
	read -r cpu core < <(awk '$1 == "minimum_ns" {print $2, $3}' "$1.truth")
	near minimum_ns "$cpu" "$(truth_figure "$1" minimum_ns)" "$core"
}
work() {
	local tid cpu core failed=0
	while read -r tid cpu core; do
		near "work of thread $tid" "$cpu" "$(csv_value "$1.threads" "tid=$tid" work_ns)" "$core" || failed=1
	done < <(awk '$1 == "thread" {print $4, $6, $7}' "$1.truth")
	return $failed
}
holds() {
	same "$1: wall is minimum, load and latency" "$(truth_figure "$1" wall_ns)" \
		"$(($(truth_figure "$1" minimum_ns) + $(truth_figure "$1" load_ns) + $(truth_figure "$1" latency_ns)))"
	same "$1: no switch is recorded" '' "$(truth_figure "$1" switches)"
	check "$1: threads do something for as long as they live" truth_lives "$1"
	check "$1: the minimum is what CPU clocks say" minimum "$1"
	check "$1: so is the work of each thread" work "$1"
}

for part in barrier turns semaphore tree; do
	PATH=$tmp:$PATH truth_record $part $loops ./forms $part
	holds $part
	check "$part: the load is seen" [ "$(truth_figure $part load_ns)" -gt "$(($(truth_figure $part wall_ns) / 10))" ]
done
"$SKEIN" report flow barrier.skein >said
expect_match 'denied: the report says that it is estimated' "$caveat" <(sed 's/^- //; s/^  //' said | tr '\n' ' ')

truth_unload
"$SKEIN" record flow -q --no-switches --keep-raw -o asked.skein -- ./forms broadcast >/dev/null
"$SKEIN" report flow asked.skein --view summary --csv >asked.summary
same 'asked: no switch is recorded' '' "$(truth_figure asked switches)$(find . -name switches)"
check 'asked: there is a minimum' [ "$(truth_figure asked minimum_ns)" -gt 100000000 ]
