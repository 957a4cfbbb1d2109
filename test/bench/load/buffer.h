#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes on their way, with a bound. All zeros but for the bound: empty. */
struct buffer {
  char *bytes;
  size_t from, to, capacity;
  /* More than this is refused. */
  size_t most;
};

static inline size_t buffer_length(const struct buffer *buffer) { return buffer->to - buffer->from; }
static inline char *buffer_start(const struct buffer *buffer) { return buffer->bytes + buffer->from; }

/* False: it would hold more than it may; then nothing is added. */
bool buffer_add(struct buffer *buffer, const char *bytes, size_t length);
bool buffer_print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Forgets the first bytes. */
void buffer_take(struct buffer *buffer, size_t length);
void buffer_free(struct buffer *buffer);
