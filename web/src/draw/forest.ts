// SPDX-License-Identifier: MIT
// forest.ts: a tree of call paths in typed arrays, for pictures of a million of them: rows in the order of a walk, and for each the row
// behind all that is below it, so that what is too small to be seen is passed over in one step.
import type { Sheet } from '../data'

export const METRICS = ['effort', 'work', 'idle', 'overhead', 'samples'] as const
export type Metric = typeof METRICS[number]

export interface Forest {
	count: number
	depth: Int32Array
	parent: Int32Array  // -1: none
	end: Int32Array     // the row behind what is below
	work: Float64Array; idle: Float64Array; overhead: Float64Array; samples: Float64Array
	key: Uint32Array    // equal names have equal ones
	routine: Uint32Array // of the routine that the row is, as a text of the sheet; 0: it is none
	around: Uint32Array // the same of the routine that the row is or is in
	row: Int32Array | undefined // in the sheet; undefined: the same
	name(row: number): string
}

const forests = new WeakMap<Sheet, Forest>()

export function forestOf(sheet: Sheet): Forest {
	const known = forests.get(sheet)
	if (known)
		return known
	const count = sheet.rows, depths = sheet.depths() ?? new Float64Array(count)
	const depth = new Int32Array(count), parent = new Int32Array(count), end = new Int32Array(count), last: number[] = []
	for (let row = 0; row < count; row++) {
		const d = depth[row] = depths[row]!
		while (last.length > d)
			end[last.pop()!] = row
		parent[row] = d > 0 ? last[d - 1] ?? -1 : -1
		last[d] = row
	}
	for (const row of last)
		end[row] = count
	const context = sheet.column('context'), routines = sheet.column('routine'), kinds = sheet.column('kind')
	const around = routines.allReferences(), routine = new Uint32Array(count), ofKind = kinds.allReferences()
	const calls = new Map<number, boolean>()
	for (let row = 0; row < count; row++) {
		const kind = ofKind[row]!
		let is = calls.get(kind)
		if (is === undefined)
			calls.set(kind, is = /^(routine|inlined)$/.test(kinds.text(row)))
		routine[row] = is ? around[row]! : 0
	}
	const forest: Forest = {
		count, depth, parent, end, key: context.allReferences(), routine, around, row: undefined,
		work: sheet.column('work_ns').all(), idle: sheet.column('idle_ns').all(), overhead: sheet.column('overhead_ns').all(),
		samples: sheet.column('samples').all(), name: row => context.text(row),
	}
	forests.set(sheet, forest)
	return forest
}

// Where each row begins, in units of the metric, and how wide it is.
export interface Layout { forest: Forest; metric: Metric; at: Float64Array; wide: Float64Array; total: number }

const layouts = new WeakMap<Forest, Map<Metric, Layout>>()

export function widths(forest: Forest, metric: Metric): Float64Array {
	if (metric !== 'effort')
		return forest[metric]
	const to = new Float64Array(forest.count), { work, idle, overhead } = forest
	for (let row = 0; row < forest.count; row++)
		to[row] = work[row]! + idle[row]! + overhead[row]!
	return to
}

export function layoutOf(forest: Forest, metric: Metric): Layout {
	let known = layouts.get(forest)
	if (!known)
		layouts.set(forest, known = new Map())
	let layout = known.get(metric)
	if (layout)
		return layout
	const wide = widths(forest, metric), at = new Float64Array(forest.count), free: number[] = [0]
	for (let row = 0; row < forest.count; row++) {
		const depth = forest.depth[row]!, x = free[depth] ?? 0
		at[row] = x
		free[depth] = x + (wide[row]! || 0)
		free[depth + 1] = x
	}
	known.set(metric, layout = { forest, metric, at, wide, total: free[0]! })
	return layout
}

// ---- trees that are made from others ----

interface Sprout { key: number; row: number; depth: number; parent: number; end: number; work: number; idle: number; overhead: number; samples: number }

function grown(from: Forest, sprouts: Sprout[]): Forest {
	const count = sprouts.length, rows = Int32Array.from(sprouts, each => each.row)
	const numbers = (what: 'work' | 'idle' | 'overhead' | 'samples'): Float64Array => Float64Array.from(sprouts, each => each[what])
	return {
		count, depth: Int32Array.from(sprouts, each => each.depth), parent: Int32Array.from(sprouts, each => each.parent),
		end: Int32Array.from(sprouts, each => each.end), key: Uint32Array.from(sprouts, each => each.key),
		routine: Uint32Array.from(rows, row => from.routine[row]!), around: Uint32Array.from(rows, row => from.around[row]!), row: rows,
		work: numbers('work'), idle: numbers('idle'), overhead: numbers('overhead'), samples: numbers('samples'),
		name: row => from.name(rows[row]!),
	}
}

