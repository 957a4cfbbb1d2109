#pragma once

#include <stddef.h>

#include "text.h"

/* How long the base64 of so many bytes is. */
static inline size_t base64_length(size_t bytes) { return (bytes + 2) / 3 * 4; }

/* Writes the base64 of bytes, without an end mark. */
void base64_encode(const unsigned char *bytes, size_t length, char *to);

/* How many bytes a base64 text stands for. */
size_t base64_bytes(struct slice text);
