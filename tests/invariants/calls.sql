-- SPDX-License-Identifier: MIT
-- calls.sql: what must hold of every recording, and of this one. Each row that comes out is a complaint.
-- routines, arcs, callees, threads and summary are the CSV reports of the recording; expected (routine, file, calls), expected_arcs
-- (caller, callee, calls), states (routine, entry, calls), cases (caller, callee, entry, callee_call, calls), waits (routine,
-- ns), alone and inside (routine, ns: how long it takes without and with its callees) and figures (name, value) come from the
-- subject itself; run (mode, processes) from how it was recorded: times, exact or counts.
-- Times are rounded from ticks, hence a microsecond of slack.

-- An empty field was not measured: it breaks nothing.
update routines set elapsed_ns = nullif(elapsed_ns, ''), direct_ns = nullif(direct_ns, ''), callee_ns = nullif(callee_ns, ''),
	wait_ns = nullif(wait_ns, ''), union_ns = nullif(union_ns, ''), error_ns = nullif(error_ns, '');

-- Calls are exact.
select format('%s was called %d times, recorded %d', e.routine, e.calls, (select coalesce(sum(r.calls), 0) from routines r
	where r.routine glob e.routine and r.worker = 'all' and r.entry = 'all' and (e.file = '' or r.file = e.file or r.file glob '*/' || e.file))) as complaint
from expected e where complaint not glob '* ' || e.calls || ' times, recorded ' || e.calls;

select format('%s called %s %d times, recorded %d', e.caller, e.callee, e.calls,
	(select coalesce(sum(a.calls), 0) from arcs a where a.caller = e.caller and a.callee = e.callee)) as complaint
from expected_arcs e where complaint not glob '* ' || e.calls || ' times, recorded ' || e.calls;

select format('%s was entered %d times in state %s, recorded %d', s.routine, s.calls, s.entry, r.calls)
from states s left join routines r on r.routine = s.routine and r.worker = 'all' and r.entry = s.entry where s.calls is not r.calls;

select format('%s called %s %d times as %s-%s, recorded %d', c.caller, c.callee, c.calls, c.entry, c.callee_call, recorded)
from (select c.*, (select coalesce(sum(a.calls), 0) from arcs a where a.caller = c.caller and a.callee = c.callee
	and a.entry = c.entry and a.callee_call = c.callee_call) as recorded from cases c) c
where (select mode from run) <> 'counts' and c.calls <> c.recorded;

select format('the subject has %s %s, recorded %s', f.value, f.name, s.value)
from figures f left join summary s using (name) where f.value + 0 is not s.value + 0;

-- The arcs into a routine are its calls; sequential and concurrent entries are all of them; so are its workers'.
select format('arcs into %s sum to %d, its calls to %d', routine, into_it, its)
from (select r.routine, sum(r.calls) as its, (select coalesce(sum(a.calls), 0) from arcs a where a.callee = r.routine) as into_it
	from routines r where r.worker = 'all' and r.entry = 'all' group by r.routine) where its <> into_it;

select format('%s (%s:%s): calls of %s do not sum up', routine, file, line, what) from (
	select 'entries' as what, routine, file, line, sum(iif(entry = 'all', calls, -calls)) as difference
	from routines where worker = 'all' group by routine, file, line
	union all
	select 'workers', routine, file, line, sum(iif(worker = 'all', calls, -calls))
	from routines where entry = 'all' group by routine, file, line) where difference <> 0;

-- Callees by worker and case: over workers they are the arcs of the caller in that case, over cases the calls that the routine
-- made in that worker. Routines of one name are taken together.
select format('%s, case %s-%s: callees of %s are %d calls, %s ns; %d calls, %s ns are expected', routine, entry, callee_call, what,
	sum(calls), sum(ns), sum(expected), sum(expected_ns))
from (select 'all workers' as what, routine, entry, callee_call, callee_calls as calls, 0 as expected, callee_elapsed_ns as ns, 0 as expected_ns
		from callees where worker = 'all'
	union all select 'all workers', caller, entry, callee_call, 0, calls, 0, elapsed_ns from arcs where caller <> '(outside)'
	union all select 'each worker', routine, entry, callee_call, callee_calls, 0, callee_elapsed_ns, 0 from callees where worker <> 'all'
	union all select 'each worker', routine, entry, callee_call, 0, callee_calls, 0, callee_elapsed_ns from callees where worker = 'all')
group by what, routine, entry, callee_call having sum(calls) <> sum(expected) or sum(ns) <> sum(expected_ns);

