/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: fill_image creates and joins a std::thread for every tiny tile, so that creating threads costs more than the tiles. */
#include <functional>
#include <thread>
#include <vector>

enum { TILES = 12000, TILE = 64 };

__attribute__((noinline)) static void fill_tile(std::vector<unsigned> &image, int tile)
{
	for (int i = 0; i < TILE; i++)
		image[(size_t)tile * TILE + i] = (unsigned)tile * 2654435761u ^ (unsigned)i;
}

__attribute__((noinline)) static void fill_image(std::vector<unsigned> &image)
{
	for (int tile = 0; tile < TILES; tile += 2) {
		std::thread left(fill_tile, std::ref(image), tile), right(fill_tile, std::ref(image), tile + 1);
		left.join();
		right.join();
	}
}

int main()
{
	std::vector<unsigned> image((size_t)TILES * TILE);
	fill_image(image);
	return image[TILE] == 0;
}
