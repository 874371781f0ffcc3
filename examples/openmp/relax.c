/* SPDX-License-Identifier: MIT */
/* relax.c: heat spreads in a plate, with OpenMP. Two things to find:
 *
 *   1. Rows are dealt out in equal shares, but the upper third is of a simpler material: who has those rows waits for the
 *      others at the end of every sweep.
 *   2. Between sweeps one thread sums up the whole plate, and all others wait. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 800, SWEEPS = 200 };

static double plate[SIDE][SIDE], next[SIDE][SIDE];

static void cheap_row(int row)
{
	for (int i = 1; i < SIDE - 1; i++)
		next[row][i] = 0.25 * (plate[row - 1][i] + plate[row + 1][i] + plate[row][i - 1] + plate[row][i + 1]);
}

/* A material whose conductivity depends on its temperature. */
static void costly_row(int row)
{
	for (int i = 1; i < SIDE - 1; i++) {
		double heat = plate[row][i], k = 0.2 + 0.05 * sin(heat) * exp(-heat * heat / 50);
		next[row][i] = (1 - 4 * k) * heat + k * (plate[row - 1][i] + plate[row + 1][i] + plate[row][i - 1] + plate[row][i + 1]);
	}
}

static void sweep(void)
{
#pragma omp parallel for schedule(static)
	for (int row = 1; row < SIDE - 1; row++) {
		if (row < SIDE / 3)
			cheap_row(row);
		else
			costly_row(row);
	}
}

static double settle(void)
{
	double change = 0;
	for (int row = 1; row < SIDE - 1; row++)
		for (int i = 1; i < SIDE - 1; i++) {
			change += fabs(next[row][i] - plate[row][i]);
			plate[row][i] = next[row][i];
		}
	return change;
}

int main(void)
{
	for (int i = 0; i < SIDE; i++)
		plate[0][i] = next[0][i] = 100;
	double change = 0;
	for (int i = 0; i < SWEEPS; i++) {
		sweep();
		change = settle();
	}
	printf("after %d sweeps the plate changes by %.6f in one\n", SWEEPS, change);
	return 0;
}
