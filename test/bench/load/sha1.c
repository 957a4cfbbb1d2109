#include "sha1.h"

#include <stdint.h>
#include <string.h>

static uint32_t turned(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static void add_block(uint32_t state[5], const unsigned char *block) {
  uint32_t words[80];
  for (int n = 0; n < 16; n++)
    words[n] = (uint32_t)block[4 * n] << 24 | (uint32_t)block[4 * n + 1] << 16 |
               (uint32_t)block[4 * n + 2] << 8 | block[4 * n + 3];
  for (int n = 16; n < 80; n++)
    words[n] = turned(words[n - 3] ^ words[n - 8] ^ words[n - 14] ^ words[n - 16], 1);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (int n = 0; n < 80; n++) {
    uint32_t mixed, constant;
    if (n < 20) mixed = (b & c) | (~b & d), constant = 0x5a827999;
    else if (n < 40) mixed = b ^ c ^ d, constant = 0x6ed9eba1;
    else if (n < 60) mixed = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc;
    else mixed = b ^ c ^ d, constant = 0xca62c1d6;
    uint32_t next = turned(a, 5) + mixed + e + constant + words[n];
    e = d, d = c, c = turned(b, 30), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void sha1(const char *text, size_t length, unsigned char digest[20]) {
  uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  unsigned char padded[256] = {0};
  memcpy(padded, text, length);
  padded[length] = 0x80;
  size_t whole = (length + 9 + 63) / 64 * 64;
  for (int n = 0; n < 8; n++) padded[whole - 1 - (size_t)n] = (unsigned char)((uint64_t)length * 8 >> (8 * n));
  for (size_t at = 0; at < whole; at += 64) add_block(state, padded + at);
  for (int n = 0; n < 20; n++) digest[n] = (unsigned char)(state[n / 4] >> (24 - 8 * (n % 4)));
}
