// SPDX-License-Identifier: MIT
// run.mjs [PATTERN]: all tests of the page, in one browser. tests/cli/view/browser.sh makes the pages and calls it.
import { failed, start, stop, test } from './lib.mjs'
import { testAddress, testKeyboard } from './keyboard.mjs'
import { testClipboard, testDamaged, testHostile, testNoScript, testPolicy, testPrint } from './odd.mjs'
import { testCompare, testMissing, testViews } from './views.mjs'

const tests = {
	'views of logs': () => testViews('logs', 'logs.skein'),
	'views of quicksort': () => testViews('quicksort', 'quicksort.skein'),
	'missing lenses': () => testMissing('quicksort'),
	compare: () => testCompare('compare', 'quicksort.skein', 'other.skein'),
	keyboard: () => testKeyboard('logs'),
	address: () => testAddress('logs'),
	'hostile names': () => testHostile('hostile'),
	policy: () => testPolicy('logs'),
	'damaged pages': () => testDamaged('logs'),
	'no JavaScript': () => testNoScript('logs'),
	clipboard: () => testClipboard('logs'),
	print: () => testPrint('logs'),
}
await start()
for (const [name, run] of Object.entries(tests))
	if (name.includes(process.argv[2] ?? ''))
		await test(name, run)
await stop()
process.exit(failed() ? 1 : 0)
