// SPDX-License-Identifier: MIT
// bars.tsx: the hottest paths as bars with what they add up to, and what each copy executed to count.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Lens, View } from '../../data'
import { Board } from '../../draw/board'
import { box, colour, fitted } from '../../draw/paint'
import { amount, percent } from '../../format'
import { details, finder, go, state } from '../../state'
import { pathOf } from './model'
import type { Path } from './model'
import { pathWords } from './graph'

const ROW = 20, MOST = 12, SMALL = 5, AXIS = 22

interface Bar { path: Path; routine: string; file: string; line: number }

function barsOf(view: View, most: number): Bar[] {
	const { sheet } = view, bars: Bar[] = []
	for (let row = 0; row < Math.min(most, sheet.rows); row++)
		bars.push({ path: pathOf(sheet, row), routine: sheet.column('function').text(row), file: sheet.column('file').text(row), line: sheet.column('line').number(row) })
	return bars
}

// Bars from the left, and the sum so far as a step line.
function drawBars(on: CanvasRenderingContext2D, width: number, height: number, bars: Bar[], cursor: number): void {
	const names = Math.min(430, width * 0.45), left = names + 8, room = width - left - 56, scale = room / 100
	on.fillStyle = colour('paper')
	on.fillRect(0, 0, width, height)
	on.textBaseline = 'middle'
	on.strokeStyle = colour('line')
	on.fillStyle = colour('faint')
	on.textAlign = 'center'
	for (const at of [0, 25, 50, 75, 100]) {
		const x = Math.round(left + at * scale) + 0.5
		on.beginPath()
		on.moveTo(x, 0)
		on.lineTo(x, height - AXIS + 4)
		on.stroke()
		on.fillText(`${at} %`, x, height - 9)
	}
	bars.forEach((bar, i) => {
		const y = i * ROW, isSelected = state.value.routine === bar.routine, dim = state.value.find !== '' && !finder.value(`${bar.routine} ${bar.path.lines}`)
		on.globalAlpha = dim ? 0.25 : 1
		box(on, 'work', left, y + 3, Math.max(1, bar.path.share * scale), ROW - 6)
		on.textAlign = 'left'
		on.fillStyle = colour('ink')
		on.fillText(fitted(on, `${bar.routine}  ${bar.path.lines}`, names - 4), 4, y + ROW / 2)
		on.fillText(percent(bar.path.share), left + bar.path.share * scale + 5, y + ROW / 2)
		if (isSelected || i === cursor) {
			on.strokeStyle = colour(i === cursor ? 'ink' : 'critical')
			on.lineWidth = 2
			on.strokeRect(1, y + 1, width - 2, ROW - 2)
			on.lineWidth = 1
		}
		on.globalAlpha = 1
	})
	on.strokeStyle = colour('critical')
	on.lineWidth = 2
	on.setLineDash([5, 3])
	on.beginPath()
	bars.forEach((bar, i) => {
		const x = left + bar.path.soFar * scale
		on.lineTo(x, i * ROW)
		on.lineTo(x, (i + 1) * ROW)
	})
	on.stroke()
	on.setLineDash([])
	on.lineWidth = 1
}

function show(bar: Bar): void {
	go({ view: 'graph', routine: bar.routine, site: '', mode: `path=${bar.path.name}` })
}

const barWords = (bar: Bar): string => `${bar.routine}   ${pathWords(bar.path)} Up to here ${percent(bar.path.soFar)}.`

