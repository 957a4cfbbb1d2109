#include "mouth.h"

#include <math.h>

#include "clock.h"
#include "finals.h"
#include "json.h"
#include "script.h"
#include "sound.h"
#include "vendor-message.h"

/* Of what is no reply of the load. */
enum { WORD_MS = 300 };

void mouth_open(struct mouth *mouth, struct connection *connection) {
  memset(mouth, 0, sizeof *mouth);
  mouth->connection = connection;
}

static void send_done(struct mouth *mouth, struct slice context) {
  struct text text = vendor_message();
  text_print(&text, "{\"type\":\"done\",\"context_id\":\"%.*s\",\"done\":true,\"status_code\":200}",
             (int)context.length, context.at);
  vendor_send(mouth->connection, &text);
}

static void stop(struct utterance *utterance) {
  timer_clear(&utterance->timer);
  utterance->context_length = 0;
}

static struct slice context_of(const struct utterance *utterance) {
  return (struct slice){utterance->context, utterance->context_length};
}

static struct utterance *find(struct mouth *mouth, struct slice context) {
  for (size_t n = 0; n < MOST_UTTERANCES; n++) {
    struct utterance *one = &mouth->utterances[n];
    if (one->context_length == context.length && memcmp(one->context, context.at, context.length) == 0) return one;
  }
  return NULL;
}

static void send_chunk(struct utterance *utterance, double now) {
  struct mouth *mouth = utterance->mouth;
  struct text text = vendor_message();
  text_add(&text, SLICE("{\"type\":\"chunk\",\"context_id\":\""));
  text_add(&text, context_of(utterance));
  text_add(&text, SLICE("\",\"data\":\""));
  text_add(&text, sound_base64(utterance->sound));
  text_add(&text, SLICE("\",\"done\":false,\"status_code\":206,\"step_time\":41.2}"));
  vendor_send(mouth->connection, &text);
  if (mouth->connection->closed) return;
  if (--utterance->chunks_left > 0) {
    timer_set(&utterance->timer, now + CHUNK_EVERY_MS);
    return;
  }
  send_done(mouth, context_of(utterance));
  stop(utterance);
}

static void go_on(struct timer *timer, double now) { send_chunk(holder_of(timer, struct utterance, timer), now); }

static void send_times(struct mouth *mouth, struct slice context, struct slice transcript, double length_ms) {
  size_t count = 0;
  struct slice word;
  for (size_t at = 0; next_word(transcript, &at, &word);) count++;
  double each = length_ms / 1000 / (double)count;
  struct text text = vendor_message();
  text_print(&text, "{\"type\":\"timestamps\",\"context_id\":\"%.*s\",\"done\":false,\"word_timestamps\":{\"words\":[",
             (int)context.length, context.at);
  const char *before = "";
  for (size_t at = 0; next_word(transcript, &at, &word); before = ",")
    text_print(&text, "%s\"%.*s\"", before, (int)word.length, word.at);
  text_print(&text, "],\"start\":[");
  for (size_t n = 0; n < count; n++) text_print(&text, "%s%.10g", n > 0 ? "," : "", (double)n * each);
  text_print(&text, "],\"end\":[");
  for (size_t n = 1; n <= count; n++) text_print(&text, "%s%.10g", n > 1 ? "," : "", (double)n * each);
  text_print(&text, "]}}");
  vendor_send(mouth->connection, &text);
}

static double length_ms_of(struct slice transcript) {
  struct slice word;
  if (find_reply(transcript, &word)) return UTTERANCE_MS;
  size_t count = 0;
  for (size_t at = 0; next_word(transcript, &at, &word);) count++;
  return (double)count * WORD_MS;
}

static void speak(struct mouth *mouth, struct slice context, struct slice transcript, const struct sound *sound,
                  double now) {
  struct utterance *utterance = find(mouth, context);
  if (utterance == NULL) utterance = find(mouth, SLICE(""));
  if (utterance == NULL || context.length == 0 || context.length > MOST_CONTEXT_CHARS) {
    connection_close(mouth->connection, "too many utterances, or too long a name");
    return;
  }
  double length_ms = length_ms_of(transcript);
  utterance->mouth = mouth;
  memcpy(utterance->context, context.at, context.length);
  utterance->context_length = context.length;
  utterance->sound = sound;
  utterance->chunks_left = (size_t)ceil(length_ms / CHUNK_MS);
  utterance->timer.rings = go_on;
  // A question has none: a barge-in into it has no end of a word to wait for.
  if (!slice_ends(transcript, '?')) send_times(mouth, context, transcript, length_ms);
  if (!mouth->connection->closed) send_chunk(utterance, now);
}

static void cancel(struct mouth *mouth, struct slice context) {
  struct utterance *utterance = context.length > 0 ? find(mouth, context) : NULL;
  if (utterance != NULL) stop(utterance);
  send_done(mouth, context);
}

void mouth_told(struct mouth *mouth, const char *bytes, size_t length) {
  double asked_at = now_ms();
  struct slice wanted = {bytes, length}, context, transcript, value, word;
  size_t reply;
  if (!json_text(wanted, "context_id", &context)) return;
  if (!json_text(wanted, "transcript", &transcript)) transcript = SLICE("");
  if (json_member(wanted, "cancel", &value) && slice_is(value, "true")) {
    cancel(mouth, context);
  } else if (json_member(wanted, "output_format", &value)) {
    const struct sound *sound = sound_in(value);
    if (sound == NULL) connection_close(mouth->connection, "no such format of sound");
    else speak(mouth, context, transcript, sound, asked_at);
  }
  if (find_reply(transcript, &word) && read_word(word, &reply)) note_voice_busy(reply, asked_at, now_ms());
}

void mouth_close(struct mouth *mouth) {
  for (size_t n = 0; n < MOST_UTTERANCES; n++) stop(&mouth->utterances[n]);
}
