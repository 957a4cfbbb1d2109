import { rmsDb } from './level.ts';

/** Tells our own voice, come back through the caller's microphone, from the caller's. */
export interface EchoTracker {
  /**
   * One frame of 20 ms, and how loud what we had played at that instant was, dB. True: the microphone hears
   * nothing but our voice.
   */
  judge(microphone: Int16Array, playedDb: number): boolean;
}

/** Sound takes this long at most through network, loudspeaker, room and network. */
const LAGS = 31;
/** What is quieter is silence to both sides. */
const FLOOR_DB = -60;
/** So quiet a frame is nobody's voice. */
const NOTHING_DB = -55;
/** We are heard while something as loud as this was played within the longest lag. */
const AUDIBLE_DB = -45;
/** Frames that the two levels are compared over: two seconds. */
const MEMORY_FRAMES = 100;
const LEAST_FRAMES = 40;
/** The levels go up and down together as much as this: it is an echo. */
const LEAST_CORRELATION = 0.7;
/** A microphone as even as this hears no voice. */
const LEAST_SPREAD_DB = 3;
const RINGING_FRAMES = 4;
/** Louder than the echo by this: somebody speaks. */
const MARGIN_DB = 7;

/** Costs some 0.3 µs a frame while nothing is played, 1 µs while something is. */
export function createEchoTracker(): EchoTracker {
  const played = new Float64Array(LAGS).fill(FLOOR_DB);
  let newest = 0;
  let quietFrames = LAGS;
  // Weighted sums over the compared frames, of each lag: played, its square, its product with the microphone.
  const sumX = new Float64Array(LAGS);
  const sumXX = new Float64Array(LAGS);
  const sumXY = new Float64Array(LAGS);
  // In an object, which holds numbers in place: those of a closure are put on the heap each time they change.
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

  /** The lag at which the two go together best, with the line that leads from one level to the other. */
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
      // The frames beside it too: clocks and frames do not fall together, and rooms ring on.
      let loudest = FLOOR_DB;
      const last = Math.min(LAGS - 1, lag + RINGING_FRAMES);
      for (let near = Math.max(0, lag - 1); near <= last; near++)
        loudest = Math.max(loudest, at(near));
      return y <= Math.max(loudest - lossDb + MARGIN_DB, NOTHING_DB);
    },
  };
}
