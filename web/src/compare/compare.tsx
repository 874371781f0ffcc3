// SPDX-License-Identifier: MIT
// compare.tsx: two recordings: what got worse and what got better, apart; what is new, gone, or the same under another name; and call
// paths of both in one picture. The rows are those of `skein diff --csv`.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Data, Sheet } from '../data'
import { amount, count, ns, percent } from '../format'
import type { Hints } from '../hints'
import { data, go, modes, option, setOption, state, toggle } from '../state'
import { Table } from '../table'
import { Flame, metricShown } from './flame'
import { treeOfBoth } from './tree'

type Difference = NonNullable<Data['difference']>

const KINDS: { name: string; title: string; verdicts: string[]; once: boolean }[] = [
	{ name: 'worse', title: 'Worse', verdicts: ['worse'], once: false },
	{ name: 'better', title: 'Better', verdicts: ['better'], once: false },
	{ name: 'new', title: 'New', verdicts: ['new'], once: true },
	{ name: 'gone', title: 'Gone', verdicts: ['gone'], once: true },
	{ name: 'same', title: 'Renamed, inlined or moved', verdicts: ['renamed', 'inlined', 'moved'], once: false },
	{ name: 'other', title: 'Other: neither worse nor better, or too small to matter', verdicts: ['other'], once: false },
]

// A figure in its unit, which its name tells.
export function figureText(figure: string, digits: string): string {
	const value = Number(digits)
	if (digits === '' || Number.isNaN(value))
		return digits
	const sign = value < 0 ? '-' : '', size = Math.abs(value)
	if (/_ns$/.test(figure))
		return sign + ns(size)
	if (/_pct/.test(figure) || /^coverage/.test(figure))
		return sign + percent(size)
	return sign + (Number.isInteger(value) ? amount(size) : size >= 1e6 ? amount(size) : size.toFixed(2))
}

// As diff_percent of src/report/diff/diff.c: a change has its sign, and one beyond 1,000 % is a factor.
function changePercent(value: number): string {
	const size = Math.abs(value)
	if (value >= 1000)
		return `x ${count(value / 100 + 1.5)}`
	const digits = (value < 0 && size >= 99.5 && size < 100) || size < 0.05 ? 2 : size >= 9.95 ? 0 : 1
	return `${value < 0 ? '-' : '+'}${size.toFixed(digits)} %`
}

function textOf(sheet: Sheet, column: string, row: number): string | undefined {
	const digits = sheet.column(column).digits(row)
	switch (column) {
	case 'name': return sheet.column('what').text(row) === 'run' ? 'the run' : undefined
	case 'old': case 'new': return figureText(sheet.column('figure').text(row), digits)
	case 'change': {
		const change = figureText(sheet.column('figure').text(row), digits), pct = textOf(sheet, 'change_pct', row)
		return `${Number(digits) > 0 ? '+' : ''}${change}${pct ? `  (${pct})` : ''}`
	}
	case 'change_pct': case 'of_all_pct': return digits === '' ? '' : changePercent(Number(digits))
	default: return undefined
	}
}

const hints: Hints = {
	columns: ['name', 'figure', 'old', 'new', 'change', 'of_all_pct', 'sure', 'lens', 'what', 'where'],
	titles: { of_all_pct: 'of all' },
	text: textOf,
}
const hintsOfSame: Hints = { ...hints, columns: ['verdict', ...hints.columns!] }

// Rows of each kind: contexts have a picture of their own, and what is new or gone is one thing, whatever its figures.
function kindsOf(sheet: Sheet, contexts: boolean, ofLens: string, ofWhat: string): Map<string, Uint8Array> {
	const verdict = sheet.column('verdict'), what = sheet.column('what'), lens = sheet.column('lens'), name = sheet.column('name'), file = sheet.column('file'), line = sheet.column('line')
	const kinds = new Map(KINDS.map(kind => [kind.name, new Uint8Array(sheet.rows)])), met = new Set<string>()
	for (let row = 0; row < sheet.rows; row++) {
		const kind = KINDS.find(kind => kind.verdicts.includes(verdict.text(row)))
		if (!kind || (!contexts && what.text(row) === 'context') || (ofLens && lens.text(row) !== ofLens) || (ofWhat && what.text(row) !== ofWhat))
			continue
		if (kind.once) {
			const key = [lens, what, name, file].map(column => column.reference(row)).join(' ') + ` ${line.digits(row)} ${kind.name}`
			if (met.has(key))
				continue
			met.add(key)
		}
		kinds.get(kind.name)![row] = 1
	}
	return kinds
}

function sum(rows: Uint8Array): number {
	let all = 0
	for (const is of rows)
		all += is
	return all
}

function Rows({ difference, rows, name, title }: { difference: Difference; rows: Uint8Array; name: string; title: string }): JSX.Element {
	const only = useMemo(() => (row: number) => rows[row] === 1, [rows])
	return <Table view={{ name: `difference-${name}`, sheet: difference.sheet, of: difference.sheet.rows }} label={`${title}: figures`} hints={name === 'same' ? hintsOfSame : hints} part={{ only }} />
}

