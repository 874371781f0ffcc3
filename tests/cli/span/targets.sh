#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sites that call through a pointer name what they called, with exact counts.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# counts: `CALLER TARGET COUNT` of each site and target in run.skein; C++ names have no parameters, and sites of one
# caller are added up. What the compiler itself calls through a pointer, in tasks at -O0, is not of the program.
counts() {
	skein report span run.skein --view targets --csv >targets.csv
	for column in caller target count; do
		csv_value targets.csv '' $column | sed 's/\([a-z]\)(.*)$/\1/' >"$column"
	done
	paste -d ' ' caller target count | grep -v '^[.]omp_task_entry' |
		awk '{sum[$1 " " $2] += $3} END {for (key in sum) print key, sum[key]}' | LC_ALL=C sort
}
expected() { sed -n 's/^expect //p' "$tmp/out" | LC_ALL=C sort; }

# agrees NAME: the recording has what the program has counted, and nothing else
agrees() {
	expected >want
	counts >got
	if [ -s want ]; then equal "$1" want got; else not_ok "$1" 'the program expects nothing'; fi
}

while read -r flags; do
	check "$flags: it is built" skein-cc $flags -fopenmp "$tests/prog/span/targets.c" -o prog
	expect_status 0 "$flags: it is recorded" skein record span -o run.skein -- ./prog
	agrees "$flags: targets"
done <<'END'
-O2 -g
-O0
-O2 -no-pie
-O2 -s
-O2 -flto
END

expect_status 0 'a signal handler: it is recorded' skein record span -o run.skein -- ./prog interrupted
agrees 'a signal handler interrupts calls through pointers and makes some'
expect_status 137 'killed: it is recorded' skein record span -o run.skein -- ./prog killed
agrees 'a killed program has lost none'
for how in '--clock tsc' '--what-if red=0.5' '--inlined'; do
	expect_status 0 "$how: it is recorded" skein record span $how -o run.skein -- ./prog
	agrees "$how: targets"
done
expect_status 0 '--under: it is recorded' skein record span --under random_table -o run.skein -- ./prog
expected | grep '^random_table ' >want
counts >got
equal '--under: only what is under the site' want got
skein record span --no-sites -o run.skein -- ./prog >/dev/null 2>&1
same '--no-sites: none' '' "$(counts)"

skein-c++ -O2 -g "$tests/prog/span/virtual.cpp" -o virtual
expect_status 0 'C++: it is recorded' skein record span -o run.skein -- ./virtual
agrees 'C++: virtual functions, members and exceptions'

# What people see: the most frequent targets in text, all in CSV and JSON; a site is found by what it called.
cat >shown.c <<'END'
#define F(name) __attribute__((noinline)) static void name(void) { asm volatile("# " #name); }
F(north) F(east) F(south) F(west)
static void (*volatile go[])(void) = {north, east, south, west};
int main(void)
{
	for (int i = 0; i < 1000; i++)
		go[i < 900 ? 0 : i < 990 ? 1 : i < 999 ? 2 : 3]();
	for (int i = 0; i < 5; i++)
		go[3]();
}
END
skein-cc -O2 -g shown.c -o shown
skein record span -o shown.skein -- ./shown >"$tmp/out" 2>&1
COLUMNS=140 skein report span shown.skein >text
expect_match 'text names the most frequent' 'main -> \(indirect\) +north 900, east 90 and 2 more +shown.c:7' text
expect_match 'text names the only one' 'main -> \(indirect\) +west 5 +shown.c:9' text
for view in table critical-path; do
	COLUMNS=140 skein report span shown.skein --view $view >text
	expect_match "--view $view names them, too" 'north 900, east 90 and 2 more' text
