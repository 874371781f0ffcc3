// SPDX-License-Identifier: MIT
// timeline.tsx: a row for each worker, with work (plain), time without a core and waits (lines), arrows from the call that ended a wait to
// the thread that went on, the critical path on top, and above all how many worked. Far away, a column of a row is divided as its time
// was; near, each interval is a box.
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { signal } from '@preact/signals'
import type { Lens } from '../data'
import { ns, percent, place } from '../format'
import { details, finder, go, state } from '../state'
import { Board } from './board'
import { Strip, box, colour, fitted, marks } from './paint'
import type { Kind } from './paint'
import { NO_CORE, WAITS, firstBehind, strandsOf } from './strands'
import type { Strands } from './strands'

const RIGHT = 8, AXIS = 20, CLOSE = 3, MOST_ARROWS = 300, LEAST_SPAN = 200
// Of the names on the left, the strip of levels, a row, and the bar in it.
interface Sizes { left: number; level: number; lane: number; bar: number }
const LARGE: Sizes = { left: 104, level: 54, lane: 24, bar: 19 }, SMALL: Sizes = { left: 80, level: 32, lane: 14, bar: 11 }
const KINDS: Kind[] = ['work', 'idle', 'wait']

// What part of the run is shown, the same in all pictures of time; undefined: the chosen range, or all.
export const shown = signal<{ lens: Lens; from: number; to: number } | undefined>(undefined)

export interface Timeline { lens: Lens; most: number; small?: boolean }

interface Place extends Sizes { strands: Strands; from: number; to: number; width: number; first: number; lanes: number; height: number }

const xOf = (p: Place, time: number): number => p.left + (time - p.from) / (p.to - p.from) * (p.width - p.left - RIGHT)
const timeOf = (p: Place, x: number): number => p.from + (x - p.left) / (p.width - p.left - RIGHT) * (p.to - p.from)
const yOf = (p: Place, lane: number): number => p.level + AXIS + (lane - p.first) * p.lane

// ---- drawing ----

function drawAxis(on: CanvasRenderingContext2D, p: Place): void {
	on.fillStyle = colour('faint')
	on.textAlign = 'center'
	for (const time of marks(p.from, p.to, (p.width - p.left) / 110)) {
		const x = xOf(p, time)
		on.fillRect(x, p.level + AXIS - 4, 1, 4)
		on.fillText(timeText(time, p.to, p.to - p.from), Math.min(x, p.width - 30), p.level + 8)
	}
	on.textAlign = 'left'
}

// A time with as many digits as tell marks apart.
function timeText(time: number, last: number, span: number): string {
	const [size, unit] = last >= 2e9 ? [1e9, 's'] : last >= 2e6 ? [1e6, 'ms'] : last >= 2e3 ? [1e3, 'us'] : [1, 'ns'] as const
	const digits = Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(span / size))))
	return time === 0 ? '0' : `${(time / size).toFixed(digits)} ${unit}`
}

// How many workers worked, and how many could have: columns of the width of a slice, or of a pixel.
function drawLevels(on: CanvasRenderingContext2D, p: Place): void {
	const { strands } = p, most = Math.max(1, strands.lanes.length), width = strands.wall / strands.slices, strips = KINDS.map(kind => new Strip(kind))
	const first = Math.max(0, Math.floor(p.from / width)), last = Math.min(strands.slices - 1, Math.ceil(p.to / width))
	for (let i = first; i <= last; i++) {
		const x = Math.max(p.left, xOf(p, i * width)), right = Math.min(p.width - RIGHT, xOf(p, (i + 1) * width))
		const ready = strands.ready[i]! / most * (p.level - 6), busy = strands.busy[i]! / most * (p.level - 6)
		if (right <= x)
			continue
		strips[1]!.add(x, p.level - ready, right - x + 0.3, ready - busy)
		strips[0]!.add(x, p.level - busy, right - x + 0.3, busy)
	}
	for (const strip of strips)
		strip.draw(on)
	on.fillStyle = colour('faint')
	on.textAlign = 'right'
	if (p.level > 40) {
		on.fillText(`${most}`, p.left - 6, 10)
		on.fillText('0', p.left - 6, p.level - 5)
	}
	on.fillText('at work', p.left - 6, p.level / 2)
	on.textAlign = 'left'
	on.fillRect(p.left, p.level, p.width - p.left - RIGHT, 1)
}

