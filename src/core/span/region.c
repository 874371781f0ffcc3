/* SPDX-License-Identifier: MIT */
#include "core/span/region.h"

void span_region_begin(struct span_open_region **innermost, struct span_open_region *region, struct span_region *row, const void *owner,
                       struct span_place here)
{
	*region = (struct span_open_region){*innermost, row, owner, here};
	*innermost = region;
	row->begun += row->open++ == 0;
}

void span_region_end(struct span_open_region **innermost, struct span_place here)
{
	struct span_open_region *region = *innermost;
	struct span_region *row = region->row;
	*innermost = region->outer;
	if (--row->open)
		return;
	row->work += here.work - region->from.work;
	row->span += here.span - region->from.span;
	row->burdened_span += here.burdened_span - region->from.burdened_span;
	row->count++;
}
