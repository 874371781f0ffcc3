// SPDX-License-Identifier: MIT
// what_if.tsx: what the program gains if one site's own part of the span becomes k times shorter: T1/(T - L(1-1/k)), where T is the
// span and L the site's local span. It is a bound from above, since another path may become critical. What the recording followed
// through the run (`--what-if SITE=FACTOR`) is exact, and stands beside it. There the work of the site shrinks, too, so what is compared
// is the work of the program as it is, divided by the new span: the largest speed-up over one core of the program as it is.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Lens, Sheet, View } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { Frame, label, line } from '../../draw/plot'
import { amount, percent } from '../../format'
import { details, option, setOption } from '../../state'
import { inUnit, isSelected, programOf, select, sitesOf } from './sites'
import type { Program, Site } from './sites'

const HEIGHT = 260, MOST = 1000, STEPS = 120, MOST_SITES = 50, ENDLESS = 'all'

interface Exact { site: string; factor: number; gain: number; parallelism: number; span: number }

function exactOf(sheet: Sheet): Exact[] {
	const to: Exact[] = []
	for (let row = 0; row < sheet.rows; row++)
		if (sheet.column('change').text(row) === 'exact')
			to.push({
				site: sheet.column('site').text(row), factor: sheet.column('factor').number(row), parallelism: sheet.column('parallelism').number(row),
				gain: sheet.column('speedup_infinite').number(row), span: sheet.column('span').number(row),
			})
	return to
}

// Whether a name of `--what-if` means this site: a callee, CALLER->CALLEE, or FILE:LINE.
function means(asked: string, site: Site): boolean {
	const name = asked.replace(/\s*->\s*/, '->').trim()
	return name === site.callee || name === `${site.caller}->${site.callee}` || (site.line > 0 && name !== '' && `${site.file}:${site.line}`.endsWith(`/${name}`)) || name === site.where
}

function atBest(program: Program, site: Site, k: number): number {
	const span = program.span - site.localSpan * (1 - 1 / k)
	return span > 0 ? program.work / span : Infinity
}

// What a scheduler that costs nothing reaches at least.
function greedy(cores: number, parallelism: number): number {
	return 1 / (1 / cores + (1 - 1 / cores) / parallelism)
}

function kOf(slider: number): number {
	return slider >= STEPS ? Infinity : MOST ** (slider / STEPS)
}

function sliderOf(k: number): number {
	return k === Infinity ? STEPS : Math.round(STEPS * Math.log(k) / Math.log(MOST))
}

function kWords(k: number): string {
	return k === Infinity ? 'perfectly parallel' : `${Number(k.toPrecision(3))} times shorter`
}

function say(value: number): string {
	return !Number.isFinite(value) ? 'without bound' : value >= 1e6 ? amount(value) : value >= 1000 ? Math.round(value).toLocaleString('en') : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function frameOf(program: Program, site: Site, exact: Exact[], width: number): Frame {
	const most = Math.max(atBest(program, site, MOST), ...exact.map(each => each.gain), program.parallelism * 1.5, program.cores)
	const least = Math.min(program.parallelism, ...exact.map(each => each.gain)) * 0.8, low = program.cores > least / 10 ? Math.min(least, program.cores * 0.8) : least
	return new Frame(56, 26, width - 160, HEIGHT - 68,
		{ from: 1, to: MOST, base: 10, title: 'times shorter (k)', say: value => value < MOST ? String(value) : '1,000' },
		{ from: Math.max(0.1, low), to: most * 1.4, base: 10, title: 'work now / span then', say: value => value >= 10000 ? amount(value) : String(Number(value.toPrecision(2))) })
}

function draw(context: CanvasRenderingContext2D, frame: Frame, program: Program, site: Site, exact: Exact[], k: number, width: number): void {
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, HEIGHT)
	frame.draw(context)
	frame.clip(context)
	const right = frame.left + frame.width
	const across = (value: number, name: 'critical' | 'good', dash: number[]): void => {
		if (value >= frame.y.from)
			line(context, [[frame.left, frame.down(value)], [right, frame.down(value)]], colour(name), 1.5, dash)
	}
	across(program.cores, 'critical', [7, 4])
	across(10 * program.cores, 'good', [2, 4])
	const curve = Array.from({ length: STEPS + 1 }, (_, i) => MOST ** (i / STEPS)).map(each => [frame.across(each), frame.down(atBest(program, site, each))] as const)
	line(context, curve, colour('work'), 2.5, [])
	context.restore()
	const names = [
		{ value: 10 * program.cores, text: `ample: ${10 * program.cores}` }, { value: program.cores, text: `cores: ${program.cores}` },
	].filter(name => name.value >= frame.y.from && name.value <= frame.y.to)
	for (const name of names)
		label(context, name.text, right + 6, frame.down(name.value), width, colour('faint'))
	const x = k === Infinity ? right : frame.across(k), y = frame.down(atBest(program, site, k === Infinity ? MOST * 1e6 : k))
	line(context, [[x, frame.top + frame.height], [x, Math.max(frame.top, y)]], colour('ink'), 1, [3, 3])
	context.fillStyle = colour('work')
	context.beginPath()
	context.arc(x, Math.max(frame.top, y), 6, 0, 2 * Math.PI)
	context.fill()
	label(context, say(atBest(program, site, k)), x - 12, Math.max(frame.top, y) - 15, width)
	context.strokeStyle = colour('critical')
	context.lineWidth = 2.5
	for (const each of exact.filter(each => each.factor <= 1)) {
		const at = each.factor > 0 ? Math.min(right, frame.across(1 / each.factor)) : right, down = frame.down(each.gain)
		context.strokeRect(at - 5, down - 5, 10, 10)
		label(context, `exact ${say(each.gain)}`, at + 9, down + 12, width, colour('critical'))
	}
}

