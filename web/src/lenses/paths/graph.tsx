// SPDX-License-Identifier: MIT
// graph.tsx: the control-flow graph of a function: edges as thick as they were taken often, the chosen path thick and numbered, blocks
// that were never executed hatched. Beside it the paths of the function; the source pane marks the lines of the chosen one.
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Lens } from '../../data'
import { amount, count, percent, place } from '../../format'
import { details, finder, go, marks, option, setOption, state } from '../../state'
import { Table } from '../../table'
import { curve, drawingOf, MOST_BLOCKS } from './layout'
import type { Drawing, Link, Node } from './layout'
import { blocksOf, edgesOf, graphShown, graphsOf, hasSource, linesOf, pathOf, pathRows, pathShown, walkOf } from './model'
import type { Block, Edge, Graph, Path } from './model'
import { pathColumns } from './tables'

const CLOSEST = 3, FARTHEST = 0.15, READABLE = 0.75, THIN = 1, THICK = 6, MOST_FUNCTIONS = 3000

const times = (number: number): string => number === 1 ? 'once' : `${count(number)} times`

function blockWords(block: Block, step: number, counts: boolean): string {
	const often = counts ? (block.count ? `executed ${times(block.count)}, ${percent(block.share)} of all instructions` : 'never executed') : 'counts are not known'
	return `block ${block.number}   ${block.lines}   ${often}   ${block.instructions} instruction${block.instructions === 1 ? '' : 's'}${step >= 0 ? `   step ${step + 1} of the path` : ''}`
}

function edgeWords(edge: Edge): string {
	const end = (block: number, outside: string): string => block < 0 ? outside : `block ${block}`
	return `${edge.kind} edge from ${end(edge.from, 'the call')} to ${end(edge.to, 'the end of the call')}   taken ${times(edge.count)}${edge.from >= 0 ? `, ${percent(edge.share)} of the times that the block was left` : ''}`
}

interface Marked { path: Path | undefined; steps: Map<number, number>; cursor: number; counts: boolean; most: number; share: number }

function LinkShape({ link, marked }: { link: Link; marked: Marked }): JSX.Element {
	const { edge } = link, onPath = marked.path !== undefined && (marked.path.steps.includes(edge.number) || (edge.from < 0 && marked.path.kind.startsWith('entry')))
	const width = marked.counts && edge.count ? THIN + (THICK - THIN) * Math.log1p(edge.count) / Math.log1p(marked.most) : THIN
	const kind = onPath ? 'on-path' : marked.counts && !edge.count ? 'never' : ''
	const line = curve(link.points)
	return (
		<g class={`link ${kind}`} onMouseEnter={() => { details.value = edgeWords(edge) }}>
			<path class="touch" d={line} />
			<path d={line} stroke-width={onPath ? Math.max(3, width) : width} marker-end={`url(#tip${onPath ? '-path' : ''})`} />
			{link.label && <text x={link.x} y={link.y} dominant-baseline="central" text-anchor="middle">{link.label}</text>}
		</g>)
}

function NodeShape({ node, marked, onPick }: { node: Node; marked: Marked; onPick(block: Block): void }): JSX.Element {
	const { block } = node, left = node.x - node.width / 2, top = node.y - node.height / 2
	if (!block)
		return <g class="node end"><rect x={left} y={top} width={node.width} height={node.height} rx={10} /><text x={node.x} y={node.y} dominant-baseline="central" text-anchor="middle">{node.name}</text></g>
	const step = marked.steps.get(block.number) ?? -1, never = marked.counts && !block.count
	const dim = state.value.find !== '' && !finder.value(block.lines)
	return (
		<g class={`node${never ? ' never' : ''}${step >= 0 ? ' on-path' : ''}${block.number === marked.cursor ? ' cursor' : ''}${dim ? ' dim' : ''}`}
			onMouseEnter={() => { details.value = blockWords(block, step, marked.counts) }} onClick={() => onPick(block)}>
			<rect class="ground" x={left} y={top} width={node.width} height={node.height} rx={3} />
			{!never && <rect class="heat" x={left} y={top} width={node.width} height={node.height} rx={3} fill-opacity={marked.share ? 0.5 * block.share / marked.share : 0} />}
			{never && <rect x={left} y={top} width={node.width} height={node.height} rx={3} fill="url(#never)" />}
			<text x={node.x} y={top + 12} dominant-baseline="central" text-anchor="middle">{node.title}</text>
			<text class="under" x={node.x} y={top + 26} dominant-baseline="central" text-anchor="middle">{node.under}</text>
			{step >= 0 && <g class="step"><circle cx={left} cy={top} r={9} /><text x={left} y={top} dominant-baseline="central" text-anchor="middle">{step + 1}</text></g>}
		</g>)
}

