// SPDX-License-Identifier: MIT
// tables.ts: which columns and rows the tables of the lens input show at first: all threads together, and trms.
import type { Facet, Hints } from '../../hints'

const thread: Facet = { column: 'thread', title: 'thread', first: 'all' }
const metric: Facet = { column: 'metric', title: 'metric', first: 'trms' }

export const pointColumns: Hints = {
	facets: [metric], titles: { metric: 'metric', cost_max: 'worst', fitted: 'fitted' },
	columns: ['size', 'calls', 'cost_min', 'cost_mean', 'cost_max', 'fitted', 'metric'],
}

export const inputTables: Record<string, Hints> = {
	routines: {
		facets: [thread], titles: { x10_pct: 'x10%', cost_pct: 'cost%', model: 'grows like', r2: 'R2', sizes_trms: 'sizes', max_trms: 'largest', external_pct: 'external%', thread_pct: 'thread%' },
		columns: ['routine', 'where', 'x10_pct', 'cost_pct', 'model', 'exponent', 'r2', 'calls', 'sizes_trms', 'max_trms', 'thread_pct', 'external_pct', 'why'],
	},
	points: { facets: [thread, metric], titles: { cost_max: 'worst', fitted: 'fitted', routine: 'routine' }, columns: ['routine', 'where', 'size', 'calls', 'cost_min', 'cost_mean', 'cost_max', 'fitted'] },
	workload: { facets: [thread, metric] },
}
