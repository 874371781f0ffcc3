// flags: -O2 -g -pthread -fno-optimize-sibling-calls
// True cause: of two stages by std::thread, encode is slow; feed waits for it. Both have the same type for std::thread.
#include <condition_variable>
#include <mutex>
#include <thread>
extern "C" {
#include "work.h"
}

static std::mutex lock;
static std::condition_variable changed;
static int items;

ROUTINE static void feed(int count)
{
	for (int i = 0; i < count; i++) {
		work_ms(1);
		std::unique_lock<std::mutex> held(lock);
		changed.wait(held, [] { return items < 2; });
		items++;
		changed.notify_all();
	}
}

ROUTINE static void encode(int count)
{
	for (int i = 0; i < count; i++) {
		{
			std::unique_lock<std::mutex> held(lock);
			changed.wait(held, [] { return items > 0; });
			items--;
			changed.notify_all();
		}
		work_ms(20);
	}
}

int main()
{
	std::thread one(feed, 40), other(encode, 40);
	one.join();
	other.join();
}
