// SPDX-License-Identifier: MIT
// table.tsx: a view as a table, or as a tree of rows. Only the rows on the screen exist. The numbers are those of
// `skein report --csv`; a table can be copied as CSV or Markdown.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type { Column, Sheet, View } from './data'
import { cell, count, csv, place } from './format'
import { firstOpen, partsOf, placeOf, routineColumns, routineOf, rowsOf, sorting, treeOf } from './rows'
import { chosen, EACH, Facets, kept } from './hints'
import type { Hints } from './hints'
import { details, finder, go, modes, prints, state, toggle } from './state'

const ROW = 24, SPARE = 8, SAMPLE = 200, FIRST_ROWS = 40, FOLD_ABOVE = 50, FOLD_SHARE = 0.001, CHARACTER = 7.3
const MOST_SHOWN = 700_000 // rows; browsers have no element that is higher
const MOST_OPEN = 200_000 // rows of a tree
const PRINTED = 200 // rows

// What a cell of the table shows: a column, or the place in the source of the row.
interface Shown { column: Column | undefined; name: string; title: string; meaning: string | undefined; isNumber: boolean; text(row: number): string }

function columnsOf(sheet: Sheet, all: boolean, hints?: Hints, parts: Column[] = []): Shown[] {
	// A row's name stands in text under no heading, or in another form.
	const isName = (column: Column): boolean => column.unit === 'name' || column.unit === 'context'
	const first = sheet.columns.find(isName)
	const isWanted = (column: Column): boolean => column.title !== undefined || (column.unit === 'name' && first?.unit !== 'context') || column === first || parts.includes(column) ||
		hints?.titles?.[column.name] !== undefined || hints?.columns?.includes(column.name) === true || isOpenFacet(hints, column.name)
	const titled = sheet.columns.filter(column => all || isWanted(column))
	const named = titled.length ? titled : [...sheet.columns] // of what text only draws
	// A call is named by both of its ends.
	const callee = first?.name === 'caller' ? sheet.find('callee') : undefined
	const rank = (column: Column): number => column === first ? 0 : column === callee ? 1 : 2
	if (!all && first)
		named.sort((a, b) => rank(a) - rank(b))
	const shown: Shown[] = named.map(column => ({
		column, name: column.name, title: column.title || hints?.titles?.[column.name] || column.name, meaning: column.meaning, isNumber: !column.isText || column.unit === 'figure',
		text: row => hints?.text?.(sheet, column.name, row) ?? cell(column, row),
	}))
	if (!all && sheet.find('file')) {
		const where: Shown = {
			column: undefined, name: 'where', title: 'where', meaning: undefined, isNumber: false,
			text: row => {
				const at = placeOf(sheet, row)
				return at ? place(at.file, at.line) : ''
			},
		}
		const behind = callee ? 1 : shown.findIndex(column => column.column?.isText)
		shown.splice(behind + 1, 0, where)
	}
	if (!all)
		shown.push(...(hints?.more?.(sheet) ?? []).map(more => ({ ...more, column: undefined, isNumber: true })))
	const order = all ? undefined : hints?.columns
	const listed = order ? order.flatMap(name => shown.find(column => column.name === name) ?? []) : shown
	// A column in which nothing was measured tells nothing; of a table without rows that would be all.
	const looked = all || sheet.rows > 20000 ? [] : kept(sheet, hints, Array.from({ length: sheet.rows }, (_, row) => row))
	return all || sheet.rows === 0 ? listed : listed.filter(({ column }) => {
		if (!column || sheet.rows > 20000)
			return true
		for (const row of looked)
			if (column.isText ? column.reference(row) !== 0 : Math.abs(column.number(row)) > 0)
				return true
		return false
	})
}

// A column that tells rows apart which are all shown.
function isOpenFacet(hints: Hints | undefined, name: string): boolean {
	return (hints?.facets ?? []).some(facet => facet.column === name && chosen(facet) === EACH)
}

function widthOf(shown: Shown, rows: number[], depths: Float64Array | undefined): number {
	let most = shown.title.length + 2
	const isTreeColumn = depths !== undefined && (shown.column?.unit === 'name' || shown.column?.unit === 'context')
	for (const row of rows.slice(0, SAMPLE))
		most = Math.max(most, shown.text(row).length + (isTreeColumn ? depths![row]! * 12 / CHARACTER + 3 : 0))
	return Math.round(Math.min(isTreeColumn ? 420 : 300, Math.max(isTreeColumn ? 240 : 44, most * CHARACTER + 20)))
}

