#pragma once

#include "text.h"

/* What the vendors say, and how they tell from a text which call it is of. */

/* Audio of one piece of a reply, whatever its text. */
enum { UTTERANCE_MS = 1600 };
/* The model's pace after the first sentence, which comes at once: what is measured is not the model. */
enum { TOKEN_EVERY_MS = 12 };
/* The voice's pace, four times real time. */
enum { CHUNK_MS = 100, CHUNK_EVERY_MS = 25 };

/* A number as a word: figures would be read out. */
void add_word(struct text *text, size_t n);
/* The number of such a word; false: it is none. */
bool read_word(struct slice word, size_t *n);

/* Two sentences, another word in each reply: a voice's cache is not to answer. */
void add_reply(struct text *text, size_t n);
/* The word that tells a reply from all others, in any piece of it. */
bool find_reply(struct slice text, struct slice *word);

/* What the recogniser understands of a speaker's n-th utterance. */
void add_heard(struct text *text, size_t speaker, size_t n);
/* The speaker in such a text. */
bool find_speaker(struct slice text, struct slice *word);

/* The call and the party that a request to the model is about; the party may be empty. */
bool find_party(struct slice prompt, struct slice *call_id, struct slice *party);

/* The next word of a text that is cut at each space; false behind the last one. `*at` begins at 0. */
bool next_word(struct slice text, size_t *at, struct slice *word);
