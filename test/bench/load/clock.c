#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void die(const char *what) {
  perror(what);
  exit(1);
}

void *have(void *memory) {
  if (memory == NULL) die("memory");
  return memory;
}
