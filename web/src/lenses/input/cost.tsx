// SPDX-License-Identifier: MIT
// cost.tsx: the cost of a routine by input size: worst, mean and best as marks, the cost function as a line, and below how far the means
// are from it. rms and rms+external stand beside trms where they differ from it.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Lens } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { Frame, line } from '../../draw/plot'
import { useZoom } from '../../draw/zoom'
import { count, percent, place } from '../../format'
import { details, go, modes, state, toggle } from '../../state'
import { Table } from '../../table'
import { costFrame, fitLine, mark, say, STATISTICS } from './marks'
import type { Statistic } from './marks'
import { curveOf, growthWords, METRICS, routineShown, routinesOf } from './model'
import type { Curve, Metric, Routine } from './model'
import { pointColumns } from './tables'

const HEIGHT = 440, STRIP = 96, LEFT = 66, RIGHT = 16, TOP = 24, BETWEEN = 26, BELOW = 40, NEAR = 12, MOST_ROUTINES = 3000

export function unitOf(lens: Lens): string {
	const sheet = lens.view('summary')?.sheet
	for (let row = 0; sheet && row < sheet.rows; row++)
		if (sheet.column('name').text(row) === 'cost_unit')
			return sheet.column('value').digits(row)
	return 'cost'
}

function isSame(a: Curve, b: Curve): boolean {
	return a.size.length === b.size.length && a.size.every((size, i) => size === b.size[i] && a.calls[i] === b.calls[i])
}

// The selected routine, and others to choose.
export function Picker({ lens, routine }: { lens: Lens; routine: Routine }): JSX.Element {
	const all = routinesOf(lens), at = all.indexOf(routine), known = state.value.routine
	const choose = (to: Routine | undefined): void => to && go({ routine: to.name, site: place(to.file, to.line) })
	return (
		<>
			<label>routine <select value={String(at)} onChange={event => choose(all[Number(event.currentTarget.value)])}>
				{all.slice(0, MOST_ROUTINES).map((each, i) => <option key={each.key} value={String(i)}>{`${each.name}: ${each.model || 'no cost function'}${Number.isNaN(each.cost) ? '' : `, ${percent(each.cost)}`}`}</option>)}
			</select></label>
			<button disabled={at <= 0} onClick={() => choose(all[at - 1])}>previous</button>
			<button disabled={at < 0 || at >= all.length - 1} onClick={() => choose(all[at + 1])}>next</button>
			<span>{place(routine.file, routine.line)}</span>
			{known && known !== routine.name && <span class="doubt">{known} has no points: this is {routine.name}.</span>}
		</>)
}

interface Dot { curve: Curve; i: number; statistic: Statistic; x: number; y: number }

function words(dot: Dot): string {
	const { curve, i } = dot, off = curve.fitted[i]! > 0 ? `   mean ${percentage(curve.mean[i]! / curve.fitted[i]! - 1)} off the cost function` : ''
	return `${curve.metric} ${count(Math.round(curve.size[i]!))}   ${count(curve.calls[i]!)} activation${curve.calls[i] === 1 ? '' : 's'}   worst ${say(curve.worst[i]!)}   mean ${say(curve.mean[i]!)}   best ${say(curve.best[i]!)}${off}`
}

const percentage = (share: number): string => `${share > 0 ? '+' : share < 0 ? '-' : ''}${percent(100 * Math.abs(share))}`

export interface Looks { curves: Curve[]; statistics: Statistic[]; isLog: { x: boolean; y: boolean } }

export function drawCost(on: CanvasRenderingContext2D, frame: Frame, looks: Looks, size: number): Dot[] {
	const dots: Dot[] = []
	frame.clip(on)
	for (const curve of looks.curves.slice().reverse()) {
		fitLine(on, frame, curve)
		for (const statistic of looks.statistics)
			curve.size.forEach((at, i) => {
				if (statistic !== 'mean' && curve.worst[i] === curve.best[i] && looks.statistics.includes('mean'))
					return
				const x = frame.across(at), y = frame.down(curve[statistic][i]!)
				mark(on, statistic, curve.metric, x, y, size)
				dots.push({ curve, i, statistic, x, y })
			})
	}
	on.restore()
	return dots
}

