// SPDX-License-Identifier: MIT
// shares.tsx: parts of a whole as one bar, what colours and patterns mean, and rows of such bars with their names.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { ns, percent } from '../format'
import { details, state } from '../state'
import { Board } from './board'
import { box, colour, fitted } from './paint'
import type { Kind } from './paint'

export interface Part { kind: Kind; name: string; value: number }

const WORDS: Partial<Record<Kind, string>> = { work: 'work', idle: 'idleness', overhead: 'overhead', wait: 'waits', critical: 'critical path' }

// A small canvas, so that the pattern is the one of the picture.
function Sample({ kind }: { kind: Kind }): JSX.Element {
	return <Board bare label="" width={22} height={13} draw={(on, width, height) => box(on, kind, 0, 0, width, height)} />
}

export function Legend({ kinds, words = {} }: { kinds: Kind[]; words?: Partial<Record<Kind, string>> }): JSX.Element {
	return <span class="legend">{kinds.map(kind => <span key={kind}><Sample kind={kind} /> {words[kind] ?? WORDS[kind]}</span>)}</span>
}

// One bar, and its figures in words.
export function Shares({ label, parts, unit = ns }: { label: string; parts: Part[]; unit?: (value: number) => string }): JSX.Element | null {
	const all = parts.reduce((sum, part) => sum + part.value, 0)
	const said = parts.map(part => `${part.name} ${unit(part.value)} (${percent(100 * part.value / all)})`)
	if (!(all > 0))
		return null
	return (
		<figure class="shares">
			<Board bare label={`${label}: ${said.join(', ')}`} height={22} draw={(on, width, height) => {
				let x = 0
				for (const part of parts) {
					const wide = part.value / all * width
					box(on, part.kind, x, 0, wide, height)
					x += wide
				}
			}} />
			<figcaption class="legend">{parts.map((part, i) => <span key={part.name}><Sample kind={part.kind} /> {said[i]}</span>)}</figcaption>
		</figure>)
}

export interface Bar { name: string; row: number; parts: Part[]; isSelected: boolean; isDim: boolean; note?: string }

const HIGH = 20

// One bar below the other, all of one scale.
export function Bars({ label, bars, unit = ns, most, whole, select }: {
	label: string; bars: Bar[]; unit?: (value: number) => string; most: number; whole?: number; select(bar: Bar): void
}): JSX.Element {
	const cursor = useRef(-1), top = useRef(0), size = useRef(1)
	const sum = (bar: Bar): number => bar.parts.reduce((all, part) => all + part.value, 0)
	const full = whole ?? bars.reduce((largest, bar) => Math.max(largest, sum(bar)), 0)
	const rows = Math.min(bars.length, Math.max(3, Math.floor(most / HIGH))), height = rows * HIGH
	const tell = (bar: Bar | undefined): string =>
		bar ? `${bar.name}   ${bar.parts.filter(part => part.value > 0).map(part => `${part.name} ${unit(part.value)}`).join('   ')}${bar.note ? `   ${bar.note}` : ''}` : ''
	const scroll = (to: number): boolean => {
		const next = Math.max(0, Math.min(bars.length - rows, to)), moved = next !== top.current
		top.current = next
		return moved
	}
	scroll(top.current)
	const visit = (at: number): void => {
		cursor.current = Math.max(0, Math.min(bars.length - 1, at))
		if (cursor.current < top.current)
			scroll(cursor.current)
		else if (cursor.current >= top.current + rows)
			scroll(cursor.current - rows + 1)
		details.value = tell(bars[cursor.current])
	}
	void state.value
	const at = (y: number): Bar | undefined => bars[top.current + Math.floor(y / HIGH)]
	return (
		<Board label={`${label}: arrows move, Enter selects`} height={height}
			draw={(on, width) => {
				size.current = width
				on.fillStyle = colour('paper')
				on.fillRect(0, 0, width, height)
				const left = Math.min(240, width * 0.3), space = width - left - 90
				for (let i = 0; i < rows; i++) {
					const bar = bars[top.current + i]
					if (!bar)
						break
					const y = i * HIGH
					if (bar.isSelected) {
						on.fillStyle = colour('chosen')
						on.fillRect(0, y, width, HIGH)
					}
					on.globalAlpha = bar.isDim ? 0.35 : 1
					on.fillStyle = colour('ink')
					on.textAlign = 'right'
					on.fillText(fitted(on, bar.name, left - 12), left - 8, y + HIGH / 2)
					on.textAlign = 'left'
					let x = left
					for (const part of bar.parts) {
						const wide = full > 0 ? part.value / full * space : 0
						if (wide > 0)
							box(on, part.kind, x, y + 2, Math.max(0.5, wide), HIGH - 4)
						x += wide
					}
					on.fillStyle = colour('faint')
					on.fillText(unit(sum(bar)), x + 6, y + HIGH / 2)
					on.globalAlpha = 1
					if (top.current + i === cursor.current) {
						on.strokeStyle = colour('link')
						on.lineWidth = 1
						on.strokeRect(0.5, y + 0.5, width - 1, HIGH - 1)
					}
				}
			}}
			tell={(_x, y) => tell(at(y))}
			cursor={(_x, y) => at(y) ? 'pointer' : ''}
			click={spot => { const bar = at(spot.y); if (bar) { cursor.current = bars.indexOf(bar); select(bar); details.value = tell(bar) } }}
			wheel={(_spot, _dx, dy) => scroll(top.current + Math.sign(dy) * 3)}
			onKey={event => {
				const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: rows, PageUp: -rows, Home: -bars.length, End: bars.length }
				const bar = bars[cursor.current]
				if (event.key in steps)
					visit(cursor.current + steps[event.key]!)
				else if (event.key === 'Enter' && bar) {
					select(bar)
					details.value = tell(bar)
				} else
					return false
				return true
			}} />)
}
