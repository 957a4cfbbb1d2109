#include "gauge.h"

#include <math.h>

#include "speech.h"

/* After a pause like this it is another reply: the one before was cut short. */
static const double OTHER_REPLY_MS = 1000;
/* What of a reply may still be missing when it is taken for over. */
static const double END_SLACK_MS = FRAME_MS;
/* A pause like this between two frames of one reply is noted with its instant. */
static const double GAP_MS = 10;

void gauge_reset(struct gauge *gauge) {
  series_reset(&gauge->lateness);
  series_reset(&gauge->reply_at);
  series_reset(&gauge->clear_at);
  series_reset(&gauge->gaps);
}

void gauge_free(struct gauge *gauge) {
  series_free(&gauge->lateness);
  series_free(&gauge->reply_at);
  series_free(&gauge->clear_at);
  series_free(&gauge->gaps);
}

void gauge_echoed(struct gauge *gauge, double asked_at, double now) {
  series_add(&gauge->lateness, fmax(0, now - asked_at));
}

void gauge_audio(struct gauge *gauge, double duration_ms, double now) {
  if (gauge->left_ms <= END_SLACK_MS || now - gauge->played_to > OTHER_REPLY_MS) {
    gauge->left_ms = gauge->reply_ms;
    series_add(&gauge->reply_at, now);
  } else {
    double late_ms = fmax(0, now - gauge->played_to);
    series_add(&gauge->lateness, late_ms);
    if (late_ms > GAP_MS) {
      series_add(&gauge->gaps, now);
      series_add(&gauge->gaps, late_ms);
    }
  }
  // The frames behind the first one came with it.
  for (double ms = FRAME_MS; ms < duration_ms; ms += FRAME_MS) series_add(&gauge->lateness, 0);
  gauge->left_ms -= duration_ms;
  gauge->played_to = fmax(now, gauge->played_to) + duration_ms;
  gauge->sent_ms += duration_ms;
}

bool gauge_mark(struct gauge *gauge, struct slice name) {
  if (name.length > MOST_MARK_CHARS || gauge->mark_count == MOST_MARKS) return false;
  struct mark *mark = &gauge->marks[(gauge->first_mark + gauge->mark_count++) % MOST_MARKS];
  memcpy(mark->name, name.at, name.length);
  mark->length = name.length;
  mark->due_at = gauge->played_to;
  return true;
}

const struct mark *gauge_reached(struct gauge *gauge, double now) {
  struct mark *first = &gauge->marks[gauge->first_mark];
  if (gauge->mark_count == 0 || first->due_at > now) return NULL;
  gauge->first_mark = (gauge->first_mark + 1) % MOST_MARKS;
  gauge->mark_count--;
  return first;
}

double gauge_clear(struct gauge *gauge, double now) {
  series_add(&gauge->clear_at, now);
  double played_ms = gauge->sent_ms - fmax(0, gauge->played_to - now);
  gauge->played_to = now;
  gauge->left_ms = 0;
  gauge->sent_ms = 0;
  for (size_t n = 0; n < gauge->mark_count; n++)
    gauge->marks[(gauge->first_mark + n) % MOST_MARKS].due_at = now;
  return played_ms;
}

void gauge_forget_marks(struct gauge *gauge) { gauge->mark_count = 0; }

void gauge_write(const struct gauge *gauge, struct buffer *to) {
  buffer_print(to, "\"latenessMs\":");
  series_write(&gauge->lateness, to);
  buffer_print(to, ",\"replyAt\":");
  series_write(&gauge->reply_at, to);
  buffer_print(to, ",\"clearAt\":");
  series_write(&gauge->clear_at, to);
  buffer_print(to, ",\"gaps\":");
  series_write_gaps(&gauge->gaps, to);
}
