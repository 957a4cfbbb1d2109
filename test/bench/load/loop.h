#pragma once

#include <stddef.h>
#include <stdint.h>

/* The one loop of the process: what is ready is read or written, what is due rings. */

/* Where a struct stands that holds this member. */
#define holder_of(member_at, type, member) ((type *)(void *)((char *)(member_at) - offsetof(type, member)))

struct watcher {
  int fd;
  void (*ready)(struct watcher *watcher, uint32_t events);
};

/* All zeros: not set. */
struct timer {
  double due_ms;
  void (*rings)(struct timer *timer, double now);
  /* Its place among the timers that are set, from 1 on. */
  size_t place;
};

void loop_start(void);
void loop_watch(struct watcher *watcher, uint32_t events);
void loop_change(struct watcher *watcher, uint32_t events);
void loop_forget(struct watcher *watcher);

void timer_set(struct timer *timer, double due_ms);
void timer_clear(struct timer *timer);

/* Frees something once nothing of this turn of the loop can still point to it. */
void loop_free_later(void *memory, void (*frees)(void *memory));

/* Never returns. */
void loop_run(void) __attribute__((noreturn));
