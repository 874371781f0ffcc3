-- SPDX-License-Identifier: MIT
-- input.sql: what must hold of every recording of the input lens. Each row that comes out is a complaint.
-- It is asked of the recording itself, with its reports beside it as CSV: temp.routines, temp.points, temp.workload, temp.sources, temp.threads, temp.contexts, temp.runs
-- and temp.summary (see tests/lib/input/complaints.sh). All runs of the recording must have been made alike.

-- A point is possible: its least cost is no more than its largest, its sums fit, self cost is part of cost, induced reads are part of the input.
select format('context %d, size %d: %d calls cost %d to %d, %d in all', context, size, calls, cost_min, cost_max, cost_sum) from input_point
where cost_min > cost_max or cost_sum < cost_max or cost_sum > calls * cost_max or cost_sum < calls * cost_min or calls < 1
union all select format('context %d, size %d: sizes add up to %d over %d calls', context, size, size_sum, calls) from input_point
	where size_sum < size * calls or (bits = 0 and size_sum <> size * calls)
union all select format('context %d, size %d: self cost %d, outermost %d of %d', context, size, self_sum, cost_outermost, cost_sum) from input_point
	where self_sum > cost_sum or cost_outermost > cost_sum
union all select format('context %d, size %d: %d induced reads of %d', context, size, thread_induced + external, size_sum) from input_point
	where metrics & 4 and thread_induced + external > size_sum;

-- Each metric has seen the same calls and costs.
with metric (bit) as (values (1), (2), (4)),
sums as (select run, context, process, thread, bit, sum(calls) calls, sum(cost_sum) cost, sum(self_sum) self, sum(thread_induced) induced, sum(external) external, sum(size_sum) size
	from input_point join metric on metrics & bit group by 1, 2, 3, 4, 5)
select format('context %d: metrics %d and %d have seen other calls', a.context, a.bit, b.bit) from sums a join sums b using (run, context, process, thread)
	where (a.calls, a.cost, a.self, a.induced, a.external) <> (b.calls, b.cost, b.self, b.induced, b.external)
-- rms <= rms+external <= trms, activation by activation, so in sums, too (Inequality 1)
union all select format('context %d: metric %d is larger than metric %d', a.context, a.bit, b.bit) from sums a join sums b using (run, context, process, thread)
	where a.bit < b.bit and a.size > b.size;

-- Contexts are a tree, numbered from the outside.
select format('context %d is below %d', context, parent) from input_context where context > 0 and parent >= context;

-- The summary is the sum of the points.
with figure (name, value) as (
	select 'cost', sum(self_sum) from input_point where metrics & 4
	union all select 'rms_total', sum(size_sum) from input_point where metrics & 1 and context > 0
	union all select 'trms_total', sum(size_sum) from input_point where metrics & 4 and context > 0
	union all select 'calls', sum(calls) from input_point where metrics & 4 and context > 0
	union all select 'thread_total', coalesce(sum(cells), 0) from input_matrix where writer <> -1
	union all select 'external_total', coalesce(sum(cells), 0) from input_matrix where writer = -1
	union all select 'routines', count(distinct routine) from input_point join input_context using (run, context) where context > 0)
select format('the summary''s %s is %s, the points'' %s', name, s.value, f.value) from figure f join temp.summary s using (name) where s.value <> f.value;

-- What a thread's own frame has seen induced is what the matrix has.
with own as (select run, process, thread, sum(thread_induced) induced, sum(external) external from input_point where context = 0 and metrics & 4 group by 1, 2, 3),
matrix as (select run, process, reader thread, sum(iif(writer = -1, 0, cells)) induced, sum(iif(writer = -1, cells, 0)) external from input_matrix group by 1, 2, 3)
select format('thread %d has %d and %d induced reads, the matrix %d and %d', thread, own.induced, own.external, matrix.induced, matrix.external) from own join matrix using (run, process, thread)
where own.induced <> matrix.induced or own.external <> matrix.external;

-- Rows for all threads are the sums of the rows for each.
select format('%s: %d calls in all, %d in threads', routine, sum(iif(thread = 'all', calls, 0)), sum(iif(thread = 'all', 0, calls))) from temp.routines
group by routine, file, line having sum(iif(thread = 'all', calls, 0)) <> sum(iif(thread = 'all', 0, calls));

-- No share is out of bounds.
select format('%s has %s %% of the cost', routine, cost_pct) from temp.routines where cost_pct > 100.0001 or cost_pct < 0 or (x10_pct <> '' and x10_pct > 100.0001)
union all select format('%s: exponent %s is not from %s to %s', routine, exponent, exponent_low, exponent_high) from temp.routines
	where model <> '' and (exponent < exponent_low - 0.0001 or exponent > exponent_high + 0.0001)
union all select format('%s has %s %% and %s %% of its input induced', routine, thread_pct, external_pct) from temp.routines where thread_pct + external_pct > 100.0001
union all select format('%s: shares of induced reads add up to %s', routine, thread_induced_pct + external_induced_pct) from temp.routines
	where thread_induced_pct <> '' and abs(thread_induced_pct + external_induced_pct - 100) > 0.001;

-- Points and workload are the same calls.
select format('points have %s calls, workload %s', (select sum(calls) from temp.points), (select sum(calls) from temp.workload))
where (select sum(calls) from temp.points) <> (select sum(calls) from temp.workload);

-- The runs' calls add up.
select format('runs have %s calls, the summary %s', (select sum(calls) from temp.runs), value) from temp.summary where name = 'calls' and value <> (select sum(calls) from temp.runs);
