#pragma once

#include "text.h"

/* The head of a request or an answer of HTTP/1.1. */
struct http_head {
  /* With the empty line at its end. */
  size_t length;
  /* The first line's three parts: a request's method, target and version, or an answer's version, status and reason. */
  struct slice parts[3];
  struct slice headers;
};

enum http_outcome { HTTP_INCOMPLETE, HTTP_READ, HTTP_BROKEN };

enum http_outcome http_read(struct slice bytes, struct http_head *head);

/* A header's value, its name written small; empty if there is none. */
struct slice http_header(const struct http_head *head, const char *name);

/* The decoded value of a parameter of a target's query; false if there is none, or it does not fit. */
bool http_parameter(struct slice target, const char *name, char *to, size_t size);

/* A whole number of digits alone; false: it is none, or too large. */
bool parse_count(struct slice text, size_t *count);