function Choice({ sheet, column, name, title, all }: { sheet: Sheet; column: string; name: string; title: string; all: string }): JSX.Element {
	const values = useMemo(() => {
		const found = new Set<string>()
		for (let row = 0; row < sheet.rows; row++)
			found.add(sheet.column(column).text(row))
		return [...found]
	}, [sheet])
	return (
		<label>{title} <select value={option(name)} onChange={event => setOption(name, event.currentTarget.value)}>
			<option value="">{all}</option>
			{values.map(value => <option key={value} value={value}>{value}</option>)}
		</select></label>)
}

function Changes({ difference }: { difference: Difference }): JSX.Element {
	const contexts = modes.value.has('contexts'), lens = option('lens'), what = option('of')
	const kinds = useMemo(() => kindsOf(difference.sheet, contexts, lens, what), [difference, contexts, lens, what])
	const has = (name: string): number => sum(kinds.get(name)!)
	const [worse, better, ...others] = KINDS
	return (
		<>
			<div class="tools">
				<Choice sheet={difference.sheet} column="lens" name="lens" title="lens" all="all lenses" />
				<Choice sheet={difference.sheet} column="what" name="of" title="of" all="everything" />
				<label><input type="checkbox" checked={contexts} onChange={() => toggle('contexts')} /> call paths, too</label>
			</div>
			<div class="sides">
				{[worse!, better!].map(kind => (
					<div key={kind.name} class={`side ${kind.name}`}>
						<h3>{kind.name === 'worse' ? '▲' : '▼'} {kind.title} <small>{count(has(kind.name))} figure{has(kind.name) === 1 ? '' : 's'}</small></h3>
						{has(kind.name) ? <Rows difference={difference} rows={kinds.get(kind.name)!} name={kind.name} title={kind.title} /> : <p class="help">Nothing.</p>}
					</div>))}
			</div>
			{others.map(kind => has(kind.name) > 0 && (
				<details key={kind.name} class="kind">
					<summary>{kind.title}: {count(has(kind.name))}</summary>
					<Rows difference={difference} rows={kinds.get(kind.name)!} name={kind.name} title={kind.title} />
				</details>))}
		</>)
}

function Paths({ difference }: { difference: Difference }): JSX.Element {
	const [old, now] = data.value!.recordings, tree = useMemo(() => old && now && treeOfBoth(old, now), [old, now])
	const what = difference.sheet.column('what'), figures = difference.sheet.column('figure'), figure = `${metricShown()}_ns`
	const only = useMemo(() => (row: number) => what.text(row) === 'context' && figures.text(row) === figure, [difference, figure])
	if (!tree?.count)
		return <p class="missing">Both recordings need call paths of the lens idle: <code>skein record idle -- PROGRAM</code></p>
	return (
		<>
			<Flame tree={tree} />
			<Table view={{ name: 'difference-contexts', sheet: difference.sheet, of: difference.sheet.rows }} label="call paths that differ" hints={hints} part={{ only }} />
		</>)
}

const VIEWS = [
	{ name: 'changes', help: 'what got worse and what got better, then what is new, gone, or the same under another name', show: Changes },
	{ name: 'call paths', help: 'the effort of both recordings by call path (lens idle)', show: Paths },
]

// What got worse or better at once, the rest on wish.
function Verdict({ lines }: { lines: string[] }): JSX.Element {
	const first = lines.filter(line => /\b(worse|better)\b/.test(line)), others = lines.filter(line => !first.includes(line))
	return (
		<>
			<ul>{first.map((line, i) => <li key={i}>{line}</li>)}</ul>
			{others.length > 0 && <details><summary>{count(others.length)} more: what is new, gone, renamed or moved</summary><ul>{others.map((line, i) => <li key={i}>{line}</li>)}</ul></details>}
		</>)
}

export function Compare({ difference }: { difference: Difference }): JSX.Element {
	const view = VIEWS.find(view => view.name === state.value.view) ?? VIEWS[0]!, [old, now] = data.value!.recordings
	return (
		<>
			<div class="verdict"><h2>What differs between old ({old?.file}) and new ({now?.file})?</h2><Verdict lines={difference.verdict} /></div>
			<div class="views" role="group" aria-label="views">
				{VIEWS.map(each => <button key={each.name} aria-pressed={each === view} title={each.help} onClick={() => go({ view: each.name })}>{each.name}</button>)}
			</div>
			<p class="help">{view.help}</p>
			<view.show difference={difference} />
			{difference.caveats.length > 0 && (
				<details class="caveats"><summary>What may be wrong with these figures</summary><ul>{difference.caveats.map((line, i) => <li key={i}>{line}</li>)}</ul></details>)}
		</>)
}
