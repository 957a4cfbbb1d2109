#pragma once

#include <time.h>

/* The machine's monotonic time in ms: the same in every process. */
static inline double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
