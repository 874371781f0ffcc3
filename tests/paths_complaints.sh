# SPDX-License-Identifier: MIT
# paths_complaints.sh: holds a recording of the paths lens against tests/paths_invariants.sql.
#
#     . "$tests/paths_complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(paths_complaints prog.skein)" ]

# paths_complaints RECORDING: what is wrong with it; its reports are made as CSV in a new folder
paths_complaints() {
	local recording at csv view
	recording=$(realpath "$1")
	at=$(mktemp -d -p "$tmp")
	for view in paths functions branches copies profitable stops summary; do
		skein report paths "$recording" --view $view --csv >"$at/$view.csv" || echo "there is no view $view"
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
			cat "$tests/paths_invariants.sql"
		} | sqlite3 -bail "file:$recording?immutable=1" 2>&1
	)
}
