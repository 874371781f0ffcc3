// SPDX-License-Identifier: MIT
// quadrant.tsx: routines by the shares of idleness and overhead in their effort, as Table 1 of the paper of the idle lens divides them. The
// area of a mark is the routine's effort. Axes are cube roots, so that what is below the usual limits of 5 % has room.
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Lens, Sheet, View } from '../data'
import { Board } from '../draw/board'
import { colour, fitted } from '../draw/paint'
import { ns, percent, place } from '../format'
import { placeOf } from '../rows'
import { details, finder, go, modes, state } from '../state'

const LEFT = 46, BOTTOM = 34, TOP = 8, RIGHT = 12, HEIGHT = 360, MOST = 2000, NEAR = 6, FEWEST = 30, PAD = 20
const TICKS = [0, 0.1, 1, 2, 5, 10, 20, 30, 50, 70, 100]

interface Mark { name: string; row: number; idle: number; overhead: number; effort: number; share: number; samples: number }

// Routines with the largest effort; those of few samples have shares that say nothing, so they are only outlines.
function marksOf(sheet: Sheet): Mark[] {
	const kind = sheet.column('kind'), routine = sheet.column('routine')
	const work = sheet.column('work_ns'), idle = sheet.column('idle_ns'), overhead = sheet.column('overhead_ns'), samples = sheet.column('samples')
	const to: Mark[] = []
	let all = 0
	for (let row = 0; row < sheet.rows; row++) {
		if (kind.text(row) !== 'routine')
			continue
		const effort = work.number(row) + idle.number(row) + overhead.number(row)
		if (!(effort > 0))
			continue
		all += effort
		to.push({ name: routine.text(row) || '(outside of routines)', row, idle: 100 * idle.number(row) / effort, overhead: 100 * overhead.number(row) / effort, effort, share: 0, samples: samples.number(row) })
	}
	to.sort((a, b) => b.effort - a.effort)
	to.length = Math.min(to.length, MOST)
	for (const mark of to)
		mark.share = 100 * mark.effort / all
	return to
}

function limit(name: string): number {
	for (const word of modes.value)
		if (word.startsWith(`${name}.`))
			return Math.max(0.1, Math.min(99, Number(word.slice(name.length + 1).replace('_', '.')) || 5))
	return 5
}

function setLimit(name: string, value: number): void {
	const words = [...modes.value].filter(word => !word.startsWith(`${name}.`))
	const rounded = Math.max(0.1, Math.min(99, Math.round(value * 10) / 10))
	go({ mode: [...words, `${name}.${String(rounded).replace('.', '_')}`].join(',') })
}

interface Plane { x(pct: number): number; y(pct: number): number; pctX(x: number): number; pctY(y: number): number; width: number; height: number }

function plane(width: number, height: number): Plane {
	const across = width - LEFT - RIGHT - 2 * PAD, down = height - TOP - BOTTOM - 2 * PAD, clip = (part: number): number => Math.max(0, Math.min(1, part))
	return {
		width, height,
		x: pct => LEFT + PAD + Math.cbrt(pct / 100) * across, y: pct => TOP + PAD + (1 - Math.cbrt(pct / 100)) * down,
		pctX: x => 100 * clip((x - LEFT - PAD) / across) ** 3, pctY: y => 100 * clip(1 - (y - TOP - PAD) / down) ** 3,
	}
}

const radius = (mark: Mark): number => Math.max(2.5, 3.2 * Math.sqrt(mark.share))

// What the paper's Table 1 advises: for low and for high idleness with low overhead, then with high overhead.
const TABLE = [
	'effectively parallel: improve its serial performance', 'use smaller tasks (refine), or make it parallel', 'use larger tasks (coarsen)',
	'divide the work differently (switch)',
]

function quarter(mark: Mark, idle: number, overhead: number): number {
	return Number(mark.idle >= idle) + 2 * Number(mark.overhead >= overhead)
}

interface Taken { left: number; top: number; right: number; low: number }

