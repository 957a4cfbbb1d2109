/** Hold music in pauses: as its loop is, about as loud as speech. */
export const HOLD_MUSIC_DB = 0;
/** Hold music under what is said. */
export const HOLD_MUSIC_UNDER_SPEECH_DB = -16;

const MIDDLE_VOLUME = 50;
/** At the middle volume a background sound is at -45 dBFS. */
const MIDDLE_DB = -21;
const STEP_DB = 0.4;

/** The gain of a background sound's loop: even steps for the ear, from -41 dB at volume 1 to -1 dB at 100. */
export function volumeDb(volume: number): number {
  return MIDDLE_DB + (volume - MIDDLE_VOLUME) * STEP_DB;
}
