// SPDX-License-Identifier: MIT
// speedscope.mjs FOLDER FILE: what speedscope, which npm installed in FOLDER, reads from FILE: a line of JSON for each profile. speedscope is a page
// for browsers that exports nothing: its importers are found by their names, and the page around them has nothing to draw on. It tells the format by
// the file's name and text.
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'

const release = path.join(process.argv[2], 'node_modules/speedscope/dist/release')
let code = fs.readFileSync(path.join(release, fs.readdirSync(release).find(name => /^speedscope-.*\.js$/.test(name))), 'utf8')
const space = code.match(/([\w$]+)=\{\};[\w$]+\(\1,\{[^}]*importProfilesFromArrayBuffer:/)[1]
const start = code.match(new RegExp(`([\\w$]+)\\(\\),${space.replace('$', '\\$')}\\)`))[1]
code = code.replace(/^[^{]*\{/, begin => `${begin}globalThis.importers=()=>(${start}(),${space});`)

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
const file = process.argv[3]
const bytes = fs.readFileSync(file)
const buffer = vm.runInContext(`new ArrayBuffer(${bytes.length})`, page) // the page knows no other kind
new Uint8Array(buffer).set(bytes)
const group = await page.importers().importProfilesFromArrayBuffer(path.basename(file), Promise.resolve(buffer))
for (const profile of group.profiles) {
	let calls = 0, depth = 0, deepest = 0
	const names = {}, own = {}
	const short = frame => frame.name.replace(/ \{.*/s, '')
	profile.forEachFrame(frame => (own[short(frame)] = (own[short(frame)] ?? 0) + frame.getSelfWeight()))
	const begin = node => {
		const name = short(node.frame)
		calls++
		deepest = Math.max(deepest, ++depth)
		names[name] = (names[name] ?? 0) + 1
	}
	profile.forEachCall(begin, () => depth--)
	console.log(JSON.stringify({ name: profile.getName(), calls, deepest, left: depth, us: Math.round(profile.getTotalWeight()), unit: profile.getWeightUnit(), own, names }))
}
