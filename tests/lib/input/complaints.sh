# SPDX-License-Identifier: MIT
# complaints.sh: holds a recording of the input lens against tests/invariants/input.sql.
#
#     . "$tests/lib/input/complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(input_complaints prog.skein)" ]

. "$tests/lib/complaints.sh"

# input_complaints RECORDING: what is wrong with it; its reports are made as CSV in a new folder
input_complaints() {
	local recording at view
	recording=$(realpath "$1")
	at=$(mktemp -d -p "$tmp")
	for view in routines sources threads contexts runs summary; do
		skein report input "$recording" --view $view --csv >"$at/$view.csv" || echo "there is no view $view"
	done
	for view in points workload; do
		skein report input "$recording" --view $view --routine '*' --csv >"$at/$view.csv" || echo "there is no view $view"
	done
	complaints_of "$recording" "$at" "$tests/invariants/input.sql"
}
