#include "base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const unsigned char *bytes, size_t length, char *to) {
  for (size_t n = 0; n < length; n += 3) {
    unsigned long three = (unsigned long)bytes[n] << 16;
    if (n + 1 < length) three |= (unsigned long)bytes[n + 1] << 8;
    if (n + 2 < length) three |= bytes[n + 2];
    *to++ = letters[three >> 18];
    *to++ = letters[three >> 12 & 63];
    *to++ = n + 1 < length ? letters[three >> 6 & 63] : '=';
    *to++ = n + 2 < length ? letters[three & 63] : '=';
  }
}

size_t base64_bytes(struct slice text) {
  while (slice_ends(text, '=')) text.length--;
  return text.length * 3 / 4;
}
