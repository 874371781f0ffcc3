// SPDX-License-Identifier: MIT
// rows.ts: which rows of a sheet are shown, and in which order: search, selection, order, and what is open in a tree.
import type { Column, Sheet } from './data'
import { recording } from './state'
import type { State } from './state'

const ROUTINES = new Set([
	'routine', 'function', 'caller', 'callee', 'context', 'routine_a', 'routine_b', 'holder', 'from_routine', 'to_routine', 'created_routine',
	'target', 'name', 'site', 'place',
])
const LANES = ['worker', 'thread']
const HALVES: [string, string][] = [['start_ns', 'end_ns'], ['time_ns', 'time_ns'], ['recorded_ns', 'recorded_ns']]

export function routineColumns(sheet: Sheet): Column[] {
	return sheet.columns.filter(column => column.isText && ROUTINES.has(column.name))
}

// The routine that a row is about: what a click on it selects. A call is about its callee.
export function routineOf(sheet: Sheet, row: number): string {
	const callee = sheet.find('callee')
	for (const column of [...(callee ? [callee] : []), ...routineColumns(sheet)]) {
		const text = column.text(row)
		if (text)
			return text
	}
	return ''
}

export function placeOf(sheet: Sheet, row: number): { file: string; line: number } | undefined {
	for (const prefix of ['', 'from_', 'to_', 'holder_', 'created_']) {
		const file = sheet.find(`${prefix}file`)?.text(row)
		const line = sheet.find(`${prefix}line`)?.number(row)
		if (file)
			return { file, line: line !== undefined && line > 0 ? line : 0 }
	}
	return undefined
}

export interface Sorting { column: Column; down: boolean }

export function sorting(sheet: Sheet, sort: string): Sorting[] {
	const to: Sorting[] = []
	for (const word of sort.split(',')) {
		const column = sheet.find(word.replace(/^-/, ''))
		if (column)
			to.push({ column, down: word.startsWith('-') })
	}
	return to
}

// Figures of several units are texts, most of which are numbers.
function compareTexts(a: string, b: string, isFigure: boolean): number {
	const difference = isFigure ? Number(a) - Number(b) : NaN
	return Number.isNaN(difference) ? (a < b ? -1 : a > b ? 1 : 0) : difference
}

// Rows without a value are last, whatever the order. Equal rows stay as they are.
function compare(sorts: Sorting[]): (a: number, b: number) => number {
	return (a, b) => {
		for (const { column, down } of sorts) {
			const none = Number(column.isEmpty(a)) - Number(column.isEmpty(b))
			if (none)
				return none
			const order = column.isText ? compareTexts(column.text(a), column.text(b), column.unit === 'figure') : column.number(a) - column.number(b)
			if (order)
				return down ? -order : order
		}
		return a - b
	}
}

// Columns that divide rows into parts: besides a row of each worker there is one of all of them.
const PARTS = ['worker', 'thread', 'entry']
const parts = new WeakMap<Sheet, Column[]>()
export function partsOf(sheet: Sheet): Column[] {
	let known = parts.get(sheet)
	if (!known) {
		known = sheet.isTree ? [] : sheet.columns.filter(column => {
			let wholes = 0
			for (let row = 0; PARTS.includes(column.name) && column.isText && row < sheet.rows; row++)
				wholes += Number(column.text(row) === 'all')
			return wholes > 0 && wholes < sheet.rows
		})
		parts.set(sheet, known)
	}
	return known
}

// The threads that were the selected worker, one behind the other. Where that is not known, they have the same numbers.
function threadsOf(state: State): Set<string> {
	const sheet = recording.value.lens(state.tab)?.view('threads')?.sheet, worker = sheet?.find('worker'), thread = sheet?.find('thread')
	const to = new Set<string>()
	for (let row = 0; sheet && worker && thread && row < sheet.rows; row++)
		if (worker.digits(row) === state.worker)
			to.add(thread.digits(row))
	return to.size ? to : new Set([state.worker])
}

// Many rows have few texts: each is looked at once.
function markFound(column: Column, keep: Uint8Array, find: (text: string) => boolean): void {
	const references = column.allReferences(), known = new Uint8Array(column.texts + 1) // 0: not looked at, 1: not found, 2: found
	known[0] = 1
	for (let row = 0; row < keep.length; row++) {
		const reference = references[row]!
		if (known[reference] === 0)
			known[reference] = find(column.text(row)) ? 2 : 1
		if (known[reference] === 2)
			keep[row] = 1
	}
}

