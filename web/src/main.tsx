// SPDX-License-Identifier: MIT
// main.tsx: the frame of the page: header, tabs, search, source pane, the line of details, keys.
import { render } from 'preact'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { signal } from '@preact/signals'
import licences from '../LICENCES'
import { readData } from './data'
import type { Lens, View } from './data'
import { count, ns } from './format'
import { lensPages } from './lenses'
import type { Page } from './lenses'
import { Overview } from './overview'
import { SourcePane } from './source'
import { data, details, go, prints, recording, state, theme, toggle } from './state'
import { Table } from './table'
import { Compare } from './compare/compare'

const helps = signal(false)

// ---- keys ----

const KEYS: [string, string][] = [
	['o', 'overview'], ['1 … 6', 'a lens'], ['d', 'compare'], ['[ and ]', 'the view before, the next view'], ['/', 'search with a regular expression'],
	['Esc', 'end the search, then the selection'], ['f', 'show only rows of the selected routine'], ['v', 'the source of the selected place'],
	['i', 'invert'], ['s', 'sandwich: callers and callees of the selected routine'], ['arrows, Page, Home, End', 'move in a table or a picture'],
	['Enter', 'select'], ['left, right', 'close, open a row of a tree'], ['c', 'copy the row as Markdown'], ['+ and -', 'zoom a picture'], ['t', 'dark or light'], ['?', 'this help'],
]

function viewNames(lens: Lens): string[] {
	const own = lensPages[lens.name]?.pages.filter(page => page.needs.every(name => lens.view(name))).map(page => page.name) ?? []
	return [...own, ...lens.views.map(view => view.name)]
}

function step(by: number): void {
	const lens = recording.value.lens(state.value.tab)
	if (!lens)
		return
	const names = viewNames(lens), at = Math.max(0, names.indexOf(state.value.view || names[0]!))
	go({ view: names[(at + by + names.length) % names.length]! })
}

function escape(): void {
	if (helps.value)
		helps.value = false
	else if (state.value.find)
		go({ find: '' })
	else if (state.value.to)
		go({ from: 0, to: 0 })
	else if (state.value.routine || state.value.worker)
		go({ routine: '', site: '', worker: '', only: false })
	else
		go({ file: '', line: 0 })
}

function onKey(event: KeyboardEvent): void {
	const target = event.target as HTMLElement
	const types = target.matches('input:not([type=checkbox]):not([type=range]), select, textarea')
	if (event.key === 'Escape') {
		if (types)
			target.blur()
		escape()
		return
	}
	if (types || event.ctrlKey || event.metaKey || event.altKey)
		return
	const lenses = recording.value.lenses
	const lens = /^[1-9]$/.test(event.key) ? lenses[Number(event.key) - 1] : undefined
	const doing: Record<string, () => void> = {
		o: () => go({ tab: 'overview', view: '' }),
		d: () => data.value?.difference && go({ tab: 'compare', view: '' }),
		'/': () => document.querySelector<HTMLInputElement>('#find')?.focus(),
		'[': () => step(-1),
		']': () => step(1),
		f: () => go({ only: !state.value.only }),
		i: () => toggle('invert'),
		s: () => state.value.tab === 'idle' ? toggle('sandwich') : go({ tab: 'calls', view: 'sandwich' }),
		v: () => state.value.file ? go({ file: '', line: 0 }) : openSelected(),
		t: () => { theme.value = theme.value === 'dark' ? 'light' : 'dark' },
		'?': () => { helps.value = !helps.value },
	}
	if (lens)
		go({ tab: lens.name, view: '' })
	else if (Object.hasOwn(doing, event.key))
		doing[event.key]!()
	else
		return
	event.preventDefault()
}

function openSelected(): void {
	const [file = '', line = '0'] = state.value.site.split(':')
	const first = recording.value.sources[0]
	if (file)
		go({ file, line: Number(line) })
	else if (first)
		go({ file: first.path, line: 0 })
}

// ---- parts ----

