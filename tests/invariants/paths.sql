-- SPDX-License-Identifier: MIT
-- paths.sql: what must hold of every recording of the paths lens. Each row that comes out is a complaint.
-- It is asked of the recording itself, with its reports beside it as CSV: temp.paths, temp.functions, temp.branches, temp.blocks, temp.edges, temp.copies, temp.profitable, temp.stops and temp.summary
-- (see tests/lib/paths/complaints.sh). A function of which only part was counted (flag p or n) has no sums that could be compared, nor has one that has frames of which only the
-- block is known (flag f).

create temp view known as select run, function, routine, entries, possible, executed from paths_function where not (flags like '%p%' or flags like '%n%' or flags like '%f%');

-- Edges of paths and of frames that never ended, one by one.
create temp view passed as
	select p.run, p.function, cast(e.value as integer) edge, p.count from paths_path p, json_each('[' || replace(p.edges, ' ', ',') || ']') e
	union all select s.run, s.function, cast(e.value as integer), s.count from paths_stop s, json_each('[' || replace(s.edges, ' ', ',') || ']') e where s.edges is not null;
create temp view sums as select run, function, edge, sum(count) count from passed group by 1, 2, 3;

-- An edge was passed as often as the paths over it were taken.
select format('function %d, edge %d: passed %d times, by paths %d', function, edge, e.count, coalesce(s.count, 0)) from paths_edge e left join sums s using (run, function, edge)
	where e.count <> coalesce(s.count, 0);

-- A function was called as often as paths begin with it, and a block come to as often as edges lead to it, and as it was left or stopped in.
with begun as (select run, function, sum(count) count from (select run, function, count from paths_path where begin is null union all
	select run, function, count from paths_stop where begin is null and edges is not null) group by 1, 2)
select format('function %d: called %d times, begun %d times', function, entries, coalesce(b.count, 0)) from known left join begun b using (run, function) where entries <> coalesce(b.count, 0);

with back as (select distinct p.run, p.function, cast(replace(p.edges, rtrim(p.edges, '0123456789'), '') as integer) edge from paths_path p), -- the last edge of a path leads back, or out
into_it as (select run, function, block, sum(count) count from (
	select e.run, e.function, e.target block, e.count from paths_edge e left join back b using (run, function, edge) where e.target is not null and b.edge is null
	union all select run, function, begin, count from paths_path where begin is not null
	union all select run, function, begin, count from paths_stop where begin is not null and edges is not null) group by 1, 2, 3),
out_of_it as (select run, function, origin block, sum(count) count from paths_edge group by 1, 2, 3),
stopped as (select run, function, block, sum(count) count from paths_stop group by 1, 2, 3)
select format('function %d, block %d: come to %d times, by edges or as a beginning %d, left %d times, stopped in %d', function, block, b.count, coalesce(i.count, 0), coalesce(o.count, 0), coalesce(s.count, 0))
	from paths_block b join known using (run, function) left join into_it i using (run, function, block) left join out_of_it o using (run, function, block)
	left join stopped s using (run, function, block)
	where b.count <> coalesce(i.count, 0) + iif(block = 0, entries, 0) or b.count <> coalesce(o.count, 0) + coalesce(s.count, 0);

-- Each path once, no more of them than there are, each number below that, each by a copy that counts the function.
select format('function %d: path %d twice', function, path) from paths_path group by run, function, path having count(*) > 1
union all select format('function %d: %d paths of %g', function, executed, possible) from paths_function where executed > possible
union all select format('function %d: says %d paths, has %d', function, executed, count(path)) from paths_function left join paths_path using (run, function) group by run, function
	having executed <> count(path)
union all select format('function %d: path %d of %g', function, path, possible) from paths_path join paths_function using (run, function) where possible < 4e18 and path >= possible
union all select format('function %d: path %d, taken %d times', function, path, count) from paths_path where count < 1
union all select format('function %d: path %d is of copy %d, which counts nothing of it', function, path, p.copy) from paths_path p left join paths_part a using (run, function, copy)
	where a.arcs is null;

-- A kind is what a path begins and ends with.
select format('function %d: path %d has kind %d', p.function, p.path, p.kind) from paths_path p
	join paths_edge e on e.run = p.run and e.function = p.function and e.edge = cast(replace(p.edges, rtrim(p.edges, '0123456789'), '') as integer)
	where kind <> case when begin is null then iif(target is null, 0, 1) else iif(target is null, 3, 2) end;