// Of a table that a number orders downwards: how many rows have at least a thousandth of its sum. The others are folded away.
function unfolded(sheet: Sheet, rows: number[]): number {
	const first = sorting(sheet, state.value.sort)[0]
	if (!first || !first.down || first.column.isText || rows.length <= FOLD_ABOVE || sheet.isTree)
		return rows.length
	let sum = 0
	for (const row of rows)
		sum += Math.max(0, first.column.number(row) || 0)
	const at = rows.findIndex((row, i) => i >= FOLD_ABOVE && !(first.column.number(row) >= sum * FOLD_SHARE))
	return at < 0 ? rows.length : at
}

export function tableText(rows: number[], columns: Column[], form: 'csv' | 'markdown'): string {
	if (form === 'csv')
		return [columns.map(column => column.name).join(','), ...rows.map(row => columns.map(column => column.isText && !column.isFigure(row) ? csv(column.text(row)) : column.digits(row)).join(','))].join('\n') + '\n'
	const bar = (cells: string[]): string => `| ${cells.map(text => text.replaceAll('|', '\\|')).join(' | ')} |`
	return [
		bar(columns.map(column => column.title || column.name)),
		bar(columns.map(column => column.isText ? '---' : '---:')),
		...rows.map(row => bar(columns.map(column => cell(column, row)))),
	].join('\n') + '\n'
}

export async function copy(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text)
		details.value = 'Copied.'
	} catch {
		// A page from disk may have no clipboard: the old way works there.
		const area = document.createElement('textarea')
		area.value = text
		document.body.append(area)
		area.select()
		const done = document.execCommand('copy')
		area.remove()
		details.value = done ? 'Copied.' : 'The browser does not allow to copy.'
	}
}

function sortBy(sheet: Sheet, column: Column, isSecond: boolean): void {
	const now = sorting(sheet, state.value.sort), first = now[0]
	const down = first?.column === column && !isSecond ? !first.down : !column.isText
	const word = `${down ? '-' : ''}${column.name}`
	const before = isSecond ? state.value.sort.split(',').filter(name => name && name.replace(/^-/, '') !== column.name) : []
	go({ sort: [...before, word].join(',') })
}

// What stands above columns together, and how many of them.
interface Group { title: string; from: number; size: number }

function groupsOf(shown: Shown[], groupOf: ((column: string) => string) | undefined): Group[] {
	const to: Group[] = []
	shown.forEach((column, i) => {
		const title = groupOf?.(column.name) ?? '', last = to.at(-1)
		if (last && last.title === title)
			last.size++
		else
			to.push({ title, from: i, size: 1 })
	})
	return to.some(group => group.title) ? to : []
}

// A table of some rows, of which one is picked besides the selected routine, is a part of a page.
export interface Part { only?: (row: number) => boolean; isPicked?: (row: number) => boolean; onPick?: (row: number) => void }

