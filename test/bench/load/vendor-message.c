#include "vendor-message.h"

#include "websocket.h"

static char memory[WS_MOST_HEAD_BYTES + 256 * 1024];

struct text vendor_message(void) {
  return text_in(memory + WS_MOST_HEAD_BYTES, sizeof memory - WS_MOST_HEAD_BYTES);
}

void vendor_send(struct connection *connection, const struct text *text) {
  if (text->cut) connection_close(connection, "a message is too long");
  else ws_send(connection, WS_SERVER, WS_TEXT, text->start, text_length(text));
}

void vendor_close(struct connection *connection) { ws_send_close(connection, WS_SERVER, 1000); }
