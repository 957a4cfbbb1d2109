#pragma once

#include "buffer.h"

/*
 * The bench asks in lines on the standard input, `<id> <name> <words...>`, and is answered in lines of JSON on the
 * standard output, `{"id":…,"value":…}` or `{"id":…,"error":"…"}`, now or later. The process ends with its
 * input.
 */

enum { MOST_WORDS = 12 };

struct question {
  long id;
  const char *name;
  /* Those that are not there are empty. */
  const char *words[MOST_WORDS];
};

void control_start(void (*asked)(const struct question *question));

/* An answer: what it says is written between these two. */
struct buffer *control_begin(long id);
void control_send(void);

/* An answer that only says that it is done. */
void control_done(long id);
void control_fail(long id, const char *why);

/* Writes a string with its quotes. */
void write_json_string(struct buffer *to, const char *text);
