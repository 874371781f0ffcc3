-- SPDX-License-Identifier: MIT
-- span.sql: what must hold of every recording of the span lens. Each row that comes out is a complaint.
-- sites and summary are the CSV reports of the recording. Identities are exact for counted instructions in one process; a
-- recording that lost events, or of a program that was killed, need not be held against them.

-- Local spans on the span sum to the span, local works on work to the work (section 2).
select format('local spans on the span sum to %d, the span is %d', its, s.value)
from (select sum(span) as its from sites where profile = 'span' and measure = 'local'), summary s
where s.name = 'span' and its <> s.value and (select value from summary where name = 'sites') > 0;

select format('local works on work sum to %d, the work is %d', its, s.value)
from (select sum(work) as its from sites where profile = 'work' and measure = 'local'), summary s
where s.name = 'work' and its <> s.value and (select value from summary where name = 'sites') > 0;

-- span <= work, for the program, with burdens never less, and for every site. (A thread's work is its own lane's, its span on
-- the path of whoever joined it: there a site may have more span than work.)
select format('the span %d exceeds the work %d', s.value, w.value) from summary s, summary w where s.name = 'span' and w.name = 'work' and s.value > w.value;

select format('the burdened span %d is below the span %d', b.value, s.value)
from summary b, summary s where b.name = 'burdened_span' and s.name = 'span' and b.value < s.value;

select format('%s -> %s (%s:%s), %s on %s: span %d exceeds work %d', caller, callee, file, line, measure, profile, span, work)
from sites where span > work and (measure = 'local' or (select value from summary where name = 'threads') = 0);

-- What is on the span is part of what is on work (but who has not returned when another thread calls exit); topmost invocations are some of all.
select format('%s -> %s (%s:%s), %s: %d of %d invocations are on the span', a.caller, a.callee, a.file, a.line, a.measure, a.count, b.count)
from sites a join sites b using (file, line, column, caller, callee, kind, "foreign", inlined, measure)
where a.profile = 'span' and b.profile = 'work' and (a.count > b.count or (measure = 'local' and b.count > 0 and a.work > b.work));

select format('%s -> %s (%s:%s) on %s: %d topmost invocations of %d', a.caller, a.callee, a.file, a.line, a.profile, a.count, b.count)
from sites a join sites b using (file, line, column, caller, callee, kind, "foreign", inlined, profile)
where a.measure <> 'local' and b.measure = 'local' and a.count > b.count;

select format('%s -> %s (%s:%s): local figures have a parallelism', caller, callee, file, line) from sites where measure = 'local' and parallelism <> '';
