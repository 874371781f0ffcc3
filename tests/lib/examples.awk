# SPDX-License-Identifier: MIT
# examples.awk: the examples in the head comment of a header, each as a function example_N.
#
#     awk -f examples.awk HEADER
#
# An example is a block of lines with five spaces behind the star, of which one calls something. Two spaces and more behind a line
# begin a remark. `…` stands for what is left out: for a statement, or for a value behind `(`, `,` and `=`; `…words…` is a remark, too. A statement
# may lack its semicolon.

# head_of(LINE): the length of `if (…)`, `for (…)`, `while (…)` at its beginning; 0: there is none, or it goes on in the next line
function head_of(line,    depth, i, c) {
	if (line !~ /^(if|for|while|switch) \(/) return 0
	depth = 0
	for (i = index(line, "("); i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "(") depth++
		if (c == ")" && --depth == 0) return i
	}
	return 0
}

# A line without its remark, with what is left out filled in.
function code_of(line) {
	sub(/^ *\*     /, "", line)
	sub(/ *\*\/$/, "", line)
	match(line, /^ */)
	if (RLENGTH >= 20) return "" # a remark goes on
	line = substr(line, RLENGTH + 1)
	sub(/(^|[^ ])  +.*/, substr(line, match(line, /[^ ]  /), 1), line)
	gsub(/(^|[^ ("=,{])…[a-z][^…]*…/, ";", line) # …words…
	gsub(/^…[a-z][^…]*…/, ";", line)
	gsub(/for \(…\)/, "for (;;)", line)
	gsub(/, …}/, "}", line)
	while (match(line, /[(,=] ?…[,)};]/) || match(line, /[(,=] ?…$/)) sub(/…/, "0", line)
	return line
}

# Outside of texts what is left out is a statement; behind a head of a loop or a condition all of the line belongs to it.
function fill(line,    parts, n, i, out, head) {
	head = head_of(line)
	if (head && substr(line, head + 1) ~ /^ …./) {
		out = substr(line, head + 1)
		sub(/ … ?/, "", out)
		return substr(line, 1, head) " {" fill(out) ";}"
	}
	n = split(line, parts, "\"")
	for (i = 1; i <= n; i++) {
		if (i % 2) gsub(/ *…/, ";", parts[i])
		out = out (i > 1 ? "\"" : "") parts[i]
	}
	return out
}

function end_block(    i, text, whole) {
	if (calls) {
		whole = lines[1] ~ /^(static )?[a-z].*\)$/ && lines[2] == "{" # a function of its own
		if (!whole) print "int example_" ++examples "(void)\n{"
		for (i = 1; i <= count; i++) {
			text = lines[i]
			if (text ~ /[a-zA-Z0-9_)\]"]$/ && text !~ /^(do|else)$/ && head_of(text) != length(text) && lines[i + 1] !~ /^[{&|?:+]/) text = text ";"
			print "#line " numbers[i] " \"" FILENAME "\"\n" text
		}
		if (!whole) print "}"
	}
	count = calls = 0
	delete lines
}

FNR > 1 && !ended && !inside && /^\/\*/ { inside = 1 }
inside && !ended {
	if (/^ \*     /) {
		text = code_of($0)
		if (count && head_of(lines[count]) == length(lines[count])) {
			sub(/^… /, "", text)
			text = "{" fill(text) ";}"
		}
		else text = fill(text)
		if (text != "") { lines[++count] = text; numbers[count] = FNR }
		if (text ~ /[A-Za-z_0-9]\(/) calls = 1
	} else
		end_block()
	if (/\*\/$/) { end_block(); ended = 1 }
}
