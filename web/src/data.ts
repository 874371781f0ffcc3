// SPDX-License-Identifier: MIT
// data.ts: reads what `skein view` put into the page: a head in JSON, and columns of bytes that it describes
// (src/report/html/columns.h). A column is decoded when it is first looked at.

export type Code = 't' | 'n' | 'd' | 'm' | 'x'
export type Unit =
	| 'name' | 'context' | 'code' | 'list' | 'text' | 'id' | 'count' | 'ns' | 'bar' | 'ratio' | 'percent' | 'figure'

interface Place { at: number; bytes: number }
interface RawColumn extends Place { name: string; unit: Unit; code: Code; title?: string; meaning?: string }
interface RawSheet { rows: number; columns: RawColumn[]; depths?: Place & { code: 'n' } }
interface RawView { name: string; help: string; of: number; sort?: string; doubt?: string; sheet: RawSheet }
export interface Tag { kind: string; from: number; to: number; routine?: string; object?: string }
interface RawLens {
	name: string; question: string; measured: boolean
	run?: { mode: string; command: string; build_id: string; started_ns: string; wall_ns: number; cpu_ns: number; workers: number; threads: number }
	verdict?: string[]; openings?: number; tags?: Tag[]; caveats?: string[]; views?: RawView[]
}
export interface Evidence { lens: string; relation: 'agrees' | 'adds' | 'contradicts'; words: string; sentence: string }
export interface Finding {
	kind: string; routine: string; file: string; line: number; object: string; text: string; agreement: string
	remark_list: string[]; evidence: Evidence[]; command: string
}
export interface Overview {
	wall_ns: number | null; wall_of: string | null; openings: string[]; none: string | null; findings_in_all: number; findings: Finding[]
	lenses: { lens: string; command: string }[]
}
interface RawSource { path: string; digest: string; newer: boolean; text: Place; figures: Record<string, RawSheet> }
interface RawRecording { file: string; overview: Overview; functions: RawSheet; lenses: RawLens[]; sources: RawSource[] }
interface RawHead {
	version: number; skein: string; recordings: RawRecording[]
	difference?: { verdict: string[]; caveats: string[]; sheet: RawSheet }
	texts: Place & { count: number }
}

// The bytes behind the head, and the texts that columns of texts refer to.
class Body {
	readonly texts: string[]
	private readonly decoder = new TextDecoder()
	constructor(private readonly bytes: Uint8Array, texts: Place) {
		this.texts = this.text(texts).split('\n')
	}
	text(place: Place): string {
		return this.decoder.decode(this.bytes.subarray(place.at, place.at + place.bytes))
	}
	// Numbers of 7 bits a byte; beyond 28 bits by multiplication, since operators on bits have 32. Written twice, and without calls:
	// a page may have fifty million of them.
	references(place: Place, rows: number): Uint32Array {
		const to = new Uint32Array(rows), bytes = this.bytes
		let at = place.at
		for (let row = 0; row < rows; row++) {
			let byte = bytes[at++]!, value = byte & 127
			for (let shift = 7; byte >= 128; shift += 7) {
				byte = bytes[at++]!
				value |= (byte & 127) << shift
			}
			to[row] = value
		}
		return to
	}
	numbers(place: Place, rows: number): Float64Array {
		const to = new Float64Array(rows), bytes = this.bytes
		let at = place.at, last = 0
		for (let row = 0; row < rows; row++) {
			let byte = bytes[at++]!, value = byte & 127, shift = 7
			for (; byte >= 128 && shift < 28; shift += 7) {
				byte = bytes[at++]!
				value |= (byte & 127) << shift
			}
			for (let unit = 2 ** 28; byte >= 128; unit *= 128) {
				byte = bytes[at++]!
				value += (byte & 127) * unit
			}
			if (value === 0) {
				to[row] = NaN
				continue
			}
			value -= 1
			last += value % 2 ? -(value + 1) / 2 : value / 2
			to[row] = last
		}
		return to
	}
}

// A column of a table. Numbers of code d are kept in ten-thousandths, so that they are exact.
export class Column {
	readonly name: string
	readonly unit: Unit
	readonly title: string | undefined
	readonly meaning: string | undefined
	readonly isText: boolean
	private places?: Uint32Array
	private figures?: Uint32Array
	private values?: Float64Array
	constructor(private readonly body: Body, private readonly raw: RawColumn, private readonly rows: number) {
		this.name = raw.name
		this.unit = raw.unit
		this.title = raw.title
		this.meaning = raw.meaning
		this.isText = raw.code === 't' || raw.code === 'x'
	}
	private get references(): Uint32Array {
		if (!this.places) {
			this.places = this.body.references(this.raw, this.rows)
			if (this.raw.code !== 't')
				this.places = this.places.map(value => value >>> 1)
		}
		return this.places
	}
	text(row: number): string {
		const at = this.references[row]!
		return at === 0 ? '' : this.body.texts[at - 1]!
	}
	// Whether a cell of a column of texts is a figure.
	isFigure(row: number): boolean {
		if (this.raw.code === 'x')
			this.figures ??= this.body.references(this.raw, this.rows)
		return this.figures !== undefined && this.figures[row]! % 2 === 1
	}
	// How many texts there are: no reference is larger.
	get texts(): number {
		return this.body.texts.length
	}
	// A number that equal texts share, and others do not; 0 is the empty text.
	reference(row: number): number {
		return this.references[row]!
	}
	private stored(): Float64Array {
		const { raw, rows } = this
		this.values ??= raw.code === 'm'
			? Float64Array.from({ length: rows }, (_, row) => this.reference(row) ? Number(this.text(row)) : NaN)
			: this.body.numbers(raw, rows)
		return this.values
	}
	// NaN: empty
	number(row: number): number {
		if (this.isText)
			return NaN
		const value = this.stored()[row]!
		return this.raw.code === 'd' ? value / 10000 : value
	}
	// As CSV has it.
	digits(row: number): string {
		if (this.isText || this.raw.code === 'm')
			return this.text(row)
		const value = this.stored()[row]!
		if (Number.isNaN(value))
			return ''
		if (this.raw.code === 'n')
			return String(value)
		const whole = Math.abs(value)
		return `${value < 0 ? '-' : ''}${Math.floor(whole / 10000)}.${String(whole % 10000).padStart(4, '0')}`
	}
	isEmpty(row: number): boolean {
		return this.isText ? this.reference(row) === 0 : Number.isNaN(this.stored()[row]!)
	}
	// All values, NaN where there is none: for pictures of many rows.
	all(): Float64Array {
		const stored = this.stored()
		return this.raw.code === 'd' ? stored.map(value => value / 10000) : stored
	}
	allReferences(): Uint32Array {
		return this.references
	}
}

