/* SPDX-License-Identifier: MIT */
/* models.c: chooses the model of a routine's growth.
 *
 * Problem: over the two or three decades of sizes that a run has, n and n log n differ by little, noise and lower-order
 * terms are of the same size, and with enough parameters everything fits.
 * Idea: every model has two parameters, is fitted on relative errors, and is compared by an information criterion; a
 * model with more parameters must be better by far. skein check asks another question: whether growth is worse than a
 * stated model. For this the stated model is multiplied by n^d, and the whole confidence interval of d must lie above
 * 0. */
#include "analyse/input/models.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "analyse/input/models_data.h"

#define CLEARLY 8.0 /* difference of the criterion that growth needs against none, and the power law against all others */
/* factor on the squares of a power law: a model and its lower term are preferred, which is what exponents of 1.1 or
 * 1.9 mostly mean */
#define NEARLY 2.0
#define NO_ERROR 1e-3  /* costs are whole numbers: smaller errors are not compared */
#define LARGEST_2N 500 /* beyond it the square of 2^n is not a double, and no run would end */

static const char *const names[] = {[MODEL_1] = "1",           [MODEL_LOG] = "log n", [MODEL_N] = "n",
                                    [MODEL_N_LOG] = "n log n", [MODEL_N2] = "n^2",    [MODEL_N2_LOG] = "n^2 log n",
                                    [MODEL_N3] = "n^3",        [MODEL_2N] = "2^n",    [MODEL_POWER] = "power law",
                                    [MODEL_NONE] = "none"};

const char *models_name(enum model model)
{
	return names[model];
}

/* Copies text without spaces, signs of multiplication, parentheses and the O. */
static void strip(const char *text, char *into, size_t room)
{
	size_t used = 0;
	while (isspace((unsigned char)*text))
		text++;
	text += *text == 'O' || *text == 'o';
	for (; *text && used + 1 < room; text++)
		if (!isspace((unsigned char)*text) && !strchr("*()", *text))
			into[used++] = (char)tolower((unsigned char)*text);
	into[used] = '\0';
}

bool models_parse(const char *text, enum model *model)
{
	char wanted[32], name[32];
	strip(text, wanted, sizeof wanted);
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		strip(names[m], name, sizeof name);
		if (!strcmp(wanted, name)) {
			*model = m;
			return true;
		}
	}
	return false;
}

static void find_range(const struct models_point *points, size_t count, struct models_fit *fit)
{
	for (size_t i = 0; i < count; i++) {
		double n = points[i].size;
		if (n <= 0 || !points[i].calls)
			continue;
		fit->smallest = !fit->sizes || n < fit->smallest ? n : fit->smallest;
		fit->largest = n > fit->largest ? n : fit->largest;
		fit->sizes++;
	}
}

/* The points; if they are too many, those of each step of log n are merged. */
static void gather(const struct models_point *points, size_t count, enum models_cost cost, const struct models_fit *fit,
                   struct models_data *data)
{
	double calls[MODELS_SAMPLES] = {0}, sizes[MODELS_SAMPLES] = {0}, costs[MODELS_SAMPLES] = {0};
	double steps = MODELS_SAMPLES / (log(fit->largest / fit->smallest) * (1 + 1e-9));
	size_t next = 0;
	for (size_t i = 0; i < count; i++) {
		const struct models_point *p = &points[i];
		if (p->size <= 0 || !p->calls)
			continue;
		size_t to = fit->sizes <= MODELS_SAMPLES ? next++ : (size_t)(log(p->size / fit->smallest) * steps);
		calls[to] += (double)p->calls;
		sizes[to] += p->size * (double)p->calls;
		costs[to] = cost == MODELS_MEAN ? costs[to] + p->cost_sum : fmax(costs[to], p->cost_max);
	}
	*data = (struct models_data){.largest = fit->largest};
	for (size_t i = 0; i < MODELS_SAMPLES; i++) {
		if (calls[i] <= 0)
			continue;
		double y = cost == MODELS_MEAN ? costs[i] / calls[i] : costs[i];
		data->n[data->count] = sizes[i] / calls[i];
		data->log_n[data->count] = log(data->n[data->count] / fit->largest);
		data->y[data->count] = y < 0.5 ? 0.5 : y;
		data->weight[data->count++] = calls[i] / (calls[i] + 1);
	}
}

static double criterion(const struct models_data *data, double squares, int parameters)
{
	double n = models_independent(data);
	return n * log(fmax(squares, NO_ERROR * NO_ERROR)) + parameters * log(n);
}

/* The power law: its exponent by weights of the line, the line by the exponent, and again. */
static double fit_power(const struct models_data *data, const double *u_start, double *d, struct models_line *line)
{
	double u[MODELS_SAMPLES], x[MODELS_SAMPLES], squares = 0;
	memcpy(u, u_start, sizeof u);
	for (int round = 0; round < 2; round++) {
		*d = models_best_growth(data, MODEL_1, u);
		*d = fabs(*d) < 0.01 ? copysign(0.01, *d) : *d; /* below this exponent, a and b n^c are both huge */
		models_grow(data, MODEL_1, *d, x);
		squares = models_relative(data, x, line);
		models_weigh(data, x, line, u);
	}
	return squares;
}

struct chosen {
	enum model model;
	struct models_line line;
	double squares, exponent;
	double k; /* factor of the next lower term */
	double x[MODELS_SAMPLES];
};

