-- SPDX-License-Identifier: MIT
-- flow.sql: what must hold of every recording of the flow lens. Each row that comes out is a complaint.
-- It is asked of the recording itself, with its reports beside it as CSV: temp.waits, temp.objects, temp.critical_path, temp.threads,
-- temp.timeline, temp.concurrency, temp.cores and temp.summary (see tests/lib/flow/complaints.sh). Figures are rounded to nanoseconds one
-- by one, so a sum may differ by as many nanoseconds as it has parts.

-- The run: minimum, load and latency are its wall time; an idle machine lies between.
select format('wall %d, minimum %d + load %d + latency %d', wall_ns, minimum_ns, load_ns, latency_ns) from flow_total
where wall_ns <> minimum_ns + load_ns + latency_ns;
select format('minimum %d, idle machine %d, wall %d', minimum_ns, idle_ns, wall_ns) from flow_total
where not (0 <= minimum_ns and minimum_ns <= idle_ns and idle_ns <= wall_ns);
select format('%d runs, %d totals', (select count(*) from run where lens = 'flow'), count(*)) from flow_total
having count(*) <> (select count(*) from run where lens = 'flow');
select format('a total is out of range: %d, %d, %d, %d, %d, %d, %d', load_ns, latency_ns, cores, skipped_ns, events, unexplained, slices) from flow_total
where min(load_ns, latency_ns, skipped_ns, events, unexplained, bad, stretches) < 0 or cores not between 1 and 64 or slices < 1
	or kept not in ('yes', 'too-many', 'unwanted') or ended not in (0, 1) or (switches is null) <> (switches_lost is null);

-- Threads: no part is negative, and all are not longer than the run, which ends while some may go on for a moment. What they did on the critical path is the minimum.
select format('thread %d lives longer than the run: %d + %d + %d + %d of %d', f.traced, f.work_ns, f.load_ns, f.waited_ns, f.outside_ns, wall_ns)
from flow_thread f join flow_total using (run)
where f.work_ns + f.load_ns + f.waited_ns + f.outside_ns > wall_ns + wall_ns / 20 + 20000000 and traced < (select count(*) from thread t where t.run = f.run);
select format('thread %d is out of range: work %d, load %d, waited %d, outside %d, late %d, critical %d', traced, work_ns, load_ns, waited_ns,
	outside_ns, late_ns, critical_ns) from flow_thread
where min(work_ns, load_ns, waited_ns, outside_ns, late_ns, critical_ns, events) < 0;
select format('threads have %d of the critical path, which is %d', critical, minimum_ns)
from flow_total t join (select run, sum(critical_ns) as critical from flow_thread group by run) using (run)
where abs(critical - minimum_ns) > stretches + 1 and not exists (select 1 from flow_process p where p.run = t.run and p.flags & 2);
select format('threads have %d of load that was not seen', sum(f.load_ns)) from flow_thread f join flow_total using (run) where switches is null having sum(f.load_ns) > 0;

-- Waits are the time that threads waited, for each other and for what is outside, but for those that went on when the run ended.
-- What is summed up twice, by core/flow and by analyse/flow/tally, may differ where the kernel's clock tells of a switch a moment before or
-- behind the event that it belongs to, and in the time before the first event: by a twentieth of the run. What threads did behind their last
-- event is known to one of them only, so a run that was killed may differ by more; and what a process did between an execve and the first
-- event of the new program belongs to no thread, so nothing is asked of such runs.
create temp table near as select run, iif(ended, wall_ns / 20 + 20000000, wall_ns / 5 + 20000000) as ns from flow_total t
where not exists (select 1 from flow_process p where p.run = t.run and p.flags & 2);
select format('thread %d waited %d + %d, its waits are %d', t.traced, t.waited_ns, t.outside_ns, coalesce(w.ns, 0)) from flow_thread t
left join (select run, traced, sum(waited_ns) as ns, sum(count) as n from flow_wait where outcome <> 'unfinished' group by run, traced) w using (run, traced)
join near using (run) where abs(t.waited_ns + t.outside_ns - coalesce(w.ns, 0)) > near.ns;
select format('a wait of thread %d: %d times, %d, longest %d, late %d', traced, count, waited_ns, longest_ns, late_ns) from flow_wait
where count < 1 or longest_ns > waited_ns or late_ns > waited_ns or waited_ns > count * (longest_ns + 1) or min(longest_ns, late_ns) < 0;
select format('thread %d is late by %d, its waits by %d', t.traced, t.late_ns, sum(w.late_ns)) from flow_thread t join flow_wait w using (run, traced)
group by t.run, t.traced having abs(t.late_ns - sum(w.late_ns)) > count(*);
select format('a wait that thread %s ended has the outcome %s', for_traced, outcome) from flow_wait
where for_traced is not null and outcome in ('ended', 'unfinished', 'timed-out') and kind in ('sleep', 'kernel');

