#include "finals.h"

#include <stdlib.h>

#include "control.h"
#include "fail.h"

enum { MOST_ID_CHARS = 128, MOST_BUSY = 2 };

struct final {
  size_t speaker;
  double at_ms;
  struct {
    double from_ms, to_ms;
  } busy[MOST_BUSY];
  size_t busy_count;
};

struct speaker {
  char call_id[MOST_ID_CHARS], party[MOST_ID_CHARS];
  /* The place of the last final text, from 1 on; 0: none. */
  size_t last_final;
};

static struct final *finals;
static size_t finals_count, finals_capacity;
static struct speaker *speakers;
static size_t speakers_capacity;
/* By reply: the place of the final text that it answers, from 1 on; 0: none. */
static size_t *answered;
static size_t answered_capacity;

/* Memory for place `n` of an array, what is new all zeros. */
static void *room_for(void *array, size_t *capacity, size_t n, size_t bytes) {
  if (n < *capacity) return array;
  size_t wanted = *capacity > 0 ? *capacity : 1024;
  while (wanted <= n) wanted *= 2;
  char *grown = have(realloc(array, wanted * bytes));
  memset(grown + *capacity * bytes, 0, (wanted - *capacity) * bytes);
  *capacity = wanted;
  return grown;
}

static struct speaker *speaker_of(size_t n) {
  speakers = room_for(speakers, &speakers_capacity, n, sizeof *speakers);
  return &speakers[n];
}

void note_party(size_t speaker, struct slice call_id, struct slice party) {
  struct speaker *one = speaker_of(speaker);
  if (slice_copy(call_id, one->call_id, sizeof one->call_id))
    slice_copy(party.length > 0 ? party : call_id, one->party, sizeof one->party);
}

void note_final(size_t speaker, double at_ms) {
  finals = room_for(finals, &finals_capacity, finals_count, sizeof *finals);
  finals[finals_count++] = (struct final){.speaker = speaker, .at_ms = at_ms};
  speaker_of(speaker)->last_final = finals_count;
}

static void note_busy(struct final *final, double from_ms, double to_ms) {
  if (final->busy_count == MOST_BUSY) return;
  final->busy[final->busy_count].from_ms = from_ms;
  final->busy[final->busy_count++].to_ms = to_ms;
}

void note_model_busy(size_t speaker, size_t reply, double from_ms, double to_ms) {
  size_t place = speaker_of(speaker)->last_final;
  if (place == 0) return;
  struct final *final = &finals[place - 1];
  // What was asked before the final text was is not waited for.
  if (final->busy_count > 0 || final->at_ms > from_ms) return;
  note_busy(final, from_ms, to_ms);
  answered = room_for(answered, &answered_capacity, reply, sizeof *answered);
  answered[reply] = place;
}

void note_voice_busy(size_t reply, double from_ms, double to_ms) {
  if (reply >= answered_capacity || answered[reply] == 0) return;
  note_busy(&finals[answered[reply] - 1], from_ms, to_ms);
  answered[reply] = 0;
}

void finals_reset(void) {
  finals_count = 0;
  if (answered_capacity > 0) memset(answered, 0, answered_capacity * sizeof *answered);
  // Those of a service that was measured before among them.
  if (speakers_capacity > 0) memset(speakers, 0, speakers_capacity * sizeof *speakers);
}

static void write_final(const struct final *final, const struct speaker *speaker, struct buffer *to) {
  buffer_print(to, "{\"callId\":");
  write_json_string(to, speaker->call_id);
  buffer_print(to, ",\"party\":");
  write_json_string(to, speaker->party);
  buffer_print(to, ",\"atMs\":%.4f,\"own\":[", final->at_ms);
  for (size_t n = 0; n < final->busy_count; n++)
    buffer_print(to, "%s{\"from\":%.4f,\"to\":%.4f}", n > 0 ? "," : "", final->busy[n].from_ms, final->busy[n].to_ms);
  buffer_print(to, "]}");
}

void finals_write(struct buffer *to) {
  const char *before = "";
  buffer_print(to, "\"finals\":[");
  for (size_t n = 0; n < finals_count; n++) {
    const struct speaker *speaker = &speakers[finals[n].speaker];
    if (speaker->party[0] == '\0') continue;
    buffer_print(to, "%s", before);
    write_final(&finals[n], speaker, to);
    before = ",";
  }
  before = "";
  buffer_print(to, "],\"callIds\":{");
  for (size_t n = 0; n < speakers_capacity; n++) {
    if (speakers[n].party[0] == '\0') continue;
    buffer_print(to, "%s", before);
    write_json_string(to, speakers[n].party);
    buffer_print(to, ":");
    write_json_string(to, speakers[n].call_id);
    before = ",";
  }
  buffer_print(to, "}");
}
