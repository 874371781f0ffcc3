// SPDX-License-Identifier: MIT
// overview.tsx: what all lenses found together, most important first; small pictures of each lens; functions by lenses.
import { Fragment } from 'preact'
import type { JSX } from 'preact'
import type { Evidence, Finding, Lens } from './data'
import { lensPages } from './lenses'
import { go, recording } from './state'
import { copy, Table } from './table'

const HINTS = { titles: { growth: 'grows like', flow_pct: 'of instructions', paths_90: 'paths for 90 %', paths_executed: 'paths' } }
const WORDS = { agrees: 'agrees', adds: 'adds', contradicts: 'contradicts' } as const

// `skein report idle prog.skein --view bottom-up --routine parse` is a place of this page, too.
function follow(finding: Finding, lens: string): void {
	const view = finding.command.startsWith(`skein report ${lens} `) ? / --view (\S+)/.exec(finding.command)?.[1] : undefined
	go({
		tab: lens, view: view && recording.value.lens(lens)?.view(view) ? view : '', routine: finding.routine, only: false,
		site: finding.file ? `${finding.file}:${finding.line}` : '',
	})
}

function Said({ finding, evidence }: { finding: Finding; evidence: Evidence }): JSX.Element {
	return (
		<li>
			<button class="link" onClick={() => follow(finding, evidence.lens)}>{evidence.lens}</button> {WORDS[evidence.relation]}: {evidence.words || evidence.sentence}
			{evidence.words && evidence.sentence && <span class="faint"> {evidence.sentence}</span>}
		</li>)
}

function FindingCard({ finding }: { finding: Finding }): JSX.Element {
	const first = finding.evidence[0]?.lens
	return (
		<li class="finding">
			<p class="text">{finding.text}</p>
			<p>
				{finding.agreement} {finding.remark_list.join(' ')} {first && <button class="link" onClick={() => follow(finding, first)}>show the rows</button>}
				{finding.file && <> <button class="link" onClick={() => go({ file: finding.file, line: finding.line, routine: finding.routine })}>show the source</button></>}
			</p>
			<details>
				<summary>what each lens says</summary>
				<ul>{finding.evidence.map((evidence, i) => <Said key={i} finding={finding} evidence={evidence} />)}</ul>
				{finding.command && <p><code>{finding.command}</code> <button onClick={() => void copy(finding.command)}>copy</button></p>}
			</details>
		</li>)
}

function LensCard({ lens, command }: { lens: Lens; command: string }): JSX.Element {
	const Small = lensPages[lens.name]?.small
	return (
		<section aria-label={lens.name}>
			<h3><button class="link" onClick={() => go({ tab: lens.name, view: '' })}>{lens.name}</button> <span class="faint">{lens.question}</span></h3>
			{!lens.measured && <p class="missing">Not measured: <code>{command}</code></p>}
			{lens.measured && Small && <Small lens={lens} />}
			{lens.measured && <p>{lens.verdict[lens.openings] ?? lens.verdict[0]}</p>}
		</section>)
}

export function Overview(): JSX.Element {
	const { overview, lenses, functions } = recording.value
	return (
		<div class="overview">
			{overview.openings.map((line, i) => <p class="doubt" key={i}>{line}</p>)}
			{overview.none && <p>{overview.none}</p>}
			{overview.findings.length > 0 && (
				<Fragment>
					<h2>What to do first{overview.findings_in_all > overview.findings.length ? ` (${overview.findings.length} of ${overview.findings_in_all} findings)` : ''}</h2>
					<ol class="findings">{overview.findings.map((finding, i) => <FindingCard key={i} finding={finding} />)}</ol>
				</Fragment>)}
			<h2>Lenses</h2>
			<div class="lenses">{lenses.map(lens => <LensCard key={lens.name} lens={lens} command={overview.lenses.find(each => each.lens === lens.name)?.command ?? ''} />)}</div>
			<h2>Functions by lenses</h2>
			<Table view={{ name: 'functions', sheet: functions, of: functions.rows }} label="functions by lenses" hints={HINTS} />
		</div>)
}
