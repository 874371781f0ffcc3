#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that has little memory, a full disk, few descriptors or no environment behaves under every lens as it does
# alone: the runtime counts what it loses, and no hook ever meets rows that are not there.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
export XDG_CACHE_HOME=$tmp/cache # of its own: the re-linked files in it are run by hand
lenses='calls span input paths idle'
skein-cc -O2 -g -pthread "$tests/prog/threads/starved.c" -o starved || exit

# limited OPTIONS COMMAND…: its output and status, with these limits; through a pipe, which no limit on files concerns
limited() {
	# shellcheck disable=SC2086 # several options
	(ulimit -S $1 && shift && timeout 120 "$@"; echo "status $?") 2>err | cat
}

# as_alone NAME: what skein printed of the subject is what the subject prints alone
as_alone() {
	local lines
	lines=$(($(grep -c . alone) - 1))
	if cmp -s <(head -n $lines alone) <(head -n $lines out) && [ "$(tail -n 1 out)" = "$(tail -n 1 alone)" ]; then ok "$1"; else
		not_ok "$1" "$(diff alone out | head -n 5; tail -n 2 err)"
	fi
}

for lens in $lenses; do
	while IFS='|' read -r limits modes; do
		read -ra mode <<<"$modes"
		limited "$limits" ./starved "${mode[@]}" >alone
		limited "$limits" skein record "$lens" -o one.skein -- ./starved "${mode[@]}" >out
		as_alone "$lens: $modes, limits $limits"
	done <<-'END'
		-c 0|work threads vfork fork exec
		-f 64|work threads vfork fork exec
		-f 1024|work threads vfork fork exec
		-n 16|work threads vfork fork exec
		-v 262144|work threads vfork fork exec
		-v 1048576|work threads vfork fork exec
		-v 4194304|work threads vfork fork exec
		-c 0|addresses work
		-c 0|files work
		-c 0|descriptors work
		-c 0|addresses files vfork fork exec
	END
	rm -f one.skein
done

# What is lost is told.
limited '-c 0' skein record span -o told.skein -- ./starved files >out
expect_match 'span without space for rows: the report tells what was lost' 'Events lost because the recording could not grow' err
limited '-c 0' skein record span -o all.skein -- ./starved addresses >out
expect_match 'span in 300 MB of addresses: nothing is lost' 'No events were lost' err

# Run by hand, a re-linked file has no session.
limited '-c 0' ./starved work threads vfork fork >alone
hands=0
for file in "$tmp"/cache/skein/starved-*/bin/starved; do
	limited '-c 0' "$file" work threads vfork fork >out
	as_alone "a re-linked file run by hand: $((++hands))"
done
check 'there was one for each lens that links again' [ "$hands" -ge 4 ]

# A library that is closed and opened again has its rows elsewhere, also where none of them is recorded.
cat >library.c <<'END'
__attribute__((noinline)) static int leaf(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) static int two(int x) { return leaf(x) + leaf(x); }
int library(int x) { return two(x) + two(x); }
END
cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
	int sum = 0;
	if (argc > 1)
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, RLIM_INFINITY});
	for (int i = 0; i < 4; i++) {
		void *library = dlopen("./liblibrary.so", RTLD_NOW);
		int (*function)(int) = library ? (int (*)(int))dlsym(library, "library") : NULL;
		if (!function)
			exit(3);
		sum += function(i);
		dlclose(library);
		mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* the next one comes to lie elsewhere */
	}
	printf("%s: %d\n", argv[argc - 1], sum);
	return 42;
}
END
skein-cc -O2 -g -shared -fPIC library.c -o liblibrary.so && skein-cc -O2 -g opens.c -o opens || exit
for lens in span calls paths input; do
	rm -rf cache
	limited '-c 0' ./opens limited >alone
	limited '-c 0' skein record "$lens" -o opens.skein -- ./opens limited >out
	as_alone "$lens: a library is opened again and again on a full disk"
	limited '-c 0' ./opens hand >alone
	(cd cache/skein/liblibrary.so-*/bin && limited '-c 0' ../../opens-*/bin/opens hand) >out
	as_alone "$lens: a library is opened again and again by hand"
done

# Sanitizers keep large parts of the address space for themselves, and end a program in which something else lies there.
for sanitizer in address memory; do
	skein-cc -O1 -g -pthread -fsanitize=$sanitizer "$tests/prog/threads/starved.c" -o $sanitizer || exit
	limited '-c 0' ./$sanitizer work threads fork >alone
	for lens in $lenses; do
		limited '-c 0' skein record "$lens" -o sanitized.skein -- ./$sanitizer work threads fork >out
		as_alone "$lens: with the $sanitizer sanitizer"
	done
done

# A full disk. Where nothing can be mounted (not root, or a container) the limits on files must do.
mkdir small
within() { unshare --mount --propagation private sh -c 'mount -t tmpfs -o "size=$1" small small && cd small && shift && exec "$@"' sh "$@"; }
if within 64k true 2>/dev/null; then
	./starved work threads vfork fork exec >alone
	echo "status $?" >>alone
	for lens in $lenses; do
		for size in 64k 300k 600k; do
			(within $size skein record "$lens" -o full.skein -- ../starved work threads vfork fork exec; echo "status $?") >out 2>err
			as_alone "$lens: a disk of $size"
		done
	done
else
	skip 'a full disk' 'nothing can be mounted here'
fi
