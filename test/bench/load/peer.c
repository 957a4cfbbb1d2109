#include "peer.h"

#include <stdlib.h>

#include "clock.h"
#include "connection.h"
#include "ears.h"
#include "fail.h"
#include "http.h"
#include "model.h"
#include "mouth.h"
#include "websocket.h"

/* A WebSocket is pinged every few seconds. */
static const double IDLE_MS = 60000;
static const struct connection_bounds BOUNDS = {.in_bytes = 8 * 1024 * 1024, .out_bytes = 4 * 1024 * 1024};
enum { MOST_FRAME_BYTES = 1024 * 1024 };

struct peer {
  struct connection connection;
  enum { BY_HTTP, TO_EARS, TO_MOUTH } kind;
  /* When something came last, and when the head of a request that is not complete; 0: there is none. */
  double active_at, asked_at;
  struct model model;
  struct ears ears;
  struct mouth mouth;
  struct peer *before, *after;
};

static struct peer *first;

static size_t data(struct connection *connection, char *bytes, size_t length);
static void gone(struct connection *connection, const char *why);

static void peer_free(void *memory) {
  struct peer *peer = memory;
  connection_free(&peer->connection);
  free(peer);
}

void peer_open(int fd) {
  static const struct connection_calls calls = {NULL, data, gone};
  struct peer *peer = have(calloc(1, sizeof *peer));
  connection_accept(&peer->connection, fd, &calls, BOUNDS);
  model_open(&peer->model, &peer->connection);
  peer->active_at = now_ms();
  peer->after = first;
  if (first != NULL) first->before = peer;
  first = peer;
}

static void gone(struct connection *connection, const char *why) {
  (void)why;
  struct peer *peer = holder_of(connection, struct peer, connection);
  model_close(&peer->model);
  if (peer->kind == TO_MOUTH) mouth_close(&peer->mouth);
  if (peer->before != NULL) peer->before->after = peer->after;
  else first = peer->after;
  if (peer->after != NULL) peer->after->before = peer->before;
  loop_free_later(peer, peer_free);
}

void peers_sweep(double now) {
  for (struct peer *peer = first, *next; peer != NULL; peer = next) {
    next = peer->after;
    if (now - peer->active_at > IDLE_MS && !peer->model.is_streaming) connection_close(&peer->connection, "idle");
  }
}

static void answer_json(struct peer *peer, const char *status, struct slice body) {
  char memory[1024];
  struct text text = text_in(memory, sizeof memory);
  text_print(&text,
             "HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\n"
             "Content-Length: %zu\r\n\r\n",
             status, body.length);
  text_add(&text, body);
  connection_send(&peer->connection, memory, text_length(&text));
}

/* The carrier's interface, which takes whatever it is asked for and has every number. */
static void answer_carrier(struct peer *peer, struct slice target) {
  char number[64], memory[256];
  struct text body = text_in(memory, sizeof memory);
  if (!http_parameter(target, "PhoneNumber", number, sizeof number)) text_print(&body, "{\"sid\":\"CA0\"}");
  else if (strpbrk(number, "\"\\") == NULL)
    text_print(&body, "{\"sid\":\"CA0\",\"incoming_phone_numbers\":[{\"sid\":\"PN0\",\"phone_number\":\"%s\"}]}",
               number);
  answer_json(peer, "200 OK", (struct slice){memory, text_length(&body)});
}

static void upgrade(struct peer *peer, const struct http_head *head) {
  char accept[WS_ACCEPT_BYTES + 1], rate[16] = "", memory[256];
  struct slice key = http_header(head, "sec-websocket-key");
  if (key.length != WS_KEY_BYTES) {
    connection_close(&peer->connection, "no key");
    return;
  }
  ws_accept(key, accept);
  struct text text = text_in(memory, sizeof memory);
  text_print(&text,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             accept);
  connection_send(&peer->connection, memory, text_length(&text));
  struct slice target = head->parts[1];
  bool is_ears = target.length >= 10 && memcmp(target.at, "/v1/listen", 10) == 0;
  double rate_hz = is_ears && http_parameter(target, "sample_rate", rate, sizeof rate) ? atof(rate) : 0;
  peer->kind = is_ears ? TO_EARS : TO_MOUTH;
  if (!is_ears) mouth_open(&peer->mouth, &peer->connection);
  else if (rate_hz > 0) ears_open(&peer->ears, &peer->connection, rate_hz);
  else connection_close(&peer->connection, "no sample rate");
}

static void answer(struct peer *peer, const struct http_head *head, struct slice body) {
  static const char path[] = "/chat/completions";
  struct slice target = head->parts[1];
  size_t length = sizeof path - 1;
  bool is_model = target.length >= length && memcmp(target.at + target.length - length, path, length) == 0;
  if (!is_model) answer_carrier(peer, target);
  else if (!model_answer(&peer->model, body, peer->asked_at)) connection_close(&peer->connection, "no messages");
}

/* Takes one request; tells how many bytes it has. 0: it is not complete, or nothing follows. */
static size_t take_request(struct peer *peer, const char *bytes, size_t length) {
  struct http_head head;
  enum http_outcome outcome = http_read((struct slice){bytes, length}, &head);
  if (outcome == HTTP_BROKEN) connection_close(&peer->connection, "no request");
  if (outcome != HTTP_READ) return 0;
  if (peer->asked_at == 0) peer->asked_at = now_ms();
  if (http_header(&head, "upgrade").length > 0) {
    upgrade(peer, &head);
    return head.length;
  }
  struct slice declared = http_header(&head, "content-length");
  size_t body = 0;
  if (http_header(&head, "transfer-encoding").length > 0 || (declared.length > 0 && !parse_count(declared, &body))) {
    answer_json(peer, "411 Length Required", SLICE("{}"));
    connection_end(&peer->connection, "no length");
    return 0;
  }
  if (length - head.length < body) return 0;
  answer(peer, &head, (struct slice){bytes + head.length, body});
  peer->asked_at = 0;
  return head.length + body;
}

static void hear(struct peer *peer, struct ws_frame *frame) {
  struct connection *connection = &peer->connection;
  if (frame->opcode == WS_PING) {
    ws_pong(connection, WS_SERVER, frame);
  } else if (frame->opcode == WS_CLOSE) {
    ws_send_close(connection, WS_SERVER, frame->length >= 2 ? ws_close_code(frame) : 0);
    connection_end(connection, "closed");
  } else if (frame->opcode != WS_PONG && peer->kind == TO_MOUTH) {
    mouth_told(&peer->mouth, frame->payload, frame->length);
  } else if (frame->opcode == WS_BINARY) {
    ears_hear(&peer->ears, frame->payload, frame->length);
  } else if (frame->opcode == WS_TEXT) {
    ears_told(&peer->ears, frame->payload, frame->length);
  }
}

static size_t data(struct connection *connection, char *bytes, size_t length) {
  struct peer *peer = holder_of(connection, struct peer, connection);
  size_t at = 0;
  peer->active_at = now_ms();
  while (!connection->closed && !connection->ending && peer->kind == BY_HTTP && !peer->model.is_streaming) {
    size_t used = take_request(peer, bytes + at, length - at);
    if (used == 0) return at;
    at += used;
  }
  while (!connection->closed && !connection->ending && peer->kind != BY_HTTP) {
    struct ws_frame frame;
    long used = ws_read(bytes + at, length - at, WS_SERVER, MOST_FRAME_BYTES, &frame);
    if (used < 0) connection_close(connection, "a broken frame");
    if (used <= 0) break;
    at += (size_t)used;
    hear(peer, &frame);
  }
  return at;
}
