// SPDX-License-Identifier: MIT
// paths.tsx: what the page shows of the lens paths besides its tables.
import type { LensPages } from './index'
import { Copies, HotPaths, SmallPaths } from './paths/bars'
import { GraphPage } from './paths/graph'
import { pathsTables } from './paths/tables'

export const pathsPages: LensPages = {
	pages: [{
		name: 'graph', title: 'graph', needs: ['functions', 'blocks', 'edges', 'paths'], show: GraphPage,
		help: 'the control-flow graph of a function with counts, one of its paths in it, and where that path goes in the source',
	}],
	tables: pathsTables,
	pictures: { paths: HotPaths, copies: Copies },
	small: SmallPaths,
}
