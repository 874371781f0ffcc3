// SPDX-License-Identifier: MIT
// layout.ts: where the blocks and edges of a graph are drawn: dagre's layers from top to bottom. A large function is shown in part: the
// blocks of the path, and those that were executed most.
import { Graph as Dagre, layout } from '@dagrejs/dagre'
import { amount } from '../../format'
import type { Block, Edge } from './model'

export const MOST_BLOCKS = 120
const MOST_LETTERS = 30, LETTER = 6.7, HEIGHT = 36, LABEL_HEIGHT = 14, QUICK_ABOVE = 80, LOOP = 34, STRAIGHT = 12

export interface Node { block: Block | undefined; name: string; title: string; under: string; x: number; y: number; width: number; height: number }
export interface Link { edge: Edge; label: string; points: { x: number; y: number }[]; x: number; y: number }
export interface Drawing { nodes: Node[]; links: Link[]; width: number; height: number; leftOut: number }

function shown(blocks: Block[], path: Set<number>, most: number): Set<number> {
	const order = blocks.slice().sort((a, b) => Number(path.has(b.number)) - Number(path.has(a.number)) || b.count - a.count || a.number - b.number)
	return new Set(order.slice(0, most).map(block => block.number))
}

function short(text: string): string {
	return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text
}

const nameOf = (block: number, end: string): string => block < 0 ? end : `b${block}`

// A block that is its own successor: out of its right side, and in again above.
function loop(link: Link, node: Node): void {
	const right = node.x + node.width / 2, { y } = node
	link.points = [{ x: right, y: y + 8 }, { x: right + LOOP, y: y + 16 }, { x: right + LOOP, y: y - 16 }, { x: right, y: y - 8 }]
	link.x = right + LOOP - 6
	link.y = y
}

// `straight`: edges of a path that are drawn as straight as can be.
export function drawingOf(blocks: Block[], edges: Edge[], path: number[], straight: Set<number>, counts: boolean, most: number): Drawing {
	const keep = shown(blocks, new Set(path), most)
	const graph = new Dagre({ multigraph: true })
	graph.setGraph({ nodesep: 22, edgesep: 14, ranksep: 30, marginx: 12, marginy: 12, ranker: keep.size > QUICK_ABOVE ? 'longest-path' : 'network-simplex' })
	graph.setDefaultEdgeLabel(() => ({}))
	const nodes = new Map<string, Node>()
	const add = (name: string, block: Block | undefined, title: string, under: string): void => {
		const node = { block, name, title, under, x: 0, y: 0, width: block ? Math.max(84, Math.max(title.length, under.length) * LETTER + 18) : 44, height: block ? HEIGHT : 20 }
		nodes.set(name, node)
		graph.setNode(name, { width: node.width, height: node.height })
	}
	for (const block of blocks)
		if (keep.has(block.number))
			add(`b${block.number}`, block, short(block.lines ? block.lines : `block ${block.number}`), `${counts ? `${amount(block.count)} x ` : ''}${block.instructions} insn${block.instructions === 1 ? '' : 's'}`)
	const out = new Map<number, number>()
	for (const edge of edges)
		out.set(edge.from, (out.get(edge.from) ?? 0) + 1)
	const links: Link[] = []
	for (const edge of edges) {
		if ((edge.from >= 0 && !keep.has(edge.from)) || (edge.to >= 0 && !keep.has(edge.to)))
			continue
		for (const [end, is] of [['entry', edge.from < 0], ['exit', edge.to < 0]] as const)
			if (is && !nodes.has(end))
				add(end, undefined, end, '')
		const label = counts && (out.get(edge.from)! > 1 || edge.from < 0) ? amount(edge.count) : ''
		links.push({ edge, label, points: [], x: 0, y: 0 })
		graph.setEdge(nameOf(edge.from, 'entry'), nameOf(edge.to, 'exit'), { width: label.length * LETTER, height: label ? LABEL_HEIGHT : 0, labelpos: 'c', weight: straight.has(edge.number) && edge.kind !== 'back' ? STRAIGHT : edge.kind === 'back' ? 1 : 2 }, `e${edge.number}`)
	}
	layout(graph)
	for (const node of nodes.values())
		Object.assign(node, (({ x, y }) => ({ x, y }))(graph.node(node.name) as { x: number; y: number }))
	for (const link of links)
		Object.assign(link, (({ points, x, y }) => ({ points, x: x ?? 0, y: y ?? 0 }))(graph.edge(nameOf(link.edge.from, 'entry'), nameOf(link.edge.to, 'exit'), `e${link.edge.number}`) as Link))
	for (const link of links) {
		const node = link.edge.from === link.edge.to ? nodes.get(`b${link.edge.from}`) : undefined
		if (node)
			loop(link, node)
	}
	const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
	return { nodes: [...nodes.values()], links, width: width + LOOP, height, leftOut: blocks.length - keep.size }
}

// Through the points of dagre, smoothly.
export function curve(points: { x: number; y: number }[]): string {
	const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`, last = points.length - 1
	if (last < 1)
		return ''
	let text = `M${at(points[0]!.x, points[0]!.y)}`
	if (last === 1)
		return `${text}L${at(points[1]!.x, points[1]!.y)}`
	for (let i = 1; i < last; i++) {
		const { x, y } = points[i]!, next = points[i + 1]!
		text += `Q${at(x, y)} ${i === last - 1 ? at(next.x, next.y) : at((x + next.x) / 2, (y + next.y) / 2)}`
	}
	return text
}
