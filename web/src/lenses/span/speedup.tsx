// SPDX-License-Identifier: MIT
// speedup.tsx: bounds on the speed-up, as Cilkscale draws them. Marks are the rows of the view; between them the curves follow from the
// same formulas: T1/(T1/P + T(1-1/P)), where T is the span, or what a row says that it is with its burden.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Lens, Sheet, View } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { Frame, label, line, WHOLE } from '../../draw/plot'
import type { Part } from '../../draw/plot'
import { useZoom } from '../../draw/zoom'
import { count } from '../../format'
import { details, go, modes, toggle } from '../../state'
import { programOf } from './sites'

interface Curve { name: string; words: string; colour: Parameters<typeof colour>[0]; dash: number[] }
const CURVES: Curve[] = [
	{ name: 'linear', words: 'linear', colour: 'faint', dash: [2, 4] },
	{ name: 'span', words: 'span: at most', colour: 'critical', dash: [10, 4] },
	{ name: 'greedy', words: 'greedy: at least', colour: 'work', dash: [] },
	{ name: 'burdened', words: 'burdened: estimate', colour: 'good', dash: [7, 3, 2, 3] },
]

interface Bounds { cores: number[]; values: Record<string, number[]>; most: number; at(name: string, cores: number): number }

function boundsOf(sheet: Sheet): Bounds | undefined {
	if (!sheet.rows)
		return undefined
	const rows = Array.from({ length: sheet.rows }, (_, row) => row), cores = rows.map(row => sheet.column('cores').number(row))
	const values = Object.fromEntries(CURVES.map(curve => [curve.name, rows.map(row => sheet.find(curve.name)?.number(row) ?? NaN)]))
	const last = rows.length - 1
	// T/T1 of the last row, from which all others follow.
	const rest = (name: string): number => (1 / values[name]![last]! - 1 / cores[last]!) / (1 - 1 / cores[last]!)
	const at = (name: string, p: number): number => name === 'linear' ? p : name === 'span' ? values['span']![last]! : 1 / (1 / p + rest(name) * (1 - 1 / p))
	return { cores, values, most: cores[last]!, at }
}

function frameOf(bounds: Bounds, width: number, height: number, isLinear: boolean, isSmall: boolean, part: Part): Frame {
	const top = Math.max(2, Math.min(bounds.most, Math.max(4, bounds.values['span']![0]! * 2))), least = Math.min(0.9, 0.9 * Math.min(...bounds.values['burdened']!))
	const say = (value: number): string => value >= 10 ? count(value) : String(Number(value.toFixed(2)))
	return new Frame(isSmall ? 34 : 46, 26, Math.max(60, width - (isSmall ? 140 : 200)), height - (isSmall ? 66 : 70),
		{ from: isLinear ? 0 : 1, to: bounds.most, base: isLinear ? 0 : 2, title: 'cores', say },
		{ from: isLinear ? 0 : least, to: top, base: isLinear ? 0 : 2, title: 'speed-up over one core', say }, part)
}

function pointsOf(bounds: Bounds, frame: Frame, name: string): [number, number][] {
	const points: [number, number][] = [], start = Math.max(1, frame.xAt(frame.left)), end = frame.xAt(frame.left + frame.width), steps = 120
	for (let i = 0; i <= steps; i++) {
		const cores = frame.x.base ? start * (end / start) ** (i / steps) : start + (end - start) * i / steps
		points.push([frame.across(cores), frame.down(bounds.at(name, cores))])
	}
	return points
}

// What no number of cores reaches lies above the linear line and above the span's.
function drawBeyond(context: CanvasRenderingContext2D, bounds: Bounds, frame: Frame): void {
	const bottom = pointsOf(bounds, frame, 'linear').map(([x, y]) => [x, Math.max(y, frame.down(bounds.at('span', 1)))] as const)
	context.beginPath()
	context.moveTo(bottom[0]![0], frame.top)
	for (const [x, y] of bottom)
		context.lineTo(x, y)
	context.lineTo(frame.left + frame.width, frame.top)
	context.closePath()
	context.save()
	context.clip()
	context.strokeStyle = colour('line')
	context.lineWidth = 1
	context.beginPath()
	for (let x = frame.left - frame.height; x < frame.left + frame.width; x += 9) {
		context.moveTo(x, frame.top + frame.height)
		context.lineTo(x + frame.height, frame.top)
	}
	context.stroke()
	context.restore()
}

function draw(context: CanvasRenderingContext2D, bounds: Bounds, frame: Frame, width: number, height: number, here: number, at: number, isSmall: boolean): void {
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, height)
	frame.draw(context)
	frame.clip(context)
	drawBeyond(context, bounds, frame)
	for (const curve of CURVES) {
		line(context, pointsOf(bounds, frame, curve.name), colour(curve.colour), curve.name === 'linear' ? 1.5 : 2.5, curve.dash)
		context.fillStyle = colour(curve.colour)
		for (const [i, value] of bounds.values[curve.name]!.entries()) {
			context.beginPath()
			context.arc(frame.across(bounds.cores[i]!), frame.down(value), i === at ? 5 : 2.5, 0, 2 * Math.PI)
			context.fill()
		}
	}
	const cores = bounds.cores[at]
	if (cores !== undefined)
		line(context, [[frame.across(cores), frame.top], [frame.across(cores), frame.top + frame.height]], colour('ink'), 1, [2, 2])
	line(context, [[frame.across(here), frame.top], [frame.across(here), frame.top + frame.height]], colour('faint'), 1, [4, 4])
	context.restore()
	if (frame.across(here) > frame.left && frame.across(here) < frame.left + frame.width)
		label(context, isSmall ? `${here} cores` : `this machine: ${here}`, frame.across(here) + 5, frame.top + 10, width, colour('faint'))
	drawNames(context, bounds, frame, width, isSmall)
}

