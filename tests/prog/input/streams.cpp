/* Streams and strings of C++: what comes out of a file is from outside, what comes out of a string is not; trees and lists that the library walks through. */
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include "expect.h"

enum { TURNS = 5 };
static volatile long sink;

static inline __attribute__((always_inline)) long touch(const void *at, int cells)
{
	long sum = 0;
	for (int i = 0; i < cells; i++)
		sum += static_cast<const volatile int *>(at)[i];
	return sum;
}

static struct {
	double real;
	long number;
	int small;
	char text[20];
} got __attribute__((aligned(64)));
static std::string line;

extern "C" ROUTINE long numbers(std::istream *in)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		*in >> got.real >> got.number >> got.small;
		sum += touch(&got, 5);
	}
	return sum;
}
extern "C" ROUTINE long numbers_of_text(std::istream *in)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		*in >> got.real >> got.number >> got.small;
		sum += touch(&got, 5);
	}
	return sum;
}
/* Lines of 31 characters: 8 cells with the zero. */
extern "C" ROUTINE long lines(std::istream *in, std::string *to)
{
	long sum = 0;
	while (std::getline(*in, *to))
		sum += touch(to->data(), 8);
	return sum;
}
extern "C" ROUTINE long blocks(std::istream *in)
{
	long sum = 0;
	while (in->read(got.text, 16))
		sum += touch(got.text, 4);
	return sum;
}
extern "C" ROUTINE long walk(const std::map<int, int> *tree)
{
	long sum = 0;
	for (auto &item : *tree)
		sum += item.second;
	return sum;
}

static void induced(const char *routine, long external) { expect_induced(routine, 0, external); }

int main()
{
	char path[] = "input_streams.XXXXXX";
	int file = mkstemp(path);
	std::string text;
	for (int i = 0; i < TURNS; i++)
		text += std::to_string(i) + ".5 " + std::to_string(1000 + i) + " " + std::to_string(7 * i) + "\n";
	if (write(file, text.data(), text.size()) < 0)
		return 1;
	std::ifstream numbers_in(path);
	sink = sink + numbers(&numbers_in);
	induced("numbers", 5 * TURNS);
	std::istringstream text_in(text);
	sink = sink + numbers_of_text(&text_in);
	induced("numbers_of_text", 0);
	if (ftruncate(file, 0) < 0)
		return 1;
	for (int i = 0; i < TURNS; i++)
		if (pwrite(file, "0123456789012345678901234567890\n", 32, 32 * i) != 32)
			return 1;
	std::ifstream lines_in(path);
	sink = sink + lines(&lines_in, &line);
	induced("lines", 8 * TURNS);
	std::ifstream blocks_in(path);
	sink = sink + blocks(&blocks_in);
	induced("blocks", 4 * 2 * TURNS);
	unlink(path);
	std::map<int, int> tree;
	for (int i = 0; i < 63; i++)
		tree[i] = i;
	sink = sink + walk(&tree);
	expect_calls("walk", 1);
	return 0;
}