-- Objects: what threads waited for them is in the waits, and nothing is faster with them than without.
select format('%s: threads waited %d for it, by rows %d', o.name, o.waited_ns, sum(w.waited_ns)) from flow_object o
join flow_wait w on w.run = o.run and w.object = o.object and w.outcome <> 'unfinished' join near on near.run = o.run
group by o.run, o.object having sum(w.waited_ns) > o.waited_ns + near.ns;
select format('%s: the minimum is %d, and %d without it', name, minimum_ns, minimum_if_free_ns) from flow_object join flow_total using (run)
where minimum_if_free_ns > minimum_ns + 1 or minimum_if_free_ns < 0;
select format('%s: an idle machine takes %d, and %d without it', name, idle_ns, idle_if_free_ns) from flow_object join flow_total using (run)
where idle_if_free_ns > idle_ns or idle_if_free_ns < minimum_if_free_ns;
select format('%s: held by %d of %d', name, holder_ns, waited_ns) from flow_object where holder_ns > waited_ns + members + 1;
select format('%s is out of range: %d, %d, %d, %d, %d', name, acquisitions, contended, waited_ns, held_ns, longest_queue) from flow_object
where min(acquisitions, contended, waited_ns, held_ns, longest_queue, holder_ns) < 0 or members < 1;
select format('%s was taken %d times, contended %d times', name, acquisitions, contended) from flow_object
where kind in ('lock', 'rwlock', 'semaphore') and contended > acquisitions;
select format('two objects are called %s', name) from flow_object group by run, kind, name having count(*) > 1;
select format('a wait has object %d', object) from flow_wait where object is not null and (run, object) not in (select run, object from flow_object);

-- The critical path: one stretch begins where the one before ends, and all together are the minimum, unless some were left out.
create temp table whole as select run, minimum_ns, stretches, rows, ns, n from flow_total
	join (select run, count(*) as rows, sum(ns) as ns, sum(count) as n from flow_stretch group by run) using (run);
select format('%d of %d stretches have %d of %d', n, stretches, ns, minimum_ns) from whole where n > stretches or ns > minimum_ns + rows + 1;
select format('all stretches have %d of %d', ns, minimum_ns) from whole where n = stretches and abs(ns - minimum_ns) > rows + 1
	and not exists (select 1 from flow_process p where p.run = whole.run and p.flags & 2);
select format('stretch %d ends at %d, the next one begins at %d', stretch, at_ns + flow_ns, next)
from (select run, stretch, at_ns, ns as flow_ns, lead(at_ns) over (partition by run order by stretch) as next from flow_stretch) join whole using (run)
where rows = stretches and abs(at_ns + flow_ns - next) > 2;
select format('stretch %d: %d of %d outside, %d times, at %d of %d', stretch, outside_ns, ns, count, at_ns, minimum_ns)
from flow_stretch join flow_total using (run)
where outside_ns > ns + 1 or count < 1 or min(at_ns, ns, outside_ns) < 0 or at_ns + ns > minimum_ns + 1;
select format('stretch %d is at %d, later than it was recorded: %d', stretch, at_ns, recorded_ns) from flow_stretch where count = 1 and at_ns > recorded_ns + 1;
select format('stretch %d has object %d', stretch, object) from flow_stretch
where object is not null and (run, object) not in (select run, object from flow_object);

-- Slices are the same time once more, by workers.
select format('a slice of worker %d has %d + %d + %d of %d', worker, work_ns, s.load_ns, wait_ns, wall_ns / slices) from flow_slice s join flow_total using (run)
where work_ns + s.load_ns + wait_ns > (wall_ns + skipped_ns) * 1.05 / slices + 100000 or slice not between 0 and slices - 1 or min(work_ns, s.load_ns, wait_ns) < 0;
select format('threads have %d of work, %d of load and %d of waiting, slices %d, %d and %d', t.work, t.load, t.wait, s.work, s.load, s.wait)
from (select run, sum(work_ns) as work, sum(load_ns) as load, sum(waited_ns + outside_ns) as wait from flow_thread group by run) t
join (select run, sum(work_ns) as work, sum(load_ns) as load, sum(wait_ns) as wait, count(*) as n from flow_slice group by run) s using (run)
join (select run, sum(waited_ns) as ns from flow_wait where outcome = 'unfinished' group by run union all
	select run, 0 from flow_total where run not in (select run from flow_wait where outcome = 'unfinished')) e using (run)
join near using (run) where max(abs(t.work - s.work), abs(t.load - s.load)) > near.ns or s.wait not between t.wait - near.ns and t.wait + e.ns + near.ns;

-- Levels: as long as the run, and as much as threads worked or could have.
select format('levels have %d of %d', sum(flow_level.ns), wall_ns) from flow_level join flow_total using (run) join near using (run) group by run having abs(sum(flow_level.ns) - wall_ns) > near.ns;
select format('threads worked or could for %d, by levels %d', t.ns, l.ns) from (select run, sum(work_ns + load_ns) as ns from flow_thread group by run) t
join (select run, sum(working * ns) as ns from flow_level group by run) l using (run)
join near using (run) where abs(t.ns - l.ns) > near.ns;

