// SPDX-License-Identifier: MIT
// flame.tsx: call paths of two recordings as boxes, callers above. What has more in the new recording is orange with lines, what has less
// is blue and plain, each the stronger the more it changed; the sign stands in the box.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Board } from '../draw/board'
import { colour, fitted } from '../draw/paint'
import { ns, percent, place } from '../format'
import { details, finder, go, option, setOption, state } from '../state'
import { layoutOf, METRICS, WIDTHS } from './tree'
import type { Layout, Metric, Tree, Width } from './tree'

const ROW = 20, LEAST = 0.4, MOST_HEIGHT = 420, LINES = 6

interface Box { row: number; x: number; y: number; width: number }

export function signed(value: number): string {
	return `${value > 0 ? '+' : value < 0 ? '-' : '±'}${ns(Math.abs(value))}`
}

function words(layout: Layout, row: number): string {
	const { tree, pair } = layout, old = pair.old[row]!, now = pair.new[row]!
	const change = !old ? 'new' : !now ? 'gone' : `${now >= old ? '+' : '-'}${percent(100 * Math.abs(now - old) / old)}`
	return `${tree.name(row)}   old ${ns(old)}   new ${ns(now)}   change ${signed(now - old)} (${change})`
}

// What is wide enough to be seen; of a zoomed picture the row, all that is below it, and its callers.
function boxesOf(layout: Layout, zoom: number, width: number): Box[] {
	const { tree, wide, at } = layout, boxes: Box[] = []
	const from = zoom < 0 ? 0 : at[zoom]!, scale = width / (zoom < 0 ? layout.total || 1 : wide[zoom]! || 1)
	for (let row = zoom < 0 ? -1 : tree.parent[zoom]!; row >= 0; row = tree.parent[row]!)
		boxes.push({ row, x: 0, y: tree.depth[row]!, width })
	for (let row = Math.max(0, zoom), end = zoom < 0 ? tree.count : tree.end[zoom]!; row < end;) {
		const pixels = wide[row]! * scale
		if (pixels < LEAST) {
			row = tree.end[row]!
			continue
		}
		boxes.push({ row, x: (at[row]! - from) * scale, y: tree.depth[row]!, width: pixels })
		row++
	}
	return boxes
}

function paint(on: CanvasRenderingContext2D, box: Box, y: number, strength: number, more: boolean): void {
	const { x, width } = box, high = ROW - 1, wide = width > 3 ? width - 1 : width
	on.fillStyle = colour('panel')
	on.fillRect(x, y, wide, high)
	on.globalAlpha = strength
	on.fillStyle = colour(more ? 'critical' : 'work')
	on.fillRect(x, y, wide, high)
	on.globalAlpha = 1
	if (more && strength > 0.08 && wide > LINES) {
		on.save()
		on.beginPath()
		on.rect(x, y, wide, high)
		on.clip()
		on.strokeStyle = colour('paper')
		on.globalAlpha = 0.45
		on.lineWidth = 1
		on.beginPath()
		for (let at = Math.floor(x / LINES) * LINES - ROW; at < x + wide; at += LINES) {
			on.moveTo(at, y + high)
			on.lineTo(at + high, y)
		}
		on.stroke()
		on.restore()
	}
	if (wide > 3) {
		on.strokeStyle = colour('line')
		on.lineWidth = 1
		on.strokeRect(x + 0.5, y + 0.5, wide - 1, high - 1)
	}
}

function draw(on: CanvasRenderingContext2D, layout: Layout, boxes: Box[], top: number, width: number, height: number, cursor: number): void {
	const { tree, pair } = layout, { find, routine } = state.value
	on.fillStyle = colour('paper')
	on.fillRect(0, 0, width, height)
	on.textAlign = 'left'
	for (const box of boxes) {
		const y = (box.y - top) * ROW, change = pair.new[box.row]! - pair.old[box.row]!
		if (y < 0 || y >= height)
			continue
		paint(on, box, y, layout.most ? 0.85 * Math.sqrt(Math.abs(change) / layout.most) : 0, change > 0)
		const name = tree.name(box.row), dim = find !== '' && !finder.value(name)
		const text = fitted(on, change ? `${name}  ${signed(change)}` : name, box.width - 12)
		if (text) {
			on.globalAlpha = dim ? 0.3 : 0.85
			on.fillStyle = colour('paper')
			on.fillRect(box.x + 3, y + 2, on.measureText(text).width + 6, ROW - 5)
			on.globalAlpha = dim ? 0.4 : 1
			on.fillStyle = colour('ink')
			on.fillText(text, box.x + 6, y + ROW / 2)
			on.globalAlpha = 1
		}
		if (dim) {
			on.globalAlpha = 0.6
			on.fillStyle = colour('paper')
			on.fillRect(box.x, y, box.width, ROW - 1)
			on.globalAlpha = 1
		}
		if (box.row === cursor || (routine !== '' && tree.routine(box.row) === routine)) {
			on.strokeStyle = colour(box.row === cursor ? 'ink' : 'link')
			on.lineWidth = 2
			on.strokeRect(box.x + 1, y + 1, Math.max(2, box.width - 3), ROW - 3)
			on.lineWidth = 1
		}
	}
}

function sibling(tree: Tree, row: number, by: number): number {
	const parent = tree.parent[row]!, from = parent < 0 ? 0 : parent + 1, to = parent < 0 ? tree.count : tree.end[parent]!
	if (by > 0)
		return tree.end[row]! < to ? tree.end[row]! : row
	let before = row
	for (let at = from; at < row; at = tree.end[at]!)
		before = at
	return before
}

