// SPDX-License-Identifier: MIT
// licences.d.ts: LICENCES, which build.mjs writes, is a text.
declare module '*/LICENCES' {
	const text: string
	export default text
}
