# SPDX-License-Identifier: MIT
# complaints.sh: holds a recording of the idle lens against tests/invariants/idle.sql.
#
#     . "$tests/lib/idle/complaints.sh"
#     check 'a recording holds what every recording must' [ -z "$(idle_complaints prog.skein)" ]

. "$tests/lib/complaints.sh"

# idle_complaints RECORDING [FOLDER]: what is wrong with it; its reports are made as CSV in a new folder, or taken from one
idle_complaints() {
	local recording at=${2:-} view
	recording=$(realpath "$1")
	if [ -z "$at" ]; then
		at=$(mktemp -d -p "$tmp")
		for view in top-down bottom-up flat threads summary; do
			skein report idle "$recording" --view $view --csv >"$at/${view/-/_}.csv" || echo "there is no view $view"
		done
	fi
	complaints_of "$recording" "$at" "$tests/invariants/idle.sql"
}
