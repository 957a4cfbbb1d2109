#include "fail.h"

#include <stdio.h>
#include <stdlib.h>

void die(const char *what) {
  perror(what);
  exit(1);
}

void *have(void *memory) {
  if (memory == NULL) die("memory");
  return memory;
}