export class Sheet {
	readonly rows: number
	readonly columns: Column[]
	private readonly byName = new Map<string, Column>()
	private depthValues?: Float64Array
	constructor(private readonly body: Body, private readonly raw: RawSheet) {
		this.rows = raw.rows
		this.columns = raw.columns.map(column => new Column(body, column, raw.rows))
		for (const column of this.columns)
			this.byName.set(column.name, column)
	}
	find(name: string): Column | undefined {
		return this.byName.get(name)
	}
	column(name: string): Column {
		const found = this.byName.get(name)
		if (!found)
			throw new Error(`no column ${name}`)
		return found
	}
	get isTree(): boolean {
		return this.raw.depths !== undefined
	}
	// How deep each row is, in a tree whose rows stand in the order of a walk; undefined: no tree
	depths(): Float64Array | undefined {
		if (this.raw.depths)
			this.depthValues ??= this.body.numbers(this.raw.depths, this.rows)
		return this.depthValues
	}
}

export interface View { lens: string; name: string; help: string; of: number; sort: string | undefined; doubt: string | undefined; sheet: Sheet }
export interface Lens {
	name: string; question: string; measured: boolean
	run: RawLens['run']
	verdict: string[]; openings: number; tags: Tag[]; caveats: string[]
	views: View[]
	view(name: string): View | undefined
}
export interface Source { path: string; digest: string; newer: boolean; lines: string[]; figures: Map<string, Sheet> }
export interface Recording { file: string; lenses: Lens[]; sources: Source[]; overview: Overview; functions: Sheet; lens(name: string): Lens | undefined }
export interface Data {
	skein: string
	recordings: Recording[]
	difference: { verdict: string[]; caveats: string[]; sheet: Sheet } | undefined
}

function lensOf(body: Body, raw: RawLens): Lens {
	const views = (raw.views ?? []).map(view => ({
		lens: raw.name, name: view.name, help: view.help, of: view.of, sort: view.sort, doubt: view.doubt, sheet: new Sheet(body, view.sheet),
	}))
	return {
		name: raw.name, question: raw.question, measured: raw.measured, run: raw.run, verdict: raw.verdict ?? [],
		openings: raw.openings ?? 0, tags: raw.tags ?? [], caveats: raw.caveats ?? [], views,
		view: name => views.find(view => view.name === name),
	}
}

// What no page shows as it is: controls, ends of lines, marks of direction (src/base/escape.c). The overview comes as its report has it
// in JSON, which may hold them.
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/g
function plain<T>(value: T): T {
	if (typeof value === 'string')
		return value.replace(DANGEROUS, found => [...new TextEncoder().encode(found)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')) as T
	if (Array.isArray(value))
		return value.map(plain) as T
	if (value !== null && typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)])) as T
	return value
}

function recordingOf(body: Body, raw: RawRecording): Recording {
	const lenses = raw.lenses.map(lens => lensOf(body, lens))
	const sources = raw.sources.map(source => {
		let lines: string[] | undefined
		return {
			path: source.path, digest: source.digest, newer: source.newer,
			get lines() { return lines ??= body.text(source.text).replace(/\n$/, '').split('\n') },
			figures: new Map(Object.entries(source.figures).map(([lens, sheet]) => [lens, new Sheet(body, sheet)])),
		}
	})
	return { file: raw.file, lenses, sources, overview: plain(raw.overview), functions: new Sheet(body, raw.functions), lens: name => lenses.find(lens => lens.name === name && lens.measured) }
}

// Newer browsers do it themselves, ten times as fast.
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	const own = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64
	if (own)
		return own.call(Uint8Array, text)
	const whole = atob(text), to = new Uint8Array(whole.length)
	for (let i = 0; i < whole.length; i++)
		to[i] = whole.charCodeAt(i)
	return to
}

async function unpacked(text: string): Promise<Uint8Array> {
	const packed = fromBase64(text.trim())
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
	return new Uint8Array(await new Response(stream).arrayBuffer())
}

export async function readData(element: Element): Promise<Data> {
	const bytes = await unpacked(element.textContent ?? '')
	element.textContent = ''
	const length = new DataView(bytes.buffer).getUint32(0, true)
	const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as RawHead
	const body = new Body(bytes.subarray(4 + length), head.texts)
	return {
		skein: head.skein,
		recordings: head.recordings.map(recording => recordingOf(body, recording)),
		difference: head.difference && {
			verdict: head.difference.verdict, caveats: head.difference.caveats, sheet: new Sheet(body, head.difference.sheet),
		},
	}
}