function widest(layout: Layout, parent: number): number {
	const { tree, wide } = layout
	let best = -1
	for (let row = parent < 0 ? 0 : parent + 1, end = parent < 0 ? tree.count : tree.end[parent]!; row < end; row = tree.end[row]!)
		if (best < 0 || wide[row]! > wide[best]!)
			best = row
	return best
}

export function metricShown(): Metric {
	return METRICS.find(name => name === state.value.metric) ?? 'effort'
}

export function Flame({ tree }: { tree: Tree }): JSX.Element {
	const metric = metricShown(), width: Width = WIDTHS.find(name => name === option('width')) ?? 'new'
	const layout = useMemo(() => layoutOf(tree, metric, width), [tree, metric, width])
	const [zoom, setZoom] = useState(-1), [cursor, setCursor] = useState(-1), [shift, setShift] = useState(0)
	const boxes = useRef<Box[]>([])
	const deep = useMemo(() => boxesOf(layout, zoom, 1200).reduce((most, box) => Math.max(most, box.y), 0), [layout, zoom])
	const start = zoom >= 0 ? Math.max(0, tree.depth[zoom]! - 2) : 0, rows = Math.min(MOST_HEIGHT / ROW, deep - start + 1), height = rows * ROW
	const top = Math.max(0, Math.min(deep + 1 - rows, start + shift))
	const at = (x: number, y: number): number => boxes.current.find(box => x >= box.x && x < box.x + box.width && Math.floor(y / ROW) + top === box.y)?.row ?? -1
	const visit = (row: number): void => {
		if (row < 0)
			return
		const depth = tree.depth[row]!
		setCursor(row)
		if (depth < top || depth >= top + rows)
			setShift(depth - start - Math.floor(rows / 2))
		details.value = words(layout, row)
	}
	const zoomTo = (row: number): void => {
		setZoom(row)
		setShift(0)
	}
	const select = (row: number): void => {
		const where = tree.place(row)
		zoomTo(row)
		setCursor(row)
		go({ routine: tree.routine(row), site: where.file ? place(where.file, where.line) : '', ...(state.value.file && where.file ? where : {}) })
		details.value = words(layout, row)
	}
	const here = cursor >= 0 ? cursor : zoom >= 0 ? zoom : widest(layout, -1)
	const onKey = (event: KeyboardEvent): boolean => {
		switch (event.key) {
		case 'ArrowDown': visit(cursor < 0 ? here : Math.max(here, widest(layout, here))); return true
		case 'ArrowUp': visit(tree.parent[here]! >= 0 ? tree.parent[here]! : here); return true
		case 'ArrowRight': visit(sibling(tree, here, 1)); return true
		case 'ArrowLeft': visit(sibling(tree, here, -1)); return true
		case 'Enter': select(here); return true
		case '+': case '=': zoomTo(here); return true
		case '-': zoomTo(zoom >= 0 ? tree.parent[zoom]! : -1); return true
		case '0': zoomTo(-1); return true
		default: return false
		}
	}
	const sum = (side: 'old' | 'new'): number => {
		let all = 0
		for (let row = 0; row < tree.count; row = tree.end[row]!)
			all += layout.pair[side][row]!
		return all
	}
	const old = sum('old'), now = sum('new')
	return (
		<figure>
			<figcaption class="tools">
				<label>figure <select value={metric} onChange={event => go({ metric: event.currentTarget.value === 'effort' ? '' : event.currentTarget.value })}>{METRICS.map((name: Metric) => <option key={name} value={name}>{name === 'effort' ? 'effort (all)' : name}</option>)}</select></label>
				<span role="group" aria-label="widths go by">width: {WIDTHS.map(name => <button key={name} aria-pressed={name === width} onClick={() => setOption('width', name === 'new' ? '' : name)}>{name}</button>)}</span>
				{zoom >= 0 && <button onClick={() => zoomTo(-1)}>show all (0)</button>}
				<span>old {ns(old)}, new {ns(now)}, change {signed(now - old)}</span>
			</figcaption>
			<Board label={`call paths of both recordings, as wide as the ${metric} of the ${width} one; together old ${ns(old)}, new ${ns(now)}. Arrows move, Enter zooms and selects, 0 shows all.`} height={height}
				draw={(on, across) => {
					boxes.current = boxesOf(layout, zoom, across)
					draw(on, layout, boxes.current, top, across, height, cursor)
				}}
				tell={(x, y) => { const row = at(x, y); return row >= 0 ? words(layout, row) : '' }}
				cursor={(x, y) => at(x, y) >= 0 ? 'pointer' : ''}
				click={spot => { const row = at(spot.x, spot.y); if (row >= 0) select(row) }}
				wheel={(_spot, _dx, dy, zooms) => {
					const next = Math.max(0, Math.min(deep + 1 - rows, top + Math.sign(dy) * 2))
					if (zooms || next === top)
						return false
					setShift(next - start)
					return true
				}}
				onKey={onKey} />
			<p class="legend">
				<span><i class="sample more-now" /> more than before, with lines</span><span><i class="sample full" /> less than before, plain</span>
				<span>The stronger the colour, the larger the change in time. With width by new, what is gone has no width: choose old, or larger.</span>
			</p>
		</figure>)
}
