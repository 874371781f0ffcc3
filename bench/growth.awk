# SPDX-License-Identifier: MIT
# growth.awk: writes a program of n units into this folder: -v kind=routines, per a file, each called once from one function, or, if n
# is above MOST, from functions with 1000 calls each, since plain clang takes minutes for a function with tens of thousands; or
# -v kind=sites, per in each function, calls of ten routines of another file.

function routine(i, file)
{
	printf "int r%d(int x)\n{\n\treturn x * %d + (x >> %d);\n}\n", i, i + 3, i % 7 + 1 >file
}

# Calls name0 … of other files, one after the other.
function write_main(name, count,    i)
{
	for (i = 0; i < count; i++) printf "int %s%d(int x);\n", name, i >"main.c"
	print "int main(int argc, char **argv)\n{\n\t(void)argv;\n\tint x = argc;" >"main.c"
	for (i = 0; i < count; i++) printf "\tx += %s%d(x);\n", name, i >"main.c"
	print "\treturn x == 7;\n}" >"main.c"
}

# Functions gN that call r0 … rcount-1, most each; returns how many.
function write_callers(count, most,    i, f)
{
	for (i = 0; i < count; i++) {
		f = int(i / most)
		if (i % most == 0) printf "%sint g%d(int x)\n{\n", i ? "\treturn x;\n}\n" : "", f >"callers.c"
		printf "\textern int r%d(int);\n\tx += r%d(x);\n", i, i >"callers.c"
	}
	print "\treturn x;\n}" >"callers.c"
	return f + 1
}

BEGIN {
	MOST = 5000
	for (i = 0; kind == "routines" && i < n; i++) routine(i, "part" int(i / per) ".c")
	if (kind == "routines") {
		if (n > MOST) write_main("g", write_callers(n, 1000))
		else write_main("r", n)
		exit
	}
	for (i = 0; i < 10; i++) routine(i, "few.c")
	for (f = 0; f < n / per; f++) {
		file = "part" int(f / 50) ".c"
		for (i = 0; f % 50 == 0 && i < 10; i++) printf "int r%d(int x);\n", i >file
		printf "int f%d(int x)\n{\n", f >file
		for (i = 0; i < per; i++) printf "\tx += r%d(x);\n", (f + i * 7) % 10 >file
		print "\treturn x;\n}" >file
	}
	write_main("f", n / per)
}
