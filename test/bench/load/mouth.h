#pragma once

#include "connection.h"
#include "loop.h"

/*
 * A voice in Cartesia's words, which comes faster than it is played; all replies of the load are of one length.
 */

/* The service speaks eight at once over one connection. */
enum { MOST_UTTERANCES = 16, MOST_CONTEXT_CHARS = 128 };

struct sound;

/* No context: it is free. */
struct utterance {
  struct mouth *mouth;
  char context[MOST_CONTEXT_CHARS];
  size_t context_length;
  const struct sound *sound;
  size_t chunks_left;
  struct timer timer;
};

struct mouth {
  struct connection *connection;
  struct utterance utterances[MOST_UTTERANCES];
};

void mouth_open(struct mouth *mouth, struct connection *connection);
/* A text message. */
void mouth_told(struct mouth *mouth, const char *bytes, size_t length);
/* Says nothing more. */
void mouth_close(struct mouth *mouth);