function drawFrame(on: CanvasRenderingContext2D, p: Plane, marks: Mark[], idle: number, overhead: number): void {
	on.fillStyle = colour('paper')
	on.fillRect(0, 0, p.width, p.height)
	const x = p.x(idle), y = p.y(overhead), right = p.width - RIGHT, low = p.height - BOTTOM
	on.fillStyle = colour('panel')
	on.fillRect(x, y, right - x, low - y)
	on.fillRect(LEFT, TOP, x - LEFT, y - TOP)
	on.fillStyle = on.strokeStyle = colour('faint')
	on.lineWidth = 1
	on.strokeRect(LEFT + 0.5, TOP + 0.5, right - LEFT, low - TOP)
	on.textAlign = 'center'
	for (const tick of TICKS) {
		on.fillText(`${tick}`, p.x(tick), low + 11)
		on.fillRect(p.x(tick), low, 1, 4)
	}
	on.fillText('idleness, % of the effort of the routine', (LEFT + right) / 2, low + 26)
	on.textAlign = 'right'
	for (const tick of TICKS) {
		on.fillText(`${tick}`, LEFT - 6, p.y(tick))
		on.fillRect(LEFT - 4, p.y(tick), 4, 1)
	}
	on.save()
	on.translate(11, (TOP + low) / 2)
	on.rotate(-Math.PI / 2)
	on.textAlign = 'center'
	on.fillText('overhead, % of the effort', 0, 0)
	on.restore()
	on.textAlign = 'left'
	on.setLineDash([5, 4])
	on.strokeStyle = colour('ink')
	on.beginPath()
	on.moveTo(x, TOP); on.lineTo(x, low); on.moveTo(LEFT, y); on.lineTo(right, y)
	on.stroke()
	on.setLineDash([])
	const sums = [0, 0, 0, 0], counts = [0, 0, 0, 0]
	for (const mark of marks) {
		sums[quarter(mark, idle, overhead)]! += mark.share
		counts[quarter(mark, idle, overhead)]!++
	}
	corners(p, idle, overhead).forEach((corner, i) => {
		const wide = corner.right - corner.left
		on.fillStyle = colour('ink')
		on.fillText(fitted(on, TABLE[i]!, wide), corner.left, corner.top + 7)
		on.fillStyle = colour('faint')
		on.fillText(fitted(on, `${counts[i]} routine${counts[i] === 1 ? '' : 's'}, ${percent(sums[i]!)} of the effort`, wide), corner.left, corner.top + 22)
	})
}

// Where the words of each quarter stand.
function corners(p: Plane, idle: number, overhead: number): Taken[] {
	const x = p.x(idle), y = p.y(overhead), right = p.width - RIGHT, low = p.height - BOTTOM
	return TABLE.map((_, i) => {
		const left = i % 2 ? x + 6 : LEFT + 6, top = i > 1 ? TOP + 5 : Math.min(y + 5, low - 33)
		return { left, top, right: Math.min(left + 330, (i % 2 ? right : x) - 6), low: top + 30 }
	})
}

// The name of a mark, beside, above or below it, where nothing else is.
function label(on: CanvasRenderingContext2D, name: string, x: number, y: number, r: number, p: Plane, taken: Taken[], must: boolean): void {
	const long = on.measureText(name).width
	const places: [number, number][] = [[x + r + 4, y], [x - r - 4 - long, y], [x - long / 2, y - r - 8], [x - long / 2, y + r + 8], [x - long / 2, y - r - 23], [x - long / 2, y - r - 38]]
	const boxes = places.map(([left, middle]): Taken => ({ left, top: middle - 7, right: left + long, low: middle + 7 }))
	const free = boxes.find(box => box.left > LEFT && box.right < p.width - RIGHT && box.low < p.height - BOTTOM &&
		!taken.some(other => box.left < other.right && other.left < box.right && box.top < other.low && other.top < box.low)) ?? (must ? boxes[0] : undefined)
	if (!free || !name)
		return
	taken.push(free)
	on.fillStyle = colour('ink')
	on.fillText(name, free.left, free.top + 7)
}

