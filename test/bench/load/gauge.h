#pragma once

#include "series.h"
#include "text.h"

/* A far end that plays what it gets at once and without a pause, and notes how late that was. In monotonic ms. */

enum { MOST_MARKS = 64, MOST_MARK_CHARS = 128 };

struct mark {
  char name[MOST_MARK_CHARS];
  size_t length;
  double due_at;
};

struct gauge {
  /* How much one reply is; 0: every frame is awaited from the instant it was asked for. */
  double reply_ms;
  double played_to, left_ms, sent_ms;
  /* A ring of marks that were not played yet. */
  struct mark marks[MOST_MARKS];
  size_t first_mark, mark_count;
  struct series lateness, reply_at, clear_at, gaps;
};

/* Forgets what was noted. */
void gauge_reset(struct gauge *gauge);
void gauge_free(struct gauge *gauge);

/* A frame of the floor's: due when it was asked for. */
void gauge_echoed(struct gauge *gauge, double asked_at, double now);

void gauge_audio(struct gauge *gauge, double duration_ms, double now);

/* False: it has a longer name, or there are more of them, than a far end keeps. */
bool gauge_mark(struct gauge *gauge, struct slice name);

/* The next mark that was played by an instant, and is then forgotten; NULL: none. */
const struct mark *gauge_reached(struct gauge *gauge, double now);

/*
 * Drops what was not played; tells what was played since the last clear, ms. The marks that are left are due at once:
 * a carrier gives them back.
 */
double gauge_clear(struct gauge *gauge, double now);
void gauge_forget_marks(struct gauge *gauge);

/* Writes what was noted as members of a JSON object. */
void gauge_write(const struct gauge *gauge, struct buffer *to);
