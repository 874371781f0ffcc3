#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# server.sh BUILD: what `idle` takes from a database server under load, beside perf record: queries per second. Prints a Markdown page.
#
# A fixed number of queries by SERVER_CLIENTS (8) clients; the machine is quiet, then it has as many busy loops as cores. SERVER_QUERIES (40000).
: "${ROUNDS:=7}"
. "$(dirname "$0")/lib.sh"
queries=${SERVER_QUERIES:-40000}
clients=${SERVER_CLIENTS:-8}
socket=$work/server.sock

say "a database"
mariadb-install-db --no-defaults --datadir="$work/data" --auth-root-authentication-method=normal --skip-test-db --user="$(id -un)" >install.log 2>&1

# serve VARIANT COMMAND…: one round: the server, its load, its end; nanoseconds of the load as cpu_ns
serve() {
	local server began ended
	"$@" mariadbd --no-defaults --datadir="$work/data" --socket="$socket" --skip-networking --user="$(id -un)" --innodb-flush-log-at-trx-commit=0 --pid-file="$work/server.pid" >server.log 2>&1 &
	server=$!
	until mariadb-admin --no-defaults --socket="$socket" -u root ping >/dev/null 2>&1; do
		kill -0 $server 2>/dev/null || { cat server.log >&2; return 1; }
		sleep 0.05
	done
	mariadb --no-defaults --socket="$socket" -u root -e 'drop database if exists load_test; create database load_test;
		create table load_test.t (a int primary key, b int, c varchar(40)) engine = innodb;
		insert into load_test.t select seq, seq * 7919 % 10007, concat("row ", seq) from mysql.seq_1_to_20000;' || return
	began=$(date +%s%N)
	mariadb-slap --no-defaults --socket="$socket" -u root --create-schema=load_test --no-drop --concurrency="$clients" --number-of-queries="$queries" --delimiter=';' \
		--query='select c from t where a = connection_id() * 37 % 20000 + 1; select count(*), max(c) from t where a between 500 and 560; update t set b = b + 1 where a = connection_id() * 41 % 20000 + 1' >slap.out 2>&1 || { cat slap.out >&2; return 1; }
	ended=$(date +%s%N)
	mariadb-admin --no-defaults --socket="$socket" -u root shutdown
	wait $server
	echo "cpu_ns $((ended - began))"
}
run_native() { serve env; }
run_skein() { serve skein record idle -q -o server.skein --; }
run_slow() { serve skein record idle -q --rate 100 -o server.skein --; }
run_perf() { serve perf record -q -e cpu-clock -F 1000 -g -o perf.data; }
interleave quiet native skein slow perf
loops=()
for _ in $(seq "$(nproc)"); do
	(while :; do :; done) &
	loops+=($!)
done
trap 'kill "${loops[@]}"' EXIT
interleave busy native skein slow perf

rate() { ratio "${queries}e9" "$(median "$1" "$2")" %.0f; }
part() { ratio "$(median "$1" native)" "$(median "$1" "$2")" %.3f; }
rows() {
	local machine
	for machine in quiet busy; do
		echo "| $machine | $(rate $machine native) | $(part $machine skein) | $(part $machine slow) | $(part $machine perf) | $(ratio "$(median $machine perf)" "$(median $machine skein)" %.3f) | 0.97 | $(verdict "$(median $machine skein)" "$(ratio "$(median $machine perf)" 0.97 %.0f)") |"
	done
}

cat <<END
# What idle takes from a server

Made by \`make bench\` (\`bench/server.sh\`) on $(nproc) cores: $(mariadbd --version | sed 's/ for .*//; s/.*Ver //'), Debian's, with $clients clients of mariadb-slap, which send
$queries statements: a row by its key, a count over sixty rows, an update. Medians of $rounds interleaved rounds. A busy machine has $(nproc) other processes that compute all
the time. perf is \`perf record -g\` at 1000 Hz, as \`idle\`.

| machine | native, statements a second | skein, native = 1 | skein --rate 100 | perf -g | skein / perf | bar | met |
|---|---:|---:|---:|---:|---:|---:|---|
$(rows)
END
