#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A call in code of the system's headers is where the program's own source called that code.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >say.cpp <<'END'
#include <algorithm>
#include <iostream>
#include <vector>
static void say(int n)
{
	std::cout << "line "
		  << n
		  << std::endl;
}
int main(void)
{
	std::vector<int> v;
	for (int i = 0; i < 100; i++)
		v.push_back(i * 7 % 100);
	std::sort(v.begin(), v.end());
	say(v[3]);
	return 0;
}
END
skein-c++ -g -O2 say.cpp -o say || exit
expect_status 0 'a program with streams is recorded' skein record -o span.skein span ./say
skein report span span.skein --csv >sites.csv
same 'span: a line of a header is not the place of a call in a routine of the program' 0 \
	"$(for file in $(csv_value sites.csv caller=main file) $(csv_value sites.csv 'caller=say(int)' file); do echo "$file"; done | grep -c '^/usr')"
same 'span: what std::endl calls is called where std::endl stands' '6 7 8' \
	"$(awk -F, '$1 == "say.cpp" && $2 >= 6 && $2 <= 8 {print $2}' sites.csv | sort -u | paste -sd' ')"
