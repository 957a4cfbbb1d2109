#include "json.h"

static const char *skip_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  return at;
}

/* Behind the string whose first quote is at `at`; NULL if it does not end. */
static const char *skip_string(const char *at, const char *end) {
  for (const char *from = at + 1; from < end;) {
    const char *quote = memchr(from, '"', (size_t)(end - from));
    if (quote == NULL) return NULL;
    // A quote behind an odd number of backslashes is part of the text.
    size_t backslashes = 0;
    while (quote - 1 - backslashes > at && *(quote - 1 - backslashes) == '\\') backslashes++;
    if (backslashes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return NULL;
}

/* Behind a value of any kind; NULL if it does not end. */
static const char *skip_value(const char *at, const char *end) {
  if (at >= end) return NULL;
  if (*at == '"') return skip_string(at, end);
  if (*at != '{' && *at != '[') {
    while (at < end && memchr(",]} \n\r\t", *at, 7) == NULL) at++;
    return at;
  }
  size_t depth = 0;
  while (at < end) {
    if (*at == '"') {
      at = skip_string(at, end);
      if (at == NULL) return NULL;
      continue;
    }
    if (*at == '{' || *at == '[') depth++;
    if ((*at == '}' || *at == ']') && --depth == 0) return at + 1;
    at++;
  }
  return NULL;
}

bool json_member(struct slice object, const char *name, struct slice *value) {
  const char *end = object.at + object.length;
  const char *at = skip_space(object.at, end);
  if (at >= end || *at != '{') return false;
  for (at = skip_space(at + 1, end); at < end && *at == '"';) {
    const char *behind = skip_string(at, end);
    if (behind == NULL) return false;
    struct slice found = {at + 1, (size_t)(behind - at) - 2};
    at = skip_space(behind, end);
    if (at >= end || *at != ':') return false;
    at = skip_space(at + 1, end);
    behind = skip_value(at, end);
    if (behind == NULL) return false;
    if (slice_is(found, name)) {
      *value = (struct slice){at, (size_t)(behind - at)};
      return true;
    }
    at = skip_space(behind, end);
    if (at < end && *at == ',') at = skip_space(at + 1, end);
  }
  return false;
}

bool json_next(struct slice array, size_t *at, struct slice *item) {
  const char *end = array.at + array.length;
  const char *from = array.at + *at;
  if (*at == 0) {
    from = skip_space(from, end);
    if (from >= end || *from != '[') return false;
    from++;
  }
  from = skip_space(from, end);
  if (from < end && *from == ',') from = skip_space(from + 1, end);
  if (from >= end || *from == ']') return false;
  const char *behind = skip_value(from, end);
  if (behind == NULL || behind == from) return false;
  *item = (struct slice){from, (size_t)(behind - from)};
  *at = (size_t)(behind - array.at);
  return true;
}

bool json_string(struct slice value, struct slice *inside) {
  if (value.length < 2 || value.at[0] != '"') return false;
  *inside = (struct slice){value.at + 1, value.length - 2};
  return true;
}

bool json_text(struct slice object, const char *name, struct slice *inside) {
  struct slice value;
  return json_member(object, name, &value) && json_string(value, inside);
}
