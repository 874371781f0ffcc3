/* flags: -O2 -g -pthread */
/* True cause: a thread for each of many tiny pieces, blur_tile: creating threads takes nearly all of the time. */
#include <thread>
#include <vector>

static volatile unsigned pixels[64];

__attribute__((noinline)) static void blur_tile(unsigned tile)
{
	for (unsigned i = 0; i < 64; i++)
		pixels[i] = pixels[i] + tile;
}

int main()
{
	for (unsigned row = 0; row < 750; row++) {
		std::vector<std::thread> tiles;
		for (unsigned tile = 0; tile < 4; tile++)
			tiles.emplace_back(blur_tile, row + tile);
		for (auto &t : tiles)
			t.join();
	}
	return 0;
}
