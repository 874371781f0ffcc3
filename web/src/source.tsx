// SPDX-License-Identifier: MIT
// source.tsx: the source pane: a file with the figures that lenses have for its lines.
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { JSX } from 'preact'
import hljs from 'highlight.js/lib/core'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import type { Sheet, Source } from './data'
import { cell } from './format'
import { go, marks, recording, state } from './state'

hljs.registerLanguage('c', c)
hljs.registerLanguage('cpp', cpp)

const MOST_COLOURED = 400_000 // characters; a larger file is shown without colours

// What highlight.js makes: text and spans with a class. Anything else is text.
function coloured(html: string): JSX.Element[][] {
	const lines: JSX.Element[][] = [[]], open: string[] = []
	const body = new DOMParser().parseFromString(`<pre>${html}</pre>`, 'text/html').querySelector('pre')!
	const walk = (node: Node): void => {
		if (node.nodeType === Node.TEXT_NODE) {
			(node.textContent ?? '').split('\n').forEach((text, i) => {
				if (i)
					lines.push([])
				if (text)
					lines.at(-1)!.push(<span class={open.at(-1)}>{text}</span>)
			})
			return
		}
		open.push((node as Element).className || open.at(-1) || '')
		node.childNodes.forEach(walk)
		open.pop()
	}
	body.childNodes.forEach(walk)
	return lines
}

function languageOf(path: string): string {
	return /\.(c|h)$/.test(path) ? 'c' : 'cpp'
}

function linesOf(source: Source): JSX.Element[][] {
	const text = source.lines.join('\n')
	if (text.length > MOST_COLOURED)
		return source.lines.map(line => [<span>{line}</span>])
	return coloured(hljs.highlight(text, { language: languageOf(source.path), ignoreIllegals: true }).value)
}

// What each lens has to say of a line, in a few columns. On the page of a lens there are its own, else the first of each.
const FIGURES: Record<string, string[]> = {
	calls: ['calls', 'direct_ns', 'elapsed_ns'], span: ['span', 'work'], idle: ['work_ns', 'idle_ns'], paths: ['count'], input: ['cost'], flow: ['waited_ns'],
}

interface Figures { lens: string; sheet: Sheet; names: string[]; rows: Map<number, number> }

function figuresOf(source: Source, tab: string): Figures[] {
	const to: Figures[] = [], isOfLens = source.figures.has(tab)
	for (const [lens, sheet] of source.figures) {
		const known = (FIGURES[lens] ?? []).filter(name => sheet.find(name))
		const line = sheet.find('line'), names = isOfLens ? known : known.slice(0, 1)
		if (!line || !names.length || (isOfLens && lens !== tab))
			continue
		const rows = new Map<number, number>()
		for (let row = 0; row < sheet.rows; row++) {
			const at = line.number(row)
			if (!rows.has(at) && names.some(name => !sheet.column(name).isEmpty(row)))
				rows.set(at, row)
		}
		to.push({ lens, sheet, names, rows })
	}
	return to
}

function endsAlike(a: string, b: string): boolean {
	return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
}

export function SourcePane(): JSX.Element | null {
	const { file, line } = state.value
	const source = recording.value.sources.find(source => endsAlike(source.path, file))
	const lines = useMemo(() => source ? linesOf(source) : [], [source])
	const figures = useMemo(() => source ? figuresOf(source, state.value.tab) : [], [source, state.value.tab])
	const marked = useMemo(() => source && [...marks.value].find(([name]) => endsAlike(source.path, name))?.[1], [source, marks.value])
	const box = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const at = box.current?.querySelector(`[data-line="${line}"]`)
		at?.scrollIntoView({ block: 'center' })
	}, [source, line])
	if (!file)
		return null
	return (
		<aside class="source" aria-label="source">
			<div class="tools">
				<strong>{file}</strong>{source?.newer && <span class="doubt">This file is newer than the recording.</span>}
				<select aria-label="file" value={source?.path ?? ''} onChange={event => go({ file: event.currentTarget.value, line: 0 })}>
					{!source && <option value="">choose a file</option>}
					{recording.value.sources.map(each => <option key={each.path} value={each.path}>{each.path}</option>)}
				</select>
				<button onClick={() => go({ file: '', line: 0 })}>close</button>
			</div>
			{!source && <p>The source of {file} is not in the page: it could not be read, is a header of the system, or was left out.</p>}
			{source && (
				<div class="lines" ref={box} tabIndex={0} role="region" aria-label={`lines of ${file}`}>
					<table>
						<thead><tr><th class="number">line</th>{figures.flatMap(each => each.names.map(name => <th class="number" key={each.lens + name}>{each.lens === state.value.tab ? '' : `${each.lens}: `}{each.sheet.column(name).title || name.replace(/_ns$/, '')}</th>))}<th>source</th></tr></thead>
						<tbody>
							{lines.map((text, i) => (
								<tr key={i} data-line={i + 1} class={`${i + 1 === line ? 'selected' : ''}${marked?.has(i + 1) ? ' marked' : ''}`}>
									<th class="number" scope="row">{i + 1}</th>
									{figures.flatMap(each => each.names.map(name => {
										const row = each.rows.get(i + 1)
										return <td class="number" key={each.lens + name}>{row === undefined ? '' : cell(each.sheet.column(name), row)}</td>
									}))}
									<td class="code">{text}</td>
								</tr>))}
						</tbody>
					</table>
				</div>)}
		</aside>)
}
