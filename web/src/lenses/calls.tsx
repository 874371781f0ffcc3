// SPDX-License-Identifier: MIT
// calls.tsx: the pictures of the lens calls: callers and callees, workers, how many worked at a time, the four cases of a call.
import type { LensPages } from '.'
import { Cases } from './calls/cases'
import { Concurrency, SmallConcurrency } from './calls/concurrency'
import { Sandwich } from './calls/sandwich'
import { callsTables } from './calls/tables'
import { WorkersMap } from './calls/workers'

export const callsPages: LensPages = {
	pages: [
		{
			name: 'sandwich', title: 'sandwich', needs: ['routines', 'family', 'arcs'], show: Sandwich,
			help: 'a routine with its callers above and its callees below; all routines under them. Click a name to walk on.',
		},
		{
			name: 'workers-map', title: 'workers map', needs: ['routines', 'workers'], show: WorkersMap,
			help: 'which worker did what: routines in rows, workers in columns',
		},
	],
	tables: callsTables,
	pictures: { concurrency: Concurrency, arcs: Cases },
	small: SmallConcurrency,
}
