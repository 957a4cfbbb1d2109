#pragma once

/* Plays the callers of many calls; asked by the bench. The files hold what they say. */
void callers_start(const char *carrier_file, const char *web_file);
