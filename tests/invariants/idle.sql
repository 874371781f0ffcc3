-- SPDX-License-Identifier: MIT
-- idle.sql: what must hold of every recording of the idle lens. Each row that comes out is a complaint.
-- It is asked of the recording itself, with its reports beside it as CSV: temp.top_down, temp.bottom_up, temp.flat, temp.threads and temp.summary
-- (see tests/cli/idle/report.sh, idle_complaints).

-- Both trees hold together: parents exist, come first, and are in the same tree; costs and events lie in the tree that they say.
create temp table child as select parent, scope from idle_scope where parent is not null;
create index temp.by_parent on child (parent);
create temp table tree (scope integer primary key, root);
insert or ignore into tree
with recursive t (scope, root) as (
	select scope, scope from idle_scope where parent is null
	union select child.scope, t.root from t join child on child.parent = t.scope)
select * from t;

select format('scope %d is below no root', s.scope) from idle_scope s left join tree on tree.scope = s.scope where tree.scope is null
union all select format('scope %d has parent %d', scope, parent) from idle_scope where parent >= scope
union all select format('scope %d is a root', scope) from idle_scope where (parent is null) <> (scope < 2)
union all select format('a cost lies at logical scope %d, of the other tree', logical) from idle_cost join tree on logical = scope where root <> 0
union all select format('a cost lies at physical scope %d, of the other tree', physical) from idle_cost join tree on physical = scope where root <> 1
union all select format('an event lies at scopes %d and %d, of the wrong trees', logical, physical) from idle_event
	join tree l on logical = l.scope join tree p on physical = p.scope where l.root <> 0 or p.root <> 1;

select format('a cost has no scope: %d, %d', logical, physical) from idle_cost
where logical not in (select scope from tree) or physical not in (select scope from tree);

-- Idleness and overhead are the program's: totals of the summary are the sums of all costs.
with total (name, value) as (
	select 'work_ns', sum(iif(overhead = 0, serial_ns + under_ns + full_ns + over_ns, 0)) from idle_cost
	union all select 'overhead_ns', sum(iif(overhead = 0, 0, serial_ns + under_ns + full_ns + over_ns)) from idle_cost
	union all select 'idle_ns', sum(idle_ns) from idle_cost
	union all select 'samples', sum(samples) from idle_cost
	union all select 'serial_ns', sum(serial_ns) from idle_cost
	union all select 'under_ns', sum(under_ns) from idle_cost
	union all select 'full_ns', sum(full_ns) from idle_cost
	union all select 'over_ns', sum(over_ns) from idle_cost
	union all select 'cpu_ns', sum(cpu_ns) from idle_thread)
select format('%s is %d in the summary, and its parts sum to %d', name, s.value, total.value) from total join temp.summary s using (name)
where s.value <> total.value;

-- Work is what the classes sum to, without overhead; so in every row. Kinds of overhead sum to it.
select format('%s: classes sum to %d, work and overhead to %d', context, serial_ns + under_ns + full_ns + over_ns, work_ns + overhead_ns) from temp.top_down
where serial_ns + under_ns + full_ns + over_ns <> work_ns + overhead_ns;

select format('%s: kinds of overhead sum to %d of %d', context, sync_ns + schedule_ns + task_ns + memory_ns + other_ns, overhead_ns)
from (select * from temp.top_down union all select * from temp.bottom_up union all select * from temp.flat)
where sync_ns + schedule_ns + task_ns + memory_ns + other_ns <> overhead_ns;

-- Reasons for idleness are no more than there is of it; times in which no thread worked are waits, and no longer than the run.
select format('reasons for %d ns of idleness, of %d', (select sum(ns) from idle_why where why <> 'ready'), sum(idle_ns)) from idle_cost
having (select sum(ns) from idle_why where why <> 'ready') > sum(idle_ns) + (select count(*) from idle_why);

select format('no thread worked for %d of %d ns of a wait', quiet_ns, wait_ns) from idle_wait where quiet_ns > wait_ns;

-- A full or over-subscribed machine has no idle cores; a serial one has all but one of them idle (but for cores that not every thread may use).
select format('%d ns are idle while all cores worked', sum(idle_ns)) from idle_cost
where serial_ns + under_ns = 0 and idle_ns > 0 having sum(idle_ns) > 0;

select format('idleness %d is more than all but one core of %d ns', sum(c.idle_ns), sum(c.serial_ns + c.under_ns)) from idle_cost c, idle_total t
having sum(c.idle_ns) > (t.cores - 1) * sum(c.serial_ns + c.under_ns) + t.cores * count(*);

