const ROWS_HZ = [697, 770, 852, 941] as const;
const COLUMNS_HZ = [1209, 1336, 1477, 1633] as const;
const KEYS = '123A456B789C*0#D';
/** Amplitude of each of the two tones; their sum stays well below full scale. */
const AMPLITUDE = 6500;

/** Length of a tone and of the pause after it; no receiver needs more. */
export const DTMF_TONE_MS = 100;
export const DTMF_PAUSE_MS = 100;

/** One key as PCM16 (frequencies of ITU-T Q.23), followed by the pause; silence if `key` is not a DTMF key. */
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
