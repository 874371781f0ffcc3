#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Loops of all kinds over memory that may or may not overlap: told as ranges before they begin, and told one access at a time, each routine has
# the same calls of the same sizes.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/subjects.sh"
cd "$tmp" || exit
input_tool dump && input_tool relink || exit
mkdir -p input

# program SEED: routines with random loops, called with random places in one piece of memory
program() {
	awk -v seed="$1" '
		function random() { state = (state * 69069 + 12345) % 4294967296; return state / 4294967296 } # the same with every awk
		function pick(list,    n, parts) { n = split(list, parts, "|"); return parts[1 + int(random() * n)] }
		function element() { return pick("char|short|int|long|unsigned char|unsigned") }
		function statement() {
			return pick("p[i] = q[i] + r[i];|p[i] += q[i];|s += (long)q[i + 1];|p[i] = q[i - 1] + q[i] + q[i + 1];|p[2 * i] = q[i];|p[i] = q[3 * i];|" \
				"p[n - 1 - i] = q[i];|if ((long)q[i] & 1) p[i] = r[i];|p[(long)r[i] & 63] += 1;|s += (long)p[(long)r[i] & 63];|p[0] += q[i];|" \
				"p[4 * i] = q[i]; p[4 * i + 1] = q[i]; p[4 * i + 2] = 0; p[4 * i + 3] = 1;|s += (long)(q[2 * i] + q[2 * i + 1]);|p[i] = p[i] * 2;|p[i + 1] = p[i];|" \
				"p[i] = p[i + 1];|s ^= (long)p[i]; r[i] = q[i];|p[i] = 7;|if (q[i] == 99) break;|s += (long)q[n / 2];|at[i & 31] = (long)q[i];")
		}
		function loop() {
			return pick("for (long i = 0; i < n; i++) {@}|for (long i = n - 1; i >= 0; i--) {@}|for (int i = 0; i < (int)n; i += 2) {@}|for (unsigned i = 1; i < (unsigned)n; i++) {@}|" \
				"long i = 0; while (i < n) {@ i++;}|for (long k = 0; k < n; k += 50) for (long i = k; i < k + 50 && i < n; i++) {@}|for (long k = 0; k < n; k += 8) for (long i = k; i < k + 8; i++) {@}|" \
				"for (long k = 0; k < 3; k++) for (long i = 0; i < n; i++) {@}|long i = 0; if (n > 0) do {@} while (++i < n);|for (long i = n; i-- > 0;) {@}")
		}
		BEGIN {
			state = seed
			print "#include <stdio.h>\n#include <string.h>\nstatic _Alignas(64) unsigned char memory[1 << 16];\nlong at[32];"
			for (f = 0; f < 40; f++) {
				body = statement() (random() < 0.5 ? " " statement() : "")
				text = loop()
				text = substr(text, 1, index(text, "@") - 1) body substr(text, index(text, "@") + 1)
				how = random() < 0.3 ? "restrict " : ""
				printf "__attribute__((noinline)) static long f%d(%s *%sp, %s *q, %s *r, long n) { long s = 0; %s return s; }\n", f, random() < 0.3 ? pick("float|double") : element(), how, element(), element(), text
			}
			print "int main(void) { long s = 0; for (unsigned i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i * 7 & 63);"
			for (f = 0; f < 40; f++)
				for (c = 0; c < 12; c++)
					printf "s += f%d((void *)(memory + %d), (void *)(memory + %d), (void *)(memory + %d), %d);\n", f, 1024 + 8 * int(random() * 2000),
						1024 + 8 * int(random() * (random() < 0.5 ? 2000 : 5000)), 1024 + 8 * int(random() * 5000), pick("0|1|5|15|16|17|31|64|200|300")
			print "for (unsigned i = 0; i < sizeof memory; i++) s = s * 31 + memory[i];\nprintf(\"%ld\\n\", s); return 0; }"
		}'
}

# points FOLDER: each point with its calls
points() { awk -F, '$1 == "point"' "$1/csv" | cut -d, -f3- | sort; }

told=0
for seed in 1 2 3 4 5 6; do
	program $seed >loops.c
	for level in -O1 -O2 '-O3 -mavx2' '-O2 -mavx512f -mprefer-vector-width=512'; do
		for need in avx2 avx512f; do [[ $level != *-m$need* ]] || grep -qw $need /proc/cpuinfo || continue 2; done
		skein-cc $level -g -w -fno-strict-aliasing -fwrapv loops.c -o input/loops || { not_ok "program $seed, $level" 'does not compile'; continue; }
		record at_once input/loops '' ''
		record one input/loops '' 'one_by_one=1'
		same "program $seed, $level: what it computes" "$(./input/loops)" "$(cat at_once/out)"
		points one >expected
		points at_once >got
		same "program $seed, $level: sizes" '' "$(diff expected got | head -n 20)"
		told=$((told + $(input_how at_once loops)))
		same "program $seed, $level: one by one, no loop is told at once" 0 "$(input_how one loops)"
	done
done
check 'loops were told at once' [ "$told" -gt 500 ]
