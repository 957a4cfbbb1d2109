#include "ears.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "finals.h"
#include "json.h"
#include "script.h"
#include "vendor-message.h"

static const double INTERIM_EVERY_MS = 500;
static const double FIRST_WORD_MS = 300;
static const double SILENCE_MS = 3000;
/* Mean amplitude; the line's own noise lies far below. */
static const double VOICE_LEVEL = 80;
/* Every so many samples are looked at. */
enum { STRIDE = 8, INTERIM_WORDS = 3, MOST_WORDS = 8 };

static size_t speakers;

void ears_open(struct ears *ears, struct connection *connection, double rate_hz) {
  *ears = (struct ears){.connection = connection, .rate_hz = rate_hz, .speaker = speakers++};
}

static double now_of(const struct ears *ears) { return ears->samples * 1000 / ears->rate_hz; }

static void add_words(struct text *text, const struct ears *ears, struct slice transcript, double now) {
  struct slice words[MOST_WORDS];
  size_t count = 0;
  for (size_t at = 0; count < MOST_WORDS && next_word(transcript, &at, &words[count]);)
    if (words[count].length > 0) count++;
  double start_ms = now - fmax(ears->voice_ms, 1);
  double word_ms = (now - start_ms) / (count > 0 ? (double)count : 1);
  for (size_t n = 0; n < count; n++)
    text_print(text, "%s{\"word\":\"%.*s\",\"start\":%.10g,\"end\":%.10g,\"confidence\":0.98}", n > 0 ? "," : "",
               (int)words[n].length, words[n].at, (start_ms + (double)n * word_ms) / 1000,
               (start_ms + (double)(n + 1) * word_ms) / 1000);
}

static void send_results(struct ears *ears, struct slice transcript, bool is_final) {
  double now = now_of(ears);
  double duration_ms = now - ears->from_ms;
  if (duration_ms <= 0) return;
  const char *final = is_final ? "true" : "false";
  struct text text = vendor_message();
  text_print(&text,
             "{\"type\":\"Results\",\"channel_index\":[0,1],\"start\":%.10g,\"duration\":%.10g,\"is_final\":%s,"
             "\"speech_final\":%s,\"from_finalize\":%s,\"channel\":{\"alternatives\":[{\"transcript\":\"%.*s\","
             "\"confidence\":0.97,\"words\":[",
             ears->from_ms / 1000, duration_ms / 1000, final, is_final && transcript.length > 0 ? "true" : "false",
             final, (int)transcript.length, transcript.at);
  add_words(&text, ears, transcript, now);
  text_print(&text, "]}]},\"metadata\":{\"request_id\":\"r-1\",\"model_info\":{\"name\":\"general-nova-3\"}}}");
  vendor_send(ears->connection, &text);
}

/* What is being heard, as far as it is told. */
static struct slice heard(const struct ears *ears, char *memory, size_t size, size_t most_words) {
  struct text text = text_in(memory, size);
  add_heard(&text, ears->speaker, ears->utterance);
  struct slice whole = {memory, text_length(&text)};
  struct slice word;
  size_t at = 0;
  for (size_t n = 0; n < most_words && next_word(whole, &at, &word); n++)
    ;
  return (struct slice){memory, at > whole.length ? whole.length : at - 1};
}

void ears_hear(struct ears *ears, const char *bytes, size_t length) {
  long sum = 0, count = 0;
  for (size_t at = 0; at + 1 < length; at += 2 * STRIDE) {
    int16_t sample;
    memcpy(&sample, bytes + at, sizeof sample);
    sum += labs(sample);
    count++;
  }
  double samples = (double)length / 2;
  ears->samples += samples;
  if (count > 0 && (double)sum / (double)count >= VOICE_LEVEL) ears->voice_ms += samples * 1000 / ears->rate_hz;
  double now = now_of(ears);
  // Silence is closed as well, now and then.
  if (ears->voice_ms == 0 && now - ears->from_ms >= SILENCE_MS) {
    send_results(ears, SLICE(""), true);
    ears->from_ms = now;
  }
  if (ears->voice_ms < FIRST_WORD_MS || now - ears->interim_at_ms < INTERIM_EVERY_MS) return;
  ears->interim_at_ms = now;
  char memory[128];
  send_results(ears, heard(ears, memory, sizeof memory, INTERIM_WORDS), false);
}

static void finalize(struct ears *ears) {
  bool is_heard = ears->voice_ms >= FIRST_WORD_MS;
  char memory[128];
  send_results(ears, is_heard ? heard(ears, memory, sizeof memory, MOST_WORDS) : SLICE(""), true);
  if (is_heard) {
    note_final(ears->speaker, now_ms());
    ears->utterance++;
  }
  ears->voice_ms = 0;
  ears->from_ms = now_of(ears);
}

void ears_told(struct ears *ears, const char *bytes, size_t length) {
  struct slice type;
  if (!json_text((struct slice){bytes, length}, "type", &type)) return;
  if (slice_is(type, "Finalize")) finalize(ears);
  if (slice_is(type, "CloseStream")) vendor_close(ears->connection);
}
