// SPDX-License-Identifier: MIT
// scatter.tsx: which site to mend first. To the right stands what has much of the span, below what is serial; the corner below and to
// the right holds the program back. The area of a dot is the work of its callee without callees.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Lens, View } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { Frame, label, line } from '../../draw/plot'
import type { Part } from '../../draw/plot'
import { useZoom } from '../../draw/zoom'
import { amount, percent } from '../../format'
import { details, finder, modes, state, toggle } from '../../state'
import { inUnit, isSelected, programOf, select, sitesOf } from './sites'
import type { Program, Site } from './sites'

const HEIGHT = 330, FIRST_SHARE = 20, LARGEST = 26, SMALLEST = 3.5, MOST_LABELS = 6, LOW = 0.001

interface Dot { site: Site; share: number; parallelism: number; radius: number }

function dotsOf(sites: Site[]): Dot[] {
	const most = sites.reduce((most, site) => Math.max(most, site.localWork), 1)
	return sites.filter(site => site.localSpan > 0 && site.parallelism > 0).map(site => ({
		site, share: site.share, parallelism: Math.max(1, site.parallelism), radius: Math.max(SMALLEST, LARGEST * Math.sqrt(site.localWork / most)),
	}))
}

function frameOf(dots: Dot[], program: Program, width: number, isLog: boolean, part: Part): Frame {
	const top = dots.reduce((most, dot) => Math.max(most, dot.parallelism), 10 * program.cores)
	return new Frame(60, 26, width - 84, HEIGHT - 68,
		{ from: isLog ? LOW : -3, to: isLog ? 200 : 104, base: isLog ? 10 : 0, title: 'share of the span, without callees', say: value => value < 0 || value > 100 ? '' : value < 1 && value > 0 ? `${Number(value.toPrecision(2))} %` : `${Number(value.toPrecision(3))} %` },
		{ from: 0.6, to: top * 1.5, base: 10, title: 'parallelism of the site on the span, with callees', say: value => value >= 1000 ? amount(value) : String(Number(value.toPrecision(2))) }, part)
}

function words(dot: Dot, program: Program): string {
	const { site } = dot
	const verdict = site.share >= FIRST_SHARE && site.parallelism < program.cores ? ' · fix first' : ''
	return `${site.name}  ${site.where}  ${site.kind}: ${percent(site.share)} of the span by itself (${inUnit(site.localSpan, program)}), parallelism ${site.parallelism.toFixed(2)} with callees, local work ${amount(site.localWork)}${verdict}`
}

function drawGround(context: CanvasRenderingContext2D, frame: Frame, program: Program, width: number): void {
	context.fillStyle = colour('paper')
	context.fillRect(0, 0, width, HEIGHT)
	const corner = Math.max(frame.left, frame.across(FIRST_SHARE)), down = Math.max(frame.top, frame.down(program.cores)), right = frame.left + frame.width, bottom = frame.top + frame.height
	frame.clip(context)
	context.globalAlpha = 0.12
	context.fillStyle = colour('critical')
	context.fillRect(corner, down, right - corner, bottom - down)
	context.globalAlpha = 1
	context.restore()
	frame.draw(context)
	frame.clip(context)
	const cores = frame.down(program.cores)
	line(context, [[frame.left, cores], [right, cores]], colour('critical'), 1.5, [7, 4])
	context.restore()
	if (cores > frame.top + 8 && cores < bottom)
		label(context, `${program.cores} cores of this machine`, frame.left + 6, cores - 9, width, colour('faint'))
	if (corner < right - 60 && down < bottom - 16)
		label(context, 'fix first', corner + 6, down + 12, width, colour('critical'))
}

