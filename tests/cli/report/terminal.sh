#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the terminal decides: how wide text is, which characters it has, and what is said while work goes on.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# ascii FILE: it has bytes, and none that is not ASCII
ascii() { [ -s "$1" ] && ! LC_ALL=C grep -n '[^ -~]' "$1"; }
# narrow WIDTH FILE: it has lines, and none that is wider
narrow() { [ -s "$2" ] && ! awk -v most="$1" 'length($0) > most {print NR ": " length($0); found = 1} END {exit !found}' "$2"; }
# values FILE: all that a JSON text says
values() { sqlite3 :memory: "select fullkey, atom from json_tree(cast(readfile('$1') as text))"; }

# Two lenses in one recording, each by a session whose numbers are known.
for lens in calls span; do
	mkdir $lens
	"$build/tests/$lens/test_analysis" --session $lens
	sed -E "s|^(command\s+).*|\1./prog $(printf '%0600d' 7)|" -i $lens/session
	skein recover $lens -o prog.skein >"$tmp/verdict" 2>&1 || not_ok "$lens is recovered" "$(cat "$tmp/verdict")"
done

# Characters.
for lens in calls span; do
	for view in $(skein report $lens --help | sed -n "/^Views of/,/^$/s/^  \([a-z-]*\) .*/\1/p" | grep -v source); do
		LC_ALL=C skein report $lens prog.skein --view "$view" --top 0 >"$tmp/plain"
		check "$lens, $view: ASCII in the C locale" ascii "$tmp/plain"
		check "$lens, $view: and 80 columns" narrow 80 "$tmp/plain"
		LC_ALL=C skein report $lens prog.skein --view "$view" --json >"$tmp/plain.json"
		check "$lens, $view: so is JSON" ascii "$tmp/plain.json"
		skein report $lens prog.skein --view "$view" --json >"$tmp/wide.json"
		equal "$lens, $view: and it says the same" <(values "$tmp/wide.json") <(values "$tmp/plain.json")
	done
done
skein report calls prog.skein >"$tmp/shown"
expect_match 'the same report has other characters in UTF-8' '±' "$tmp/shown"
LC_ALL=C skein report calls prog.skein >"$tmp/shown"
expect_match 'which have words in ASCII' '\(\+- [0-9.]+\)' "$tmp/shown"
for command in '' record report check recover; do
	LC_ALL=C skein help $command >"$tmp/shown"
	check "help $command is ASCII in the C locale" ascii "$tmp/shown"
done
LC_ALL=C skein report absent…é.skein 2>"$tmp/shown"
check 'an error is ASCII in the C locale' ascii "$tmp/shown"
expect_match 'with the bytes of other characters' 'absent\.\.\.\\xc3\\xa9\.skein' "$tmp/shown"
LC_ALL='' LC_CTYPE='' LANG=xx_YY.UTF-8 skein report calls prog.skein >"$tmp/shown"
expect_match 'a locale that is not installed is known by its name' '±' "$tmp/shown"

# Width.
for width in 60 100 200; do
	COLUMNS=$width skein report calls prog.skein --view summary >"$tmp/shown"
	same "COLUMNS=$width: a pipe is as wide" $width "$(wc -L <"$tmp/shown")"
done
for wrong in 0 -5 many ''; do
	check "COLUMNS='$wrong' is no width" cmp <(COLUMNS=$wrong skein report calls prog.skein) <(skein report calls prog.skein)
done
skein report calls prog.skein --view summary >"$tmp/shown"
expect_match 'a long value is shortened' '^command +\./prog 0+…0+7$' "$tmp/shown"
skein report calls prog.skein --view summary --csv >"$tmp/shown"
expect_match 'but not for scripts' '^command,\./prog 0{599}7$' "$tmp/shown"

# Sessions.
mkdir empty
cd empty || exit
refused 127 'where there is no session' 'no session in this folder' skein recover
mkdir .a.skein.session-Ab12Cd .b.skein.session-none
"$build/tests/calls/test_analysis" --session .a.skein.session-Ab12Cd
expect_status 0 'recover without a folder lists sessions' skein recover
expect_match 'with lens and command' '^\.a\.skein\.session-Ab12Cd  calls  ' "$tmp/out"
expect_match 'with what is no session' '^\.b\.skein\.session-none  cannot be recovered: ' "$tmp/out"
expect_match 'and says what to do' 'skein recover FOLDER' "$tmp/out"
expect_status 0 'one of them is recovered' skein recover .a.skein.session-Ab12Cd -o a.skein
cd .. || exit

# Progress.
printf 'int main(void) { return 0; }\n' >quick.c
skein-cc -O1 quick.c -o quick
export XDG_CACHE_HOME=$tmp/cache
skein record calls -- ./quick >"$tmp/out" 2>"$tmp/err"
same 'a pipe gets one line before the first run' 'skein: linking for calls, once' "$(head -n 1 "$tmp/err")"
same 'and no other' 1 "$(grep -c '^skein: ' "$tmp/err")"
skein record calls -- ./quick >"$tmp/out" 2>"$tmp/err"
same 'but none where nothing is linked' 0 "$(grep -c '^skein: ' "$tmp/err")"
script -qec 'skein record span -- ./quick' /dev/null >"$tmp/out" </dev/null 2>&1
check 'a terminal gets a line that is overwritten' grep -q $'\r\033\[Kskein: re-linking quick for span\r\033\[K' "$tmp/out"

# Silence: a suite that reads what its program prints finds what it finds natively.
printf '#include <stdio.h>\nint main(void) { puts("said"); fputs("complained\\n", stderr); return 3; }\n' >speaks.c
skein-cc -O1 speaks.c -o speaks
for lens in calls span idle input paths; do
	expect_status 3 "$lens, --quiet: the program's status" skein record $lens --quiet -o quiet.skein -- ./speaks
	same "$lens, --quiet: its standard output alone" said "$(cat "$tmp/out")"
	same "$lens, --quiet: its standard error alone" complained "$(cat "$tmp/err")"
	check "$lens, --quiet: and a recording" skein report $lens quiet.skein
	script -qec "skein record $lens -q --keep-raw -o quiet.skein -- ./speaks" /dev/null >"$tmp/shown" </dev/null 2>&1
	same "$lens, -q: nor is a terminal told anything" 'said complained' "$(tr -d '\r' <"$tmp/shown" | paste -sd' ')"
	rm -rf .quiet.skein.session-*
done
refused 127 '--quiet: errors are still printed' 'absent' skein record calls -q -- ./absent
