// SPDX-License-Identifier: MIT
// keyboard.mjs: everything can be done without a mouse, and a link or a reload restores what is shown.
import { check, copied, go, open, same, settled, short } from './lib.mjs'

const tabNow = page => page.locator('nav button[aria-current]').textContent().then(text => text.trim())
const viewNow = page => page.locator('.views button[aria-pressed="true"]').textContent()
const tableOf = page => page.locator('main section.table').last()
async function press(page, ...keys) {
	for (const key of keys) {
		await page.keyboard.press(key)
		await settled(page)
	}
}

// The Tab key comes to everything that can be used, shows where it is, and leaves the page again.
async function testTabKey(page, name) {
	await page.evaluate(() => { document.activeElement.blur(); window.scrollTo(0, 0) })
	const seen = new Set()
	let leaves = false
	for (let i = 0; i < 400 && !leaves; i++) {
		await page.keyboard.press('Tab')
		const at = await page.evaluate(() => {
			const element = document.activeElement
			if (!element || element === document.body)
				return undefined
			element.dataset.reached = '1'
			const style = getComputedStyle(element), box = element.getBoundingClientRect()
			return {
				words: `${element.tagName} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}`,
				shown: (style.outlineStyle !== 'none' || style.boxShadow !== 'none') && box.width > 0,
			}
		})
		leaves = at === undefined
		if (at && !at.shown)
			seen.add(at.words)
	}
	check(`${name}: the Tab key leaves the page again`, leaves)
	same(`${name}: what it comes to shows it`, [], [...seen])
	same(`${name}: it comes to everything`, [], await page.evaluate(() => [...document.querySelectorAll('button, input, select, summary, [role="application"], [role="grid"], [role="treegrid"]')]
		.filter(element => element.checkVisibility() && !element.disabled && element.tabIndex >= 0 && !element.dataset.reached && element.type !== 'radio').map(element => element.outerHTML.slice(0, 120))))
}

// [ and ] go through all views of a lens, numbers through the lenses.
async function testWays(page) {
	const lenses = (await page.locator('nav button').allTextContents()).map(text => text.trim()).filter(name => name !== 'overview' && name !== 'compare')
	for (const [i, lens] of lenses.entries()) {
		await press(page, String(i + 1))
		same(`${i + 1} leads to ${lens}`, lens, await tabNow(page))
		const views = await page.locator('.views button').allTextContents(), seen = []
		for (let at = 0; at < views.length; at++) {
			seen.push(await viewNow(page))
			await press(page, ']')
		}
		same(`] leads through all views of ${lens}, and round`, [...views, views[0]], [...seen, ...(views.length ? [await viewNow(page)] : [undefined])])
		if (views.length > 1) {
			await press(page, '[')
			same(`[ leads back in ${lens}`, views.at(-1), await viewNow(page))
		}
	}
	await press(page, 'o')
	same('o leads to the overview', 'overview', await tabNow(page))
}

async function testTable(page) {
	await go(page, '#/calls/routines')
	const grid = page.locator('main [role="grid"]'), cursor = () => grid.getAttribute('aria-activedescendant')
	const rowAt = async () => page.locator(`[id="${await cursor()}"]`).innerText()
	await grid.focus()
	const first = await rowAt()
	await press(page, 'ArrowDown')
	const second = await rowAt()
	check('an arrow moves to the next row', first !== second, first)
	check('the line of details says what is there', (await page.locator('footer').textContent()).length > 20)
	await press(page, 'End')
	check('End moves to the last row, which then is there', await page.locator(`[id="${await cursor()}"]`).isVisible())
	await press(page, 'Home')
	same('Home moves to the first', first, await rowAt())
	await press(page, 'ArrowDown', 'Enter')
	const routine = new URLSearchParams((await page.evaluate(() => location.hash)).split('?')[1]).get('routine')
	check('Enter selects the routine of the row', Boolean(routine) && second.includes(routine), routine)
	check('the selection is shown', (await page.getByRole('region', { name: 'selection' }).innerText()).includes(routine))
	await press(page, 'c')
	const copy = await page.evaluate(() => window.copied.at(-1) ?? '')
	check('c copies the row as Markdown', copy.startsWith('| ') && copy.trim().split('\n').length === 3 && copy.includes(routine), short(copy))
	const all = (await copied(page, tableOf(page))).split('\n').length
	await grid.focus()
	await press(page, 'f')
	const few = (await copied(page, tableOf(page))).split('\n')
	check('f shows only rows of the routine', few.length < all && few.slice(1, -1).every(line => line.includes(routine)), short(few))
	await press(page, 'v')
	check('v opens the source of the row', await page.getByRole('complementary', { name: 'source' }).isVisible())
	same('the line of the row is selected', 1, await page.locator('aside tr.selected').count())
	await press(page, 'v')
	same('v closes it', 0, await page.locator('aside').count())
	await press(page, 'Escape')
	same('Esc ends the selection', 0, await page.getByRole('region', { name: 'selection' }).count())

	// Headings
	await grid.getByRole('columnheader').first().focus()
	await press(page, 'End', 'Enter')
	const last = grid.getByRole('columnheader').last()
	same('a heading sorts, by the keyboard', 'descending', await last.getAttribute('aria-sort'))
	await press(page, 'Enter')
	same('and the other way', 'ascending', await last.getAttribute('aria-sort'))
	await press(page, 'Home', 'Shift+Enter')
	check('with Shift, by a second column', /sort=[^&]*%2C/.test(await page.evaluate(() => location.hash)), await page.evaluate(() => location.hash))
}