select format('%s in worker %s: callees by case are %d, callee_calls %d', routine, worker, sum(by_case), sum(made))
from (select routine, worker, callee_calls as by_case, 0 as made from callees
	union all select routine, worker, 0, callee_calls from routines where entry = 'all')
group by routine, worker having sum(by_case) <> sum(made);

-- A thread starts within the run, and after its creator; it may end when the run is already over. A tid of 0 stands for several threads.
select format('thread %d lives from %d to %d ns of %d', thread, start_ns, end_ns, value)
from threads, summary w where w.name = 'wall_ns' and (start_ns > end_ns or start_ns > value + 1000);

select format('thread %d starts at %d ns, its creator %d at %d', t.thread, t.start_ns, c.thread, c.start_ns)
from threads t join threads c on c.thread = t.creator
where t.creator <> '' and t.tid <> 0 and c.tid <> 0 and t.start_ns < c.start_ns;

-- self <= inclusive <= total, in each worker and each state; never is a union more than the run.
select format('%s in worker %s, entry %s: direct %d exceeds elapsed %d', routine, worker, entry, direct_ns, elapsed_ns)
from routines where direct_ns > elapsed_ns + 1000 * iif(worker = 'all', (select max(value, 1) from summary where name = 'workers'), 1);

select format('%s (%s:%s): elapsed times of sequential and concurrent entries differ from all by %d ns', routine, file, line, difference)
from (select routine, file, line, sum(iif(entry = 'all', elapsed_ns, -elapsed_ns)) as difference from routines
	where worker = 'all' group by routine, file, line having count(*) > 1) where abs(difference) > 1000;

select format('%s in worker %s: elapsed %d exceeds wall %d', routine, worker, elapsed_ns, value)
from routines, summary where name = 'wall_ns' and worker <> 'all' and entry = 'all' and elapsed_ns > value * (select processes from run) + 1000 + 3 * error_ns;

select format('%s: union %d exceeds wall %d', routine, union_ns, value)
from routines, summary where name = 'wall_ns' and worker = 'all' and entry = 'all' and union_ns > value * (select processes from run) + 1000;

select format('direct and wait of all routines are %d ns, more than %d workers had in %d ns', spent, w.value, t.value)
from (select sum(direct_ns) + sum(wait_ns) - 3 * sum(error_ns) as spent from routines where worker = 'all' and entry = 'all'), summary w, summary t
where w.name = 'workers' and t.name = 'wall_ns' and spent > w.value * t.value * (select processes from run) + 1000;

select format('%s: a negative time', routine) from routines where min(elapsed_ns, direct_ns, callee_ns, wait_ns, union_ns) < 0;

-- A wait is found again where it happened. Without times there are none.
select format('%s waited at least %d ns, recorded %d', w.routine, w.ns, r.wait_ns)
from waits w left join routines r on r.routine = w.routine and r.worker = 'all' and r.entry = 'all'
where (select mode from run) <> 'counts' and coalesce(r.wait_ns, 0) < w.ns;

-- So is a call that takes longer than all others of its routine, whether or not it is one of those that are timed.
select format('%s took %d ns %s, recorded %d ± %d in %d calls', routine, ns, what, spent, error_ns, calls) from (
	select 'alone' as what, a.routine, a.ns, r.direct_ns as spent, r.error_ns, r.calls
	from alone a left join routines r on r.routine = a.routine and r.worker = 'all' and r.entry = 'all'
	union all select 'with its callees', i.routine, i.ns, r.elapsed_ns, r.error_ns, r.calls
	from inside i left join routines r on r.routine = i.routine and r.worker = 'all' and r.entry = 'all')
where (select mode from run) <> 'counts' and (spent is null or spent < 0.9 * ns - 3 * error_ns or spent > 4 * ns + 100 * calls + 3 * error_ns);

-- Calls that are timed are calls. Only where some are not is there an error.
select format('%s: %s of %s calls are timed', routine, timed_calls, calls) from routines
where (select mode from run) <> 'counts' and (timed_calls < 0 or timed_calls > calls or ((select mode from run) = 'exact' and timed_calls <> calls));

select format('%s called %s: every call is timed, and the error is %d ns', caller, callee, error_ns) from arcs
where (select mode from run) <> 'counts' and timed_calls = calls and error_ns <> 0;

select format('%s has a time, in a recording without times', routine)
from routines where (select mode from run) = 'counts' and coalesce(elapsed_ns, direct_ns, callee_ns, wait_ns, union_ns, 0) > 0;
