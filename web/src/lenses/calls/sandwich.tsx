// SPDX-License-Identifier: MIT
// sandwich.tsx: a routine with its callers above it and its callees below it. Counts and times are those of the view family, cases
// those of the views arcs and callees. A name walks on; the way that was walked stands above, and leads back.
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Lens, Sheet } from '../../data'
import { amount, count, ns, percent, place } from '../../format'
import { placeOf } from '../../rows'
import { details, finder, go, state } from '../../state'
import { Table } from '../../table'
import { callsTables } from './tables'

interface Case { name: string; calls: number; ns: number }
interface Place { file: string; line: number }
interface Row {
	relation: string; name: string; calls: number; ns: number; share: number; direct: number
	where: Place | undefined
	cases: Case[]
}

// The way that was walked.
const trail = signal<string[]>([])
const MOST_TRAIL = 12, OUTSIDE = '(outside)'

// Rows of a family stand together; equal names are families of their own.
function familiesOf(sheet: Sheet): Map<string, number[]> {
	const routine = sheet.column('routine'), to = new Map<string, number[]>()
	for (let row = 0; row < sheet.rows; row++) {
		const name = routine.text(row)
		const had = to.get(name)
		if (had)
			had.push(row)
		else
			to.set(name, [row])
	}
	return to
}

function sumCases(list: Case[]): Case[] {
	const to = new Map<string, Case>()
	for (const each of list) {
		const sum = to.get(each.name) ?? { name: each.name, calls: 0, ns: 0 }
		to.set(each.name, { name: each.name, calls: sum.calls + each.calls, ns: sum.ns + (each.ns || 0) })
	}
	return [...to.values()].sort((a, b) => b.calls - a.calls)
}

type Arcs = Map<string, { cases: Case[]; where: Place | undefined }>
const known = new WeakMap<Sheet, Arcs>()

// Cases of all arcs, by caller and callee.
function arcsOf(sheet: Sheet): Arcs {
	const before = known.get(sheet)
	if (before)
		return before
	const caller = sheet.column('caller'), callee = sheet.column('callee'), kind = sheet.find('case'), calls = sheet.column('calls'), time = sheet.find('elapsed_ns')
	const to: Arcs = new Map()
	for (let row = 0; row < sheet.rows; row++) {
		const key = `${caller.text(row)}\n${callee.text(row)}`, had = to.get(key) ?? { cases: [], where: placeOf(sheet, row) }
		had.cases.push({ name: kind?.text(row) ?? '', calls: calls.number(row), ns: time?.number(row) ?? NaN })
		to.set(key, had)
	}
	known.set(sheet, to)
	return to
}

// The paper's callee counts: what a routine called in all, by case.
function calledBy(lens: Lens, routine: string): Case[] {
	const sheet = lens.view('callees')?.sheet, kind = sheet?.find('case'), worker = sheet?.find('worker'), to: Case[] = []
	if (!sheet || !kind)
		return to
	for (let row = 0; row < sheet.rows; row++)
		if (sheet.column('routine').text(row) === routine && (!worker || worker.digits(row) === 'all'))
			to.push({ name: kind.text(row), calls: sheet.column('callee_calls').number(row), ns: sheet.find('callee_elapsed_ns')?.number(row) ?? NaN })
	return sumCases(to)
}

function rowsOf(lens: Lens, at: number[]): Row[] {
	const sheet = lens.view('family')!.sheet, arcs = arcsOf(lens.view('arcs')!.sheet)
	const number = (name: string, row: number): number => sheet.find(name)?.number(row) ?? NaN
	return at.map(row => {
		const relation = sheet.column('relation').text(row), name = sheet.column('name').text(row), routine = sheet.column('routine').text(row)
		const arc = relation === 'self' ? undefined : arcs.get(relation === 'parent' ? `${name}\n${routine}` : `${routine}\n${name}`)
		return {
			relation, name, calls: number('calls', row), ns: number('elapsed_ns', row), share: number('share_pct', row), direct: number('direct_ns', row),
			where: arc?.where, cases: sumCases(arc?.cases ?? []),
		}
	})
}

function caseText({ name, calls, ns: time }: Case): string {
	return `${name ? `${name} ` : ''}${count(calls)}${time > 0 ? ` (${ns(time)})` : ''}`
}

function figureOf(value: number, say: (value: number) => string): string {
	return Number.isNaN(value) ? '' : say(value)
}

// The part of the run that it has, and the part that is its own.
function selfText(row: Row): string {
	return [
		Number.isNaN(row.share) ? '' : `${percent(row.share)} of the time of all workers`,
		Number.isNaN(row.direct) ? '' : `${ns(row.direct)} in itself, without callees and waiting`,
	].filter(Boolean).join('; ')
}

export function walk(routine: string): void {
	if (routine === OUTSIDE || routine === '')
		return
	const before = trail.value, known = before.indexOf(routine)
	trail.value = known >= 0 ? before.slice(0, known + 1) : [...before, routine].slice(-MOST_TRAIL)
	go({ routine, site: '' })
}

