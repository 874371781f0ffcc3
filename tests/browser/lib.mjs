// SPDX-License-Identifier: MIT
// lib.mjs: what the tests of the page share: the browser, what pages said, asked for and copied, and lines of results as
// tests/run counts them. There is one browser for all of them, and none of them waits for a time: they wait for what they need.
//
//     MODULES   the folder into which npm put playwright-core and axe-core
//     CHROMIUM  the browser
//     PAGES     the folder with the recordings and their pages
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'

const { MODULES, CHROMIUM, PAGES } = process.env
const load = createRequire(`${MODULES}/`)
const { chromium } = load('playwright-core')
const axe = readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8')
const WIDTH = 1200, HEIGHT = 750

let failures = 0
export function ok(name) { console.log(`ok ${name}`) }
export function notOk(name, why) {
	failures++
	console.log(`not ok ${name}: ${String(why).replaceAll('\n', ' ').slice(0, 600)}`)
}
export function check(name, is, why) { is ? ok(name) : notOk(name, why ?? 'it is not so') }
export function same(name, expected, actual) {
	check(name, isDeepStrictEqual(expected, actual), `expected ${short(expected)}, got ${short(actual)}`)
}
export function short(value) { return (JSON.stringify(value) ?? 'nothing').slice(0, 250) }
export function failed() { return failures > 0 }

// What breaks a test is a failure of it; the others go on.
export async function test(name, run) {
	try {
		await run()
	} catch (error) {
		notOk(name, error.stack ?? error)
	}
}

// ---- skein ----

export function skein(...words) {
	const ran = spawnSync('skein', words, { cwd: PAGES, encoding: 'utf8', maxBuffer: 1 << 28 })
	return { status: ran.status, out: ran.stdout, err: ran.stderr }
}

// The whole table as `skein report` prints it; a view of one routine is one of all of them on the page.
export function reported(file, lens, view) {
	const plain = skein('report', lens, file, '--view', view, '--csv')
	return plain.status === 0 ? plain : skein('report', lens, file, '--view', view, '--csv', '--routine', '*')
}

// The views that `skein report LENS` has.
export function viewsOf(lens) {
	const help = skein('report', lens, '--help').out
	return [...(/^Views of.*\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map(found => found[1])
}

// ---- pages ----

let browser
export async function start() {
	browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
	})
}
export async function stop() { await browser.close() }

// Before anything of the page runs: what it copies is kept, and breaches of its policy are counted.
function watch() {
	window.copied = []
	window.breaches = []
	navigator.clipboard.writeText = async text => { window.copied.push(text) }
	document.addEventListener('securitypolicyviolation', event => window.breaches.push(event.violatedDirective))
}

// Opens FILE of PAGES without a network. `said` has errors of the page and all that it prints, `asked` what it asks for besides itself.
export async function open(file, { hash = '', ready = true, clipboard = false, ...options } = {}) {
	const context = await browser.newContext({ offline: true, viewport: { width: WIDTH, height: HEIGHT }, colorScheme: 'light', ...options })
	const page = await context.newPage()
	const said = [], asked = []
	page.on('console', message => said.push(`${message.type()}: ${message.text()}`))
	page.on('pageerror', error => said.push(error.stack ?? String(error)))
	page.on('dialog', dialog => { said.push(`dialog: ${dialog.message()}`); void dialog.dismiss() })
	page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url()) })
	if (!clipboard)
		await page.addInitScript(watch)
	await page.goto(`file://${encodeURI(PAGES)}/${encodeURIComponent(file)}${hash}`)
	if (ready)
		await page.waitForSelector('html[data-ready]')
	return { page, said, asked, close: () => context.close() }
}

// What was asked of the page is drawn.
export async function settled(page) {
	await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
}

export async function go(page, hash) {
	await page.evaluate(hash => { location.hash = hash }, hash)
	await settled(page)
}

// The names of the tabs; each with the names of its views as the address has them ('' for a page without views).
export async function tabsOf(page) {
	const tabs = []
	for (const tab of await page.locator('nav button').all()) {
		await tab.click()
		await settled(page)
		tabs.push({ tab: (await tab.textContent()).trim(), views: await page.locator('.views button').count() })
	}
	return tabs
}

// Calls `each` on every view of every tab, by its buttons. The address then says which it is.
export async function walk(page, each) {
	for (const { tab, views } of await tabsOf(page)) {
		await page.locator('nav button', { hasText: new RegExp(`^${tab}$`) }).click()
		await settled(page)
		if (!views)
			await each({ tab, view: '' })
		for (let i = 0; i < views; i++) {
			await page.locator('.views button').nth(i).click()
			await settled(page)
			const [, address = tab] = /^#\/([^?]*)/.exec(await page.evaluate(() => location.hash)) ?? []
			await each({ tab, view: decodeURIComponent(address.split('/')[1] ?? '') })
		}
	}
}

// What the button gives for this table; all rows of it, also those that are not on the screen.
export async function copied(page, table, button = 'copy CSV') {
	await page.evaluate(() => { window.copied.length = 0 })
	await table.locator('button', { hasText: button }).first().evaluate(element => element.click()) // it may be folded away
	return page.evaluate(() => window.copied.at(-1) ?? '')
}

// What axe finds, a line each.
export async function violations(page) {
	if (!await page.evaluate(() => 'axe' in window))
		await page.evaluate(axe)
	const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations)
	return found.map(each => `${each.id}: ${each.help}: ${each.nodes[0].html.slice(0, 200)} ${each.nodes[0].failureSummary ?? ''}`)
}

export async function setTheme(page, theme) {
	await page.emulateMedia({ colorScheme: theme })
	await page.waitForSelector(`html[data-theme="${theme}"]`)
	await settled(page)
}
