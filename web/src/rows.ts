// SPDX-License-Identifier: MIT
// rows.ts: which rows of a sheet are shown, and in which order: search, selection, order, and what is open in a tree.
import type { Column, Sheet } from './data'
import { recording } from './state'
import type { State } from './state'

const ROUTINES = new Set([
	'routine', 'function', 'caller', 'callee', 'context', 'routine_a', 'routine_b', 'holder', 'from_routine', 'to_routine', 'created_routine',
	'target', 'name', 'site', 'place',
])
const HALVES: [string, string][] = [['start_ns', 'end_ns'], ['time_ns', 'time_ns'], ['recorded_ns', 'recorded_ns']]

export function routineColumns(sheet: Sheet): Column[] {
	return sheet.columns.filter(column => column.isText && ROUTINES.has(column.name))
}

// The routine that a row is about: what a click on it selects.
export function routineOf(sheet: Sheet, row: number): string {
	for (const column of routineColumns(sheet)) {
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

// Rows without a value are last, whatever the order. Equal rows stay as they are.
function compare(sorts: Sorting[]): (a: number, b: number) => number {
	return (a, b) => {
		for (const { column, down } of sorts) {
			const none = Number(column.isEmpty(a)) - Number(column.isEmpty(b))
			if (none)
				return none
			const order = column.isText ? (column.text(a) < column.text(b) ? -1 : column.text(a) > column.text(b) ? 1 : 0) : column.number(a) - column.number(b)
			if (order)
				return down ? -order : order
		}
		return a - b
	}
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

// Rows that are found and selected.
function matching(sheet: Sheet, state: State, find: (text: string) => boolean): Uint8Array | undefined {
	const lane = state.worker === '' ? undefined : sheet.find('worker') ?? sheet.find('thread')
	const numbers = lane?.name === 'thread' ? threadsOf(state) : new Set([state.worker])
	const [startName, endName] = HALVES.find(([start]) => sheet.find(start)) ?? ['', '']
	const start = state.to > 0 ? sheet.find(startName) : undefined
	const end = state.to > 0 ? sheet.find(endName) : undefined
	const only = state.only && state.routine !== '' ? routineColumns(sheet) : []
	if (state.find === '' && !lane && !start && !only.length)
		return undefined
	const keep = new Uint8Array(sheet.rows)
	if (state.find === '')
		keep.fill(1)
	else
		for (const column of sheet.columns)
			if (column.isText)
				markFound(column, keep, find)
	for (let row = 0; (lane || start || only.length) && row < sheet.rows; row++)
		keep[row]! &= Number(
			(!lane || numbers.has(lane.digits(row)) || lane.digits(row) === 'all') &&
			(!start || !end || !(end.number(row) < state.from || start.number(row) > state.to)) &&
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

function treeRows(tree: Tree, keep: Uint8Array | undefined, sorts: Sorting[], open: Set<number>): number[] {
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
		if (open.has(row) || (keep && !keep[row]))
			push(row)
	}
	return to
}

export function rowsOf(sheet: Sheet, state: State, find: (text: string) => boolean, open: Set<number>): number[] {
	const sorts = sorting(sheet, state.sort), keep = matching(sheet, state, find), tree = treeOf(sheet)
	if (tree)
		return treeRows(tree, keep, sorts, open)
	const rows: number[] = []
	for (let row = 0; row < sheet.rows; row++)
		if (!keep || keep[row])
			rows.push(row)
	return sorts.length ? rows.sort(compare(sorts)) : rows
}
