#include "vendors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "clock.h"
#include "control.h"
#include "fail.h"
#include "finals.h"
#include "loop.h"
#include "peer.h"
#include "series.h"

enum { LOOK_MS = 2, SWEEP_MS = 1000 };
/* From here on a late look of this process is noted with its instant. */
static const double OWN_GAP_MS = 3;

static struct watcher listener;
static struct timer look, sweep;
static double look_at;
static struct series gaps;
static int port;

static void accept_all(struct watcher *watcher, uint32_t events) {
  (void)events;
  for (;;) {
    int fd = accept4(watcher->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) peer_open(fd);
    else if (errno == EAGAIN) return;
    else if (errno != EINTR && errno != ECONNABORTED) die("accept");
  }
}

static void listen_here(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof at;
  listener = (struct watcher){socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), accept_all};
  if (listener.fd < 0 || bind(listener.fd, (struct sockaddr *)&at, length) < 0 || listen(listener.fd, 511) < 0 ||
      getsockname(listener.fd, (struct sockaddr *)&at, &length) < 0)
    die("listen");
  port = ntohs(at.sin_port);
  loop_watch(&listener, EPOLLIN);
}

static void look_now(struct timer *timer, double now) {
  if (now - look_at > OWN_GAP_MS) {
    series_add(&gaps, now);
    series_add(&gaps, now - look_at);
  }
  look_at = now + LOOK_MS;
  timer_set(timer, look_at);
}

static void sweep_now(struct timer *timer, double now) {
  peers_sweep(now);
  timer_set(timer, now + SWEEP_MS);
}

static void tell_urls(long id) {
  const char *base = "http://127.0.0.1";
  buffer_print(control_begin(id),
               "{\"stt\":\"%s:%d\",\"tts\":\"%s:%d\",\"llm\":\"%s:%d/v1\",\"carrier\":\"%s:%d\"}", base, port, base,
               port, base, port, base, port);
  control_send();
}

static void report(long id) {
  struct buffer *to = control_begin(id);
  buffer_add(to, "{", 1);
  finals_write(to);
  buffer_print(to, ",\"ownGaps\":");
  series_write_gaps(&gaps, to);
  buffer_add(to, "}", 1);
  control_send();
}

static void asked(const struct question *question) {
  const char *name = question->name;
  if (strcmp(name, "urls") == 0) {
    tell_urls(question->id);
  } else if (strcmp(name, "reset") == 0) {
    series_reset(&gaps);
    finals_reset();
    control_done(question->id);
  } else if (strcmp(name, "report") == 0) {
    report(question->id);
  } else {
    control_fail(question->id, "vendors know no such question");
  }
}

void vendors_start(void) {
  listen_here();
  look.rings = look_now;
  look_at = now_ms() + LOOK_MS;
  timer_set(&look, look_at);
  sweep.rings = sweep_now;
  timer_set(&sweep, now_ms() + SWEEP_MS);
  control_start(asked);
}
