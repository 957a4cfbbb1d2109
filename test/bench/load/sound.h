#pragma once

#include "text.h"

/* A chunk of a hum in one of the formats that a voice is asked for; made once for each. */
struct sound;

/* By `{"encoding":…,"sample_rate":…}`; NULL: no format that anybody asks for. */
const struct sound *sound_in(struct slice format);

struct slice sound_base64(const struct sound *sound);
