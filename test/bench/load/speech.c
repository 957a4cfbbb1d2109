#include "speech.h"

#include <stdio.h>
#include <stdlib.h>

#include "base64.h"
#include "fail.h"
#include "websocket.h"

enum {
  CARRIER_BYTES_A_MS = 8,
  WEB_BYTES_A_MS = 32,
  CARRIER_BYTES = CARRIER_BYTES_A_MS * FRAME_MS,
  WEB_BYTES = WEB_BYTES_A_MS * FRAME_MS,
  PAYLOAD_CHARS = (CARRIER_BYTES + 2) / 3 * 4,
  WEB_PLACE = WS_MOST_HEAD_BYTES + WEB_BYTES
};

static char *payloads;
static char *places;
static size_t frames;

/* Reads all frames of a file, each to the end of its place; tells how many there are. */
static size_t read_frames(const char *file, size_t bytes, size_t place, char **to) {
  FILE *stream = fopen(file, "rb");
  if (stream == NULL) die(file);
  fseek(stream, 0, SEEK_END);
  size_t count = (size_t)ftell(stream) / bytes;
  rewind(stream);
  *to = have(calloc(count > 0 ? count : 1, place));
  for (size_t n = 0; n < count; n++)
    if (fread(*to + n * place + place - bytes, 1, bytes, stream) != bytes) die(file);
  fclose(stream);
  return count;
}

void speech_load(const char *carrier_file, const char *web_file) {
  char *mulaw;
  frames = read_frames(carrier_file, CARRIER_BYTES, CARRIER_BYTES, &mulaw);
  payloads = have(malloc(frames * PAYLOAD_CHARS + 1));
  for (size_t n = 0; n < frames; n++)
    base64_encode((unsigned char *)mulaw + n * CARRIER_BYTES, CARRIER_BYTES, payloads + n * PAYLOAD_CHARS);
  free(mulaw);
  if (read_frames(web_file, WEB_BYTES, WEB_PLACE, &places) != frames || frames == 0) {
    fprintf(stderr, "%s and %s are not of one length\n", carrier_file, web_file);
    exit(2);
  }
}

size_t speech_frames(void) { return frames; }

struct slice speech_payload(size_t frame) {
  return (struct slice){payloads + frame * PAYLOAD_CHARS, PAYLOAD_CHARS};
}

char *speech_bytes(size_t frame) { return places + frame * WEB_PLACE + WS_MOST_HEAD_BYTES; }

size_t speech_bytes_length(void) { return WEB_BYTES; }

double carrier_ms(size_t bytes) { return (double)bytes / CARRIER_BYTES_A_MS; }

double web_ms(size_t bytes) { return (double)bytes / WEB_BYTES_A_MS; }
