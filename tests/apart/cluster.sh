#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cluster.sh BUILD: ranks of real launchers: Open MPI, MPICH, and a Slurm of two nodes on this machine, which is started and ended here. Not
# part of `make check`, since it needs packages that are large and, for Slurm, root: `make check-cluster`.
. "$(dirname "$0")/../lib/lib.sh"
. "$(dirname "$0")/../lib/ranks/slurm.sh"
root=$(realpath "$tests/..")
for needed in mpirun.openmpi mpirun.mpich mpicc.openmpi mpicc.mpich srun sbatch slurmctld slurmd munged hpcc; do
	command -v "$needed" >/dev/null || { echo "cluster.sh: there is no $needed: tools/setup cluster" >&2; exit 2; }
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 XDG_CACHE_HOME=$tmp/cache COLUMNS=1000
chmod 711 "$tmp"
mkdir "$tmp/w" && cd "$tmp/w" || exit

# build FAMILY SOURCE PROGRAM OPTION…
build() {
	case $1 in
	openmpi) OMPI_CC=skein-cc mpicc.openmpi -g -O2 -o "$3" "$2" "${@:4}" -lm ;;
	mpich) mpicc.mpich -cc=skein-cc -g -O2 -o "$3" "$2" "${@:4}" -lm ;;
	esac
}
# imbalance FILE: of the truth that a kernel printed
imbalance() { awk '/^truth/ {s += $5; n++; if ($5 > m) m = $5} END {printf "%.4f\n", m / (s / n)}' "$1"; }
# near A B PERCENT
near() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {d = a > b ? a - b : b - a; exit !(a > 0 && b > 0 && 100 * d / a <= p)}'; }
ask() { sqlite3 "$1" "$2"; }