export function HotPaths({ view }: { lens: Lens; view: View }): JSX.Element | null {
	const bars = barsOf(view, MOST), [cursor, setCursor] = useState(-1)
	if (!bars.length)
		return null
	const at = (y: number): Bar | undefined => bars[Math.floor(y / ROW)]
	const visit = (to: number): void => {
		const next = Math.max(0, Math.min(bars.length - 1, to))
		setCursor(next)
		details.value = barWords(bars[next]!)
	}
	return (
		<figure>
			<Board label={`the ${bars.length} hottest paths; the first has ${percent(bars[0]!.path.share)} of all instructions. Arrows move, Enter shows the graph.`} height={bars.length * ROW + AXIS}
				draw={(on, width, height) => drawBars(on, width, height, bars, cursor)}
				tell={(_x, y) => { const bar = at(y); return bar ? barWords(bar) : '' }}
				cursor={(_x, y) => at(y) ? 'pointer' : ''}
				click={spot => { const bar = at(spot.y); if (bar) show(bar) }}
				onKey={event => {
					if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
						visit(cursor + (event.key === 'ArrowDown' ? 1 : -1))
					else if (event.key === 'Home' || event.key === 'End')
						visit(event.key === 'Home' ? 0 : bars.length)
					else if (event.key === 'Enter' && bars[cursor])
						show(bars[cursor]!)
					else
						return false
					return true
				}} />
			<figcaption class="legend"><span>Bars: share of all executed instructions. Dashed: the sum up to this path. A click shows the path in the graph of its function.</span></figcaption>
		</figure>)
}

export function SmallPaths({ lens }: { lens: Lens }): JSX.Element | null {
	const view = lens.view('paths'), bars = view ? barsOf(view, SMALL) : []
	return bars.length ? (
		<button class="picture" onClick={() => show(bars[0]!)} aria-label={`the graph with the hottest path, of ${bars[0]!.routine}`}>
			<Board bare label="" height={bars.length * ROW + AXIS} draw={(on, width, height) => drawBars(on, width, height, bars, -1)} />
		</button>) : null
}

// ---- copies ----

interface Copy { name: string; increments: number; updates: number; share: number }

export function Copies({ view }: { lens: Lens; view: View }): JSX.Element | null {
	const { sheet } = view, copies: Copy[] = [], size = useRef(1)
	for (let row = 0; row < sheet.rows; row++)
		copies.push({ name: sheet.column('copy').digits(row), increments: sheet.column('increments').number(row), updates: sheet.column('updates').number(row), share: sheet.column('share_pct').number(row) })
	const [cursor, setCursor] = useState(-1), known = copies.filter(copy => copy.increments + copy.updates >= 0)
	if (known.length < 2)
		return null
	const most = known.reduce((most, copy) => Math.max(most, copy.increments + copy.updates), 1)
	const words = (copy: Copy): string => `${copy.name === 'sequential' ? 'one copy without a plan' : `copy ${copy.name}`}: ${amount(copy.increments)} increments + ${amount(copy.updates)} updates = ${amount(copy.increments + copy.updates)} hits, ${percent(copy.share)} of one copy without a plan`
	return (
		<figure>
			<Board label={`what each of ${known.length - 1} copies executed to count. Arrows move.`} height={known.length * ROW}
				draw={(on, width, height) => {
					const left = 90, scale = (width - left - 210) / most
					size.current = width
					on.fillStyle = colour('paper')
					on.fillRect(0, 0, width, height)
					known.forEach((copy, i) => {
						const y = i * ROW, middle = left + copy.increments * scale, end = middle + copy.updates * scale
						box(on, 'work', left, y + 3, middle - left, ROW - 6)
						box(on, 'overhead', middle, y + 3, end - middle, ROW - 6)
						on.fillStyle = colour('ink')
						on.textAlign = 'left'
						on.fillText(copy.name === 'sequential' ? copy.name : `copy ${copy.name}`, 4, y + ROW / 2)
						on.fillText(`${amount(copy.increments + copy.updates)} hits, ${percent(copy.share)}`, end + 6, y + ROW / 2)
						if (i === cursor) {
							on.strokeStyle = colour('ink')
							on.strokeRect(1, y + 1, width - 2, ROW - 2)
						}
					})
				}}
				tell={(_x, y) => { const copy = known[Math.floor(y / ROW)]; return copy ? words(copy) : '' }}
				onKey={event => {
					const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
					if (!by)
						return false
					const to = Math.max(0, Math.min(known.length - 1, cursor + by))
					setCursor(to)
					details.value = words(known[to]!)
					return true
				}} />
			<figcaption class="legend"><span><i class="sample heat full" /> increments of a register</span><span><i class="sample dots" /> updates of a counter</span></figcaption>
		</figure>)
}
