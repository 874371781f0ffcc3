// SPDX-License-Identifier: MIT
// build.mjs: makes view.html, the template that `skein view` fills in: program and style in one file, with a content security policy
// that allows these two and nothing else; and LICENCES, those of the packages in it, which the page shows, too. The same sources give
// the same bytes.
//
//     npm ci && npm run build        writes view.html and LICENCES
//     node build.mjs FILE            writes FILE, and LICENCES
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const common = { bundle: true, minify: true, write: false, legalComments: 'none', logLevel: 'warning' }
const program = {
	...common,
	entryPoints: ['src/main.tsx'],
	format: 'iife',
	target: ['chrome105', 'firefox115'],
	jsx: 'automatic',
	jsxImportSource: 'preact',
	charset: 'ascii',
	metafile: true,
}
const looks = { ...common, entryPoints: ['src/style.css'], loader: { '.css': 'css' }, metafile: true }

// The packages of which something is in the outputs, in order.
function bundled(...results) {
	const names = new Set()
	for (const { metafile } of results)
		for (const output of Object.values(metafile.outputs))
			for (const input of Object.keys(output.inputs)) {
				const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)
				if (found)
					names.add(found[1])
			}
	return [...names].sort()
}

function licence(name) {
	const folder = `node_modules/${name}`, about = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
	const file = readdirSync(folder).find(each => /^licen[cs]e(\.|$)/i.test(each))
	if (!file || !about.license)
		throw new Error(`the package ${name} has no licence`)
	return `${name} ${about.version} (${about.license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r', '').trim()}\n`
}

// The page holds the texts of licences: which packages they are of is known only from a first pass.
const text = { '.txt': 'text', '': 'text' }
if (!existsSync('LICENCES'))
	writeFileSync('LICENCES', '')
const first = await build({ ...program, loader: text }), style = await build(looks)
const licences = `What the page of skein view is made with, besides Skein (MIT).\n\n${bundled(first, style).map(licence).join(`\n${'-'.repeat(70)}\n\n`)}`
if (readFileSync('LICENCES', 'utf8') !== licences)
	writeFileSync('LICENCES', licences)
const script = await build({ ...program, loader: text })

const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
// A closing tag in a string would end the element.
const js = script.outputFiles[0].text.trim().replaceAll('</script', '<\\/script')
const css = style.outputFiles[0].text.trim()
const policy = `default-src 'none'; script-src ${hash(js)}; style-src ${hash(css)}; img-src data:; base-uri 'none'; form-action 'none'`
const page = readFileSync('page.html', 'utf8')
	.replace('@POLICY@', () => policy)
	.replace('@STYLE@', () => css)
	.replace('@SCRIPT@', () => js)
const to = process.argv[2] ?? 'view.html'
writeFileSync(to, page)
console.log(`${to}: ${Buffer.byteLength(page)} bytes`)
