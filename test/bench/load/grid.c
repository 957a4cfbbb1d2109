#include "grid.h"

#include <stdlib.h>

#include "clock.h"
#include "fail.h"
#include "speech.h"

enum { STEP_MS = 2, STEPS = FRAME_MS / STEP_MS };
/* From here on a late step is noted with its instant. */
static const double OWN_GAP_MS = 3;

static struct line **places;
static size_t count, capacity;
static struct timer timer;
static size_t step;
static double due_at;
static struct series delays, gaps;

static void tick(struct timer *rung, double now) {
  if (now - due_at > OWN_GAP_MS) {
    series_add(&gaps, now);
    series_add(&gaps, now - due_at);
  }
  while (due_at <= now) {
    series_add(&delays, now - due_at);
    for (size_t n = step; n < count; n += STEPS)
      if (places[n] != NULL) line_beat(places[n], now);
    step = (step + 1) % STEPS;
    due_at += STEP_MS;
  }
  timer_set(rung, due_at);
}

void grid_start(void) {
  due_at = now_ms();
  timer.rings = tick;
  timer_set(&timer, due_at);
}

void grid_add(struct line *line) {
  for (size_t n = 0; n < count; n++)
    if (places[n] == NULL) {
      places[n] = line;
      return;
    }
  if (count == capacity) {
    capacity = capacity > 0 ? 2 * capacity : 256;
    places = have(realloc(places, capacity * sizeof(struct line *)));
  }
  places[count++] = line;
}

void grid_remove(struct line *line) {
  for (size_t n = 0; n < count; n++)
    if (places[n] == line) places[n] = NULL;
  while (count > 0 && places[count - 1] == NULL) count--;
}

size_t grid_size(void) { return count; }

struct line *grid_at(size_t place) { return places[place]; }

void grid_reset(void) {
  series_reset(&delays);
  series_reset(&gaps);
}

void grid_write(struct buffer *to) {
  buffer_print(to, "\"ownDelayMs\":");
  series_write(&delays, to);
  buffer_print(to, ",\"ownGaps\":");
  series_write_gaps(&gaps, to);
}
