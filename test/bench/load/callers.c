#include "callers.h"

#include <stdlib.h>

#include "control.h"
#include "fail.h"
#include "grid.h"
#include "line.h"
#include "speech.h"

/* A line and what is still to be answered about it. */
struct call {
  struct line line;
  long number;
  /* Who waits until it is answered. */
  long opens_for;
  /* Who waits for its end; 0: nobody, it stays until all hang up. */
  long ends_for;
};

static struct call **calls;
static size_t count, capacity;
/* Who waits for all to be hung up; 0: nobody. */
static long hangup_for;

static void forget(struct call *call) {
  for (size_t n = 0; n < count; n++)
    if (calls[n] == call) {
      calls[n] = calls[--count];
      break;
    }
  grid_remove(&call->line);
  loop_free_later(&call->line, line_free);
}

/* When the last one has hung up, all are forgotten. */
static void finish_hangup(void) {
  if (hangup_for == 0) return;
  for (size_t n = 0; n < count; n++)
    if (!calls[n]->line.connection.closed) return;
  while (count > 0) forget(calls[0]);
  control_done(hangup_for);
  hangup_for = 0;
}

static void ready(struct line *line) { control_done(holder_of(line, struct call, line)->opens_for); }

static void gone(struct line *line, const char *why) {
  struct call *call = holder_of(line, struct call, line);
  if (!line->is_ready) {
    control_fail(call->opens_for, why);
    forget(call);
  } else if (call->ends_for != 0) {
    if (line->lost[0] != '\0') control_fail(call->ends_for, line->lost);
    else control_done(call->ends_for);
    forget(call);
  }
  finish_hangup();
}

static void open_call(const struct question *question) {
  static const struct line_calls line_calls = {ready, gone};
  const char *const *words = question->words;
  struct line_options options = {
      .wire = words[1][0] == 'w' ? WIRE_WEB : WIRE_CARRIER,
      .host = words[2],
      .port = atoi(words[3]),
      .path = words[4],
      .call_sid = words[5],
      .account_sid = words[6],
      .from = (size_t)atol(words[7]),
      .is_silent = words[8][0] == '1',
      .reply_ms = atof(words[9]),
      .party = words[10],
  };
  if (strlen(options.call_sid) < 2 || strlen(options.path) >= sizeof ((struct line *)0)->path) {
    control_fail(question->id, "no such call");
    return;
  }
  if (count == capacity) {
    capacity = capacity > 0 ? 2 * capacity : 256;
    calls = have(realloc(calls, capacity * sizeof(struct call *)));
  }
  struct call *call = have(calloc(1, sizeof *call));
  calls[count++] = call;
  call->number = atol(words[0]);
  call->opens_for = question->id;
  line_open(&call->line, &options, &line_calls);
}

/* Lets a call talk; with a number of frames: then hangs up, and answers when it is over. */
static void talk(const struct question *question) {
  long number = atol(question->words[0]);
  for (size_t n = 0; n < count; n++) {
    struct call *call = calls[n];
    if (call->number != number) continue;
    grid_add(&call->line);
    if (question->words[1][0] == '\0') {
      control_done(question->id);
      return;
    }
    call->line.frames_left = atol(question->words[1]);
    call->ends_for = question->id;
    if (call->line.connection.closed) gone(&call->line, "closed");
    return;
  }
  control_fail(question->id, "no such call");
}

static void report(long id) {
  struct buffer *to = control_begin(id);
  buffer_print(to, "{\"lines\":[");
  bool is_first = true;
  for (size_t n = 0; n < grid_size(); n++) {
    struct line *line = grid_at(n);
    if (line == NULL || line->frames_left >= 0) continue;
    if (!is_first) buffer_add(to, ",", 1);
    is_first = false;
    line_write(line, to);
  }
  buffer_print(to, "],");
  grid_write(to);
  buffer_add(to, "}", 1);
  control_send();
}

static void hangup(long id) {
  hangup_for = id;
  // Backwards: one that is lost over this leaves its place to the last.
  for (size_t n = count; n-- > 0;) line_hangup(&calls[n]->line);
  finish_hangup();
}

static void asked(const struct question *question) {
  const char *name = question->name;
  if (strcmp(name, "open") == 0) {
    open_call(question);
  } else if (strcmp(name, "talk") == 0) {
    talk(question);
  } else if (strcmp(name, "reset") == 0) {
    for (size_t n = 0; n < count; n++) line_reset(&calls[n]->line);
    grid_reset();
    control_done(question->id);
  } else if (strcmp(name, "report") == 0) {
    report(question->id);
  } else if (strcmp(name, "hangup") == 0) {
    hangup(question->id);
  } else {
    control_fail(question->id, "callers know no such question");
  }
}

void callers_start(const char *carrier_file, const char *web_file) {
  speech_load(carrier_file, web_file);
  grid_start();
  control_start(asked);
}