-- Cores: none takes less than the minimum, and one takes all the work.
select format('%d cores take %d, the minimum is %d', c.cores, c.ns, minimum_ns) from flow_cores c join flow_total using (run) where c.ns < minimum_ns;
select format('1 core takes %d, all work is %d', c.ns, t.work) from flow_cores c join (select run, sum(work_ns) as work from flow_thread group by run) t using (run)
join flow_total using (run) where c.cores = 1 and ended = 1 and c.ns < t.work - wall_ns / 100 and (select count(*) from process p where p.run = c.run) = 1;

-- The events themselves: all or none.
select format('kept %s, and %d chunks of events', kept, n) from flow_total, (select count(*) as n from flow_log) where (kept = 'yes' and events > 0) <> (n > 0);
select format('%d processes, %d with events', (select count(*) from process p where p.run = t.run), count(*)) from flow_process t
group by run having count(*) <> (select count(*) from process p where p.run = t.run);
select format('a chunk has %d bytes', bytes) from flow_log where bytes not between 1 and 524288;
select format('a frame has the parent %d', parent) from flow_path where parent < 0;
select format('number %d is object %d', number, object) from flow_member
where object is not null and (run, object) not in (select run, object from flow_object);

-- Reports show what the tables have.
select format('%s is %s in the summary, and %d', name, s.value, total.value) from temp.summary s join (
	select 'wall_ns' as name, wall_ns as value from flow_total union all select 'minimum_ns', minimum_ns from flow_total
	union all select 'load_ns', load_ns from flow_total union all select 'latency_ns', latency_ns from flow_total
	union all select 'idle_ns', idle_ns from flow_total union all select 'events', events from flow_total
	union all select 'stretches', stretches from flow_total union all select 'cores', cores from flow_total
	union all select 'skipped_ns', skipped_ns from flow_total union all select 'unexplained', unexplained from flow_total
	union all select 'objects', (select count(*) from flow_object) union all select 'waits', (select coalesce(sum(count), 0) from flow_wait)
	union all select 'threads_work_ns', (select sum(work_ns) from flow_thread) union all select 'threads_load_ns', (select sum(load_ns) from flow_thread)
	union all select 'threads_waited_ns', (select sum(waited_ns) from flow_thread)
	union all select 'threads_outside_ns', (select sum(outside_ns) from flow_thread)
	union all select 'critical_outside_ns', (select coalesce(sum(outside_ns), 0) from flow_stretch)) total using (name)
where s.value <> total.value;
select format('%s: %d in the report, %d in the table', 'waits', (select count(*) from temp.waits), count(*)) from flow_wait having count(*) <> (select count(*) from temp.waits)
union all select format('%s: %d in the report, %d in the table', 'objects', (select count(*) from temp.objects), count(*)) from flow_object having count(*) <> (select count(*) from temp.objects)
union all select format('%s: %d in the report, %d in the table', 'critical-path', (select count(*) from temp.critical_path), count(*)) from flow_stretch having count(*) <> (select count(*) from temp.critical_path)
union all select format('%s: %d in the report, %d in the table', 'timeline', (select count(*) from temp.timeline), count(*)) from flow_slice having count(*) <> (select count(*) from temp.timeline);
select format('the report has %d of waiting, the tables %d', (select sum(waited_ns) from temp.waits), sum(waited_ns)) from flow_wait
having sum(waited_ns) <> (select sum(waited_ns) from temp.waits);

-- Threads, processes and tasks, by what created them: together they have what the strands have. Some strands are no thread's.
select format('what was created worked for %d, threads for %d', t.ns, f.ns) from (select run, sum(work_ns) as ns, count(*) as n from flow_task group by run) t
join (select run, sum(work_ns) as ns, count(*) as n from flow_thread group by run) f using (run) join flow_total using (run)
where abs(t.ns - f.ns) > t.n + f.n + wall_ns / 1000;
select format('task %d is out of range: %d, %d at once, %d, %d, %d, %d, longest %d', task, count, most, work_ns, load_ns, waited_ns, outside_ns, longest_ns)
from flow_task where min(count, most, work_ns, load_ns, waited_ns, outside_ns, longest_ns) < 0 or most > count or longest_ns > work_ns + 1;
select format('edge %d to %d: %d times, %d', task, other, count, ns) from flow_edge
where count < 1 or ns < 0 or (run, task) not in (select run, task from flow_task) or (run, other) not in (select run, task from flow_task);
select format('mark %d: %d times, %d, longest %d', number, count, ns, longest_ns) from flow_mark
where count < 1 or longest_ns > ns or min(ns, work_ns, load_ns, waited_ns, outside_ns) < 0 or (kind = 'value' and not (least <= last and last <= most));
