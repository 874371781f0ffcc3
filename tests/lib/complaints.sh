# SPDX-License-Identifier: MIT
# complaints.sh: holds a recording against invariants in SQL, of its own tables and of reports that were made of it.
#
#     complaints_of RECORDING FOLDER FILE.sql     FOLDER: reports as CSV, each a table named after its file; prints what is wrong

complaints_of() {
	local recording csv
	recording=$(realpath "$1")
	(
		cd "$2" || exit
		{
			echo '.mode csv'
			for csv in *.csv; do
				printf 'create temp table %s (%s);\n' "${csv%.csv}" "$(head -n 1 "$csv" | sed 's/[^,]*/"&" numeric/g')"
				echo ".import --schema temp --skip 1 $csv ${csv%.csv}"
			done
			echo '.mode list'
			cat "$3"
		} | sqlite3 -bail "file:$recording?immutable=1" 2>&1
	)
}
