#include "line-said.h"

#include <math.h>
#include <sys/random.h>

#include "base64.h"
#include "fail.h"
#include "speech.h"
#include "websocket.h"

/* The message that is being written; one at a time. */
static char memory[WS_MOST_HEAD_BYTES + 2048];

static struct text message(void) {
  return text_in(memory + WS_MOST_HEAD_BYTES, sizeof memory - WS_MOST_HEAD_BYTES);
}

static void say(struct line *line, const struct text *text) {
  if (!line_is_open(line)) return;
  if (text->cut) connection_close(&line->connection, "a message is too long");
  else ws_send(&line->connection, WS_CLIENT, WS_TEXT, text->start, text_length(text));
}

void say_upgrade(struct line *line) {
  unsigned char random[16];
  char key[WS_KEY_BYTES + 1] = {0};
  if (getrandom(random, sizeof random, 0) != sizeof random) die("getrandom");
  base64_encode(random, sizeof random, key);
  ws_accept((struct slice){key, WS_KEY_BYTES}, line->accept);
  struct text text = message();
  text_print(&text,
             "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n",
             line->path, line->host, key);
  if (text.cut) connection_close(&line->connection, "a message is too long");
  else connection_send(&line->connection, text.start, text_length(&text));
}

void say_start(struct line *line) {
  struct text text = message();
  if (line->wire == WIRE_WEB) {
    if (line->gauge.reply_ms == 0) return;
    text_print(&text, "{\"type\":\"start\",\"sampleRate\":16000}");
    say(line, &text);
    return;
  }
  text_print(&text, "{\"event\":\"connected\",\"protocol\":\"Call\",\"version\":\"1.0.0\"}");
  say(line, &text);
  text = message();
  text_print(&text,
             "{\"event\":\"start\",\"sequenceNumber\":\"1\",\"start\":{\"streamSid\":\"%s\",\"accountSid\":\"%s\","
             "\"callSid\":\"%s\",\"tracks\":[\"inbound\"],\"mediaFormat\":{\"encoding\":\"audio/x-mulaw\","
             "\"sampleRate\":8000,\"channels\":1},\"customParameters\":{}},\"streamSid\":\"%s\"}",
             line->stream_sid, line->account_sid, line->call_sid, line->stream_sid);
  say(line, &text);
}

void say_frame(struct line *line, size_t frame) {
  if (line->wire == WIRE_WEB) {
    ws_send(&line->connection, WS_CLIENT, WS_BINARY, speech_bytes(frame), speech_bytes_length());
    return;
  }
  struct text text = message();
  text_print(&text,
             "{\"event\":\"media\",\"sequenceNumber\":\"%lu\",\"media\":{\"track\":\"inbound\",\"chunk\":\"%lu\","
             "\"timestamp\":\"%lu\",\"payload\":\"",
             ++line->sequence, line->chunk, line->chunk * FRAME_MS);
  text_add(&text, speech_payload(frame));
  text_print(&text, "\"},\"streamSid\":\"%s\"}", line->stream_sid);
  say(line, &text);
}

void say_mark(struct line *line, const struct mark *mark) {
  struct text text = message();
  if (line->wire == WIRE_WEB)
    text_print(&text, "{\"type\":\"played\",\"mark\":\"%.*s\"}", (int)mark->length, mark->name);
  else
    text_print(&text,
               "{\"event\":\"mark\",\"sequenceNumber\":\"%lu\",\"streamSid\":\"%s\",\"mark\":{\"name\":\"%.*s\"}}",
               ++line->sequence, line->stream_sid, (int)mark->length, mark->name);
  say(line, &text);
}

void say_cleared(struct line *line, double played_ms) {
  struct text text = message();
  text_print(&text, "{\"type\":\"cleared\",\"playedMs\":%.0f}", floor(played_ms + 0.5));
  say(line, &text);
}

void say_hangup(struct line *line) {
  struct text text = message();
  if (line->wire == WIRE_WEB && line->gauge.reply_ms > 0) {
    text_print(&text, "{\"type\":\"hangup\"}");
    say(line, &text);
    return;
  }
  text_print(&text, "{\"event\":\"stop\",\"sequenceNumber\":\"%lu\",\"streamSid\":\"%s\",\"stop\":{}}",
             ++line->sequence, line->stream_sid);
  say(line, &text);
  if (line_is_open(line)) ws_send_close(&line->connection, WS_CLIENT, 1000);
}