// What rows have together, below them (their callees) or above them (their callers, each with the figures of the rows that it leads to).
// Parts below the least share are left out: they cannot be seen.
const LEAST = 0.0003, DEEPEST = 400
function merged(from: Forest, metric: Metric, roots: Int32Array, down: boolean): Forest {
	const sprouts: Sprout[] = [], wide = widths(from, metric)
	let all = 0
	const add = (rows: ArrayLike<number>, figures: ArrayLike<number>, depth: number, parent: number): void => {
		const sprout: Sprout = { key: from.key[rows[0]!]!, row: rows[0]!, depth, parent, end: 0, work: 0, idle: 0, overhead: 0, samples: 0 }
		const groups = new Map<number, { rows: number[]; figures: number[]; sum: number }>()
		const next = (row: number, figure: number): void => {
			let group = groups.get(from.key[row]!)
			if (!group)
				groups.set(from.key[row]!, group = { rows: [], figures: [], sum: 0 })
			group.rows.push(row)
			group.figures.push(figure)
			group.sum += wide[figure]!
		}
		for (let i = 0; i < rows.length; i++) {
			const row = rows[i]!, figure = figures[i]!
			sprout.work += from.work[figure]!
			sprout.idle += from.idle[figure]!
			sprout.overhead += from.overhead[figure]!
			sprout.samples += from.samples[figure]!
			if (!down && from.parent[row]! >= 0)
				next(from.parent[row]!, figure)
			for (let child = row + 1; down && child < from.end[row]!; child = from.end[child]!)
				next(child, child)
		}
		const me = sprouts.push(sprout) - 1
		for (const group of [...groups.values()].sort((a, b) => b.sum - a.sum))
			if (depth < DEEPEST && group.sum > all * LEAST)
				add(group.rows, group.figures, depth + 1, me)
		sprout.end = sprouts.length
	}
	for (const row of roots)
		all += wide[row]!
	if (roots.length)
		add(roots, roots, 0, -1)
	return grown(from, sprouts)
}

export interface Sandwich { callers: Forest; callees: Forest }

// The outermost calls of a routine, with all that they called, and all who called them.
export function sandwichOf(from: Forest, metric: Metric, reference: number): Sandwich {
	const rows: number[] = []
	for (let row = 0; row < from.count;) {
		const is = from.routine[row] === reference
		if (is)
			rows.push(row)
		row = is ? from.end[row]! : row + 1
	}
	const outer = Int32Array.from(rows)
	return {
		callees: merged(from, metric, outer, true),
		callers: merged(from, metric, outer, false),
	}
}

// ---- questions ----

export function largestChild(layout: Layout, row: number): number {
	const { forest, wide } = layout, to = row < 0 ? forest.count : forest.end[row]!
	let best = -1
	for (let child = row + 1; child < to; child = forest.end[child]!)
		if (best < 0 || wide[child]! > wide[best]!)
			best = child
	return best
}

// Down as long as one child has at least half of what its parent has.
export function hotPath(layout: Layout, from: number): number[] {
	const to: number[] = []
	for (let row = from < 0 ? largestChild(layout, -1) : from; row >= 0;) {
		to.push(row)
		const child = largestChild(layout, row)
		row = child >= 0 && layout.wide[child]! > 0 && layout.wide[child]! >= layout.wide[row]! / 2 ? child : -1
	}
	return to
}

// Which rows are found, and what they have in all; what is below one that is found is not counted again.
export function found(layout: Layout, matches: (text: string) => boolean): { is: Uint8Array; sum: number } {
	const { forest, wide } = layout, is = new Uint8Array(forest.count)
	const known = new Uint8Array(forest.key.reduce((most, key) => Math.max(most, key), 0) + 1) // 0: not looked at, 1: not found, 2: found
	let sum = 0, counted = 0
	for (let row = 0; row < forest.count; row++) {
		const key = forest.key[row]!
		known[key] ||= matches(forest.name(row)) ? 2 : 1
		if (known[key] === 1)
			continue
		is[row] = 1
		if (row >= counted) {
			sum += wide[row]!
			counted = forest.end[row]!
		}
	}
	return { is, sum }
}
