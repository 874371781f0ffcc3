# SPDX-License-Identifier: MIT
# subjects.sh: what the suites of the input lens share. For whoever has sourced lib.sh.

# input_tool NAME: tests/prog/input/NAME.c becomes $tmp/bin/NAME, beside the libraries of this build
input_tool() {
	local sanitize
	sanitize=$(nm -A "$build/lib/libskein-tool.a" 2>/dev/null | grep -q __asan_ && echo -fsanitize=address,undefined)
	mkdir -p "$tmp/bin"
	ln -sfn "$build/lib" "$tmp/lib"
	cc -std=c11 -D_GNU_SOURCE -I"$tests/../src" -I"$tests/../include" $sanitize "$tests/prog/input/$1.c" "$build/lib/libskein-tool.a" -o "$tmp/bin/$1" \
		-lsqlite3 -ldw -lelf -llzma -lcapstone -lz -lm -lstdc++
}

# input_wrong FOLDER: what the subject says of itself (FOLDER/out) and the recording does not (FOLDER/csv)
input_wrong() {
	awk -F, '
		NR == FNR && $1 == "point" {
			gsub(/"/, "", $4)
			if ($5 == "rms") calls[$4] += $7
			if ($5 == "trms") { thread[$4] += $13; external[$4] += $14 }
			at[$4 " " $5 " " $6] += $7
			next
		}
		NR == FNR { next }
		{ n = split($0, w, " ") }
		w[1] == "expect" && n == 3 { sub(/@.*/, "", w[2]); w[1] = "calls" } # as subjects of other lenses say it
		w[1] == "expect" {
			n = w[3] == "all" ? split("rms,rms+external,trms", m, ",") : split(w[3], m, ",")
			for (i = 1; i <= n; i++)
				if (at[w[2] " " m[i] " " w[4]] != w[5]) print $0 ": " at[w[2] " " m[i] " " w[4]] + 0 " by " m[i]
		}
		w[1] == "calls" && calls[w[2]] != w[3] { print $0 ": " calls[w[2]] + 0 }
		w[1] == "induced" && (thread[w[2]] != w[3] || external[w[2]] != w[4]) { print $0 ": " thread[w[2]] + 0 " " external[w[2]] + 0 }
		w[1] ~ /^(expect|calls|induced)$/ { said++ }
		END { if (!said) print "the subject says nothing" }' "$1/csv" "$1/out" | head -n 20
}

# input_how FOLDER NAME: that figure of the run
input_how() { awk -F, -v name="$2" '$1 == "how" && $3 == name {print $4}' "$1/csv"; }

# subject FILE [OPTION…]: input/arrays.c becomes input/arrays
subject() {
	local file=$1 compiler=skein-cc flags
	case $1 in *.cpp) compiler=skein-c++ ;; esac
	shift
	mkdir -p "$(dirname "$file")"
	read -ra flags < <(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$tests/prog/$file")
	$compiler -O1 -g -fno-optimize-sibling-calls -Wno-unknown-attributes "${flags[@]}" "$@" "$tests/prog/$file" -o "${file%.*}"
}

# record FOLDER PROGRAM PLAN SETTINGS [ARGUMENT…]: what it printed is in FOLDER/out, its sizes in FOLDER/csv
record() {
	local folder=$1 program=$2 plan=$3 settings=$4 status linked
	shift 4
	rm -rf "$folder"
	mkdir "$folder"
	linked=$(bin/relink "$folder" "./$program" $plan -- $settings) || return
	SKEIN_SESSION=$tmp/$folder "$linked" "$@" >"$folder/out" 2>"$folder/err"
	status=$?
	bin/dump "$folder"/*.raw >"$folder/csv" || return
	return "$status"
}

# holds NAME FOLDER: the recording agrees with the subject
holds() { same "$1" '' "$(input_wrong "$2")"; }
