// SPDX-License-Identifier: MIT
// state.ts: what is shown and what is selected, as one value that every view obeys. It stands in the address, so a link restores it:
//
//     #/idle/top-down?routine=parse&find=^p&sort=-work_ns&from=1000000&to=2000000
//
// Steps from page to page can be gone back; all other changes replace the address.
import { computed, signal } from '@preact/signals'
import type { Data } from './data'

export interface State {
	tab: string          // overview, compare, or a lens
	view: string         // of the lens; '': its first one
	recording: number    // which of two
	routine: string      // selected; '': none
	site: string         // FILE:LINE; '': none
	worker: string       // a worker or thread, by its number; '': all
	from: number; to: number // nanoseconds of the run; to 0: all of it
	metric: string       // what widths and orders go by, where a page has several; '': its first one
	find: string         // a regular expression; '': everything
	only: boolean        // tables show only rows that name the selected routine
	sort: string         // columns of the table, divided by commas, with - before one that goes down; '': as `skein report` has it
	mode: string         // what a page can be asked besides: inverted, linear, …; words divided by commas
	file: string; line: number // in the source pane; '': closed
}

const empty: State = {
	tab: 'overview', view: '', recording: 0, routine: '', site: '', worker: '', from: 0, to: 0, metric: '', find: '', only: false, sort: '',
	mode: '', file: '', line: 0,
}

// An address may be cut off, or typed.
function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}

function parse(hash: string): State {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
	const [tab, view] = path.split('/').map(decoded)
	const asked = new URLSearchParams(query)
	const number = (name: string): number => Number(asked.get(name)) || 0
	return {
		tab: tab || 'overview', view: view ?? '', recording: number('recording') === 1 ? 1 : 0, routine: asked.get('routine') ?? '',
		site: asked.get('site') ?? '', worker: asked.get('worker') ?? '', from: number('from'), to: number('to'), metric: asked.get('metric') ?? '',
		find: asked.get('find') ?? '', only: asked.has('only'), sort: asked.get('sort') ?? '', mode: asked.get('mode') ?? '',
		file: asked.get('file') ?? '', line: number('line'),
	}
}

export function address(state: State): string {
	const asked = new URLSearchParams()
	for (const [name, value] of Object.entries(state))
		if (name !== 'tab' && name !== 'view' && value !== empty[name as keyof State])
			asked.set(name, value === true ? '1' : String(value))
	const query = asked.toString()
	return `#/${encodeURIComponent(state.tab)}${state.view ? `/${encodeURIComponent(state.view)}` : ''}${query ? `?${query}` : ''}`
}

export const state = signal<State>(parse(location.hash))
export const data = signal<Data | undefined>(undefined)
export const marks = signal<ReadonlyMap<string, ReadonlySet<number>>>(new Map()) // lines that the source pane marks, by file
export const details = signal('') // the line at the bottom: what is under the pointer or the cursor

addEventListener('hashchange', () => {
	if (location.hash !== address(state.value))
		state.value = parse(location.hash)
})

// The order and the modes of one page mean nothing on another.
export function go(change: Partial<State>): void {
	const moves = (change.tab !== undefined && change.tab !== state.value.tab) || (change.view !== undefined && change.view !== state.value.view)
	const next = { ...state.value, ...(moves ? { sort: '', mode: '', metric: '' } : {}), ...change }
	state.value = next
	if (moves)
		history.pushState(null, '', address(next))
	else
		history.replaceState(null, '', address(next))
	details.value = ''
}
addEventListener('popstate', () => { state.value = parse(location.hash) })

export const recording = computed(() => {
	const all = data.value?.recordings ?? []
	return all[state.value.recording] ?? all[0]!
})

// Whether a text is found. A pattern that is no regular expression is looked for as it is.
export const finder = computed<(text: string) => boolean>(() => {
	const asked = state.value.find
	if (!asked)
		return () => true
	try {
		const pattern = new RegExp(asked, 'i')
		return text => pattern.test(text)
	} catch {
		const low = asked.toLowerCase()
		return text => text.toLowerCase().includes(low)
	}
})

export const modes = computed(() => new Set(state.value.mode.split(',').filter(Boolean)))
export function toggle(mode: string): void {
	const now = new Set(modes.value)
	if (!now.delete(mode))
		now.add(mode)
	go({ mode: [...now].join(',') })
}

// A mode that has a value: NAME=VALUE.
export function option(name: string): string {
	return state.value.mode.split(',').find(word => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
export function setOption(name: string, value: string): void {
	const others = state.value.mode.split(',').filter(word => word && !word.startsWith(`${name}=`))
	go({ mode: [...others, ...(value ? [`${name}=${value}`] : [])].join(',') })
}

// ---- theme ----

const query = matchMedia('(prefers-color-scheme: dark)')
export const theme = signal<'light' | 'dark'>(query.matches ? 'dark' : 'light')
query.addEventListener('change', () => { theme.value = query.matches ? 'dark' : 'light' })
export const stillness = matchMedia('(prefers-reduced-motion: reduce)').matches

// Whether the page is being printed: then tables have rows that are not on the screen, and colours are those for paper.
const paper = matchMedia('print')
export const prints = signal(false)
let themeOfScreen = theme.value
function print(now: boolean): void {
	if (now === prints.value)
		return
	if (now)
		themeOfScreen = theme.value
	prints.value = now
	theme.value = now ? 'light' : themeOfScreen
}
print(paper.matches)
paper.addEventListener('change', () => print(paper.matches))
addEventListener('beforeprint', () => print(true))
addEventListener('afterprint', () => print(false))
