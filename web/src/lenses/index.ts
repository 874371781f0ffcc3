// SPDX-License-Identifier: MIT
// index.ts: what each lens shows besides its tables. A picture stands above the table of a view of the same name; a page of its own is
// made from several views, and `needs` says which.
import type { ComponentType } from 'preact'
import type { Lens, View } from '../data'
import type { Hints } from '../hints'
import { callsPages } from './calls'
import { flowPages } from './flow'
import { idlePages } from './idle'
import { inputPages } from './input'
import { pathsPages } from './paths'
import { spanPages } from './span'

export interface Page { name: string; title: string; help: string; needs: string[]; show: ComponentType<{ lens: Lens }> }
export interface LensPages {
	pages: Page[]
	pictures: Record<string, ComponentType<{ lens: Lens; view: View }>>
	small?: ComponentType<{ lens: Lens }>
	tables?: Record<string, Hints> // by view
}

export const lensPages: Record<string, LensPages> = {
	calls: callsPages,
	span: spanPages,
	idle: idlePages,
	input: inputPages,
	paths: pathsPages,
	flow: flowPages,
}
