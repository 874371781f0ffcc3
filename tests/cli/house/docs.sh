#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documents name what there is, and their links lead somewhere.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests/.." || exit

# The lenses, as the list has them.
mapfile -t lenses < <(sed -nE 's/^\tX\([A-Z]+, ([a-z]+), [0-9]+, .*/\1/p' src/keys/lenses.h)
check 'the list of lenses is found' [ "${#lenses[@]}" -ge 5 ]

# What is looked for is found in the source: what finds nothing there is broken, and would pass.
some() { check "the source has $1" [ "$2" -gt 0 ]; } # WHAT COUNT

# members ENUM: of src/raw/format.h, as the compiler sees it
members() { cc -E -P -Isrc -Iinclude src/raw/format.h | tr '\n' ' ' | grep -oE "enum $1 \{[^}]*\}" | grep -oE '\bRAW_[A-Z_0-9]+'; }

mapfile -t tables < <(sed -n 's/^CREATE TABLE \([a-z_]*\).*/\1/p' src/store/schema.sql)
mapfile -t kinds < <(members raw_table_kind)
mapfile -t types < <(members raw_type)
some 'tables of the store' "${#tables[@]}"
some 'tables of raw recordings' "${#kinds[@]}"
some 'records of raw recordings' "${#types[@]}"
for name in "${tables[@]}" "${kinds[@]}" "${types[@]}"; do
	expect_match "doc/format.md has $name" "\`$name\`" doc/format.md
done

links=0
for page in README.md CONTRIBUTING.md doc/*.md; do
	for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c3-); do
		check "$page: $link exists" [ -e "$(dirname "$page")/$link" ]
		links=$((links + 1))
	done
	check "$page: every block of code is closed" awk '/^```/ {open = !open} END {exit open}' "$page"
done
some 'links in its documents' $links

mapfile -t commands < <(sed -n 's/^COMMAND([A-Z]*, \([a-z]*\),.*/\1/p' src/options/commands.def | grep -vxE 'help|version')
some commands "${#commands[@]}"
for command in "${commands[@]}" "${lenses[@]}" skein-cc; do
	check "$command has a page" [ -s "doc/$command.md" ]
done

options=0
while IFS=, read -r command name; do
	options=$((options + 1))
	[ ! -e "doc/$command.md" ] || expect_match "doc/$command.md has --$name" "\`(-[a-z], )?--${name}[ \`]" "doc/$command.md"
done < <(skein help --completion fish | sed -n "s/.*__fish_seen_subcommand_from \([a-z]*\)' -l \([a-z-]*\) .*/\1,\2/p")
some options $options

for help in "${commands[@]}" "${lenses[@]/#/record }" "${lenses[@]/#/report }"; do
	check "skein $help --help fits a screen" eval 'n=$(skein $help --help | wc -l) && [ "$n" -gt 5 ] && [ "$n" -le 40 ]'
done
for lens in "${lenses[@]}"; do
	for command in record report; do
		skein $command $lens --help | sed '1,/^Examples/d' >"$tmp/examples"
		check "examples of $command $lens are its own" eval '[ -s "$tmp/examples" ] && ! grep -v "^  skein $command $lens " "$tmp/examples"'
	done
done

# ---- form: wrapped, and what they name exists ----

