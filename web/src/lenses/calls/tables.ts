// SPDX-License-Identifier: MIT
// tables.ts: what the tables of the lens calls show at first: all workers together, calls in either state.
import { EACH } from '../../hints'
import type { Hints } from '../../hints'

export const callsTables: Record<string, Hints> = {
	routines: {
		facets: [{ column: 'worker', title: 'worker', first: 'all' }, { column: 'entry', title: 'entered', first: 'all' }],
		titles: { direct_pct: 'direct%', union_pct: 'wall%' },
	},
	callees: { facets: [{ column: 'worker', title: 'worker', first: 'all' }] },
	arcs: { facets: [{ column: 'case', title: 'case', first: EACH }] },
}
