#pragma once

#include "connection.h"
#include "loop.h"
#include "text.h"

/* A model that streams its answer as OpenAI's does: the first sentence at once, the rest word by word. */
struct model {
  struct connection *connection;
  char reply[256];
  size_t length, at;
  unsigned tokens;
  bool is_streaming;
  struct timer timer;
};

void model_open(struct model *model, struct connection *connection);
/* Answers a request; false: it is none that a model understands. */
bool model_answer(struct model *model, struct slice body, double asked_at);
/* Says nothing more. */
void model_close(struct model *model);