// At the right ends of the curves, pushed apart.
function drawNames(context: CanvasRenderingContext2D, bounds: Bounds, frame: Frame, width: number, isSmall: boolean): void {
	const end = frame.xAt(frame.left + frame.width), low = frame.top + frame.height - 6
	const names = CURVES.map(curve => ({ curve, y: Math.min(low, Math.max(frame.top + 6, frame.down(bounds.at(curve.name, end)))) })).sort((a, b) => a.y - b.y)
	names.forEach((name, i) => { name.y = i ? Math.max(name.y, names[i - 1]!.y + 16) : name.y })
	names.reverse().forEach((name, i) => { name.y = Math.min(name.y, i ? names[i - 1]!.y - 16 : low) })
	const x = frame.left + frame.width + 6
	for (const { curve, y } of names) {
		line(context, [[x, y], [x + 20, y]], colour(curve.colour), 2.5, curve.dash)
		label(context, isSmall ? curve.name : curve.words, x + 26, y, width)
	}
}

function words(bounds: Bounds, at: number): string {
	return `${count(bounds.cores[at]!)} ${bounds.cores[at] === 1 ? 'core' : 'cores'}: ${CURVES.map(curve => `${curve.words.replace(/:.*/, '')} ${bounds.values[curve.name]![at]!.toFixed(2)}`).join(', ')}`
}

function nearest(bounds: Bounds, frame: Frame, x: number, y: number): number {
	if (!frame.holds(x, y))
		return -1
	return bounds.cores.reduce((best, cores, i) => Math.abs(frame.across(cores) - x) < Math.abs(frame.across(bounds.cores[best]!) - x) ? i : best, 0)
}

export function Speedup({ lens, view }: { lens: Lens; view: View }): JSX.Element | null {
	const bounds = boundsOf(view.sheet), here = programOf(lens)?.cores ?? 1, isLinear = modes.value.has('linear')
	const [at, setAt] = useState(-1)
	const frame = useRef<Frame | undefined>(undefined)
	const zoom = useZoom(() => frame.current!, () => at < 0 ? undefined : [frame.current!.across(bounds!.cores[at]!), frame.current!.down(bounds!.values['greedy']![at]!)])
	if (!bounds)
		return null
	const move = (next: number): void => {
		const to = Math.max(0, Math.min(bounds.cores.length - 1, next))
		setAt(to)
		details.value = words(bounds, to)
	}
	return (
		<figure>
			<Board label={`bounds on the speed-up: at most ${bounds.values['span']![0]!.toFixed(2)} on any number of cores. Left and right move along the cores.`} height={330}
				draw={(context, width, height) => {
					frame.current = frameOf(bounds, width, height, isLinear, false, zoom.part)
					draw(context, bounds, frame.current, width, height, here, at, false)
				}}
				tell={(x, y) => {
					const near = nearest(bounds, frame.current!, x, y)
					return near < 0 ? '' : words(bounds, near)
				}}
				click={spot => setAt(nearest(bounds, frame.current!, spot.x, spot.y))}
				onKey={event => {
					if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
						move(at + (event.key === 'ArrowRight' ? 1 : -1))
					else if (event.key === 'Home' || event.key === 'End')
						move(event.key === 'Home' ? 0 : bounds.cores.length - 1)
					else
						return zoom.key(event)
					return true
				}}
				wheel={zoom.wheel} drag={zoom.drag} />
			<figcaption>
				<label><input type="checkbox" checked={isLinear} onChange={() => toggle('linear')} /> linear axes</label>
				<span>No run is above the span's line or the linear one (hatched). A scheduler that costs nothing is between greedy and these; a real one is near burdened.</span>
			</figcaption>
		</figure>)
}

export function SmallSpeedup({ lens }: { lens: Lens }): JSX.Element | null {
	const sheet = lens.view('speedup')?.sheet, bounds = sheet && boundsOf(sheet), here = programOf(lens)?.cores ?? 1
	if (!bounds)
		return null
	const open = (): void => go({ tab: 'span', view: 'speedup' })
	const frame = (width: number, height: number): Frame => frameOf(bounds, width, height, false, true, WHOLE)
	let last = frame(400, 190)
	return (
		<Board label={`Bounds on the speed-up: at most ${bounds.values['span']![0]!.toFixed(2)}. Enter opens the view speedup.`} height={190}
			draw={(context, width, height) => {
				last = frame(width, height)
				draw(context, bounds, last, width, height, here, -1, true)
			}}
			tell={(x, y) => {
				const near = nearest(bounds, last, x, y)
				return near < 0 ? '' : words(bounds, near)
			}}
			cursor={() => 'pointer'} click={open}
			onKey={event => {
				if (event.key !== 'Enter')
					return false
				open()
				return true
			}} />)
}
