#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Valgrind tool of the input lens: sizes and calls that subjects know of themselves, for ordinary binaries.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/subjects.sh"
cd "$tmp" || exit

input_tool dump || exit
export ASAN_OPTIONS=detect_leaks=0

# subject FILE: compile it, as any user would: input/arrays.c becomes input/arrays
subject() {
	local name=${1%.*} compiler=gcc flags
	case $1 in *.cpp) compiler=g++ ;; esac
	mkdir -p "$(dirname "$1")"
	read -ra flags < <(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$tests/prog/$1")
	$compiler -O1 -g -fno-stack-protector "${flags[@]}" -I"$tests/../include" "$tests/prog/$1" -o "$name"
}

# record FOLDER [--skein-OPTION…] -- PROGRAM…: what it printed is in FOLDER/out, its sizes in FOLDER/csv
record() {
	local folder=$1 options=() status
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	rm -rf "$folder"
	mkdir "$folder"
	SKEIN_SESSION=$folder VALGRIND_LIB=$build/lib/skein/valgrind valgrind -q --tool=skein --fair-sched=yes --vgdb=no --demangle=no --log-file=/dev/null --max-threads=2000 \
		--trace-children=yes "${options[@]}" "$@" >"$folder/out" 2>"$folder/err"
	status=$?
	bin/dump "$folder"/*.raw >"$folder/csv" || return
	return "$status"
}

# holds NAME FOLDER: the recording agrees with the subject
holds() { same "$1" '' "$(input_wrong "$2")"; }

for file in input/{arrays,joined,threads,kernel,flow,reuse,many}.c input/throws.cpp calls/{longjmp,signals,cancel,deep,ends,forks,unended,hostile}.c calls/exceptions.cpp; do
	subject "$file" || { not_ok "$file" 'does not compile'; exit; }
done
for name in arrays joined threads kernel flow reuse throws; do
	record "run-$name" -- "./input/$name" || not_ok "$name" "it ended with $?: $(head -c 300 "run-$name/err")"
	holds "$name: sizes and calls" "run-$name"
	same "$name: as without us" "$("./input/$name")" "$(cat "run-$name/out")"
done


# Sizes of all activations of a routine by a metric, added up.
total() { awk -F, -v routine="\"$2\"" -v metric="$3" '$1 == "point" && $4 == routine && $5 == metric {sum += $6 * $7} END {print sum + 0}' "$1/csv"; }

gcc -O1 -g -static -fno-stack-protector "$tests/prog/input/threads.c" -o static -pthread
record run-static -- ./static
holds 'a static program' run-static

record small --skein-counter=3000 -- ./input/threads
holds 'the counter may come to its end at any time' small
check 'which it did' [ "$(input_how small renumberings)" -gt 3 ]
record run-deep -- ./input/many deep
holds 'a million activations' run-deep
record run-many -- ./input/many threads
holds 'ten thousand threads' run-many
same 'all counted' 10001 "$(input_how run-many threads)"

# Subjects of other lenses know how often each routine is called.
each() { # NAME ARGUMENT…: once with each argument
	local name=$1 argument
	shift
	for argument; do
		same "$name $argument: status" "$("calls/$name" $argument >/dev/null 2>&1; echo $?)" "$(record other -- "calls/$name" $argument; echo $?)"
		holds "$name $argument: calls" other
	done
} 2>/dev/null
each longjmp ''
each signals segv storm
each cancel ''
each deep ''
each exceptions ''
each ends return exit _exit quick_exit abort pthread_exit thread-exit sigterm sigsegv
each forks fork fork-threads exec-path exec-fails vfork grandchild
each unended return _exit

# The memory cell: an array of n words has as many cells as it touches.
for cell in 1 2 8 16; do
	record cells --skein-cell=$cell -- ./input/arrays
	same "cells of $cell bytes" "$(awk -v cell=$cell 'BEGIN {for (n = 1; n <= 60; n++) sum += int((4 * n + cell - 1) / cell); print sum}')" "$(total cells increment trms)"
done

# What is not input unless one asks for it.
record locks --skein-count-locks=yes -- ./input/threads
check 'locks are input if one asks for it' [ "$(total locks consumer trms)" -gt 3000 ]
record returns --skein-count-returns=yes -- ./input/arrays
same 'return addresses, too: two cells an activation' $(($(total run-arrays sum rms) + 2 * 240)) "$(total returns sum rms)"
record freed --skein-keep-freed=yes -- ./input/reuse
check 'freed memory is new to its next user, but not if one says so' [ "$(total freed with_malloc rms)" -lt 1000 ]

# Cost, contexts, bins.
record instructions --skein-cost=instructions -- ./input/arrays
cost() { awk -F, -v routine="\"$2\"" '$1 == "point" && $4 == routine && $5 == "rms" {sum += $10} END {print sum + 0}' "$1/csv"; }
check 'instructions are more than blocks' [ "$(cost instructions sum)" -gt "$((2 * $(cost run-arrays sum)))" ]
same 'and as exact' "$(cost instructions sum)" "$(record again --skein-cost=instructions -- ./input/arrays; cost again sum)"
record contexts --skein-contexts=yes -- ./input/arrays
same 'a routine has a context for each caller' 'main own_array' "$(awk -F, '
	$1 == "context" {gsub(/"/, "", $5); parent[$3] = $4; name[$3] = $5}
	END {for (c in name) if (name[c] == "sum") print name[parent[c]]}' contexts/csv | sort | xargs)"
record bins --skein-sizes=128 -- ./input/many deep
same 'no bins where sizes are few' 0 "$(input_how bins binned)"

# Accesses that tell nothing new are left out when code is translated: sizes are the same as with each of them.
points() { grep '^point' "$1/csv" | cut -d, -f3- | sort | md5sum; }
# shellcheck disable=SC2089,SC2090 # split at spaces; the quotes are awk's
for program in ./input/arrays ./input/flow ./calls/exceptions 'ls /usr/lib' "awk BEGIN{for(i=0;i<300;i++)s=s\"x\"i;n=split(s,a,\"x\");for(i=1;i<=n;i++)t+=a[i];print(t,toupper(substr(s,1,9)))}"; do
	record pair --skein-every=yes -- $program
	every=$(points pair)
	record pair --skein-every=no -- $program
	same "${program%%[ A-Z]*}: accesses left out change nothing" "$every" "$(points pair)"
done

# Whose writes a thread reads.
same 'the consumer reads the producer' 1000 "$(awk -F, '$1 == "source" && $3 == 1 && $4 == 2 {print $5}' run-threads/csv)"

# A recording is there whatever becomes of the subject.
for how in close-all chdir chroot setuid; do
	case $how in chroot | setuid) is_root || { skip "hostile $how" 'it needs root'; continue; } ;; esac
	record hostile-$how -- calls/hostile $how
	check "hostile $how: it is recorded" [ "$(input_how hostile-$how flags | sort -n | head -n 1)" -eq 33 ] # a child that was forked has one flag more
done
printf 'static volatile int x; __attribute__((noinline)) int step(void) { return x; } int main(void) { for (;;) step(); }\n' >endless.c
gcc -O1 endless.c -o endless
mkdir killed
SKEIN_SESSION=$tmp/killed VALGRIND_LIB=$build/lib/skein/valgrind valgrind -q --tool=skein --vgdb=no --skein-period=20 ./endless &
for _ in $(seq 600); do
	sleep 0.1
	timeout 5 bin/dump killed/*.raw >killed/csv 2>/dev/null && [ "$(total killed step trms)" -gt 0 ] && break
done
kill -9 $!
wait $! 2>/dev/null
bin/dump killed/*.raw >killed/csv
check 'kill -9 leaves a readable recording' [ "$(total killed step trms)" -gt 0 ]
same 'which says so' 32 "$(input_how killed flags)"

# Without symbols a routine is where calls lead to.
strip -s -o stripped input/arrays
record stripped-run -- ./stripped
same 'a stripped program: sizes' "$(awk -F, '$1 == "point" && $5 == "trms" && $4 ~ /^"(sum|increment)"$/ {print $6, $7, $10}' run-arrays/csv | sort | md5sum)" \
	"$(awk -F, -v want="$(nm input/arrays | awk '$3 == "sum" || $3 == "increment" {sub(/^0*/, "", $1); print "(stripped)+0x" $1}' | xargs)" '
		BEGIN {split(want, w, " "); for (i in w) wanted["\"" w[i] "\""] = 1}
		$1 == "point" && $5 == "trms" && $4 in wanted {print $6, $7, $10}' stripped-run/csv | sort | md5sum)"

