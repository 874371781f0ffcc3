#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Objects are finished by compilers that are loaded once and divided for each: what they make is what compilers make that are started one by
# one, also if such a server refuses to serve or goes away.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

for i in {1..9}; do
	printf 'int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) s += i ^ %d; return s; }\n' "$i" "$i" >"f$i.c"
done
{
	printf '#include <stdio.h>\nint '
	for i in {1..8}; do printf 'f%d(int), ' "$i"; done
	printf 'f9(int);\nint main(void) { printf("%%d\\n", '
	for i in {1..8}; do printf 'f%d(%d) + ' "$i" "$i"; done
	printf 'f9(9)); return 0; }\n'
} >main.c
for file in main f{1..9}; do skein-cc -O1 -g -c "$file.c"; done
skein-cc main.o f?.o -o prog

# A clang-19 before the real one, which notes how it is started: as a server, or for one job. Nothing can be preloaded into it.
real=$(command -v clang-19)
mkdir bin
cat >start.c <<END
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int serves = getenv("SKEIN_SERVE") != NULL, to = open("$tmp/started", O_WRONLY | O_APPEND);
	if (write(to, serves ? "server\\n" : "job\\n", serves ? 7 : 4) < 0 || argc < 1)
		return 1;
	if (serves && access("$tmp/fake", X_OK) == 0)
		execv("$tmp/fake", argv);
	execv("$real", argv);
	return 127;
}
END
cc -static start.c -o bin/clang-19 || exit
starts() { grep -c "$1" started; }

# recorded NAME LENS [VARIABLE=VALUE]: what is linked, without what is different in each link, goes to NAME.LENS
recorded() {
	rm -rf cache started run.skein && touch started
	expect_status 0 "$1, $2: is recorded" env "XDG_CACHE_HOME=$tmp/cache" "PATH=$tmp/bin:$PATH" "${@:3}" skein record -v "$2" -o run.skein -- ./prog
	same "$1, $2: from its objects" '' "$(grep 'as a whole' "$tmp/err")"
	same "$1, $2: its output" "$(./prog)" "$(head -n 1 "$tmp/out")"
	cp cache/skein/prog-*/bin/prog "$1.$2"
}

for lens in calls span input paths; do
	recorded served $lens
	check "served, $lens: by servers" [ "$(starts server)" -ge 1 ]
	same "served, $lens: but for the hooks and the link" 2 "$(starts job)"
	recorded alone $lens LD_PRELOAD=libc.so.6
	same "alone, $lens: no server" 0 "$(starts server)"
	check "$lens: the same program" cmp "served.$lens" "alone.$lens"
done

# A server that goes away before it answers; one that never serves.
for how in leaves refuses; do
	cat >fake.c <<END
#include <stdint.h>
#include <unistd.h>
int main(void)
{
	uint32_t ready = 0x6b65696e;
	char byte;
	if (sizeof "$how" == sizeof "leaves")
		return write(1, &ready, sizeof ready) < 0 || read(0, &byte, 1) < 0;
	return 1;
}
END
	cc -static fake.c -o fake || exit
	recorded $how calls
	check "$how: each object by a compiler of its own" [ "$(starts job)" -ge 10 ]
	check "$how: the same program" cmp "$how.calls" alone.calls
done
