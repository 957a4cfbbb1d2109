#include "line-told.h"

#include <stdio.h>

#include "base64.h"
#include "clock.h"
#include "http.h"
#include "json.h"
#include "line-said.h"
#include "speech.h"
#include "websocket.h"

enum { MOST_FRAME_BYTES = 128 * 1024 };

static void audio(struct line *line, double duration_ms, double now) {
  if (line->gauge.reply_ms > 0) {
    gauge_audio(&line->gauge, duration_ms, now);
    return;
  }
  double asked_at = now;
  if (line->asked_count > 0) {
    asked_at = line->asked_at[line->first_asked];
    line->first_asked = (line->first_asked + 1) % MOST_ASKED;
    line->asked_count--;
  }
  gauge_echoed(&line->gauge, asked_at, now);
}

static void clear(struct line *line, double now) {
  double played_ms = gauge_clear(&line->gauge, now);
  // A carrier gives back the marks that a clear swept away, a web client its position.
  if (line->wire == WIRE_CARRIER)
    for (const struct mark *mark; (mark = gauge_reached(&line->gauge, now)) != NULL;) say_mark(line, mark);
  else {
    gauge_forget_marks(&line->gauge);
    say_cleared(line, played_ms);
  }
}

static void note_mark(struct line *line, struct slice frame) {
  struct slice value, name;
  if (!json_member(frame, "mark", &value)) return;
  bool is_named = json_string(value, &name) || json_text(value, "name", &name);
  if (is_named && !gauge_mark(&line->gauge, name)) connection_close(&line->connection, "marks too much");
}

static void note_lost(struct line *line, struct slice frame, const char *member) {
  struct slice found;
  char why[sizeof line->lost] = "unknown";
  if (json_text(frame, member, &found)) slice_copy(found, why, sizeof why);
  line_note_lost(line, why);
}

static void told(struct line *line, struct slice frame, double now) {
  struct slice kind, value, payload;
  if (!json_text(frame, "event", &kind) && !json_text(frame, "type", &kind)) return;
  if (slice_is(kind, "media")) {
    bool has_sound = json_member(frame, "media", &value) && json_text(value, "payload", &payload);
    audio(line, has_sound ? carrier_ms(base64_bytes(payload)) : 0, now);
  } else if (slice_is(kind, "mark")) {
    note_mark(line, frame);
  } else if (slice_is(kind, "clear")) {
    clear(line, now);
  } else if (slice_is(kind, "ready")) {
    if (json_text(frame, "callId", &value)) slice_copy(value, line->party, sizeof line->party);
    line_note_ready(line);
  } else if (slice_is(kind, "ended")) {
    note_lost(line, frame, "reason");
  } else if (slice_is(kind, "error")) {
    note_lost(line, frame, "code");
  }
}

static void closed(struct line *line, struct ws_frame *frame) {
  char why[sizeof line->lost];
  int length = frame->length > 2 ? (int)frame->length - 2 : 0;
  snprintf(why, sizeof why, "%u %.*s", ws_close_code(frame), length, frame->payload + (length > 0 ? 2 : 0));
  line_note_lost(line, why);
  ws_send_close(&line->connection, WS_CLIENT, frame->length >= 2 ? ws_close_code(frame) : 0);
  connection_end(&line->connection, why);
}

static void heard(struct line *line, struct ws_frame *frame, double now) {
  switch (frame->opcode) {
    case WS_BINARY:
      audio(line, web_ms(frame->length), now);
      break;
    case WS_TEXT:
      told(line, (struct slice){frame->payload, frame->length}, now);
      break;
    case WS_PING:
      ws_pong(&line->connection, WS_CLIENT, frame);
      break;
    case WS_CLOSE:
      closed(line, frame);
      break;
    case WS_PONG:
      break;
  }
}

/* How many bytes the answer to the upgrade has; 0: it is not there yet, or was none. */
static size_t upgraded(struct line *line, const char *bytes, size_t length) {
  struct http_head head;
  enum http_outcome outcome = http_read((struct slice){bytes, length}, &head);
  if (outcome == HTTP_INCOMPLETE) return 0;
  char why[64] = "not upgraded";
  if (outcome == HTTP_READ) {
    struct slice status = head.parts[1];
    struct slice accept = http_header(&head, "sec-websocket-accept");
    if (slice_is(status, "101") && slice_is(accept, line->accept)) {
      line->is_upgraded = true;
      return head.length;
    }
    snprintf(why, sizeof why, "not upgraded: %.*s", (int)(status.length < 16 ? status.length : 16), status.at);
  }
  connection_close(&line->connection, why);
  return 0;
}

size_t hear(struct connection *connection, char *bytes, size_t length) {
  struct line *line = holder_of(connection, struct line, connection);
  size_t at = 0;
  if (!line->is_upgraded) {
    at = upgraded(line, bytes, length);
    if (!line->is_upgraded) return 0;
    say_start(line);
    // Who has no word to wait for is ready.
    if (line->wire == WIRE_CARRIER || line->gauge.reply_ms == 0) line_note_ready(line);
  }
  double now = now_ms();
  while (!connection->closed && !connection->ending) {
    struct ws_frame frame;
    long used = ws_read(bytes + at, length - at, WS_CLIENT, MOST_FRAME_BYTES, &frame);
    if (used < 0) connection_close(connection, "a broken frame");
    if (used <= 0) break;
    at += (size_t)used;
    heard(line, &frame, now);
  }
  return at;
}
