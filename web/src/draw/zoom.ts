// SPDX-License-Identifier: MIT
// zoom.ts: the part of a plot that is shown, changed in the same way in every plot: + and - and 0, the wheel with Ctrl, a drag.
import { useState } from 'preact/hooks'
import type { Spot } from './board'
import { moved, WHOLE, zoomed } from './plot'
import type { Frame, Part } from './plot'

export interface Zoom {
	part: Part
	key(event: KeyboardEvent): boolean
	wheel(spot: Spot, dx: number, dy: number, zooms: boolean): boolean
	drag(from: Spot, to: Spot, step: { x: number; y: number }): void
}

// Around the middle of `at`, if there is something at the cursor of the keyboard.
export function useZoom(frame: () => Frame, at: () => readonly [number, number] | undefined, isFlat = false): Zoom {
	const [part, setPart] = useState(WHOLE)
	const around = (factor: number, x: number, y: number): void => {
		const { left, top, width, height } = frame()
		const next = zoomed(part, factor, Math.min(1, Math.max(0, (x - left) / width)), Math.min(1, Math.max(0, (top + height - y) / height)))
		setPart(isFlat ? { ...next, bottom: 0, top: 1 } : next)
	}
	return {
		part,
		key: event => {
			const { left, top, width, height } = frame()
			const [x, y] = at() ?? [left + width / 2, top + height / 2]
			if (event.key === '0')
				setPart(WHOLE)
			else if (event.key === '+' || event.key === '=')
				around(2, x, y)
			else if (event.key === '-')
				around(0.5, x, y)
			else
				return false
			return true
		},
		wheel: (spot, dx, dy, zooms) => {
			if (zooms)
				around(Math.exp(-dy / 200), spot.x, spot.y)
			else if (dx && part.right - part.left < 1)
				setPart(moved(part, dx / frame().width, 0))
			else
				return false
			return true
		},
		drag: (_from, _to, step) => setPart(moved(part, -step.x / frame().width, isFlat ? 0 : step.y / frame().height)),
	}
}
