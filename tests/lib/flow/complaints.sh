# SPDX-License-Identifier: MIT
# complaints.sh: holds a recording of the flow lens against tests/invariants/flow.sql.
#
#     . "$tests/lib/flow/complaints.sh"
#     same 'a recording holds what every recording must' '' "$(flow_complaints prog.skein)"

. "$tests/lib/complaints.sh"

# flow_complaints RECORDING: what is wrong with it; its reports are made as CSV in a new folder
flow_complaints() {
	local recording at view
	recording=$(realpath "$1")
	at=$(mktemp -d -p "$tmp")
	for view in waits objects critical-path threads timeline concurrency cores summary; do
		skein report flow "$recording" --view $view --top 0 --csv >"$at/${view/-/_}.csv" || echo "there is no view $view"
	done
	complaints_of "$recording" "$at" "$tests/invariants/flow.sql"
}
