/* SPDX-License-Identifier: MIT */
/* families.h: cost functions whose asymptotic growth is known, measured as programs are: at few or many sizes, evenly
 * spread or in clusters, called once or often, exactly or with noise.
 *
 *     for (size_t f = 0; f < families_count(); f++) {
 *             struct family family = family_at(f, is_held_out);
 *             struct family_case c;
 *             family_draw(&family, noise, seed, &c);          c.points, c.count
 *     }
 *
 * Truth is the growth as n goes to infinity: `exponent` is the limit of log cost / log n, so n log n has 1, and `model`
 * is the class. The two sets, one to set constants by and one held out, have the same shapes with other constants and
 * other seeds. */
#ifndef SKEIN_FAMILIES_H
#define SKEIN_FAMILIES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "analyse/input/models.h"

enum shape {
	SHAPE_SUM,      /* a + k lower(n) + f(n) */
	SHAPE_BIG_A,    /* a offset as large as p times the growth */
	SHAPE_PAIRS,    /* n (n - 1) / 2 */
	SHAPE_COMPARES, /* n log n - n + 1 */
	SHAPE_STEP,     /* a step of p times the cost at a size inside the range */
	SHAPE_SLOPE,    /* counting sort: the slope changes inside the range, then stays */
	SHAPE_VECTOR,   /* a vector that doubles: copies of the next power of two, and n */
	SHAPE_BLOCKS,   /* whole blocks of 64 bytes */
	SHAPE_FLOOR,    /* floor of log n */
	SHAPE_BENDS,    /* n up to a size inside the range, then n^2 from there on */
	SHAPE_HYBRID,   /* insertion sort below 16, merge sort above */
	SHAPE_LATE,     /* constant up to a size inside the range, then n */
	SHAPES
};

struct family {
	enum shape shape;
	enum model model;
	double exponent; /* of the class; infinite for 2^n */
	double power;    /* of MODEL_POWER */
	enum model lower;
	double a, b, k, p;
	char name[64];
};

enum noise { NOISE_NONE, NOISE_SIZES, NOISE_CALLS, NOISE_OUTLIERS, NOISE_BIMODAL, NOISES };
enum { FAMILY_POINTS = 400 };

struct family_case {
	struct models_point points[FAMILY_POINTS];
	size_t count;
	double smallest, largest, inside; /* a size inside the range, for what changes there */
	enum noise noise;
	double sigma;
	int spacing;
};

/* ---- chance, the same everywhere ---- */

static uint64_t family_chance_state;

