#pragma once

#include <stddef.h>

#include "buffer.h"

/* Figures in the order in which they came. Memory is asked for now and then, in ever larger pieces. */
struct series {
  double *values;
  size_t count, capacity;
};

void series_add(struct series *series, double value);
/* Forgets the figures and keeps the memory. */
static inline void series_reset(struct series *series) { series->count = 0; }
void series_free(struct series *series);

/* Writes them as a JSON array of numbers to a ten thousandth. */
void series_write(const struct series *series, struct buffer *to);
/* Writes them, pairs of an instant and a length, as a JSON array of gaps. */
void series_write_gaps(const struct series *series, struct buffer *to);
