import { rmsDb } from './level.ts';

/** Tells the echo of our playout in the caller's microphone from the caller's own voice. */
export interface EchoTracker {
  /**
   * Takes one 20 ms microphone frame and the level in dBFS of what was played at that moment. True if the microphone
   * picks up nothing but our playout.
   */
  judge(microphone: Int16Array, playedDb: number): boolean;
}

/** Longest echo delay in frames: network both ways, loudspeaker, room and microphone. */
const LAGS = 31;
/** Levels below this count as silence on both sides. */
const FLOOR_DB = -60;
/** A frame this quiet contains no voice. */
const NOTHING_DB = -55;
/** Playout this loud within the longest delay can be heard as echo. */
const AUDIBLE_DB = -45;
/** Time constant of the comparison: two seconds of frames. */
const MEMORY_FRAMES = 100;
const LEAST_FRAMES = 40;
/** Least correlation of the two levels for an echo. */
const LEAST_CORRELATION = 0.7;
/** Least variation of the microphone level; a steadier one holds no voice, ours or the caller's. */
const LEAST_SPREAD_DB = 3;
const RINGING_FRAMES = 4;
/** The caller is speaking when the microphone is louder than the expected echo by more than this. */
const MARGIN_DB = 7;

/** Costs about 0.3 µs a frame while nothing plays and 1 µs while something does. */
export function createEchoTracker(): EchoTracker {
  const played = new Float64Array(LAGS).fill(FLOOR_DB);
  let newest = 0;
  let quietFrames = LAGS;
  // Exponentially weighted sums per lag: played level, its square, and its product with the microphone level.
  const sumX = new Float64Array(LAGS);
  const sumXX = new Float64Array(LAGS);
  const sumXY = new Float64Array(LAGS);
  // Kept in an object: V8 allocates a number on the heap each time a closure variable changes.
  const sums = { y: 0, yy: 0, weight: 0 };
  const keep = 1 - 1 / MEMORY_FRAMES;
  const at = (lag: number) => played[(newest - lag + LAGS) % LAGS] as number;

  function compare(y: number): void {
    sums.weight = keep * sums.weight + 1;
    sums.y = keep * sums.y + y;
    sums.yy = keep * sums.yy + y * y;
    for (let lag = 0; lag < LAGS; lag++) {
      const x = at(lag);
      sumX[lag] = keep * (sumX[lag] as number) + x;
      sumXX[lag] = keep * (sumXX[lag] as number) + x * x;
      sumXY[lag] = keep * (sumXY[lag] as number) + x * y;
    }
  }

  /** The lag with the highest correlation, and the mean loss in dB from playout to microphone at that lag. */
  function path(): { readonly lag: number; readonly lossDb: number } | undefined {
    const { y: sumY, yy: sumYY, weight } = sums;
    const spreadY = sumYY / weight - (sumY / weight) ** 2;
    if (weight < LEAST_FRAMES || spreadY < LEAST_SPREAD_DB ** 2) return undefined;
    let best = LEAST_CORRELATION;
    let found: number | undefined;
    for (let lag = 0; lag < LAGS; lag++) {
      const meanX = (sumX[lag] as number) / weight;
      const spreadX = (sumXX[lag] as number) / weight - meanX * meanX;
      const together = (sumXY[lag] as number) / weight - meanX * (sumY / weight);
      const correlation = together / Math.sqrt(spreadX * spreadY + 1e-9);
      if (correlation <= best) continue;
      best = correlation;
      found = lag;
    }
    if (found === undefined) return undefined;
    return { lag: found, lossDb: ((sumX[found] as number) - sumY) / weight };
  }

  return {
    judge(microphone, playedDb) {
      newest = (newest + 1) % LAGS;
      played[newest] = Math.max(FLOOR_DB, playedDb);
      quietFrames = playedDb > AUDIBLE_DB ? 0 : quietFrames + 1;
      if (quietFrames >= LAGS) return false;
      const y = Math.max(FLOOR_DB, rmsDb(microphone));
      compare(y);
      const echo = path();
      if (!echo) return false;
      const { lag, lossDb } = echo;
      // Neighbouring frames count too, because frame boundaries differ on the two sides and rooms reverberate.
      let loudest = FLOOR_DB;
      const last = Math.min(LAGS - 1, lag + RINGING_FRAMES);
      for (let near = Math.max(0, lag - 1); near <= last; near++)
        loudest = Math.max(loudest, at(near));
      return y <= Math.max(loudest - lossDb + MARGIN_DB, NOTHING_DB);
    },
  };
}
