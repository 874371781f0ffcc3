// flags: -O2 -g -pthread -fno-optimize-sibling-calls
// True cause: each result of fetch is awaited before the next call is started.
#include <future>
extern "C" {
#include "work.h"
}
ROUTINE static int fetch(int i)
{
	work_ms(40);
	return i;
}
int main()
{
	int s = 0;
	for (int i = 0; i < 15; i++)
		s += std::async(std::launch::async, fetch, i).get();
	return s == 0;
}
