// SPDX-License-Identifier: MIT
// views.mjs: every view of every lens: it shows something, its figures are those of `skein report --csv`, nothing goes wrong, and axe
// finds nothing in light and in dark.
import { check, copied, notOk, ok, open, reported, same, setTheme, settled, short, skein, viewsOf, violations, walk } from './lib.mjs'

// The first line in which two texts differ.
function difference(expected, actual) {
	const a = expected.split('\n'), b = actual.split('\n')
	const at = a.findIndex((line, i) => line !== b[i])
	return at < 0 ? `${b.length - a.length} lines more` : `line ${at + 1}: expected ${short(a[at])}, got ${short(b[at])}`
}

// Every picture has a name, takes the keyboard, and is not empty.
function pictures() {
	const faults = []
	for (const canvas of document.querySelectorAll('main canvas')) {
		const of = canvas.closest('[role="application"], [role="img"], [aria-hidden="true"]')
		const { width, height } = canvas
		// What is hidden from screen readers is an ornament beside words that say the same, or lies over a picture.
		if (of?.getAttribute('aria-hidden') === 'true')
			continue
		if (!of?.getAttribute('aria-label'))
			faults.push(`a picture has no name: ${canvas.parentElement.outerHTML.slice(0, 100)}`)
		if (of?.getAttribute('role') === 'application' && of.tabIndex !== 0)
			faults.push(`${of.getAttribute('aria-label')}: the keyboard does not get there`)
		if (!width || !height || !canvas.offsetParent) {
			faults.push(`${of?.getAttribute('aria-label')}: has no size`)
			continue
		}
		const points = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, width, height).data.buffer)
		if (points.every(point => point === points[0]))
			faults.push(`${of?.getAttribute('aria-label')}: is empty`)
	}
	return faults
}

// Some pictures are drawn when they are first on the screen.
async function lookAtAll(page) {
	for (const canvas of await page.locator('main canvas').all())
		await canvas.evaluate(element => element.scrollIntoView())
	await settled(page)
	await page.locator('main').evaluate(main => main.scrollTo(0, 0))
}

// Views that the page has in another form, or that need a question. doc/view.md names them.
const LEFT_OUT = new Set(['folded', 'events'])

export async function testViews(name, file) {
	const { page, said, asked, close } = await open(`${name}.html`)
	const seen = new Map()
	let tables = 0
	await walk(page, async ({ tab, view }) => {
		const title = `${name}: ${tab}${view ? ` ${view}` : ''}`
		seen.set(tab, [...(seen.get(tab) ?? []), view])
		same(`${title}: nothing goes wrong`, [], said.splice(0))
		same(`${title}: it has one heading of the page`, 1, await page.locator('h1').count())
		check(`${title}: it says something`, (await page.locator('main').innerText()).length > 20)
		await lookAtAll(page)
		same(`${title}: pictures`, [], await page.evaluate(pictures))
		for (const theme of ['light', 'dark']) {
			await setTheme(page, theme)
			same(`${title}: axe, ${theme}`, [], await violations(page))
		}
		await setTheme(page, 'light')
		const report = viewsOf(tab).includes(view) && reported(file, tab, view)
		for (const table of await page.locator('main section.table').all()) {
			tables++
			const csv = await copied(page, table)
			check(`${title}: a table is copied`, csv.includes('\n'), csv)
			// The table of a view stands alone on its page, below its picture.
			if (report && csv === report.out)
				ok(`${title}: figures are those of the report`)
			else if (report)
				notOk(`${title}: figures are those of the report`, report.status === 0 ? difference(report.out, csv) : report.err)
		}
		if (report)
			check(`${title}: there is a table`, await page.locator('main section.table').count() > 0)
		await settled(page)
	})
	same(`${name}: asks for nothing`, [], asked)
	same(`${name}: keeps to its policy`, [], await page.evaluate(() => window.breaches))
	check(`${name}: there are tables`, tables > 5, tables)
	for (const [lens, views] of seen)
		for (const view of viewsOf(lens))
			if (views.some(Boolean) && !LEFT_OUT.has(view) && reported(file, lens, view).status === 0)
				check(`${name}: ${lens} has its view ${view}`, views.includes(view), views)
	await close()
	return seen
}

// A lens that was not recorded says so, and how to record it.
export async function testMissing(name) {
	const { page, close } = await open(`${name}.html`)
	let missing = 0
	await walk(page, async ({ tab, view }) => {
		const text = await page.locator('main').innerText()
		if (tab === 'overview' || tab === 'compare' || view)
			return
		missing++
		check(`${name}: ${tab} was not measured, and says so`, text.includes('Not measured') && text.includes(`skein record ${tab} -- `), text)
		check(`${name}: ${tab} has no figure`, !/[0-9]/.test(text), text)
	})
	check(`${name}: some lens was not measured`, missing > 0)
	await close()
}

// The table of differences is that of `skein diff`, in whatever tables it stands.
export async function testCompare(name, old, recent) {
	const { page, said, close } = await open(`${name}.html`, { hash: '#/compare' })
	const [head, ...lines] = skein('diff', old, recent, '--csv').out.trimEnd().split('\n')
	const shown = new Set()
	for (const table of await page.locator('main section.table').all()) {
		const [first, ...rows] = (await copied(page, table)).trimEnd().split('\n')
		if (first === head)
			rows.forEach(row => shown.add(row))
	}
	same(`${name}: all differences are shown`, [], lines.filter(line => !shown.has(line)))
	same(`${name}: and no others`, [], [...shown].filter(line => !lines.includes(line)))
	check(`${name}: there are differences`, lines.length > 3, lines.length)
	const select = page.getByRole('combobox', { name: 'recording' })
	for (const [i, file] of [old, recent].entries()) {
		await select.selectOption(String(i))
		await settled(page)
		same(`${name}: ${i ? 'the new' : 'the old'} recording can be chosen`, file, (await page.locator('h1').textContent()).trim())
		await page.locator('nav button', { hasText: /^span$/ }).click()
		await page.locator('.views button', { hasText: /^sites$/ }).click()
		await settled(page)
		same(`${name}: its figures are its own`, skein('report', 'span', file, '--view', 'sites', '--csv').out, await copied(page, page.locator('main section.table').first()))
	}
	same(`${name}: nothing goes wrong`, [], said)
	await close()
}
