// SPDX-License-Identifier: MIT
// workers.tsx: which worker did what: a map of routines and workers. A cell is as dark, and its bar as high, as its figure is large, in
// the whole map or, if asked for, in its row.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Lens, Sheet } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { shortened } from '../../draw/plot'
import { amount, count, ns, percent } from '../../format'
import { details, finder, go, modes, state, toggle } from '../../state'
import { Table } from '../../table'
import { callsTables } from './tables'

const ROW = 22, HEAD = 42, MOST_ROWS = 200, SHARE = 0.001, MOST_HEIGHT = 420
const METRICS: [string, string][] = [['direct_ns', 'direct time'], ['calls', 'calls'], ['elapsed_ns', 'time with callees'], ['wait_ns', 'waiting'], ['cpu_ns', 'CPU time']]

interface Worker { name: string; names: string; working: number }
interface Line { routine: string; total: number; cells: Float64Array; most: number; ran: number }
interface Grid { workers: Worker[]; lines: Line[]; more: number; most: number; total: number; isTime: boolean }

function workersOf(sheet: Sheet): Worker[] {
	const worker = sheet.column('worker')
	return Array.from({ length: sheet.rows }, (_, row) => ({
		name: worker.digits(row), names: sheet.find('names')?.text(row) ?? '', working: sheet.find('working_pct')?.number(row) ?? NaN,
	})).filter(each => each.name !== 'all').sort((a, b) => Number(a.name) - Number(b.name))
}

// Rows that are about one worker, in whatever state of the program.
function gridOf(sheet: Sheet, workers: Worker[], metric: string): Grid {
	const routine = sheet.column('routine'), worker = sheet.column('worker'), entry = sheet.find('entry'), value = sheet.column(metric)
	const file = sheet.find('file'), start = sheet.find('line'), lines = new Map<string, Line>(), columns = new Map(workers.map((each, i) => [each.name, i]))
	for (let row = 0; row < sheet.rows; row++) {
		const at = columns.get(worker.digits(row))
		if (at === undefined || (entry && entry.text(row) !== 'all'))
			continue
		const key = `${routine.reference(row)} ${file?.reference(row)} ${start?.number(row)}`
		const line = lines.get(key) ?? { routine: routine.text(row), total: 0, cells: new Float64Array(workers.length), most: 0, ran: 0 }
		const amount = value.number(row) || 0
		line.cells[at] += amount
		line.total += amount
		line.most = Math.max(line.most, line.cells[at]!)
		line.ran += amount > 0 ? 1 : 0
		lines.set(key, line)
	}
	const all = [...lines.values()].filter(line => line.total > 0).sort((a, b) => b.total - a.total)
	const total = all.reduce((sum, line) => sum + line.total, 0)
	const shown = all.slice(0, MOST_ROWS).filter((line, i) => i < 10 || line.total >= total * SHARE)
	return { workers, lines: shown, more: all.length - shown.length, most: shown.reduce((most, line) => Math.max(most, line.most), 0), total, isTime: metric.endsWith('_ns') }
}

// A recording without times has calls only.
function metricsOf(sheet: Sheet): [string, string][] {
	const some = METRICS.filter(([name]) => sheet.find(name)?.all().some(value => value > 0))
	return some.length ? some : METRICS.filter(([name]) => name === 'calls')
}

interface Layout { left: number; width: number }

function layoutOf(width: number, workers: number): Layout {
	const left = Math.min(220, Math.max(90, width * 0.25))
	return { left, width: Math.min(140, (width - left - 4) / Math.max(1, workers)) }
}

function drawHead(context: CanvasRenderingContext2D, grid: Grid, width: number, height: number): void {
	const { left, width: cell } = layoutOf(width, grid.workers.length)
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, height)
	context.fillStyle = colour('faint')
	context.textAlign = 'left'
	context.fillText('worker', 2, 11)
	context.fillText('working', 2, 29)
	context.textAlign = 'center'
	grid.workers.forEach((worker, i) => {
		const x = left + (i + 0.5) * cell, isSelected = state.value.worker === worker.name
		context.fillStyle = colour(isSelected ? 'link' : 'ink')
		const words = [`${worker.name} ${worker.names}`, worker.name].find(text => context.measureText(text).width < cell - 4) ?? (i % Math.ceil(24 / cell) ? '' : worker.name)
		context.fillText(words, x, 11)
		if (Number.isNaN(worker.working))
			return
		context.fillStyle = colour('panel')
		context.fillRect(left + i * cell + 1, 20, Math.max(1, cell - 2), 18)
		context.fillStyle = colour('good')
		context.fillRect(left + i * cell + 1, 34, Math.max(1, cell - 2) * worker.working / 100, 4)
		context.fillStyle = colour('ink')
		if (cell > 40)
			context.fillText(percent(worker.working), x, 27)
	})
}

