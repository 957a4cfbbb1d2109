#pragma once

#include <stddef.h>

#include "text.h"

/* What the callers say, in frames of 20 ms for each wire, encoded once for all of them. */

enum { FRAME_MS = 20 };

/* Reads the frames: µ-law at 8 kHz for carriers, PCM16 at 16 kHz for the web. Both files say the same. */
void speech_load(const char *carrier_file, const char *web_file);

/* How many frames there are. */
size_t speech_frames(void);

/* Base64 of a carrier's frame. */
struct slice speech_payload(size_t frame);

/* A web client's frame, with free memory before it for the head of a WebSocket's. */
char *speech_bytes(size_t frame);
size_t speech_bytes_length(void);

/* How long so many bytes of each wire's sound are, ms. */
double carrier_ms(size_t bytes);
double web_ms(size_t bytes);
