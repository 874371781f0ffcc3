// SPDX-License-Identifier: MIT
// icicle.tsx: call paths as boxes, callers above callees, as wide as what they have of a metric. Each box is divided into work (plain),
// idleness (slanted lines) and overhead (dots). Only what is at least 0.4 pixels wide is drawn.
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { amount, ns, percent } from '../format'
import { details, finder, state } from '../state'
import { Board } from './board'
import { found, hotPath, largestChild, layoutOf } from './forest'
import type { Forest, Layout, Metric } from './forest'
import { box, colour, fitted } from './paint'

const ROW = 20, LEAST = 0.4, MOST_BOXES = 60000

export function share(part: number, whole: number): string {
	return whole > 0 ? percent(100 * part / whole) : '0 %'
}

export function figures(forest: Forest, row: number): string {
	const work = forest.work[row]!, idle = forest.idle[row]!, overhead = forest.overhead[row]!, effort = work + idle + overhead
	return `work ${ns(work)} (${share(work, effort)})   idle ${ns(idle)} (${share(idle, effort)})   overhead ${ns(overhead)} (${share(overhead, effort)})   ${amount(forest.samples[row]!)} samples`
}

// Boxes that are to be drawn, collected first: all of one colour are drawn one behind the other.
const list = { count: 0, row: new Int32Array(MOST_BOXES), x: new Float32Array(MOST_BOXES), y: new Float32Array(MOST_BOXES), wide: new Float32Array(MOST_BOXES) }

export interface Window {
	layout: Layout
	zoom: number   // the row that is as wide as the picture; -1: all
	top: number    // the depth of the uppermost row of boxes
	up: boolean    // callers above: depth grows upwards from the lower end
}

function range(view: Window): [number, number] {
	const { layout, zoom } = view
	return zoom >= 0 ? [layout.at[zoom]!, layout.at[zoom]! + layout.wide[zoom]!] : [0, layout.total]
}

function collect(view: Window, width: number, height: number): void {
	const { forest, at, wide } = view.layout, [from, to] = range(view), scale = to > from ? width / (to - from) : 0
	const rows = Math.ceil(height / ROW), yOf = (depth: number): number => view.up ? height - (depth - view.top + 1) * ROW : (depth - view.top) * ROW
	list.count = 0
	const add = (row: number, x: number, pixels: number): void => {
		list.row[list.count] = row
		list.x[list.count] = x
		list.y[list.count] = yOf(forest.depth[row]!)
		list.wide[list.count++] = pixels
	}
	for (let row = view.zoom >= 0 ? forest.parent[view.zoom]! : -1; row >= 0; row = forest.parent[row]!)
		if (forest.depth[row]! >= view.top)
			add(row, 0, width)
	const end = view.zoom >= 0 ? forest.end[view.zoom]! : forest.count
	for (let row = Math.max(0, view.zoom); row < end && list.count < MOST_BOXES;) {
		const pixels = wide[row]! * scale, depth = forest.depth[row]! - view.top
		if (!(pixels >= LEAST) || depth >= rows) {
			row = forest.end[row]!
			continue
		}
		if (depth >= 0)
			add(row, (at[row]! - from) * scale, pixels)
		row++
	}
}

// How deep the boxes are that a picture of usual width would have.
function deepest(view: Window): number {
	const { forest, wide } = view.layout, [from, to] = range(view), least = (to - from) * LEAST / 1200
	let most = view.zoom >= 0 ? forest.depth[view.zoom]! : 0
	const end = view.zoom >= 0 ? forest.end[view.zoom]! : forest.count
	for (let row = Math.max(0, view.zoom); row < end;) {
		if (!(wide[row]! >= least) || wide[row] === 0) {
			row = forest.end[row]!
			continue
		}
		most = Math.max(most, forest.depth[row]!)
		row++
	}
	return most
}

interface Marked { found: Uint8Array | undefined; isSelected(row: number): boolean; hot: Set<number>; cursor: number }

