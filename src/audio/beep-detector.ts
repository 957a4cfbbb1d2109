/** Finds the tone after which a mailbox records. */
export interface BeepDetector {
  /** 20 ms. True: a beep has just ended. */
  hear(frame: Int16Array): boolean;
}

const FRAME_MS = 20;
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2200;
/** Share of a frame's energy that its one tone has: speech and music have more than one. */
const MIN_PURITY = 0.95;
/** -46 dB of full scale; a line's own hum lies below. */
const MIN_RMS = 160;
/** A tone that glides is a whistle, one that swells is sung. */
const MAX_DRIFT = 0.03;
const MAX_LEVEL_RATIO = 2;
const MIN_MS = 140;
/** Longer ones are of lines and faxes. */
const MAX_MS = 3000;

interface Tone {
  readonly hz: number;
  readonly rms: number;
}

/** For frames of 20 ms at this rate. Costs a few microseconds a frame. */
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
      // Its last frame is cut by its end, and is no tone or a softer one.
      return lastedMs >= MIN_MS && lastedMs <= MAX_MS;
    },
  };
}

/** The one tone that the frame is made of, if it is. */
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
 * Radians per sample, by what a tone's samples say of those one and two further: their sums are 2 cos(angle) and
 * 2 cos(2 angle) of the tone's energy, which noise adds to and their ratio leaves out.
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

/** Energy of the nearest tone of this angle, by least squares. */
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
