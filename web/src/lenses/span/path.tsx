// SPDX-License-Identifier: MIT
// path.tsx: the critical path as one bar. A segment is a site, as wide as its share of the span, in the order of the path or from the
// largest to the smallest.
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Lens, Sheet, View } from '../../data'
import { Board } from '../../draw/board'
import { colour, fitted, marks } from '../../draw/paint'
import { moved, WHOLE, zoomed } from '../../draw/plot'
import { amount, count, percent, place } from '../../format'
import { details, finder, modes, state, toggle } from '../../state'
import { isSelected, select } from './sites'

const HEIGHT = 116, TOP = 20, BAR = 48, LABELS = 3
const COLOURS = ['work', 'sky', 'good', 'yellow'] as const

interface Segment { file: string; line: number; where: string; caller: string; callee: string; name: string; calls: number; span: number; share: number; from: number; colour: number }

function segmentsOf(sheet: Sheet, byShare: boolean): Segment[] {
	const number = (name: string, row: number): number => sheet.column(name).number(row) || 0
	const all = Array.from({ length: sheet.rows }, (_, row) => {
		const file = sheet.column('file').text(row), line = number('line', row), caller = sheet.column('caller').text(row), callee = sheet.column('callee').text(row)
		return { file, line, where: place(file, line), caller, callee, name: `${caller} -> ${callee}`, calls: number('count', row), span: number('span', row), share: number('span_share', row), from: 0, colour: 0 }
	})
	if (byShare)
		all.sort((a, b) => b.share - a.share)
	let from = 0
	// Colours go by size, so that large neighbours differ and a site keeps its own.
	;[...all].sort((a, b) => b.share - a.share).forEach((segment, i) => { segment.colour = i % COLOURS.length })
	all.forEach(segment => {
		segment.from = from
		from += segment.share
	})
	return all
}

function words(segment: Segment): string {
	return `${segment.name}  ${segment.where}: ${percent(segment.share)} of the span (${amount(segment.span)}) in ${count(segment.calls)} ${segment.calls === 1 ? 'call' : 'calls'} on the path, from ${percent(segment.from)} to ${percent(Math.min(100, segment.from + segment.share))}`
}

