# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# roots.sh: where logical paths begin.

# roots RECORDING PROGRAM: the roots below which code of the program is. What the loader and the C library do before main, or before a new thread belongs to the runtime, has roots
# of its own; nothing of the program is below them.
roots() {
	skein report idle "$1" --csv | awk -F, -v program="$(realpath "$2")" '$1 == 2 {root = $2} $27 == program {print root}' | sort -u | paste -sd ' '
}
