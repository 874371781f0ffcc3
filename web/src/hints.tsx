// SPDX-License-Identifier: MIT
// hints.tsx: what a lens says of one of its tables. CSV has rows for each worker, or for each profile and measure, one below the other;
// a facet is a column by which the table shows some of them at a time. The choice stands in the address.
import type { JSX } from 'preact'
import type { Column, Sheet } from './data'
import { go, option, setOption, state } from './state'

export interface Facet { column: string; title: string; first: string } // what is shown at first; EACH: everything
export interface More { name: string; title: string; meaning: string; text(row: number): string }
export interface Hints {
	groupOf?(column: string): string      // what stands above some columns together
	facets?: Facet[]
	titles?: Record<string, string>       // of columns that have no heading in text
	columns?: string[]                    // these, in this order, in place of those that text has; `where` is the place in the source
	text?(sheet: Sheet, column: string, row: number): string | undefined // a cell in another form than that of its column
	more?(sheet: Sheet): More[]           // columns from other rows of the sheet
}

export const EACH = 'each'

export function chosen(facet: Facet): string {
	return option(facet.column) || (facet.column === 'worker' && state.value.worker) || facet.first
}

function choose(facet: Facet, value: string): void {
	if (facet.column === 'worker' && state.value.worker)
		go({ worker: '' })
	setOption(facet.column, value === facet.first ? '' : value)
}

export function kept(sheet: Sheet, hints: Hints | undefined, rows: number[]): number[] {
	const asked: [Column, string][] = (hints?.facets ?? []).flatMap(facet => {
		const column = sheet.find(facet.column), value = chosen(facet)
		return column && value !== EACH ? [[column, value]] : []
	})
	return asked.length ? rows.filter(row => asked.every(([column, value]) => column.digits(row) === value)) : rows
}

// Of a sheet of many rows, the first tell what there is.
const LOOKED_AT = 50000
const known = new WeakMap<Column, string[]>()
function valuesOf(sheet: Sheet, column: Column): string[] {
	let values = known.get(column)
	if (!values) {
		const all = new Set<string>()
		for (let row = 0; row < Math.min(sheet.rows, LOOKED_AT); row++)
			all.add(column.digits(row))
		known.set(column, values = [...all].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1)))
	}
	return values
}

export function Facets({ sheet, hints }: { sheet: Sheet; hints: Hints | undefined }): JSX.Element {
	return (
		<>
			{(hints?.facets ?? []).map(facet => {
				const column = sheet.find(facet.column), values = column ? valuesOf(sheet, column) : []
				return values.length > 1 && (
					<label key={facet.column}>{facet.title} <select value={chosen(facet)} onChange={event => choose(facet, event.currentTarget.value)}>
						{values.map(value => <option key={value} value={value}>{value}</option>)}
						<option value={EACH}>{EACH}</option>
					</select></label>)
			})}
		</>)
}
