# SPDX-License-Identifier: MIT
# idle_complaints.sh: holds a recording of the idle lens against tests/idle_invariants.sql.
#
#     . "$tests/idle_complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(idle_complaints prog.skein)" ]

# idle_complaints RECORDING [FOLDER]: what is wrong with it; its reports are made as CSV in a new folder, or taken from one
idle_complaints() {
	local recording at=${2:-} view csv
	recording=$(realpath "$1")
	if [ -z "$at" ]; then
		at=$(mktemp -d -p "$tmp")
		for view in top-down bottom-up flat threads summary; do
			skein report idle "$recording" --view $view --csv >"$at/${view/-/_}.csv" || echo "there is no view $view"
		done
	fi
	(
		cd "$at" || exit
		{
			echo '.mode csv'
			for csv in *.csv; do
				printf 'create temp table %s (%s);\n' "${csv%.csv}" "$(head -n 1 "$csv" | sed 's/[^,]*/"&" numeric/g')"
				echo ".import --schema temp --skip 1 $csv ${csv%.csv}"
			done
			echo '.mode list'
			cat "$tests/idle_invariants.sql"
		} | sqlite3 -bail "file:$recording?immutable=1" 2>&1
	)
}
