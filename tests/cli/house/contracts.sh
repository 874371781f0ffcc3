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
wait_words=$(sed -nE 's/^[[:space:]]+X\([A-Z]+, "([a-z]+)", (BLOCKS|SPINS|CALLS),.*/\1/p' "$src/raw/format.h" | paste -sd'|')

contracts=(plan session environment waits openmp tables)
declare -A name=([plan]='keys of plans' [session]='keys of sessions' [environment]='environment variables'
	[waits]='kinds of waits' [openmp]='entry points of OpenMP' [tables]='sizes of rows of raw tables')

# spelt SRC CONTRACT: a line FILE:LINE:TEXT for each place that spells a name of it
spelt() (
	cd "$1" || exit
	sources() { find . -name '*.[ch]' -not -path './keys/*' | sed 's,^\./,,' | sort; }
	of() { sources | grep -E "^($1)/"; }
	case $2 in
	plan) sources | xargs -r grep -HnE "pass_option\(\"|\"($plan_words)=|(add_patterns|plan_add|plan_has)\(.*, \"($plan_words)\"" ;;
	session)
		sources | xargs -r grep -HnE "session_(is|is_set|value|number)\(\"|session_plan_(set|put|setting)\([^,\"]+, \"|\.key, \"($session_words)\""
		sources | grep '/session[^/]*\.c$' | xargs -r grep -HnE "(write_line\(file|(field|f)\[0\]), \"($session_words)\"|value_of\(\""
		;;
	environment) sources | xargs -r grep -HnE "\"SKEIN_[A-Z]|\"[^\"]*\\$?($variables)[^\"]*\"" ;;
	# Words of events and of objects, which analyse/flow/flows.c lists, of findings (analyse/findings.h) and of JUnit are others, though
	# some are spelt alike.
	waits)
		of 'analyse|report|rt|sample|store|threads' | grep -vxE 'analyse/flow/flows.c|analyse/findings.h|report/check/forms.c' | xargs -r grep -HnE "\"($wait_words)\""
		of 'analyse/calls|report/calls' | xargs -r grep -HnE "\"($wait_words)_ns\""
		;;
	# What a program imports, which run/copies/doubt.c looks for, is a list of its own.
	openmp) sources | grep -v '^run/copies/doubt.c$' | xargs -r grep -HnE '"__kmpc_' ;;
	tables) of 'rt|sample|threads' | xargs -r grep -HnE 'raw_add_table\(.*, sizeof' ;;
	esac
)

for contract in "${contracts[@]}"; do
	check "no other place spells ${name[$contract]}" diff /dev/null <(spelt "$src" "$contract")
done
check 'the lists were read' [ "$(tr '|' '\n' <<<"$plan_words|$session_words|$variables|$wait_words" | grep -c .)" -gt 60 ]
check 'each of them' [ -n "$plan_words" -a -n "$session_words" -a -n "$variables" -a -n "$wait_words" ]

# Each of these can fail: a tree in which one file spells a name of each.
mkdir -p "$tmp/src/rt"
cat >"$tmp/src/rt/wrong.c" <<'END'
	if (strcmp(pass_option("MODE"), "counts") == 0)
	uint64_t hertz = session_number("hertz", 1000);
	const char *folder = getenv("SKEIN_SESSION");
	return strcmp(kind, "barrier") == 0 || strcmp(kind, "nothing") == 0;
	return strcmp(name, "__kmpc_barrier") == 0;
	table = raw_add_table(RAW_CALLS_OPEN, lane, 0, sizeof(struct raw_open), rows);
END
for contract in "${contracts[@]}"; do
	same "${name[$contract]} are found where they are spelt" 1 "$(spelt "$tmp/src" "$contract" | wc -l)"
done
