#include "text.h"

#include <stdarg.h>
#include <stdio.h>

struct slice slice_after(struct slice slice, const char *text) {
  size_t length = strlen(text);
  const char *found = slice.length > 0 ? memmem(slice.at, slice.length, text, length) : NULL;
  if (found == NULL) return (struct slice){NULL, 0};
  const char *from = found + length;
  return (struct slice){from, slice.length - (size_t)(from - slice.at)};
}

bool slice_copy(struct slice slice, char *to, size_t size) {
  if (slice.length >= size) return false;
  if (slice.length > 0) memcpy(to, slice.at, slice.length);
  to[slice.length] = '\0';
  return true;
}

struct text text_in(char *memory, size_t size) {
  return (struct text){.start = memory, .at = memory, .end = memory + size};
}

void text_add(struct text *text, struct slice slice) {
  size_t room = (size_t)(text->end - text->at);
  if (slice.length > room) {
    text->cut = true;
    return;
  }
  if (slice.length > 0) memcpy(text->at, slice.at, slice.length);
  text->at += slice.length;
}

void text_print(struct text *text, const char *format, ...) {
  size_t room = (size_t)(text->end - text->at);
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text->at, room, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= room) text->cut = true;
  else text->at += length;
}
