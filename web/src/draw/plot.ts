// SPDX-License-Identifier: MIT
// plot.ts: a frame with two axes on a canvas. An axis is linear or logarithmic; a part of it can be looked at closely.
import { colour, FONT, marks } from './paint'

export interface Axis {
	from: number; to: number
	base: 0 | 2 | 10                  // of the logarithm; 0: linear
	title: string
	say(value: number): string
}

// Which part of both axes is shown, in shares of their lengths.
export interface Part { left: number; right: number; bottom: number; top: number }
export const WHOLE: Part = { left: 0, right: 1, bottom: 0, top: 1 }

const SMALLEST = 1e-4

function closer(from: number, to: number, at: number, factor: number): [number, number] {
	const size = Math.min(1, Math.max(SMALLEST, (to - from) / factor)), middle = from + at * (to - from)
	const start = Math.min(1 - size, Math.max(0, middle - at * size))
	return [start, start + size]
}

// Looked at `factor` times as closely, around a point of the frame: 0,0 is below and left.
export function zoomed(part: Part, factor: number, across: number, up: number): Part {
	const [left, right] = closer(part.left, part.right, across, factor), [bottom, top] = closer(part.bottom, part.top, up, factor)
	return { left, right, bottom, top }
}

// The frame moved over the whole, in shares of what is shown.
export function moved(part: Part, across: number, up: number): Part {
	const width = part.right - part.left, height = part.top - part.bottom
	const left = Math.min(1 - width, Math.max(0, part.left + across * width)), bottom = Math.min(1 - height, Math.max(0, part.bottom + up * height))
	return { left, right: left + width, bottom, top: bottom + height }
}

function scale(axis: Axis, value: number): number {
	return axis.base ? Math.log(Math.max(value, axis.from)) : value
}

// The share of the axis at which a value stands.
function shareOf(axis: Axis, value: number): number {
	const from = scale(axis, axis.from), to = scale(axis, axis.to)
	return to > from ? (scale(axis, value) - from) / (to - from) : 0.5
}

function valueAt(axis: Axis, share: number): number {
	const from = scale(axis, axis.from), to = scale(axis, axis.to), value = from + share * (to - from)
	return axis.base ? Math.exp(value) : value
}

function ticks(axis: Axis, from: number, to: number, most: number): number[] {
	if (!axis.base)
		return marks(from, to, most)
	const decades = Math.log(to / from) / Math.log(axis.base)
	if (axis.base === 10 && decades < 0.5)
		return marks(from, to, most)
	const at: number[] = [], step = Math.max(1, Math.ceil(decades / most))
	const digits = axis.base === 10 && decades * 3 <= most ? [1, 2, 5] : [1]
	for (let power = Math.floor(Math.log(from) / Math.log(axis.base) + 1e-9); axis.base ** power <= to * (1 + 1e-9); power++)
		for (const digit of digits) {
			const value = digit * axis.base ** power
			if (power % step === 0 && value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9))
				at.push(value)
		}
	return at
}

export class Frame {
	constructor(
		readonly left: number, readonly top: number, readonly width: number, readonly height: number,
		readonly x: Axis, readonly y: Axis, readonly part: Part = WHOLE,
	) {}
	across(value: number): number {
		return this.left + (shareOf(this.x, value) - this.part.left) / (this.part.right - this.part.left) * this.width
	}
	down(value: number): number {
		return this.top + this.height - (shareOf(this.y, value) - this.part.bottom) / (this.part.top - this.part.bottom) * this.height
	}
	xAt(across: number): number {
		return valueAt(this.x, this.part.left + (across - this.left) / this.width * (this.part.right - this.part.left))
	}
	yAt(down: number): number {
		return valueAt(this.y, this.part.bottom + (this.top + this.height - down) / this.height * (this.part.top - this.part.bottom))
	}
	holds(x: number, y: number): boolean {
		return x >= this.left && x <= this.left + this.width && y >= this.top && y <= this.top + this.height
	}
	// Drawn inside only, until restore().
	clip(context: CanvasRenderingContext2D): void {
		context.save()
		context.beginPath()
		context.rect(this.left, this.top, this.width, this.height)
		context.clip()
	}
	draw(context: CanvasRenderingContext2D): void {
		const { left, top, width, height } = this, bottom = top + height
		context.font = FONT
		context.lineWidth = 1
		context.textAlign = 'right'
		for (const value of ticks(this.y, this.yAt(bottom), this.yAt(top), Math.max(2, height / 36))) {
			const at = Math.round(this.down(value)) + 0.5
			context.strokeStyle = colour('line')
			context.beginPath()
			context.moveTo(left, at)
			context.lineTo(left + width, at)
			context.stroke()
			context.fillStyle = colour('faint')
			context.fillText(this.y.say(value), left - 6, at)
		}
		context.textAlign = 'center'
		for (const value of ticks(this.x, this.xAt(left), this.xAt(left + width), Math.max(2, width / 64))) {
			const at = Math.round(this.across(value)) + 0.5, text = this.x.say(value)
			if (!text)
				continue
			context.strokeStyle = colour('faint')
			context.beginPath()
			context.moveTo(at, bottom)
			context.lineTo(at, bottom + 4)
			context.stroke()
			context.fillStyle = colour('faint')
			context.fillText(text, at, bottom + 12)
		}
		context.strokeStyle = colour('faint')
		context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1)
		context.fillStyle = colour('ink')
		context.fillText(this.x.title, left + width / 2, bottom + 28)
		context.textAlign = 'left'
		context.fillText(this.y.title, 2, top - 10)
	}
}

export function line(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[], name: string, width: number, dash: number[]): void {
	context.beginPath()
	points.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y))
	context.strokeStyle = name
	context.lineWidth = width
	context.setLineDash(dash)
	context.stroke()
	context.setLineDash([])
}

// A text that stays inside of the canvas, on the colour of the paper, so that lines do not cross it.
export function label(context: CanvasRenderingContext2D, text: string, x: number, y: number, most: number, name = colour('ink')): void {
	const width = context.measureText(text).width, left = Math.max(2, Math.min(x, most - width - 2))
	context.globalAlpha = 0.8
	context.fillStyle = colour('paper')
	context.fillRect(left - 2, y - 8, width + 4, 16)
	context.globalAlpha = 1
	context.fillStyle = name
	context.textAlign = 'left'
	context.fillText(text, left, y)
}

// A name that fits, without its middle: names that begin alike mostly end differently.
export function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
	const whole = context.measureText(text).width
	if (whole <= width)
		return text
	const most = Math.floor(text.length * width / whole) - 1
	return most < 3 ? '' : `${text.slice(0, Math.ceil(most / 2))}…${text.slice(text.length - Math.floor(most / 2))}`
}
