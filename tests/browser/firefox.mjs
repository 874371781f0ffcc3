// SPDX-License-Identifier: MIT
// firefox.mjs PAGE RECORDING: the page in Firefox, by WebDriver BiDi, which Debian's Firefox speaks by itself: every view is shown, with
// the figures of the report, without an error or a request. FIREFOX is the browser; needs node's --experimental-websocket.
import { spawn } from 'node:child_process'
import { check, failed, reported, same, test, viewsOf } from './lib.mjs'

const { FIREFOX, PAGES } = process.env
const [file, recording] = process.argv.slice(2)

// ---- WebDriver BiDi ----

function listening(browser) {
	return new Promise((done, fail) => {
		let said = ''
		browser.stderr.on('data', bytes => {
			said += bytes
			const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said)
			if (found)
				done(`${found[1]}/session`)
		})
		browser.on('exit', status => fail(new Error(`firefox ended with ${status}: ${said.slice(-300)}`)))
	})
}

async function connect(address, onEvent) {
	const socket = new WebSocket(address), waiting = new Map()
	await new Promise((done, fail) => { socket.onopen = done; socket.onerror = () => fail(new Error(`cannot connect to ${address}`)) })
	socket.onmessage = ({ data }) => {
		const message = JSON.parse(data), wait = waiting.get(message.id)
		if (message.type === 'event')
			onEvent(message)
		else if (message.type === 'error')
			wait?.fail(new Error(message.message))
		else
			wait?.done(message.result)
		waiting.delete(message.id)
	}
	let last = 0
	const ask = (method, params = {}) => new Promise((done, fail) => {
		waiting.set(++last, { done, fail })
		socket.send(JSON.stringify({ id: last, method, params }))
	})
	return { ask, close: () => socket.close() }
}

// ---- in the page ----

// Shows all views, one after the other, and tells what they have.
async function tour() {
	const settled = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
	const copied = [], seen = []
	Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { copied.push(text) } } })
	const look = () => {
		for (const button of document.querySelectorAll('main section.table .tools button'))
			if (button.textContent === 'copy CSV')
				button.click()
		const blank = [...document.querySelectorAll('main canvas')].filter(canvas => !canvas.closest('[aria-hidden="true"]')).filter(canvas => {
			const points = canvas.width && canvas.height ? new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer) : [0]
			return points.every(point => point === points[0])
		}).length
		seen.push({ hash: location.hash, text: document.querySelector('main').innerText.length, blank, tables: copied.splice(0) })
	}
	for (let i = 0; i < document.querySelectorAll('nav button').length; i++) {
		document.querySelectorAll('nav button')[i].click()
		await settled()
		const views = document.querySelectorAll('.views button').length
		if (!views)
			look()
		for (let k = 0; k < views; k++) {
			document.querySelectorAll('.views button')[k].click()
			await settled()
			look()
		}
	}
	return JSON.stringify(seen)
}

// ---- the test ----

async function run(session, context, said, asked) {
	await session.ask('browsingContext.navigate', { context, url: `file://${encodeURI(PAGES)}/${file}`, wait: 'complete' })
	const evaluate = async expression => {
		const answer = await session.ask('script.evaluate', { expression, target: { context }, awaitPromise: true })
		if (answer.type !== 'success')
			throw new Error(answer.exceptionDetails.text)
		return answer.result.value
	}
	await evaluate(`new Promise(done => {
		const look = () => document.documentElement.dataset.ready ? done() : requestAnimationFrame(look)
		look()
	})`)
	const seen = JSON.parse(await evaluate(`(${tour})()`))
	let compared = 0
	for (const { hash, text, blank, tables } of seen) {
		const [, lens, view = ''] = /^#\/([^/?]*)\/?([^?]*)/.exec(hash) ?? []
		check(`firefox: ${hash} says something`, text > 20, text)
		same(`firefox: ${hash}: no picture is empty`, 0, blank)
		if (!viewsOf(lens).includes(view))
			continue
		compared++
		check(`firefox: ${hash}: figures are those of the report`, tables.includes(reported(recording, lens, view).out), `${tables.length} tables`)
	}
	check('firefox: there are views', compared > 20, compared)
	same('firefox: nothing goes wrong', [], said)
	same('firefox: asks for nothing', [], asked)
}

const browser = spawn(FIREFOX, ['--headless', '--no-remote', '--profile', `${PAGES}/firefox`, '--remote-debugging-port', '0', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
await test('firefox', async () => {
	const said = [], asked = []
	const session = await connect(await listening(browser), event => {
		if (event.method === 'log.entryAdded' && event.params.level === 'error')
			said.push(event.params.text)
		else if (event.method === 'network.beforeRequestSent' && !/^(file|data|blob|about):/.test(event.params.request.url))
			asked.push(event.params.request.url)
	})
	await session.ask('session.new', { capabilities: {} })
	await session.ask('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] })
	const { contexts } = await session.ask('browsingContext.getTree')
	await run(session, contexts[0].context, said, asked)
	session.close()
})
browser.removeAllListeners('exit')
browser.kill()
process.exit(failed() ? 1 : 0)
