#pragma once

#include "buffer.h"
#include "line.h"

/*
 * One timer for all callers, every 2 ms: callers do not all speak at the same instant of the 20 ms. A late one catches
 * up, and notes how late it was.
 */
void grid_start(void);

void grid_add(struct line *line);
void grid_remove(struct line *line);

/* Places of the grid; what stands there may be NULL. */
size_t grid_size(void);
struct line *grid_at(size_t place);

/* Forgets how late it was. */
void grid_reset(void);
/* Writes how late it was as members of a JSON object. */
void grid_write(struct buffer *to);
