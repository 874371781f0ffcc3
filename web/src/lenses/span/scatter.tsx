// SPDX-License-Identifier: MIT
// scatter.tsx: which site to mend first. To the right stands what has much of the span, below what is serial; the corner below and to
// the right holds the program back. The area of a dot is the work of its callee without callees.
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Lens, View } from '../../data'
import { Board } from '../../draw/board'
import { colour } from '../../draw/paint'
import { Frame, label, line, shortened } from '../../draw/plot'
import type { Part } from '../../draw/plot'
import { useZoom } from '../../draw/zoom'
import { amount, percent } from '../../format'
import { details, finder, modes, state, toggle } from '../../state'
import { inUnit, isSelected, programOf, select, sitesOf } from './sites'
import type { Program, Site } from './sites'

const HEIGHT = 330, FIRST_SHARE = 20, LARGEST = 40, SMALLEST = 3.5, MANY = 300, MOST_LABELS = 6, LOW = 0.001, LABELLED = 0.1

interface Dot { site: Site; share: number; parallelism: number; radius: number }

function dotsOf(sites: Site[], work: number): Dot[] {
	return sites.filter(site => site.localSpan > 0 && site.parallelism > 0).map(site => ({
		site, share: Math.max(site.share, 0.7 * LOW), parallelism: Math.max(1, site.parallelism), radius: Math.max(SMALLEST, LARGEST * Math.sqrt(Math.min(1, site.localWork / (work || 1)))),
	}))
}

function frameOf(dots: Dot[], program: Program, width: number, isLog: boolean, part: Part): Frame {
	const top = dots.reduce((most, dot) => Math.max(most, dot.parallelism), 10 * program.cores)
	const right = Math.min(104, Math.max(25, 1.15 * dots.reduce((most, dot) => Math.max(most, dot.share), 0)))
	return new Frame(60, 26, width - 84, HEIGHT - 68,
		{ from: isLog ? LOW / 2 : -0.03 * right, to: isLog ? 200 : right, base: isLog ? 10 : 0, title: 'share of the span, without callees', say: value => value < 0 || value > 100 ? '' : value < 1 && value > 0 ? `${Number(value.toPrecision(2))} %` : `${Number(value.toPrecision(3))} %` },
		{ from: 0.6, to: top * 1.5, base: 10, title: 'parallelism of the site on the span, with callees', say: value => value >= 1000 ? amount(value) : String(Number(value.toPrecision(4))) }, part)
}

function words(dot: Dot, program: Program): string {
	const { site } = dot
	const verdict = site.share >= FIRST_SHARE && site.parallelism < program.cores ? ' · fix first' : ''
	return `${site.name}  ${site.where}  ${site.kind}: ${percent(site.share)} of the span by itself (${inUnit(site.localSpan, program)}), parallelism ${site.parallelism.toFixed(2)} with callees, local work ${amount(site.localWork)}${verdict}`
}

function isFound(dot: Dot): boolean {
	return state.value.find === '' || finder.value(`${dot.site.name} ${dot.site.where}`)
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
		label(context, `${program.cores} cores of this machine`, right - 150, cores - 9, width, colour('faint'))
	if (corner < right - 60 && down < bottom - 16)
		label(context, 'fix first', corner + 6, down + 12, width, colour('critical'))
}

function draw(context: CanvasRenderingContext2D, frame: Frame, dots: Dot[], program: Program, width: number, at: number): void {
	drawGround(context, frame, program, width)
	frame.clip(context)
	const order = dots.map((_, i) => i).sort((a, b) => dots[b]!.radius - dots[a]!.radius), isCrowd = dots.length > MANY
	for (const i of order) {
		const dot = dots[i]!
		const x = frame.across(dot.share), y = frame.down(dot.parallelism), isChosen = isSelected(dot.site)
		context.beginPath()
		context.arc(x, y, dot.radius, 0, 2 * Math.PI)
		context.globalAlpha = !isFound(dot) ? 0.12 : isChosen ? 0.95 : isCrowd ? 0.3 : 0.55
		context.fillStyle = colour('work')
		context.fill()
		context.globalAlpha = 1
		context.lineWidth = isChosen || i === at ? 3 : 1
		context.strokeStyle = colour(isChosen ? 'critical' : i === at ? 'ink' : 'paper')
		if (isChosen || i === at || !isCrowd)
			context.stroke()
	}
	context.restore()
	drawNames(context, frame, dots, program.cores, width)
}

