#include "series.h"

#include <stdlib.h>

#include "fail.h"

enum { FIRST_VALUES = 4096 };

void series_add(struct series *series, double value) {
  if (series->count == series->capacity) {
    series->capacity = series->capacity > 0 ? 2 * series->capacity : FIRST_VALUES;
    series->values = have(realloc(series->values, series->capacity * sizeof(double)));
  }
  series->values[series->count++] = value;
}

void series_free(struct series *series) {
  free(series->values);
  *series = (struct series){0};
}

void series_write(const struct series *series, struct buffer *to) {
  buffer_add(to, "[", 1);
  for (size_t n = 0; n < series->count; n++) {
    if (n > 0) buffer_add(to, ",", 1);
    // Most frames are not late at all.
    if (series->values[n] == 0) buffer_add(to, "0", 1);
    else buffer_print(to, "%.4f", series->values[n]);
  }
  buffer_add(to, "]", 1);
}

void series_write_gaps(const struct series *series, struct buffer *to) {
  buffer_add(to, "[", 1);
  for (size_t n = 0; n + 1 < series->count; n += 2)
    buffer_print(to, "%s{\"atMs\":%.4f,\"ms\":%.4f}", n > 0 ? "," : "", series->values[n],
                 series->values[n + 1]);
  buffer_add(to, "]", 1);
}
