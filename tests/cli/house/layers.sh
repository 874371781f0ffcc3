#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Who includes whom: the table of CONTRIBUTING.md, held against the source.
. "$(dirname "$0")/../../lib/lib.sh"

src=$(realpath "$tests/../src")
tool_side='base/ options/ keys/ core/ raw/'

# allowed FOLDER: what its files may include beside their own folder, folders and single headers
allowed() {
	case $1 in
	arch | base | cilk | keys) ;;
	core) echo arch/ skein/agent.h ;;
	raw) echo arch/ keys/ core/ base/fail.h ;;
	threads) echo arch/ keys/ core/ raw/ ;;
	mpi) echo arch/ keys/ core/ raw/ ;;
	modules) echo raw/ threads/real.h ;;
	rt) echo arch/ keys/ core/ raw/ threads/ modules/ ;;
	unwind) echo arch/ core/ raw/ threads/helpers.h skein/agent.h ;;
	sample) echo arch/ keys/ core/ raw/ threads/ unwind/ skein/agent.h ;;
	trace) echo arch/ keys/ core/ raw/ threads/ unwind/ rt/rt.h rt/flow/routines.h ;;
	valgrind) echo arch/ keys/ core/ raw/ ;;
	pass) echo arch/ keys/ core/ cilk/frame.h ;;
	options) echo base/ ;;
	build) echo arch/ keys/ base/ ;;
	analyse) echo arch/ "$tool_side" pass/table.h pass/shape.h pass/counters.h ;;
	store) echo "$tool_side" analyse/ ;;
	relink) echo arch/ "$tool_side" build/ analyse/ store/ pass/table.h pass/shape.h pass/together.h pass/serve.h ;;
	report) echo "$tool_side" build/ analyse/ store/ relink/ ;;
	run) echo arch/ "$tool_side" build/ analyse/ store/ relink/ report/ unwind/ ;;
	cli) echo "$tool_side" build/ analyse/ store/ relink/ report/ run/ ;;
	*) return 1 ;;
	esac
}

# strangers SRC FOLDER: includes of ours in SRC/FOLDER that its row does not allow, a line each; the last line counts what was read
strangers() {
	local may one
	may=$2/
	for one in $(allowed "$2"); do may+="|$one"; done
	(cd "$1" && find "$2" -name '*.[ch]' | sort | xargs grep -nE '#include "' | grep -E '#include "[a-z_]+/' | grep -vE "#include \"($may)")
	echo "$(find "$1/$2" -name '*.[ch]' | wc -l) files"
}

# A path of lens A never includes lens B: what two need lies above them.
lens_crossings() {
	(cd "$1" && grep -rnE '#include "[a-z]+/(calls|span|idle|input|paths|flow)/' . | grep -E '^\./[a-z]+/(calls|span|idle|input|paths|flow)/' |
		awk -F'[/:"]' '{own = $3; for (i = 4; i <= NF; i++) if ($i ~ /^#include /) break; other = $(i + 2); if (other != own) print}')
}

folders=$(cd "$src" && echo */ | tr -d /)
for folder in $folders; do
	check "$folder has a row" allowed "$folder"
	same "$folder includes only what it may" "$(find "$src/$folder" -name '*.[ch]' | wc -l) files" "$(strangers "$src" "$folder")"
	check "$folder has files" [ "$(find "$src/$folder" -name '*.[ch]' | wc -l)" -gt 0 ]
	expect_match "$folder is in the table" "^\| \`src/$folder\`" "$src/../CONTRIBUTING.md"
done

# Each rule can fail: a copy in which one file of each folder includes something of a folder that it must not.
cp -r "$src" "$tmp/src"
for folder in $folders; do
	victim=$(find "$tmp/src/$folder" -name '*.[ch]' | sort | tail -n 1)
	wrong=cli/commands.h
	[ "$folder" != cli ] || wrong=threads/real.h
	echo "#include \"$wrong\"" >>"$victim"
	expect_match "$folder is caught when it includes $wrong" "$wrong" <(strangers "$tmp/src" "$folder")
done

check 'no lens includes another' diff /dev/null <(lens_crossings "$src")
echo '#include "core/span/span.h"' >>"$tmp/src/report/paths/lens.c"
expect_match 'a lens that includes another is caught' 'report/paths/lens.c.*core/span' <(lens_crossings "$tmp/src")

