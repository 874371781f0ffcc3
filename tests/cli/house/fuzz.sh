#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make fuzz` found, and what it begins from: each target takes each of these files and ends well. A file of tests/fuzz/corpus/TARGET once
# crashed the target, stopped it or read outside; make check SANITIZE=address,undefined sees more of this than a plain build.
. "$(dirname "$0")/../../lib/lib.sh"

targets() { grep -v '^#' "$tests/fuzz/targets.tsv" | cut -f 1; }
sources() { find "$tests/fuzz" -maxdepth 1 -name '*.c' ! -name replay.c -exec basename {} .c \; | sort; }

same 'targets.tsv lists the targets' "$(sources)" "$(targets | sort)"
same 'only targets have findings' '' "$(find "$tests/fuzz/corpus" -mindepth 1 -maxdepth 1 -printf '%f\n' | grep -vxf <(targets))"
patterns() { grep -v '^#' "$tests/fuzz/targets.tsv" | cut -f 3 | tr ' ' '\n'; }
missing() { cd "$tests/../src" && patterns | while read -r pattern; do compgen -G "$pattern" >/dev/null || echo "$pattern"; done; }
same 'the sources that it names are there' '' "$(missing)"
check 'findings are small' [ -z "$(find "$tests/fuzz/corpus" -type f -size +100k)" ]

# replay TARGET FOLDER: every file of the folder, and there are some
replay() {
	local files
	mapfile -t files < <(find "$2" -type f)
	[ ${#files[@]} -gt 0 ] || { echo "no files in $2"; return 1; }
	mkdir -p "$tmp/work" && cd "$tmp/work" && timeout 300 "$build/tests/fuzz/$1" "${files[@]}"
}
ends_well() { # NAME TARGET FOLDER
	local said
	if said=$(replay "$2" "$3" 2>&1); then ok "$1"; else not_ok "$1" "$(tail -n 3 <<<"$said")"; fi
}

expect_status 0 'the seeds are made' "$tests/fuzz/seeds" "$build" "$tmp/seeds"
for target in $(targets); do
	ends_well "$target takes its seeds" "$target" "$tmp/seeds/$target"
	if [ -e "$tests/fuzz/corpus/$target" ]; then ends_well "$target takes what was found" "$target" "$tests/fuzz/corpus/$target"; fi
done

# Seeds that a reader refuses would lead nowhere.
for lens in calls span input paths idle flow; do
	check "the seed of $lens is a recording" skein report "$lens" --csv "$tmp/seeds/recording/$lens"
done

# A crash is seen: a target that aborts at the file `bad`.
printf '#include "fuzz/fuzz.h"\nint LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)\n{\n\tfuzz_hold(!size || bytes[0] != 33);\n\treturn 0;\n}\n' >"$tmp/wrong.c"
cc -D_GNU_SOURCE -I"$tests" -o "$tmp/wrong" "$tmp/wrong.c" "$tests/fuzz/replay.c"
echo good >"$tmp/good"
echo '!' >"$tmp/bad"
check 'a replay that goes well has status 0' "$tmp/wrong" "$tmp/good"
check 'a replay that crashes has not' bash -c '! "$@"' - "$tmp/wrong" "$tmp/good" "$tmp/bad"
"$tmp/wrong" "$tmp/good" "$tmp/bad" 2>"$tmp/err" || true
same 'and says at which file' "$tmp/bad" "$(tail -n 1 "$tmp/err")"
