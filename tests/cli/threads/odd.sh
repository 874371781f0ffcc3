#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that are odd: other allocators, sanitizers, thousands of threads, forks and loads, io_uring, the first process of a PID namespace. Under every
# lens: output and status as natively, a recording that opens, and each call of a routine that the program knows.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
lenses=(calls 'calls --counts' span input paths idle)

# built NAME FLAG…: an odd program, from the source of that name or of what is before its dash
built() { skein-cc -g -O1 -pthread "$tests/prog/odd/${1%%-*}.c" -o "$1" "${@:2}" 2>build.log || not_ok "$1" "it does not compile: $(head -c 300 build.log)"; }

# calls_of LENS ROUTINE: how often it was called; span has call sites, idle has samples
calls_of() {
	case $1 in
	calls*) skein report calls run.skein --csv >csv && csv_value csv "routine=$2,worker=all,entry=all" calls ;;
	input*) skein report input run.skein --csv >csv && csv_value csv "routine=$2,thread=all" calls ;;
	paths) skein report paths run.skein --view functions --csv >csv && csv_value csv "function=$2" calls ;;
	*) skein report "$1" run.skein --csv >csv && awk -v name="$2" '$1 == "expect" && $2 == name {print $3}' native ;;
	esac
}

# differs LENS COMMAND…: what is not as natively, with `native` and `status` as they are there
differs() {
	local lens=$1 got routine calls
	shift
	rm -f run.skein
	# shellcheck disable=SC2086 # a lens and its option
	timeout 120 skein record $lens -o run.skein -- "$@" >out 2>err </dev/null
	got=$?
	[ "$got" -eq "$status" ] || echo "status $got, natively $status: $(head -c 300 err)"
	cmp -s native out || echo "another output: $(diff native out | head -n 3)"
	grep -oE 'SUMMARY: .*|runtime error: .*' err | diff reports - || echo 'another report of the sanitizer'
	while read -r _ routine calls; do
		[ "$(calls_of "$lens" "$routine")" = "$calls" ] || echo "$routine: $(calls_of "$lens" "$routine") calls, not $calls"
	done < <(grep '^expect ' native)
}

# odd NAME COMMAND…: natively, then under every lens
odd() {
	local name=$1 lens wrong
	shift
	timeout 60 "$@" >native 2>native.err </dev/null
	status=$?
	grep -oE 'SUMMARY: .*|runtime error: .*' native.err >reports
	for lens in "${lenses[@]}"; do
		wrong=$(differs "$lens" "$@" 2>&1)
		if [ -z "$wrong" ]; then ok "$name: $lens"; else not_ok "$name: $lens" "$wrong"; fi
	done
}

built allocates
built allocates-jemalloc -ljemalloc
built allocates-tcmalloc -ltcmalloc
built many
built ring
built first
skein-cc -g -O1 -shared -fPIC "$tests/prog/odd/plugged.c" -o libplugged.so
for kind in address thread undefined leak; do built "errs-$kind" "-fsanitize=$kind"; done

odd '2,000 threads' ./many threads 2000
odd '1,000 forks' ./many forks 1000
odd '2,000 loads' ./many opens 500 ./libplugged.so
for kind in address thread undefined leak; do odd "$kind sanitizer" "./errs-$kind" fine; done
odd 'an overflow of the heap' ./errs-address heap
odd 'an overflow of a number' ./errs-undefined overflow
odd 'a leak' ./errs-leak leak
lenses=(calls input paths idle)
odd 'a race' ./errs-thread race

lenses=(calls 'calls --counts' span input 'input --valgrind' paths idle)
odd jemalloc ./allocates-jemalloc
odd tcmalloc ./allocates-tcmalloc
for name in jemalloc tcmalloc; do
	library=$(ldconfig -p | awk -v name="lib$name.so" 'index($1, name) == 1 {print $NF; exit}')
	LD_PRELOAD=$library odd "$name, preloaded" ./allocates
done
odd io_uring ./ring
CALM=1 odd 'first processes of namespaces' ./first within
lenses=(calls 'calls --counts' span input paths idle)
odd 'first processes of namespaces, with a signal' ./first within
if ! is_root; then
	skip 'a namespace around it all' 'only root may make a PID namespace'
	exit
fi
lenses=(idle)
odd 'all of it in a namespace' unshare -pf --mount-proc ./first
expect_status 7 'skein in a namespace' unshare -pf --mount-proc skein record calls -o inside.skein -- ./first
check 'and its recording' skein report calls inside.skein