function drawSlices(on: CanvasRenderingContext2D, p: Place, lane: number): void {
	const { strands } = p, of = strands.slice[lane]!, width = strands.wall / strands.slices, y = yOf(p, lane) + p.bar
	const first = Math.max(0, Math.floor(p.from / width)), last = Math.min(strands.slices - 1, Math.ceil(p.to / width))
	const strips = KINDS.map(kind => new Strip(kind))
	for (let i = first; i <= last; i++) {
		const parts = [of.work[i]!, of.load[i]!, of.wait[i]!], all = parts[0]! + parts[1]! + parts[2]!
		const x = Math.max(p.left, xOf(p, i * width)), right = Math.min(p.width - RIGHT, xOf(p, (i + 1) * width))
		if (!(all > 0) || right <= x)
			continue
		let low = y
		parts.forEach((part, k) => {
			const high = part / all * p.bar
			if (high > 0.2)
				strips[k]!.add(x, low - high, right - x + 0.3, high)
			low -= high
		})
	}
	for (const strip of strips)
		strip.draw(on)
}

interface Marked { dims(row: number): boolean; strong(row: number): boolean; cursor: number }

function drawIntervals(on: CanvasRenderingContext2D, p: Place, lane: number, marked: Marked): void {
	const { strands } = p, rows = strands.rows[lane]!, y = yOf(p, lane), least = (p.to - p.from) / (p.width - p.left - RIGHT) * 0.6
	for (let i = firstBehind(strands, lane, p.from); i < rows.length && strands.start[rows[i]!]! < p.to; i++) {
		const row = rows[i]!
		if (strands.end[row]! - strands.start[row]! < least)
			continue
		const x = Math.max(p.left, xOf(p, strands.start[row]!)), right = Math.min(p.width - RIGHT, xOf(p, strands.end[row]!)), wide = right - x
		on.globalAlpha = marked.dims(row) ? 0.25 : 1
		if (marked.dims(row)) {
			on.globalAlpha = 1
			on.fillStyle = colour('paper')
			on.fillRect(x, y, wide, p.bar)
			on.globalAlpha = 0.25
		}
		box(on, KINDS[strands.state[row]!]!, x, y, Math.max(0.5, wide - (wide > 4 ? 0.7 : 0)), p.bar)
		if (wide > 40 && strands.state[row] === WAITS) {
			const text = fitted(on, strands.sheet!.column('object').text(row) || strands.sheet!.column('kind').text(row), wide - 10)
			if (text) {
				on.globalAlpha *= 0.85
				on.fillStyle = colour('paper')
				on.fillRect(x + 3, y + 2, on.measureText(text).width + 4, p.bar - 4)
				on.globalAlpha = marked.dims(row) ? 0.5 : 1
				on.fillStyle = colour('ink')
				on.fillText(text, x + 5, y + p.bar / 2)
			}
		}
		on.globalAlpha = 1
		if (marked.strong(row) || row === marked.cursor) {
			on.strokeStyle = colour(row === marked.cursor ? 'ink' : 'critical')
			on.lineWidth = 2
			on.strokeRect(x, y, Math.max(2, wide), p.bar)
		}
	}
}

function drawArrow(on: CanvasRenderingContext2D, p: Place, row: number, strong: boolean): void {
	const { strands } = p, lane = strands.untilLane[row]!, own = strands.lane[row]!
	if (lane < 0 || own < 0 || own === lane)
		return
	const x1 = xOf(p, strands.until[row]!), y1 = yOf(p, lane) + p.bar / 2, x2 = xOf(p, strands.end[row]!), y2 = yOf(p, own) + (own > lane ? 0 : p.bar)
	const top = p.level + AXIS
	if (Math.max(x1, x2) < p.left || Math.min(x1, x2) > p.width || Math.max(y1, y2) < top)
		return
	on.strokeStyle = on.fillStyle = colour(strong ? 'critical' : 'ink')
	on.globalAlpha = strong ? 1 : 0.55
	on.lineWidth = strong ? 2 : 1
	on.beginPath()
	on.moveTo(x1, y1)
	on.lineTo(x2, y2)
	on.stroke()
	const angle = Math.atan2(y2 - y1, x2 - x1)
	on.beginPath()
	on.moveTo(x2, y2)
	for (const turn of [2.7, -2.7])
		on.lineTo(x2 + 7 * Math.cos(angle + turn), y2 + 7 * Math.sin(angle + turn))
	on.fill()
	on.beginPath()
	on.arc(x1, y1, strong ? 3 : 1.8, 0, 2 * Math.PI)
	on.fill()
	on.globalAlpha = 1
}

