-- SPDX-License-Identifier: MIT
-- span_said.sql: what a subject says of itself, held against the recording. said (kind, name, least, most) comes from the
-- subject; entered (name) are the routines that foreign code enters too, which no site counts.

create view calls_of as select said.name, sum(said.least) as said, (select coalesce(sum(count), 0) from sites
	where callee glob said.name and profile = 'work' and measure = 'local' and kind <> 'loop' and "foreign" = 0) as recorded
from said where kind = 'calls' group by said.name;
select format('%s was called %d times, recorded %d', name, said, recorded) from calls_of
where recorded > said or (recorded < said and name not in (select name from entered)
	and (select value from summary where name = 'lost_events') = 0 and (select value from summary where name = 'processes') = 1);

select format('%s is %s, not between %s and %s', said.name, coalesce(value, 'missing'), least, most)
from said left join summary using (name) where kind = 'figure' and (value is null or value + 0 not between least + 0 and most + 0);

select format('%s has %.2f %% of the %s, not between %s and %s', name, share, kind, least, most) from (
	select said.*, 100.0 * (select coalesce(sum(iif(said.kind = 'span', span, work)), 0) from sites where callee = said.name and profile = said.kind and measure = 'local')
		/ (select value from summary where name = said.kind) as share from said where kind in ('span', 'work'))
where share not between least + 0 and most + 0;
