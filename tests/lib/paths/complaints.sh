# SPDX-License-Identifier: MIT
# complaints.sh: holds a recording of the paths lens against tests/invariants/paths.sql.
#
#     . "$tests/lib/paths/complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(paths_complaints prog.skein)" ]

. "$tests/lib/complaints.sh"

# paths_complaints RECORDING: what is wrong with it; its reports are made as CSV in a new folder
paths_complaints() {
	local recording at view
	recording=$(realpath "$1")
	at=$(mktemp -d -p "$tmp")
	for view in paths functions branches blocks edges copies profitable stops summary; do
		skein report paths "$recording" --view $view --csv >"$at/$view.csv" || echo "there is no view $view"
	done
	complaints_of "$recording" "$at" "$tests/invariants/paths.sql"
}
