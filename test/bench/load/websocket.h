#pragma once

#include <stdint.h>

#include "connection.h"
#include "text.h"

/* WebSocket frames (RFC 6455, 5.2) of both sides. Messages in several frames are refused: nobody here sends them. */

enum ws_opcode { WS_TEXT = 0x1, WS_BINARY = 0x2, WS_CLOSE = 0x8, WS_PING = 0x9, WS_PONG = 0xa };

enum ws_side { WS_CLIENT, WS_SERVER };

enum { WS_MOST_HEAD_BYTES = 14, WS_KEY_BYTES = 24, WS_ACCEPT_BYTES = 28 };

struct ws_frame {
  enum ws_opcode opcode;
  char *payload;
  size_t length;
};

/*
 * Reads the frame at the start of bytes that came to this side, and takes its mask off where it lies. Tells how many
 * bytes it has; 0: it is not complete; -1: it breaks the rules, or is longer than a payload may be.
 */
long ws_read(char *bytes, size_t length, enum ws_side side, size_t most, struct ws_frame *frame);

/*
 * Sends a frame whose payload has WS_MOST_HEAD_BYTES of free memory before it. A client's mask is all zeros: what was in
 * the payload is in it still.
 */
void ws_send(struct connection *connection, enum ws_side side, enum ws_opcode opcode, char *payload, size_t length);

/* Answers a ping. */
void ws_pong(struct connection *connection, enum ws_side side, const struct ws_frame *ping);

/* Sends a close frame with a code; 0: without. */
void ws_send_close(struct connection *connection, enum ws_side side, unsigned code);

/* The code of a close frame; 1005: it has none. */
unsigned ws_close_code(const struct ws_frame *frame);

/* What a server answers to a client's key, with an end mark. */
void ws_accept(struct slice key, char to[WS_ACCEPT_BYTES + 1]);