# The program's own routines come first, and the verdict counts these: what the loader and the C library do stands below.
cat >own.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int cells[2048];
__attribute__((noinline)) long total(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += cells[i];
	return sum;
}
int main(void)
{
	long sum = 0;
	for (int n = 8; n <= 2048; n += 8) {
		char *text = malloc(n), *copy;
		cells[n - 1] = n;
		memset(text, 'x', n - 1);
		text[n - 1] = 0;
		copy = strdup(text);
		sum += total(n) + strlen(copy);
		free(copy);
		free(text);
	}
	return printf("%ld\n", sum) < 0;
}
END
cc -O2 -g -fno-builtin own.c -o own
skein record input -o own.skein -- ./own >/dev/null 2>&1
skein report input own.skein --csv >own.csv
skein report input own.skein --top 3 | tr '\n' ' ' | tr -s ' ' >"$tmp/out"
same 'the first routines are those of the program' 'main total' "$(awk -F, 'NR > 1 && $4 == "all" {print $1}' own.csv | head -n 2 | sort | paste -sd' ')"
expect_match 'the verdict counts the routines of the program' '^ ?No routine with a significant share grows faster than n log n \(1 of 2 routines have a cost function\)[.:]' "$tmp/out"

# Limits under which Valgrind, or the program in it, would fail in the middle are told before the run.
printf '#include <stdio.h>\nint main(void) { puts("ran"); return 42; }\n' >limited.c
cc -O1 -g limited.c -o limited
(ulimit -n 16 && skein record input --valgrind -o limited.skein -- ./limited) >"$tmp/out" 2>"$tmp/err"
same '16 descriptors: refused' 125 $?
expect_sentence '16 descriptors: one sentence'
expect_match '16 descriptors: it says what to do' 'Valgrind takes 12 of the 16 descriptors .* `ulimit -n 64`' "$tmp/err"
(ulimit -n 8 && skein record input --valgrind -o limited.skein -- ./limited) >>"$tmp/out" 2>"$tmp/err"
same '8 descriptors: refused' 125 $?
expect_sentence '8 descriptors: one sentence'
(ulimit -f 4 && skein record input --valgrind -o limited.skein -- ./limited) >>"$tmp/out" 2>"$tmp/err"
same 'files of 4 blocks: refused' 125 $?
expect_sentence 'files of 4 blocks: one sentence'
expect_match 'files of 4 blocks: it says what to do' 'the limit on the size of files, 4096 bytes, .* `ulimit -f 1024`' "$tmp/err"
same 'the program was never run' '' "$(cat "$tmp/out")"
(ulimit -n 20 && skein record input --valgrind -o limited.skein -- ./limited) >"$tmp/out" 2>"$tmp/err"
same '20 descriptors are enough' 42 $?

# A program that lowers the limit itself is not hit by what Skein writes.
cat >lowers.c <<'END'
#include <stdio.h>
#include <sys/resource.h>
int main(void)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, RLIM_INFINITY});
	puts("ran");
	return 42;
}
END
cc -O1 -g lowers.c -o lowers
skein record input --valgrind -o lowers.skein -- ./lowers 2>"$tmp/err" | cat >"$tmp/out"
same 'a program that lowers the limit on files ends by itself' 42 "${PIPESTATUS[0]}"
same 'it has run' ran "$(head -n 1 "$tmp/out")"
