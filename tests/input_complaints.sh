# SPDX-License-Identifier: MIT
# input_complaints.sh: holds a recording of the input lens against tests/input_invariants.sql.
#
#     . "$tests/input_complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(input_complaints prog.skein)" ]

# input_complaints RECORDING: what is wrong with it; its reports are made as CSV in a new folder
input_complaints() {
	local recording at csv view
	recording=$(realpath "$1")
	at=$(mktemp -d -p "$tmp")
	for view in routines sources threads contexts runs summary; do
		skein report input "$recording" --view $view --csv >"$at/$view.csv" || echo "there is no view $view"
	done
	for view in points workload; do
		skein report input "$recording" --view $view --routine '*' --csv >"$at/$view.csv" || echo "there is no view $view"
	done
	(
		cd "$at" || exit
		{
			echo '.mode csv'
			for csv in *.csv; do
				printf 'create temp table %s (%s);\n' "${csv%.csv}" "$(head -n 1 "$csv" | sed 's/[^,]*/"&" numeric/g')"
				echo ".import --schema temp --skip 1 $csv ${csv%.csv}"
			done
			echo '.mode list'
			cat "$tests/input_invariants.sql"
		} | sqlite3 -bail "file:$recording?immutable=1" 2>&1
	)
}
