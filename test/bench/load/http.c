#include "http.h"

#include <ctype.h>

/* A longer head is nobody's that we know. */
enum { MOST_HEAD_BYTES = 16 * 1024 };

enum http_outcome http_read(struct slice bytes, struct http_head *head) {
  struct slice behind = slice_after(bytes, "\r\n\r\n");
  if (behind.at == NULL) return bytes.length > MOST_HEAD_BYTES ? HTTP_BROKEN : HTTP_INCOMPLETE;
  head->length = (size_t)(behind.at - bytes.at);
  if (head->length > MOST_HEAD_BYTES) return HTTP_BROKEN;
  struct slice rest = slice_after((struct slice){bytes.at, head->length}, "\r\n");
  struct slice line = {bytes.at, (size_t)(rest.at - bytes.at) - 2};
  for (int n = 0; n < 3; n++) {
    const char *space = n < 2 ? memchr(line.at, ' ', line.length) : NULL;
    // An answer needs no reason.
    if (space == NULL && n == 0) return HTTP_BROKEN;
    size_t length = space == NULL ? line.length : (size_t)(space - line.at);
    head->parts[n] = (struct slice){line.at, length};
    size_t used = space == NULL ? length : length + 1;
    line = (struct slice){line.at + used, line.length - used};
  }
  head->headers = rest;
  return HTTP_READ;
}

static bool is_named(struct slice line, const char *name, size_t length) {
  if (line.length <= length || line.at[length] != ':') return false;
  for (size_t n = 0; n < length; n++)
    if (tolower((unsigned char)line.at[n]) != name[n]) return false;
  return true;
}

struct slice http_header(const struct http_head *head, const char *name) {
  size_t length = strlen(name);
  struct slice rest = head->headers;
  while (rest.length > 2) {
    struct slice next = slice_after(rest, "\r\n");
    if (next.at == NULL) break;
    struct slice line = {rest.at, (size_t)(next.at - rest.at) - 2};
    if (is_named(line, name, length)) {
      struct slice value = {line.at + length + 1, line.length - length - 1};
      while (value.length > 0 && value.at[0] == ' ') value.at++, value.length--;
      while (slice_ends(value, ' ')) value.length--;
      return value;
    }
    rest = next;
  }
  return (struct slice){"", 0};
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode(struct slice text, char *to, size_t size) {
  size_t length = 0;
  for (size_t n = 0; n < text.length; n++) {
    char c = text.at[n] == '+' ? ' ' : text.at[n];
    if (c == '%' && n + 2 < text.length) {
      int high = digit_of(text.at[n + 1]), low = digit_of(text.at[n + 2]);
      if (high < 0 || low < 0) return false;
      c = (char)(16 * high + low);
      n += 2;
    }
    if (length + 1 >= size) return false;
    to[length++] = c;
  }
  to[length] = '\0';
  return true;
}

bool http_parameter(struct slice target, const char *name, char *to, size_t size) {
  struct slice rest = slice_after(target, "?");
  while (rest.length > 0) {
    const char *and = memchr(rest.at, '&', rest.length);
    size_t length = and == NULL ? rest.length : (size_t)(and - rest.at);
    const char *equals = memchr(rest.at, '=', length);
    if (equals != NULL && slice_is((struct slice){rest.at, (size_t)(equals - rest.at)}, name)) {
      struct slice value = {equals + 1, length - (size_t)(equals - rest.at) - 1};
      return decode(value, to, size);
    }
    size_t used = and == NULL ? length : length + 1;
    rest = (struct slice){rest.at + used, rest.length - used};
  }
  return false;
}

bool parse_count(struct slice text, size_t *count) {
  if (text.length == 0 || text.length > 9) return false;
  size_t sum = 0;
  for (size_t n = 0; n < text.length; n++) {
    if (text.at[n] < '0' || text.at[n] > '9') return false;
    sum = 10 * sum + (size_t)(text.at[n] - '0');
  }
  *count = sum;
  return true;
}
