#include "loop.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#include "clock.h"
#include "fail.h"

enum { EVENTS_AT_ONCE = 64 };

struct dead {
  void *memory;
  void (*frees)(void *memory);
};

static int epoll_fd;
static int timer_fd;
/* The timers that are set, the next one first: a binary heap from place 1 on. */
static struct timer **heap;
static size_t timers, timers_capacity;
/* What the system's timer is set to. */
static double armed_ms = NAN;
static struct dead *dead;
static size_t dead_count, dead_capacity;

static void control(int operation, int fd, void *pointer, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = pointer};
  if (epoll_ctl(epoll_fd, operation, fd, &event) < 0) die("epoll_ctl");
}

void loop_start(void) {
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (epoll_fd < 0 || timer_fd < 0) die("loop");
  // By edges: it need not be read, since each time it is set begins anew.
  control(EPOLL_CTL_ADD, timer_fd, NULL, EPOLLIN | EPOLLET);
}

void loop_watch(struct watcher *watcher, uint32_t events) {
  control(EPOLL_CTL_ADD, watcher->fd, watcher, events);
}

void loop_change(struct watcher *watcher, uint32_t events) {
  control(EPOLL_CTL_MOD, watcher->fd, watcher, events);
}

void loop_forget(struct watcher *watcher) { control(EPOLL_CTL_DEL, watcher->fd, NULL, 0); }

static void put(struct timer *timer, size_t place) {
  heap[place] = timer;
  timer->place = place;
}

static void rise(struct timer *timer, size_t place) {
  while (place > 1 && heap[place / 2]->due_ms > timer->due_ms) {
    put(heap[place / 2], place);
    place /= 2;
  }
  put(timer, place);
}

static void sink(struct timer *timer, size_t place) {
  while (2 * place <= timers) {
    size_t child = 2 * place;
    if (child < timers && heap[child + 1]->due_ms < heap[child]->due_ms) child++;
    if (heap[child]->due_ms >= timer->due_ms) break;
    put(heap[child], place);
    place = child;
  }
  put(timer, place);
}

void timer_set(struct timer *timer, double due_ms) {
  timer_clear(timer);
  timer->due_ms = due_ms;
  if (timers + 1 >= timers_capacity) {
    timers_capacity = timers_capacity > 0 ? 2 * timers_capacity : 1024;
    heap = have(realloc(heap, timers_capacity * sizeof *heap));
  }
  rise(timer, ++timers);
}

void timer_clear(struct timer *timer) {
  size_t place = timer->place;
  if (place == 0) return;
  timer->place = 0;
  struct timer *last = heap[timers--];
  if (last == timer) return;
  if (place > 1 && heap[place / 2]->due_ms > last->due_ms) rise(last, place);
  else sink(last, place);
}

void loop_free_later(void *memory, void (*frees)(void *memory)) {
  if (dead_count == dead_capacity) {
    dead_capacity = dead_capacity > 0 ? 2 * dead_capacity : 64;
    dead = have(realloc(dead, dead_capacity * sizeof *dead));
  }
  dead[dead_count++] = (struct dead){memory, frees};
}

static void arm(void) {
  if (timers == 0 || heap[1]->due_ms == armed_ms) return;
  armed_ms = heap[1]->due_ms;
  double at_ms = armed_ms > 0 ? armed_ms : 0;
  struct itimerspec spec = {0};
  spec.it_value.tv_sec = (time_t)(at_ms / 1e3);
  spec.it_value.tv_nsec = (long)fmod(at_ms * 1e6, 1e9);
  // All zeros would stop it.
  if (spec.it_value.tv_sec == 0 && spec.it_value.tv_nsec == 0) spec.it_value.tv_nsec = 1;
  if (timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &spec, NULL) < 0) die("timerfd_settime");
}

static void ring(void) {
  double now = now_ms();
  while (timers > 0 && heap[1]->due_ms <= now) {
    struct timer *timer = heap[1];
    timer_clear(timer);
    timer->rings(timer, now);
  }
}

static void bury(void) {
  for (size_t n = 0; n < dead_count; n++) dead[n].frees(dead[n].memory);
  dead_count = 0;
}

void loop_run(void) {
  for (;;) {
    struct epoll_event events[EVENTS_AT_ONCE];
    arm();
    int count = epoll_wait(epoll_fd, events, EVENTS_AT_ONCE, -1);
    if (count < 0 && errno != EINTR) die("epoll_wait");
    for (int n = 0; n < count; n++) {
      struct watcher *watcher = events[n].data.ptr;
      // The timer: it may ring a little early by rounding, and is then to be set again.
      if (watcher == NULL) armed_ms = NAN;
      else if (watcher->fd >= 0) watcher->ready(watcher, events[n].events);
    }
    ring();
    bury();
  }
}
