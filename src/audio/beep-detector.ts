/** Detects the beep after which voicemail starts to record. */
export interface BeepDetector {
  /** Takes a 20 ms frame of PCM16; true when a beep has just ended. */
  hear(frame: Int16Array): boolean;
}

const FRAME_MS = 20;
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2200;
/** Least share of a frame's energy that one tone must hold; speech and music hold several tones. */
const MIN_PURITY = 0.95;
/** -46 dBFS, above the hum of a phone line. */
const MIN_RMS = 160;
/** Limits on change within a beep: a gliding tone is a whistle, a swelling one is a voice. */
const MAX_DRIFT = 0.03;
const MAX_LEVEL_RATIO = 2;
const MIN_MS = 140;
/** Longer tones come from the line (ringing, busy) or from a fax machine. */
const MAX_MS = 3000;

interface Tone {
  readonly hz: number;
  readonly rms: number;
}

/** Takes 20 ms frames at this sample rate; costs a few microseconds a frame. */
export function createBeepDetector(sampleRateHz: number): BeepDetector {
  let first: Tone | undefined;
  let frames = 0;

  const isSame = ({ hz, rms }: Tone) =>
    first !== undefined &&
    Math.abs(hz - first.hz) < MAX_DRIFT * first.hz &&
    rms < first.rms * MAX_LEVEL_RATIO &&
    rms > first.rms / MAX_LEVEL_RATIO;

  return {
    hear(frame) {
      const tone = toneOf(frame, sampleRateHz);
      if (tone && isSame(tone)) {
        frames++;
        return false;
      }
      const lastedMs = frames * FRAME_MS;
      first = tone;
      frames = tone ? 1 : 0;
      // The beep's last frame is cut short, so it reads as a softer tone or as none.
      return lastedMs >= MIN_MS && lastedMs <= MAX_MS;
    },
  };
}

/** The single tone that makes up the frame; undefined if there is none. */
function toneOf(frame: Int16Array, sampleRateHz: number): Tone | undefined {
  let energy = 0;
  for (const sample of frame) energy += sample * sample;
  const rms = Math.sqrt(energy / frame.length);
  if (rms < MIN_RMS) return undefined;
  const angle = angleOf(frame);
  if (angle === undefined) return undefined;
  const hz = (angle * sampleRateHz) / (2 * Math.PI);
  if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return undefined;
  return explained(frame, angle) >= MIN_PURITY * energy ? { hz, rms } : undefined;
}

/**
 * Frequency of the tone in radians per sample. Correlating each sample with its neighbours at distance one and two
 * gives 2 cos(w) and 2 cos(2w) times the tone's energy; noise adds to that energy but cancels in the ratio.
 */
function angleOf(frame: Int16Array): number | undefined {
  let one = 0;
  let two = 0;
  for (let i = 2; i + 2 < frame.length; i++) {
    const sample = frame[i] as number;
    one += sample * ((frame[i - 1] as number) + (frame[i + 1] as number));
    two += sample * ((frame[i - 2] as number) + (frame[i + 2] as number));
  }
  const cosine = one === 0 ? 0 : (two + Math.sqrt(two * two + 8 * one * one)) / (4 * one);
  return Math.abs(cosine) < 1 ? Math.acos(cosine) : undefined;
}

/** Energy of the least-squares fit of a tone of this frequency, in squared sample units. */
function explained(frame: Int16Array, angle: number): number {
  let [cc, ss, cs, cx, sx] = [0, 0, 0, 0, 0];
  const [stepCosine, stepSine] = [Math.cos(angle), Math.sin(angle)];
  let [cosine, sine] = [1, 0];
  for (const sample of frame) {
    cc += cosine * cosine;
    ss += sine * sine;
    cs += cosine * sine;
    cx += cosine * sample;
    sx += sine * sample;
    [cosine, sine] = [cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine];
  }
  const determinant = cc * ss - cs * cs;
  if (determinant < 1e-9) return 0;
  const a = (cx * ss - sx * cs) / determinant;
  const b = (sx * cc - cx * cs) / determinant;
  return a * cx + b * sx;
}