-- Only paths that were asked for are there; others were counted where some were. The way of a frame is known, or it is one of several.
select format('function %d: path %d was not asked for', function, path) from paths_path p join paths_function f using (run, function) left join paths_asked a using (run, function, path)
	where flags like '%n%' or (flags like '%p%' and (a.function is null) <> (flags like '%r%'))
union all select format('function %d: %d paths beside those that were asked for', function, others) from paths_function where others > 0 and flags not like '%p%'
union all select format('function %d: names of paths, but all were asked for', function) from paths_asked join paths_function using (run, function) where flags not like '%p%'
union all select format('function %d, block %d: %d ways', function, block, ways) from paths_stop where (ways = 1) <> (edges is not null)
union all select format('function %d, block %d: ways are not known', function, block) from paths_stop s join paths_function using (run, function) where s.edges is null and flags not like '%f%';

-- One copy without a plan does what is called sequential, if nobody asked for less.
select format('one copy has %g updates, sequential is %g', sum(p.updates), sum(f.sequential_updates)) from paths_function f join paths_part p using (run, function) join paths_how using (run)
	where copies = 1 and not exists (select * from paths_function where flags like '%p%' or flags like '%m%') having sum(p.updates) <> sum(f.sequential_updates);

-- Reports have what the recording has.
with figure (name, value) as (
	select 'copies', copies from paths_how
	union all select 'paths_executed', count(*) from paths_path
	union all select 'count', sum(count) from paths_path
	union all select 'flow', sum(count * instructions) from paths_path
	union all select 'instructions', sum(count * instructions) from paths_block
	union all select 'functions', count(*) from paths_function
	union all select 'frames_stopped', coalesce(sum(count), 0) from paths_stop
	union all select 'hits_sequential', cast(sum(sequential_increments + sequential_updates) as integer) from paths_function
	union all select 'hits_slowest', max(hits) from (select cast(sum(increments + updates) as integer) hits from paths_part group by copy))
select format('the summary''s %s is %s, the recording''s %s', name, s.value, f.value) from figure f join temp.summary s using (name) where s.value <> f.value
	and not (name like 'hits_%' and s.value = '' and exists (select * from paths_function where flags like '%p%' or flags like '%n%')); -- not known then
select format('the report has %d rows of paths, the recording %d', (select count(*) from temp.paths), count(*)) from paths_path having count(*) <> (select count(*) from temp.paths);
select 'shares of flow add up to ' || sum(flow_pct) from temp.paths having abs(sum(flow_pct) - 100) > 0.0001 * count(*) and count(*) > 0;
select format('%s has %d outcomes, of which %d were taken more often than it was come to', function, count(*), sum(count > "of")) from temp.branches group by function having sum(count > "of") > 0;

-- Graphs and paths of reports are those of the recording. Counts that are not known are empty.
select format('the report has %d rows of blocks, the recording %d', (select count(*) from temp.blocks), count(*)) from paths_block having count(*) <> (select count(*) from temp.blocks);
select format('graph %d, block %d: the report has %s times %s, the recording %d times %d', r.function, r.block, b.count, b.instructions, r.count, r.instructions)
	from paths_block r left join temp.blocks b on b.graph = r.function and b.block = r.block
	where b.block is null or b.instructions <> r.instructions or (b.count <> '' and b.count <> r.count);
select format('the report has %d rows of edges, the recording %d, and %d functions', (select count(*) from temp.edges), count(*), (select count(*) from paths_function)) from paths_edge
	having count(*) + (select count(*) from paths_function) <> (select count(*) from temp.edges);
select format('graph %d, edge %d: the report has it from %s to %s %s times (%s), the recording from %d to %s %d times', r.function, r.edge, e."from", e."to", e.count, e.kind, origin, target, r.count)
	from (select run, function, edge, origin, coalesce(target, '') target, count from paths_edge) r left join temp.edges e on e.graph = r.function and e.edge = r.edge
	where e.edge is null or e."from" <> origin or e."to" <> target or (e.kind in ('exit', 'no-return')) <> (target = '') or (e.count <> '' and e.count <> r.count);
with last as (select function, cast(replace(edges, rtrim(edges, '0123456789'), '') as integer) edge from paths_path)
select format('graph %d, edge %d: no path goes on behind it, but it is no back edge', last.function, e.edge) from last join temp.edges e on e.graph = last.function and e.edge = last.edge where kind = 'forward';
select format('function %d: path %d has the edges %s, which no path of the report has', p.function, p.path, edges) from paths_path p left join temp.paths t on t.graph = p.function and t.steps = p.edges
	where t.graph is null;
