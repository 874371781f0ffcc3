// SPDX-License-Identifier: MIT
// board.tsx: a canvas as a part of the page: as wide as there is room, sharp on every screen, drawn again when what it shows has changed,
// with a keyboard and a pointer. What is drawn, and what lies where, is its user's.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { details, finder, state, theme } from '../state'
import { FONT } from './paint'

export interface Spot { x: number; y: number; shift: boolean; button: number }

export interface Board {
	label: string
	height: number
	width?: number
	bare?: boolean                             // a picture only: no keyboard, no pointer; without a label not even a picture
	draw(context: CanvasRenderingContext2D, width: number, height: number): void
	tell?(x: number, y: number): string        // for the line of details; '': nothing is there
	cursor?(x: number, y: number): string      // of CSS; '': an arrow
	click?(spot: Spot): void
	// A drag from one place; `step`: since it was told last; `done`: on release
	drag?(from: Spot, to: Spot, step: { x: number; y: number }, done: boolean): void
	wheel?(spot: Spot, dx: number, dy: number, zooms: boolean): boolean
	onKey?(event: KeyboardEvent): boolean      // whether it was one of its own
}

const FAR = 4 // pixels that a pointer moves before a click is a drag

export function Board(props: Board): JSX.Element {
	const canvas = useRef<HTMLCanvasElement>(null)
	const latest = useRef(props)
	const pending = useRef(0)
	const pressed = useRef<{ from: Spot; last: Spot; drags: boolean } | undefined>(undefined)
	latest.current = props

	const paint = (): void => {
		pending.current = 0
		const element = canvas.current, context = element?.getContext('2d', { alpha: false })
		if (!element || !context)
			return
		const scale = devicePixelRatio || 1, width = element.clientWidth, height = latest.current.height
		const across = Math.max(1, Math.round(width * scale)), down = Math.max(1, Math.round(height * scale))
		if (element.width !== across || element.height !== down) {
			element.width = across
			element.height = down
		}
		context.setTransform(scale, 0, 0, scale, 0, 0)
		context.font = FONT
		context.textBaseline = 'middle'
		context.globalAlpha = 1
		latest.current.draw(context, width, height)
	}
	const soon = (): void => { pending.current ||= requestAnimationFrame(paint) }

	// Signals that a picture may read: whoever uses this is rendered again when they change, and paints.
	void theme.value; void state.value; void finder.value
	useLayoutEffect(paint)
	useEffect(() => {
		const element = canvas.current
		if (!element)
			return undefined
		const watch = new ResizeObserver(soon)
		watch.observe(element)
		const onWheel = (event: WheelEvent): void => {
			if (latest.current.wheel?.(spotOf(event), event.deltaX, event.deltaY, event.ctrlKey || event.metaKey)) {
				event.preventDefault()
				soon()
			}
		}
		element.addEventListener('wheel', onWheel, { passive: false })
		return () => {
			watch.disconnect()
			element.removeEventListener('wheel', onWheel)
			cancelAnimationFrame(pending.current)
		}
	}, [])

	const spotOf = (event: MouseEvent): Spot => {
		const box = canvas.current!.getBoundingClientRect()
		return { x: event.clientX - box.left, y: event.clientY - box.top, shift: event.shiftKey, button: event.button }
	}
	const onMove = (event: PointerEvent): void => {
		const spot = spotOf(event), press = pressed.current
		if (!press) {
			const words = latest.current.tell?.(spot.x, spot.y)
			if (words !== undefined && details.peek() !== words)
				details.value = words
			canvas.current!.style.cursor = latest.current.cursor?.(spot.x, spot.y) || 'default'
			return
		}
		if (!press.drags && Math.hypot(spot.x - press.from.x, spot.y - press.from.y) < FAR)
			return
		press.drags = true
		latest.current.drag?.(press.from, spot, { x: spot.x - press.last.x, y: spot.y - press.last.y }, false)
		press.last = spot
		soon()
	}
	const onUp = (event: PointerEvent): void => {
		const press = pressed.current, spot = spotOf(event)
		pressed.current = undefined
		if (!press)
			return
		if (press.drags)
			latest.current.drag?.(press.from, spot, { x: 0, y: 0 }, true)
		else
			latest.current.click?.(spot)
		soon()
	}
	if (props.bare)
		return <canvas ref={canvas} class="board bare" role={props.label ? 'img' : undefined} aria-label={props.label || undefined} aria-hidden={!props.label} style={{ height: `${props.height}px`, ...(props.width ? { width: `${props.width}px` } : {}) }} />
	return (
		<canvas ref={canvas} class="board" role="application" aria-label={props.label} tabIndex={0} style={{ height: `${props.height}px` }}
			onPointerDown={event => {
				if (event.button !== 0)
					return
				canvas.current!.setPointerCapture(event.pointerId)
				pressed.current = { from: spotOf(event), last: spotOf(event), drags: false }
			}}
			onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={() => { pressed.current = undefined }}
			onKeyDown={event => {
				if (event.ctrlKey || event.metaKey || event.altKey || !latest.current.onKey?.(event))
					return
				event.preventDefault()
				event.stopPropagation()
				soon()
			}} />)
}
