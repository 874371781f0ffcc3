// SPDX-License-Identifier: MIT
// idle.tsx: pictures of the idle lens: call paths as an icicle above the trees, routines as a plot of idleness and overhead above the
// flat view, and where the cores' time went in one bar on the overview.
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Lens, Sheet, View } from '../data'
import { METRICS, forestOf, layoutOf, sandwichOf } from '../draw/forest'
import type { Forest, Metric } from '../draw/forest'
import { Icicle, share } from '../draw/icicle'
import { Legend, Shares } from '../draw/shares'
import { place } from '../format'
import { placeOf } from '../rows'
import { go, modes, recording, state, toggle } from '../state'
import type { LensPages } from './index'
import { Quadrant } from './quadrant'

const ORDER = /^(work|idle|overhead|effort|samples)$/
const BEGINNINGS = /^(_start|__libc_start_\w+|start_thread|__?clone3?|clone3?|begin_pthread|begin_c11)(@.*)?$|^thread /

// A word of the mode that has a value: zoom.17
function valued(name: string): string {
	for (const word of modes.value)
		if (word.startsWith(`${name}.`))
			return word.slice(name.length + 1)
	return ''
}

function withValue(name: string, value: string): string {
	const words = [...modes.value].filter(word => !word.startsWith(`${name}.`))
	return [...words, ...(value ? [`${name}.${value}`] : [])].join(',')
}

// How many rows at the top only say how a program begins.
function beginning(forest: Forest): number {
	let row = 0, depth = 0
	while (row >= 0 && row + 1 < forest.count && depth < 12 && (BEGINNINGS.test(forest.name(row)) || (forest.depth[row]! < 2 && !forest.routine[row]))) {
		if (forest.end[row]! < forest.count && forest.depth[row] === 0)
			return 0
		row++
		depth++
	}
	return Math.max(0, depth - 1)
}

function selectRow(sheet: Sheet, forest: Forest, row: number, change: { mode?: string } = {}): void {
	const at = forest.row ? forest.row[row]! : row, reference = forest.around[row]!
	const where = placeOf(sheet, at)
	go({
		routine: reference ? sheet.column('routine').text(at) : forest.name(row), ...change,
		...(where ? { site: place(where.file, where.line), ...(state.value.file ? where : {}) } : {}),
	})
}

function Sandwich({ sheet, metric }: { sheet: Sheet; metric: Metric }): JSX.Element {
	const { routine } = state.value, forest = forestOf(sheet)
	const two = useMemo(() => {
		const column = sheet.column('routine')
		for (let row = 0; row < sheet.rows; row++)
			if (forest.routine[row] && column.text(row) === routine)
				return sandwichOf(forest, metric, forest.routine[row]!)
		return undefined
	}, [sheet, metric, routine])
	const [zooms, setZooms] = useState<[number, number]>([-1, -1])
	if (!two)
		return <p class="missing">{routine ? `No sample was in ${routine}.` : 'Select a routine: a click on a box, or on a row of the table. Then its callers stand above it, and what it calls below.'}</p>
	const part = (forest: Forest, which: 0 | 1): JSX.Element => (
		<Icicle label={which === 0 ? `callers of ${routine}` : `what ${routine} calls`} forest={forest} metric={metric} zoom={zooms[which]} top={which === 0 ? 1 : 0} up={which === 0}
			most={innerHeight * (which === 0 ? 0.22 : 0.28)} onZoom={row => setZooms(which === 0 ? [row, zooms[1]] : [zooms[0], row])}
			onSelect={row => { setZooms([-1, -1]); selectRow(sheet, forest, row) }} />)
	return <div class="sandwich">{two.callers.count > 1 && part(two.callers, 0)}{part(two.callees, 1)}</div>
}

function Paths({ lens, view }: { lens: Lens; view: View }): JSX.Element {
	const { sheet } = view, forest = forestOf(sheet)
	const asked = state.value.metric, metric: Metric = ORDER.test(asked) ? asked as Metric : view.name === 'bottom-up' ? 'idle' : 'effort'
	const [sum, setSum] = useState('')
	const layout = layoutOf(forest, metric), isSandwich = modes.value.has('sandwich'), hot = modes.value.has('hot')
	const zoom = valued('zoom') === '' ? -1 : Number(valued('zoom')), top = useMemo(() => view.name === 'bottom-up' ? 0 : beginning(forest), [forest])
	const invert = (): void => go({ view: view.name === 'bottom-up' ? 'top-down' : 'bottom-up', metric })
	const setZoom = (row: number): void => go({ mode: withValue('zoom', row < 0 ? '' : String(row)) })
	const topDown = lens.view('top-down') ?? view
	return (
		<section class="picture" aria-label="call paths">
			<div class="tools">
				<label>width <select value={metric} onChange={event => go({ metric: event.currentTarget.value })}>{METRICS.map(each => <option key={each} value={each}>{each}</option>)}</select></label>
				<button aria-pressed={view.name === 'bottom-up'} onClick={invert} title="i">inverted: routines, their callers below</button>
				<button aria-pressed={isSandwich} onClick={() => toggle('sandwich')} title="s">sandwich</button>
				<button aria-pressed={hot} onClick={() => toggle('hot')} title="h">hot path</button>
				{zoom >= 0 && !isSandwich && <button onClick={() => setZoom(-1)}>whole picture (0)</button>}
				<Legend kinds={['work', 'idle', 'overhead']} />
				{state.value.find && <span>found: {sum} of {metric === 'samples' ? 'all samples' : `the ${metric}`}</span>}
			</div>
			{isSandwich
				? <Sandwich sheet={topDown.sheet} metric={metric} />
				: layout.total > 0
					? <Icicle label={`call paths by ${metric}: arrows move, Enter selects, + and - zoom, 0 shows all, i inverts, s is the sandwich, h the hot path`} forest={forest} metric={metric}
						zoom={zoom} top={top} hot={hot} most={innerHeight * 0.42} onZoom={setZoom} onFound={(part, all) => setSum(share(part, all))}
						onSelect={row => selectRow(sheet, forest, row, { mode: withValue('zoom', String(row)) })}
						key={view.name} onKey={event => {
							if (event.key === 'i') invert()
							else if (event.key === 's') toggle('sandwich')
							else if (event.key === 'h') toggle('hot')
							else return false
							return true
						}} />
					: <p class="missing">There is no {metric} in this run.</p>}
		</section>)
}

function Small({ lens }: { lens: Lens }): JSX.Element | null {
	const summary = lens.view('summary')?.sheet
	const value = (name: string): number => {
		for (let row = 0; summary && row < summary.rows; row++)
			if (summary.column('name').text(row) === name)
				return Number(summary.column('value').digits(row)) || 0
		return 0
	}
	void recording.value
	return (
		<Shares label="where the cores' time went" parts={[
			{ kind: 'work', name: 'work', value: value('work_ns') }, { kind: 'idle', name: 'idleness', value: value('idle_ns') },
			{ kind: 'overhead', name: 'overhead', value: value('overhead_ns') },
		]} />)
}

export const idlePages: LensPages = {
	pages: [],
	pictures: { 'top-down': Paths, 'bottom-up': Paths, flat: Quadrant },
	small: Small,
}
