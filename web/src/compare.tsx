// SPDX-License-Identifier: MIT
// compare.tsx: two recordings: what got worse and what got better, apart.
import type { JSX } from 'preact'
import type { Data } from './data'
import { Table } from './table'

export function Compare({ difference }: { difference: NonNullable<Data['difference']> }): JSX.Element {
	return (
		<>
			<div class="verdict"><h2>What differs between the two recordings?</h2><ul>{difference.verdict.map((line, i) => <li key={i}>{line}</li>)}</ul></div>
			<Table view={{ name: 'difference', sheet: difference.sheet, of: difference.sheet.rows }} label="all differences" />
			{difference.caveats.length > 0 && (
				<details class="caveats"><summary>What may be wrong with these figures</summary><ul>{difference.caveats.map((line, i) => <li key={i}>{line}</li>)}</ul></details>)}
		</>)
}
