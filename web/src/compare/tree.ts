// SPDX-License-Identifier: MIT
// tree.ts: the call paths of two recordings of the lens idle as one tree. As in `skein diff`, a context is known by the routines on its
// path: loops and lines have their children given to the routine that they are in. All texts of a page are in one list, so equal names
// have equal numbers in both recordings.
import type { Column, Recording, Sheet } from '../data'

export const METRICS = ['effort', 'work', 'idle', 'overhead'] as const
export type Metric = typeof METRICS[number]

export interface Pair { old: Float64Array; new: Float64Array }
export interface Tree {
	count: number
	depth: Int32Array
	parent: Int32Array // -1: none
	end: Int32Array    // the row behind all that is below
	name(row: number): string
	routine(row: number): string
	place(row: number): { file: string; line: number }
	values: Record<Metric, Pair>
}

interface Made { parent: number; sheet: Sheet; row: number; first: number; last: number; next: number }

// Nodes as they are met, with their children as lists.
class Maker {
	readonly nodes: Made[] = []
	readonly figures: Record<'work' | 'idle' | 'overhead', [number[], number[]]> = { work: [[], []], idle: [[], []], overhead: [[], []] }
	private readonly known = new Map<string, number>()
	roots: number[] = []
	private node(parent: number, sheet: Sheet, row: number, name: Column): number {
		const key = `${parent} ${name.reference(row)}`
		let at = this.known.get(key)
		if (at === undefined) {
			this.known.set(key, at = this.nodes.length)
			this.nodes.push({ parent, sheet, row, first: -1, last: -1, next: -1 })
			const above = this.nodes[parent]
			if (!above)
				this.roots.push(at)
			else if (above.first < 0)
				above.first = above.last = at
			else {
				this.nodes[above.last]!.next = at
				above.last = at
			}
			for (const [old, now] of Object.values(this.figures)) {
				old.push(0)
				now.push(0)
			}
		}
		return at
	}
	add(sheet: Sheet, side: 0 | 1): void {
		const depths = sheet.depths()!, kinds = sheet.column('kind'), name = sheet.column('context'), threads = sheet.column('thread')
		const columns = (['work', 'idle', 'overhead'] as const).map(metric => [metric, sheet.column(`${metric}_ns`)] as const)
		const above: number[] = [] // by depth: the node that a row there belongs to
		for (let row = 0; row < sheet.rows; row++) {
			const depth = depths[row]!, parent = depth > 0 ? above[depth - 1] ?? -1 : -1
			if (threads.digits(row) !== 'all')
				continue
			above[depth] = parent
			if (!/^(routine|inlined)$/.test(kinds.text(row)))
				continue
			const at = above[depth] = this.node(parent, sheet, row, name)
			for (const [metric, column] of columns)
				this.figures[metric][side][at]! += column.number(row) || 0
		}
	}
}

export function treeOfBoth(old: Recording, now: Recording): Tree | undefined {
	const sheets = [old, now].map(recording => recording.lens('idle')?.view('top-down')?.sheet)
	if (!sheets[0]?.depths() || !sheets[1]?.depths())
		return undefined
	const maker = new Maker()
	maker.add(sheets[0], 0)
	maker.add(sheets[1], 1)
	return ordered(maker)
}

// In the order of a walk.
function ordered(maker: Maker): Tree {
	const { nodes } = maker, count = nodes.length, walk = new Int32Array(count), place = new Int32Array(count)
	const depth = new Int32Array(count), parent = new Int32Array(count), end = new Int32Array(count), open: number[] = []
	const pair = (): Pair => ({ old: new Float64Array(count), new: new Float64Array(count) })
	const values: Record<Metric, Pair> = { effort: pair(), work: pair(), idle: pair(), overhead: pair() }
	const stack = maker.roots.slice().reverse()
	let at = 0
	while (stack.length) {
		const node = stack.pop()!, made = nodes[node]!
		walk[at] = node
		place[node] = at
		parent[at] = made.parent < 0 ? -1 : place[made.parent]!
		depth[at] = made.parent < 0 ? 0 : depth[parent[at]!]! + 1
		while (open.length > depth[at]!)
			end[open.pop()!] = at
		open.push(at)
		for (const metric of ['work', 'idle', 'overhead'] as const) {
			values[metric].old[at] = maker.figures[metric][0][node]!
			values[metric].new[at] = maker.figures[metric][1][node]!
			values.effort.old[at]! += values[metric].old[at]!
			values.effort.new[at]! += values[metric].new[at]!
		}
		const children: number[] = []
		for (let child = made.first; child >= 0; child = nodes[child]!.next)
			children.push(child)
		stack.push(...children.reverse())
		at++
	}
	for (const row of open)
		end[row] = count
	const of = (row: number): Made => nodes[walk[row]!]!
	return {
		count, depth, parent, end, values,
		name: row => of(row).sheet.column('context').text(of(row).row),
		routine: row => of(row).sheet.column('routine').text(of(row).row),
		place: row => {
			const { sheet, row: at } = of(row), line = sheet.column('line').number(at)
			return { file: sheet.column('file').text(at), line: line > 0 ? line : 0 }
		},
	}
}

// What widths go by: the new recording, the old one, or whichever is larger, so that what is gone is seen, too.
export const WIDTHS = ['new', 'old', 'larger'] as const
export type Width = typeof WIDTHS[number]

export interface Layout { tree: Tree; pair: Pair; wide: Float64Array; at: Float64Array; total: number; most: number }

export function layoutOf(tree: Tree, metric: Metric, width: Width): Layout {
	const pair = tree.values[metric], { count, parent, end } = tree
	const wide = new Float64Array(count), at = new Float64Array(count)
	for (let row = 0; row < count; row++)
		wide[row] = width === 'larger' ? Math.max(pair.old[row]!, pair.new[row]!) : pair[width][row]!
	// The larger ones of children may be wider than their parent: then it is as wide as they are.
	if (width === 'larger') {
		const sums = new Float64Array(count)
		for (let row = count - 1; row >= 0; row--) {
			wide[row] = Math.max(wide[row]!, sums[row]!)
			if (parent[row]! >= 0)
				sums[parent[row]!]! += wide[row]!
		}
	}
	let total = 0, most = 0
	const next = new Float64Array(count)
	for (let row = 0; row < count; row++) {
		const above = parent[row]!
		at[row] = above < 0 ? total : next[above]!
		next[row] = at[row]!
		if (above < 0)
			total += wide[row]!
		else
			next[above]! += wide[row]!
		if (end[row]! === row + 1 || wide[row])
			most = Math.max(most, Math.abs(pair.new[row]! - pair.old[row]!))
	}
	return { tree, pair, wide, at, total, most }
}
