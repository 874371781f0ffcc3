// SPDX-License-Identifier: MIT
// format.ts: figures as people read them, the same as in the tables of `skein report` (src/base/text.c).
import type { Column, Unit } from './data'

function threeDigits(value: number, unit: string): string {
	return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${unit}`
}

export function ns(value: number): string {
	for (const [size, unit] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']] as const)
		if (value / size >= 0.9995)
			return threeDigits(value / size, unit)
	return value > 0 ? `${value.toFixed(0)} ns` : '0'
}

export function percent(value: number): string {
	if (value > 0 && value < 0.005)
		return '<0.01 %'
	if (value > 99.995 && value < 100)
		return '>99.99 %'
	const digits = (value > 0 && value < 0.95) || (value >= 99.5 && value < 100) ? 2 : value > 0 && value < 9.95 ? 1 : 0
	return `${value.toFixed(digits)} %`
}

export function count(value: number): string {
	return Math.trunc(value).toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

export function amount(value: number): string {
	if (Math.abs(value) < 1e6)
		return count(value)
	let at = 0
	for (value /= 1e6; value >= 999.5 && at < 4; value /= 1000)
		at++
	return threeDigits(value, 'MGTPE'[at]!)
}

export function place(file: string, line: number): string {
	return file ? `${file.slice(file.lastIndexOf('/') + 1)}${line > 0 ? `:${line}` : ''}` : ''
}

export function figure(unit: Unit, value: number): string {
	if (Number.isNaN(value))
		return ''
	switch (unit) {
	case 'ns': return ns(value)
	case 'percent': return percent(value)
	case 'ratio': return value.toFixed(2)
	case 'count': return amount(value)
	default: return String(value)
	}
}

export function cell(column: Column, row: number): string {
	return column.isText ? column.text(row) : figure(column.unit, column.number(row))
}

// A field of CSV as `skein report --csv` writes it.
export function csv(text: string): string {
	const first = text.length - text.trimStart().length
	const escaped = /^[=+\-@＝＋－＠]./su.test(text.slice(first))
		? text.slice(0, first) + [...new TextEncoder().encode(text[first])].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('') + text.slice(first + 1)
		: text
	return /[,"]|^ /.test(text) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