function Header(): JSX.Element {
	const all = data.value!.recordings, run = recording.value.lenses.find(lens => lens.run)?.run
	return (
		<header>
			<h1>{recording.value.file}</h1>
			{all.length > 1 && (
				<label>recording <select value={String(state.value.recording)} onChange={event => go({ recording: Number(event.currentTarget.value) })}>
					{all.map((each, i) => <option key={i} value={String(i)}>{i === 0 ? 'old: ' : 'new: '}{each.file}</option>)}
				</select></label>)}
			{run && <span class="command">{run.command}</span>}
			{run && <span>{ns(run.wall_ns)} wall, {ns(run.cpu_ns)} CPU, {count(run.threads)} thread{run.threads === 1 ? '' : 's'}</span>}
			<span class="space" />
			<input id="find" type="search" placeholder="search (/)" aria-label="search with a regular expression" value={state.value.find} onInput={event => go({ find: event.currentTarget.value })} />
			<button onClick={() => { theme.value = theme.value === 'dark' ? 'light' : 'dark' }} aria-label="dark or light">◐</button>
			<button onClick={() => { helps.value = !helps.value }} aria-label="help" aria-expanded={helps.value}>?</button>
		</header>)
}

function Tabs(): JSX.Element {
	const tabs = ['overview', ...recording.value.lenses.map(lens => lens.name), ...(data.value!.difference ? ['compare'] : [])]
	return (
		<nav aria-label="lenses">
			{tabs.map(tab => {
				const lens = recording.value.lenses.find(lens => lens.name === tab)
				return (
					<button key={tab} aria-current={tab === state.value.tab ? 'page' : undefined} class={lens && !lens.measured ? 'missing' : ''} onClick={() => go({ tab, view: '' })}>
						{tab}
					</button>)
			})}
		</nav>)
}

function Selection(): JSX.Element | null {
	const { routine, worker, from, to, find, only } = state.value
	if (!routine && !worker && !to && !find)
		return null
	return (
		<div class="selection" role="region" aria-label="selection">
			{find && <button onClick={() => go({ find: '' })}>search: {find} ✕</button>}
			{routine && <button onClick={() => go({ routine: '', site: '', only: false })}>routine: {routine} ✕</button>}
			{routine && <label><input type="checkbox" checked={only} onChange={() => go({ only: !only })} /> only this routine (f)</label>}
			{worker && <button onClick={() => go({ worker: '' })}>worker: {worker} ✕</button>}
			{to > 0 && <button onClick={() => go({ from: 0, to: 0 })}>time: {ns(from)} to {ns(to)} ✕</button>}
		</div>)
}

const FIRST_SENTENCES = 3

// "(--view never)" leads to that view.
function Sentence({ lens, line }: { lens: Lens; line: string }): JSX.Element {
	const parts = line.split(/(--view [a-z-]+)/)
	return (
		<>{parts.map((part, i) => {
			const view = i % 2 ? part.slice('--view '.length) : ''
			return lens.view(view) ? <button class="link" key={i} onClick={() => go({ tab: lens.name, view })}>{part}</button> : part
		})}</>)
}

function Sentences({ lens }: { lens: Lens }): JSX.Element {
	const about = (line: number): string | undefined => lens.tags.find(tag => tag.from <= line && line < tag.to)?.routine
	const put = (line: string, i: number): JSX.Element => {
		const routine = about(i)
		return <li key={i}><Sentence lens={lens} line={line} />{routine && <> <button class="link" onClick={() => go({ tab: lens.name, routine, only: true })}>rows</button></>}</li>
	}
	const first = lens.openings + FIRST_SENTENCES, rest = lens.verdict.slice(first)
	return (
		<div class="verdict">
			<h2>{lens.question}</h2>
			<ul>{lens.verdict.slice(0, first).map(put)}</ul>
			{rest.length > 0 && <details open={prints.value}><summary>{rest.length} more</summary><ul>{rest.map((line, i) => put(line, first + i))}</ul></details>}
		</div>)
}

