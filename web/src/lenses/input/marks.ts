// SPDX-License-Identifier: MIT
// marks.ts: the axes and marks of plots of cost: worst cost is a triangle that points up, the mean a disc, the best one that points down;
// trms is full, rms hollow, rms+external hollow with a dot.
import { colour } from '../../draw/paint'
import type { Kind } from '../../draw/paint'
import { Frame } from '../../draw/plot'
import type { Axis, Part } from '../../draw/plot'
import { amount } from '../../format'
import type { Curve, Metric } from './model'

export type Statistic = 'worst' | 'mean' | 'best'
export const STATISTICS: Statistic[] = ['worst', 'mean', 'best']
export const COLOURS: Record<Metric, Kind> = { trms: 'work', rms: 'critical', 'rms+external': 'good' }

const SAID_SHORT = 10000

export function say(value: number): string {
	if (value >= SAID_SHORT && value < 1e6)
		return `${Number((value / 1000).toPrecision(3))} k`
	return value >= 1e6 ? amount(value) : String(Number(value.toPrecision(3)))
}

function axis(values: number[], isLog: boolean, title: string): Axis {
	let least = Infinity, most = -Infinity
	for (const value of values)
		if (value > 0 || (!isLog && value === 0)) {
			least = Math.min(least, value)
			most = Math.max(most, value)
		}
	if (!(most > 0))
		return { from: isLog ? 1 : 0, to: 10, base: isLog ? 10 : 0, title, say }
	if (!isLog)
		return { from: 0, to: most * 1.06, base: 0, title, say }
	const margin = Math.max(1.2, (most / least) ** 0.05)
	return { from: least / margin, to: most * margin, base: 10, title, say }
}

export function costFrame(curves: Curve[], statistics: Statistic[], place: { left: number; top: number; width: number; height: number }, isLog: { x: boolean; y: boolean }, unit: string, part: Part): Frame {
	const costs = curves.flatMap(curve => [...statistics.flatMap(name => curve[name]), ...curve.fitted])
	return new Frame(place.left, place.top, place.width, place.height,
		axis(curves.flatMap(curve => curve.size), isLog.x, `input size, cells${isLog.x ? ' (logarithmic)' : ''}`),
		axis(costs, isLog.y, `cost of an activation, ${unit}${isLog.y ? ' (logarithmic)' : ''}`), part)
}

export function mark(on: CanvasRenderingContext2D, statistic: Statistic, metric: Metric, x: number, y: number, size: number): void {
	on.beginPath()
	if (statistic === 'mean') {
		on.arc(x, y, size * 0.85, 0, 2 * Math.PI)
	} else {
		const up = statistic === 'worst' ? -1 : 1
		on.moveTo(x, y + up * size)
		on.lineTo(x + size * 0.9, y - up * size * 0.7)
		on.lineTo(x - size * 0.9, y - up * size * 0.7)
		on.closePath()
	}
	on.lineWidth = 1.4
	on.strokeStyle = colour(COLOURS[metric])
	on.fillStyle = colour(metric === 'trms' ? COLOURS[metric] : 'paper')
	on.globalAlpha = statistic === 'mean' ? 0.95 : 0.6
	on.fill()
	on.globalAlpha = 1
	on.stroke()
	if (metric === 'rms+external') {
		on.fillStyle = colour(COLOURS[metric])
		on.fillRect(x - 1, y - 1, 2, 2)
	}
}

// The cost function, as far as there are sizes.
export function fitLine(on: CanvasRenderingContext2D, frame: Frame, curve: Curve): void {
	on.beginPath()
	let begun = false
	curve.fitted.forEach((value, i) => {
		if (Number.isNaN(value) || (frame.y.base && value <= 0))
			return
		const x = frame.across(curve.size[i]!), y = frame.down(value)
		if (begun)
			on.lineTo(x, y)
		else
			on.moveTo(x, y)
		begun = true
	})
	on.strokeStyle = colour(COLOURS[curve.metric])
	on.lineWidth = 2
	on.setLineDash(curve.metric === 'trms' ? [] : [6, 4])
	on.stroke()
	on.setLineDash([])
	on.lineWidth = 1
}