# A room that nobody can take in at a glance.
crowded() { find "$1" -type d | while read -r folder; do [ "$(find "$folder" -maxdepth 1 -type f | wc -l)" -le 32 ] || echo "$folder"; done; }
check 'no folder of src has more than 32 files' diff /dev/null <(crowded "$src")
check 'no folder of tests has more than 32 files' diff /dev/null <(crowded "$tests")
mkdir -p "$tmp/house/room" && touch "$tmp/house/room/"{1..33}
expect_match 'a crowded folder is caught' 'house/room$' <(crowded "$tmp/house")

# What differs between lenses is in their structs (report/lens.h, run/lens.h, pass/lens.h, rt/rt.h) or traits (keys/lenses.h): no code that
# they share asks for a name. Excepted: records of one lens in the list of raw tables.
names_lenses() {
	(cd "$1" && grep -rnE 'str(case)?cmp\([^;]*"(calls|span|idle|input|paths|flow)"|RAW_LENS_(CALLS|SPAN|IDLE|INPUT|PATHS|FLOW)' . |
		grep -vE '^\./[a-z]+/(calls|span|idle|input|paths|flow)/|^\./(raw/format\.h|keys/lenses\.h|sample/|trace/|valgrind/)')
}
check 'no code that lenses share asks for one by its name' diff /dev/null <(names_lenses "$src")
echo 'static bool is_span(const char *lens) { return strcmp(lens, "span") == 0; }' >>"$tmp/src/pass/select.c"
expect_match 'code that does is caught' 'pass/select.c' <(names_lenses "$tmp/src")

# The entry points of the OpenMP runtime are named in one list.
names_openmp() { (cd "$1" && grep -rnE '"[^"]*__kmpc_' pass | grep -v '^pass/openmp\.def:'); }
check 'only openmp.def names entry points of the OpenMP runtime' diff /dev/null <(names_openmp "$src")
check 'and it does' [ "$(grep -c '^OPENMP("__kmpc_' "$src/pass/openmp.def")" -gt 20 ]
echo 'static const char name[] = "__kmpc_fork_call";' >>"$tmp/src/pass/span/graph.c"
expect_match 'a name that stands elsewhere is caught' 'pass/span/graph.c' <(names_openmp "$tmp/src")

same 'only store speaks SQLite' store "$(cd "$src" && grep -rl 'sqlite3\.h' . | cut -d/ -f2 | sort -u | xargs)"
same 'C++ is in one file' ./pass/shim.cpp "$(cd "$src" && find . -name '*.cpp')"
check 'which has less than 200 lines' [ "$(wc -l <"$src/pass/shim.cpp")" -lt 200 ]

# What one processor decides is in src/arch: elsewhere no instruction, register or number of it, but where a file decodes machine code.
# An empty template ("") is a barrier for the compiler, not an instruction.
machine='rdtsc|__builtin_ia32_|_mm_[a-z]|(x86|imm)intrin|gregs|\<REG_[ER][A-Z0-9]+|(EM|R)_X86_64|__x86_64__|amd64|AMD64|X86_(INS|OP)|%r([a-ds]?[xip]|[sd]i|[sb]p|[0-9]+)\>|endbr64|asm(__)?( volatile)?\((""[^ ):]|"[^"])'
knows_machine() {
	case $1 in
	./arch/*) ;;
	./analyse/symbols/loops_code.c | ./analyse/symbols/plt.c) ;; # read machine code of the subject
	./valgrind/guest.h) ;;                                       # the processor that Valgrind simulates: GPL, so not in src/arch
	./rt/input/cpp.c | ./threads/interpose/futex.h) ;;           # names of symbols, not instructions
	./store/schema.c) ;;                                         # includes a file as data, without an instruction
	*) return 1 ;;
	esac
}
machine_words() { (cd "$1" && grep -rnE "$machine" --include='*.[ch]' . | while IFS=: read -r file rest; do knows_machine "$file" || echo "$file:$rest"; done); }
check 'machine words are in src/arch' diff /dev/null <(machine_words "$src")
check 'src/arch has some' [ "$(grep -rcE "$machine" "$src/arch" | awk -F: '{n += $2} END {print n + 0}')" -gt 20 ]
for line in 'now = __rdtsc();' '__builtin_ia32_pause();' 'sp = c->uc_mcontext.gregs[REG_RSP];' 'e_machine != EM_X86_64' '__asm__ volatile("syscall");' '"movq %rsp, %r8\n"' '"%s-amd64-linux"'; do
	cp -r "$src/raw" "$tmp/machine" && echo "$line" >>"$tmp/machine/writer.c"
	expect_match "a machine word is caught: $line" 'writer.c' <(machine_words "$tmp/machine")
	rm -r "$tmp/machine"
done
