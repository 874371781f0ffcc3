// SPDX-License-Identifier: MIT
// input.tsx: what the page shows of the lens input besides its tables.
import type { LensPages } from './index'
import { CostPage } from './input/cost'
import { Gallery, SmallCost } from './input/gallery'
import { inputTables } from './input/tables'
import { Sources, Workload } from './input/workload'

export const inputPages: LensPages = {
	pages: [
		{
			name: 'cost', title: 'cost', needs: ['routines', 'points'], show: CostPage,
			help: 'what an activation of a routine costs, by the size of its input, with the cost function that fits',
		},
		{ name: 'gallery', title: 'gallery', needs: ['routines', 'points'], show: Gallery, help: 'all routines that have a cost function; click one to see it large' },
	],
	tables: inputTables,
	pictures: { workload: Workload, sources: Sources },
	small: SmallCost,
}
