#pragma once

#include "buffer.h"
#include "text.h"

/*
 * The account of the recogniser's final texts: when each was sent, and when model and voice were then busy with its
 * answer. Instants are monotonic ms.
 */

/* Notes which call a speaker is of. */
void note_party(size_t speaker, struct slice call_id, struct slice party);

/* A final text is on its way. */
void note_final(size_t speaker, double at_ms);

/* The model was busy with a reply: to the speaker's last final text, unless that has an answer, or came later. */
void note_model_busy(size_t speaker, size_t reply, double from_ms, double to_ms);

/* The voice was busy with the first piece of a reply; further ones count no more. */
void note_voice_busy(size_t reply, double from_ms, double to_ms);

void finals_reset(void);
/* Writes the account as members of a JSON object. */
void finals_write(struct buffer *to);
