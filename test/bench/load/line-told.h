#pragma once

#include "line.h"

/* What a caller receives: bytes that came, and how many of them are used up. */
size_t hear(struct connection *connection, char *bytes, size_t length);

/* What the line then does about it. */
void line_note_ready(struct line *line);
void line_note_lost(struct line *line, const char *why);
