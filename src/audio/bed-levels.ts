/** Gain of hold music while nobody speaks: the loop is already about as loud as speech. */
export const HOLD_MUSIC_DB = 0;
/** Gain of hold music while it plays under speech. */
export const HOLD_MUSIC_UNDER_SPEECH_DB = -16;

const MIDDLE_VOLUME = 50;
/** Gain at the middle volume: puts a background sound at -45 dBFS, as loops are levelled to -24 dBFS. */
const MIDDLE_DB = -21;
const STEP_DB = 0.4;

/**
 * Gain in dB of a background sound, for a volume of 1 to 100: from about -41 dB to -1 dB in steps of equal loudness.
 */
export function volumeDb(volume: number): number {
  return MIDDLE_DB + (volume - MIDDLE_VOLUME) * STEP_DB;
}
