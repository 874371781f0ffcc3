// SPDX-License-Identifier: MIT
// concurrency.tsx: for how long 0, 1, 2, … threads worked: bars of wall time, divided by what ran at that level. Two threads in two
// routines count for both, so the parts of a bar are shares of what ran, and not times of their own; those are in the line of details.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Lens, Sheet, View } from '../../data'
import { Board } from '../../draw/board'
import { box, colour, fitted } from '../../draw/paint'
import type { Kind } from '../../draw/paint'
import { Frame, label, line, WHOLE } from '../../draw/plot'
import type { Part } from '../../draw/plot'
import { useZoom } from '../../draw/zoom'
import { count, ns, percent } from '../../format'
import { details, finder, go, state } from '../../state'

const COLOURS: Kind[] = ['work', 'sky', 'good', 'yellow', 'critical'], REST = 'others', WALL = '(wall time)'

interface Piece { routine: string; ns: number; share: number; rank: number }
interface Level { working: number; ns: number; percent: number; error: number; pieces: Piece[] }
interface Levels { levels: Level[]; top: string[]; average: number; total: number }

const known = new WeakMap<Sheet, Levels>()

function levelsOf(sheet: Sheet): Levels {
	const had = known.get(sheet)
	if (had)
		return had
	const working = sheet.column('working'), routine = sheet.column('routine'), time = sheet.column('ns')
	const levels: Level[] = [], sums = new Map<string, number>()
	const at = (level: number): Level => {
		while (levels.length <= level)
			levels.push({ working: levels.length, ns: 0, percent: 0, error: 0, pieces: [] })
		return levels[level]!
	}
	for (let row = 0; row < sheet.rows; row++) {
		const level = at(working.number(row)), name = routine.text(row), value = time.number(row)
		if (name === WALL) {
			level.ns = value
			level.percent = sheet.find('share_pct')?.number(row) ?? 0
			level.error = sheet.find('error_pct')?.number(row) ?? 0
		} else {
			level.pieces.push({ routine: name, ns: value, share: 0, rank: 0 })
			sums.set(name, (sums.get(name) ?? 0) + value)
		}
	}
	const top = [...sums].sort((a, b) => b[1] - a[1]).slice(0, COLOURS.length).map(([name]) => name)
	let total = 0, threads = 0
	for (const level of levels) {
		const sum = level.pieces.reduce((all, piece) => all + piece.ns, 0)
		const pieces = level.pieces.filter(piece => top.includes(piece.routine))
		const rest = level.pieces.filter(piece => !top.includes(piece.routine)).reduce((all, piece) => all + piece.ns, 0)
		level.pieces = pieces.map(piece => ({ ...piece, share: piece.ns / sum, rank: top.indexOf(piece.routine) })).sort((a, b) => a.rank - b.rank)
		if (rest > 0)
			level.pieces.push({ routine: REST, ns: rest, share: rest / sum, rank: COLOURS.length })
		total += level.ns
		threads += level.ns * level.working
	}
	const result = { levels, top, average: total ? threads / total : 0, total }
	known.set(sheet, result)
	return result
}

function frameOf(data: Levels, width: number, height: number, isSmall: boolean, part: Part = WHOLE): Frame {
	const most = Math.max(...data.levels.map(level => level.ns), 1)
	return new Frame(isSmall ? 52 : 64, 26, Math.max(40, width - (isSmall ? 60 : 80)), height - (isSmall ? 68 : 72),
		{ from: -0.5, to: Math.max(1, data.levels.length - 1) + 0.5, base: 0, title: 'threads working', say: value => Number.isInteger(value) ? count(value) : '' },
		{ from: 0, to: most * (isSmall ? 1.3 : 1.12), base: 0, title: isSmall ? 'wall time' : 'wall time, divided by what ran', say: value => value ? ns(value) : '0' }, part)
}

function place(frame: Frame, level: Level): { x: number; width: number } {
	const slot = frame.across(1) - frame.across(0), width = Math.min(120, Math.max(1, slot * 0.72))
	return { x: frame.across(level.working) - width / 2, width }
}

function drawBar(context: CanvasRenderingContext2D, frame: Frame, level: Level, isAt: boolean, chosen: number): void {
	const { x, width } = place(frame, level), bottom = frame.down(0), height = bottom - frame.down(level.ns), { routine } = state.value
	if (!level.pieces.length)
		box(context, level.working ? 'wait' : 'idle', x, bottom - height, width, height)
	let down = bottom
	level.pieces.forEach((piece, i) => {
		const part = piece.share * height, isFaint = state.value.find !== '' && !finder.value(piece.routine)
		down -= part
		context.globalAlpha = isFaint ? 0.25 : 1
		box(context, COLOURS[piece.rank] ?? 'wait', x, down, width, Math.max(0, part - (part > 3 ? 1 : 0)))
		if (part > 14 && width > 30) {
			const text = fitted(context, piece.routine, width - 8)
			if (text)
				label(context, text, x + 4, down + part / 2, x + width)
		}
		context.globalAlpha = 1
		if (piece.routine === routine || (isAt && i === chosen)) {
			context.strokeStyle = colour('ink')
			context.lineWidth = 2
			context.strokeRect(x - 1, down - 1, width + 2, part + 1)
		}
	})
	const error = level.error ? ` ± ${level.error.toFixed(1)}` : '', room = frame.across(1) - frame.across(0)
	if (level.ns === 0 || (level.percent < 0.5 && room < 70))
		return
	const words = [`${percent(level.percent)}${error}`, percent(level.percent)].find(text => context.measureText(text).width < room)
	context.fillStyle = colour('ink')
	context.textAlign = 'center'
	if (words)
		context.fillText(words, x + width / 2, bottom - height - 9)
}