function drawBoxes(on: CanvasRenderingContext2D, view: Window, width: number, height: number, marked: Marked): void {
	const { forest } = view.layout, H = ROW - 1
	collect(view, width, height)
	for (const kind of ['work', 'idle', 'overhead'] as const)
		for (let i = 0; i < list.count; i++) {
			const row = list.row[i]!, work = forest.work[row]!, idle = forest.idle[row]!, overhead = forest.overhead[row]!, effort = work + idle + overhead
			const wide = list.wide[i]! - (list.wide[i]! > 3 ? 1 : 0)
			const before = kind === 'work' ? 0 : kind === 'idle' ? work : work + idle
			const mine = effort > 0 ? forest[kind][row]! / effort * wide : kind === 'work' ? wide : 0
			if (mine > 0.1)
				box(on, kind, list.x[i]! + (effort > 0 ? before / effort * wide : 0), list.y[i]!, Math.max(mine, 0.3), H)
		}
	if (marked.found) {
		on.fillStyle = colour('paper')
		on.globalAlpha = 0.78
		for (let i = 0; i < list.count; i++)
			if (!marked.found[list.row[i]!])
				on.fillRect(list.x[i]!, list.y[i]!, list.wide[i]!, H)
		on.globalAlpha = 1
	}
	for (let i = 0; i < list.count; i++) {
		const row = list.row[i]!, text = fitted(on, forest.name(row), list.wide[i]! - 10)
		if (text) {
			const long = on.measureText(text).width
			on.globalAlpha = 0.82
			on.fillStyle = colour('paper')
			on.fillRect(list.x[i]! + 2, list.y[i]! + 2, long + 6, H - 4)
			on.globalAlpha = marked.found && !marked.found[row] ? 0.6 : 1
			on.fillStyle = colour('ink')
			on.fillText(text, list.x[i]! + 5, list.y[i]! + H / 2 + 0.5)
			on.globalAlpha = 1
		}
		const line = row === marked.cursor ? colour('ink') : marked.isSelected(row) ? colour('critical') : marked.hot.has(row) ? colour('ink') : ''
		if (line && list.wide[i]! > 1) {
			on.strokeStyle = line
			on.lineWidth = row === marked.cursor ? 2 : marked.hot.has(row) ? 2.5 : 2
			on.setLineDash(marked.hot.has(row) && row !== marked.cursor ? [6, 3] : [])
			on.strokeRect(list.x[i]! + 1, list.y[i]! + 1, list.wide[i]! - 3, H - 2)
			on.setLineDash([])
		}
	}
}

function rowAt(view: Window, x: number, y: number, width: number, height: number): number {
	collect(view, width, height)
	for (let i = 0; i < list.count; i++)
		if (x >= list.x[i]! && x < list.x[i]! + list.wide[i]! && y >= list.y[i]! && y < list.y[i]! + ROW)
			return list.row[i]!
	return -1
}

function sibling(forest: Forest, row: number, by: number): number {
	const parent = forest.parent[row]!, first = parent < 0 ? 0 : parent + 1, behind = parent < 0 ? forest.count : forest.end[parent]!
	if (by > 0)
		return forest.end[row]! < behind ? forest.end[row]! : row
	let before = row
	for (let at = first; at < row; at = forest.end[at]!)
		before = at
	return before
}

export interface Icicle {
	label: string
	forest: Forest
	metric: Metric
	zoom: number
	top: number
	up?: boolean
	hot?: boolean
	most: number                       // pixels that it may be high
	onZoom(row: number): void          // -1: all
	onSelect(row: number): void        // which zooms, too
	onKey?(event: KeyboardEvent): boolean // of keys that are not its own
	onFound?(sum: number, total: number): void
}

