# SPDX-License-Identifier: MIT
# figures.sh: every figure of a verdict stands in a table, too.
#
#     . "$tests/lib/figures.sh"
#     figures NAME LENS RECORDING VIEW…      a test: the figures of all sentences are in these views, as CSV, and in the summary
#     figures_only=REGEX figures …           of sentences that match
#     figures_shares="idle_ns work_ns" figures_parts=cores figures …
#                                            per cent may be of one of these figures of the summary, and a time be one of the table
#                                            divided by one of those: "removing this idleness saves at most 250 ms" is idle_ns / cores;
#                                            "keeps 1.2 of 2 cores busy" is cores, times the part of a row's effort that is not idle
#
# A figure is a number with its unit. It is found if a field of the CSV, rounded as the sentence rounds, is that number: a field of a
# row whose routine, caller, callee or place the sentence names, or of the summary. Per cent may be a share of 1, times may be in ns. Numbers
# that are part of a name (n^2), a place (sort.c:20), a number of confidence (95 %) or a word of the sentence itself ("one per
# iteration", "--burden") are not figures. A range whose ends look the same says nothing and is an error.

# figures_of: the figures of the sentences on standard input, one sentence per line: "SENTENCE<tab>VALUE<tab>DIGITS<tab>UNIT<tab><, > or nothing"
figures_of() {
	sed -E 's/\((SIG[A-Z]+)\)//g' | awk '
	{
		sentence = text = $0
		gsub(/[A-Za-z0-9_+-]+\.[a-z]+:[0-9]+(:[0-9]+)?/, "", text)     # places
		gsub(/n\^[0-9.]+/, "", text)                                   # models
		gsub(/, 95 %\)|99\.9 % confidence/, ")", text)                  # confidence
		gsub(/`[^`]*`/, "", text)
		gsub(/at ten times the input|[0-9]+ per core or more|\([0-9]+ (or more|are needed)\)|[A-Za-z_][A-Za-z_0-9]*[0-9]+/, "", text)
		while (match(text, /[0-9][0-9,]*(\.[0-9]+)?/)) {
			value = substr(text, RSTART, RLENGTH)
			limit = substr(text, RSTART - 1, 1)
			text = substr(text, RSTART + RLENGTH)
			sub(/,$/, "", value)
			gsub(/,/, "", value)
			digits = index(value, ".") ? length(value) - index(value, ".") : 0
			unit = match(text, /^ (%|ns|us|µs|ms|s|min)([^a-z]|$)/) ? substr(text, 2, RLENGTH - 1) : ""
			sub(/[^a-zµ%].*/, "", unit)
			print sentence "\t" value "\t" digits "\t" unit "\t" (limit ~ /[<>]/ ? limit : "")
		}
	}'
}

# figures_missing FIGURES CSV SUMMARY: those that no field has
figures_missing() {
	awk -v figures="$1" -v summary="$3" -v share_names="${figures_shares:-}" -v part_names="${figures_parts:-}" '
	function number(field) { gsub(/"/, "", field); return field ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ ? field + 0 : "none" }
	# rounds(x): is x the figure, as far as it is printed?
	function rounds(x) {
		if (limit == "<") return x <= value && x >= 0
		if (limit == ">") return x >= value && x <= 100
		d = x - value; if (d < 0) d = -d
		return d <= 0.5000001 * 10 ^ -digits
	}
	function fits(x, i) {
		if (x == "none") return 0
		if (unit == "%") {
			for (i = 1; i <= share_count; i++) if (of[share[i]] > 0 && rounds(100 * x / of[share[i]])) return 1
			return rounds(x) || rounds(100 * x)
		}
		if (unit in ns) {
			for (i = 1; i <= part_count; i++) if (of[part[i]] > 0 && rounds(x / of[part[i]] / ns[unit])) return 1
			return rounds(x / ns[unit])
		}
		return rounds(x)
	}
	# is_of(f): does the sentence name what the row is of: a routine, a caller or callee, or a place?
	function is_busy(f, by, w, i, o) {
		w = number(f[column[by "work_ns"]]); i = number(f[column[by "idle_ns"]]); o = number(f[column[by "overhead_ns"]])
		return w + o > 0 && rounds(of["cores"] * (w + o) / (w + i + o))
	}
	function is_of(f, place) {
		gsub(/"/, "", f[1]); gsub(/"/, "", f[4]); gsub(/"/, "", f[5])
		place = f[1] ":" f[2]; sub(/.*\//, "", place)
		return f[1] != "" && index(sentence, f[1]) || f[4] ~ /^[A-Za-z_]/ && index(sentence, f[4]) || f[5] ~ /^[A-Za-z_]/ && index(sentence, f[5]) || index(sentence, place)
	}
	BEGIN {
		ns["ns"] = 1; ns["us"] = ns["µs"] = 1e3; ns["ms"] = 1e6; ns["s"] = 1e9; ns["min"] = 60e9
		while ((getline line < ARGV[1]) > 0) rows[++row_count] = line
		share_count = split(share_names, share, " ")
		part_count = split(part_names, part, " ")
		while ((getline line < summary) > 0) { split(line, f, ","); all[++all_count] = of[f[1]] = number(f[2]) }
		while ((getline line < figures) > 0) {
			split(line, word, "\t"); sentence = word[1]; value = word[2]; digits = word[3]; unit = word[4]; limit = word[5]; found = 0
			for (i = 1; i <= all_count && !found; i++) found = fits(all[i])
			for (i = 1; i <= row_count && !found; i++) {
				n = split(rows[i], f, ",")
				for (k = 1; k <= n && (i == 1 || rows[i] ~ /^depth,/); k++) column[f[k]] = k
				if (is_of(f) && unit == "" && part_names ~ /cores/)
					found = is_busy(f, "own_") || is_busy(f, "incl_")
				if (is_of(f))
					for (k = 1; k <= n && !found; k++) found = fits(number(f[k]))
			}
			if (!found) print value " " unit ": " sentence
		}
	}' "$2" </dev/null
}

figures() {
	local name=$1 lens=$2 recording=$3 view
	skein report "$lens" "$recording" --json >figures.json && sqlite3 :memory: "select replace(value, char(10), ' ') from json_each(json_extract(cast(readfile('figures.json') as text), '\$.verdict'))" | grep -vE '^The program (had no core|crashed|was (killed|stopped))' >figures.said
	skein report "$lens" "$recording" --view summary --csv >figures.summary
	for view in "${@:4}"; do skein report "$lens" "$recording" --view "$view" --csv; done >figures.csv
	grep -E "${figures_only:-.}" figures.said | figures_of >figures.list
	same "$name: each figure of the verdict is in a table" '' "$(figures_missing figures.list figures.csv figures.summary)"
	same "$name: no range says nothing" '' "$(grep -oE '\b([0-9][0-9.,]*) to \1( |,|\)|$)' figures.said)"
}
