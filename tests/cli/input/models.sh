#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The input lens in programs that skein-cc built: what functions without hooks read and write.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/subjects.sh"
cd "$tmp" || exit
input_tool dump && input_tool relink || exit
export ASAN_OPTIONS=detect_leaks=0

# With more optimisation also as distributions build: functions have other names then.
for level in -O1 '-O2 -D_FORTIFY_SOURCE=2'; do
	for name in calls.c pointers.c formats.c streams.cpp; do
		subject "input/$name" $level || { not_ok "$name" 'does not compile'; exit; }
		name=${name%.*}
		record "$name" "input/$name" '' '' || not_ok "$name $level" "it ended with $?: $(head -c 300 "$name/err")"
		holds "$name $level: sizes and calls" "$name"
		same "$name $level: as without us" "$("./input/$name")" "$(cat "$name/out")"
	done
done

# ---- of which nothing is known ----

cat >own.c <<'END'
__attribute__((noinline)) long own_sum(const long *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
END
cat >unknown.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <zlib.h>
long own_sum(const long *a, int n);
static long numbers[100];
static unsigned char packed[2000];
__attribute__((noinline)) static int never(void) { return adler32(0, packed, 10) != 0; }
__attribute__((noinline)) static long packs(void) { uLongf n = sizeof packed; return compress(packed, &n, (const unsigned char *)numbers, sizeof numbers) + (long)crc32(0, packed, 10); }
__attribute__((noinline)) static int quiet(int n)
{
	FILE *f = fopen("/dev/null", "w");
	char *text = strdup("text");
	fprintf(f, "%s %g", text, sqrt(n));
	fclose(f);
	free(text);
	return atoi("3");
}
int main(int count, char **arguments)
{
	if (count > 1 && !strcmp(arguments[1], "packs")) printf("%d\n", packs() != 0);
	if (count > 2) return never();
	return quiet(count) + own_sum(numbers, 10) != 3;
}
END
skein-cc -O1 -g -shared -fPIC own.c -o libown.so && skein-cc -O1 -g unknown.c -L. -lown -lz -lm -Wl,-rpath,"$tmp" -o unknown
expect_status 0 'nothing unknown is called' skein record input -o quiet.skein -- ./unknown
check 'and none is named' sh -c '! tr "\n" " " <err | grep -q "were not seen"'
expect_status 0 'something is' skein record input -o packs.skein -- ./unknown packs
tr '\n' ' ' <err | tr -s ' ' >said
expect_match 'it is named, and how to see it' 'The reads and writes of 2 functions without hooks were not seen \(compress and crc32\): `skein record input --valgrind` sees them' said
same 'a note in the recording' 1 "$(skein report input packs.skein --json | grep -c 'compress and crc32')"

cat >moves.c <<'END'
int main(void) { __asm__ volatile("mov $39, %%eax\n\tsyscall" ::: "rax", "rcx", "r11", "memory"); return 0; }
END
skein-cc -O1 -g moves.c -o moves
expect_status 0 'assembly whose system call nobody can tell' skein record input -o moves.skein -- ./moves
tr '\n' ' ' <err | tr -s ' ' >said
expect_match 'is named, too' 'The reads and writes of a system call in assembly were not seen, because it has no hooks' said

cat >ring.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char **arguments)
{
	for (int i = 0; i < 3; i++)
		syscall(SYS_io_uring_enter, -1, 1, 0, 0, 0, 0);
	if (count > 1)
		syscall(SYS_quotactl, -1, 0, 0, 0), syscall(SYS_getppid), close(-1), syscall(SYS_close, -1);
	return arguments == 0;
}
END
skein-cc -O1 -g ring.c -o ring
for how in '' --valgrind; do
	expect_status 0 "io_uring${how:+ under Valgrind}" skein record input $how -o ring.skein -- ./ring
	tr '\n' ' ' <err | tr -s ' ' >said
	expect_match "its requests are counted${how:+ under Valgrind}" '3 requests went to the kernel through io_uring' said
	rm ring.skein
done
expect_status 0 'a number that no model knows' skein record input -o ring.skein -- ./ring more
tr '\n' ' ' <err | tr -s ' ' >said
expect_match 'is counted, others are not' '4 requests went to the kernel through io_uring, or by a system call number without a model' said