export function CriticalPath({ view }: { lens: Lens; view: View }): JSX.Element | null {
	const byShare = modes.value.has('largest')
	const segments = useMemo(() => segmentsOf(view.sheet, byShare), [view.sheet, byShare])
	const [part, setPart] = useState(WHOLE)
	const [at, setAt] = useState(-1)
	const [wide, setWide] = useState(800)
	if (!segments.length)
		return null
	const total = Math.max(100, segments.at(-1)!.from + segments.at(-1)!.share)
	const across = (share: number): number => (share / total - part.left) / (part.right - part.left) * wide
	const around = (factor: number, x: number): void => setPart(zoomed(part, factor, Math.min(1, Math.max(0, x / wide)), 0))
	const under = (x: number, y: number): Segment | undefined => {
		if (y < TOP || y > TOP + BAR)
			return undefined
		const share = (part.left + x / wide * (part.right - part.left)) * total
		return segments.find(segment => share >= segment.from && share < segment.from + segment.share)
	}
	const move = (next: number): void => {
		const to = Math.max(0, Math.min(segments.length - 1, next)), segment = segments[to]!
		setAt(to)
		const middle = (segment.from + segment.share / 2) / total
		if (middle < part.left || middle > part.right)
			setPart(moved(part, (middle - (part.left + part.right) / 2) / (part.right - part.left), 0))
		details.value = words(segment)
	}
	const choose = (segment: Segment): void => {
		select(segment)
		details.value = words(segment)
	}
	const draw = (context: CanvasRenderingContext2D, width: number): void => {
		if (width !== wide)
			setWide(width)
		context.fillStyle = colour('paper')
		context.fillRect(0, 0, width, HEIGHT)
		// Segments that are narrower than a pixel share one.
		let free = 0, labels = 0
		const ends = Array.from({ length: LABELS }, () => -1)
		segments.forEach((segment, i) => {
			const x = across(segment.from), size = across(segment.from + segment.share) - x
			if (x + size < 0 || x > width)
				return
			const isChosen = isSelected(segment), isAt = i === at
			if (size < 0.7 && x < free && !isChosen && !isAt)
				return
			free = Math.floor(x) + 1
			context.globalAlpha = state.value.find && !finder.value(`${segment.name} ${segment.where}`) ? 0.2 : 1
			context.fillStyle = colour(size < 2 ? 'wait' : COLOURS[segment.colour]!)
			context.fillRect(x, TOP, Math.max(1, size - (size > 4 ? 1 : 0)), BAR)
			context.globalAlpha = 1
			if (isChosen || isAt) {
				context.strokeStyle = colour(isChosen ? 'critical' : 'ink')
				context.lineWidth = 3
				context.strokeRect(x - 0.5, TOP - 1.5, Math.max(3, size), BAR + 3)
			}
			const left = Math.max(4, x + 4), room = Math.min(width, x + size) - left - 4
			const text = fitted(context, `${segment.callee} ${percent(segment.share)}`, room - 4)
			if (text.length > 3) {
				context.fillStyle = colour('paper')
				context.globalAlpha = 0.8
				context.fillRect(left, TOP + BAR / 2 - 9, Math.min(room, context.measureText(text).width + 6), 18)
				context.globalAlpha = 1
				context.fillStyle = colour('ink')
				context.textAlign = 'left'
				context.fillText(text, left + 3, TOP + BAR / 2)
			} else if (isChosen || isAt) {
				const name = `${segment.callee} ${percent(segment.share)}`, lane = labels++ % LABELS, start = Math.min(x, width - context.measureText(name).width - 4)
				if (start > ends[lane]!) {
					context.fillStyle = colour('ink')
					context.textAlign = 'left'
					context.fillText(name, start, 9)
					ends[lane] = start + context.measureText(name).width + 8
				}
			}
		})
		context.fillStyle = colour('faint')
		context.strokeStyle = colour('faint')
		context.lineWidth = 1
		for (const share of marks(part.left * total, part.right * total, Math.max(2, width / 90))) {
			const x = Math.min(width - 1, Math.round(across(share))) + 0.5, text = `${Number(share.toPrecision(4))} %`
			context.beginPath()
			context.moveTo(x, TOP + BAR + 2)
			context.lineTo(x, TOP + BAR + 7)
			context.stroke()
			context.textAlign = x < 20 ? 'left' : x > width - 24 ? 'right' : 'center'
			context.fillText(text, x, TOP + BAR + 16)
		}
		context.textAlign = 'left'
		context.fillText('share of the span', 0, TOP + BAR + 34)
	}
	return (
		<figure>
			<Board label={`the critical path: ${segments.length} sites, as wide as their share of the span. Left and right move from site to site, Enter selects.`} height={HEIGHT}
				draw={draw}
				tell={(x, y) => {
					const segment = under(x, y)
					return segment ? words(segment) : ''
				}}
				cursor={(x, y) => under(x, y) ? 'pointer' : ''}
				click={spot => {
					const segment = under(spot.x, spot.y)
					if (segment)
						choose(segment)
				}}
				drag={(_from, _to, step) => setPart(moved(part, -step.x / wide, 0))}
				wheel={(spot, dx, dy, zooms) => {
					if (!zooms && !dx)
						return false
					if (zooms)
						around(Math.exp(-dy / 200), spot.x)
					else
						setPart(moved(part, dx / wide, 0))
					return true
				}}
				onKey={event => {
					const segment = segments[at], middle = segment ? across(segment.from + segment.share / 2) : wide / 2
					if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
						move(at + (event.key === 'ArrowRight' ? 1 : -1))
					else if (event.key === 'Home' || event.key === 'End')
						move(event.key === 'Home' ? 0 : segments.length - 1)
					else if (event.key === 'Enter' && segment)
						choose(segment)
					else if (event.key === '+' || event.key === '=')
						around(2, middle)
					else if (event.key === '-')
						around(0.5, middle)
					else if (event.key === '0')
						setPart(WHOLE)
					else
						return false
					return true
				}} />
			<figcaption>
				<label><input type="checkbox" checked={byShare} onChange={() => toggle('largest')} /> the largest first</label>
				<span>Otherwise in the order in which the first call of each site on the path ended. + and - zoom, 0 shows all. Colours only tell sites apart; what is narrower than two pixels is grey.</span>
			</figcaption>
		</figure>)
}
