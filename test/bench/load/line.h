#pragma once

#include "connection.h"
#include "gauge.h"
#include "loop.h"

/* One caller on a socket of the service's, or of the floor's. */

enum wire { WIRE_CARRIER, WIRE_WEB };

struct line;

struct line_calls {
  /* Once: the call is answered. */
  void (*ready)(struct line *line);
  /* Once: nothing comes or goes any more. */
  void (*gone)(struct line *line, const char *why);
};

struct line_options {
  enum wire wire;
  const char *host, *path;
  int port;
  const char *call_sid, *account_sid;
  /* The caller's number; empty: the call is known by the service's own id. */
  const char *party;
  /* First frame of what is said. */
  size_t from;
  bool is_silent;
  /* 0: the floor, which says nothing but audio. */
  double reply_ms;
};

enum { MOST_ID_CHARS = 128, MOST_ASKED = 1024 };

struct line {
  struct connection connection;
  const struct line_calls *calls;
  enum wire wire;
  bool is_silent, is_ready, is_upgraded, hung_up;
  char host[64], path[1024], accept[32];
  char party[MOST_ID_CHARS], call_sid[MOST_ID_CHARS], stream_sid[MOST_ID_CHARS], account_sid[MOST_ID_CHARS];
  /* Why it ended before its time; empty: it did not. */
  char lost[160];
  size_t next;
  unsigned long sequence, chunk, frames_sent;
  /* When the first frame of the script was said, or would have been; 0: nothing was said yet. */
  double script_at;
  /* How many frames are still said before it hangs up by itself; -1: it does not. */
  long frames_left;
  struct gauge gauge;
  /* When each frame that the floor has not answered was sent: a ring. */
  double asked_at[MOST_ASKED];
  size_t first_asked, asked_count;
  /* Not answered yet, or hung up and not closed yet. */
  struct timer deadline;
};

/* Begins to connect; `ready` or `gone` follows, the latter perhaps at once. */
void line_open(struct line *line, const struct line_options *options, const struct line_calls *calls);
static inline bool line_is_open(const struct line *line) {
  return line->is_upgraded && !line->connection.closed && !line->connection.ending;
}

/* The next 20 ms. */
void line_beat(struct line *line, double now);
/* Says that it hangs up; the other side closes, or soon after we do. */
void line_hangup(struct line *line);
/* Closes without a word. */
void line_drop(struct line *line);
void line_reset(struct line *line);
/* Writes what it noted as a JSON object. */
void line_write(const struct line *line, struct buffer *to);
void line_free(void *line);