// The block to which an arrow key goes: along the edge that was taken most, or to the next one in the row.
function next(drawing: Drawing, from: number, key: string): number {
	const nodes = drawing.nodes.filter(node => node.block), here = nodes.find(node => node.block!.number === from)
	if (!here)
		return nodes[0]?.block?.number ?? -1
	if (key === 'ArrowDown' || key === 'ArrowUp') {
		const down = key === 'ArrowDown'
		const links = drawing.links.map(link => link.edge).filter(edge => (down ? edge.from : edge.to) === from && (down ? edge.to : edge.from) >= 0 && edge.from !== edge.to)
		const best = links.reduce<Edge | undefined>((best, edge) => !best || edge.count > best.count ? edge : best, undefined)
		return best ? (down ? best.to : best.from) : from
	}
	const row = nodes.filter(node => Math.abs(node.y - here.y) < 30).sort((a, b) => a.x - b.x), at = row.indexOf(here)
	return row[at + (key === 'ArrowRight' ? 1 : -1)]?.block?.number ?? from
}

function Flow({ lens, graph, path, onStep }: { lens: Lens; graph: Graph; path: Path | undefined; onStep(by: number): void }): JSX.Element {
	const blocks = useMemo(() => blocksOf(lens, graph), [lens, graph]), edges = useMemo(() => edgesOf(lens, graph), [lens, graph])
	const walk = useMemo(() => path ? walkOf(path, edges) : [], [path?.row, edges])
	const most = Number(option('blocks')) || MOST_BLOCKS
	const isPart = blocks.length > most
	const drawing = useMemo(() => {
		const first = pathRows(lens, graph)[0], straight = isPart || first === undefined ? path : pathOf(lens.view('paths')!.sheet, first)
		return drawingOf(blocks, edges, walk, new Set(straight?.steps), graph.isWhole, most)
	}, [blocks, most, isPart ? path?.row : 0])
	const [zoom, setZoom] = useState(1)
	const [cursor, setCursor] = useState(-1)
	const box = useRef<HTMLDivElement>(null)
	const fit = (): number => Math.max(FARTHEST, Math.min(1, ((box.current?.clientWidth ?? 600) - 20) / drawing.width))
	useEffect(() => {
		setZoom(Math.max(READABLE, fit()))
		setCursor(-1)
		const first = drawing.nodes.find(node => node.block?.number === (walk[0] ?? 0))
		box.current?.scrollTo(Math.max(0, (first?.x ?? 0) * Math.max(READABLE, fit()) - box.current.clientWidth / 2), 0)
	}, [drawing])
	const marked: Marked = {
		path, cursor, counts: graph.isWhole, steps: new Map(walk.map((block, i) => [block, i])),
		most: edges.reduce((most, edge) => Math.max(most, edge.count), 1), share: blocks.reduce((most, block) => Math.max(most, block.share), 0),
	}
	// The path comes into view where it begins.
	useEffect(() => {
		const node = drawing.nodes.find(node => node.block?.number === walk[0]), element = box.current
		if (!node || !element)
			return
		const x = node.x * zoom, y = node.y * zoom
		if (x < element.scrollLeft || x > element.scrollLeft + element.clientWidth || y < element.scrollTop || y > element.scrollTop + element.clientHeight)
			element.scrollTo(x - element.clientWidth / 2, y - element.clientHeight / 3)
	}, [path?.row])
	const pick = (block: Block): void => {
		setCursor(block.number)
		if (block.file)
			go({ site: place(block.file, block.line), ...(hasSource(block.file) ? { file: block.file, line: block.line } : {}) })
		details.value = blockWords(block, marked.steps.get(block.number) ?? -1, marked.counts)
	}
	const visit = (number: number): void => {
		const node = drawing.nodes.find(node => node.block?.number === number), element = box.current
		setCursor(number)
		if (!node?.block || !element)
			return
		details.value = blockWords(node.block, marked.steps.get(number) ?? -1, marked.counts)
		const x = node.x * zoom, y = node.y * zoom
		if (x < element.scrollLeft + 60 || x > element.scrollLeft + element.clientWidth - 60 || y < element.scrollTop + 40 || y > element.scrollTop + element.clientHeight - 40)
			element.scrollTo(x - element.clientWidth / 2, y - element.clientHeight / 2)
	}
	const onKey = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return
		const block = blocks.find(block => block.number === cursor)
		if (event.key.startsWith('Arrow'))
			visit(next(drawing, cursor, event.key))
		else if (event.key === 'Enter' && block)
			pick(block)
		else if (event.key === '+' || event.key === '=')
			setZoom(Math.min(CLOSEST, zoom * 1.25))
		else if (event.key === '-')
			setZoom(Math.max(FARTHEST, zoom / 1.25))
		else if (event.key === '0')
			setZoom(fit())
		else if (event.key === 'PageDown' || event.key === 'PageUp')
			onStep(event.key === 'PageDown' ? 1 : -1)
		else
			return
		event.preventDefault()
		event.stopPropagation()
	}
	return (
		<div class="graph">
			{drawing.leftOut > 0 && <p class="doubt">{count(blocks.length - drawing.leftOut)} of {count(blocks.length)} blocks: those of the path, then those that were executed most. <button onClick={() => setOption('blocks', String(most * 4))}>more</button></p>}
			<div class="flow" role="application" tabIndex={0} ref={box} onKeyDown={onKey}
				aria-label={`control-flow graph of ${graph.name}: ${blocks.length} blocks. Arrows move along edges, Enter shows the source, Page Down takes the next path, + and - zoom.`}>
				<svg width={drawing.width * zoom} height={drawing.height * zoom} viewBox={`0 0 ${drawing.width} ${drawing.height}`} aria-hidden="true">
					<defs>
						<pattern id="never" width="7" height="7" patternUnits="userSpaceOnUse"><path d="M0 7L7 0" /></pattern>
						<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
						<marker id="tip-path" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
					</defs>
					{drawing.links.map(link => <LinkShape key={link.edge.number} link={link} marked={marked} />)}
					{drawing.nodes.map(node => <NodeShape key={node.name} node={node} marked={marked} onPick={pick} />)}
				</svg>
			</div>
		</div>)
}

