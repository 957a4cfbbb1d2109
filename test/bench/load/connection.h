#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "loop.h"

/* A TCP connection that never waits for the other side: what it does not take at once is kept, up to a bound. */
struct connection;

struct connection_calls {
  /* Connected; only for one that was begun here. */
  void (*opened)(struct connection *connection);
  /* Bytes that came, free to be changed: tells how many are used up. The others come again, with those behind them. */
  size_t (*data)(struct connection *connection, char *bytes, size_t length);
  /* The last call. Whoever owns the memory frees it later than this turn of the loop. */
  void (*gone)(struct connection *connection, const char *why);
};

struct connection {
  struct watcher watcher;
  const struct connection_calls *calls;
  struct buffer in, out;
  bool connecting, closed;
  /* Closes as soon as all is written. */
  bool ending;
};

struct connection_bounds {
  size_t in_bytes, out_bytes;
};

/* A socket that somebody has connected to. */
void connection_accept(struct connection *connection, int fd, const struct connection_calls *calls,
                       struct connection_bounds bounds);
/* Begins to connect to an IPv4 address. */
void connection_begin(struct connection *connection, const char *host, int port,
                      const struct connection_calls *calls, struct connection_bounds bounds);

/* Sends, or keeps what the other side does not take yet; closes if that becomes too much. */
void connection_send(struct connection *connection, const char *bytes, size_t length);
/* Hands out again what was left over. */
void connection_again(struct connection *connection);
/* Closes at once. */
void connection_close(struct connection *connection, const char *why);
/* Closes when all that was sent is written. */
void connection_end(struct connection *connection, const char *why);
/* Frees what a closed one holds. */
void connection_free(struct connection *connection);