export function Table({ view, label, hints, part }: { view: Pick<View, 'name' | 'sheet' | 'of'>; label: string; hints?: Hints | undefined; part?: Part }): JSX.Element {
	const { sheet } = view
	const [all, setAll] = useState(false)
	const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
	const [open, setOpen] = useState<ReadonlySet<number> | undefined>(undefined)
	const [whole, setWhole] = useState(false)
	const [cursor, setCursor] = useState(0)
	const [heading, setHeading] = useState(0)
	const [top, setTop] = useState(0)
	const [height, setHeight] = useState(600)
	const box = useRef<HTMLDivElement>(null)
	const tree = treeOf(sheet)
	const opened = useMemo(() => {
		if (open)
			return open as Set<number>
		const by = sorting(sheet, state.value.sort)[0]?.column ?? sheet.columns.find(column => column.unit === 'ns' || column.unit === 'count' && column.name !== 'depth')
		return tree ? firstOpen(tree, by, FIRST_ROWS) : new Set<number>()
	}, [sheet, open])
	useEffect(() => { setOpen(undefined); setCursor(0); setHeading(0); setWhole(false); setHidden(new Set()); box.current?.scrollTo(0, 0) }, [sheet])
	// A lens that says which parts of a table there are to choose from (facets) has its own way to divide it.
	const parts = hints?.facets ? [] : partsOf(sheet), isDivided = hints?.facets !== undefined || (parts.length > 0 && modes.value.has('parts'))
	const rows = useMemo(() => kept(sheet, hints, rowsOf(sheet, state.value, finder.value, opened, !isDivided)).filter(row => part?.only?.(row) ?? true), [sheet, hints, state.value, opened, isDivided, part?.only])
	const most = useMemo(() => Math.min(MOST_SHOWN, whole ? rows.length : unfolded(sheet, rows)), [rows, whole])
	const shown = useMemo(() => columnsOf(sheet, all, hints, isDivided || state.value.worker !== '' ? parts : []).filter(column => !hidden.has(column.name)), [sheet, all, hidden, hints, isDivided, state.value.mode, state.value.worker])
	const widths = useMemo(() => shown.map(column => widthOf(column, rows, sheet.depths())), [shown, rows])
	const treeColumn = tree ? shown.findIndex(column => column.column?.unit === 'name' || column.column?.unit === 'context') : -1
	const depths = sheet.depths(), subjects = routineColumns(sheet)
	useEffect(() => {
		const element = box.current
		if (!element)
			return undefined
		const watch = new ResizeObserver(() => setHeight(element.clientHeight))
		watch.observe(element)
		return () => watch.disconnect()
	}, [])
	const from = prints.value ? 0 : Math.max(0, Math.floor(top / ROW) - SPARE)
	const to = Math.min(most, prints.value ? PRINTED : Math.ceil((top + height) / ROW) + SPARE)
	const groups = groupsOf(shown, hints?.groupOf)
	const selected = state.value.routine, total = widths.reduce((sum, width) => sum + width, 0)

	const told = useMemo(() => columnsOf(sheet, false, hints), [sheet, hints])
	const tell = (row: number): void => {
		details.value = told.map(column => `${column.title} ${column.text(row)}`).filter(text => !text.endsWith(' ')).join('   ')
	}
	const turn = (row: number): void => {
		const next = new Set(opened)
		if (!next.delete(row))
			next.add(row)
		setOpen(next)
	}
	const select = (row: number): void => {
		const at = placeOf(sheet, row)
		if (part?.onPick) {
			part.onPick(row)
			tell(row)
			return
		}
		go({ routine: routineOf(sheet, row), ...(at ? { site: place(at.file, at.line), ...(state.value.file ? at : {}) } : {}) })
		tell(row)
	}
	const moveTo = (next: number): void => {
		const at = Math.max(0, Math.min(most - 1, next)), element = box.current
		setCursor(at)
		if (rows[at] !== undefined)
			tell(rows[at]!)
		if (element && (at * ROW < element.scrollTop || (at + 2) * ROW > element.scrollTop + element.clientHeight))
			element.scrollTo(0, at * ROW - element.clientHeight / 2)
	}
	const onKey = (event: KeyboardEvent): void => {
		const row = rows[cursor], page = Math.max(1, Math.floor(height / ROW) - 2)
		const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length }
		if (event.key in steps)
			moveTo(cursor + steps[event.key]!)
		else if (row !== undefined && (event.key === 'Enter' || event.key === ' '))
			select(row)
		else if (row !== undefined && tree && (event.key === 'ArrowRight' || event.key === 'ArrowLeft') && tree.hasChildren(row) && opened.has(row) === (event.key === 'ArrowLeft'))
			turn(row)
		else if (row !== undefined && tree && event.key === 'ArrowLeft' && tree.parent[row]! >= 0)
			moveTo(rows.indexOf(tree.parent[row]!))
		else if (row !== undefined && event.key === 'c' && !event.ctrlKey && !event.metaKey)
			void copy(tableText([row], shown.flatMap(column => column.column ?? []), 'markdown'))
		else
			return
		event.preventDefault()
		event.stopPropagation()
	}
	// Headings are one stop of the Tab key; arrows go from one to the next.
	const onHeadingKey = (event: KeyboardEvent, at: number): void => {
		const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: shown.length - 1 }, column = shown[at]!.column
		if (event.key in steps) {
			const next = Math.max(0, Math.min(shown.length - 1, steps[event.key]!))
			setHeading(next)
			;((event.currentTarget as HTMLElement).parentElement!.children[next] as HTMLElement).focus()
		} else if (column && (event.key === 'Enter' || event.key === ' ')) {
			sortBy(sheet, column, event.shiftKey)
		} else {
			return
		}
		event.preventDefault()
		event.stopPropagation()
	}
	// A copy has all rows that are found, also those that are closed in a tree, and those of parts.
	const copyCsv = (): void => void copy(tableText(rowsOf(sheet, state.value, finder.value, undefined), sheet.columns, 'csv'))
	const visible = rows.slice(from, to)
	return (
		<section class="table" aria-label={label}>
			<div class="tools">
				<span>{count(rows.length)} {rows.length === 1 ? 'row' : 'rows'}{view.of > sheet.rows ? ` of ${count(view.of)}: the page leaves out the smallest` : ''}</span>
				<Facets sheet={sheet} hints={hints} />
				{tree && sheet.rows <= MOST_OPEN && <button onClick={() => setOpen(new Set(Array.from({ length: sheet.rows }, (_, row) => row)))}>open all</button>}
				{tree && <button onClick={() => setOpen(new Set())}>close all</button>}
				{parts.length > 0 && <label><input type="checkbox" checked={isDivided} onChange={() => toggle('parts')} /> by {parts.map(column => column.name).join(' and ')}</label>}
				<label><input type="checkbox" checked={all} onChange={() => setAll(!all)} /> all columns</label>
				<details class="choose">
					<summary>columns</summary>
					<div>{columnsOf(sheet, all, hints).map(column => (
						<label key={column.name}><input type="checkbox" checked={!hidden.has(column.name)} onChange={() => {
							const next = new Set(hidden)
							if (!next.delete(column.name))
								next.add(column.name)
							setHidden(next)
						}} /> {column.title}</label>))}</div>
				</details>
				<button onClick={copyCsv}>copy CSV</button>
				<button onClick={() => void copy(tableText(rows, shown.flatMap(column => column.column ?? []), 'markdown'))}>copy Markdown</button>
			</div>
			<div class="grid" role={tree ? 'treegrid' : 'grid'} aria-label={label} aria-rowcount={rows.length + 1} aria-colcount={shown.length} tabIndex={0} ref={box}
				aria-activedescendant={rows.length ? `row-${view.name}-${cursor}` : undefined}
				onScroll={() => setTop(box.current?.scrollTop ?? 0)} onKeyDown={onKey}>
				{groups.length > 0 && (
					<div class="row head groups" aria-hidden="true" style={{ gridTemplateColumns: widths.map(width => `${width}px`).join(' '), minWidth: `${total}px` }}>
						{groups.map(group => <div key={group.from} style={{ gridColumn: `${group.from + 1} / span ${group.size}` }}>{group.title}</div>)}
					</div>)}
				<div class={`row head${groups.length ? ' under' : ''}`} role="row" aria-rowindex={1} style={{ gridTemplateColumns: widths.map(width => `${width}px`).join(' '), minWidth: `${total}px` }}>
					{shown.map((column, i) => {
						const at = sorting(sheet, state.value.sort).findIndex(sort => sort.column === column.column)
						const down = at >= 0 && sorting(sheet, state.value.sort)[at]!.down
						return (
							<div key={column.name} role="columnheader" aria-colindex={i + 1} aria-label={hints?.groupOf?.(column.name) ? `${hints.groupOf(column.name)} ${column.title}` : undefined}
								class={column.isNumber ? 'number' : ''} title={column.meaning}
								aria-sort={at === 0 ? (down ? 'descending' : 'ascending') : 'none'}
								tabIndex={i === Math.min(heading, shown.length - 1) ? 0 : -1} onKeyDown={event => onHeadingKey(event, i)}
								onClick={event => column.column && sortBy(sheet, column.column, event.shiftKey)}>
								{column.title}{at >= 0 ? (down ? ' ▾' : ' ▴') : ''}
							</div>)
					})}
				</div>
				<div class="body" role="rowgroup" style={{ height: `${(prints.value ? to : most) * ROW}px`, minWidth: `${total}px` }}>
					{visible.map((row, i) => {
						const at = from + i
						const isSelected = part?.isPicked ? part.isPicked(row) : selected !== '' && subjects.some(column => column.text(row) === selected)
						return (
							<div key={row} id={`row-${view.name}-${at}`} role="row" aria-rowindex={at + 2} aria-selected={isSelected} aria-level={depths ? depths[row]! + 1 : undefined}
								aria-expanded={tree?.hasChildren(row) ? opened.has(row) : undefined}
								class={`row${isSelected ? ' selected' : ''}${at === cursor ? ' cursor' : ''}`}
								style={{ top: `${at * ROW}px`, gridTemplateColumns: widths.map(width => `${width}px`).join(' ') }}
								onMouseEnter={() => tell(row)} onClick={() => { setCursor(at); select(row) }}
								onDblClick={() => { const where = placeOf(sheet, row); if (where) go(where) }}>
								{shown.map((column, c) => (
									<div key={column.name} role="gridcell" aria-colindex={c + 1} class={column.isNumber ? 'number' : ''}
										style={c === treeColumn && depths ? { paddingLeft: `${6 + depths[row]! * 12}px` } : undefined}>
										{c === treeColumn && tree && <span class="twig" aria-hidden="true" onClick={event => { event.stopPropagation(); turn(row) }}>{tree.hasChildren(row) ? (opened.has(row) ? '▾' : '▸') : ''}</span>}
										{column.name === 'where' && column.column === undefined && column.text(row) !== ''
											? <a href="#" tabIndex={-1} onClick={event => { event.preventDefault(); event.stopPropagation(); const where = placeOf(sheet, row); if (where) go({ ...where, routine: routineOf(sheet, row) }) }}>{column.text(row)}</a>
											: column.text(row)}
									</div>))}
							</div>)
					})}
				</div>
			</div>
			{most < rows.length && (most === MOST_SHOWN
				? <p class="help">The first {count(most)} rows are shown: search to see others.</p>
				: <button class="more" onClick={() => setWhole(true)}>{count(rows.length - most)} more rows, each below 0.1 %</button>)}
			{prints.value && to < most && <p class="help">The first {count(to)} rows are printed.</p>}
		</section>)
}
