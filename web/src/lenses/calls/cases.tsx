// SPDX-License-Identifier: MIT
// cases.tsx: the paper's four cases of a call (section 3.4.2), with their numbers of calls. Times are not added up here: the time of an
// arc contains those of the arcs below it.
import type { JSX } from 'preact'
import type { Lens, View } from '../../data'
import { count, percent } from '../../format'
import { option, setOption } from '../../state'

const CASES: [string, string][] = [
	['S-S', 'the program was sequential when the caller was entered, and the caller had not forked: callee and caller take turns'],
	['S-C', 'entered sequentially, and had forked: the callee runs beside its caller, such as a thread or the body of a parallel loop'],
	['C-S', 'entered while others worked, and had not forked: a worker calls'],
	['C-C', 'entered while others worked, and had forked: parallelism in parallelism, which the paper excludes'],
]

export function Cases({ view }: { lens: Lens; view: View }): JSX.Element | null {
	const { sheet } = view, kind = sheet.find('case'), calls = sheet.find('calls')
	if (!kind || !calls)
		return null
	const sums = new Map<string, { calls: number; arcs: number }>()
	let all = 0
	for (let row = 0; row < sheet.rows; row++) {
		const name = kind.text(row), sum = sums.get(name) ?? { calls: 0, arcs: 0 }
		sum.calls += calls.number(row)
		sum.arcs++
		all += calls.number(row)
		sums.set(name, sum)
	}
	if (!CASES.some(([name]) => sums.has(name)))
		return null
	return (
		<div class="cards" role="group" aria-label="the four cases of a call">
			{CASES.map(([name, words]) => {
				const sum = sums.get(name), isShown = option('case') === name
				return (
					<button key={name} disabled={!sum} aria-pressed={isShown} onClick={() => setOption('case', isShown ? '' : name)}>
						<strong>{name}</strong> {sum ? `${count(sum.calls)} calls, ${percent(100 * sum.calls / all)}, in ${count(sum.arcs)} ${sum.arcs === 1 ? 'row' : 'rows'}` : 'none'}
						<span class="share"><i style={{ width: `${sum ? 100 * sum.calls / all : 0}%` }} /></span>
						<small>{words}</small>
					</button>)
			})}
		</div>)
}