// Rows that are found and selected; without those of parts, if only wholes are asked for.
function matching(sheet: Sheet, state: State, find: (text: string) => boolean, wholes: boolean): Uint8Array | undefined {
	const folded = wholes ? partsOf(sheet).filter(column => state.worker === '' || !LANES.includes(column.name)) : []
	const lane = state.worker === '' ? undefined : LANES.map(name => sheet.find(name)).find(Boolean)
	const numbers = lane?.name === 'thread' ? threadsOf(state) : new Set([state.worker])
	const [startName, endName] = HALVES.find(([start]) => sheet.find(start)) ?? ['', '']
	const start = state.to > 0 ? sheet.find(startName) : undefined
	const end = state.to > 0 ? sheet.find(endName) : undefined
	const only = state.only && state.routine !== '' ? routineColumns(sheet) : []
	if (state.find === '' && !lane && !start && !only.length && !folded.length)
		return undefined
	const keep = new Uint8Array(sheet.rows)
	if (state.find === '')
		keep.fill(1)
	else
		for (const column of sheet.columns)
			if (column.isText)
				markFound(column, keep, find)
	for (let row = 0; (lane || start || only.length || folded.length) && row < sheet.rows; row++)
		keep[row]! &= Number(
			(!lane || numbers.has(lane.digits(row)) || lane.digits(row) === 'all') &&
			(!start || !end || !(end.number(row) < state.from || start.number(row) > state.to)) &&
			folded.every(column => column.text(row) === 'all') &&
			(!only.length || only.some(column => column.text(row) === state.routine)))
	return keep
}

// ---- trees ----

// The parent of each row, -1 at the top.
export function parents(depths: Float64Array): Int32Array {
	const to = new Int32Array(depths.length).fill(-1)
	const last: number[] = []
	for (let row = 0; row < depths.length; row++) {
		const depth = depths[row]!
		to[row] = depth > 0 ? last[depth - 1] ?? -1 : -1
		last[depth] = row
		last.length = depth + 1
	}
	return to
}

export class Tree {
	readonly parent: Int32Array
	private readonly first: Int32Array
	private readonly next: Int32Array
	private readonly roots: number[] = []
	constructor(readonly depths: Float64Array) {
		const rows = depths.length
		this.parent = parents(depths)
		this.first = new Int32Array(rows).fill(-1)
		this.next = new Int32Array(rows).fill(-1)
		for (let row = rows - 1; row >= 0; row--) {
			const parent = this.parent[row]!
			if (parent < 0) {
				this.roots.push(row)
			} else {
				this.next[row] = this.first[parent]!
				this.first[parent] = row
			}
		}
		this.roots.reverse()
	}
	children(row: number): number[] {
		if (row < 0)
			return this.roots.slice()
		const to = []
		for (let child = this.first[row]!; child >= 0; child = this.next[child]!)
			to.push(child)
		return to
	}
	hasChildren(row: number): boolean {
		return this.first[row]! >= 0
	}
}

const trees = new WeakMap<Sheet, Tree>()
export function treeOf(sheet: Sheet): Tree | undefined {
	const depths = sheet.depths()
	if (!depths)
		return undefined
	let tree = trees.get(sheet)
	if (!tree)
		trees.set(sheet, tree = new Tree(depths))
	return tree
}

// Open rows of a tree. At first it is open along the largest children, as far as a screen goes.
export function firstOpen(tree: Tree, column: Column | undefined, most: number): Set<number> {
	const open = new Set<number>()
	let wave = tree.children(-1)
	for (let shown = wave.length; wave.length && shown < most;) {
		const parent = wave.reduce((best, row) => column && column.number(row) > column.number(best) ? row : best, wave[0]!)
		if (!tree.hasChildren(parent))
			break
		open.add(parent)
		wave = tree.children(parent)
		shown += wave.length
	}
	return open
}

function treeRows(tree: Tree, keep: Uint8Array | undefined, sorts: Sorting[], open: ReadonlySet<number> | undefined): number[] {
	const shown = keep && new Uint8Array(keep.length)
	if (keep && shown)
		for (let row = 0; row < keep.length; row++)
			if (keep[row])
				for (let at = row; at >= 0 && !shown[at]; at = tree.parent[at]!)
					shown[at] = 1
	const order = compare(sorts), to: number[] = [], stack: number[] = []
	const push = (parent: number): void => {
		const children = tree.children(parent).filter(row => !shown || shown[row])
		if (sorts.length)
			children.sort(order)
		for (let i = children.length - 1; i >= 0; i--)
			stack.push(children[i]!)
	}
	push(-1)
	while (stack.length) {
		const row = stack.pop()!
		to.push(row)
		if (!open || open.has(row) || (keep && !keep[row]))
			push(row)
	}
	return to
}

// Of a tree, the rows below those that are open; undefined: all of them
export function rowsOf(sheet: Sheet, state: State, find: (text: string) => boolean, open: ReadonlySet<number> | undefined, wholes = false): number[] {
	const sorts = sorting(sheet, state.sort), keep = matching(sheet, state, find, wholes), tree = treeOf(sheet)
	if (tree)
		return treeRows(tree, keep, sorts, open)
	const rows: number[] = []
	for (let row = 0; row < sheet.rows; row++)
		if (!keep || keep[row])
			rows.push(row)
	return sorts.length ? rows.sort(compare(sorts)) : rows
}
