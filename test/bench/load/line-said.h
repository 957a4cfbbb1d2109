#pragma once

#include "line.h"

/* What a caller sends. */

/* Asks for the WebSocket. */
void say_upgrade(struct line *line);
/* The first messages on the open socket. */
void say_start(struct line *line);
void say_frame(struct line *line, size_t frame);
/* A mark was played, or swept away. */
void say_mark(struct line *line, const struct mark *mark);
void say_cleared(struct line *line, double played_ms);
void say_hangup(struct line *line);
