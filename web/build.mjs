// SPDX-License-Identifier: MIT
// build.mjs: makes view.html, the template that `skein view` fills in: program and style in one file, with a content security policy
// that allows these two and nothing else. The same sources give the same bytes.
//
//     npm ci && npm run build        writes view.html
//     node build.mjs FILE            writes FILE
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const common = { bundle: true, minify: true, write: false, legalComments: 'none', logLevel: 'warning' }
const script = await build({
	...common,
	entryPoints: ['src/main.tsx'],
	format: 'iife',
	target: ['chrome105', 'firefox115'],
	jsx: 'automatic',
	jsxImportSource: 'preact',
	charset: 'ascii',
})
const style = await build({ ...common, entryPoints: ['src/style.css'], loader: { '.css': 'css' } })

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
console.log(`${to}: ${page.length} bytes`)
