# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# slurm.sh: a Slurm of two nodes on this machine, for `make check-cluster`: munged, slurmctld and two slurmd, all below one folder.
#
#     slurm_start "$tmp/slurm" || …       sets SLURM_CONF; nodes node1 and node2
#     srun -n 2 …
#     slurm_stop "$tmp/slurm"             ends what was started, by the numbers in its pid files

# Where nothing listens.
slurm_port() {
	local port
	while :; do
		port=$((20000 + RANDOM % 20000))
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
	done
}

slurm_start() {
	local b=$1 node
	mkdir -p "$b/munge" "$b/state" "$b/node1" "$b/node2" && chmod 755 "$b" && chmod 711 "$b/munge" || return
	head -c 1024 /dev/urandom >"$b/munge/key" && chmod 400 "$b/munge/key"
	munged --key-file="$b/munge/key" --socket="$b/munge/socket" --pid-file="$b/munge/pid" --log-file="$b/munge/log" --seed-file="$b/munge/seed" --num-threads=2 || return
	cat >"$b/slurm.conf" <<END
ClusterName=check
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$b/munge/socket
CredType=cred/munge
SlurmctldPort=$(slurm_port)
StateSaveLocation=$b/state
SlurmdSpoolDir=$b/%n/spool
SlurmctldPidFile=$b/slurmctld.pid
SlurmdPidFile=$b/%n.pid
SlurmctldLogFile=$b/slurmctld.log
SlurmdLogFile=$b/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
TmpFS=$b/%n
SlurmdParameters=config_overrides
ReturnToService=2
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(slurm_port) CPUs=4
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(slurm_port) CPUs=4
PartitionName=all Nodes=node1,node2 Default=YES OverSubscribe=YES MaxTime=INFINITE State=UP
END
	export SLURM_CONF=$b/slurm.conf
	slurmctld -f "$SLURM_CONF" -c || return
	for node in node1 node2; do slurmd -f "$SLURM_CONF" -N $node || return; done
	for _ in $(seq 300); do
		[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && return
		sleep 0.1
	done
	echo "the nodes are not ready: $(sinfo 2>&1)" >&2
	return 1
}

slurm_stop() {
	local file pid
	for file in "$1/node1.pid" "$1/node2.pid" "$1/slurmctld.pid" "$1/munge/pid"; do
		pid=$(cat "$file" 2>/dev/null) || continue
		kill "$pid" 2>/dev/null
		for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
	done
}
