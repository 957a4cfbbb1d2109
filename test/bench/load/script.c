#include "script.h"

#include <ctype.h>

static const char digits[] = "bcdfghjklm";

void add_word(struct text *text, size_t n) {
  char word[24];
  size_t at = sizeof word;
  do {
    word[--at] = digits[n % 10];
    n /= 10;
  } while (n > 0);
  text_add(text, SLICE("na"));
  text_add(text, (struct slice){word + at, sizeof word - at});
}

bool read_word(struct slice word, size_t *n) {
  if (word.length < 3 || word.length > 14 || memcmp(word.at, "na", 2) != 0) return false;
  size_t sum = 0;
  for (size_t at = 2; at < word.length; at++) {
    const char *digit = memchr(digits, word.at[at], 10);
    if (digit == NULL) return false;
    sum = 10 * sum + (size_t)(digit - digits);
  }
  *n = sum;
  return true;
}

void add_reply(struct text *text, size_t n) {
  text_add(text, SLICE("We are open from nine to five on every day of the week, "));
  add_word(text, n);
  text_add(text, SLICE(". Would you like me to make an appointment for you today, "));
  add_word(text, n);
  text_add(text, SLICE("?"));
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool find_reply(struct slice text, struct slice *word) {
  for (size_t from = 0; from + 2 < text.length; from++) {
    if (text.at[from] != 'n' || text.at[from + 1] != 'a') continue;
    if (from > 0 && in_word(text.at[from - 1])) continue;
    size_t to = from + 2;
    while (to < text.length && text.at[to] >= 'b' && text.at[to] <= 'm') to++;
    if (to == from + 2 || (to < text.length && in_word(text.at[to]))) continue;
    *word = (struct slice){text.at + from, to - from};
    return true;
  }
  return false;
}

void add_heard(struct text *text, size_t speaker, size_t n) {
  text_add(text, SLICE("Speaker "));
  add_word(text, speaker);
  text_add(text, SLICE(" asks for "));
  add_word(text, n);
  text_add(text, SLICE("."));
}

bool find_speaker(struct slice text, struct slice *word) {
  for (struct slice rest = slice_after(text, "Speaker "); rest.at != NULL; rest = slice_after(rest, "Speaker ")) {
    size_t length = 0;
    while (length < rest.length && in_word(rest.at[length])) length++;
    if (length == 0 || rest.length < length + 5 || memcmp(rest.at + length, " asks", 5) != 0) continue;
    *word = (struct slice){rest.at, length};
    return true;
  }
  return false;
}

bool find_party(struct slice prompt, struct slice *call_id, struct slice *party) {
  for (struct slice rest = slice_after(prompt, "Call "); rest.at != NULL; rest = slice_after(rest, "Call ")) {
    const char *space = rest.length > 0 ? memchr(rest.at, ' ', rest.length) : NULL;
    if (space == NULL || space == rest.at) continue;
    *call_id = (struct slice){rest.at, (size_t)(space - rest.at)};
    struct slice behind = {space, rest.length - call_id->length};
    if (behind.length < 5 || memcmp(behind.at, " of (", 5) != 0) continue;
    const char *end = memchr(behind.at + 5, ')', behind.length - 5);
    if (end == NULL) continue;
    *party = (struct slice){behind.at + 5, (size_t)(end - behind.at) - 5};
    return true;
  }
  return false;
}

bool next_word(struct slice text, size_t *at, struct slice *word) {
  if (*at > text.length) return false;
  const char *from = text.at + *at;
  size_t left = text.length - *at;
  const char *space = left > 0 ? memchr(from, ' ', left) : NULL;
  size_t length = space == NULL ? left : (size_t)(space - from);
  *word = (struct slice){from, length};
  *at += length + 1;
  return true;
}
