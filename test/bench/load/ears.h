#pragma once

#include "connection.h"

/* A recogniser that hears whether there is a voice, in Deepgram's words. */
struct ears {
  struct connection *connection;
  double rate_hz;
  size_t speaker, utterance;
  double samples;
  double from_ms, voice_ms, interim_at_ms;
};

void ears_open(struct ears *ears, struct connection *connection, double rate_hz);
/* PCM16. */
void ears_hear(struct ears *ears, const char *bytes, size_t length);
/* A text message. */
void ears_told(struct ears *ears, const char *bytes, size_t length);