// Of the waits in sight, those that took longest.
function drawArrows(on: CanvasRenderingContext2D, p: Place, marked: Marked): void {
	const { strands } = p, least = (p.to - p.from) / (p.width - p.left) * 5, of: number[] = []
	for (let lane = p.first; lane < p.first + p.lanes; lane++) {
		const rows = strands.rows[lane]!
		for (let i = firstBehind(strands, lane, p.from); i < rows.length && strands.start[rows[i]!]! < p.to; i++) {
			const row = rows[i]!
			if (strands.untilLane[row]! >= 0 && strands.end[row]! <= p.to && strands.end[row]! - strands.start[row]! >= least && !marked.dims(row))
				of.push(row)
		}
	}
	of.sort((a, b) => strands.end[b]! - strands.start[b]! - strands.end[a]! + strands.start[a]!)
	for (const row of of.slice(0, MOST_ARROWS))
		drawArrow(on, p, row, false)
}

// Stretches are thick, steps from thread to thread thin.
function drawPath(on: CanvasRenderingContext2D, p: Place): void {
	let last: { x: number; y: number } | undefined, count = 0
	const steps = new Path2D(), stretches = new Path2D()
	for (const stretch of p.strands.path) {
		if (stretch.to < p.from || stretch.from > p.to || stretch.lane < p.first || stretch.lane >= p.first + p.lanes) {
			last = undefined
			continue
		}
		const x = Math.max(p.left, xOf(p, stretch.from)), right = Math.min(p.width - RIGHT, xOf(p, stretch.to)), y = yOf(p, stretch.lane) + p.bar + 1.5
		if (last && last.y !== y) {
			count++
			steps.moveTo(last.x, last.y)
			steps.lineTo(x, y)
		}
		stretches.moveTo(x, y)
		stretches.lineTo(right, y)
		last = { x: right, y }
	}
	on.strokeStyle = colour('critical')
	on.lineWidth = 0.6
	on.globalAlpha = count > p.width / 4 ? 0.12 : 1 // so many that they would hide what is below
	on.stroke(steps)
	on.globalAlpha = 1
	on.lineWidth = 3
	on.stroke(stretches)
}

function drawNames(on: CanvasRenderingContext2D, p: Place): void {
	on.textAlign = 'right'
	for (let lane = p.first; lane < p.first + p.lanes; lane++) {
		const { name, number } = p.strands.lanes[lane]!, isChosen = state.value.worker === String(number)
		on.fillStyle = colour(isChosen ? 'link' : 'ink')
		on.font = isChosen ? 'bold 12px system-ui, sans-serif' : '12px system-ui, sans-serif'
		on.fillText(fitted(on, name, p.left - 12), p.left - 6, yOf(p, lane) + p.bar / 2)
	}
	on.font = '12px system-ui, sans-serif'
	on.textAlign = 'left'
}

// What is not in the chosen range is shaded.
function drawRange(on: CanvasRenderingContext2D, p: Place, from: number, to: number): void {
	const left = Math.max(p.left, Math.min(p.width, xOf(p, from))), right = Math.max(p.left, Math.min(p.width, xOf(p, to)))
	on.fillStyle = colour('paper')
	on.globalAlpha = 0.6
	on.fillRect(p.left, 0, left - p.left, p.height)
	on.fillRect(right, 0, p.width - right, p.height)
	on.globalAlpha = 1
	on.fillStyle = colour('link')
	for (const [at, x] of [[from, left], [to, right]] as const)
		if (at >= p.from && at <= p.to)
			on.fillRect(x - 0.75, 0, 1.5, p.height)
}

// ---- words ----

