#include "sound.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base64.h"
#include "fail.h"
#include "http.h"
#include "json.h"
#include "script.h"

enum { MOST_SOUNDS = 16, MOST_RATE_HZ = 48000 };

struct sound {
  bool is_mulaw;
  size_t rate_hz;
  struct slice base64;
};

static struct sound sounds[MOST_SOUNDS];
static size_t count;

static void hum(int16_t *pcm, size_t samples, size_t rate_hz) {
  for (size_t n = 0; n < samples; n++)
    pcm[n] = (int16_t)floor(6000 * sin(2 * M_PI * 200 * (double)n / (double)rate_hz) + 0.5);
}

/* Louder and quieter codes of µ-law, half of them negative: a sound all the same. */
static void hum_mulaw(unsigned char *codes, size_t samples) {
  for (size_t n = 0; n < samples; n++) codes[n] = (unsigned char)(0x90 + n % 32 + (n % 64 < 32 ? 0 : 0x40));
}

static struct sound made(bool is_mulaw, size_t rate_hz) {
  static int16_t pcm[MOST_RATE_HZ * CHUNK_MS / 1000];
  unsigned char *bytes = (unsigned char *)pcm;
  size_t samples = rate_hz * CHUNK_MS / 1000;
  if (is_mulaw) hum_mulaw(bytes, samples);
  else hum(pcm, samples, rate_hz);
  size_t length = is_mulaw ? samples : 2 * samples;
  char *base64 = have(malloc(base64_length(length) + 1));
  base64_encode(bytes, length, base64);
  return (struct sound){is_mulaw, rate_hz, {base64, base64_length(length)}};
}

const struct sound *sound_in(struct slice format) {
  struct slice encoding, value;
  size_t rate_hz;
  if (!json_text(format, "encoding", &encoding) || !json_member(format, "sample_rate", &value)) return NULL;
  if (!parse_count(value, &rate_hz) || rate_hz == 0 || rate_hz > MOST_RATE_HZ) return NULL;
  bool is_mulaw = slice_is(encoding, "pcm_mulaw");
  for (size_t n = 0; n < count; n++)
    if (sounds[n].is_mulaw == is_mulaw && sounds[n].rate_hz == rate_hz) return &sounds[n];
  if (count == MOST_SOUNDS) return NULL;
  sounds[count] = made(is_mulaw, rate_hz);
  return &sounds[count++];
}

struct slice sound_base64(const struct sound *sound) { return sound->base64; }