// To 1, 2 or 5 with zeros.
function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value))
	return power * ([1, 2, 5, 10].find(digit => digit * power >= value) ?? 10)
}

// How far means are from the cost function, in percent of it.
function drawResiduals(on: CanvasRenderingContext2D, above: Frame, looks: Looks, top: number): void {
	const off = looks.curves.flatMap(curve => curve.fitted.flatMap((value, i) => value > 0 ? [Math.abs(curve.mean[i]! / value - 1) * 100] : []))
	const most = roundUp(Math.max(1, ...off) * 1.1)
	const frame = new Frame(above.left, top, above.width, STRIP, above.x,
		{ from: -most, to: most, base: 0, title: off.length ? 'mean - cost function, in percent' : 'no cost function, so nothing to compare the means with', say: value => `${say(value)} %` }, { ...above.part, bottom: 0, top: 1 })
	frame.draw(on)
	frame.clip(on)
	line(on, [[frame.left, frame.down(0)], [frame.left + frame.width, frame.down(0)]], colour('faint'), 1, [])
	for (const curve of looks.curves)
		curve.fitted.forEach((value, i) => {
			if (!(value > 0))
				return
			const x = frame.across(curve.size[i]!), y = frame.down(100 * (curve.mean[i]! / value - 1))
			line(on, [[x, frame.down(0)], [x, y]], colour('wait'), 1, [])
			mark(on, 'mean', curve.metric, x, y, 3.5)
		})
	on.restore()
}

function Plot({ routine, looks, unit }: { routine: Routine; looks: Looks; unit: string }): JSX.Element {
	const frame = useRef(costFrame([], [], { left: 0, top: 0, width: 1, height: 1 }, looks.isLog, unit, { left: 0, right: 1, bottom: 0, top: 1 }))
	const dots = useRef<Dot[]>([]), [at, setAt] = useState(-1), main = looks.curves[0]
	const cursor = (): Dot | undefined => dots.current.find(dot => dot.curve === main && dot.i === at && dot.statistic === 'mean') ?? dots.current.find(dot => dot.curve === main && dot.i === at)
	const zoom = useZoom(() => frame.current, () => { const dot = cursor(); return dot && [dot.x, dot.y] })
	const near = (x: number, y: number): Dot | undefined => {
		let best: Dot | undefined, least = NEAR
		for (const dot of dots.current) {
			const distance = Math.hypot(dot.x - x, dot.y - y)
			if (distance < least) {
				best = dot
				least = distance
			}
		}
		return best
	}
	const visit = (to: number): void => {
		const next = Math.max(0, Math.min((main?.size.length ?? 1) - 1, to))
		setAt(next)
		if (main?.size.length)
			details.value = words({ curve: main, i: next, statistic: 'mean', x: 0, y: 0 })
	}
	return (
		<Board label={`cost of ${routine.name} by input size, ${main?.size.length ?? 0} sizes. Left and right move from size to size, + and - zoom, 0 shows all.`} height={HEIGHT}
			draw={(on, width) => {
				on.fillStyle = colour('paper')
				on.fillRect(0, 0, width, HEIGHT)
				frame.current = costFrame(looks.curves, looks.statistics, { left: LEFT, top: TOP, width: width - LEFT - RIGHT, height: HEIGHT - TOP - STRIP - 2 * BETWEEN - BELOW }, looks.isLog, unit, zoom.part)
				const upper = new Frame(frame.current.left, frame.current.top, frame.current.width, frame.current.height, { ...frame.current.x, title: '' }, frame.current.y, zoom.part)
				upper.draw(on)
				dots.current = drawCost(on, frame.current, looks, 5)
				drawResiduals(on, frame.current, looks, HEIGHT - STRIP - BELOW)
				const dot = cursor()
				if (dot) {
					on.strokeStyle = colour('ink')
					on.lineWidth = 2
					on.strokeRect(dot.x - 9, dot.y - 9, 18, 18)
				}
			}}
			tell={(x, y) => { const dot = near(x, y); return dot ? words(dot) : '' }}
			click={spot => {
				const dot = near(spot.x, spot.y)
				if (dot && dot.curve === main)
					visit(dot.i)
			}}
			onKey={event => {
				if (event.key === 'ArrowRight' || event.key === 'ArrowUp')
					visit(at + 1)
				else if (event.key === 'ArrowLeft' || event.key === 'ArrowDown')
					visit(at - 1)
				else if (event.key === 'Home' || event.key === 'End')
					visit(event.key === 'Home' ? 0 : Infinity)
				else
					return zoom.key(event)
				return true
			}}
			wheel={zoom.wheel} drag={zoom.drag} />)
}