function drawBody(context: CanvasRenderingContext2D, grid: Grid, width: number, height: number, isByRow: boolean, at: readonly [number, number] | undefined): void {
	const { left, width: cell } = layoutOf(width, grid.workers.length), { routine, worker } = state.value
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, height)
	grid.lines.forEach((line, i) => {
		const y = i * ROW, most = isByRow ? line.most : grid.most
		context.globalAlpha = state.value.find && !finder.value(line.routine) ? 0.3 : 1
		if (line.routine === routine) {
			context.fillStyle = colour('chosen')
			context.fillRect(0, y, left, ROW)
		}
		context.fillStyle = colour('ink')
		context.textAlign = 'left'
		context.fillText(shortened(context, line.routine, left - 8), 4, y + ROW / 2)
		const faint = context.globalAlpha
		line.cells.forEach((value, w) => {
			const x = left + w * cell, share = most ? value / most : 0, isDim = worker !== '' && worker !== grid.workers[w]!.name
			context.globalAlpha = faint * (isDim ? 0.35 : 1)
			context.fillStyle = colour('panel')
			context.fillRect(x, y, Math.max(1, cell - 1), ROW - 1)
			context.fillStyle = colour('work')
			context.globalAlpha *= 0.1 + 0.4 * share
			if (value > 0)
				context.fillRect(x, y, Math.max(1, cell - 1), ROW - 1)
			context.globalAlpha = faint * (isDim ? 0.35 : 1)
			const high = Math.round(share * (ROW - 3))
			if (cell > 44) // there is room for the figure: the bar lies below it
				context.fillRect(x, y + ROW - 4, (cell - 1) * share, 3)
			else
				context.fillRect(x, y + ROW - 1 - high, Math.max(1, cell - 1), high)
			if (cell > 44 && value > 0) {
				context.fillStyle = colour('ink')
				context.textAlign = 'right'
				context.fillText(isByRow ? percent(100 * value / line.total) : grid.isTime ? ns(value) : amount(value), x + cell - 6, y + ROW / 2 - 2)
			}
		})
		context.globalAlpha = 1
		if (at && at[0] === i) {
			context.strokeStyle = colour('ink')
			context.lineWidth = 2
			context.strokeRect(left + at[1] * cell, y, Math.max(2, cell - 1), ROW - 1)
		}
	})
}

function words(grid: Grid, line: Line, at: number): string {
	const value = line.cells[at]!, say = grid.isTime ? ns : count
	const even = line.ran > 1 ? `; an even share of the ${line.ran} workers that ran it is ${percent(100 / line.ran)}` : ''
	return `${line.routine} on worker ${grid.workers[at]!.name} ${grid.workers[at]!.names}: ${value > 0 ? `${say(value)}, ${percent(100 * value / line.total)}` : 'nothing'} of its ${say(line.total)}${even}`
}