export function GraphPage({ lens }: { lens: Lens }): JSX.Element {
	const graphs = graphsOf(lens), graph = graphShown(lens), view = lens.view('paths')!
	const path = graph && pathShown(lens, graph)
	const rows = useMemo(() => new Set(graph ? pathRows(lens, graph) : []), [lens, graph])
	useEffect(() => {
		marks.value = path ? linesOf(path.lines) : new Map()
		return () => { marks.value = new Map() }
	}, [path?.row])
	const only = useMemo(() => (row: number) => rows.has(row), [rows])
	if (!graph)
		return <p>The page holds no graph.</p>
	const choose = (row: number): void => {
		const chosen = pathOf(view.sheet, row), [file, lines] = [...linesOf(chosen.lines)][0] ?? []
		setOption('path', chosen.name)
		if (file && lines && hasSource(file))
			go({ file: graph.file.endsWith(`/${file}`) ? graph.file : file, line: Math.min(...lines) })
		details.value = pathWords(chosen)
	}
	const step = (by: number): void => {
		const all = [...rows], at = path ? all.indexOf(path.row) : -1, to = all[Math.max(0, Math.min(all.length - 1, at + by))]
		if (to !== undefined)
			choose(to)
	}
	const twins = new Map<string, number>()
	for (const each of graphs)
		twins.set(each.name, (twins.get(each.name) ?? 0) + 1)
	return (
		<>
			<div class="tools">
				<label>function <select value={String(graph.id)} onChange={event => {
					const to = graphs.find(each => String(each.id) === event.currentTarget.value)!
					go({ routine: to.name, site: place(to.file, to.line), mode: twins.get(to.name)! > 1 ? `graph=${to.id}` : '', ...(state.value.file && hasSource(to.file) ? { file: to.file, line: to.line } : {}) })
				}}>
					{graphs.slice(0, MOST_FUNCTIONS).map(each => <option key={each.id} value={String(each.id)}>{`${each.name}${twins.get(each.name)! > 1 ? ` (${each.id})` : ''}: ${percent(each.share)}`}</option>)}
				</select></label>
				<span>{place(graph.file, graph.line)}</span>
				{state.value.routine && state.value.routine !== graph.name && <span class="doubt">There is no graph of {state.value.routine}: this is {graph.name}.</span>}
				<button onClick={() => step(-1)}>previous path</button>
				<button onClick={() => step(1)}>next path</button>
				{option('path') && <button onClick={() => setOption('path', '')}>hottest path</button>}
				{graph.file && hasSource(graph.file) && !state.value.file && <button onClick={() => go({ file: graph.file, line: graph.line })}>source (v)</button>}
			</div>
			{path && <p class="help"><strong>{pathWords(path)}</strong></p>}
			{!graph.isWhole && <p class="doubt">Only some paths of this function were counted, so counts of its blocks and edges are not known.</p>}
			<div class="sides">
				<Flow key={graph.id} lens={lens} graph={graph} path={path} onStep={step} />
				<Table view={view} label={`paths of ${graph.name}`} hints={pathColumns} part={{ only, isPicked: row => row === path?.row, onPick: choose }} />
			</div>
			<p class="legend">
				<span><i class="sample on-path" /> the chosen path, numbered in its order</span><span><i class="sample heat" /> the more of all instructions, the fuller</span>
				<span><i class="sample never" /> never executed</span><span>edges: the more often taken, the thicker (logarithmic)</span>
			</p>
		</>)
}

export function pathWords(path: Path): string {
	return `Path ${path.name} (${path.kind}): ${path.lines}. Executed ${path.count === 1 ? 'once' : `${amount(path.count)} times`}, ${path.instructions} instructions each: ${percent(path.share)} of all instructions.`
}