export function Icicle(props: Icicle): JSX.Element {
	const { forest, metric } = props, layout = layoutOf(forest, metric)
	const cursor = useRef(-1), shift = useRef(0), size = useRef({ width: 1, height: 1 })
	const zoom = props.zoom < forest.count ? props.zoom : -1
	useEffect(() => { cursor.current = -1 }, [forest])
	useEffect(() => { shift.current = 0 }, [forest, zoom])
	const deep = useMemo(() => deepest({ layout, zoom, top: 0, up: false }), [layout, zoom])
	const start = zoom >= 0 ? Math.max(0, forest.depth[zoom]! - 3) : props.top
	const most = Math.max(3, Math.floor(props.most / ROW)), height = Math.max(1, Math.min(most, deep - start + 1)) * ROW
	const lowest = Math.max(0, deep + 1 - height / ROW)
	const view = (): Window => ({ layout, zoom, top: Math.max(0, Math.min(Math.max(start, lowest), start + shift.current)), up: props.up ?? false })
	const find = state.value.find, matches = finder.value
	const hits = useMemo(() => find ? found(layout, matches) : undefined, [layout, find])
	useEffect(() => props.onFound?.(hits?.sum ?? 0, layout.total), [hits])
	const hot = useMemo(() => new Set(props.hot ? hotPath(layout, zoom) : []), [layout, zoom, props.hot])
	const selected = state.value.routine
	const chosen = useMemo(() => {
		const known = new Map<number, boolean>()
		return (row: number): boolean => {
			if (!selected)
				return false
			let is = known.get(forest.key[row]!)
			if (is === undefined)
				known.set(forest.key[row]!, is = forest.name(row) === selected)
			return is
		}
	}, [forest, selected])
	const words = (row: number): string =>
		row < 0 ? '' : `${forest.name(row)}   ${share(layout.wide[row]!, layout.total)} of ${metric === 'samples' ? 'all samples' : `the ${metric}`}   ${figures(forest, row)}`
	const visit = (row: number): void => {
		if (row < 0)
			return
		cursor.current = row
		const now = view(), depth = forest.depth[row]!, rows = height / ROW
		if (depth < now.top)
			shift.current += depth - now.top
		else if (depth >= now.top + rows)
			shift.current += depth - now.top - rows + 1
		details.value = words(row)
	}
	const inside = (): number => {
		if (cursor.current >= 0 && cursor.current < forest.count)
			return cursor.current
		let row = zoom >= 0 ? zoom : largestChild(layout, -1)
		while (zoom < 0 && row >= 0 && forest.depth[row]! < view().top)
			row = largestChild(layout, row)
		return row
	}
	const key = (event: KeyboardEvent): boolean => {
		const at = inside(), parent = at >= 0 ? forest.parent[at]! : -1
		const down = props.up ? 'ArrowUp' : 'ArrowDown', up = props.up ? 'ArrowDown' : 'ArrowUp'
		const started = cursor.current >= 0
		switch (event.key) {
		case down: visit(started ? Math.max(at, largestChild(layout, at)) : at); return true
		case up: visit(parent >= 0 ? parent : at); return true
		case 'ArrowRight': visit(sibling(forest, at, 1)); return true
		case 'ArrowLeft': visit(sibling(forest, at, -1)); return true
		case 'Home': visit(largestChild(layout, -1)); return true
		case 'Enter': if (at >= 0) { props.onSelect(at); visit(at) } return true
		case '+': case '=': props.onZoom(at); return true
		case '-': props.onZoom(zoom >= 0 ? forest.parent[zoom]! : -1); return true
		case '0': props.onZoom(-1); return true
		case 'Escape':
			if (zoom < 0)
				return false
			props.onZoom(-1)
			return true
		default: return props.onKey?.(event) ?? false
		}
	}
	return (
		<Board label={props.label} height={height}
			draw={(on, width) => {
				size.current = { width, height }
				on.fillStyle = colour('paper')
				on.fillRect(0, 0, width, height)
				drawBoxes(on, view(), width, height, { found: hits?.is, isSelected: chosen, hot, cursor: cursor.current })
			}}
			tell={(x, y) => words(rowAt(view(), x, y, size.current.width, height))}
			cursor={(x, y) => rowAt(view(), x, y, size.current.width, height) >= 0 ? 'pointer' : ''}
			click={spot => {
				const row = rowAt(view(), spot.x, spot.y, size.current.width, height)
				if (row < 0)
					return
				cursor.current = row
				props.onSelect(row)
				details.value = words(row)
			}}
			wheel={(spot, _dx, dy, zooms) => {
				if (zooms) {
					props.onZoom(dy < 0 ? rowAt(view(), spot.x, spot.y, size.current.width, height) : zoom >= 0 ? forest.parent[zoom]! : -1)
					return true
				}
				const before = view().top, by = Math.sign(dy) * (props.up ? -2 : 2)
				shift.current = before - start + by
				const after = view().top
				shift.current = after - start
				return after !== before
			}}
			onKey={key} />)
}
