#pragma once

/* Says what went wrong and ends the process: a benchmark of half a load measures nothing. */
void die(const char *what) __attribute__((noreturn));

/* Memory that is there: without it the process ends. */
void *have(void *memory);
