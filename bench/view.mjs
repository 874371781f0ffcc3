// SPDX-License-Identifier: MIT
// view.mjs: how fast a page of `skein view` is in Chromium. Prints `name wall_ms cpu_ms` lines: from the start of the navigation to the first
// paint and until the page can be used, then single actions, each from the event until the frame behind it is drawn. cpu_ms is the time
// that the page's main thread was on a core, which other programs of the machine do not change much.
//
//     node view.mjs page FILE HASH [ACTION…]    actions: zoom, pan, find (of the first picture)
//     node view.mjs speedscope FILE PAGE        its page, which opens FILE: until it shows what is in there
import { createRequire } from 'node:module'

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core')
const [kind, file, where, ...actions] = process.argv.slice(2)
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, offline: kind === 'page' })
const page = await context.newPage()
page.on('pageerror', error => console.error(String(error)))
const session = await context.newCDPSession(page)
await session.send('Performance.enable', { timeDomain: 'threadTicks' })
const cpu = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find(each => each.name === 'TaskDuration').value
const say = (name, wall, used) => console.log(name, wall.toFixed(1), used.toFixed(1))

// Two frames: the first one draws what the event has asked for, the second one comes when it is on the screen.
const timed = (name, act) => async () => {
	const before = await cpu()
	const wall = await page.evaluate(async ([act]) => {
		const start = performance.now()
		new Function('canvas', 'find', act)(document.querySelector('canvas.board:not(.bare)'), document.querySelector('#find'))
		await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
		return performance.now() - start
	}, [act])
	say(name, wall, await cpu() - before)
}
const key = (key, shift) => `canvas.focus(); canvas.dispatchEvent(new KeyboardEvent('keydown', {key: '${key}', shiftKey: ${Boolean(shift)}, bubbles: true, cancelable: true}))`
const type = text => `find.value = '${text}'; find.dispatchEvent(new InputEvent('input', {bubbles: true}))`
const doing = {
	zoom: [['zoom', key('ArrowDown')], ['zoom', key('ArrowDown')], ['zoom', key('ArrowDown')], ['zoom', key('+')], ['zoom', key('ArrowDown')], ['zoom', key('+')], ['zoom', key('0')]],
	pan: [['zoom', key('+')], ['zoom', key('+')], ['zoom', key('+')], ['zoom', key('+')], ['zoom', key('+')], ['zoom', key('ArrowRight')], ['zoom', key('ArrowRight')], ['zoom', key('-')], ['zoom', key('0')]],
	find: [['find', type('s')], ['find', type('st')], ['find', type('step_4')], ['find', type('step_42')], ['find', type('^.*step_42[0-9]')], ['find', type('')]],
}

if (kind === 'page') {
	await page.addInitScript(() => {
		const wait = () => {
			if (document.documentElement?.dataset['ready'])
				requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now() }))
			else
				requestAnimationFrame(wait)
		}
		wait()
	})
	await page.goto(`file://${file}${where}`)
	const usable = await (await page.waitForFunction(() => window.usable, undefined, { timeout: 120000 })).jsonValue()
	const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN)
	say('paint', paint, 0)
	say('usable', usable, await cpu())
	await page.waitForTimeout(500)
	for (const action of actions)
		for (const [name, act] of doing[action])
			await timed(name, act)()
	const heap = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0)
	console.log('heap_mb', (heap / 1e6).toFixed(0), 0)
} else {
	// speedscope: a label asks for a file, and the name of the profile becomes the title.
	await page.goto(`file://${where}`)
	await page.waitForTimeout(1000)
	const start = Date.now(), used = await cpu()
	const chosen = page.waitForEvent('filechooser', { timeout: 10000 })
	await page.getByText('Browse', { exact: true }).click()
	await (await chosen).setFiles(file)
	const shown = await page.waitForFunction(() => document.title.includes(' - speedscope'), undefined, { timeout: 120000 }).then(() => true, () => false)
	say(shown ? 'usable' : 'not-usable', Date.now() - start, await cpu() - used)
}
await browser.close()
