#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fail.h"

enum { READ_BYTES = 256 * 1024 };

/* All connections read into the same memory, which is near the processor; only what is incomplete is copied. */
static char incoming[READ_BYTES];

static void ready(struct watcher *watcher, uint32_t events);

static void prepare(struct connection *connection, int fd, const struct connection_calls *calls,
                    struct connection_bounds bounds) {
  memset(connection, 0, sizeof *connection);
  connection->watcher = (struct watcher){.fd = fd, .ready = ready};
  connection->calls = calls;
  connection->in.most = bounds.in_bytes;
  connection->out.most = bounds.out_bytes;
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

void connection_accept(struct connection *connection, int fd, const struct connection_calls *calls,
                       struct connection_bounds bounds) {
  prepare(connection, fd, calls, bounds);
  loop_watch(&connection->watcher, EPOLLIN);
}

void connection_begin(struct connection *connection, const char *host, int port,
                      const struct connection_calls *calls, struct connection_bounds bounds) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  prepare(connection, fd, calls, bounds);
  connection->connecting = true;
  loop_watch(&connection->watcher, EPOLLOUT);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, host, &to.sin_addr) != 1) connection_close(connection, "no IPv4 address");
  else if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS)
    connection_close(connection, strerror(errno));
}

static void watch_writes(struct connection *connection, bool writes) {
  loop_change(&connection->watcher, writes ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* What the socket takes now; -1: it is lost. */
static ssize_t write_now(struct connection *connection, const char *bytes, size_t length) {
  ssize_t sent = send(connection->watcher.fd, bytes, length, MSG_NOSIGNAL);
  if (sent >= 0) return sent;
  if (errno == EAGAIN || errno == EINTR) return 0;
  connection_close(connection, strerror(errno));
  return -1;
}

void connection_send(struct connection *connection, const char *bytes, size_t length) {
  if (connection->closed || connection->ending) return;
  size_t sent = 0;
  bool waits = buffer_length(&connection->out) > 0 || connection->connecting;
  if (!waits) {
    ssize_t taken = write_now(connection, bytes, length);
    if (taken < 0) return;
    sent = (size_t)taken;
  }
  if (sent == length) return;
  if (!buffer_add(&connection->out, bytes + sent, length - sent))
    connection_close(connection, "reads too slowly");
  else if (!waits) watch_writes(connection, true);
}

static void flush(struct connection *connection) {
  struct buffer *out = &connection->out;
  if (buffer_length(out) > 0) {
    ssize_t sent = write_now(connection, buffer_start(out), buffer_length(out));
    if (sent < 0) return;
    buffer_take(out, (size_t)sent);
    if (buffer_length(out) > 0) return;
  }
  if (connection->ending) connection_close(connection, NULL);
  else watch_writes(connection, false);
}

void connection_again(struct connection *connection) {
  struct buffer *in = &connection->in;
  if (connection->closed || buffer_length(in) == 0) return;
  size_t used = connection->calls->data(connection, buffer_start(in), buffer_length(in));
  buffer_take(in, used);
}

static void take(struct connection *connection) {
  // No more at once than what may be left over: what is complete makes room again.
  size_t room = connection->in.most - buffer_length(&connection->in);
  if (room == 0) {
    connection_close(connection, "sends too much");
    return;
  }
  ssize_t got = recv(connection->watcher.fd, incoming, room < READ_BYTES ? room : READ_BYTES, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    connection_close(connection, got < 0 ? strerror(errno) : "1006");
    return;
  }
  // What still comes while the last bytes are written is not for us any more.
  if (connection->ending) return;
  size_t length = (size_t)got;
  bool waited = buffer_length(&connection->in) > 0;
  size_t used = waited ? 0 : connection->calls->data(connection, incoming, length);
  if (connection->closed) return;
  if (!buffer_add(&connection->in, incoming + used, length - used)) die("room");
  if (waited) connection_again(connection);
}

static void finish_connecting(struct connection *connection) {
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(connection->watcher.fd, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    connection_close(connection, strerror(error));
    return;
  }
  connection->connecting = false;
  watch_writes(connection, buffer_length(&connection->out) > 0);
  connection->calls->opened(connection);
}

static void ready(struct watcher *watcher, uint32_t events) {
  struct connection *connection = holder_of(watcher, struct connection, watcher);
  if (connection->connecting) {
    finish_connecting(connection);
    return;
  }
  if (events & EPOLLOUT) flush(connection);
  if (!connection->closed && (events & (EPOLLIN | EPOLLHUP | EPOLLERR))) take(connection);
}

void connection_close(struct connection *connection, const char *why) {
  if (connection->closed) return;
  connection->closed = true;
  loop_forget(&connection->watcher);
  close(connection->watcher.fd);
  connection->watcher.fd = -1;
  connection->calls->gone(connection, why);
}

void connection_end(struct connection *connection, const char *why) {
  if (connection->closed || connection->ending) return;
  if (buffer_length(&connection->out) == 0) connection_close(connection, why);
  else connection->ending = true;
}

void connection_free(struct connection *connection) {
  buffer_free(&connection->in);
  buffer_free(&connection->out);
}
