#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documents name what there is, and their links lead somewhere.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests/.." || exit

for table in $(sed -n 's/^CREATE TABLE \([a-z_]*\).*/\1/p' src/store/schema.sql) \
	$(sed -n 's/^enum raw_table_kind {\(.*\)};/\1/p' src/raw/format.h | grep -o 'RAW_[A-Z_]*') \
	$(sed -n 's/^enum raw_type {\(.*\)};/\1/p' src/raw/format.h | grep -o 'RAW_[A-Z_]*'); do
	expect_match "doc/format.md has $table" "\`$table\`" doc/format.md
done
for page in README.md CONTRIBUTING.md doc/*.md; do
	for link in $(grep -oE '\]\([^)#: ]+' "$page" | cut -c3-); do
		check "$page: $link exists" [ -e "$(dirname "$page")/$link" ]
	done
	check "$page: every block of code is closed" awk '/^```/ {open = !open} END {exit open}' "$page"
done
for command in $(sed -n 's/^COMMAND([A-Z]*, \([a-z]*\),.*/\1/p' src/options/commands.def | grep -vxE 'help|version') calls span idle skein-cc; do
	check "$command has a page" [ -s "doc/$command.md" ]
done
while IFS=, read -r command name; do
	[ ! -e "doc/$command.md" ] || expect_match "doc/$command.md has --$name" "\`(-[a-z], )?--$name[ \`]" "doc/$command.md"
done < <(skein help --completion fish | sed -n "s/.*__fish_seen_subcommand_from \([a-z]*\)' -l \([a-z-]*\) .*/\1,\2/p")
for help in record report {record,report}' '{calls,span,idle,input,paths} check export recover doctor; do
	check "skein $help --help fits a screen" eval "[ \$(skein $help --help | wc -l) -le 40 ]"
done
for lens in calls span idle input paths; do
	for command in record report; do
		skein $command $lens --help | sed '1,/^Examples/d' >"$tmp/examples"
		check "examples of $command $lens are its own" eval '[ -s "$tmp/examples" ] && ! grep -v "^  skein $command $lens " "$tmp/examples"'
	done
done
