#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Who includes whom: the table of CONTRIBUTING.md, held against the source.
. "$(dirname "$0")/../lib.sh"
cd "$tests/../src" || exit

# may FOLDER INCLUDED…: its files include nothing of ours but these folders (or single headers)
may() {
	local folder=$1 allowed=$1/ other
	shift
	for other; do allowed+="|$other"; done
	check "$folder includes only what it may" diff /dev/null <(grep -nE '#include "[a-z_]+/' "$folder"/*.[ch] | grep -vE "#include \"($allowed)")
}

may core skein/agent.h
may raw core/ build/fail.h
may threads core/ raw/
may rt core/ raw/ threads/
may sample core/ raw/ threads/ skein/agent.h
may valgrind core/ raw/
may cilk
may pass core/ cilk/frame.h
may build pass/table.h pass/shape.h pass/together.h
may analyse core/ raw/ build/fail.h pass/table.h pass/shape.h
may store core/ raw/ analyse/ build/fail.h
may cli core/ raw/ analyse/ store/ build/
for folder in */; do
	expect_match "$folder is in the table" "^\| \`src/${folder%/}\`" ../CONTRIBUTING.md
done
check 'only store speaks SQLite' diff /dev/null <(grep -ln 'sqlite3\.h' -- */*.[ch] | grep -v '^store/')
check 'C++ is in one file, of less than 100 lines' [ "$(find . -name '*.cpp' | tr '\n' ' ')" = './pass/shim.cpp ' -a "$(wc -l <pass/shim.cpp)" -lt 100 ]
