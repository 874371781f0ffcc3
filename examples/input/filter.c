/* SPDX-License-Identifier: MIT */
/* filter.c: pictures that are wider and wider are blurred by threads, several times over, with a barrier between.
 *
 *     filter [THREADS] [WIDTH]
 *
 * Once each thread has a band of rows (blur_bands), once every second row of two (blur_stripes). Both grow like n, and cost the same. But with stripes, both neighbours of each row belong to
 * other threads, which write them anew each time: `skein report input --view sources` shows that blur_stripes reads almost four times as much for the same work, all of it from other
 * threads. That is what has to travel between the caches of cores. By rms the two seem to be much nearer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4, HEIGHT = 34, THREADS_MAX = 32 };

struct image {
	float *pixels, *next;
	int width;
};

struct work {
	pthread_t thread;
	const struct image *image;
	int number, threads, stripes;
};

static pthread_barrier_t barrier;

/* The mean of a pixel and its four neighbours. The outermost pixels stay. */
static void blur_row(const float *from, float *to, int width)
{
	for (int i = 1; i < width - 1; i++)
		to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

static void blur_bands(const struct work *work)
{
	const struct image *image = work->image;
	int width = image->width, rows = HEIGHT - 2, first = 1 + rows * work->number / work->threads, end = 1 + rows * (work->number + 1) / work->threads;
	float *from = image->pixels, *to = image->next;
	for (int pass = 0; pass < PASSES; pass++) {
		for (int row = first; row < end; row++)
			blur_row(from + row * width, to + row * width, width);
		pthread_barrier_wait(&barrier);
		float *other = from;
		from = to;
		to = other;
	}
}

static void blur_stripes(const struct work *work)
{
	const struct image *image = work->image;
	int width = image->width;
	float *from = image->pixels, *to = image->next;
	for (int pass = 0; pass < PASSES; pass++) {
		for (int row = 1 + work->number; row < HEIGHT - 1; row += work->threads)
			blur_row(from + row * width, to + row * width, width);
		pthread_barrier_wait(&barrier);
		float *other = from;
		from = to;
		to = other;
	}
}

static void *worker(void *argument)
{
	const struct work *work = argument;
	if (work->stripes)
		blur_stripes(work);
	else
		blur_bands(work);
	return NULL;
}

static void image_blur(struct image *image, int threads, int stripes)
{
	struct work work[THREADS_MAX];
	for (int i = 0; i < threads; i++) {
		work[i] = (struct work){.image = image, .number = i, .threads = threads, .stripes = stripes};
		if (pthread_create(&work[i].thread, NULL, worker, &work[i])) {
			fputs("filter: cannot start a thread\n", stderr);
			exit(1);
		}
	}
	for (int i = 0; i < threads; i++)
		pthread_join(work[i].thread, NULL);
}

static struct image image_new(int width)
{
	size_t pixels = (size_t)width * HEIGHT;
	struct image image = {malloc(pixels * sizeof *image.pixels), malloc(pixels * sizeof *image.next), width};
	if (!image.pixels || !image.next)
		exit(1);
	for (size_t i = 0; i < pixels; i++)
		image.pixels[i] = image.next[i] = (float)(i * 7 % 256);
	return image;
}

static void image_free(struct image *image)
{
	free(image->pixels);
	free(image->next);
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 2, largest = argc > 2 ? atoi(argv[2]) : 400, images = 0, right = 1;
	if (threads < 1 || threads > THREADS_MAX || largest < 18) {
		fputs("usage: filter [THREADS] [WIDTH], up to 32 and 18 or more\n", stderr);
		return 2;
	}
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int width = 18; width <= largest; width += (width / 4 + 15) / 16 * 16) { /* a row without its ends is a number of whole vectors */
		struct image bands = image_new(width), stripes = image_new(width);
		image_blur(&bands, threads, 0);
		image_blur(&stripes, threads, 1);
		right = right && memcmp(bands.pixels, stripes.pixels, (size_t)width * HEIGHT * sizeof(float)) == 0;
		images++;
		image_free(&bands);
		image_free(&stripes);
	}
	printf("%d pictures of up to %d by %d pixels, blurred in two ways: %s\n", images, largest, HEIGHT, right ? "right" : "wrong");
	return !right;
}
