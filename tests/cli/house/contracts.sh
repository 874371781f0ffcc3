#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names on which two parts of Skein must agree stand in one list each; everybody else uses identifiers of that list. This
# suite lists the places that spell such a name in a string of their own: there are none.
. "$(dirname "$0")/../../lib/lib.sh"

src=$(realpath "$tests/../src")

# words FILE ARGUMENT: that argument of each line X(…) of a list, as an alternation
words() { sed -nE 's/^[[:space:]]+X\(//p' "$src/$1" | awk -F', ' -v n="$2" '{gsub(/[")]/, "", $n); print $n}' | paste -sd'|'; }
plan_words=$(words keys/plan.h 1)
session_words=$(words keys/session.h 2)
variables=$(sed -nE 's/^#define ENVIRONMENT_[A-Z_]+ "([A-Z_]+)".*/\1/p' "$src/keys/environment.h" | paste -sd'|')

contracts=(plan session environment)
declare -A name=([plan]='keys of plans' [session]='keys of sessions' [environment]='environment variables')

# spelt SRC CONTRACT: a line FILE:LINE:TEXT for each place that spells a name of it
spelt() (
	cd "$1" || exit
	sources() { find "$@" -name '*.[ch]' -not -path 'keys/*' | sort; }
	case $2 in
	plan) sources */ | xargs grep -nE "pass_option\(\"|\"($plan_words)=|(add_patterns|plan_add|plan_has)\(.*, \"($plan_words)\"" ;;
	session)
		sources */ | xargs grep -nE "session_(is|is_set|value|number)\(\"|session_plan_(set|put|setting)\([^,\"]+, \"|\.key, \"($session_words)\""
		sources */ | grep '/session[^/]*\.c$' | xargs -r grep -nE "(write_line\(file|(field|f)\[0\]), \"($session_words)\"|value_of\(\""
		;;
	environment) sources */ | xargs grep -nE "\"SKEIN_[A-Z]|\"[^\"]*\\$?($variables)[^\"]*\"" ;;
	esac
)

for contract in "${contracts[@]}"; do
	check "no other place spells ${name[$contract]}" diff /dev/null <(spelt "$src" "$contract")
done
check 'the lists were read' [ "$(tr '|' '\n' <<<"$plan_words|$session_words|$variables" | grep -c .)" -gt 50 ]

# Each of these can fail: a copy in which one file spells a name of each.
mkdir -p "$tmp/src/rt"
cat >"$tmp/src/rt/wrong.c" <<'END'
	if (strcmp(pass_option("MODE"), "counts") == 0)
	uint64_t hertz = session_number("hertz", 1000);
	const char *folder = getenv("SKEIN_SESSION");
END
for contract in "${contracts[@]}"; do
	same "${name[$contract]} are found where they are spelt" 1 "$(spelt "$tmp/src" "$contract" | wc -l)"
done