async function testTree(page) {
	await go(page, '#/idle/top-down')
	const tree = page.locator('main [role="treegrid"]'), rows = () => tree.getAttribute('aria-rowcount').then(Number)
	await tableOf(page).getByRole('button', { name: 'close all' }).click()
	await settled(page)
	await tree.focus()
	const closed = await rows()
	await press(page, 'Home', 'ArrowRight')
	const opened = await rows()
	check('the right arrow opens a row of a tree', opened > closed, `${closed}, ${opened}`)
	await press(page, 'ArrowLeft')
	same('the left one closes it', closed, await rows())
}

async function testSearch(page) {
	await go(page, '#/calls/routines')
	const all = (await copied(page, tableOf(page))).split('\n').length
	await page.locator('main').focus()
	await press(page, '/')
	same('/ leads to the search', 'find', await page.evaluate(() => document.activeElement.id))
	await page.keyboard.type('^main$')
	await settled(page)
	const lines = (await copied(page, tableOf(page))).trim().split('\n')
	check('a regular expression is found', lines.length > 1 && lines.length < all && lines.slice(1).every(line => line.startsWith('main,')), short(lines))
	await page.locator('#find').focus()
	await page.keyboard.type('(')
	await settled(page)
	same('what is no regular expression is looked for as it is', 1, (await copied(page, tableOf(page))).trim().split('\n').length)
	await page.locator('#find').focus()
	await press(page, 'Escape')
	same('Esc ends the search', all, (await copied(page, tableOf(page))).split('\n').length)
}

async function testHelp(page) {
	await page.locator('main').focus()
	await press(page, '?')
	const help = page.getByRole('dialog')
	check('? shows the keys', await help.isVisible())
	check('the keyboard is in it', await help.evaluate(box => box.contains(document.activeElement)))
	const dark = await page.evaluate(() => document.documentElement.dataset.theme)
	await press(page, 'Escape')
	same('Esc closes it', 0, await help.count())
	await press(page, 't')
	check('t turns light to dark', await page.evaluate(() => document.documentElement.dataset.theme) !== dark)
	await press(page, 't')
}

export async function testKeyboard(name) {
	const { page, said, close } = await open(`${name}.html`)
	await testWays(page)
	await testTable(page)
	await testTree(page)
	await testSearch(page)
	await testHelp(page)
	for (const hash of ['#/', '#/calls/routines?file=logs.c&line=100', '#/idle/top-down'])
		await go(page, hash).then(() => testTabKey(page, hash))
	same('the keyboard breaks nothing', [], said)
	await close()
}

// ---- the address ----

const shown = page => page.evaluate(() => ({
	hash: location.hash, text: document.querySelector('#page').innerText, marked: document.querySelectorAll('.row.selected').length,
	find: document.querySelector('#find').value,
}))

export async function testAddress(name) {
	const { page, said, close } = await open(`${name}.html`)
	const addresses = [
		'#/overview', '#/calls', '#/calls/arcs', '#/calls/routines?routine=main&only=1', '#/calls/routines?find=table&sort=-calls',
		'#/idle/top-down?routine=main&find=m', '#/paths/paths?sort=count%2C-path', '#/calls/routines?file=logs.c&line=100', '#/flow/waits?worker=1',
	]
	for (const address of addresses) {
		await go(page, address)
		const before = await shown(page)
		await page.reload()
		await page.waitForSelector('html[data-ready]')
		await settled(page)
		same(`a reload restores ${address}`, before, await shown(page))
		const other = await open(`${name}.html`, { hash: before.hash })
		await settled(other.page)
		same(`a link restores ${address}`, before, await shown(other.page))
		await other.close()
	}
	await go(page, '#/overview')
	await page.locator('nav button', { hasText: /^calls$/ }).click()
	await page.locator('.views button', { hasText: /^arcs$/ }).click()
	await page.goBack()
	await page.waitForFunction(() => location.hash === '#/calls')
	await page.goBack()
	await page.waitForFunction(() => document.querySelector('nav button[aria-current]').textContent === 'overview')
	await page.goForward()
	await page.waitForFunction(() => document.querySelector('nav button[aria-current]').textContent === 'calls')
	for (const odd of ['#/nonsense', '#/calls/nonsense', '#/%', '#/calls/routines?line=x&from=-1&recording=7&sort=nonsense&file=none.c', '#/__proto__', '#/calls/routines?find=%28%28']) {
		await go(page, odd)
		check(`the address ${odd} shows a page`, (await page.locator('main').innerText()).length > 5)
	}
	same('no address breaks anything', [], said)
	await close()
}
