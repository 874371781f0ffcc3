// SPDX-License-Identifier: MIT
// span.tsx: the pictures of the lens span: which site to mend first, how far the program scales, what a repair brings, the critical path.
import type { LensPages } from '.'
import { option } from '../state'
import { CriticalPath } from './span/path'
import { Scatter } from './span/scatter'
import { siteOfRow } from './span/sites'
import { SmallSpeedup, Speedup } from './span/speedup'
import { WhatIf } from './span/what_if'

// The columns of the paper's Figure 2 stand under what they are on.
const GROUP = /^on_(work|span)_(top_call_site|top_caller|local)_/
const MEASURES: Record<string, string> = { top_call_site: '', top_caller: ', top caller', local: ', local' }

export const spanPages: LensPages = {
	pages: [],
	pictures: { sites: Scatter, speedup: Speedup, 'what-if': WhatIf, 'critical-path': CriticalPath },
	tables: {
		table: {
			groupOf: column => {
				const [, profile, measure] = GROUP.exec(column) ?? []
				return profile ? `on ${profile}${MEASURES[measure!]}` : ''
			},
		},
		sites: {
			facets: [{ column: 'profile', title: 'on', first: 'span' }, { column: 'measure', title: 'measure', first: 'local' }],
			titles: { kind: 'kind', share: 'share', count: 'calls', work: 'work', span: 'span', parallelism: 'parallelism' },
			more: sheet => [{
				name: 'with_callees', title: 'parallelism with callees', meaning: 'of the site on the span, measure top-call-site',
				text: row => {
					const value = siteOfRow(sheet, row)?.parallelism ?? NaN
					return option('measure') || Number.isNaN(value) ? '' : value.toFixed(2)
				},
			}],
		},
	},
	small: SmallSpeedup,
}
