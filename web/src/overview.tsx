// SPDX-License-Identifier: MIT
// overview.tsx: what all lenses found, most important first.
import type { JSX } from 'preact'
import { lensPages } from './lenses'
import { go, recording } from './state'

export function Overview(): JSX.Element {
	return (
		<div class="overview">
			{recording.value.lenses.map(lens => {
				const Small = lensPages[lens.name]?.small
				return (
					<section key={lens.name} aria-label={lens.name}>
						<h2><button class="link" onClick={() => go({ tab: lens.name, view: '' })}>{lens.name}</button> {lens.question}</h2>
						{lens.measured
							? <ul>{lens.verdict.map((line, i) => <li key={i}>{line}</li>)}</ul>
							: <p class="missing">Not measured: <code>skein record {lens.name} -- PROGRAM</code></p>}
						{lens.measured && Small && <Small lens={lens} />}
					</section>)
			})}
		</div>)
}