static double family_chance(void)
{
	uint64_t z = family_chance_state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double family_normal(void)
{
	return sqrt(-2 * log(family_chance() + 1e-300)) * cos(6.283185307179586 * family_chance());
}

/* ---- the families ---- */

static const struct family_row {
	enum shape shape;
	enum model model;
	double power;
	enum model lower;
	double values[2][6]; /* k or p, to set constants by and held out; 0 ends a list that has begun */
} family_rows[] = {
	{SHAPE_SUM, MODEL_1, 0, MODEL_1, {{-1, -1, -1, -1}, {-1, -1, -1, -1}}},
	{SHAPE_SUM, MODEL_LOG, 0, MODEL_1, {{-1, 3, 30, 9}, {-1, 5, 20, 14}}},
	{SHAPE_SUM, MODEL_POWER, 0.5, MODEL_1, {{-1, 3, 30}, {-1, 6, 17}}},
	{SHAPE_SUM, MODEL_N, 0, MODEL_1, {{-1, 5, 40, 300, 25}, {-1, 9, 60, 200, 14}}},
	{SHAPE_SUM, MODEL_N, 0, MODEL_LOG, {{2, 15}, {4, 9}}},
	{SHAPE_SUM, MODEL_N_LOG, 0, MODEL_1, {{-1, 5, 100, 30}, {-1, 12, 70, 20}}},
	{SHAPE_SUM, MODEL_POWER, 1.5, MODEL_1, {{-1, 10, 200}, {-1, 30, 90}}},
	{SHAPE_SUM, MODEL_N2, 0, MODEL_1, {{-1, 5, 100, 1000, 33}, {-1, 14, 300, 60, 2}}},
	{SHAPE_SUM, MODEL_N2_LOG, 0, MODEL_1, {{-1, 50, 9}, {-1, 30, 120}}},
	{SHAPE_SUM, MODEL_N3, 0, MODEL_1, {{-1, 500, 40}, {-1, 90, 200}}},
	{SHAPE_SUM, MODEL_2N, 0, MODEL_1, {{-1, 50, 9}, {-1, 30, 90}}},
	{SHAPE_SUM, MODEL_2N, 0, MODEL_N, {{3, 20}, {5, 12}}},
	{SHAPE_SUM, MODEL_N2, 0, MODEL_N, {{1, 4, 16, 40, 100, 250}, {2, 7, 20, 50, 130, 200}}},
	{SHAPE_SUM, MODEL_N2, 0, MODEL_N, {{1600, 800, 400, 1200}, {1300, 600, 350, 1000}}}, /* 50 n + n^2 / 32 */
	{SHAPE_SUM, MODEL_N2, 0, MODEL_N_LOG, {{1, 5, 20}, {2, 8, 15}}},
	{SHAPE_SUM, MODEL_N_LOG, 0, MODEL_N, {{1, 3, 6, 12, 20}, {2, 4, 8, 10, 16}}},
	{SHAPE_SUM, MODEL_N2_LOG, 0, MODEL_N2, {{1, 4, 9}, {2, 5, 7}}},
	{SHAPE_SUM, MODEL_N3, 0, MODEL_N2, {{2, 10, 40}, {5, 20, 30}}},
	{SHAPE_SUM, MODEL_N3, 0, MODEL_N, {{50, 1000}, {100, 500}}},
	{SHAPE_SUM, MODEL_POWER, 1.5, MODEL_N, {{1, 5, 20}, {2, 9, 14}}},
	{SHAPE_SUM, MODEL_POWER, 1.585, MODEL_N, {{1, 6}, {3, 10}}},
	{SHAPE_SUM, MODEL_POWER, 2.807, MODEL_N2, {{1, 10}, {2, 6}}},
	{SHAPE_SUM, MODEL_POWER, 0.7, MODEL_1, {{-1, 10}, {-1, 20}}},
	{SHAPE_SUM, MODEL_POWER, 1.25, MODEL_1, {{-1, 10}, {-1, 20}}},
	{SHAPE_SUM, MODEL_POWER, 1.75, MODEL_1, {{-1, 30}, {-1, 60}}},
	{SHAPE_SUM, MODEL_POWER, 2.5, MODEL_1, {{-1, 100}, {-1, 40}}},
	{SHAPE_BIG_A, MODEL_N, 0, MODEL_1, {{0.1, 0.3, 1, 3}, {0.2, 0.5, 0.8, 2}}},
	{SHAPE_BIG_A, MODEL_N2, 0, MODEL_1, {{0.1, 0.5, 1}, {0.2, 0.4, 0.8}}},
	{SHAPE_PAIRS, MODEL_N2, 0, MODEL_1, {{-1, 3, 20}, {-1, 5, 10}}},
	{SHAPE_COMPARES, MODEL_N_LOG, 0, MODEL_1, {{-1, 3, 20}, {-1, 5, 10}}},
	{SHAPE_STEP, MODEL_1, 0, MODEL_1, {{0.3, 1, 5}, {0.5, 2, 4}}},
	{SHAPE_STEP, MODEL_N, 0, MODEL_1, {{0.3, 1, 5}, {0.5, 2, 4}}},
	{SHAPE_STEP, MODEL_N_LOG, 0, MODEL_1, {{0.5, 2}, {0.7, 3}}},
	{SHAPE_SLOPE, MODEL_N, 0, MODEL_1, {{1.3, 1.78, 4}, {1.5, 2, 3}}},
	{SHAPE_VECTOR, MODEL_N, 0, MODEL_1, {{0.2, 1, 5}, {0.5, 2, 3}}},
	{SHAPE_BLOCKS, MODEL_N, 0, MODEL_1, {{8, 30, 2}, {5, 20, 12}}},
	{SHAPE_FLOOR, MODEL_LOG, 0, MODEL_1, {{2, 9, 30}, {4, 15, 20}}},
	{SHAPE_FLOOR, MODEL_N_LOG, 0, MODEL_1, {{2, 9, 30}, {4, 15, 20}}},
	{SHAPE_BENDS, MODEL_N2, 0, MODEL_1, {{0.1, 0.3, 1}, {0.2, 0.5, 0.8}}},
	{SHAPE_HYBRID, MODEL_N_LOG, 0, MODEL_1, {{2, 5}, {3, 4}}},
	{SHAPE_LATE, MODEL_N, 0, MODEL_1, {{0.3, 1, 3}, {0.5, 2, 0.8}}},
};
enum { FAMILY_ROWS = sizeof family_rows / sizeof *family_rows };

static size_t family_values(const struct family_row *row, int set)
{
	size_t count = 0;
	while (count < 6 && row->values[set][count] != 0)
		count++;
	return count;
}

/* Every value with two scales of cost. */
static size_t families_count(int set)
{
	size_t count = 0;
	for (size_t i = 0; i < FAMILY_ROWS; i++)
		count += 2 * family_values(&family_rows[i], set);
	return count;
}

static struct family family_at(size_t index, int set)
{
	static const double scales[2][2] = {{1, 13}, {3, 29}};
	for (size_t i = 0; i < FAMILY_ROWS; i++) {
		const struct family_row *row = &family_rows[i];
		size_t here = 2 * family_values(row, set);
		if (index >= here) {
			index -= here;
			continue;
		}
		double value = row->values[set][index / 2];
		struct family f = {.shape = row->shape, .model = row->model, .power = row->power, .lower = row->lower};
		f.exponent = row->model == MODEL_POWER ? row->power : row->model == MODEL_2N ? INFINITY : models_power(row->model);
		f.b = scales[set][index % 2];
		f.k = f.p = value < 0 ? 0 : value;
		f.a = row->model == MODEL_1 ? 40 * f.b * (1 + (double)(index / 2)) : 0;
		static const char *const shapes[] = {"sum",    "big a",  "pairs", "compares", "step",   "slope",
		                                     "vector", "blocks", "floor", "bends",    "hybrid", "late"};
		snprintf(f.name, sizeof f.name, "%s %s%.3g + %g %s, x %g", shapes[f.shape], models_name(f.model), f.power, f.k,
		         models_name(f.lower), f.b);
		return f;
	}
	return (struct family){0};
}

static double family_f(enum model model, double power, double n)
{
	switch (model) {
	case MODEL_LOG: return log2(n);
	case MODEL_N: return n;
	case MODEL_N_LOG: return n * log2(n);
	case MODEL_N2: return n * n;
	case MODEL_N2_LOG: return n * n * log2(n);
	case MODEL_N3: return n * n * n;
	case MODEL_2N: return exp2(n);
	case MODEL_POWER: return pow(n, power);
	default: return 1;
	}
}

/* The true mean cost of a call. */
static double family_cost(const struct family *f, const struct family_case *c, double n)
{
	double main = family_f(f->model, f->power, n), middle = c->inside;
	switch (f->shape) {
	case SHAPE_BIG_A: return f->b * (main + f->p * family_f(f->model, f->power, c->largest)) + 1;
	case SHAPE_PAIRS: return f->b * n * (n - 1) / 2 + f->k;
	case SHAPE_COMPARES: return f->b * (n * log2(n) - n + 1) + f->k;
	case SHAPE_STEP: return f->b * (main + (n >= middle ? f->p * family_f(f->model, f->power, middle) : 0)) + 20;
	case SHAPE_SLOPE: return f->b * (n < middle ? n : middle + f->p * (n - middle)) * 4.5 + 10;
	case SHAPE_VECTOR: return f->b * (n + f->p * exp2(ceil(log2(n)))) + 10;
	case SHAPE_BLOCKS: return f->b * (ceil(n / 16) + f->k);
	case SHAPE_FLOOR: return f->b * (f->model == MODEL_LOG ? floor(log2(n)) + f->k : n * floor(log2(n)) + f->k);
	case SHAPE_BENDS: return f->b * (n + (n > middle ? f->p * (n - middle) * (n - middle) / middle * 10 : 0));
	case SHAPE_HYBRID: return f->b * (n <= 16 ? n * n / 4 + n : n * log2(n / 16) + 5 * n) * f->k;
	case SHAPE_LATE: return f->b * (20 + f->p * (n > middle ? n - middle : 0));
	default: return f->a + f->b * (main + f->k * (f->lower == MODEL_1 && f->model == MODEL_1 ? 0 : family_f(f->lower, 0, n)));
	}
}

/* ---- measuring ---- */

static double family_size(const struct family_case *c, size_t i, size_t wanted)
{
	double at = wanted > 1 ? (double)i / (double)(wanted - 1) : 0, ratio = c->largest / c->smallest;
	switch (c->spacing) {
	case 0: return round(c->smallest * pow(ratio, at));
	case 1: return round(c->smallest + (c->largest - c->smallest) * at);
	case 2: return round(c->smallest * pow(ratio, family_chance()));
	case 3: return round(c->smallest * pow(ratio, (floor(4 * family_chance()) + 0.3 * family_chance()) / 3.3));
	case 4: return exp2(round(log2(c->smallest) + at * log2(ratio)));
	case 5: return i == 0 ? c->smallest : round(c->largest * (0.82 + 0.18 * at)); /* one small size, and a cluster */
	default: return round(c->smallest + (c->largest - c->smallest) * family_chance());
	}
}

static double family_noisy(const struct family_case *c, double cost, double calls)
{
	double z = family_normal();
	switch (c->noise) {
	case NOISE_SIZES: return cost * fmax(0.05, 1 + c->sigma * z);
	case NOISE_CALLS: return cost * fmax(0.05, 1 + c->sigma * z / sqrt(calls));
	case NOISE_OUTLIERS: return cost * (1 + 0.02 * z) * (family_chance() < 0.08 ? 1 + 4 * c->sigma * -log(family_chance() + 1e-9) : 1);
	case NOISE_BIMODAL: {
		double hits = 0; /* a tenth of the calls costs ten times as much as the others */
		for (int i = 0; i < fmin(calls, 50); i++)
			hits += family_chance() < 0.1;
		return cost * (1 + 9 * hits / fmin(calls, 50)) / 1.9;
	}
	default: return cost;
	}
}

static void family_range(const struct family *f, struct family_case *c)
{
	static const double decades[] = {1.3, 1.7, 2, 2.5, 3, 4};
	bool is_split = f->shape == SHAPE_STEP || f->shape == SHAPE_SLOPE || f->shape == SHAPE_BENDS || f->shape == SHAPE_LATE;
	double d = decades[(int)(6 * family_chance())];
	c->smallest = floor(2 + 40 * family_chance() * family_chance());
	if (f->model == MODEL_2N) {
		c->smallest = 1 + floor(2 * family_chance());
		c->largest = c->smallest * 10 + floor(15 * family_chance());
		c->spacing = 1;
		return;
	}
	d = is_split || (c->spacing == 4 && family_chance() < 0.8) ? fmax(d, 2.5) : d;
	d = models_power(f->model) >= 2 || f->power > 2 ? fmin(d, 3) : d;
	c->largest = round(c->smallest * pow(10, d));
	c->inside = round(c->smallest * pow(10, d * (0.25 + 0.3 * family_chance())));
}

static void family_draw(const struct family *f, enum noise noise, uint64_t seed, struct family_case *c)
{
	static const size_t counts[] = {9, 12, 16, 25, 40, 80, 160, 400};
	static const double sigmas[] = {0.01, 0.03, 0.05, 0.10, 0.20, 0.30};
	family_chance_state = seed * UINT64_C(0xd1342543de82ef95) + 7;
	family_chance();
	c->noise = noise;
	c->sigma = sigmas[(int)(6 * family_chance())];
	c->spacing = (int)(7 * family_chance());
	c->spacing = c->spacing == 5 && family_chance() < 0.8 ? 0 : c->spacing;
	size_t wanted = counts[(int)(8 * family_chance())];
	double most_calls = pow(10, 3 * family_chance());
	family_range(f, c);
	c->count = 0;
	for (size_t i = 0; i < wanted; i++) {
		double n = fmax(family_size(c, i, wanted), 1);
		size_t j = 0;
		while (j < c->count && c->points[j].size != n)
			j++;
		if (j < c->count)
			continue;
		double calls = ceil(most_calls * family_chance()), cost = family_cost(f, c, n);
		cost = noise == NOISE_NONE ? cost : fmax(1, family_noisy(c, cost, calls));
		c->points[c->count++] = (struct models_point){n, (uint64_t)calls, floor(cost), ceil(cost), round(cost * calls)};
	}
}

#endif
