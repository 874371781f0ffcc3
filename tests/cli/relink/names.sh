#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program or library may have any name, also one that Skein gives to a file of its own.
. "$(dirname "$0")/../../lib/lib.sh"
export XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit

cat >one.c <<'END'
#include <stdio.h>
__attribute__((noinline)) void twice(int n) { printf("%d\n", 2 * n); }
int main(void)
{
	for (int i = 0; i < 3; i++)
		twice(i);
	return 0;
}
END
skein-cc -g -O1 one.c -o one || exit

# names of files that the re-link, the linker, a session or the cache has
for name in table foreign shape log table.unmet hooks.o defined piece-0.o piece-0.table input-0.a object optimised session bin stage-1 .hidden -x 'two words'; do
	cp one "./$name"
	expect_status 0 "a program called $name is recorded" skein record paths -o "./$name.skein" -- "./$name"
	same "$name: it has printed what it prints" '0 2 4' "$(head -n 3 "$tmp/out" | paste -sd' ')"
	skein report paths "./$name.skein" --view functions --csv >functions.csv
	same "$name: its routine is counted" 3 "$(csv_value functions.csv function=twice calls)"
done

for lens in calls span input idle; do
	expect_status 0 "a program called table is recorded under $lens" skein record "$lens" -o table.skein -- ./table
done
for name in table shape; do
	expect_status 0 "copies of a program called $name are recorded" skein record paths -o "copies-$name.skein" --copies 2 -- "./$name"
	skein report paths "copies-$name.skein" --view functions --csv >functions.csv
	same "copies of $name: its routine is counted" 3 "$(csv_value functions.csv function=twice calls)"
done

# a library has several names, any of which may be that of a file of Skein's
cat >far.c <<'END'
int far(int n) { return 3 * n; }
END
cat >near.c <<'END'
#include <stdio.h>
int far(int n);
int main(void)
{
	printf("%d\n", far(1) + far(2));
	return 0;
}
END
# shellcheck disable=SC2016 # the loader replaces it
{
	mkdir lib
	skein-cc -g -O1 -fPIC -shared -Wl,-soname,table far.c -o lib/shape && ln -s shape lib/table
	skein-cc -g -O1 near.c -o near lib/shape -Wl,-rpath,'$ORIGIN/lib'
} || exit
for copies in 1 2; do
	expect_status 0 "a library called shape with the soname table is recorded, copies: $copies" skein record paths -o near.skein --copies "$copies" -- ./near
	same "the program with that library prints what it prints, copies: $copies" 9 "$(head -n 1 "$tmp/out")"
	skein report paths near.skein --view functions --csv >functions.csv
	same "a routine of that library is counted, copies: $copies" 2 "$(csv_value functions.csv function=far calls)"
done
