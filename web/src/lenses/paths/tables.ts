// SPDX-License-Identifier: MIT
// tables.ts: which columns the tables of the lens paths show besides those that text has under the same name.
import type { Hints } from '../../hints'

const PATH = ['flow_pct', 'cumulative_pct', 'count', 'instructions', 'path', 'kind']
export const pathColumns: Hints = { columns: [...PATH, 'lines'], titles: { path: 'path', kind: 'kind', count: 'count', instructions: 'insns', lines: 'lines' } }

export const pathsTables: Record<string, Hints> = {
	paths: { ...pathColumns, columns: [...PATH, 'function', 'where', 'lines'] },
	functions: { titles: { paths_executed: 'executed', paths_asked: 'of', coverage_pct: 'covered%', outcomes_never: 'never', calls: 'calls' } },
	branches: { titles: { target_lines: 'goes to' } },
	never: { titles: { kind: 'never', lines: 'would go' } },
	blocks: { columns: ['flow_pct', 'count', 'instructions', 'block', 'function', 'where', 'lines'], titles: { block: 'block', lines: 'lines', count: 'count', instructions: 'insns' } },
	edges: { columns: ['count', 'taken_pct', 'from', 'to', 'kind', 'function', 'where'], titles: { from: 'from', to: 'to', kind: 'kind' } },
	copies: { titles: { copy: 'copy' } },
}
