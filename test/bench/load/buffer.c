#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

enum { FIRST_BYTES = 4096 };

/* Makes room at the end: moves what is there to the front, or asks for twice the memory. */
static bool make_room(struct buffer *buffer, size_t length) {
  size_t held = buffer_length(buffer);
  if (held + length > buffer->most) return false;
  if (buffer->to + length <= buffer->capacity) return true;
  if (held + length > buffer->capacity) {
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : FIRST_BYTES;
    while (capacity < held + length) capacity *= 2;
    buffer->bytes = have(realloc(buffer->bytes, capacity));
    buffer->capacity = capacity;
  }
  if (held > 0) memmove(buffer->bytes, buffer->bytes + buffer->from, held);
  buffer->from = 0;
  buffer->to = held;
  return true;
}

bool buffer_add(struct buffer *buffer, const char *bytes, size_t length) {
  if (length == 0) return true;
  if (!make_room(buffer, length)) return false;
  memcpy(buffer->bytes + buffer->to, bytes, length);
  buffer->to += length;
  return true;
}

bool buffer_print(struct buffer *buffer, const char *format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return length >= 0 && (size_t)length < sizeof text && buffer_add(buffer, text, (size_t)length);
}

void buffer_take(struct buffer *buffer, size_t length) {
  buffer->from += length;
  if (buffer->from >= buffer->to) buffer->from = buffer->to = 0;
}

void buffer_free(struct buffer *buffer) {
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->from = buffer->to = buffer->capacity = 0;
}
