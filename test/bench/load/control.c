#include "control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fail.h"
#include "loop.h"

enum { MOST_LINE_BYTES = 16 * 1024, MOST_ANSWER_BYTES = 512 * 1024 * 1024 };

static void readable(struct watcher *watcher, uint32_t events);
static void writable(struct watcher *watcher, uint32_t events);

static struct watcher input = {.fd = STDIN_FILENO, .ready = readable};
static struct watcher output = {.fd = STDOUT_FILENO, .ready = writable};
static struct buffer lines = {.most = MOST_LINE_BYTES};
static struct buffer answers = {.most = MOST_ANSWER_BYTES};
static bool waits_for_room;
static void (*on_question)(const struct question *question);

void control_start(void (*asked)(const struct question *question)) {
  on_question = asked;
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  loop_watch(&input, EPOLLIN);
  loop_watch(&output, 0);
}

static void ask(char *line) {
  static const char nothing[] = "";
  struct question question = {.name = nothing};
  for (int n = 0; n < MOST_WORDS; n++) question.words[n] = nothing;
  char *rest = line;
  question.id = strtol(line, &rest, 10);
  int count = -1;
  for (char *state, *word = strtok_r(rest, " ", &state); word != NULL && count < MOST_WORDS;
       word = strtok_r(NULL, " ", &state), count++) {
    if (count < 0) question.name = word;
    else question.words[count] = word;
  }
  on_question(&question);
}

static void readable(struct watcher *watcher, uint32_t events) {
  (void)watcher, (void)events;
  char bytes[MOST_LINE_BYTES];
  ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) exit(0);
  size_t from = 0;
  for (size_t n = 0; n < (size_t)got; n++) {
    if (bytes[n] != '\n') continue;
    if (!buffer_add(&lines, bytes + from, n - from) || !buffer_add(&lines, "", 1)) exit(2);
    ask(buffer_start(&lines));
    buffer_take(&lines, buffer_length(&lines));
    from = n + 1;
  }
  if (!buffer_add(&lines, bytes + from, (size_t)got - from)) exit(2);
}

static void flush(void) {
  while (buffer_length(&answers) > 0) {
    ssize_t written = write(STDOUT_FILENO, buffer_start(&answers), buffer_length(&answers));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno != EAGAIN) exit(0);
    if (written < 0) break;
    buffer_take(&answers, (size_t)written);
  }
  bool waits = buffer_length(&answers) > 0;
  if (waits != waits_for_room) loop_change(&output, waits ? EPOLLOUT : 0);
  waits_for_room = waits;
}

static void writable(struct watcher *watcher, uint32_t events) {
  (void)watcher;
  if (events & (EPOLLERR | EPOLLHUP)) exit(0);
  flush();
}

struct buffer *control_begin(long id) {
  buffer_print(&answers, "{\"id\":%ld,\"value\":", id);
  return &answers;
}

void control_send(void) {
  if (!buffer_add(&answers, "}\n", 2)) die("an answer is too long");
  flush();
}

void control_done(long id) {
  buffer_add(control_begin(id), "true", 4);
  control_send();
}

void control_fail(long id, const char *why) {
  buffer_print(&answers, "{\"id\":%ld,\"error\":", id);
  write_json_string(&answers, why);
  control_send();
}

void write_json_string(struct buffer *to, const char *text) {
  buffer_add(to, "\"", 1);
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') buffer_add(to, "\\", 1);
    if (c < ' ') buffer_print(to, "\\u%04x", c);
    else buffer_add(to, text, 1);
  }
  buffer_add(to, "\"", 1);
}