# wide PAGE: its lines of more than 100 columns outside of tables and blocks of code; the target of a link has no width
wide() { awk '/^ *```/ {in_code = !in_code; next} !in_code && !/^\|/' "$1" | sed -E 's/\]\([^)]*\)/]/g' | grep -E '^.{101,}'; }
for page in CONTRIBUTING.md examples/README.md doc/*.md; do
	check "$page is wrapped at 100 columns" diff /dev/null <(wide "$page")
	for file in $(grep -oE '`(src|tests|bench|tools|include|examples)/[a-z0-9_./-]+[a-z0-9]`' "$page" | tr -d '`'); do
		check "$page: $file is there" [ -e "$file" ]
	done
done
x100=$(printf 'x%.0s' {1..100})
printf '%s\n' "$x100" "| $x100 |" '```' "${x100}x" '```' "[x](${x100})" >"$tmp/right.md"
same 'tables, code and links may be wide' '' "$(wide "$tmp/right.md")"
echo "${x100}x" >"$tmp/wrong.md"
same 'a sentence may not' "${x100}x" "$(wide "$tmp/wrong.md")"
{ cat "$tmp/wrong.md"; printf 'word %.0s' {1..40}; } | tools/wrap >"$tmp/wrapped.md"
same 'tools/wrap wraps where there are blanks' "${x100}x 41" "$(wide "$tmp/wrapped.md") $(wc -w <"$tmp/wrapped.md")"

# ---- contents: words, views, options ----

words='subject lens run recording caveat routine activation site arc foreign clock worker working waiting idle sequential concurrent
work span parallelism strand idleness overhead effort context logical physical cell rms trms cost point path copy plan flow hit outcome
snapshot case agent verdict view object event contended holder load latency outside minimum'
for word in $words 'burdened span' 'input size' 'critical path' 'induced read' 'cost function' 'session folder' 'idle machine' 'run if free'; do
	expect_match "the glossary defines $word" "\*\*$word\*\*" doc/glossary.md
done
for page in README.md CONTRIBUTING.md doc/{report,record,calls,span,idle,input,paths,flow}.md; do
	expect_match "$page links to the glossary" '\]\((doc/)?glossary\.md\)' "$page"
done

# part PAGE HEADING: what stands below this heading
part() { awk -v heading="$2" '/^#/ {inside = $0 == heading} inside' "$1"; }
for lens in "${lenses[@]}"; do
	part "doc/$lens.md" '## Exact, estimated, not seen' >"$tmp/part"
	for list in Exact Estimated 'Not seen'; do
		check "doc/$lens.md lists what is: $list" awk -v list="$list" '
			index($0, list) == 1 && /:$/ {inside = 1; next} /^[A-Z]/ {inside = 0} inside && /^- / {found = 1} END {exit !found}' "$tmp/part"
	done
	views=$(skein report $lens --help | sed -n "/^Views of $lens\$/,/^\$/s/^  \([a-z-]\{1,\}\) .*/\1/p")
	check "$lens has views" [ "$(wc -w <<<"$views")" -ge 6 ]
	part doc/report.md "## Views of the $lens lens" >"$tmp/part"
	for view in $views; do
		expect_match "doc/report.md explains the view $view of $lens" "^\| \`$view\` \|" "$tmp/part"
		expect_match "doc/$lens.md explains the view $view" "^\| \`$view\` \|" "doc/$lens.md"
	done
	for command in record report; do
		options=$(skein $command --help | awk -v lens="$lens" '/^[A-Z]/ {inside = / by lens;/} inside && $1 ~ /^[a-z]+$/ {mine = $1 == lens} inside && mine' | grep -oE -- '--[a-z-]+')
		check "$command has options for $lens" [ "$(wc -w <<<"$options")" -ge 2 ]
		for option in $options; do
			expect_match "doc/$command.md says that $option is for $lens" "^\| \`(-[a-z], )?$option( [^\`]*)?\` \|.*\b$lens\b" "doc/$command.md"
		done
	done
done

# ---- commands: those that documents and help show have options that exist ----

# commands: of what is read, each `skein COMMAND …` up to the program that it runs or the pipe behind it
commands() { grep -oE '\bskein (record|report|view|diff|trend|check|export|recover|snapshot) [^`|&]*' | sed -E 's/ -- .*//; s/ {3,}.*//; s/[ \\]+$//' | sort -u; }
# unknown COMMAND [LENS] WORD…: the options and views among the words that its help does not have
unknown() {
	local help name
	case ${2:-} in calls | span | idle | input | paths | flow) help=$(skein "$1" "$2" --help) ;; *) help=$(skein "$1" --help) ;; esac
	for name in $(grep -oE -- '(^|[ [])--[a-z][a-z-]+' <<<"$*" | tr -d '[') $(sed -nE 's/.* --view ([a-z-]+).*/\1/p' <<<" $*"); do
		[ "$name" = --help ] || grep -qE -- "(^|[ ,])$name([ ,;]|\$)" <<<"$help" || echo "$name"
	done
}
shown=0
while read -r line; do
	read -ra words <<<"${line#skein }"
	same "as it is shown: $line" '' "$(unknown "${words[@]}")"
	shown=$((shown + 1))
done < <({
	awk '/^ *```/ {in_code = !in_code; next} in_code || /^\|/' README.md examples/README.md doc/*.md
	for help in record report view diff trend check export recover snapshot; do skein $help --help; done
} | commands)
check 'there are commands to try' [ "$shown" -gt 50 ]
same 'an option that is not there is found' '--vew' "$(unknown report calls --vew family --routine parse)"
same 'and a view' families "$(unknown report calls --view families)"
