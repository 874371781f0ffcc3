// SPDX-License-Identifier: MIT
// gallery.tsx: small plots of all routines that have a cost function; a click opens the large one. The one that matters most is the small
// picture of the lens.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Lens } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { count, percent, place } from '../../format'
import { finder, go, state } from '../../state'
import { drawCost, unitOf } from './cost'
import { costFrame } from './marks'
import { curveOf, growthWords, isShown, routinesOf, worst } from './model'
import type { Routine } from './model'

const FIRST = 60, HEIGHT = 130, SMALL_HEIGHT = 190, WHOLE = { left: 0, right: 1, bottom: 0, top: 1 }

function open(routine: Routine): void {
	go({ tab: 'input', view: 'cost', routine: routine.name, site: place(routine.file, routine.line) })
}

function Thumb({ lens, routine, height, axes }: { lens: Lens; routine: Routine; height: number; axes: boolean }): JSX.Element {
	const curve = curveOf(lens, routine, 'trms'), isLog = { x: true, y: true }
	return (
		<Board bare label="" height={height} draw={(on, width) => {
			const room = axes ? { left: 60, top: 22, width: width - 72, height: height - 64 } : { left: 6, top: 6, width: width - 12, height: height - 12 }
			const frame = costFrame([curve], axes ? ['worst', 'mean', 'best'] : ['mean'], room, isLog, unitOf(lens), WHOLE)
			on.fillStyle = colour('paper')
			on.fillRect(0, 0, width, height)
			if (axes) {
				frame.draw(on)
			} else {
				on.strokeStyle = colour('line')
				on.strokeRect(room.left + 0.5, room.top + 0.5, room.width - 1, room.height - 1)
			}
			drawCost(on, frame, { curves: [curve], statistics: axes ? ['worst', 'mean', 'best'] : ['mean'], isLog }, axes ? 4 : 2.5)
		}} />)
}

export function Gallery({ lens }: { lens: Lens }): JSX.Element {
	const [all, setAll] = useState(false)
	const routines = routinesOf(lens), fitted = routines.filter(routine => routine.model), found = fitted.filter(routine => finder.value(`${routine.name} ${routine.model}`))
	const shown = all ? found : found.slice(0, FIRST)
	return (
		<>
			<p class="help">{count(fitted.length)} of {count(routines.length)} routines have a cost function{found.length < fitted.length ? `, ${count(found.length)} are found` : ''}; the one with the largest share at ten times the input is first. Axes are logarithmic, each plot has its own.</p>
			<div class="gallery">
				{shown.map(routine => (
					<button key={routine.key} aria-pressed={state.value.routine !== '' && isShown(routine)} onClick={() => open(routine)} title={growthWords(lens, routine)}>
						<strong>{routine.name}</strong>
						<span>{routine.model}{Number.isNaN(routine.cost) ? '' : `   ${percent(routine.cost)} now`}{Number.isNaN(routine.x10) ? '' : `, ${percent(routine.x10)} at 10 x`}</span>
						<Thumb lens={lens} routine={routine} height={HEIGHT} axes={false} />
					</button>))}
			</div>
			{shown.length < found.length && <button class="more" onClick={() => setAll(true)}>{count(found.length - shown.length)} more</button>}
		</>)
}

export function SmallCost({ lens }: { lens: Lens }): JSX.Element | null {
	const routine = worst(lens)
	return routine ? (
		<button class="picture" onClick={() => open(routine)}>
			<span>{routine.name} {growthWords(lens, routine)}</span>
			<Thumb lens={lens} routine={routine} height={SMALL_HEIGHT} axes />
		</button>) : null
}
