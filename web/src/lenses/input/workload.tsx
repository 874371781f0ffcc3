// SPDX-License-Identifier: MIT
// workload.tsx: how often a routine was called with each input size, and where the input of each routine comes from.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Lens, View } from '../../data'
import { Board } from '../../draw/board'
import { box, colour, fitted } from '../../draw/paint'
import { Frame, line } from '../../draw/plot'
import { count, percent, place } from '../../format'
import { details, finder, go, modes, state, toggle } from '../../state'
import { Picker } from './cost'
import { say } from './marks'
import { curveOf, routineShown } from './model'

const HEIGHT = 240, BARS = 16, ROW = 20

export function Workload({ lens }: { lens: Lens; view: View }): JSX.Element | null {
	const routine = routineShown(lens), worker = state.value.worker
	const curve = useMemo(() => routine && curveOf(lens, routine, 'trms'), [lens, routine, worker])
	const [at, setAt] = useState(-1), frame = useRef<Frame | undefined>(undefined)
	if (!routine || !curve?.size.length)
		return null
	const isLog = !modes.value.has('linear-x'), sum = curve.calls.reduce((sum, calls) => sum + calls, 0), most = curve.calls.reduce((most, calls) => Math.max(most, calls), 0)
	const least = curve.size.find(size => size > 0) ?? 1, largest = curve.size.at(-1)!
	const words = (i: number): string => `size ${count(Math.round(curve.size[i]!))}   ${count(curve.calls[i]!)} activation${curve.calls[i] === 1 ? '' : 's'}, ${percent(100 * curve.calls[i]! / sum)} of ${count(sum)}`
	const near = (x: number): number => {
		let best = -1, least = 8
		curve.size.forEach((size, i) => {
			const distance = Math.abs(frame.current!.across(size) - x)
			if (distance < least) {
				best = i
				least = distance
			}
		})
		return best
	}
	return (
		<figure>
			<figcaption class="tools"><Picker lens={lens} routine={routine} /><label><input type="checkbox" checked={!isLog} onChange={() => toggle('linear-x')} /> linear sizes</label></figcaption>
			<Board label={`activations of ${routine.name} by input size (trms); most often ${count(most)}. Left and right move from size to size.`} height={HEIGHT}
				draw={(on, width) => {
					on.fillStyle = colour('paper')
					on.fillRect(0, 0, width, HEIGHT)
					const is = frame.current = new Frame(66, 24, width - 82, HEIGHT - 64,
						{ from: isLog ? least / 1.2 : 0, to: largest * (isLog ? 1.2 : 1.05), base: isLog ? 10 : 0, title: `input size (trms), cells${isLog ? ' (logarithmic)' : ''}`, say },
						{ from: most > 50 ? 0.7 : 0, to: most * (most > 50 ? 1.4 : 1.08), base: most > 50 ? 10 : 0, title: `activations${most > 50 ? ' (logarithmic)' : ''}`, say: value => Number.isInteger(value) ? say(value) : '' })
					is.draw(on)
					is.clip(on)
					curve.size.forEach((size, i) => {
						const x = is.across(size), y = is.down(curve.calls[i]!)
						line(on, [[x, is.top + is.height], [x, y]], colour('work'), 2, [])
						on.fillStyle = colour(i === at ? 'ink' : 'work')
						on.beginPath()
						on.arc(x, y, i === at ? 5 : 3.5, 0, 2 * Math.PI)
						on.fill()
					})
					on.restore()
				}}
				tell={x => { const i = near(x); return i >= 0 ? words(i) : '' }}
				onKey={event => {
					const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
					if (!by)
						return false
					const to = Math.max(0, Math.min(curve.size.length - 1, at + by))
					setAt(to)
					details.value = words(to)
					return true
				}} />
		</figure>)
}

// ---- where input comes from ----

interface Source { name: string; file: string; line: number; thread: number; external: number }

export function Sources({ view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, [cursor, setCursor] = useState(-1)
	const sources = useMemo(() => {
		const list: Source[] = []
		for (let row = 0; row < sheet.rows; row++) {
			const thread = sheet.column('thread_pct').number(row) || 0, external = sheet.column('external_pct').number(row) || 0, at = sheet.column('line').number(row)
			if (thread + external > 0)
				list.push({ name: sheet.column('routine').text(row), file: sheet.column('file').text(row), line: at > 0 ? at : 0, thread, external })
		}
		return list.sort((a, b) => b.thread + b.external - a.thread - a.external)
	}, [sheet])
	const shown = sources.slice(0, BARS)
	if (!shown.length)
		return <p class="help">No routine reads what other threads wrote or what came from outside: all input was there before, or the routine wrote it itself.</p>
	const words = (source: Source): string => `${source.name}   ${percent(source.thread)} of its input from other threads   ${percent(source.external)} from outside`
	const pick = (source: Source | undefined): void => source && go({ routine: source.name, site: place(source.file, source.line) })
	return (
		<figure>
			<Board label={`where the input of ${shown.length} routines comes from; the first is ${words(shown[0]!)}. Arrows move, Enter selects.`} height={shown.length * ROW + 22}
				draw={(on, width, height) => {
					const names = Math.min(260, width * 0.35), left = names + 8, scale = (width - left - 120) / 100
					on.fillStyle = colour('paper')
					on.fillRect(0, 0, width, height)
					shown.forEach((source, i) => {
						const y = i * ROW, middle = left + source.thread * scale, end = middle + source.external * scale
						on.globalAlpha = state.value.find && !finder.value(source.name) ? 0.25 : 1
						on.strokeStyle = colour('line')
						on.strokeRect(left + 0.5, y + 3.5, 100 * scale, ROW - 7)
						box(on, 'work', left, y + 3, middle - left, ROW - 6)
						box(on, 'idle', middle, y + 3, end - middle, ROW - 6)
						on.textAlign = 'left'
						on.fillStyle = colour('ink')
						on.fillText(fitted(on, source.name, names), 4, y + ROW / 2)
						on.fillText(percent(source.thread + source.external), left + 100 * scale + 6, y + ROW / 2)
						if (i === cursor || source.name === state.value.routine) {
							on.strokeStyle = colour(i === cursor ? 'ink' : 'critical')
							on.lineWidth = 2
							on.strokeRect(1, y + 1, width - 2, ROW - 2)
							on.lineWidth = 1
						}
						on.globalAlpha = 1
					})
					on.fillStyle = colour('faint')
					on.textAlign = 'center'
					for (const at of [0, 50, 100])
						on.fillText(`${at} %`, left + at * scale, height - 9)
				}}
				tell={(_x, y) => { const source = shown[Math.floor(y / ROW)]; return source ? words(source) : '' }}
				cursor={(_x, y) => shown[Math.floor(y / ROW)] ? 'pointer' : ''}
				click={spot => pick(shown[Math.floor(spot.y / ROW)])}
				onKey={event => {
					const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0, to = Math.max(0, Math.min(shown.length - 1, cursor + by))
					if (event.key === 'Enter')
						pick(shown[cursor])
					else if (by) {
						setCursor(to)
						details.value = words(shown[to]!)
					} else
						return false
					return true
				}} />
			<figcaption class="legend">
				<span><i class="sample full" /> from other threads</span><span><i class="sample lines" /> from outside</span>
				<span>share of the input of each routine{sources.length > shown.length ? `; the first ${shown.length} of ${count(sources.length)}` : ''}</span>
			</figcaption>
		</figure>)
}