static void choose_named(const struct models_data *data, struct chosen *best)
{
	double least = 0, constant = 0;
	struct chosen c = {0};
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		if (m == MODEL_2N && data->largest > LARGEST_2N)
			continue;
		for (size_t i = 0; i < data->count; i++)
			c.x[i] = models_f(m, data->n[i]) / models_f(m, data->largest);
		c.model = m;
		c.squares = models_relative(data, c.x, &c.line);
		double value = criterion(data, c.squares, m == MODEL_1 ? 1 : 2);
		if (m == MODEL_1)
			constant = value;
		if (m == MODEL_1 || (value < least && value < constant - CLEARLY)) {
			least = value;
			*best = c;
		}
	}
}

static void choose(const struct models_data *data, struct chosen *best)
{
	double u[MODELS_SAMPLES];
	struct chosen power = {.model = MODEL_POWER};
	choose_named(data, best);
	models_weigh(data, best->x, &best->line, u);
	power.squares = fit_power(data, u, &power.exponent, &power.line);
	models_grow(data, MODEL_1, power.exponent, power.x);
	if (best->squares <= MODELS_NEAR * MODELS_NEAR || criterion(data, power.squares, 3) >= criterion(data, best->squares, 2) - CLEARLY)
		return;
	struct models_mixed mixed;
	models_mix(data, &mixed);
	*best = power;
	if (mixed.squares < NEARLY * power.squares) {
		*best = (struct chosen){.model = mixed.model, .line = mixed.line, .squares = mixed.squares, .k = mixed.k};
		memcpy(best->x, mixed.x, sizeof best->x);
	}
}

static double with_lower(enum model model, double k, double n)
{
	return models_f(model, n) + (k > 0 ? k * models_f(models_next_lower(model), n) : 0);
}

/* From a line in x, which is 1 at the largest size, to a and b of the model. */
static void set_line(const struct models_data *data, const struct chosen *c, struct models_fit *fit)
{
	fit->model = c->model;
	if (c->model == MODEL_POWER) {
		fit->exponent = c->exponent;
		fit->b = c->line.b / c->exponent * pow(data->largest, -c->exponent);
		fit->a = c->line.a - c->line.b / c->exponent;
	} else if (c->model == MODEL_1) {
		fit->a = c->line.a + c->line.b;
	} else {
		fit->a = c->line.a;
		fit->b = c->line.b / with_lower(c->model, c->k, data->largest);
		fit->k = c->k;
	}
}

double models_cost_at(const struct models_fit *fit, double size)
{
	double f = fit->model == MODEL_POWER ? pow(size, fit->exponent) : with_lower(fit->model, fit->k, size);
	double cost = fit->model == MODEL_1 ? fit->a : fit->a + fit->b * f;
	return fit->model == MODEL_NONE || cost < 0 ? 0 : cost;
}

static double variance_of_logs(const struct models_data *data)
{
	double w = 0, mean = 0, squares = 0;
	for (size_t i = 0; i < data->count; i++) {
		w += data->weight[i];
		mean += data->weight[i] * log(data->y[i]);
	}
	mean /= w;
	for (size_t i = 0; i < data->count; i++)
		squares += data->weight[i] * (log(data->y[i]) - mean) * (log(data->y[i]) - mean);
	return squares / w;
}

/* Confidence intervals of the exponents: of the power law, and of the growth that is left after dividing by each
 * model. */
static void set_exponents(const struct models_data *data, const struct chosen *best, struct models_fit *fit)
{
	double u[MODELS_SAMPLES];
	models_weigh(data, best->x, &best->line, u);
	struct models_interval slope = models_slope(data), c = best->model == MODEL_1 ? slope : models_interval(data, MODEL_1, u);
	if (best->model != MODEL_POWER)
		fit->exponent = c.best;
	fit->exponent_low = fmin(c.low, fit->exponent);
	fit->exponent_high = fmax(c.high, fit->exponent);
	fit->beyond[MODEL_1] = slope.low; /* a + b n^0 would mean log n */
	for (enum model m = MODEL_LOG; m < MODEL_2N; m++)
		fit->beyond[m] = models_interval(data, m, u).low;
	fit->beyond[MODEL_2N] = MODELS_D_LOW;
}

struct models_fit models_fit(const struct models_point *points, size_t count, enum models_cost cost)
{
	struct models_fit fit = {.model = MODEL_NONE};
	find_range(points, count, &fit);
	if (models_why_none(&fit))
		return fit;
	struct models_data data;
	struct chosen best;
	gather(points, count, cost, &fit, &data);
	choose(&data, &best);
	set_line(&data, &best, &fit);
	double variance = variance_of_logs(&data);
	fit.error = sqrt(best.squares);
	fit.r2 = best.model == MODEL_1 || variance <= best.squares ? 0 : 1 - best.squares / variance;
	set_exponents(&data, &best, &fit);
	return fit;
}

bool models_is_worse(const struct models_fit *fit, enum model stated)
{
	if (fit->model == MODEL_NONE || stated >= MODELS_NAMED || fit->beyond[stated] <= MODELS_TOLERANCE)
		return false;
	return fit->model == MODEL_POWER || fit->model > stated;
}

const char *models_why_none(const struct models_fit *fit)
{
	if (!fit->sizes)
		return "no sizes above 0";
	if (fit->sizes < MODELS_SIZES)
		return "too few sizes";
	return fit->largest < MODELS_RANGE * fit->smallest ? "sizes too close together" : NULL;
}
