#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the first sentence of the calls lens names it, and its routine (tests/lib/verdicts.tsv).
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=calls
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
verdicts

# The view has what the sentences have, and more.
waits() { skein report calls "$1.skein" --csv --view waits >"$1.csv" && csv_value "$1.csv" "$2" "$3"; }
same 'a lock has the name of its variable' 'table_lock' "$(waits one_lock routine=table_find,kind=lock object)"
same 'main joins by design' 1 "$(waits one_lock routine=main,kind=join by_design)"
same 'the lock is not by design' 0 "$(waits one_lock routine=table_find,kind=lock by_design)"
same 'a semaphore is a kind of its own' semaphore "$(waits semaphore routine=receive kind)"
same 'a thread made for waiting waits by design' 1 "$(waits signal_thread routine=await_end,kind=condition by_design)"

# Rows of objects are limited, sums are not: what a worker waited for is what its routines waited for, also in a forked child.
verdicts_build many_objects && skein record calls -o many_objects.skein -- ./many_objects >/dev/null 2>&1
sums() { sqlite3 many_objects.skein "$1"; }
check 'there are two processes with semaphores' [ "$(sums "select count(distinct worker) from calls_wait where kind = 'semaphore'")" -eq 2 ]
same 'every wait is in a row' '' "$(sums "select worker, kind, waits, (select sum(waits) from calls_wait c where c.worker = w.worker and c.kind = w.kind) as has from wait w where has is not waits")"
same 'and all the time' '' "$(sums "select worker, kind, wait_ns, (select sum(wait_ns) from calls_wait c where c.worker = w.worker and c.kind = w.kind) as has from wait w where abs(has - wait_ns) > wait_ns / 1000 + 1000")"
