/* SPDX-License-Identifier: MIT */
#include "core/span/what_if.h"

void what_if_begin(struct span_what_if *w, const double *factors, uint32_t count)
{
	*w = (struct span_what_if){.count = count};
	for (uint32_t k = 0; k < count; k++)
		w->factor[k] = factors[k];
}

void what_if_strand(struct span_what_if *w, uint64_t length)
{
	for (uint32_t k = 0; length && k < w->count; k++) {
		double scaled = w->open[k] ? (double)length * w->factor[k] : (double)length;
		w->work[k] += scaled;
		w->here.at[k] += scaled;
	}
}

void what_if_open(struct span_what_if *w, uint32_t marks)
{
	for (uint32_t k = 0; marks && k < w->count; k++)
		w->open[k] += marks >> k & 1;
}

void what_if_close(struct span_what_if *w, uint32_t marks)
{
	for (uint32_t k = 0; marks && k < w->count; k++)
		w->open[k] -= marks >> k & 1;
}

uint32_t what_if_marks(const struct span_what_if *w)
{
	uint32_t marks = 0;
	for (uint32_t k = 0; k < w->count && k < SPAN_WHAT_IFS; k++)
		marks |= (uint32_t)(w->open[k] > 0) << k;
	return marks;
}

void what_if_note(const struct span_what_if *w, struct span_ends *ends)
{
	*ends = w->here;
}

void what_if_back(struct span_what_if *w, const struct span_ends *ends)
{
	w->here = *ends;
}

void what_if_latest(uint32_t count, struct span_ends *ends, const struct span_ends *others)
{
	for (uint32_t k = 0; k < count; k++)
		if (others->at[k] > ends->at[k])
			ends->at[k] = others->at[k];
}

void what_if_later(const struct span_what_if *w, struct span_ends *ends)
{
	what_if_latest(w->count, ends, &w->here);
}

void what_if_wait(struct span_what_if *w, const struct span_ends *ends)
{
	what_if_latest(w->count, &w->here, ends);
}
