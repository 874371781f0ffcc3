// SPDX-License-Identifier: MIT
// span.tsx: the pictures of the lens span: which site to mend first, how far the program scales, what a repair brings, the critical path.
import type { LensPages } from '.'
import { CriticalPath } from './span/path'
import { Scatter } from './span/scatter'
import { SmallSpeedup, Speedup } from './span/speedup'
import { WhatIf } from './span/what_if'

// The columns of the paper's Figure 2 stand under what they are on.
const GROUP = /^on_(work|span)_(top_call_site|top_caller|local)_/
const MEASURES: Record<string, string> = { top_call_site: '', top_caller: ', top caller', local: ', local' }

export const spanPages: LensPages = {
	pages: [],
	pictures: { sites: Scatter, speedup: Speedup, 'what-if': WhatIf, 'critical-path': CriticalPath },
	groups: {
		table: column => {
			const [, profile, measure] = GROUP.exec(column) ?? []
			return profile ? `on ${profile}${MEASURES[measure!]}` : ''
		},
	},
	small: SmallSpeedup,
}
