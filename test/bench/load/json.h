#pragma once

#include "text.h"

/*
 * Reads JSON where it lies. What it does not look at is not checked; nothing outside of the text is ever read. Strings
 * stay as they are written, escapes and all: they are compared, or written into JSON again.
 */

/* The value of a member of an object; false if it has none, or is no object. */
bool json_member(struct slice object, const char *name, struct slice *value);

/* The next item of an array, from `*at` = 0 on. */
bool json_next(struct slice array, size_t *at, struct slice *item);

/* What stands between the quotes of a string; false for any other value. */
bool json_string(struct slice value, struct slice *inside);

/* Both at once: a member that is a string. */
bool json_text(struct slice object, const char *name, struct slice *inside);