done
skein report span shown.skein --view targets --csv | cut -d, -f 4,6,9,10 >csv
cat >want <<'END'
caller,target,count,share
main,north,900,90.0000
main,east,90,9.0000
main,south,9,0.9000
main,west,5,100.0000
main,west,1,0.1000
END
equal 'CSV has all of them' want csv
same 'JSON has all of them' 5 "$(skein report span shown.skein --view targets --json | grep -o '"target":' | wc -l)"
skein report span shown.skein --csv --profile work --measure local >sites.csv
same 'sites has their number in CSV' 4,1 "$(csv_value sites.csv 'callee=(indirect)' targets | paste -sd,)"
same '--routine finds a site by its target' 1 "$(skein report span shown.skein --routine east --csv --profile work --measure local | sed 1d | wc -l)"
same '--routine leaves other targets out' west,west "$(skein report span shown.skein --view targets --routine west --csv | sed 1d | cut -d, -f 6 | paste -sd,)"
same 'SQL has the same numbers' 1005 "$(sqlite3 shown.skein 'SELECT sum(count) FROM span_target')"

# The verdict about a site that calls through a pointer names what it called.
cat >worst.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
__attribute__((noinline)) static void slow(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}
static void (*volatile work)(int) = slow;
int main(void)
{
	cilk_spawn slow(10);
	work(100000);
	cilk_sync;
}
END
skein-cc -O2 -g worst.c -o worst
skein record span -o worst.skein -- ./worst >"$tmp/out" 2>&1
expect_match 'the verdict names the target' 'slow, called through a pointer at worst.c:12 by main,' "$tmp/out"

# Libraries: built with skein-cc, foreign, and closed while another one comes to the same addresses.
cat >lib.c <<'END'
static volatile unsigned sink;
void NAME(void) { sink += VALUE; }
void (*NAME_of(void))(void);
END
cat >host.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
void ours(void);
__attribute__((noinline)) static void call(void (*volatile f)(void), int times)
{
	for (int i = 0; i < times; i++)
		f();
}
static void *plugin(const char *path, const char *name, int times)
{
	void *library = dlopen(path, RTLD_NOW);
	if (!library)
		exit(1);
	void (*f)(void) = (void (*)(void))dlsym(library, name);
	call(f, times);
	void *at = (void *)f;
	dlclose(library);
	return at;
}
int main(int argc, char **argv)
{
	void *one, *two;
	(void)argc;
	call(ours, 7);
	for (int i = 1; i <= 3; i++) {
		one = plugin(argv[1], "first", 10 * i);
		two = plugin(argv[2], "second", 100 * i);
	}
	fprintf(stderr, "%s\n", one == two ? "same address" : "other address");
	puts("expect call ours 7\nexpect call first 60\nexpect call second 600");
}
END
skein-cc -O2 -g -fPIC -shared -DNAME=ours -DVALUE=1 lib.c -o libours.so
for built in 'gcc' 'skein-cc'; do
	$built -O2 -g -fPIC -shared -DNAME=first -DVALUE=2 lib.c -o libfirst.so
	$built -O2 -g -fPIC -shared -DNAME=second -DVALUE=3 lib.c -o libsecond.so
	for pie in -pie -no-pie; do
		skein-cc -O2 -g $pie host.c -o host -L. -lours -Wl,-rpath,"$PWD"
		expect_status 0 "plugins of $built, $pie: it is recorded" skein record span -o run.skein -- ./host "$PWD/libfirst.so" "$PWD/libsecond.so"
		agrees "plugins of $built, $pie: each has its own calls"
		[ $built = skein-cc ] || expect_match "plugins of $built, $pie: they took turns at one address" 'same address' "$tmp/err"
	done
done

# More pairs of site and target than are kept: the rest is counted, and the report says so.
cat >many.c <<'END'
extern char stubs[];
asm(".text; .balign 16; .globl stubs; .type stubs, @function; stubs: .rept 70000; ret; .balign 16; .endr; .size stubs, .-stubs");
volatile int turns = 2;
int main(void)
{
	for (int turn = 0; turn < turns; turn++)
		for (long i = 0; i < 70000; i++) {
			void (*volatile f)(void) = (void (*)(void))(stubs + 16 * i);
			f();
		}
}
END
skein-cc -O2 -g many.c -o many
expect_status 0 'too many targets: it is recorded' skein record span -o run.skein -- ./many
same 'too many targets: all calls are counted' 'main (other) 8928,main stubs 131072' "$(counts | paste -sd,)"
expect_match 'too many targets: the report says so' '8,928 calls through pointers have no named target' "$tmp/err"
