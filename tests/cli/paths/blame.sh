#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Code that was inlined from the C++ library has the line of the program that uses it, in paths, branches and sentences: nobody can
# change `ostream:527`. Counts of lines (--source, coverage) stay those of the compiler's lines.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >own.cpp <<'CPP'
#include <iostream>
#include <vector>
__attribute__((noinline)) static void fill(std::vector<int> &values, int count)
{
	for (int i = 0; i < count; i++)
		values.push_back(i);
}
__attribute__((noinline)) static void print(std::ostream &out, const std::vector<int> &values)
{
	for (int v : values)
		out << v << "\n";
}
static int smallest(const std::vector<int> &values, int least)
{
	int found = least;
	for (size_t i = 0; i < values.size(); i++)
		if (values.at(i) < found)
			found = values[i];
	return found;
}
int main(int argc, char **argv)
{
	std::vector<int> values;
	fill(values, 100000);
	std::vector<int> few(values.begin(), values.begin() + 20 * argc);
	print(std::cout, few);
	return smallest(few, argc);
}
CPP
check 'it is built' skein-c++ -O2 -g own.cpp -o own
skein record paths -o own.skein -- ./own >said 2>&1
tr '\n' ' ' <said | sed 's/  */ /g' >sentence
expect_match 'the sentence names lines of the program' 'The hottest is an iteration of a loop of fill \(own\.cpp:6,5\): 9[0-9.]+ %' sentence
report() { skein report paths own.skein --csv "$@"; }
report >paths.csv
same 'so do all paths of its functions' '' "$(grep -v '^_GLOBAL__' paths.csv | csv_value /dev/stdin file=own.cpp lines | sed 's/own\.cpp:[0-9,-]*//' | grep .)"
begins=$(nm own | grep -q ' _GLOBAL__sub_I_own.cpp$' && echo iostream) # a C++ library from GCC 13 on does that itself
same 'what no line of the program inlined has its own line' "$begins" "$(csv_value paths.csv function=_GLOBAL__sub_I_own.cpp lines | cut -d: -f1)"
report --view branches >branches.csv
same 'and branches' own.cpp "$(tail -n +2 branches.csv | grep -oE '[a-z_]+\.(cpp|h|tcc),[0-9]+' | cut -d, -f1 | sort -u)"
same 'that of push_back is in the line that calls it' 6 "$(csv_value branches.csv of=100000,count=99982 line)"
skein report paths own.skein --view branches --routine fill >text
expect_match 'the text has the place in the library beside it' ' own\.cpp:6 \(stl_vector\.h:[0-9]+\) ' text
report --view never >never.csv
same 'what was not executed, too' own.cpp "$(csv_value never.csv what=outcome file | sort -u)"
report --source own.cpp --routine fill --path "$(csv_value paths.csv file=own.cpp,line=3,count=99981 path)" >source.csv
same 'the lines of a path are marked' '5 6' "$(csv_value source.csv path=1 line | xargs)"
same 'lines are counted as the compiler has them' 100000 "$(csv_value source.csv line=5 count)"
skein export lcov own.skein -o own.info
expect_match 'coverage has the library, too' '^SF:.*/stl_vector\.h$' own.info
damage() { cp own.skein bad.skein && sqlite3 bad.skein "$1" && skein report paths bad.skein; }
refused 125 'places of no file' 'a block is not valid' damage "update paths_block set shown = '99:1'"

# A deciding branch in a line that holds both sides: which side is not said by a line.
cat >both.cpp <<'CPP'
#include <vector>
__attribute__((noinline)) static long fill(int count)
{
	std::vector<int> values;
	for (int i = 0; i < count; i++)
		values.push_back(i);
	return values[count / 2];
}
int main(int argc, char **argv)
{
	long sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += fill(60 * argc);
	return sum == 0;
}
CPP
check 'another is built' skein-c++ -O2 -g both.cpp -o both
skein record paths -o both.skein -- ./both >said 2>&1
tr '\n' ' ' <said | sed 's/  */ /g' >sentence
expect_match 'a side is not named by the line of its branch' 'The deciding branch is at both\.cpp:6; it took the hot side in [0-9]+ % of 60,000 times' sentence
