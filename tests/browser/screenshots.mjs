// SPDX-License-Identifier: MIT
// screenshots.mjs FOLDER: a picture of the page for each view that has a picture, of each lens's first view, of the overview and the
// comparison: FOLDER/LENS.png and FOLDER/LENS-VIEW.png. Prints a line for each: NAME|LENS|VIEW|help. tools/screenshots
// makes the pages: all.html, compare.html, and a page for each lens.
import { go, open, settled, start, stop, walk } from './lib.mjs'

const folder = process.argv[2]
// What is shown beside: a selected routine and its source, where a page has them.
const SELECTED = { calls: '?routine=table_add&file=logs.c&line=149' }

async function shoot(page, name, words) {
	await settled(page)
	await page.screenshot({ path: `${folder}/${name}.png` })
	console.log([name, ...words].join('|'))
}

async function shootLens(lens) {
	const { page, close } = await open(`${lens}.html`)
	let first = true
	await walk(page, async ({ tab, view }) => {
		if (tab !== lens)
			return
		const pictures = await page.locator('main canvas, main svg').count()
		if (!first && !pictures)
			return
		const help = (await page.locator('main p.help').first().textContent().catch(() => '')).replace(' (default)', '').trim().replace(/\.$/, '')
		if (first && SELECTED[lens])
			await go(page, `#/${lens}/${view}${SELECTED[lens]}`)
		await shoot(page, first ? lens : `${lens}-${view}`, [lens, view, help])
		if (first && SELECTED[lens])
			await go(page, `#/${lens}/${view}`)
		first = false
	})
	await close()
}

await start()
const all = await open('all.html')
await shoot(all.page, 'overview', ['overview', '', 'what all lenses say of one program'])
await all.page.emulateMedia({ colorScheme: 'dark' })
await all.page.waitForSelector('html[data-theme="dark"]')
await shoot(all.page, 'overview-dark', ['overview', '', 'the same, in dark'])
await all.close()
for (const lens of ['calls', 'span', 'idle', 'input', 'paths', 'flow'])
	await shootLens(lens)
const two = await open('compare.html', { hash: '#/compare' })
await shoot(two.page, 'compare', ['compare', '', 'what got worse and what got better from one recording to another'])
await two.close()
await stop()
