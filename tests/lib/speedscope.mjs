// SPDX-License-Identifier: MIT
// speedscope.mjs FOLDER FILE: what speedscope, which npm installed in FOLDER, reads from FILE: a line of JSON for each profile. speedscope is a page
// for browsers that exports nothing: its importer is found by what it says, and the page around it has nothing to draw on.
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'

const release = path.join(process.argv[2], 'node_modules/speedscope/dist/release')
let code = fs.readFileSync(path.join(release, fs.readdirSync(release).find(name => /^speedscope-.*\.js$/.test(name))), 'utf8')
const importer = code.match(/"Importing as Trace Event Format profile"\),(\w+)\(/)[1]
code = code.replace(/^[^{]*\{/, begin => `${begin}globalThis.importTrace=t=>${importer}(t);`)

const anything = new Proxy(function () {}, {
	get: (of, key) => (key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? {} : anything),
	set: () => true,
	apply: () => anything,
	construct: () => anything,
})
const page = { console: { log() {}, warn() {}, error() {} }, performance, TextDecoder, TextEncoder, URL, setTimeout, requestAnimationFrame: () => 0 }
for (const name of ['window', 'self', 'document', 'navigator', 'location', 'localStorage']) page[name] = anything
page.globalThis = vm.createContext(page)
try {
	vm.runInContext(code, page)
} catch {
	// it cannot draw
}
const group = page.importTrace(JSON.parse(fs.readFileSync(process.argv[3], 'utf8')))
for (const profile of group.profiles) {
	let calls = 0, depth = 0, deepest = 0
	const names = {}
	const begin = node => {
		const name = node.frame.name.replace(/ \{.*/s, '')
		calls++
		deepest = Math.max(deepest, ++depth)
		names[name] = (names[name] ?? 0) + 1
	}
	profile.forEachCall(begin, () => depth--)
	console.log(JSON.stringify({ name: profile.getName(), calls, deepest, left: depth, us: Math.round(profile.getTotalWeight()), names }))
}
