// SPDX-License-Identifier: MIT
// odd.mjs: hostile names, damaged pages, no JavaScript, a real clipboard, paper.
import { readFileSync, writeFileSync } from 'node:fs'
import { check, copied, go, open, same, settled, short, skein, viewsOf, reported, violations, walk } from './lib.mjs'

const { PAGES } = process.env
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/u

// What names hold is text: nothing of it runs, is fetched, draws, turns, or pushes the page apart.
export async function testHostile(name) {
	const { page, said, asked, close } = await open(`${name}.html`)
	const hostile = () => page.evaluate(() => ({
		ran: 'hacked' in window,
		elements: document.querySelectorAll('img, iframe, object, embed, link, base, form, svg script, video, audio, #page script, #page style, [onerror], [onload], [onclick]').length,
		addresses: [...document.querySelectorAll('[href], [src]')].map(each => each.getAttribute('href') ?? each.getAttribute('src')).filter(to => !to.startsWith('#')).length,
		wide: document.documentElement.scrollWidth > innerWidth,
		text: document.body.innerText + [...document.querySelectorAll('[aria-label], [title]')].map(each => `${each.getAttribute('aria-label')}${each.getAttribute('title')}`).join(''),
		title: document.title,
	}))
	let shown = 0, long = 0
	const inert = async title => {
		const { text, title: head, ...rest } = await hostile()
		same(`${title}: hostile names are inert`, { ran: false, elements: 0, addresses: 0, wide: false }, rest)
		check(`${title}: no character turns or commands`, !COMMANDS.test(text.replaceAll('\n', '')) && !COMMANDS.test(head), short(COMMANDS.exec(text.replaceAll('\n', ''))))
		shown += text.includes('<img src=x')
		long += text.includes('x'.repeat(300))
	}
	await walk(page, async ({ tab, view }) => {
		const title = `${name}: ${tab}${view ? ` ${view}` : ''}`
		await inert(title)
		same(`${title}: axe`, [], await violations(page))
		if (viewsOf(tab).includes(view)) {
			const report = reported(`${name}.skein`, tab, view)
			const csv = await copied(page, page.locator('main section.table').first())
			same(`${title}: figures are those of the report`, report.out, csv)
			check(`${title}: no field of CSV is a formula`, !/(^|,)"? *[=+@-]../m.test(csv.replace(/(^|,)-[0-9.]+(?=,|$)/gm, '$1')), csv)
		}
		const row = page.locator('main .body .row').first()
		if (await row.count()) {
			await row.click({ position: { x: 30, y: 4 } })
			await settled(page)
			await inert(`${title}, selected`)
		}
	})
	await go(page, '#/calls/routines')
	await page.locator('main .body .row a').first().click()
	await settled(page)
	await inert(`${name}: the source`)
	check(`${name}: the source is shown as it is`, (await page.locator('aside').innerText()).includes('</script><script>window.hacked = 1</script>'))
	check(`${name}: hostile names are shown`, shown > 5, shown)
	check(`${name}: so is a long one`, long > 0)
	same(`${name}: nothing goes wrong`, [], said)
	same(`${name}: asks for nothing`, [], asked)
	await close()
}

// The policy is there, and it holds: a page that wanted to could not ask for anything.
export async function testPolicy(name) {
	const { page, asked, close } = await open(`${name}.html`)
	const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
	check('the policy allows nothing by default', policy.startsWith("default-src 'none';"), policy)
	check('nothing is allowed but by its digest', !/unsafe|https?:|\*/.test(policy) && /script-src 'sha256-[^ ]+';/.test(policy) && /style-src 'sha256-[^ ]+';/.test(policy), policy)
	const tries = await page.evaluate(async () => {
		const fetched = await fetch('http://127.0.0.1:9/').then(() => true, () => false)
		const script = document.createElement('script')
		script.textContent = 'window.hacked = 1'
		document.body.append(script)
		const image = new Image()
		const loaded = await new Promise(done => { image.onload = () => done(true); image.onerror = () => done(false); image.src = 'http://127.0.0.1:9/x.png' })
		return { fetched, loaded, ran: 'hacked' in window, breaches: [...new Set(window.breaches)].sort() }
	})
	same('a breach of it is stopped, and would be seen', { fetched: false, loaded: false, ran: false, breaches: ['connect-src', 'img-src', 'script-src-elem'] }, tries)
	same('as is what asks', ['http://127.0.0.1:9/x.png'], asked)
	await close()
}

// A page that is cut off or changed says so in one sentence, and shows no figures.
export async function testDamaged(name) {
	const whole = readFileSync(`${PAGES}/${name}.html`, 'latin1')
	const at = whole.indexOf('type="text/plain">') + 18, end = whole.indexOf('</script>', at), middle = Math.floor((at + end) / 2)
	const damages = {
		'is empty': whole.slice(0, at) + whole.slice(end),
		'was not filled in': whole.slice(0, at) + '@SKEIN_DATA@' + whole.slice(end),
		'is cut in the middle': whole.slice(0, middle) + whole.slice(end),
		'has other bytes': whole.slice(0, middle) + (whole[middle] === 'A' ? 'B' : 'A').repeat(40) + whole.slice(middle + 40),
		'is no base64': whole.slice(0, middle) + '!' + whole.slice(middle),
	}
	for (const [what, text] of Object.entries(damages)) {
		writeFileSync(`${PAGES}/damaged.html`, text, 'latin1')
		const { page, said, close } = await open('damaged.html', { ready: false })
		await page.waitForSelector('#page h1')
		const sentence = (await page.locator('#page p').innerText()).trim()
		check(`a page whose data ${what} says so`, /^This page cannot be read: [^\n.]+\.$/.test(sentence), sentence)
		same(`a page whose data ${what} does no more`, [], said)
		same(`a page whose data ${what} passes axe`, [], await violations(page))
		await close()
	}
}

export async function testNoScript(name) {
	const { page, close } = await open(`${name}.html`, { ready: false, javaScriptEnabled: false })
	check('without JavaScript, it says what to do', await page.locator('noscript p').isVisible())
	check('and does not say that it reads', !await page.locator('.loading').isVisible())
	await close()
}

export async function testClipboard(name) {
	const { page, close } = await open(`${name}.html`, { hash: '#/calls/routines', clipboard: true, permissions: ['clipboard-read', 'clipboard-write'] })
	const table = page.locator('main section.table')
	await table.getByRole('button', { name: 'copy CSV' }).click()
	await page.getByText('Copied.').waitFor()
	same('the clipboard has the table', skein('report', 'calls', `${name}.skein`, '--view', 'routines', '--csv').out, await page.evaluate(() => navigator.clipboard.readText()))
	await page.evaluate(() => { navigator.clipboard.writeText = async () => { throw new Error('no') } })
	await table.getByRole('button', { name: 'copy Markdown' }).click()
	await page.getByText('Copied.').waitFor()
	check('where a page has no clipboard, the old way works', (await page.evaluate(() => navigator.clipboard.readText())).startsWith('| '))
	await close()
}

// On paper: what is to be read, without what is to be pressed, in dark ink, and no thousand empty sheets.
export async function testPrint(name) {
	const { page, said, close } = await open(`${name}.html`, { hash: '#/flow/waits', colorScheme: 'dark' })
	same('the screen is dark', 'dark', await page.evaluate(() => document.documentElement.dataset.theme))
	await page.emulateMedia({ media: 'print' })
	await settled(page)
	same('paper is light', 'light', await page.evaluate(() => document.documentElement.dataset.theme))
	for (const what of ['nav', '.tools', 'footer', '#find'])
		check(`${what} is not printed`, !await page.locator(what).first().isVisible())
	check('the verdict is', await page.locator('.verdict').isVisible())
	check('and the rows', await page.locator('.body .row').count() > 3)
	await page.emulateMedia({ media: null })
	await settled(page)
	same('the screen is dark again', 'dark', await page.evaluate(() => document.documentElement.dataset.theme))
	for (const hash of ['#/overview', '#/flow/waits', '#/calls/arcs', '#/calls/routines?file=logs.c']) {
		await go(page, hash)
		const paper = await page.pdf({ preferCSSPageSize: true })
		const sheets = paper.toString('latin1').match(/\/Type ?\/Page\b/g)?.length ?? 0
		check(`${hash} can be printed, on few sheets`, sheets >= 1 && sheets <= 30, sheets)
	}
	same('printing breaks nothing', [], said)
	await close()
}
