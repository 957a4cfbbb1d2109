#pragma once

/* The machine's monotonic time in ms: the same in every process. */
double now_ms(void);

/* Says what went wrong and ends the process. */
void die(const char *what) __attribute__((noreturn));

/* Memory that is there: without it the process ends. */
void *have(void *memory);
