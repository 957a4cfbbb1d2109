#pragma once

/* Plays the vendors of many calls, on a port of this machine's own; asked by the bench. */
void vendors_start(void);
