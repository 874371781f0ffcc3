#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ranks record into parts. Launchers are played by what they leave in the environment; tests/cli/ranks/mpi.sh has a real one.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
export TMPDIR=$tmp/node && mkdir node

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int step(int n) { return n * 2; }
int main(int argc, char **argv)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	int sum = 0, me = rank ? atoi(rank) : 0;
	for (int i = 0; i <= me; i++)
		sum += step(i);
	printf("rank %d: %d\n", me, sum);
	fflush(stdout);
	if (argc > 2 && strcmp(argv[1], "die") == 0 && me == atoi(argv[2]))
		abort();
	if (argc > 2 && strcmp(argv[1], "sleep") == 0 && me == atoi(argv[2]))
		sleep(100);
	return me == 2 ? 7 : 0;
}
END
skein-cc -g -O1 -fno-inline prog.c -o prog || exit

# rank N WORD…: skein record as rank N of $ranks
ranks=3
rank() { OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=$ranks OMPI_COMM_WORLD_LOCAL_RANK=$1 PMIX_NAMESPACE=${job:-1} skein record "${@:2}"; }
# job WORD…: all ranks at once; what each says is in out.N and err.N, its exit status in status.N
job() {
	local n
	for n in $(seq 0 $((ranks - 1))); do
		{ rank "$n" "$@" >out."$n" 2>err."$n"; echo $? >status."$n"; } 2>/dev/null &
	done
	wait
}
ask() { sqlite3 "$1" "$2"; }

# ---- parts ----
export XDG_CACHE_HOME=$tmp/cache
job calls -- ./prog
same 'each rank has a part' 'rank-000000.skein rank-000001.skein rank-000002.skein' "$(echo prog.skein.d/* | sed 's,prog.skein.d/,,g')"
same 'the exit status is the program'\''s' '0 0 7' "$(cat status.0 status.1 status.2 | paste -sd' ')"
same 'the program'\''s output stays alone' 'rank 0: 0 rank 1: 2 rank 2: 6' "$(cat out.0 out.1 out.2 | paste -sd' ')"
for n in 0 1 2; do
	same "rank $n knows itself" "$n|3|Open MPI|1|$(uname -n)" "$(ask prog.skein.d/rank-00000$n.skein 'select rank, ranks, launcher, job, node from rank')"
	same "rank $n counts its own calls" $((n + 1)) "$(csv_value <(skein report calls prog.skein.d/rank-00000$n.skein --csv) routine=step,worker=all,entry=all calls)"
done
expect_match 'rank 0 says the summary' 'Recorded in prog.skein.d/rank-000000.skein' err.0
expect_match 'and where all are' 'All ranks record into prog.skein.d;' err.0
for n in 1 2; do
	same "rank $n is silent" '' "$(grep -vE 'linking for calls, once|waiting for another process' err.$n)"
done
same 'one process has linked' 1 "$(cat err.? | grep -c 'linking for calls, once')"
same 'the program is once in the cache' 1 "$(find cache/skein -maxdepth 1 -name 'prog-*' | wc -l)"
same 'no lock is left' '' "$(find cache -name 'lock-*')"
same 'nothing is left on the node' '' "$(ls -A node)"
same 'nor beside the parts' '' "$(find prog.skein.d -name '.*' -type f)"

# ---- a second lens goes into the same parts, another build beside them ----
job idle -q -- ./prog
same 'a part holds both lenses' 'calls,idle' "$(ask prog.skein.d/rank-000001.skein 'select group_concat(lens) from (select lens from run order by lens)')"
skein-cc -g -O1 -fno-inline -DOTHER=1 prog.c -o prog || exit
job calls -q -- ./prog
check 'another build keeps the old part aside' test -e prog.skein.d/rank-000001.skein.old-1
same 'and has a part of its own' calls "$(ask prog.skein.d/rank-000001.skein 'select group_concat(lens) from run')"