function draw(context: CanvasRenderingContext2D, frame: Frame, dots: Dot[], program: Program, width: number, at: number): void {
	drawGround(context, frame, program, width)
	frame.clip(context)
	dots.forEach((dot, i) => {
		const x = frame.across(dot.share), y = frame.down(dot.parallelism), isChosen = isSelected(dot.site)
		context.beginPath()
		context.arc(x, y, dot.radius, 0, 2 * Math.PI)
		context.globalAlpha = state.value.find && !finder.value(`${dot.site.name} ${dot.site.where}`) ? 0.12 : isChosen ? 0.95 : 0.55
		context.fillStyle = colour('work')
		context.fill()
		context.globalAlpha = 1
		context.lineWidth = isChosen || i === at ? 3 : 1
		context.strokeStyle = colour(isChosen ? 'critical' : i === at ? 'ink' : 'paper')
		context.stroke()
	})
	context.restore()
	// Names of the dots that matter most, where they do not cover each other.
	const taken: [number, number][] = []
	for (const dot of [...dots.filter(dot => isSelected(dot.site)), ...dots.filter(dot => !isSelected(dot.site)).slice(0, MOST_LABELS)]) {
		const x = frame.across(dot.share), y = frame.down(dot.parallelism)
		if (!frame.holds(x, y) || taken.some(([left, top]) => Math.abs(top - y) < 18 && Math.abs(left - x) < 150))
			continue
		taken.push([x, y])
		const text = `${dot.site.callee.slice(0, 32)} ${dot.site.where}`, wide = context.measureText(text).width, isLeft = x + dot.radius + wide + 8 > frame.left + frame.width
		label(context, text, isLeft ? x - dot.radius - wide - 6 : x + dot.radius + 5, y, width)
	}
}

export function Scatter({ lens }: { lens: Lens; view: View }): JSX.Element | null {
	const sites = sitesOf(lens), program = programOf(lens), isLog = modes.value.has('log')
	const dots = useMemo(() => dotsOf(sites), [sites])
	const [at, setAt] = useState(-1)
	const frame = useRef<Frame>(new Frame(0, 0, 1, 1, { from: 0, to: 1, base: 0, title: '', say: String }, { from: 0, to: 1, base: 0, title: '', say: String }))
	const zoom = useZoom(() => frame.current, () => {
		const dot = dots[at]
		return dot && [frame.current.across(dot.share), frame.current.down(dot.parallelism)]
	})
	if (!program || !dots.length)
		return null
	const near = (x: number, y: number): Dot | undefined => {
		let best: Dot | undefined, least = Infinity
		for (const dot of dots) {
			const distance = Math.hypot(frame.current.across(dot.share) - x, frame.current.down(dot.parallelism) - y) - dot.radius
			if (distance < Math.min(4, least) || (best && distance < 0 && dot.radius < best.radius)) {
				best = dot
				least = distance
			}
		}
		return best
	}
	const move = (next: number): void => {
		const to = Math.max(0, Math.min(dots.length - 1, next))
		setAt(to)
		details.value = words(dots[to]!, program)
	}
	return (
		<figure>
			<Board label={`sites by their share of the span and their parallelism; the largest is ${dots[0]!.site.name} with ${percent(dots[0]!.share)}. Left and right move from site to site, Enter selects.`} height={HEIGHT}
				draw={(context, width) => {
					frame.current = frameOf(dots, program, width, isLog, zoom.part)
					draw(context, frame.current, dots, program, width, at)
				}}
				tell={(x, y) => {
					const dot = near(x, y)
					return dot ? words(dot, program) : ''
				}}
				cursor={(x, y) => near(x, y) ? 'pointer' : ''}
				click={spot => {
					const dot = near(spot.x, spot.y)
					if (dot)
						select(dot.site)
				}}
				onKey={event => {
					if (event.key === 'ArrowRight' || event.key === 'ArrowDown')
						move(at + 1)
					else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp')
						move(at - 1)
					else if (event.key === 'Home' || event.key === 'End')
						move(event.key === 'Home' ? 0 : dots.length - 1)
					else if (event.key === 'Enter' && dots[at])
						select(dots[at]!.site)
					else
						return zoom.key(event)
					return true
				}}
				wheel={zoom.wheel} drag={zoom.drag} />
			<figcaption class="legend">
				<label><input type="checkbox" checked={isLog} onChange={() => toggle('log')} /> logarithmic share</label>
				<span>Sites to the right have much of the span, sites below are serial: below and to the right, fix first. Area: work without callees. + and - zoom.</span>
			</figcaption>
		</figure>)
}