function draw(context: CanvasRenderingContext2D, data: Levels, frame: Frame, width: number, height: number, at: number, chosen: number): void {
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, height)
	frame.draw(context)
	frame.clip(context)
	for (const level of data.levels)
		drawBar(context, frame, level, level.working === at, chosen)
	context.restore()
	const x = frame.across(data.average), words = `average ${data.average.toFixed(2)}`
	line(context, [[x, frame.top], [x, frame.top + frame.height]], colour('ink'), 1.5, [5, 4])
	label(context, words, Math.max(frame.left + 90, x + 4), frame.top - 11, width)
}

function pieceAt(frame: Frame, data: Levels, x: number, y: number): { level: Level; piece: number } | undefined {
	const level = data.levels.find(level => {
		const bar = place(frame, level)
		return x >= bar.x && x <= bar.x + bar.width
	})
	if (!level || !frame.holds(x, y))
		return undefined
	let down = frame.down(0)
	const height = down - frame.down(level.ns)
	for (const [i, piece] of level.pieces.entries()) {
		down -= piece.share * height
		if (y >= down)
			return { level, piece: i }
	}
	return { level, piece: -1 }
}

function words(level: Level, at: number): string {
	const piece = level.pieces[at]
	const whole = `${level.working === 0 ? 'no thread' : count(level.working)} working: ${ns(level.ns)}, ${percent(level.percent)} ± ${level.error.toFixed(1)} of the run`
	return piece ? `${piece.routine}: ${ns(piece.ns)} of wall time with it while ${count(level.working)} worked (${whole})` : whole
}

export function Concurrency({ view }: { lens: Lens; view: View }): JSX.Element | null {
	const [level, setLevel] = useState(-1)
	const [chosen, setChosen] = useState(-1)
	const data = levelsOf(view.sheet)
	const frame = useRef(frameOf(data, 400, 300, false))
	const zoom = useZoom(() => frame.current, () => level < 0 ? undefined : [frame.current.across(level), 0], true)
	if (!data.total)
		return <p class="missing">No snapshots were taken: how many threads worked at a time was not measured.</p>
	const move = (by: number, up: number): void => {
		const next = Math.max(0, Math.min(data.levels.length - 1, level + by)), pieces = data.levels[next]!.pieces.length
		const piece = Math.max(-1, Math.min(pieces - 1, by ? -1 : chosen + up))
		setLevel(next)
		setChosen(piece)
		details.value = words(data.levels[next]!, piece)
	}
	const select = (level: Level | undefined, at: number): void => {
		const piece = level?.pieces[at]
		if (!level || !piece || piece.routine === REST)
			return
		go({ routine: state.value.routine === piece.routine ? '' : piece.routine })
		details.value = words(level, at)
	}
	return (
		<figure>
			<Board label="wall time by number of working threads: left and right move along bars, up and down within one, Enter selects the routine" height={300}
				draw={(context, width, height) => {
					frame.current = frameOf(data, width, height, false, zoom.part)
					draw(context, data, frame.current, width, height, level, chosen)
				}}
				tell={(x, y) => {
					const at = pieceAt(frame.current, data, x, y)
					return at ? words(at.level, at.piece) : ''
				}}
				cursor={(x, y) => (pieceAt(frame.current, data, x, y)?.piece ?? -1) >= 0 ? 'pointer' : ''}
				click={spot => {
					const at = pieceAt(frame.current, data, spot.x, spot.y)
					select(at?.level, at?.piece ?? -1)
				}}
				onKey={event => {
					const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-1e9, 0], End: [1e9, 0] }
					if (event.key in steps)
						move(...steps[event.key]!)
					else if (event.key === 'Enter')
						select(data.levels[level], chosen)
					else
						return zoom.key(event)
					return true
				}}
				wheel={zoom.wheel} drag={zoom.drag} />
			<figcaption>
				{data.top.map((name, i) => (
					<button key={name} aria-pressed={state.value.routine === name} onClick={() => go({ routine: state.value.routine === name ? '' : name })}>
						<i style={{ background: `var(--${COLOURS[i]!})` }} /> {name}
					</button>))}
				{data.levels.some(level => level.pieces.at(-1)?.routine === REST) && <span><i style={{ background: 'var(--line)' }} /> {REST}</span>}
				<span>From snapshots: ± is the half width of a 95 % interval, in points.</span>
			</figcaption>
		</figure>)
}

export function SmallConcurrency({ lens }: { lens: Lens }): JSX.Element | null {
	const view = lens.view('concurrency'), data = view && levelsOf(view.sheet)
	if (!data?.total)
		return null
	const open = (): void => go({ tab: 'calls', view: 'concurrency' })
	let frame = frameOf(data, 400, 170, true)
	return (
		<Board label={`Threads working at a time, ${data.average.toFixed(2)} on average. Enter opens the view concurrency.`} height={170}
			draw={(context, width, height) => {
				frame = frameOf(data, width, height, true)
				draw(context, data, frame, width, height, -1, -1)
			}}
			tell={(x, y) => {
				const at = pieceAt(frame, data, x, y)
				return at ? words(at.level, at.piece) : ''
			}}
			cursor={() => 'pointer'} click={open}
			onKey={event => {
				if (event.key !== 'Enter')
					return false
				open()
				return true
			}} />)
}
