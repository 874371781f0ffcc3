-- SPDX-License-Identifier: MIT
-- span_table.sql: the view table of a recording of the span lens has the figures of the view sites. Each row that comes out is a
-- complaint. sites and wide are the CSV reports of the two views. Sites of one place are taken together.
select format('%s -> %s (%s:%s), %s on %s: table minus sites is %d calls, %d of work, %d of span', caller, callee, file, line, measure, profile,
	sum(count), sum(work), sum(span))
from (select file, line, column, caller, callee, kind, 'work' as profile, 'top-call-site' as measure,
		on_work_top_call_site_count as count, on_work_top_call_site_work as work, on_work_top_call_site_span as span from wide
	union all select file, line, column, caller, callee, kind, 'work' as profile, 'top-caller' as measure,
		on_work_top_caller_count as count, on_work_top_caller_work as work, on_work_top_caller_span as span from wide
	union all select file, line, column, caller, callee, kind, 'work' as profile, 'local' as measure,
		on_work_local_count as count, on_work_local_work as work, on_work_local_span as span from wide
	union all select file, line, column, caller, callee, kind, 'span' as profile, 'top-call-site' as measure,
		on_span_top_call_site_count as count, on_span_top_call_site_work as work, on_span_top_call_site_span as span from wide
	union all select file, line, column, caller, callee, kind, 'span' as profile, 'top-caller' as measure,
		on_span_top_caller_count as count, on_span_top_caller_work as work, on_span_top_caller_span as span from wide
	union all select file, line, column, caller, callee, kind, 'span' as profile, 'local' as measure,
		on_span_local_count as count, on_span_local_work as work, on_span_local_span as span from wide
	union all select file, line, column, caller, callee, kind, profile, measure, -count, -work, -span from sites)
group by file, line, column, caller, callee, kind, profile, measure having sum(count) <> 0 or sum(work) <> 0 or sum(span) <> 0;

select format('sites has %d rows, the table %d: there should be six for one', s.rows, t.rows)
from (select count(*) as rows from sites) s, (select count(*) as rows from wide) t where s.rows <> 6 * t.rows;
