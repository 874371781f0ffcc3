#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that use MPI: time in its calls is waiting, by call and peer. With Open MPI, if mpirun and mpicc are there; `make check-cluster`
# also has MPICH, Slurm and kernels that know their imbalance.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0

# ---- without MPI ----
cat >weak.c <<'END'
#include <stdio.h>
extern int MPI_Barrier(int) __attribute__((weak));
int main(void) { puts(MPI_Barrier ? "has MPI" : "has none"); return 0; }
END
skein-cc -g -O1 weak.c -o weak || exit
for lens in calls idle flow; do
	same "a program without MPI finds no function of it: $lens" 'has none' "$(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 skein record $lens -q -- ./weak)"
done

# ---- with MPI ----
if ! command -v mpirun.openmpi >/dev/null || ! command -v mpicc.openmpi >/dev/null; then
	skip 'waits in Open MPI' 'mpirun.openmpi or mpicc.openmpi is not there'
	exit
fi
cat >late.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static void pause_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, 0); }
int main(int argc, char **argv)
{
	int me, ranks, word = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 1)
		pause_ms(300);
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		MPI_Recv(&word, 1, MPI_INT, 1, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (me == 1) {
		word = 4711;
		pause_ms(200);
		MPI_Send(&word, 1, MPI_INT, 0, 42, MPI_COMM_WORLD);
	}
	printf("rank %d of %d has %d\n", me, ranks, word);
	MPI_Finalize();
	return me == 2 ? 2 : 0;
}
END
check 'OMPI_CC=skein-cc mpicc builds' env OMPI_CC=skein-cc mpicc.openmpi -g -O1 late.c -o late
ask() { sqlite3 "late.skein.d/rank-00000$1.skein" "$2"; }
for lens in calls idle flow; do
	rm -rf late.skein.d
	mpirun.openmpi -n 3 skein record $lens -- ./late >out 2>err
	same "$lens: the job ends as its rank does" 2 $?
	same "$lens: the program's results" 'rank 0 of 3 has 4711 rank 1 of 3 has 4711 rank 2 of 3 has 0' "$(sort out | paste -sd' ')"
	same "$lens: three parts" 3 "$(find late.skein.d -name 'rank-*.skein' | wc -l)"
	same "$lens: MPI knows the ranks" '1|3' "$(ask 1 'select mpi_rank, mpi_ranks from rank')"
	same "$lens: a message has peer, tag and bytes" 'MPI_Recv|message|0|1|42|1|4' "$(ask 0 "select call, kind, comm, peer, tag, calls, bytes from message where call = 'MPI_Recv'")"
	same "$lens: so has who sent it" 'MPI_Send|0|42|4' "$(ask 1 "select call, peer, tag, bytes from message where call = 'MPI_Send'")"
	same "$lens: the receiver has waited" 1 "$(ask 0 "select wait_ns > 150000000 from message where call = 'MPI_Recv'")"
	same "$lens: two barriers" 2 "$(ask 2 "select calls from message where call = 'MPI_Barrier'")"
	same "$lens: whoever was in time has waited in them" '1 1' "$(for n in 0 2; do ask $n "select wait_ns > 250000000 from message where call = 'MPI_Barrier'"; done | paste -sd' ')"
	same "$lens: waits are waits of the rank" 1 "$(ask 2 "select sum(wait_ns) > 250000000 from wait where kind = 'collective'")"
	same "$lens: MPI's own threads are no workers" 1 "$(ask 2 'select count(*) from worker')"
done
skein report calls late.skein.d/rank-000002.skein >/dev/null 2>&1
expect_match 'flow: a wait has its place' 'main,.*,collective,' <(skein report flow late.skein.d/rank-000002.skein --view waits --csv)
mpirun.openmpi -n 3 skein record calls -q -- ./late >out 2>err
expect_match 'the verdict tells how long the rank was in MPI' 'Rank 2 of 3 spent .* in MPI' <(COLUMNS=1000 skein report calls late.skein.d/rank-000002.skein)
expect_match 'calls: the wait has the name of the call' '^main,collective,MPI_Barrier,' <(skein report calls late.skein.d/rank-000002.skein --view waits --csv)
same 'v_messages' 'MPI_Recv,1,42,4' "$(skein sql late.skein.d/rank-000000.skein "SELECT call, peer, tag, bytes FROM v_messages WHERE call = 'MPI_Recv'" --csv | tail -n 1)"
expect_match 'the call is in the table of all ranks' '^MPI_Barrier,wait_ns,' <(skein report calls late.skein.d --view mpi --csv)

# Started by hand, each is a world of its own.
for n in 0 1; do SLURM_PROCID=$n SLURM_STEP_NUM_TASKS=2 SLURM_STEP_ID=0 SLURM_JOB_ID=3 OMPI_MCA_ess=singleton skein record calls -q -o alone -- ./late >/dev/null 2>&1; done
expect_match 'ranks that MPI does not know of each other are told' 'MPI knew of no other rank in any of them' <(COLUMNS=1000 skein report alone.d)