export function Quadrant({ view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, all = useMemo(() => marksOf(sheet), [sheet])
	const idle = limit('idle'), overhead = limit('overhead'), cursor = useRef(-1), held = useRef<'' | 'idle' | 'overhead'>(''), size = useRef(1)
	const find = finder.value, selected = state.value.routine
	const words = (mark: Mark): string =>
		`${mark.name}   ${ns(mark.effort)}, ${percent(mark.share)} of the effort   idle ${percent(mark.idle)}   overhead ${percent(mark.overhead)}   ${mark.samples < FEWEST ? `too few samples (${mark.samples}) for a verdict` : TABLE[quarter(mark, idle, overhead)]}`
	const line = (x: number, y: number): '' | 'idle' | 'overhead' => {
		const p = plane(size.current, HEIGHT)
		return Math.abs(x - p.x(idle)) < NEAR ? 'idle' : Math.abs(y - p.y(overhead)) < NEAR ? 'overhead' : ''
	}
	// The smallest one there: it lies on top.
	const at = (x: number, y: number): Mark | undefined => {
		const p = plane(size.current, HEIGHT)
		let best: Mark | undefined
		for (const mark of all)
			if (Math.hypot(p.x(mark.idle) - x, p.y(mark.overhead) - y) <= Math.max(5, radius(mark)))
				best = mark
		return best
	}
	const select = (mark: Mark): void => {
		const where = placeOf(sheet, mark.row)
		cursor.current = all.indexOf(mark)
		go({ routine: mark.name, ...(where ? { site: place(where.file, where.line), ...(state.value.file ? where : {}) } : {}) })
		details.value = words(mark)
	}
	const visit = (to: number): void => {
		cursor.current = Math.max(0, Math.min(all.length - 1, to))
		if (all[cursor.current])
			details.value = words(all[cursor.current]!)
	}
	const number = (name: 'idle' | 'overhead', value: number): JSX.Element => (
		<label>{name === 'idle' ? 'idleness' : 'overhead'} is high from <input type="number" min="0.1" max="99" step="0.5" value={value} onChange={event => setLimit(name, Number(event.currentTarget.value))} /> %</label>)
	return (
		<section class="picture" aria-label="idleness and overhead">
			<div class="tools">{number('idle', idle)}{number('overhead', overhead)}<span>or drag the dashed lines. The area of a mark is the effort of the routine without its callees; a hollow one has fewer than {FEWEST} samples.</span></div>
			<Board label="routines by idleness and overhead: arrows move from the largest to smaller ones, Enter selects, + and - move the limits" height={HEIGHT}
				draw={(on, width) => {
					size.current = width
					const p = plane(width, HEIGHT)
					drawFrame(on, p, all, idle, overhead)
					const taken = all.slice(0, 16).map((mark): Taken => {
						const x = p.x(mark.idle), y = p.y(mark.overhead), r = radius(mark)
						return { left: x - r, top: y - r, right: x + r, low: y + r }
					}).concat(corners(p, idle, overhead))
					all.forEach((mark, i) => {
						const x = p.x(mark.idle), y = p.y(mark.overhead), r = radius(mark), isSelected = mark.name === selected
						on.globalAlpha = find(mark.name) ? 1 : 0.15
						on.beginPath()
						on.arc(x, y, r, 0, 2 * Math.PI)
						on.fillStyle = colour(isSelected ? 'critical' : 'work')
						if (mark.samples >= FEWEST) {
							on.globalAlpha *= 0.75
							on.fill()
							on.globalAlpha /= 0.75
						}
						on.strokeStyle = colour(i === cursor.current ? 'ink' : isSelected ? 'critical' : 'work')
						on.lineWidth = i === cursor.current || isSelected ? 3 : 1
						on.stroke()
						if (i < 16 || isSelected)
							label(on, fitted(on, mark.name, 180), x, y, r, p, taken, isSelected)
						on.globalAlpha = 1
					})
				}}
				tell={(x, y) => { const mark = at(x, y); return mark ? words(mark) : line(x, y) ? `the limit of ${line(x, y) === 'idle' ? `idleness: ${percent(idle)}` : `overhead: ${percent(overhead)}`}` : '' }}
				cursor={(x, y) => at(x, y) ? 'pointer' : line(x, y) === 'idle' ? 'ew-resize' : line(x, y) === 'overhead' ? 'ns-resize' : ''}
				click={spot => { const mark = at(spot.x, spot.y); if (mark) select(mark) }}
				drag={(from, to, _step, done) => {
					held.current ||= line(from.x, from.y)
					const p = plane(size.current, HEIGHT)
					if (held.current)
						setLimit(held.current, held.current === 'idle' ? p.pctX(to.x) : p.pctY(to.y))
					if (done)
						held.current = ''
				}}
				onKey={event => {
					const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -all.length, End: all.length }
					if (event.key in steps)
						visit(cursor.current + steps[event.key]!)
					else if (event.key === 'Enter' && all[cursor.current])
						select(all[cursor.current]!)
					else if (event.key === '+' || event.key === '-') {
						const by = event.key === '+' ? 1 : -1
						go({ mode: '' })
						setLimit('idle', idle + by)
						setLimit('overhead', overhead + by)
					} else if (event.key === '0')
						go({ mode: '' })
					else
						return false
					return true
				}} />
		</section>)
}
