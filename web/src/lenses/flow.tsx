// SPDX-License-Identifier: MIT
// flow.tsx: pictures of the flow lens: the time line above the views of time, and bars above those of threads, objects and levels.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Lens, Sheet, View } from '../data'
import { Bars, Legend } from '../draw/shares'
import type { Bar, Part } from '../draw/shares'
import { strandsOf, sumsOf } from '../draw/strands'
import type { Strands } from '../draw/strands'
import { Timeline, shown } from '../draw/timeline'
import { count, ns, percent, place } from '../format'
import { placeOf } from '../rows'
import { finder, go, state } from '../state'
import type { LensPages } from './index'

const MOST_BARS = 2000
const STATES = { work: 'work', idle: 'could run, has no core', wait: 'waits', critical: 'critical path' }

// What went on in the range that is chosen. Pieces of a thousandth of the run are divided evenly.
function Range({ strands }: { strands: Strands }): JSX.Element | null {
	const { from, to, worker } = state.value
	if (to <= 0)
		return null
	const sums = sumsOf(strands, from, to, worker === '' ? -1 : strands.lanes.findIndex(lane => String(lane.number) === worker)), all = sums.work + sums.load + sums.wait
	return <span>In {ns(to - from)}: about {ns(sums.work)} work ({percent(all ? 100 * sums.work / all : 0)}), {ns(sums.load)} without a core, {ns(sums.wait)} waiting.</span>
}

function OverTime({ lens }: { lens: Lens }): JSX.Element | null {
	const strands = strandsOf(lens)
	if (!strands)
		return null
	return (
		<section class="picture" aria-label="what each worker did over time">
			<div class="tools">
				<Legend kinds={['work', 'idle', 'wait', 'critical']} words={STATES} />
				{shown.value?.lens === lens && <button onClick={() => { shown.value = undefined }}>{state.value.to > 0 ? 'zoom to the range (z)' : 'whole run (0)'}</button>}
				<Range strands={strands} />
				<span>{strands.sheet
					? 'Drag to move, turn the wheel to zoom: near, each wait is a box, with an arrow from the call that ended it. Drag in the upper strip, or with Shift, to choose a time range.'
					: 'The recording does not have the events themselves: only sums over a thousandth of the run each are shown. Drag to move, turn the wheel to zoom.'}</span>
			</div>
			<Timeline lens={lens} most={innerHeight * 0.5} />
		</section>)
}

// Bars of the rows of a view, the largest first.
function RowBars({ sheet, label, name, parts, note, select, whole, unit = ns, sorted = true }: {
	sheet: Sheet; label: string; name(row: number): string; parts(row: number): Part[]; note?(row: number): string; select(row: number): void
	whole?: number; unit?: (value: number) => string; sorted?: boolean
}): JSX.Element | null {
	const rows = useMemo(() => {
		const sums = new Float64Array(sheet.rows)
		for (let row = 0; row < sheet.rows; row++)
			sums[row] = parts(row).reduce((sum, part) => sum + (part.value || 0), 0)
		const all = Array.from(sums.keys()).filter(row => sums[row]! > 0)
		return (sorted ? all.sort((a, b) => sums[b]! - sums[a]!) : all).slice(0, MOST_BARS)
	}, [sheet])
	const { routine, worker } = state.value, matches = finder.value, workers = sheet.find('worker'), routines = sheet.find('holder') ?? sheet.find('routine')
	const bars = rows.map((row): Bar => ({
		name: name(row), row, parts: parts(row).map(part => ({ ...part, value: part.value || 0 })),
		isSelected: (worker !== '' && workers?.digits(row) === worker) || (routine !== '' && routines?.isText === true && routines.text(row) === routine),
		isDim: !matches(name(row)) && !sheet.columns.some(column => column.isText && matches(column.text(row))), note: note?.(row) ?? '',
	}))
	return bars.length ? <Bars label={label} bars={bars} most={innerHeight * 0.32} {...(whole === undefined ? {} : { whole })} unit={unit} select={bar => select(bar.row)} /> : null
}

