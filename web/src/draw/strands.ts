// SPDX-License-Identifier: MIT
// strands.ts: what workers did over time, in typed arrays: slices (exact sums of work, time without a core and waits in equal pieces of
// the run), intervals one by one where the recording has its events, and the critical path.
import type { Column, Lens, Sheet } from '../data'

export interface Lane { number: number; name: string; threads: number[] }

export interface Strands {
	wall: number
	lanes: Lane[]
	slices: number           // per lane
	slice: { work: Float64Array; load: Float64Array; wait: Float64Array }[] // by lane
	busy: Float64Array       // workers at work in each slice, on average
	ready: Float64Array      // the same, and those that could work but had no core
	sheet: Sheet | undefined // of intervals
	rows: Int32Array[]       // by lane: rows of that sheet, by their start
	start: Float64Array; end: Float64Array
	state: Uint8Array        // by row
	lane: Int32Array         // by row; -1: of a thread without a worker
	untilLane: Int32Array; until: Float64Array // by row: -1: nothing in the run ended it
	path: { lane: number; from: number; to: number; row: number }[]
	pathSheet: Sheet | undefined
}

export const WORKS = 0, NO_CORE = 1, WAITS = 2
const known = new WeakMap<Lens, Strands>()

export function strandsOf(lens: Lens): Strands | undefined {
	const timeline = lens.view('timeline')?.sheet
	if (!timeline?.rows)
		return undefined
	let strands = known.get(lens)
	if (!strands)
		known.set(lens, strands = make(lens, timeline))
	return strands
}

function lanesOf(lens: Lens, numbers: Set<number>): Lane[] {
	const threads = lens.view('threads')?.sheet, of = new Map<number, { thread: number; name: string }[]>()
	for (let row = 0; threads && row < threads.rows; row++) {
		const worker = threads.column('worker').number(row)
		const list = of.get(worker) ?? []
		list.push({ thread: threads.column('thread').number(row), name: threads.column('name').text(row) })
		of.set(worker, list)
	}
	return [...numbers].sort((a, b) => a - b).map(number => {
		const list = of.get(number) ?? [], first = list[0]
		const name = first && list.length === 1 ? `${first.name || 'thread'} ${first.thread}` : `worker ${number}${list.length > 1 ? ` (${list.length} threads)` : ''}`
		return { number, name, threads: list.map(each => each.thread) }
	})
}

function make(lens: Lens, timeline: Sheet): Strands {
	const workers = timeline.column('worker'), starts = timeline.column('start_ns'), ends = timeline.column('end_ns')
	const work = timeline.column('work_ns'), load = timeline.column('load_ns'), wait = timeline.column('wait_ns')
	const numbers = new Set<number>()
	let wall = lens.run?.wall_ns ?? 0, width = 0
	for (let row = 0; row < timeline.rows; row++) {
		numbers.add(workers.number(row))
		wall = Math.max(wall, ends.number(row))
		width = Math.max(width, ends.number(row) - starts.number(row))
	}
	const lanes = lanesOf(lens, numbers), slices = Math.max(1, Math.round(wall / Math.max(1, width)))
	const laneOf = new Map(lanes.map((lane, i) => [lane.number, i]))
	const slice = lanes.map(() => ({ work: new Float64Array(slices), load: new Float64Array(slices), wait: new Float64Array(slices) }))
	const busy = new Float64Array(slices), ready = new Float64Array(slices)
	for (let row = 0; row < timeline.rows; row++) {
		const at = Math.min(slices - 1, Math.round(starts.number(row) * slices / wall)), to = slice[laneOf.get(workers.number(row))!]!
		to.work[at]! += work.number(row)
		to.load[at]! += load.number(row)
		to.wait[at]! += wait.number(row)
		busy[at]! += work.number(row) * slices / wall
		ready[at]! += (work.number(row) + load.number(row)) * slices / wall
	}
	return { wall, lanes, slices, slice, busy, ready, ...intervals(lens, laneOf, lanes.length), ...path(lens, lanes, wall) }
}

function intervals(lens: Lens, laneOf: Map<number, number>, lanes: number): Pick<Strands, 'sheet' | 'rows' | 'start' | 'end' | 'state' | 'lane' | 'untilLane' | 'until'> {
	const sheet = lens.view('intervals')?.sheet, count = sheet?.rows ?? 0
	const state = new Uint8Array(count), own = new Int32Array(count), untilLane = new Int32Array(count).fill(-1), of: number[][] = Array.from({ length: lanes }, () => [])
	if (!sheet || !count)
		return { sheet: undefined, rows: of.map(() => new Int32Array(0)), start: new Float64Array(0), end: new Float64Array(0), state, lane: own, untilLane, until: new Float64Array(0) }
	const worker = sheet.column('worker').all(), by = sheet.column('until_worker').all(), until = sheet.column('until_ns').all()
	const start = sheet.column('start_ns').all(), end = sheet.column('end_ns').all(), names = sheet.column('state'), codes = new Map<number, number>()
	for (let row = 0; row < count; row++) {
		const reference = names.reference(row)
		let code = codes.get(reference)
		if (code === undefined) {
			const text = names.text(row)
			codes.set(reference, code = text === 'work' ? WORKS : text === 'wait' ? WAITS : NO_CORE)
		}
		state[row] = code
		const lane = own[row] = laneOf.get(worker[row]!) ?? -1
		of[lane]?.push(row)
		if (!Number.isNaN(until[row]!))
			untilLane[row] = laneOf.get(by[row]!) ?? -1
	}
	return { sheet, rows: of.map(rows => Int32Array.from(rows).sort((a, b) => start[a]! - start[b]!)), start, end, state, lane: own, untilLane, until }
}

// A stretch of the path goes on until the next one begins.
function path(lens: Lens, lanes: Lane[], wall: number): Pick<Strands, 'path' | 'pathSheet'> {
	const sheet = lens.view('critical-path')?.sheet, to: Strands['path'] = []
	const laneOf = new Map<number, number>()
	lanes.forEach((lane, i) => { for (const thread of lane.threads) laneOf.set(thread, i) })
	if (!sheet?.find('recorded_ns'))
		return { path: to, pathSheet: sheet }
	const at: Column = sheet.column('recorded_ns'), thread = sheet.column('thread')
	for (let row = 0; row < sheet.rows; row++) {
		const from = at.number(row), next = row + 1 < sheet.rows ? at.number(row + 1) : wall
		if (from >= 0)
			to.push({ lane: laneOf.get(thread.number(row)) ?? -1, from, to: Math.max(from, next), row })
	}
	return { path: to, pathSheet: sheet }
}

// The first of the lane's intervals that ends behind the time.
export function firstBehind(strands: Strands, lane: number, time: number): number {
	const rows = strands.rows[lane]!
	let low = 0, high = rows.length
	while (low < high) {
		const middle = low + high >> 1
		if (strands.end[rows[middle]!]! > time)
			high = middle
		else
			low = middle + 1
	}
	return low
}

// Sums over all lanes, or one, of a part of the run.
export function sumsOf(strands: Strands, from: number, to: number, only: number): { work: number; load: number; wait: number } {
	const width = strands.wall / strands.slices, sums = { work: 0, load: 0, wait: 0 }
	strands.slice.forEach((slice, lane) => {
		for (let i = Math.max(0, Math.floor(from / width)); (only < 0 || lane === only) && i < strands.slices && i * width < to; i++) {
			const share = (Math.min(to, (i + 1) * width) - Math.max(from, i * width)) / width
			for (const what of ['work', 'load', 'wait'] as const)
				sums[what] += slice[what][i]! * share
		}
	})
	return sums
}
