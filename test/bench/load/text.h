#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Text that lies somewhere, without an end mark. */
struct slice {
  const char *at;
  size_t length;
};

#define SLICE(literal) ((struct slice){literal, sizeof(literal) - 1})

static inline bool slice_is(struct slice slice, const char *text) {
  return slice.length == strlen(text) && memcmp(slice.at, text, slice.length) == 0;
}

static inline bool slice_ends(struct slice slice, char last) {
  return slice.length > 0 && slice.at[slice.length - 1] == last;
}

/* The part behind the first occurrence of a text; nothing at all where there is none. */
struct slice slice_after(struct slice slice, const char *text);

/* Copies it with an end mark; false if it does not fit. */
bool slice_copy(struct slice slice, char *to, size_t size);

/* Text that is being written. Too long a one is cut, and says so. */
struct text {
  char *start, *at, *end;
  bool cut;
};

struct text text_in(char *memory, size_t size);
void text_add(struct text *text, struct slice slice);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline size_t text_length(const struct text *text) { return (size_t)(text->at - text->start); }
