// SPDX-License-Identifier: MIT
// run.mjs: all tests of the page, in one browser. tests/cli/view/browser.sh makes the pages and calls it.
import { failed, start, stop, test } from './lib.mjs'
import { testCompare, testMissing, testViews } from './views.mjs'

await start()
await test('views of logs', () => testViews('logs', 'logs.skein'))
await test('views of quicksort', () => testViews('quicksort', 'quicksort.skein'))
await test('missing lenses', () => testMissing('quicksort'))
await test('compare', () => testCompare('compare', 'quicksort.skein', 'quick2.skein'))
await stop()
process.exit(failed() ? 1 : 0)