function Result({ program, site, k, exact }: { program: Program; site: Site; k: number; exact: Exact[] }): JSX.Element {
	const best = atBest(program, site, k), recorded = exact.find(each => Math.abs((each.factor > 0 ? 1 / each.factor : Infinity) / k - 1) < 0.01 || (each.factor === 0 && k === Infinity))
	const factor = k === Infinity ? '0' : String(Number((1 / k).toPrecision(3)))
	const machines = [1, 4, 16].map(times => Math.max(2, program.cores) * times)
	const named = `${site.callee}=${factor}`
	return (
		<div class="result" aria-live="polite">
			<p><strong>If {site.name} ({site.where}) itself is {kWords(k)}, the parallelism is at best {say(best)}</strong> instead of {say(program.parallelism)}: another path may become critical first. Its work is taken to stay.{best < 1.02 * program.parallelism && k > 1.5 ? ` That is hardly a gain: the site has ${percent(site.share)} of the span by itself.` : ''}</p>
			<table>
				<thead><tr><th scope="col">speed-up over one core</th>{machines.map(cores => <th key={cores} scope="col" class="number">{cores} cores</th>)}<th scope="col" class="number">any number</th></tr></thead>
				<tbody>
					{([['now', program.parallelism], ['then, at best', best]] as const).map(([words, parallelism]) => (
						<tr key={words}><th scope="row">{words}</th>{machines.map(cores => <td key={cores} class="number">{say(greedy(cores, parallelism))} to {say(Math.min(cores, parallelism))}</td>)}<td class="number">{say(parallelism)}</td></tr>))}
				</tbody>
			</table>
			{recorded && <p><strong>Exact</strong>, everything under it times {recorded.factor}: the span is {inUnit(recorded.span, program)}, which allows {say(recorded.gain)} instead of at best {say(best)}. (The work shrinks, too: of what remains, the parallelism is {say(recorded.parallelism)}.)</p>}
			{!recorded && k > 1 && <p>To know it exactly, with its callees: <code>skein record span --what-if {/^[\w:~.=-]+$/.test(named) ? named : `'${named.replaceAll("'", "'\\''")}'`} -- PROGRAM</code></p>}
			{exact.length > 0 && !recorded && <p>Recorded exactly: {exact.map(each => `${each.site} × ${each.factor}: ${say(each.gain)}`).join('; ')}.</p>}
		</div>)
}

export function WhatIf({ lens, view }: { lens: Lens; view: View }): JSX.Element | null {
	const program = programOf(lens), sites = sitesOf(lens).filter(site => site.localSpan > 0)
	const frame = useRef<Frame | undefined>(undefined)
	if (!program || !program.span || !sites.length)
		return null
	const site = sites.find(isSelected) ?? sites[0]!, asked = option('k')
	const k = asked === ENDLESS ? Infinity : Math.min(MOST, Math.max(1, Number(asked) || 2)), exact = exactOf(view.sheet).filter(each => means(each.site, site))
	const set = (slider: number): void => {
		const next = kOf(Math.max(0, Math.min(STEPS, slider)))
		setOption('k', next === Infinity ? ENDLESS : next.toPrecision(3))
		details.value = `${site.name} ${kWords(next)}: parallelism at best ${say(atBest(program, site, next))}`
	}
	const shown = sites.slice(0, MOST_SITES).includes(site) ? sites.slice(0, MOST_SITES) : [site, ...sites.slice(0, MOST_SITES)]
	return (
		<figure>
			<div class="tools">
				<label>site <select value={String(shown.indexOf(site))} onChange={event => {
					const next = shown[Number(event.currentTarget.value)]!
					if (!isSelected(next))
						select(next)
				}}>
					{shown.map((each, i) => <option key={i} value={String(i)}>{percent(each.share)}  {each.name}  {each.where}</option>)}
				</select></label>
				<label class="slider">shorter <input type="range" min={0} max={STEPS} step={1} value={sliderOf(k)} aria-valuetext={kWords(k)} onInput={event => set(Number(event.currentTarget.value))} /> <output>{kWords(k)}</output></label>
			</div>
			<Result program={program} site={site} k={k} exact={exact} />
			<Board label={`parallelism at best if ${site.name} becomes shorter: ${say(atBest(program, site, k))} where it is ${kWords(k)}. Left and right change by how much.`} height={HEIGHT}
				draw={(context, width) => {
					frame.current = frameOf(program, site, exact, width)
					draw(context, frame.current, program, site, exact, k, width)
				}}
				tell={(x, y) => {
					if (!frame.current?.holds(x, y))
						return ''
					const at = frame.current.xAt(x)
					return `${site.name} ${kWords(at)}: parallelism at best ${say(atBest(program, site, at))}`
				}}
				cursor={() => 'ew-resize'}
				click={spot => set(sliderOf(Math.max(1, frame.current!.xAt(spot.x))))}
				drag={(_from, to) => set(sliderOf(Math.max(1, frame.current!.xAt(to.x))))}
				onKey={event => {
					const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -STEPS, End: STEPS }
					if (!(event.key in steps))
						return false
					set(sliderOf(k) + steps[event.key]!)
					return true
				}} />
		</figure>)
}
