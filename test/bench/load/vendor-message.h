#pragma once

#include "connection.h"
#include "text.h"

/* What a vendor sends over a WebSocket; one message is written at a time. */

struct text vendor_message(void);
void vendor_send(struct connection *connection, const struct text *text);
/* Asks the other side to close. */
void vendor_close(struct connection *connection);