# ---- names ----
rm -rf named* && job calls -q -o named.skein -- ./prog
same '-o names the folder' 3 "$(find named.skein.d -name 'rank-*.skein' | wc -l)"
mkdir there && job calls -q -o there -- ./prog
same '-o may be a folder' 3 "$(find there -name 'rank-*.skein' | wc -l)"
ranks=1 job calls -q -o alone.skein -- ./prog
check 'a rank that is alone records as any program' test -f alone.skein
expect_status 0 'a task of a job array' env SLURM_ARRAY_JOB_ID=5 SLURM_ARRAY_TASK_ID=17 SLURM_PROCID=0 skein record calls -q -o array -- ./prog
same 'has a part' '17|5|job array' "$(ask array.d/task-000017.skein 'select task, job, launcher from rank')"

# ---- some ranks ----
rm -rf prog.skein.d && job calls --ranks 1-2 -- ./prog
same '--ranks records these' 'rank-000001.skein rank-000002.skein' "$(echo prog.skein.d/* | sed 's,prog.skein.d/,,g')"
same 'the others run natively' 'rank 0: 0' "$(cat out.0)"
same 'and say nothing' '' "$(cat err.0)"
expect_match 'the first of them says the summary' 'Recorded in' err.1
same 'exit statuses are the program'\''s' '0 0 7' "$(cat status.0 status.1 status.2 | paste -sd' ')"
refused 2 'a wrong list' 'ranks takes numbers and ranges, such as 0,5-9 or \*/100, not 5-3$' skein record calls --ranks 5-3 -- ./prog

# ---- ahead of a job ----
rm -rf cache prog.skein.d
expect_status 0 '--prepare' skein record calls --prepare -- ./prog
expect_match 'says that it is done' 'prog is ready to be recorded by the lens calls' "$tmp/err"
same 'runs nothing' '' "$(cat "$tmp/out")"
check 'and records nothing' test ! -e prog.skein
job calls -- ./prog
same 'nobody links any more' 0 "$(cat err.? | grep -c linking)"

# ---- ranks that die ----
rm -rf prog.skein.d && job calls -q -- ./prog die 1
same 'a rank that dies: status' 134 "$(cat status.1)"
same 'leaves what it had' '6|2' "$(ask prog.skein.d/rank-000001.skein 'select died_of, (select sum(calls) from calls_routine join routine using (routine) where name = '\''step'\'') from run')"
expect_match 'the folder says so' 'figures of rank 1 end early: signal 6 ended it' <(skein report prog.skein.d)

# Skein is killed together with the program: a guard writes the part.
rm -rf prog.skein.d out.1
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 skein record calls -q -- ./prog sleep 1 >out.1 2>&1 &
victim=$!
until grep -qs 'rank 1' out.1; do kill -0 $victim || break; sleep 0.05; done
kill -KILL $victim
wait $victim 2>/dev/null
for _ in $(seq 200); do [ -e prog.skein.d/rank-000001.skein ] && break; sleep 0.1; done
same 'a rank that is killed with skein leaves what it had' 2 "$(csv_value <(skein report calls prog.skein.d/rank-000001.skein --csv) routine=step,worker=all,entry=all calls)"
for _ in $(seq 100); do [ -z "$(ls -A node)" ] && break; sleep 0.1; done
same 'and nothing on the node' '' "$(ls -A node)"
expect_match 'the folder names whom it lacks' '2 of 3 ranks left no recording: 0, 2' <(skein report prog.skein.d)

# ---- a node without room ----
rm -rf prog.skein.d && export TMPDIR=$tmp/nowhere
job calls -q -- ./prog
same 'without a TMPDIR sessions are beside the parts' 3 "$(find prog.skein.d -name 'rank-*.skein' | wc -l)"
same 'and go as well' '' "$(find prog.skein.d -name '.*' | sed 1d | grep -v '^prog.skein.d$')"
