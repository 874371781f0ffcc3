// SPDX-License-Identifier: MIT
// paint.ts: colours and patterns of pictures on a canvas. Colours are those of style.css, in the theme that is shown. What a colour
// means is told by a pattern, too: work is plain, idleness has slanted lines, overhead has dots, waits have lines that are far apart.
import { theme } from '../state'

export type Kind = 'work' | 'idle' | 'overhead' | 'wait' | 'critical' | 'good' | 'sky' | 'yellow'
type Tone = 'paper' | 'ink' | 'faint' | 'line' | 'panel' | 'chosen' | 'link'

let known: Map<string, string> | undefined
let knownTheme = ''

function cache(): Map<string, string> {
	if (!known || knownTheme !== theme.value) {
		known = new Map()
		knownTheme = theme.value
	}
	return known
}

export function colour(name: Kind | Tone): string {
	const all = cache()
	let value = all.get(name)
	if (value === undefined) {
		document.documentElement.dataset['theme'] = theme.value
		all.set(name, value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim())
	}
	return value
}

// Lines and dots of 8 pixels, in the colour of the paper, so that they are seen on any fill.
function tile(kind: Kind, context: CanvasRenderingContext2D): CanvasPattern | undefined {
	const scale = devicePixelRatio || 1, size = 8
	const canvas = document.createElement('canvas')
	canvas.width = canvas.height = Math.round(size * scale)
	const on = canvas.getContext('2d')
	if (!on || kind === 'work' || kind === 'good' || kind === 'critical' || kind === 'sky' || kind === 'yellow')
		return undefined
	on.scale(scale, scale)
	on.strokeStyle = on.fillStyle = colour(kind === 'wait' ? 'wait' : 'paper')
	on.globalAlpha = 0.6
	on.lineWidth = kind === 'idle' ? 1.6 : 1
	if (kind === 'overhead') {
		for (const [x, y] of [[2, 2], [6, 6]] as const) {
			on.beginPath()
			on.arc(x, y, 1.3, 0, 2 * Math.PI)
			on.fill()
		}
	} else {
		on.beginPath()
		for (const at of [-size, 0, size]) {
			on.moveTo(at, size)
			on.lineTo(at + size, 0)
		}
		on.stroke()
	}
	const pattern = context.createPattern(canvas, 'repeat')
	pattern?.setTransform(new DOMMatrix().scale(1 / scale))
	return pattern ?? undefined
}

const tiles = new WeakMap<CanvasRenderingContext2D, Map<string, CanvasPattern | undefined>>()

function patternOf(context: CanvasRenderingContext2D, kind: Kind): CanvasPattern | undefined {
	let own = tiles.get(context)
	if (!own)
		tiles.set(context, own = new Map())
	const key = `${kind} ${theme.value} ${devicePixelRatio}`
	if (!own.has(key))
		own.set(key, tile(kind, context))
	return own.get(key)
}

// The ground of a kind: waits are faint, so that what is done stands out.
const ground = (kind: Kind): string => colour(kind === 'wait' ? 'line' : kind)

// A box of that kind. Narrow ones go without the pattern, which would hide their colour.
export function box(on: CanvasRenderingContext2D, kind: Kind, x: number, y: number, width: number, height: number): void {
	on.fillStyle = ground(kind)
	on.fillRect(x, y, width, height)
	const pattern = width >= 4 && height >= 3 ? patternOf(on, kind) : undefined
	if (pattern) {
		on.fillStyle = pattern
		on.fillRect(x, y, width, height)
	}
}

// Narrow boxes side by side, which have one pattern together.
export class Strip {
	private readonly at: number[] = []
	constructor(private readonly kind: Kind) {}
	add(x: number, y: number, width: number, height: number): void {
		this.at.push(x, y, width, height)
	}
	draw(on: CanvasRenderingContext2D): void {
		const pattern = patternOf(on, this.kind)
		for (const fill of [ground(this.kind), ...(pattern ? [pattern] : [])]) {
			on.fillStyle = fill
			for (let i = 0; i < this.at.length; i += 4)
				on.fillRect(this.at[i]!, this.at[i + 1]!, this.at[i + 2]!, this.at[i + 3]!)
		}
	}
}

export const FONT = '12px system-ui, sans-serif'

// As much of the text as fits, from its beginning.
const wide = new Map<string, number>()
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
	if (width < 18)
		return ''
	if (text.length > 300)
		text = text.slice(0, 300)
	let whole = wide.get(text)
	if (whole === undefined) {
		if (wide.size > 20000)
			wide.clear()
		wide.set(text, whole = context.measureText(text).width)
	}
	if (whole <= width)
		return text
	const most = Math.floor(text.length * width / whole) - 1
	return most < 2 ? '' : `${text.slice(0, most)}…`
}

// Round numbers that divide a range, at most as many as asked for.
export function marks(from: number, to: number, most: number): number[] {
	const raw = (to - from) / Math.max(1, most)
	if (!(raw > 0) || !Number.isFinite(raw))
		return [from]
	const power = 10 ** Math.floor(Math.log10(raw))
	const step = [1, 2, 5, 10].map(digit => digit * power).find(each => each >= raw * 0.999) ?? 10 * power
	const at: number[] = []
	for (let k = Math.ceil(from / step - 1e-9); k * step <= to * (1 + 1e-12); k++)
		at.push(k * step)
	return at
}
