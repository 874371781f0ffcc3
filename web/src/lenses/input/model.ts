// SPDX-License-Identifier: MIT
// model.ts: the cost of routines by input size, from the views routines and points, which name the routine by its name and place.
import type { Lens, Sheet } from '../../data'
import { place } from '../../format'
import { state } from '../../state'

export const METRICS = ['trms', 'rms', 'rms+external'] as const
export type Metric = typeof METRICS[number]

// Of all threads, or of the selected one.
export interface Routine { row: number; key: string; name: string; file: string; line: number; model: string; cost: number; x10: number; calls: number }

// Sizes rise along it. `fitted` has no value where no cost function was fitted.
export interface Curve { metric: Metric; size: number[]; mean: number[]; worst: number[]; best: number[]; calls: number[]; fitted: number[]; at: number[] }

function keyOf(sheet: Sheet, row: number): string {
	return `${sheet.column('routine').reference(row)} ${sheet.column('file').reference(row)} ${sheet.column('line').number(row)}`
}

const known = new WeakMap<Lens, Routine[]>()
export function routinesOf(lens: Lens): Routine[] {
	let list = known.get(lens)
	const sheet = lens.view('routines')?.sheet
	if (!list && sheet) {
		const points = pointsOf(lens), threads = sheet.column('thread')
		list = []
		for (let row = 0; row < sheet.rows; row++) {
			if (threads.digits(row) !== 'all')
				continue
			const key = keyOf(sheet, row), line = sheet.column('line').number(row)
			if (points.has(`${key} all`))
				list.push({
					row, key, name: sheet.column('routine').text(row), file: sheet.column('file').text(row), line: line > 0 ? line : 0,
					model: sheet.column('model').text(row), cost: sheet.column('cost_pct').number(row), x10: sheet.column('x10_pct').number(row), calls: sheet.column('calls').number(row),
				})
		}
		known.set(lens, list)
	}
	return list ?? []
}

// Rows of the view points, by routine and thread.
const rows = new WeakMap<Lens, Map<string, number[]>>()
function pointsOf(lens: Lens): Map<string, number[]> {
	let by = rows.get(lens)
	if (!by) {
		rows.set(lens, by = new Map())
		const sheet = lens.view('points')?.sheet, threads = sheet?.column('thread')
		for (let row = 0; sheet && threads && row < sheet.rows; row++) {
			const key = `${keyOf(sheet, row)} ${threads.digits(row)}`, list = by.get(key)
			if (list)
				list.push(row)
			else
				by.set(key, [row])
		}
	}
	return by
}

export function curveOf(lens: Lens, routine: Routine, metric: Metric): Curve {
	const sheet = lens.view('points')!.sheet, metrics = sheet.column('metric'), by = pointsOf(lens)
	const all = by.get(`${routine.key} ${state.value.worker || 'all'}`) ?? []
	const at = all.filter(row => metrics.text(row) === metric), values = (name: string): number[] => at.map(row => sheet.column(name).number(row))
	return { metric, at, size: values('size_mean'), mean: values('cost_mean'), worst: values('cost_max'), best: values('cost_min'), calls: values('calls'), fitted: values('fitted') }
}

export function isShown(routine: Routine): boolean {
	const { routine: name, site } = state.value
	return routine.name === name && (!site || site === place(routine.file, routine.line))
}

// The routine that is shown: the selected one, or the one that matters most.
export function routineShown(lens: Lens): Routine | undefined {
	const list = routinesOf(lens)
	return list.find(isShown) ?? list.find(routine => routine.name === state.value.routine) ?? worst(lens)
}

export function worst(lens: Lens): Routine | undefined {
	return routinesOf(lens).reduce<Routine | undefined>((best, each) => each.model && (!best?.model || (each.x10 || 0) > (best.x10 || 0)) ? each : best, routinesOf(lens)[0])
}

// "n^2 (exponent 1.97 to 2.02, R2 1.00)", or why there is no cost function.
export function growthWords(lens: Lens, routine: Routine): string {
	const sheet = lens.view('routines')!.sheet, row = routine.row
	const number = (name: string): string => sheet.column(name).number(row).toFixed(2)
	const before = sheet.column('model_before').text(row), change = sheet.column('change_at').digits(row)
	if (!routine.model)
		return `no cost function (${sheet.column('why').text(row) || 'reads nothing'})`
	const model = change ? (before ? `${before} up to ${change}, then ${routine.model}` : `${routine.model} from ${change} on`) : routine.model
	return `grows like ${model}${sheet.column('exponent').isEmpty(row) ? '' : `, exponent ${number('exponent')} (${number('exponent_low')} to ${number('exponent_high')})`}, R2 ${number('r2')}`
}
