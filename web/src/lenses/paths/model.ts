// SPDX-License-Identifier: MIT
// model.ts: the graphs of functions and their paths, from the views functions, blocks, edges and paths, which have a column `graph` in
// common.
import type { Lens, Sheet } from '../../data'
import { option, recording, state } from '../../state'

export interface Block { number: number; count: number; instructions: number; share: number; lines: string; file: string; line: number }
export interface Edge { number: number; from: number; to: number; count: number; share: number; kind: string } // from, to: -1 outside
export interface Path { row: number; name: string; kind: string; count: number; share: number; soFar: number; instructions: number; lines: string; steps: number[] }
export interface Graph { id: number; name: string; file: string; line: number; share: number; isWhole: boolean }

// Rows of a sheet by the graph that they are about.
const grouped = new WeakMap<Sheet, Map<number, number[]>>()
function rowsOf(sheet: Sheet, graph: number): number[] {
	let all = grouped.get(sheet)
	if (!all) {
		const column = sheet.column('graph')
		grouped.set(sheet, all = new Map())
		for (let row = 0; row < sheet.rows; row++) {
			const id = column.number(row), rows = all.get(id)
			if (rows)
				rows.push(row)
			else
				all.set(id, [row])
		}
	}
	return all.get(graph) ?? []
}

// Functions of which the page has the graph, the one with most executed instructions first.
const known = new WeakMap<Lens, Graph[]>()
export function graphsOf(lens: Lens): Graph[] {
	const sheet = lens.view('functions')?.sheet, blocks = lens.view('blocks')?.sheet
	let graphs = known.get(lens)
	if (!graphs && sheet && blocks) {
		const share = sheet.column('flow_pct'), counted = sheet.column('counted')
		graphs = []
		for (let row = 0; row < sheet.rows; row++) {
			const id = sheet.column('graph').number(row), line = sheet.column('line').number(row)
			if (rowsOf(blocks, id).length)
				graphs.push({
					id, name: sheet.column('function').text(row), file: sheet.column('file').text(row), line: line > 0 ? line : 0,
					share: share.number(row) || 0, isWhole: !/^(part|not)$/.test(counted.text(row)),
				})
		}
		graphs.sort((a, b) => b.share - a.share)
		known.set(lens, graphs)
	}
	return graphs ?? []
}

// The graph that is shown: the one that was chosen, or one of the selected routine, or the first.
export function graphShown(lens: Lens): Graph | undefined {
	const graphs = graphsOf(lens), { routine } = state.value, asked = option('graph')
	return graphs.find(graph => String(graph.id) === asked && (!routine || graph.name === routine)) ?? graphs.find(graph => graph.name === routine) ?? graphs[0]
}

const or = (value: number, otherwise: number): number => Number.isNaN(value) ? otherwise : value

export function blocksOf(lens: Lens, graph: Graph): Block[] {
	const sheet = lens.view('blocks')!.sheet
	return rowsOf(sheet, graph.id).map(row => ({
		number: sheet.column('block').number(row), count: or(sheet.column('count').number(row), 0),
		instructions: sheet.column('instructions').number(row), share: or(sheet.column('flow_pct').number(row), 0),
		lines: sheet.column('lines').text(row), file: sheet.column('file').text(row), line: or(sheet.column('line').number(row), 0),
	}))
}

export function edgesOf(lens: Lens, graph: Graph): Edge[] {
	const sheet = lens.view('edges')!.sheet
	return rowsOf(sheet, graph.id).map(row => ({
		number: or(sheet.column('edge').number(row), -1), from: or(sheet.column('from').number(row), -1), to: or(sheet.column('to').number(row), -1),
		count: or(sheet.column('count').number(row), 0), share: or(sheet.column('taken_pct').number(row), 0), kind: sheet.column('kind').text(row),
	}))
}

export function pathOf(sheet: Sheet, row: number): Path {
	return {
		row, name: sheet.column('path').digits(row), kind: sheet.column('kind').text(row), count: sheet.column('count').number(row),
		share: sheet.column('flow_pct').number(row), soFar: sheet.column('cumulative_pct').number(row),
		instructions: sheet.column('instructions').number(row), lines: sheet.column('lines').text(row),
		steps: sheet.column('steps').digits(row).split(' ').filter(Boolean).map(Number),
	}
}

// The path that is shown of a graph: the one that was chosen, or the hottest.
export function pathShown(lens: Lens, graph: Graph): Path | undefined {
	const sheet = lens.view('paths')!.sheet, rows = rowsOf(sheet, graph.id), asked = option('path'), column = sheet.column('path')
	const row = rows.find(row => column.digits(row) === asked) ?? rows[0]
	return row === undefined ? undefined : pathOf(sheet, row)
}

export function pathRows(lens: Lens, graph: Graph): number[] {
	return rowsOf(lens.view('paths')!.sheet, graph.id)
}

// The blocks of a path, in order.
export function walkOf(path: Path, edges: Edge[]): number[] {
	const from = new Map(edges.map(edge => [edge.number, edge.from]))
	return path.steps.flatMap(step => from.get(step) ?? [])
}

// "csv.c:30,33,44-46;list.h:4" as lines of files.
export function linesOf(text: string): Map<string, Set<number>> {
	const to = new Map<string, Set<number>>()
	for (const part of text.split(';')) {
		const colon = part.lastIndexOf(':'), file = part.slice(0, colon)
		if (colon <= 0)
			continue
		const lines = to.get(file) ?? new Set()
		for (const range of part.slice(colon + 1).split(',')) {
			const [first = NaN, last = first] = range.split('-').map(Number)
			for (let line = first; line <= last && lines.size < 10000; line++)
				lines.add(line)
		}
		to.set(file, lines)
	}
	return to
}

// Whether the page has the file.
export function hasSource(file: string): boolean {
	return recording.value.sources.some(source => source.path === file || source.path.endsWith(`/${file}`))
}