# ---- kernels that know their own work ----
# Pieces of work are shorter than the usual period of the sampler: n samples are wrong by 1 in the square root of n.
for family in openmpi mpich; do
	for kernel in stencil:2000 cg:900 farm:300 late:60; do
		steps=${kernel#*:} kernel=${kernel%:*}
		program=$kernel.$family
		check "$program is built" build $family "$tests/prog/ranks/$kernel.c" $program
		mpirun.$family -n 3 ./$program "$steps" >native 2>/dev/null
		mpirun.$family -n 3 skein record idle --rate 10000 -q -- ./$program "$steps" >recorded 2>err
		same "$program: status" 0 $?
		same "$program: the same results" "$(grep ^checksum native)" "$(grep ^checksum recorded)"
		truth=$(imbalance recorded)
		found=$(csv_value <(skein report idle $program.skein.d --view figures --csv) figure=work_ns imbalance)
		check "$program: imbalance $found is within 5 % of the truth, $truth" near "$truth" "$found" 5
	done
	skein report idle late.$family.skein.d >said
	expect_match "late.$family: the rank with most work is named" 'The work is uneven: rank 1 has' said
	expect_match "late.$family: the late rank is named" 'Rank 1 comes last to collective calls' said
	same "farm.$family: the master behaves like no other" '0,1,0' "$(skein report idle farm.$family.skein.d --view groups --csv | sed -n 2p | cut -d, -f1-3)"
	build $family "$tests/prog/ranks/stencil.c" omp -fopenmp
	OMP_NUM_THREADS=2 mpirun.$family -n 2 ./omp 50 >native 2>/dev/null
	OMP_NUM_THREADS=2 mpirun.$family -n 2 skein record calls -q -o omp.$family -- ./omp 50 >recorded 2>err
	same "MPI and OpenMP under $family: the same results" "$(grep ^checksum native)" "$(grep ^checksum recorded)"
	same "MPI and OpenMP under $family: each rank has two workers" '2 2' "$(for n in 0 1; do ask omp.$family.d/rank-00000$n.skein 'select count(*) from worker'; done | paste -sd' ')"

	# A rank dies in the middle, and the launcher ends the others.
	mpirun.$family -n 3 skein record calls -q -o dies.$family -- ./late.$family die 2 >/dev/null 2>&1
	check "a rank that dies: the job of $family fails" [ $? -ne 0 ]
	for _ in $(seq 300); do [ "$(find dies.$family.d -name 'rank-*.skein' | wc -l)" = 3 ] && break; sleep 0.1; done
	same "$family: all ranks have left what they had" 3 "$(find dies.$family.d -name 'rank-*.skein' | wc -l)"
	expect_match "$family: it is told which one died" 'The figures of rank 2 end early: signal 6' <(skein report dies.$family.d)
done

# ---- hpcc as Debian has it ----
cp /usr/share/doc/hpcc/examples/_hpccinf.txt hpccinf.txt 2>/dev/null || zcat /usr/share/doc/hpcc/examples/_hpccinf.txt.gz >hpccinf.txt
sed -i -E '6s/^[0-9]+/200/; 11s/^[0-9]+/1/; 12s/^[0-9]+/2/' hpccinf.txt
mpirun.openmpi -n 2 skein record idle -q -o hpcc -- hpcc >/dev/null 2>err
same 'hpcc: status' 0 $?
check 'hpcc: it has passed its own tests' grep -q 'Success=1' hpccoutf.txt
same 'hpcc: two parts' 2 "$(find hpcc.d -name 'rank-*.skein' | wc -l)"
expect_match 'hpcc: calls of MPI are seen' '^MPI_[A-Za-z]+,calls,' <(skein report idle hpcc.d --view mpi --csv)

# ---- a Slurm of two nodes ----
# Both nodes are this machine: Open MPI would take ranks of the one for those of the other in its shared memory, and crash, natively too.
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
slurm=$tmp/slurm
trap 'slurm_stop "$slurm"; finish' EXIT
slurm_start "$slurm" >slurm.log 2>&1 # not by check: it sets SLURM_CONF
same 'Slurm starts' 0 $?
for family in mpich:pmi2 openmpi:pmix; do
	interface=${family#*:} family=${family%:*}
	timeout 120 srun --mpi=$interface -N2 -n4 --ntasks-per-node=2 skein record calls -o s.$family -- ./late.$family 5 >out 2>err
	same "srun --mpi=$interface: status" 0 $?
	same "srun --mpi=$interface: each rank knows itself and its node" '0 node1,1 node1,2 node2,3 node2' \
		"$(for n in 0 1 2 3; do ask s.$family.d/rank-00000$n.skein "select rank || ' ' || node from rank where ranks = 4"; done | paste -sd,)"
	expect_match "srun --mpi=$interface: one rank says the summary" 'Recorded in' err
	same "srun --mpi=$interface: and no other" 1 "$(grep -c 'Recorded in' err)"
	same "srun --mpi=$interface: nodes" 'node1,2 node2,2' "$(skein report calls s.$family.d --view nodes --csv | tail -n +2 | cut -d, -f1,2 | paste -sd' ')"
done
timeout 120 srun -N2 -n2 skein record calls -q -o wrong -- ./late.mpich 5 >/dev/null 2>&1
expect_match 'the wrong interface is told' 'MPI knew of no other rank in any of them' <(skein report wrong.d)
timeout 120 salloc -N2 -n2 mpirun.openmpi -n 3 skein record calls -q -o salloc -- ./late.openmpi 5 >/dev/null 2>&1
same 'mpirun in salloc: mpirun numbers the ranks' '0,1,2' "$(for n in 0 1 2; do ask salloc.d/rank-00000$n.skein 'select rank from rank where ranks = 3'; done | paste -sd,)"

# A node that vanishes.
rm -f s.mpich.d/rank-000002.skein s.mpich.d/rank-000003.skein
expect_match 'what a node took with it is named' '2 of 4 ranks left no recording: 2, 3' <(skein report s.mpich.d)

# A full TMPDIR.
if mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
	head -c 65536 /dev/zero >small/full 2>/dev/null
	TMPDIR=$PWD/small timeout 120 mpirun.mpich -n 2 skein record calls -q -o full -- ./late.mpich 5 >recorded 2>err
	same 'a full TMPDIR: the program ends as it does' 0 $?
	same 'a full TMPDIR: recorded all the same' 2 "$(find full.d -name 'rank-*.skein' | wc -l)"
	umount small
else
	skip 'a full TMPDIR' 'no file system can be mounted here'
fi

# Copies of the paths lens, which srun starts.
check 'a program of paths is built' skein-cc -g -O1 -o ways "$tests/prog/paths/copies_ways.c"
timeout 120 skein record paths -q -o one.skein -- ./ways exit-5 >/dev/null 2>&1
timeout 120 skein record paths -q -o two.skein --copies 2 --launch 'srun -N1 -n1' -- ./ways exit-5 >/dev/null 2>err
same 'paths --copies 2 --launch srun: status' 5 $?
equal 'paths --copies 2 --launch srun: the same counts' <(skein report paths one.skein --csv | cut -d, -f1-6 | sort) <(skein report paths two.skein --csv | cut -d, -f1-6 | sort)

# ---- recipes of doc/cluster.md, as written ----
recipe() { awk -v name="$1" '$0 == "```sh recipe-" name {on = 1; next} /^```/ {on = 0} on' "$root/doc/cluster.md"; }
for name in laptop slurm array; do check "the recipe $name is there" [ -n "$(recipe $name)" ]; done
mkdir bin && ln -s "$(command -v mpicc.openmpi)" bin/mpicc && ln -s "$(command -v mpirun.openmpi)" bin/mpirun
mkdir laptop slurm array
(cd laptop && cp "$tests"/prog/ranks/{late.c,ranks.h} . && mv late.c prog.c && recipe laptop >job && PATH=$tmp/w/bin:$PATH bash -e job >out 2>err)
same 'laptop: status' 0 $?
expect_match 'laptop: the report' 'The work is uneven: rank 1 has' laptop/out
(cd slurm && cp ../late.mpich prog && recipe slurm >job && chmod +x job && timeout 300 sbatch --wait -o out job >/dev/null)
same 'slurm: status' 0 $?
expect_match 'slurm: the report' '^4 ranks of prog on 2 nodes' slurm/out
cat >task.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) int step(int n) { return n + 1; }
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 0; i < 100 * (atoi(argv[argc - 1]) + 1); i++)
		sum += step(i);
	return sum == 1;
}
END
check 'array: a task is built' skein-cc -g -O1 -fno-inline -o array/task task.c
(cd array && recipe array >job && chmod +x job && timeout 300 sbatch --wait -o out.%a job >/dev/null)
same 'array: status' 0 $?
same 'array: five parts' 5 "$(find array/array.d -name 'task-*.skein' | wc -l)"
same 'array: figures over tasks' 1500 "$(csv_value <(skein report calls array/array.d --view routines --csv) routine=step,figure=calls sum)"
daemons=$(cat "$slurm"/*.pid "$slurm/munge/pid")
slurm_stop "$slurm"
same 'Slurm has ended' '' "$(for pid in $daemons; do kill -0 "$pid" 2>/dev/null && echo "$pid"; done)"

# ---- queries of doc/merge.md ----
skein merge late.openmpi.skein.d --csv csv >/dev/null
sed -i 's/work_ns/direct_ns/' csv/figures.csv # the kernels were recorded by idle, the queries are of calls
if (mkdir -p npm && cd npm && npm install --silent @duckdb/node-api >log 2>&1); then
	awk '/^```sql/ {on = 1; n++; next} /^```/ {on = 0} on {print > ("query." n)}' "$root/doc/merge.md"
	cat >npm/ask.mjs <<'END'
import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync } from 'node:fs'
const db = await (await DuckDBInstance.create(':memory:')).connect()
for (const file of process.argv.slice(2)) {
	const rows = (await db.runAndReadAll(readFileSync(file, 'utf8'))).getRows()
	console.log(`${file} ${rows.map((row) => row.join(' ')).join('; ')}`)
}
END
	expect_status 0 'DuckDB answers' node npm/ask.mjs query.1 query.2 query.3
	expect_match 'the largest imbalance' '^query.1 compute idle 2\.[01]' "$tmp/out"
	expect_match 'times by node' "^query.2 $(uname -n) 3 " "$tmp/out"
	expect_match 'who is slower' '^query.3 .*1 [^ ]* compute [45]\.' "$tmp/out"
else
	skip 'queries in DuckDB' 'npm cannot install @duckdb/node-api'
fi