function Threads({ view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, column = (name: string, row: number): number => sheet.column(name).number(row)
	return (
		<section class="picture" aria-label="time of each thread">
			<div class="tools"><Legend kinds={['work', 'idle', 'wait', 'sky']} words={{ work: 'work', idle: 'no core', wait: 'waited for threads', sky: 'waited for something outside' }} /></div>
			<RowBars sheet={sheet} label="time of each thread" name={row => `${sheet.column('name').text(row) || 'thread'} ${sheet.column('thread').digits(row)}`}
				parts={row => [
					{ kind: 'work', name: 'work', value: column('work_ns', row) }, { kind: 'idle', name: 'no core', value: column('load_ns', row) },
					{ kind: 'wait', name: 'waited', value: column('waited_ns', row) }, { kind: 'sky', name: 'outside', value: column('outside_ns', row) },
				]}
				note={row => `critical ${ns(column('critical_ns', row))}`} select={row => go({ worker: sheet.column('worker').digits(row) })} />
		</section>)
}

function Objects({ lens, view }: { lens: Lens; view: View }): JSX.Element | null {
	const { sheet } = view, wall = lens.run?.wall_ns ?? 0
	return (
		<section class="picture" aria-label="waiting for each object">
			<div class="tools"><Legend kinds={['wait']} words={{ wait: `waiting for the object, sum over threads${wall ? ` (the run took ${ns(wall)})` : ''}` }} /></div>
			<RowBars sheet={sheet} label="waiting for each object" name={row => `${sheet.column('object').text(row)} (${sheet.column('kind').text(row)})`}
				parts={row => [{ kind: 'wait', name: 'waited', value: sheet.column('waited_ns').number(row) }]}
				note={row => {
					const free = sheet.column('idle_if_free_ns').number(row), holder = sheet.column('holder').text(row)
					return `held ${ns(sheet.column('held_ns').number(row) || 0)}, taken ${count(sheet.column('acquisitions').number(row) || 0)} times${holder ? `, mostly by ${holder}` : ''}${free > 0 ? `; the run if free: ${ns(free)}` : ''}`
				}}
				select={row => {
					const at = placeOf(sheet, row)
					go({ routine: sheet.column('holder').text(row) || sheet.column('routine').text(row), ...(at ? { site: place(at.file, at.line) } : {}) })
				}} />
		</section>)
}

function Levels({ lens, view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, pct = (row: number): number => sheet.column('pct').number(row)
	return (
		<section class="picture" aria-label="how many threads worked">
			<div class="tools"><Legend kinds={['work', 'idle']} words={{ work: 'so many threads at work, or ready to work', idle: 'none' }} /><span>of {ns(lens.run?.wall_ns ?? 0)}</span></div>
			<RowBars sheet={sheet} sorted={false} label="how long so many threads worked" name={row => { const n = sheet.column('working').number(row); return `${count(n)} thread${n === 1 ? '' : 's'}` }}
				parts={row => [{ kind: sheet.column('working').number(row) > 0 ? 'work' : 'idle', name: 'time', value: sheet.column('time_ns').number(row) }]}
				note={row => `${percent(pct(row))} of the run`} select={() => undefined} />
		</section>)
}

function Cores({ view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view
	return (
		<section class="picture" aria-label="the run on so many cores">
			<div class="tools"><Legend kinds={['work']} words={{ work: 'what the run would take' }} /></div>
			<RowBars sheet={sheet} sorted={false} label="what the run would take on so many cores" name={row => { const n = sheet.column('cores').number(row); return `${count(n)} core${n === 1 ? '' : 's'}` }}
				parts={row => [{ kind: 'work', name: 'run', value: sheet.column('predicted_ns').number(row) }]}
				note={row => `speed-up ${sheet.column('speedup').number(row).toFixed(2)}`} select={() => undefined} />
		</section>)
}

function Small({ lens }: { lens: Lens }): JSX.Element | null {
	return <Timeline lens={lens} most={200} small />
}

export const flowPages: LensPages = {
	pages: [],
	pictures: { waits: OverTime, timeline: OverTime, intervals: OverTime, 'critical-path': OverTime, threads: Threads, objects: Objects, concurrency: Levels, cores: Cores },
	small: Small,
}
