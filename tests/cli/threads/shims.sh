#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shims.sh: src/threads alone, with a stand-in for the writer and the lens (tests/prog/threads/standin.c), so that what
# each shim does can be seen from inside the subject. Both compilers build it.
. "$(dirname "$0")/../../lib/lib.sh"

root=$(realpath "$tests/..")
llvm=${LLVM:-/usr/lib/llvm-19}
standin_flags=(-std=c11 -O2 -g -D_GNU_SOURCE -I"$root/src" -I"$root/include" -idirafter "$llvm/lib/clang/19/include" -Wall -Wextra -Werror -fPIC
	-fvisibility=hidden -fno-semantic-interposition -ftls-model=initial-exec -fno-stack-protector)
mapfile -t sources < <(find "$root/src/threads" -name '*.c' ! -name static.c ! -name session.c)
sources+=("$root/src/raw/addresses.c" "$root/src/raw/filter.c")

# The program runs in a folder of its own; its lines are ours.
run() { # PROGRAM [VARIABLE=VALUE…]
	local program=$1 status
	shift
	rm -rf "$tmp/run"
	mkdir "$tmp/run"
	(cd "$tmp/run" && env "$@" timeout 120 "$tmp/$program") >"$tmp/out" 2>"$tmp/err"
	status=$?
	cat "$tmp/out"
	failures=$((failures + $(grep -c '^not ok ' "$tmp/out")))
	check "$program says what it found" grep -q '^ok ' "$tmp/out"
	[ "$status" -le 1 ] || not_ok "$program ends by itself" "exit status $status: $(head -c 300 "$tmp/err")"
}

build_with() { # COMPILER PROGRAM…
	local cc=$1 program openmp
	shift
	"$cc" "${standin_flags[@]}" -shared -Wl,-z,defs -Wl,-z,now -o "$tmp/libstandin.so" "${sources[@]}" "$tests/prog/threads/standin.c" || return
	for program; do
		openmp=()
		[[ $program != *openmp ]] || openmp=(-fopenmp)
		"$cc" -std=gnu11 -O2 -g -D_GNU_SOURCE -I"$root/src" -I"$root/include" -Wall -Wextra -Werror "${openmp[@]}" \
			-o "$tmp/$program" -Wl,--no-as-needed "$tmp/libstandin.so" "$tests/prog/threads/$program.c" \
			-Wl,-rpath,"$tmp:$tmp/libraries" || return
	done
}

mkdir "$tmp/libraries"
echo 'int relinked;' | cc -shared -fPIC -o "$tmp/libraries/libthreads_relinked.so" -x c -

check 'src/threads builds with the system compiler' build_with cc waits life process
run waits
run life
run process
check 'src/threads builds with clang' build_with clang-19 process openmp
run process
run openmp OMP_WAIT_POLICY=active
run openmp OMP_WAIT_POLICY=passive
