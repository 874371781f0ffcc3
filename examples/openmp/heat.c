/* SPDX-License-Identifier: MIT */
/* heat.c, with OpenMP: heat spreads in a square plate whose edges are kept at zero: Jacobi steps, all rows of a step in parallel.
 *
 *     heat [SIDE] [STEPS]
 *
 * A step must wait for the one before it, so the span is STEPS rows and the parallelism about SIDE. All of the span is in
 * relax_row; only a loop over columns too, or several steps at once in one part of the plate, would shorten it.
 *
 * The plate begins as one wave, which is an eigenvector of the step: it keeps its form and fades by a known factor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, conduct = 0.2;

static void relax_row(double *restrict to, const double *restrict from, long side)
{
	for (long i = 1; i < side; i++) {
		double around = from[i - side - 1] + from[i + side + 1] + from[i - 1] + from[i + 1];
		to[i] = (1 - 4 * conduct) * from[i] + conduct * around;
	}
}

static void step(double *to, const double *from, long side)
{
#pragma omp parallel for
	for (long row = 1; row < side; row++)
		relax_row(to + row * (side + 1), from + row * (side + 1), side);
}

/* The largest difference between one row and the wave after it has faded. */
static double row_error(const double *row, const double *wave, double height, long side)
{
	double most = 0;
	for (long i = 0; i <= side; i++) {
		double error = fabs(row[i] - height * wave[i]);
		most = error > most ? error : most;
	}
	return most;
}

int main(int argc, char **argv)
{
	long side = argc > 1 ? atol(argv[1]) : 1024, steps = argc > 2 ? atol(argv[2]) : 1000, width = side + 1;
	if (side < 2 || steps < 0) {
		fprintf(stderr, "usage: heat [SIDE] [STEPS]\n");
		return 2;
	}
	double *plate = calloc((size_t)(width * width), sizeof *plate), *next = calloc((size_t)(width * width), sizeof *next);
	double *wave = calloc((size_t)width, sizeof *wave), *error = calloc((size_t)width, sizeof *error);
	if (!plate || !next || !wave || !error)
		return 2;
	for (long i = 1; i < side; i++)
		wave[i] = sin(pi * (double)i / (double)side);
#pragma omp parallel for
	for (long row = 1; row < side; row++)
		for (long i = 1; i < side; i++)
			plate[row * width + i] = wave[row] * wave[i];

	for (long i = 0; i < steps; i++) {
		step(next, plate, side);
		double *done = next;
		next = plate;
		plate = done;
	}

	double fade = pow(1 - 4 * conduct * (1 - cos(pi / (double)side)), (double)steps), most = 0;
#pragma omp parallel for
	for (long row = 0; row <= side; row++)
		error[row] = row_error(plate + row * width, wave, wave[row] * fade, side);
	for (long row = 0; row <= side; row++)
		most = error[row] > most ? error[row] : most;
	int right = most < 1e-10;
	printf("heat %ld x %ld after %ld steps, in the middle %.9f: %s\n", side, side, steps, plate[side / 2 * width + side / 2],
	       right ? "right" : "wrong");
	free(error);
	free(wave);
	free(next);
	free(plate);
	return !right;
}
