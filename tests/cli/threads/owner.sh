#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program may define functions of the C library itself, and may call its own functions as Skein's are called: what runs in it
# beside calls none of them.
. "$(dirname "$0")/../../lib/lib.sh"

root=$(realpath "$tests/..")
cd "$tmp" || exit
source=$tests/prog/threads/owner.c
read -ra flags <<<"$(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$source")"
skein-cc "${flags[@]}" "$source" -o owner || exit

# as_alone NAME COMMAND…: prints what the program does alone, also the numbers of calls, and ends with its status
as_alone() {
	local name=$1 lines
	shift
	lines=$(wc -l <alone)
	expect_status 42 "$name: the status is the program's" timeout -k 5 120 "$@"
	equal "$name: each function was called as often as without Skein" alone <(head -n "$lines" "$tmp/out")
}

./owner >alone
for lens in calls 'calls --counts' span 'span --clock ns' input paths idle; do
	read -ra words <<<"$lens"
	as_alone "$lens" skein record "${words[@]}" -o owner.skein -- ./owner
done
skein record calls -o counts.skein -- ./owner >/dev/null 2>&1
skein report calls counts.skein --csv >calls.csv
same 'its own strlen is a routine as any other' 800 "$(csv_value calls.csv routine=strlen,worker=all,entry=all calls)"
same 'so is its own syscall' 2 "$(csv_value calls.csv routine=syscall,worker=all,entry=all calls)"

# So may a library.
sed '/^\/\* ---- the program ---- \*\/$/,$d' "$source" >own.c
cat >>own.c <<'END'
void print_counts(void)
{
	for (int i = 0; i < OWNS; i++)
		printf("%u ", counts[i]);
	printf("\n");
}
END
cat >uses.c <<'END'
#include <string.h>
void print_counts(void);
int main(int argc, char **argv)
{
	char text[64] = "";
	for (int i = 0; i < argc + 20; i++)
		strcat(text, argv[0][0] == '.' ? "." : "-");
	print_counts();
	return 42;
}
END
{ skein-cc "${flags[@]}" -shared -fPIC own.c -o libown.so && skein-cc "${flags[@]}" uses.c -o uses -L. -lown "-Wl,-rpath,$PWD"; } || exit
./uses >alone
for lens in calls span input paths idle; do
	as_alone "a library, $lens" skein record "$lens" -o uses.skein -- ./uses
done

# A static program cannot be entered from outside, but has one name for each function all the same.
cat >alone.c <<'END'
#include <stddef.h>
#include <stdio.h>
static unsigned calls;
__attribute__((noinline)) size_t strlen(const char *text)
{
	size_t n = 0;
	calls++;
	while (text[n])
		n++;
	return n;
}
__attribute__((noinline)) int raw_add(int x) { calls++; return x + 1; }
int main(void)
{
	size_t sum = 0;
	for (int i = 0; i < 50; i++)
		sum += strlen(&"text"[i % 4]) + (size_t)raw_add(i);
	printf("%zu", sum);
	for (unsigned n = calls; n; n /= 10)
		printf(" %u", n % 10);
	printf("\n");
	return 42;
}
END
skein-cc -O2 -g -fno-builtin -static alone.c -o static || exit
./static >alone
for lens in 'calls --counts' paths; do
	read -ra words <<<"$lens"
	as_alone "a static program, $lens" skein record "${words[@]}" -o static.skein -- ./static
done

# The build proves it: make fails for a name that is not listed, and for one that is needed no more.
libraries=("$build/lib/skein/libskein-rt.so" "$build/lib/skein/libskein-sample.so" "$build/lib/skein/skein-rt-static.o")
list=$root/src/threads/doors.tsv
expect_status 0 'the names that are reached are those of the list' "$root/tools/doors" "$list" "${libraries[@]}"
expect_match 'they are printed' '^libskein-rt.so reaches [0-9]+ names outside: .*dlsym' "$tmp/out"
grep -v '^dlsym' "$list" >fewer.tsv
expect_status 1 'a name that is not listed is an error' "$root/tools/doors" fewer.tsv "${libraries[@]}"
expect_match 'it is named' 'libskein-rt.so reaches dlsym, which a subject can define' "$tmp/err"
{ cat "$list" && printf 'strlen\trt\tnone\n'; } >more.tsv
expect_status 1 'a name that is not needed is an error' "$root/tools/doors" more.tsv "${libraries[@]}"
expect_match 'it is named, too' 'libskein-rt.so does not need strlen any more' "$tmp/err"
same 'each name has a place and a reason' '' "$(awk -F '\t' '!/^#/ && (NF != 3 || $2 !~ /^[a-z ]+$/ || !$3) {print $1}' "$list")"
