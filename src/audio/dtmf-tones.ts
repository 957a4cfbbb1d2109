const ROWS_HZ = [697, 770, 852, 941] as const;
const COLUMNS_HZ = [1209, 1336, 1477, 1633] as const;
const KEYS = '123A456B789C*0#D';
/** Each of the two tones, so that both together stay well below full scale. */
const AMPLITUDE = 6500;

/** The longest that a receiver may need, and the pause after it. */
export const DTMF_TONE_MS = 100;
export const DTMF_PAUSE_MS = 100;

/** One key as sound (ITU-T Q.23), with the pause that parts it from the next; silence for what is no key. */
export function dtmfTone(key: string, sampleRateHz: number): Int16Array {
  const index = KEYS.indexOf(key);
  const toneSamples = (DTMF_TONE_MS * sampleRateHz) / 1000;
  const pcm = new Int16Array(toneSamples + (DTMF_PAUSE_MS * sampleRateHz) / 1000);
  const row = ROWS_HZ[index >> 2];
  const column = COLUMNS_HZ[index & 3];
  if (key.length !== 1 || row === undefined || column === undefined) return pcm;
  for (let i = 0; i < toneSamples; i++) {
    const seconds = (2 * Math.PI * i) / sampleRateHz;
    pcm[i] = AMPLITUDE * (Math.sin(row * seconds) + Math.sin(column * seconds));
  }
  return pcm;
}