-- The first level of each view is the whole program. (The root of the top-down view has everything.)
with level (view, work_ns, idle_ns, overhead_ns, samples) as (
	select 'top-down', sum(work_ns), sum(idle_ns), sum(overhead_ns), sum(samples) from temp.top_down where depth = 0
	union all select 'bottom-up', sum(work_ns), sum(idle_ns), sum(overhead_ns), sum(samples) from temp.bottom_up where depth = 0
	union all select 'flat', sum(work_ns), sum(idle_ns), sum(overhead_ns), sum(samples) from temp.flat where depth = 0
	union all select 'threads', sum(work_ns), sum(idle_ns), sum(overhead_ns), null from temp.threads)
select format('%s: its first level sums to %d ns of work, %d of idleness, %d of overhead, %d samples', view, work_ns, idle_ns, overhead_ns, samples) from level
where work_ns <> (select value from temp.summary where name = 'work_ns') or idle_ns <> (select value from temp.summary where name = 'idle_ns')
	or overhead_ns <> (select value from temp.summary where name = 'overhead_ns') or coalesce(samples, 0) not in (0, (select value from temp.summary where name = 'samples'));

-- No row has more than the row above it. (Rows come in the order of a walk: the parent is the last one before it that is less deep by one.)
create index temp.by_depth on top_down (depth);
select format('%s has %d ns of effort, its parent %s only %d', r.context, r.critical_ns, p.context, p.critical_ns) from temp.top_down r
join temp.top_down p on p.rowid = (select max(q.rowid) from temp.top_down q where q.depth = r.depth - 1 and q.rowid < r.rowid)
where p.work_ns < r.work_ns or p.idle_ns < r.idle_ns or p.overhead_ns < r.overhead_ns or p.samples < r.samples;

-- Threads: what was sampled is theirs.
select format('thread %d: costs of %d ns, sampled %d', t.sampled, ns, t.work_ns) from idle_thread t
join (select sampled, sum(serial_ns + under_ns + full_ns + over_ns) as ns, sum(samples) as samples from idle_cost group by sampled) c using (sampled)
where ns <> t.work_ns and not exists (select 1 from idle_total where nodes_lost > 0);

-- Events of the summary are the sums of their rows.
select format('%s: %d in the summary, its rows sum to %d', n.name, s.value, sum(e.count)) from idle_event e join idle_event_name n using (event)
join temp.summary s on s.name = n.name group by n.name having s.value <> sum(e.count);

-- Figures that exclude and include callees. What a row shows is one of them; own <= inclusive; what routines have of their own is the
-- whole program, once. In flat and bottom-up, routines have the same figures.
select format('%s of %s: shown %d, %s %d', context, view, work_ns + idle_ns + overhead_ns, what, other) from (
	select 'top-down' as view, context, work_ns, idle_ns, overhead_ns, 'including callees' as what, incl_work_ns + incl_idle_ns + incl_overhead_ns as other from temp.top_down
	union all select 'flat', context, work_ns, idle_ns, overhead_ns, 'excluding callees', own_work_ns + own_idle_ns + own_overhead_ns from temp.flat
	union all select 'bottom-up', context, work_ns, idle_ns, overhead_ns, 'excluding callees', own_work_ns + own_idle_ns + own_overhead_ns from temp.bottom_up)
where work_ns + idle_ns + overhead_ns <> other;

select format('%s: %d of its own, %d including callees', context, own_work_ns, incl_work_ns)
from (select * from temp.top_down union all select * from temp.bottom_up union all select * from temp.flat)
where own_work_ns > incl_work_ns or own_idle_ns > incl_idle_ns or own_overhead_ns > incl_overhead_ns;

select format('routines of the top-down tree have %d ns of work of their own, the program %d', own, s.value)
from (select sum(own_work_ns) as own from temp.top_down where kind not in ('loop', 'line')), temp.summary s where s.name = 'work_ns' and own <> s.value;

select format('%s: bottom-up has %d ns of work including callees, flat %d', b.routine, b.incl, f.incl)
from (select routine, object, sum(incl_work_ns) as incl from temp.bottom_up where depth = 0 group by routine, object having count(*) = 1) b
join (select routine, object, sum(incl_work_ns) as incl from temp.flat where depth = 1 group by routine, object having count(*) = 1) f using (routine, object)
where b.incl <> f.incl;
