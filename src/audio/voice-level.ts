import { SILENCE_DB } from './level.ts';

/** A voice has been this loud since so many ms before the end of the last frame. */
export interface VoiceLevel {
  readonly agoMs: number;
  /** dBFS: the loudest 60 ms of a stretch of 200. */
  readonly db: number;
}

export interface VoiceLevelMeter {
  /** The loudest 60 ms of the last 200, dBFS. */
  readonly db: number;
  /** Takes the level of the next 20 ms in dBFS, and whether it is part of speech. Returns what is worth telling. */
  push(db: number, speaking: boolean): VoiceLevel | undefined;
}

const FRAME_MS = 20;
/** Vowels last some 60 ms at least, and 200 ms hold at least one of them: what is between them is not a pause. */
const SMOOTH_FRAMES = 3;
const SPAN_FRAMES = 10;
/** A change by so much is told at once, any other at the end of a stretch. */
const STEP_DB = 6;

/**
 * Tells how loud a voice is: once per 200 ms of speech, and at once where another voice seems to begin or one to end.
 */
export function createVoiceLevelMeter(): VoiceLevelMeter {
  const powers = new Float64Array(SMOOTH_FRAMES);
  const smoothed = new Float64Array(SPAN_FRAMES).fill(SILENCE_DB);
  // Kept in an object: V8 allocates a number on the heap each time a closure variable changes.
  const state = { frames: 0, toldDb: Number.NaN, toldAt: 0 };

  function loudest(): number {
    let db = SILENCE_DB;
    for (let i = 0; i < SPAN_FRAMES; i++) db = Math.max(db, smoothed[i] as number);
    return db;
  }

  return {
    get db() {
      return loudest();
    },
    push(frameDb, speaking) {
      powers[state.frames % SMOOTH_FRAMES] = 10 ** (frameDb / 10);
      let power = 0;
      for (let i = 0; i < SMOOTH_FRAMES; i++) power += powers[i] as number;
      const nowDb = 10 * Math.log10(Math.max(power / SMOOTH_FRAMES, 1e-12));
      smoothed[state.frames % SPAN_FRAMES] = nowDb;
      state.frames++;
      const now = state.frames;
      if (!speaking) {
        state.toldDb = Number.NaN;
        return undefined;
      }
      const db = loudest();
      // The edge of speech itself has told its level, which will rise soon.
      if (Number.isNaN(state.toldDb)) {
        state.toldDb = db;
        state.toldAt = now - SPAN_FRAMES / 2;
        return undefined;
      }
      const rises = nowDb >= state.toldDb + STEP_DB;
      const isDue = now - state.toldAt >= SPAN_FRAMES;
      if (!rises && !isDue && db > state.toldDb - STEP_DB) return undefined;
      const frames = rises ? SMOOTH_FRAMES : SPAN_FRAMES;
      state.toldDb = db;
      state.toldAt = now;
      return { agoMs: frames * FRAME_MS, db };
    },
  };
}
