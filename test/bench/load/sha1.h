#pragma once

#include <stddef.h>

/* SHA-1 of a text shorter than 200 bytes, which is all that a WebSocket's handshake needs. */
void sha1(const char *text, size_t length, unsigned char digest[20]);
