// Strings, streams, trees and lists of C++, where the library does what its headers do not (agree.h).
#include <cstring>
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include "agree.h"

// A stream's own words, its locale's, and the text of a line, which is longer than what becomes of it; what a tree needs to stay balanced; texts by whole vectors.
enum { OF_STREAMS = 1200, OF_LINE = 10, OF_BALANCE = 40, MOST = 64 };

#undef ROUTINE
#define ROUTINE __attribute__((noinline))
extern "C" {
ROUTINE long add(const void *a, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += static_cast<const volatile int *>(a)[i];
	return sum;
}

/* ---- streams ---- */

ROUTINE long numbers(std::istream *in, int n)
{
	long number = 0, sum = 0;
	double real = 0;
	for (int i = 0; i < n; i++) {
		*in >> number >> real;
		sum += add(&number, 2) + add(&real, 2);
	}
	return sum;
}
ROUTINE long words(std::istream *in, int n)
{
	std::string word;
	long sum = 0;
	for (int i = 0; i < n; i++) {
		*in >> word;
		sum += add(word.data(), 7);
	}
	return sum;
}
ROUTINE long lines(std::istream *in, int n)
{
	std::string line;
	long sum = 0;
	for (int i = 0; i < n && std::getline(*in, line); i++)
		sum += add(line.data(), 8);
	return sum;
}

/* ---- strings ---- */

ROUTINE void append(std::string *to, const std::string *from, int n)
{
	for (int i = 0; i < n; i++)
		*to += *from;
}
ROUTINE long length(const std::string *s) { return add(s->data(), static_cast<int>(s->size() / 4)); }
ROUTINE void copy(std::string *to, const std::string *from) { *to = *from; }

/* ---- trees and lists ---- */

ROUTINE long walk(const std::map<long, long> *tree)
{
	long sum = 0;
	for (auto &item : *tree)
		sum += item.second;
	return sum;
}
ROUTINE void enter(std::map<long, long> *tree, long key) { (*tree)[key] = key; }
ROUTINE void push(std::list<long> *list, long n) { list->push_back(n); }
ROUTINE long list_size(const std::list<long> *list) { return static_cast<long>(list->size()); }
ROUTINE long tree_size(const std::map<long, long> *tree) { return static_cast<long>(tree->size()); }
ROUTINE long first(const std::map<long, long> *tree) { return tree->begin()->first; }
ROUTINE long walk_list(const std::list<long> *list)
{
	long sum = 0;
	for (long item : *list)
		sum += item;
	return sum;
}
}

static void streams()
{
	char path[] = "input_agree.XXXXXX";
	int file = mkstemp(path);
	for (int i = 0; i < 3 * MOST; i++)
		sink = sink + dprintf(file, "%019d %019d\n", i, i);
	std::ifstream in(path), words_in(path), lines_in(path);
	for (int n = 1; n <= MOST; n *= 2)
		sink = sink + numbers(&in, n) + words(&words_in, n) + lines(&lines_in, n);
	unlink(path);
	within_rms("numbers", OF_STREAMS + MOST * OF_LINE, OF_STREAMS + OF_BUFFER);
	within_rms("words", OF_STREAMS + MOST * OF_LINE, OF_STREAMS + OF_BUFFER);
	within_rms("lines", OF_STREAMS + MOST * OF_LINE, OF_STREAMS + OF_BUFFER);
}

static void strings()
{
	std::string one(15, 'x'), all, other;
	for (int n = 1; n <= MOST; n *= 2) {
		all.clear();
		append(&all, &one, n);
		sink = sink + length(&all);
		copy(&other, &all);
		sink = sink + length(&other);
	}
	agree("length");
	within("append", OF_TEXT);
	within("copy", OF_TEXT);
}

static void containers()
{
	std::map<long, long> tree;
	std::list<long> list;
	for (long i = 0; i < MOST; i++) {
		enter(&tree, i * 37 % MOST);
		push(&list, i);
		sink = sink + walk(&tree) + walk_list(&list) + list_size(&list) + tree_size(&tree) + first(&tree);
	}
	agree("walk");
	agree("walk_list");
	agree("push");
	agree("list_size");
	agree("tree_size");
	agree("first");
	within("enter", OF_BALANCE);
	agree("add");
}

int main()
{
	streams();
	strings();
	containers();
	return 0;
}
