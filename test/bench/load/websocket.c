#include "websocket.h"

#include "base64.h"
#include "sha1.h"

enum { LAST = 0x80, RESERVED = 0x70, MASKED = 0x80, MASK_BYTES = 4, MOST_CONTROL_BYTES = 125 };

static void unmask(char *payload, size_t length, const char *mask) {
  uint32_t word;
  memcpy(&word, mask, MASK_BYTES);
  if (word == 0) return;
  size_t at = 0;
  for (; at + MASK_BYTES <= length; at += MASK_BYTES) {
    uint32_t four;
    memcpy(&four, payload + at, MASK_BYTES);
    four ^= word;
    memcpy(payload + at, &four, MASK_BYTES);
  }
  for (; at < length; at++) payload[at] ^= mask[at % MASK_BYTES];
}

long ws_read(char *bytes, size_t length, enum ws_side side, size_t most, struct ws_frame *frame) {
  if (length < 2) return 0;
  const unsigned char *head = (const unsigned char *)bytes;
  bool is_masked = (head[1] & MASKED) != 0;
  unsigned opcode = head[0] & 0xf;
  bool is_control = opcode >= WS_CLOSE;
  bool is_known = opcode == WS_TEXT || opcode == WS_BINARY || (is_control && opcode <= WS_PONG);
  if (!(head[0] & LAST) || (head[0] & RESERVED) || !is_known) return -1;
  if (is_masked != (side == WS_SERVER)) return -1;
  uint64_t size = head[1] & 0x7f;
  size_t start = size < 126 ? 2 : size == 126 ? 4 : 10;
  if (length < start) return 0;
  if (start > 2) {
    size = 0;
    for (size_t n = 2; n < start; n++) size = size << 8 | head[n];
  }
  if (size > (is_control ? (uint64_t)MOST_CONTROL_BYTES : (uint64_t)most)) return -1;
  size_t payload = start + (is_masked ? MASK_BYTES : 0);
  if (length < payload + size) return 0;
  if (is_masked) unmask(bytes + payload, size, bytes + start);
  *frame = (struct ws_frame){(enum ws_opcode)opcode, bytes + payload, size};
  return (long)(payload + size);
}

void ws_send(struct connection *connection, enum ws_side side, enum ws_opcode opcode, char *payload, size_t length) {
  size_t start = length < 126 ? 2 : length < 65536 ? 4 : 10;
  size_t mask = side == WS_CLIENT ? MASK_BYTES : 0;
  char *head = payload - mask - start;
  head[0] = (char)(LAST | opcode);
  size_t size = length < 126 ? length : length < 65536 ? 126 : 127;
  head[1] = (char)((side == WS_CLIENT ? MASKED : 0) | (int)size);
  for (size_t n = 2; n < start; n++) head[n] = (char)((uint64_t)length >> 8 * (start - 1 - n));
  memset(payload - mask, 0, mask);
  connection_send(connection, head, start + mask + length);
}

void ws_pong(struct connection *connection, enum ws_side side, const struct ws_frame *ping) {
  char memory[WS_MOST_HEAD_BYTES + MOST_CONTROL_BYTES];
  memcpy(memory + WS_MOST_HEAD_BYTES, ping->payload, ping->length);
  ws_send(connection, side, WS_PONG, memory + WS_MOST_HEAD_BYTES, ping->length);
}

void ws_send_close(struct connection *connection, enum ws_side side, unsigned code) {
  char memory[WS_MOST_HEAD_BYTES + 2];
  memory[WS_MOST_HEAD_BYTES] = (char)(code >> 8);
  memory[WS_MOST_HEAD_BYTES + 1] = (char)code;
  ws_send(connection, side, WS_CLOSE, memory + WS_MOST_HEAD_BYTES, code == 0 ? 0 : 2);
}

unsigned ws_close_code(const struct ws_frame *frame) {
  const unsigned char *payload = (const unsigned char *)frame->payload;
  return frame->length < 2 ? 1005 : (unsigned)payload[0] << 8 | payload[1];
}

void ws_accept(struct slice key, char to[WS_ACCEPT_BYTES + 1]) {
  char memory[128];
  struct text text = text_in(memory, sizeof memory);
  text_add(&text, key);
  text_add(&text, SLICE("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
  unsigned char digest[20];
  sha1(memory, text_length(&text), digest);
  base64_encode(digest, sizeof digest, to);
  to[WS_ACCEPT_BYTES] = '\0';
}