function Line({ row, isAt, onWalk }: { row: Row; isAt: boolean; onWalk: (name: string) => void }): JSX.Element {
	const isSelf = row.relation === 'self'
	const tell = (): void => {
		const words = isSelf ? 'in all' : row.relation === 'parent' ? 'calls it' : 'is called by it'
		details.value = `${row.name} ${words}: ${count(row.calls)} calls${Number.isNaN(row.ns) ? '' : `, ${ns(row.ns)}`}${row.cases.length ? ` · ${row.cases.map(caseText).join(', ')}` : ''}`
	}
	return (
		<tr class={`${isSelf ? 'selected ' : ''}${isAt ? 'cursor' : ''}${state.value.find && !finder.value(row.name) ? ' dim' : ''}`} onMouseEnter={tell}>
			<th scope="row">
				{isSelf ? <strong>{row.name}</strong> : row.name === OUTSIDE
					? <span title="code that was not built with skein-cc">{OUTSIDE}</span>
					: <button class="link" tabIndex={-1} onClick={() => onWalk(row.name)}>{row.name}</button>}
			</th>
			<td class="number">{amount(row.calls)}</td>
			<td class="number">{figureOf(row.ns, ns)}</td>
			<td class="number">{isSelf ? '' : figureOf(row.share, percent)}</td>
			<td>{!isSelf && <span class="share"><i style={{ width: `${Math.min(100, row.share || 0)}%` }} /></span>}</td>
			<td>{isSelf ? selfText(row) : row.cases.map(caseText).join(', ')}</td>
			<td>{row.where && <button class="link" tabIndex={-1} onClick={() => go({ ...row.where! })}>{place(row.where.file, row.where.line)}</button>}</td>
		</tr>)
}

function Picker({ names, at }: { names: string[]; at: string }): JSX.Element {
	// The same options are not looked at again.
	const options = useMemo(() => names.map(name => <option key={name} value={name}>{name}</option>), [names])
	return (
		<div class="tools">
			<label>routine <select value={at} onChange={event => walk(event.currentTarget.value)}>
				{!names.includes(at) && <option value={at}>{at}</option>}
				{options}
			</select></label>
			{trail.value.length > 1 && (
				<span role="group" aria-label="the way that was walked">
					{trail.value.map((name, i) => <span key={name}>{i ? ' › ' : ''}<button class="link" onClick={() => walk(name)}>{name}</button></span>)}
				</span>)}
			<span>Up and down move, Enter walks on, Backspace goes back.</span>
		</div>)
}

function Family({ lens, routine, at }: { lens: Lens; routine: string; at: number[] }): JSX.Element {
	const rows = useMemo(() => rowsOf(lens, at), [lens, at])
	const hasTimes = rows.some(row => !Number.isNaN(row.ns)), its = routine.length > 24 ? 'its' : `${routine}'s`
	const self = rows.findIndex(row => row.relation === 'self')
	const [cursor, setCursor] = useState(self)
	useEffect(() => setCursor(self), [routine])
	const groups: [string, string, Row[]][] = [
		['parent', 'callers', rows.filter(row => row.relation === 'parent')],
		['self', '', rows.filter(row => row.relation === 'self')],
		['child', 'callees', rows.filter(row => row.relation === 'child')],
	]
	const order = groups.flatMap(([, , list]) => list), called = useMemo(() => calledBy(lens, routine), [lens, routine])
	const onKey = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
			setCursor(Math.max(0, Math.min(order.length - 1, cursor + (event.key === 'ArrowDown' ? 1 : -1))))
		else if (event.key === 'Enter' && order[cursor])
			walk(order[cursor]!.name)
		else if (event.key === 'Backspace' && trail.value.length > 1)
			walk(trail.value.at(-2)!)
		else
			return
		event.preventDefault()
		event.stopPropagation()
	}
	return (
		<div class="family" tabIndex={0} role="region" aria-label={`callers and callees of ${routine}`} onKeyDown={onKey}>
			<table>
				<thead><tr>
					<th scope="col">routine</th><th scope="col" class="number">calls</th><th scope="col" class="number">time</th>
					<th scope="col" class="number">of {its} {hasTimes ? 'time' : 'calls'}</th><td />
					<th scope="col">{hasTimes ? 'cases: calls and time' : 'calls of arcs'}</th><th scope="col">call at</th>
				</tr></thead>
				{groups.map(([relation, title, list]) => (
					<tbody key={relation}>
						{title && <tr class="part"><th colSpan={7} scope="colgroup">{title}{list.length ? ` (${list.length})` : ': none'}{relation === 'child' && called.length > 0 ? `; in all ${called.map(caseText).join(', ')}` : ''}</th></tr>}
						{list.map((row, i) => <Line key={i} row={row} isAt={row === order[cursor]} onWalk={walk} />)}
					</tbody>))}
			</table>
		</div>)
}

export function Sandwich({ lens }: { lens: Lens }): JSX.Element {
	const routines = lens.view('routines')!, family = lens.view('family')!.sheet
	const families = useMemo(() => familiesOf(family), [family])
	const names = useMemo(() => [...families.keys()].sort((a, b) => a < b ? -1 : 1), [families])
	const first = routines.sheet.rows ? routines.sheet.column('routine').text(0) : ''
	const routine = state.value.routine || first, at = families.get(routine)
	useEffect(() => {
		if (routine && trail.value.at(-1) !== routine && families.has(routine))
			trail.value = [...trail.value.filter(name => name !== routine), routine].slice(-MOST_TRAIL)
	}, [routine])
	return (
		<>
			<Picker names={names} at={routine} />
			{at ? <Family lens={lens} routine={routine} at={at} /> : <p class="missing">{routine}: this recording has no calls of it. Choose another routine.</p>}
			{state.value.worker && <p class="help">Callers and callees are those of all workers; the table is about worker {state.value.worker}.</p>}
			<Table view={routines} label={`calls: ${routines.help}`} hints={callsTables['routines']} />
		</>)
}
