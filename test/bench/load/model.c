#include "model.h"

#include "clock.h"
#include "finals.h"
#include "json.h"
#include "script.h"

static size_t replies;
/* The part of an answer that is being written; one at a time. */
static char memory[32 * 1024];

/* An event of the stream, as a chunk of HTTP. */
static void add_event(struct text *text, struct slice data) {
  text_print(text, "%zx\r\ndata: ", data.length + 8);
  text_add(text, data);
  text_add(text, SLICE("\n\n\r\n"));
}

static void add_choice(struct text *text, struct slice token, const char *finish) {
  char one[512];
  struct text event = text_in(one, sizeof one);
  text_print(&event, "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,"
                     "\"model\":\"gpt-4.1-mini\",\"choices\":[{\"index\":0,\"delta\":");
  if (token.length == 0) text_print(&event, "{}");
  else text_print(&event, "{\"content\":\"%.*s\"}", (int)token.length, token.at);
  text_print(&event, ",\"finish_reason\":%s}]}", finish);
  add_event(text, (struct slice){one, text_length(&event)});
}

static void add_end(struct text *text, unsigned tokens) {
  add_choice(text, SLICE(""), "\"stop\"");
  char one[256];
  struct text usage = text_in(one, sizeof one);
  text_print(&usage,
             "{\"id\":\"chatcmpl-1\",\"choices\":[],\"usage\":{\"prompt_tokens\":120,\"completion_tokens\":%u,"
             "\"total_tokens\":150}}",
             tokens);
  add_event(text, (struct slice){one, text_length(&usage)});
  add_event(text, SLICE("[DONE]"));
  text_add(text, SLICE("0\r\n\r\n"));
}

/* The next word, with the space before it; false: there is none. */
static bool next_token(struct model *model, struct slice *token) {
  if (model->at >= model->length) return false;
  const char *from = model->reply + model->at;
  size_t left = model->length - model->at;
  const char *space = memchr(from + 1, ' ', left - 1);
  *token = (struct slice){from, space == NULL ? left : (size_t)(space - from)};
  model->at += token->length;
  model->tokens++;
  return true;
}

static void send(struct model *model, const struct text *text) {
  if (text->cut) connection_close(model->connection, "a message is too long");
  else connection_send(model->connection, text->start, text_length(text));
}

static void go_on(struct timer *timer, double now) {
  struct model *model = holder_of(timer, struct model, timer);
  struct text text = text_in(memory, sizeof memory);
  struct slice token;
  if (next_token(model, &token)) {
    add_choice(&text, token, "null");
    timer_set(timer, now + TOKEN_EVERY_MS);
    send(model, &text);
    return;
  }
  add_end(&text, model->tokens);
  model->is_streaming = false;
  send(model, &text);
  // The next request may have come meanwhile.
  connection_again(model->connection);
}

static void stream(struct model *model, size_t reply) {
  struct text said = text_in(model->reply, sizeof model->reply);
  add_reply(&said, reply);
  model->length = text_length(&said);
  model->at = 0;
  model->tokens = 0;
  model->is_streaming = true;
  struct text text = text_in(memory, sizeof memory);
  text_add(&text, SLICE("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: keep-alive\r\n"
                        "Keep-Alive: timeout=60\r\nTransfer-Encoding: chunked\r\n\r\n"));
  // The first sentence, and the word behind it.
  bool was_end = false;
  for (struct slice token; !was_end && next_token(model, &token);) {
    was_end = model->at > token.length && memchr(model->reply, '.', model->at - token.length) != NULL;
    add_choice(&text, token, "null");
  }
  timer_set(&model->timer, now_ms() + TOKEN_EVERY_MS);
  send(model, &text);
}

/* What a message says; empty where that is no text. */
static struct slice content_of(struct slice message) {
  struct slice content;
  return json_text(message, "content", &content) ? content : SLICE("");
}

bool model_answer(struct model *model, struct slice body, double asked_at) {
  struct slice messages, message, role, word, call_id, party;
  struct slice prompt = SLICE(""), asked = SLICE("");
  if (!json_member(body, "messages", &messages)) return false;
  bool is_first = true;
  for (size_t at = 0; json_next(messages, &at, &message); is_first = false) {
    if (is_first) prompt = content_of(message);
    if (json_text(message, "role", &role) && slice_is(role, "user")) asked = content_of(message);
  }
  size_t speaker;
  bool is_known = find_speaker(asked, &word) && read_word(word, &speaker);
  if (is_known && find_party(prompt, &call_id, &party)) note_party(speaker, call_id, party);
  size_t reply = replies++;
  stream(model, reply);
  if (is_known) note_model_busy(speaker, reply, asked_at, now_ms());
  return true;
}

void model_open(struct model *model, struct connection *connection) {
  memset(model, 0, sizeof *model);
  model->connection = connection;
  model->timer.rings = go_on;
}

void model_close(struct model *model) {
  timer_clear(&model->timer);
  model->is_streaming = false;
}