// Names of the dots that matter most, beside them, where they do not cover each other.
function drawNames(context: CanvasRenderingContext2D, frame: Frame, dots: Dot[], cores: number, width: number): void {
	const corner = Math.max(frame.left, frame.across(FIRST_SHARE)), taken: [number, number, number][] = [[corner, corner + 60, Math.max(frame.top, frame.down(cores)) + 12]]
	if (dots.length <= MANY)
		for (const dot of dots)
			taken.push([frame.across(dot.share) - 4, frame.across(dot.share) + 4, frame.down(dot.parallelism)])
	for (const dot of [...dots.filter(dot => isSelected(dot.site)).slice(0, 2), ...dots.filter(dot => !isSelected(dot.site) && dot.share >= LABELLED && isFound(dot)).slice(0, MOST_LABELS)]) {
		const x = frame.across(dot.share), y = frame.down(dot.parallelism), text = `${shortened(context, dot.site.callee, 200)} ${dot.site.where}`, wide = context.measureText(text).width
		if (!frame.holds(x, y))
			continue
		const middle = Math.max(frame.left, Math.min(x - wide / 2, frame.left + frame.width - wide)), away = dot.radius + 6
		const places: [number, number][] = [[x + away, y], [x - away - wide, y], [middle, y - away - 6], [middle, y + away + 6], [middle, y - away - 24], [x - 8, y - away - 6], [x - 8, y - away - 24]]
		const free = places.find(([left, down]) => left >= frame.left && left + wide <= frame.left + frame.width && down > frame.top + 6 && down < frame.top + frame.height - 6 &&
			!taken.some(([from, to, at]) => left < to && left + wide > from && Math.abs(at - down) < 17))
		const at = free ?? (isSelected(dot.site) ? places[4] : undefined)
		if (!at)
			continue
		taken.push([at[0], at[0] + wide, at[1]])
		label(context, text, at[0], at[1], width)
	}
}

export function Scatter({ lens }: { lens: Lens; view: View }): JSX.Element | null {
	const sites = sitesOf(lens), program = programOf(lens), isLog = modes.value.has('log')
	const dots = useMemo(() => dotsOf(sites, program?.work ?? 0), [sites])
	const [at, setAt] = useState(-1)
	const frame = useRef<Frame>(new Frame(0, 0, 1, 1, { from: 0, to: 1, base: 0, title: '', say: String }, { from: 0, to: 1, base: 0, title: '', say: String }))
	const zoom = useZoom(() => frame.current, () => {
		const dot = dots[at]
		return dot && [frame.current.across(dot.share), frame.current.down(dot.parallelism)]
	})
	if (!program || !dots.length)
		return <p class="missing">No call sites were recorded on the span.</p>
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
					if (dot) {
						select(dot.site)
						details.value = words(dot, program)
					}
				}}
				onKey={event => {
					if (event.key === 'ArrowRight' || event.key === 'ArrowDown')
						move(at + 1)
					else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp')
						move(at - 1)
					else if (event.key === 'Home' || event.key === 'End')
						move(event.key === 'Home' ? 0 : dots.length - 1)
					else if (event.key === 'Enter' && dots[at]) {
						select(dots[at]!.site)
						details.value = words(dots[at]!, program)
					} else
						return zoom.key(event)
					return true
				}}
				wheel={zoom.wheel} drag={zoom.drag} />
			<figcaption>
				<label><input type="checkbox" checked={isLog} onChange={() => toggle('log')} /> logarithmic share</label>
				<span>Sites to the right have much of the span, sites below are serial: below and to the right, fix first. Area: share of the work, without callees. + and - zoom, 0 shows all.</span>
			</figcaption>
		</figure>)
}