function wordsOf(strands: Strands, row: number): string {
	const sheet = strands.sheet!, text = (name: string): string => sheet.column(name).text(row)
	const thread = sheet.column('thread').digits(row), long = ns(strands.end[row]! - strands.start[row]!), since = ns(strands.start[row]!)
	const where = place(text('file'), sheet.column('line').number(row)), by = place(text('until_file'), sheet.column('until_line').number(row))
	const head = `thread ${thread}   ${long} from ${since}`
	if (strands.state[row] !== WAITS)
		return `${head}   ${strands.state[row] === NO_CORE ? 'could run, has no core' : 'work'}`
	const what = `${text('object') ? `waits for ${text('object')} (${text('kind')})` : `waits: ${text('kind')}`}${text('routine') ? ` in ${text('routine')}` : ''}${where ? ` ${where}` : ''}`
	const until = sheet.column('until_thread').digits(row)
	return `${head}   ${what}   ${until ? `until thread ${until}${text('until_routine') ? `: ${text('until_routine')}` : ''}${by ? ` ${by}` : ''}, ${ns(strands.end[row]! - strands.until[row]!)} late` : text('outcome')}`
}

function sliceWords(strands: Strands, lane: number, time: number): string {
	const i = Math.floor(time / strands.wall * strands.slices), of = strands.slice[lane]!, all = of.work[i]! + of.load[i]! + of.wait[i]!
	if (!(all > 0))
		return `${strands.lanes[lane]!.name}   at ${ns(time)}   not there`
	return `${strands.lanes[lane]!.name}   at ${ns(time)}   of ${ns(all)}: work ${percent(100 * of.work[i]! / all)}, no core ${percent(100 * of.load[i]! / all)}, waits ${percent(100 * of.wait[i]! / all)}`
}

// ---- the picture ----

