// SPDX-License-Identifier: MIT
// quadrant.tsx: routines by the shares of idleness and overhead in their effort, as Table 1 of the paper of the idle lens divides them. The
// area of a mark is the routine's effort. Axes are square roots, so that the usual limits of 5 % have room.
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { Lens, Sheet, View } from '../data'
import { Board } from '../draw/board'
import { colour, fitted } from '../draw/paint'
import { ns, percent, place } from '../format'
import { placeOf } from '../rows'
import { details, finder, go, modes, state } from '../state'

const LEFT = 46, BOTTOM = 34, TOP = 8, RIGHT = 12, HEIGHT = 360, MOST = 2000, NEAR = 6, FEWEST = 30
const TICKS = [0, 1, 2, 5, 10, 20, 40, 60, 80, 100]

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
	const across = width - LEFT - RIGHT, down = height - TOP - BOTTOM
	return {
		width, height,
		x: pct => LEFT + Math.sqrt(pct / 100) * across, y: pct => TOP + (1 - Math.sqrt(pct / 100)) * down,
		pctX: x => 100 * Math.max(0, Math.min(1, (x - LEFT) / across)) ** 2, pctY: y => 100 * Math.max(0, Math.min(1, 1 - (y - TOP) / down)) ** 2,
	}
}

const radius = (mark: Mark): number => Math.max(2.5, 3.2 * Math.sqrt(mark.share))

// Words of the paper's Table 1, and those of the verdict.
const TABLE: [string, string][] = [
	['low idleness, low overhead', 'effectively parallel: improve its serial performance'], ['high idleness, low overhead', 'use smaller tasks (refine), or make it parallel'],
	['low idleness, high overhead', 'use larger tasks (coarsen)'], ['high idleness, high overhead', 'divide the work differently (switch)'],
]

function quarter(mark: Mark, idle: number, overhead: number): number {
	return Number(mark.idle >= idle) + 2 * Number(mark.overhead >= overhead)
}

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
	TABLE.forEach(([, advice], i) => {
		const cx = i % 2 ? x + 6 : LEFT + 6, wide = (i % 2 ? right : x) - cx - 6, cy = i > 1 ? TOP + 12 : y + 12
		on.fillStyle = colour('ink')
		on.fillText(fitted(on, advice, wide), cx, cy)
		on.fillStyle = colour('faint')
		on.fillText(fitted(on, `${counts[i]} routine${counts[i] === 1 ? '' : 's'}, ${percent(sums[i]!)} of the effort`, wide), cx, cy + 15)
	})
}

export function Quadrant({ view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, all = useMemo(() => marksOf(sheet), [sheet])
	const idle = limit('idle'), overhead = limit('overhead'), cursor = useRef(-1), held = useRef<'' | 'idle' | 'overhead'>(''), size = useRef(1)
	const find = finder.value, selected = state.value.routine
	const words = (mark: Mark): string =>
		`${mark.name}   ${ns(mark.effort)}, ${percent(mark.share)} of the effort   idle ${percent(mark.idle)}   overhead ${percent(mark.overhead)}   ${mark.samples < FEWEST ? `too few samples (${mark.samples}) for a verdict` : TABLE[quarter(mark, idle, overhead)]![1]}`
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
					const taken: [number, number, number][] = []
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
						const name = fitted(on, mark.name, 180)
						if ((i < 12 || isSelected) && name && (mark.samples >= FEWEST || isSelected)) {
							const long = on.measureText(name).width, left = x + r + 4 + long < width - RIGHT ? x + r + 4 : x - r - 4 - long
							if (isSelected || !taken.some(([tx, ty, tl]) => Math.abs(ty - y) < 13 && left < tx + tl && tx < left + long)) {
								taken.push([left, y, long])
								on.fillStyle = colour('ink')
								on.fillText(name, left, y)
							}
						}
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
				key={event => {
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