export function WorkersMap({ lens }: { lens: Lens }): JSX.Element {
	const routines = lens.view('routines')!, workersSheet = lens.view('workers')!.sheet
	const metrics = useMemo(() => metricsOf(routines.sheet), [routines.sheet])
	const metric = metrics.find(([name]) => name === state.value.metric)?.[0] ?? metrics[0]![0]
	const workers = useMemo(() => workersOf(workersSheet), [workersSheet])
	const grid = useMemo(() => gridOf(routines.sheet, workers, metric), [routines.sheet, workers, metric])
	const [at, setAt] = useState<readonly [number, number] | undefined>(undefined)
	const wide = useRef(400), scroller = useRef<HTMLDivElement>(null)
	const isByRow = modes.value.has('rows')
	const cellAt = (x: number, y: number): readonly [number, number] | undefined => {
		const { left, width } = layoutOf(wide.current, workers.length), row = Math.floor(y / ROW), column = Math.floor((x - left) / width)
		return row >= 0 && row < grid.lines.length && column < workers.length ? [row, column] : undefined
	}
	const select = (cell: readonly [number, number] | undefined): void => {
		const line = cell && grid.lines[cell[0]]
		if (!line)
			return
		const worker = workers[cell[1]]?.name ?? ''
		const isSame = state.value.routine === line.routine && state.value.worker === worker
		go(isSame ? { routine: '', worker: '' } : { routine: line.routine, worker })
		if (cell[1] >= 0)
			details.value = words(grid, line, cell[1])
	}
	const move = (down: number, right: number): void => {
		const row = Math.max(0, Math.min(grid.lines.length - 1, at ? at[0] + down : 0)), column = Math.max(0, Math.min(workers.length - 1, at ? at[1] + right : 0))
		setAt([row, column])
		if (grid.lines[row])
			details.value = words(grid, grid.lines[row]!, column)
		const box = scroller.current
		if (box && (row * ROW < box.scrollTop || (row + 1) * ROW > box.scrollTop + box.clientHeight))
			box.scrollTo(0, row * ROW - box.clientHeight / 2)
	}
	return (
		<>
			<div class="tools">
				<label>figure <select value={metric} onChange={event => go({ metric: event.currentTarget.value })}>
					{metrics.map(([name, title]) => <option key={name} value={name}>{title}</option>)}
				</select></label>
				<label><input type="checkbox" checked={isByRow} onChange={() => toggle('rows')} /> each row by itself: shares of a routine's figure</label>
				<span>{count(grid.lines.length)} {grid.lines.length === 1 ? 'routine' : 'routines'}{grid.more ? `; ${count(grid.more)} smaller ones are in the table only` : ''}. Click a cell to select the routine and the worker.</span>
			</div>
			{grid.lines.length === 0 ? <p class="missing">No worker has such a figure.</p> : (
				<figure>
					<div class="map">
						<Board label="workers, and the share of their lives in which they worked: a click selects one" height={HEAD}
							draw={(context, width, height) => { wide.current = width; drawHead(context, grid, width, height) }}
							tell={x => {
								const cell = cellAt(x, 0), worker = cell && workers[cell[1]]
								return worker ? `worker ${worker.name} ${worker.names}${Number.isNaN(worker.working) ? '' : `: working for ${percent(worker.working)} of its life`}` : ''
							}}
							click={spot => {
								const worker = workers[cellAt(spot.x, 0)?.[1] ?? -1]?.name
								if (worker !== undefined)
									go({ worker: state.value.worker === worker ? '' : worker })
							}}
							onKey={event => {
								const now = workers.findIndex(worker => worker.name === state.value.worker), by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
								if (by)
									go({ worker: workers[Math.max(0, Math.min(workers.length - 1, now + by))]!.name })
								return by !== 0
							}} />
					</div>
					<div class="map" ref={scroller} style={{ maxHeight: `${MOST_HEIGHT}px` }}>
						<Board label={`routines in rows, workers in columns, ${metrics.find(([name]) => name === metric)![1]}: arrows move, Enter selects`} height={grid.lines.length * ROW}
							draw={(context, width, height) => { wide.current = width; drawBody(context, grid, width, height, isByRow, at) }}
							tell={(x, y) => {
								const cell = cellAt(x, y), line = cell && grid.lines[cell[0]]
								return line ? (cell[1] < 0 ? line.routine : words(grid, line, cell[1])) : ''
							}}
							cursor={(x, y) => cellAt(x, y) ? 'pointer' : ''}
							click={spot => select(cellAt(spot.x, spot.y))}
							onKey={event => {
								const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-15, 0], PageDown: [15, 0], Home: [-1e9, 0], End: [1e9, 0] }
								if (event.key in steps)
									move(...steps[event.key]!)
								else if (event.key === 'Enter')
									select(at)
								else if (event.key === 'i')
									toggle('rows')
								else
									return false
								return true
							}} />
					</div>
				</figure>)}
			<Table view={routines} label={`calls: ${routines.help}`} hints={callsTables['routines']} />
		</>)
}