function LensView({ lens, view, page }: { lens: Lens; view: View | undefined; page: Page | undefined }): JSX.Element {
	if (page)
		return <page.show lens={lens} />
	if (!view)
		return <p>This recording has no such view.</p>
	const Picture = lensPages[lens.name]?.pictures[view.name]
	return (
		<>
			{Picture && <Picture lens={lens} view={view} />}
			{view.doubt && <p class="doubt">{view.doubt}</p>}
			<Table view={view} label={`${lens.name}: ${view.help}`} hints={lensPages[lens.name]?.tables?.[view.name]} />
		</>)
}

function LensPage({ name }: { name: string }): JSX.Element {
	const lens = recording.value.lenses.find(lens => lens.name === name)
	if (!lens)
		return <p>There is no lens {name}.</p>
	if (!lens.measured)
		return <p class="missing">{lens.question} Not measured: <code>skein record {lens.name} -- PROGRAM</code></p>
	const names = viewNames(lens), pages = lensPages[lens.name]?.pages ?? []
	const at = state.value.view || names[0]!
	const page = pages.find(page => page.name === at), view = lens.view(at)
	return (
		<>
			<Sentences lens={lens} />
			<div class="views" role="group" aria-label="views">
				{names.map(each => (
					<button key={each} aria-pressed={each === at} title={pages.find(page => page.name === each)?.help ?? lens.view(each)?.help} onClick={() => go({ view: each })}>
						{pages.find(page => page.name === each)?.title ?? each}
					</button>))}
			</div>
			<p class="help">{page?.help ?? view?.help}</p>
			<LensView key={at} lens={lens} view={page ? undefined : view} page={page} />
			{lens.caveats.length > 0 && (
				<details class="caveats"><summary>What may be wrong with these figures</summary><ul>{lens.caveats.map((line, i) => <li key={i}>{line}</li>)}</ul></details>)}
		</>)
}

function Help(): JSX.Element | null {
	const box = useRef<HTMLDivElement>(null)
	useEffect(() => { if (helps.value) box.current?.focus() }, [helps.value])
	if (!helps.value)
		return null
	return (
		<div class="keys" role="dialog" aria-label="keys" tabIndex={-1} ref={box}>
			<h2>Keys</h2>
			<dl>{KEYS.map(([key, words]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{words}</dd></div>)}</dl>
			<p>Click a heading to sort, with Shift to sort by a second column. Double-click a row to see its source. The address holds all that is shown: a copy of it restores this page.</p>
			<details><summary>licences</summary><pre>{licences}</pre></details>
			<button onClick={() => { helps.value = false }}>close</button>
		</div>)
}

// By itself: it changes with each move of the pointer.
function Details(): JSX.Element {
	return <footer aria-live="polite">{details.value || `Skein ${data.value!.skein}`}</footer>
}

function Frame(): JSX.Element {
	document.documentElement.dataset['theme'] = theme.value
	document.title = `${recording.value.file}: ${state.value.tab}`
	const { tab } = state.value
	return (
		<>
			<Header />
			<Tabs />
			<Selection />
			<div class="panes">
				<main tabIndex={-1}>
					{tab === 'overview' ? <Overview /> : tab === 'compare' && data.value!.difference ? <Compare difference={data.value!.difference} /> : <LensPage key={tab} name={tab} />}
				</main>
				<SourcePane />
			</div>
			<Details />
			<Help />
		</>)
}

async function start(): Promise<void> {
	const root = document.querySelector('#page')!
	try {
		data.value = await readData(document.querySelector('#skein-data')!)
	} catch {
		root.textContent = ''
		render(<main><h1>Skein</h1><p>This page cannot be read: it was cut off or changed, or the browser is older than Chromium 105 or Firefox 115.</p></main>, root)
		return
	}
	root.textContent = ''
	render(<Frame />, root)
	addEventListener('keydown', onKey)
	document.documentElement.dataset['ready'] = 'true'
}

void start()