export function CostPage({ lens }: { lens: Lens }): JSX.Element {
	const routine = routineShown(lens), worker = state.value.worker, asked = modes.value
	const curves = useMemo(() => routine ? METRICS.map(metric => curveOf(lens, routine, metric)) : [], [lens, routine, worker])
	const view = lens.view('points')!, rows = useMemo(() => new Set(curves.flatMap(curve => curve.at)), [curves])
	const only = useMemo(() => (row: number) => rows.has(row), [rows])
	if (!routine)
		return <p>The page holds no points: no routine was called, or the recording has too many.</p>
	const leftOut = view.of > view.sheet.rows
	const trms = curves[0]!, differ = (curve: Curve): boolean => curve.metric !== 'trms' && curve.size.length > 0 && !isSame(curve, trms)
	const shown = curves.filter(curve => !asked.has(`no-${curve.metric}`) && (curve.metric === 'trms' ? curve.size.length > 0 : differ(curve)))
	const looks: Looks = {
		curves: shown, statistics: STATISTICS.filter(name => !asked.has(`no-${name}`)), isLog: { x: !asked.has('linear-x'), y: !asked.has('linear-y') },
	}
	const box = (mode: string, title: string, off: boolean, disabled = false): JSX.Element =>
		<label><input type="checkbox" disabled={disabled} checked={off ? !asked.has(mode) && !disabled : asked.has(mode)} onChange={() => toggle(mode)} /> {title}</label>
	return (
		<>
			<div class="tools"><Picker lens={lens} routine={routine} /></div>
			<p class="help"><strong>{routine.name} {growthWords(lens, routine)}.</strong> {Number.isNaN(routine.cost) ? '' : `${percent(routine.cost)} of the cost now`}{Number.isNaN(routine.x10) ? '.' : `, ${percent(routine.x10)} at ten times the input.`} {count(routine.calls)} activations.</p>
			{leftOut && <p class="doubt">The page has the points of the routines that matter most ({count(routinesOf(lens).length)}).</p>}
			<figure>
				<figcaption class="legend">
					{METRICS.map(metric => { const curve = curves.find(curve => curve.metric === metric)!; return <span key={metric}>{box(`no-${metric}`, metric, true, metric !== 'trms' && !differ(curve))} <Key metric={metric} statistic="mean" />{metric !== 'trms' && !differ(curve) && ' same as trms'}</span> })}
					{STATISTICS.map(name => <span key={name}>{box(`no-${name}`, name, true)} <Key metric="trms" statistic={name} /></span>)}
					{box('linear-x', 'linear sizes', false)}
					{box('linear-y', 'linear cost', false)}
					{looks.isLog.x && shown.some(curve => curve.size.some(size => size <= 0)) && <span class="doubt">Activations without input stand at the left edge.</span>}
				</figcaption>
				<Plot key={routine.key} routine={routine} looks={looks} unit={unitOf(lens)} />
			</figure>
			<Table view={view} label={`points of ${routine.name}`} hints={pointColumns} part={{ only, onPick: () => undefined, isPicked: () => false }} />
		</>)
}

// A mark as the legend has it.
export function Key({ metric, statistic }: { metric: Metric; statistic: Statistic }): JSX.Element {
	return (
		<span class="key" aria-hidden="true"><Board bare label="" width={16} height={14} draw={on => {
			on.fillStyle = colour('paper')
			on.fillRect(0, 0, 16, 14)
			mark(on, statistic, metric, 8, 7, 5)
		}} /></span>)
}
