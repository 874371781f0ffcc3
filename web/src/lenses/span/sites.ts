// SPDX-License-Identifier: MIT
// sites.ts: the call sites of a recording, each with its figures on work and on the span, and figures of the whole program.
import type { Lens, Sheet } from '../../data'
import { amount, place } from '../../format'
import { go, state } from '../../state'

export interface Site {
	file: string; line: number; caller: string; callee: string; kind: string
	name: string; where: string
	localSpan: number; share: number      // on the span, without callees; the share in percent
	spanCount: number
	parallelism: number                   // on the span, with callees; NaN: none
	localWork: number
}

const UNITS: Record<string, string> = { '': 'instructions', insn: 'instructions', tsc: 'ticks' }

export interface Program { work: number; span: number; parallelism: number; cores: number; unit: string }

interface Sites { sites: Site[]; ofRow: Site[] }
const known = new WeakMap<Sheet, Sites>()

function read(sheet: Sheet): Sites {
	const had = known.get(sheet)
	if (had)
		return had
	const all = new Map<string, Site>(), ofRow: Site[] = []
	const [file, line, column, caller, callee, kind, profile, measure, count, work, span, parallelism] =
		['file', 'line', 'column', 'caller', 'callee', 'kind', 'profile', 'measure', 'count', 'work', 'span', 'parallelism'].map(name => sheet.column(name))
	const share = sheet.find('span_share')
	for (let row = 0; row < sheet.rows; row++) {
		const key = `${file!.text(row)}:${line!.digits(row)}:${column!.digits(row)} ${kind!.text(row)} ${caller!.text(row)} ${callee!.text(row)}`
		let site = all.get(key)
		if (!site) {
			const from = caller!.text(row), to = callee!.text(row)
			all.set(key, site = {
				file: file!.text(row), line: line!.number(row), caller: from, callee: to, kind: kind!.text(row), name: `${from} -> ${to}`,
				where: place(file!.text(row), line!.number(row)), localSpan: 0, share: 0, spanCount: 0, parallelism: NaN, localWork: 0,
			})
		}
		ofRow.push(site)
		const what = `${profile!.text(row)} ${measure!.text(row)}`
		if (what === 'span local') {
			site.localSpan = span!.number(row) || 0
			site.share = share?.number(row) || 0
			site.spanCount = count!.number(row) || 0
		} else if (what === 'span top-call-site') {
			site.parallelism = parallelism!.number(row)
		} else if (what === 'work local') {
			site.localWork = work!.number(row) || 0
		}
	}
	const sites = { sites: [...all.values()].sort((a, b) => b.localSpan - a.localSpan), ofRow }
	known.set(sheet, sites)
	return sites
}

// All sites, the largest local span first.
export function sitesOf(lens: Lens): Site[] {
	const sheet = lens.view('sites')?.sheet
	return sheet ? read(sheet).sites : []
}

export function siteOfRow(sheet: Sheet, row: number): Site | undefined {
	return read(sheet).ofRow[row]
}

export function programOf(lens: Lens): Program | undefined {
	const sheet = lens.view('summary')?.sheet
	if (!sheet)
		return undefined
	const name = sheet.column('name'), value = sheet.column('value'), all = new Map<string, string>()
	for (let row = 0; row < sheet.rows; row++)
		all.set(name.text(row), value.digits(row))
	const number = (of: string): number => Number(all.get(of)) || 0, clock = all.get('clock') ?? ''
	return {
		work: number('work'), span: number('span'), parallelism: number('parallelism'), cores: number('cores') || 1,
		unit: UNITS[clock] ?? clock,
	}
}

export function inUnit(value: number, program: Program): string {
	return `${amount(value)} ${program.unit}`
}

export function isSelected(site: Pick<Site, 'where' | 'caller' | 'callee'>): boolean {
	const { site: where, routine } = state.value
	if (where && where === site.where)
		return routine === '' || routine === site.callee || routine === site.caller
	return where === '' && routine !== '' && routine === site.callee
}

// A second time, it is selected no more.
export function select(site: Pick<Site, 'file' | 'line' | 'where' | 'callee'>): void {
	const { routine, site: where, file } = state.value
	if (routine === site.callee && where === site.where)
		go({ routine: '', site: '' })
	else
		go({ routine: site.callee, site: site.where, ...(file ? { file: site.file, line: site.line > 0 ? site.line : 0 } : {}) })
}