export function Timeline({ lens, most, small }: Timeline): JSX.Element | null {
	const strands = strandsOf(lens), sizes = small ? SMALL : LARGE
	const size = useRef(1), first = useRef(0), lane = useRef(0), cursor = useRef(-1), hover = useRef(-1)
	const pulled = useRef<{ from: number; to: number } | undefined>(undefined)
	const { from, to, worker, routine, find } = state.value
	useEffect(() => { cursor.current = hover.current = -1 }, [lens])
	if (!strands)
		return null
	const all = strands.wall, given = small ? undefined : shown.value
	const margin = (to - from) * 0.15
	const span: [number, number] = given?.lens === lens ? [given.from, given.to] : to > 0 && !small ? [Math.max(0, from - margin), Math.min(all, to + margin)] : [0, all]
	const count = strands.lanes.length, lanes = Math.min(count, Math.max(2, Math.floor((most - sizes.level - AXIS) / sizes.lane))), height = sizes.level + AXIS + lanes * sizes.lane + 4
	const at = (): Place => {
		first.current = Math.max(0, Math.min(count - lanes, first.current))
		return { ...sizes, strands, from: span[0], to: span[1], width: size.current, first: first.current, lanes, height }
	}
	const show = (begin: number, end: number): void => {
		const wide = Math.max(LEAST_SPAN, Math.min(all, end - begin)), left = Math.max(0, Math.min(all - wide, begin))
		const words = details.peek()
		shown.value = { lens, from: left, to: left + wide }
		details.value = words
	}
	const zoom = (by: number, about: number): void => show(about - (about - span[0]) * by, about + (span[1] - about) * by)
	const laneAt = (p: Place, y: number): number => {
		const i = Math.floor((y - sizes.level - AXIS) / sizes.lane) + p.first
		return y >= sizes.level + AXIS && i < p.first + lanes ? i : -1
	}
	const isClose = (p: Place): boolean => strands.sheet !== undefined && (p.width - sizes.left) / ((p.to - p.from) / all * strands.slices) > CLOSE
	const rowAt = (p: Place, x: number, y: number): number => {
		const i = laneAt(p, y), time = timeOf(p, x), pixel = (p.to - p.from) / (p.width - sizes.left)
		if (i < 0 || x < sizes.left || !strands.rows[i]!.length)
			return -1
		const row = strands.rows[i]![firstBehind(strands, i, time)]
		return row !== undefined && strands.start[row]! <= time && (isClose(p) || strands.end[row]! - strands.start[row]! > 3 * pixel) ? row : -1
	}
	const select = (row: number): void => {
		const sheet = strands.sheet!, file = sheet.column('file').text(row), line = sheet.column('line').number(row)
		cursor.current = row
		const name = sheet.column('routine').text(row)
		go({
			...(name ? { routine: name } : {}), ...(file ? { site: place(file, line), ...(state.value.file ? { file, line } : {}) } : {}),
		})
		details.value = wordsOf(strands, row)
	}
	const matches = finder.value, known = new Map<number, boolean>()
	const texts = ['object', 'kind', 'routine', 'until_routine', 'state'].flatMap(name => strands.sheet?.find(name) ?? [])
	const isFound = (row: number): boolean => texts.some(column => {
		const reference = column.reference(row)
		let is = known.get(reference)
		if (is === undefined)
			known.set(reference, is = reference > 0 && matches(column.text(row)))
		return is
	})
	const marked: Marked = {
		dims: row => find !== '' && !isFound(row),
		strong: row => routine !== '' && (strands.sheet!.column('routine').text(row) === routine || strands.sheet!.column('until_routine').text(row) === routine),
		cursor: -1,
	}
	const draw = (on: CanvasRenderingContext2D, width: number): void => {
		size.current = width
		const p = at(), close = isClose(p)
		on.fillStyle = colour('paper')
		on.fillRect(0, 0, width, height)
		on.save()
		on.beginPath()
		on.rect(sizes.left, sizes.level + AXIS, width - sizes.left - RIGHT, height)
		on.clip()
		for (let i = p.first; i < p.first + lanes; i++) {
			on.globalAlpha = worker !== '' && String(strands.lanes[i]!.number) !== worker ? 0.3 : 1
			drawSlices(on, p, i)
			on.globalAlpha = 1
			if (close)
				drawIntervals(on, p, i, { ...marked, cursor: cursor.current })
			if (worker !== '' && String(strands.lanes[i]!.number) !== worker) {
				on.fillStyle = colour('paper')
				on.globalAlpha = 0.6
				on.fillRect(sizes.left, yOf(p, i), width, sizes.bar)
				on.globalAlpha = 1
			}
		}
		drawPath(on, p)
		if (close)
			drawArrows(on, p, marked)
		for (const row of [cursor.current, hover.current])
			if (row >= 0)
				drawArrow(on, p, row, true)
		on.restore()
		drawLevels(on, p)
		drawAxis(on, p)
		drawNames(on, p)
		if (pulled.current)
			drawRange(on, p, pulled.current.from, pulled.current.to)
		else if (to > 0)
			drawRange(on, p, from, to)
		if (!small && lane.current >= 0 && lane.current < count && cursor.current >= 0) {
			on.fillStyle = colour('link')
			on.fillRect(sizes.left - 3, yOf(p, lane.current), 2, sizes.bar)
		}
	}
	if (small)
		return <Board bare label={`what ${count} workers did over ${ns(all)}`} height={height} draw={draw} />
	const tell = (x: number, y: number): string => {
		const p = at(), row = rowAt(p, x, y), i = laneAt(p, y), time = timeOf(p, x)
		hover.current = row
		if (row >= 0)
			return wordsOf(strands, row)
		if (i >= 0)
			return x < sizes.left ? `${strands.lanes[i]!.name}: worker ${strands.lanes[i]!.number}` : sliceWords(strands, i, Math.max(0, Math.min(all - 1, time)))
		if (x < sizes.left || y > sizes.level)
			return ''
		const slice = Math.max(0, Math.min(strands.slices - 1, Math.floor(time / all * strands.slices)))
		return `at ${ns(time)}   ${strands.busy[slice]!.toFixed(2)} workers at work, ${(strands.ready[slice]! - strands.busy[slice]!).toFixed(2)} without a core. Drag here to choose a time range`
	}
	const step = (by: number): void => {
		const rows = strands.rows[lane.current]!
		let i = cursor.current >= 0 ? rows.indexOf(cursor.current) + by : firstBehind(strands, lane.current, span[0])
		i = Math.max(0, Math.min(rows.length - 1, i))
		const row = rows[i]
		if (row === undefined)
			return
		cursor.current = row
		const wide = span[1] - span[0]
		if (strands.start[row]! < span[0] || strands.end[row]! > span[1])
			show(strands.start[row]! - wide / 3, strands.start[row]! + wide * 2 / 3)
		details.value = wordsOf(strands, row)
	}
	const turn = (by: number): void => {
		lane.current = Math.max(0, Math.min(count - 1, lane.current + by))
		if (lane.current < first.current || lane.current >= first.current + lanes)
			first.current += by
		const time = cursor.current >= 0 ? strands.start[cursor.current]! : (span[0] + span[1]) / 2
		cursor.current = strands.rows[lane.current]![firstBehind(strands, lane.current, time)] ?? -1
		details.value = cursor.current >= 0 ? wordsOf(strands, cursor.current) : sliceWords(strands, lane.current, Math.min(all - 1, time))
	}
	const wide = span[1] - span[0], middle = cursor.current >= 0 && strands.start[cursor.current]! >= span[0] && strands.start[cursor.current]! <= span[1] ? strands.start[cursor.current]! : (span[0] + span[1]) / 2
	const doing: Record<string, (event: KeyboardEvent) => void> = {
		ArrowLeft: event => event.shiftKey ? step(-1) : show(span[0] - wide / 8, span[1] - wide / 8),
		ArrowRight: event => event.shiftKey ? step(1) : show(span[0] + wide / 8, span[1] + wide / 8),
		ArrowUp: () => turn(-1), ArrowDown: () => turn(1), '+': () => zoom(0.6, middle), '=': () => zoom(0.6, middle), '-': () => zoom(1 / 0.6, middle),
		0: () => show(0, all), Home: () => show(0, wide), End: () => show(all - wide, all), r: () => go({ from: Math.round(span[0]), to: Math.round(span[1]) }),
		z: () => { if (to > 0) show(from - margin, to + margin) },
		Enter: () => { if (cursor.current >= 0) select(cursor.current) },
	}
	return (
		<Board height={height} draw={draw} tell={tell}
			label="what each worker did over time: left and right move, + and - zoom, 0 shows all, r chooses the time in sight, z zooms to what is chosen, up and down go from worker to worker, Shift with left and right from interval to interval, Enter selects"
			cursor={(x, y) => y < sizes.level && x > sizes.left ? 'col-resize' : rowAt(at(), x, y) >= 0 || x < sizes.left ? 'pointer' : 'grab'}
			click={spot => {
				const p = at(), i = laneAt(p, spot.y), row = rowAt(p, spot.x, spot.y)
				if (i >= 0 && spot.x < sizes.left)
					go({ worker: worker === String(strands.lanes[i]!.number) ? '' : String(strands.lanes[i]!.number) })
				else if (row >= 0)
					select(row)
				if (i >= 0)
					lane.current = i
			}}
			drag={(begin, end, moved, done) => {
				const p = at(), a = timeOf(p, begin.x), b = timeOf(p, end.x)
				if (begin.shift || begin.y < sizes.level) {
					const left = Math.max(0, Math.min(a, b)), right = Math.min(all, Math.max(a, b))
					pulled.current = done ? undefined : { from: left, to: right }
					if (done)
						go({ from: Math.round(left), to: Math.round(right) })
					details.value = `${ns(left)} to ${ns(right)}: ${ns(right - left)}`
				} else {
					const by = moved.x / (p.width - sizes.left - RIGHT) * wide
					show(span[0] - by, span[1] - by)
				}
			}}
			wheel={(spot, dx, dy, zooms) => {
				const p = at()
				if (spot.shift || Math.abs(dx) > Math.abs(dy)) {
					const by = (dx || dy) / 800 * wide
					show(span[0] + by, span[1] + by)
				} else if (spot.x < sizes.left && !zooms) {
					const before = first.current
					first.current = Math.max(0, Math.min(count - lanes, before + Math.sign(dy)))
					return first.current !== before
				} else
					zoom(Math.exp(Math.sign(dy) * Math.min(0.4, Math.abs(dy) / 300)), Math.max(span[0], Math.min(span[1], timeOf(p, spot.x))))
				return true
			}}
			onKey={event => {
				if (!Object.hasOwn(doing, event.key))
					return false
				doing[event.key]!(event)
				return true
			}} />)
}
