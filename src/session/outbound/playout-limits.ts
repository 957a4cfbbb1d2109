/** How far ahead of real time audio is sent at most. */
export const LEAD_MS = 180;
/** More is sent when the lead has shrunk to this. */
export const REFILL_MS = 80;
/** The lead in pauses, where background sound is sent: it delays the next word. */
export const PAUSE_LEAD_MS = 60;
/** How far ahead it is sent before the call moves to another process, to a far end that plays on meanwhile. */
export const MOVE_LEAD_MS = 600;
/** The longest that a hold waits for a word to end. */
export const WORD_END_MS = 40;
