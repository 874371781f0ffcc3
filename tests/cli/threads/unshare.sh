#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A subject with one thread is one for the kernel, too, though the profiler has a thread of its own beside it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
skein-cc -O1 -g -pthread "$tests/prog/threads/unshare.c" -o unshare || exit

# CLONE_NEWUSER; with NEWPID, behind which no thread can be created; with NEWNS; CLONE_THREAD; CLONE_VM; only NEWUTS
for flags in 0x10000000 0x30000000 0x10020000 0x10000 0x100 0x4000000; do
	for more in '' thread number; do
		expect_status 0 "$flags $more: natively" ./unshare $flags $more
		cp "$tmp/out" native
		for lens in calls 'calls --counts' input span paths idle; do
			rm -f unshare.skein
			expect_status 0 "$flags $more: $lens" skein record $lens -o unshare.skein -- ./unshare $flags $more
			equal "$flags $more: $lens: the kernel answers as natively" native <(head -n "$(wc -l <native)" "$tmp/out")
		done
	done
done

# The profiler's thread has left the kernel's lists when it has made way: no call is early.
for lens in calls input; do
	same "$lens: none of many calls is refused" 'refused: 0' "$(skein record -q $lens -o many.skein -- ./unshare 0x10000 30000)"
done

# The profiler's thread goes on behind the call.
skein record calls -o goes_on.skein -- ./unshare 0x10000000 >/dev/null 2>&1
skein report calls goes_on.skein --csv >calls.csv
same 'calls are counted' 22 "$(csv_value calls.csv routine=work,worker=all,entry=all calls)"
check 'snapshots are taken' [ "$(skein report calls goes_on.skein --view summary --csv | sed -n 's/^snapshots,//p')" -gt 10 ]
