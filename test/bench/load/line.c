#include "line.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "control.h"
#include "line-said.h"
#include "line-told.h"
#include "speech.h"
#include "websocket.h"

enum { READY_MS = 20000, CLOSE_MS = 5000 };
/* Half a minute of what a caller says: who reads nothing for so long is lost. */
static const struct connection_bounds BOUNDS = {.in_bytes = 256 * 1024, .out_bytes = 1024 * 1024};

static void opened(struct connection *connection) {
  struct line *line = holder_of(connection, struct line, connection);
  say_upgrade(line);
}

static void gone(struct connection *connection, const char *why) {
  struct line *line = holder_of(connection, struct line, connection);
  timer_clear(&line->deadline);
  line_note_lost(line, why == NULL ? "closed" : why);
  line->calls->gone(line, line->lost[0] != '\0' ? line->lost : "hung up");
}

static void late(struct timer *timer, double now) {
  (void)now;
  struct line *line = holder_of(timer, struct line, deadline);
  connection_close(&line->connection, line->is_ready ? "terminated" : "not answered");
}

void line_open(struct line *line, const struct line_options *options, const struct line_calls *calls) {
  static const struct connection_calls connection_calls = {opened, hear, gone};
  memset(line, 0, sizeof *line);
  line->calls = calls;
  line->wire = options->wire;
  line->is_silent = options->is_silent;
  line->next = options->from % speech_frames();
  line->sequence = 2;
  line->frames_left = -1;
  line->gauge.reply_ms = options->reply_ms;
  line->deadline.rings = late;
  snprintf(line->host, sizeof line->host, "%s:%d", options->host, options->port);
  snprintf(line->path, sizeof line->path, "%s", options->path);
  snprintf(line->call_sid, sizeof line->call_sid, "%s", options->call_sid);
  snprintf(line->account_sid, sizeof line->account_sid, "%s", options->account_sid);
  snprintf(line->stream_sid, sizeof line->stream_sid, "MZ%.100s", options->call_sid + 2);
  snprintf(line->party, sizeof line->party, "%s", options->party[0] != '\0' ? options->party : options->call_sid);
  timer_set(&line->deadline, now_ms() + READY_MS);
  connection_begin(&line->connection, options->host, options->port, &connection_calls, BOUNDS);
}

void line_note_ready(struct line *line) {
  if (line->is_ready) return;
  line->is_ready = true;
  timer_clear(&line->deadline);
  line->calls->ready(line);
}

void line_note_lost(struct line *line, const char *why) {
  // What was told first says more than how the socket then closed.
  if (!line->hung_up && line->lost[0] == '\0') snprintf(line->lost, sizeof line->lost, "%s", why);
}

static void note_asked(struct line *line, double now) {
  if (line->asked_count == MOST_ASKED) {
    connection_close(&line->connection, "answers too slowly");
    return;
  }
  line->asked_at[(line->first_asked + line->asked_count++) % MOST_ASKED] = now;
}

void line_beat(struct line *line, double now) {
  if (!line_is_open(line) || line->hung_up) return;
  if (line->frames_left == 0) {
    line_hangup(line);
    return;
  }
  if (line->frames_left > 0) line->frames_left--;
  for (const struct mark *mark; (mark = gauge_reached(&line->gauge, now)) != NULL;) say_mark(line, mark);
  if (line->script_at == 0) line->script_at = now - (double)(line->next * FRAME_MS);
  // Silence is the last second: what lies between the last words and the end.
  size_t silent = speech_frames() < 50 ? speech_frames() : 50;
  size_t frame = line->is_silent ? speech_frames() - silent + line->next % silent : line->next;
  line->next = (line->next + 1) % speech_frames();
  line->frames_sent++;
  line->chunk++;
  if (line->gauge.reply_ms == 0) note_asked(line, now);
  say_frame(line, frame);
}

void line_hangup(struct line *line) {
  if (line->hung_up || line->connection.closed) return;
  line->hung_up = true;
  timer_set(&line->deadline, now_ms() + CLOSE_MS);
  say_hangup(line);
}

void line_drop(struct line *line) {
  line->hung_up = true;
  connection_close(&line->connection, "terminated");
}

void line_reset(struct line *line) {
  gauge_reset(&line->gauge);
  line->frames_sent = 0;
}

void line_write(const struct line *line, struct buffer *to) {
  buffer_print(to, "{\"party\":");
  write_json_string(to, line->party);
  const char *wire = line->wire == WIRE_WEB ? "web" : "carrier";
  buffer_print(to, ",\"wire\":\"%s\",\"framesSent\":%lu,", wire, line->frames_sent);
  if (line->script_at != 0) buffer_print(to, "\"scriptAt\":%.3f,", line->script_at);
  gauge_write(&line->gauge, to);
  if (line->lost[0] != '\0') {
    buffer_print(to, ",\"lost\":");
    write_json_string(to, line->lost);
  }
  buffer_add(to, "}", 1);
}

void line_free(void *memory) {
  struct line *line = memory;
  connection_free(&line->connection);
  gauge_free(&line->gauge);
  free(line);
}
