import { createVoiceLevelMeter } from '../../../src/audio/voice-level.ts';
import type { CallEvent } from '../../../src/engine/machine/events.ts';
import type { Random } from './random.ts';

/** What a listener's voice activity takes for a voice. */
export interface Ears {
  /** Loudness, dBFS. */
  readonly leastDb: number;
  /** How sure the detector must be that it is one, 0 to 1. */
  readonly leastConfidence: number;
}

/** One thing in the room that makes sound. */
export interface Source {
  readonly id: string;
  readonly db: number;
  /** What a detector of voices gives it. */
  readonly confidence: number;
}

interface Deps {
  readonly ears: Ears;
  readonly random: Random;
  readonly now: () => number;
  readonly later: (at: number, act: () => void) => void;
  readonly emit: (event: CallEvent) => void;
}

interface Sounding {
  readonly source: Source;
  readonly from: number;
  to: number;
}

const FRAME_MS = 20;
const TICK_MS = 100;
/** What the meter looks back on. */
const SPAN_MS = 200;
/** A line without any voice. */
const FLOOR_DB = -65;
/** Syllables of 200 ms differ by this much (standard deviation, as in the recordings of `fixtures/audio`). */
const SYLLABLE_MS = 200;
const SYLLABLE_DB = 4;
/** From the middle of a syllable to its edges. */
const DIP_DB = 14;

/**
 * One microphone for all the sounds of a room: voice is heard from the first of them to the last, as loud as all of them
 * together. The level goes through the meter of a live call.
 */
export class Room {
  readonly #deps: Deps;
  readonly #voiced = new Set<string>();
  readonly #meter = createVoiceLevelMeter();
  #sounding: Sounding[] = [];
  /** Until when the meter has measured. */
  #measuredTo = 0;
  #ticks = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A source makes sound between two instants. */
  sounds(source: Source, from: number, to: number): void {
    this.#sounding = [
      ...this.#sounding.filter((each) => each.to > this.#deps.now() - 2 * SPAN_MS),
      { source, from, to },
    ];
  }

  /** It breaks off. */
  breaksOff(id: string, at: number): void {
    for (const each of this.#sounding) if (each.source.id === id) each.to = Math.min(each.to, at);
  }

  /** Takes what voice activity and recogniser would report of a source that was alone in the room. */
  take({ id, db, confidence }: Source, event: CallEvent): void {
    const { ears, emit } = this.#deps;
    const voiced = this.#voiced;
    switch (event.type) {
      case 'vad.start':
        if (db < ears.leastDb || confidence < ears.leastConfidence) return;
        if (voiced.size === 0) {
          this.#measure(false);
          emit({ ...event, db: Math.round(this.#meter.db) });
        }
        voiced.add(id);
        this.#tick();
        return;
      case 'vad.maybe':
        if (db < ears.leastDb || confidence < ears.leastConfidence || voiced.size > 0) return;
        this.#measure(false);
        emit({ ...event, db: Math.round(this.#meter.db) });
        return;
      case 'vad.alive':
        if (voiced.has(id)) emit(event);
        return;
      case 'vad.lull':
        if (voiced.has(id) && voiced.size === 1) emit(event);
        return;
      case 'vad.stop':
        if (voiced.delete(id) && voiced.size === 0) emit(event);
        return;
      default:
        emit(event);
    }
  }

  #tick(): void {
    if (this.#ticks) return;
    this.#ticks = true;
    const { now, later } = this.#deps;
    later(now() + TICK_MS, () => {
      this.#ticks = false;
      if (this.#voiced.size === 0) return;
      this.#measure(true);
      this.#tick();
    });
  }

  #measure(speaking: boolean): void {
    const now = this.#deps.now();
    if (!speaking) this.#measuredTo = now - SPAN_MS - 2 * FRAME_MS;
    for (; this.#measuredTo + FRAME_MS <= now; this.#measuredTo += FRAME_MS) {
      const level = this.#meter.push(this.#dbAt(this.#measuredTo), speaking);
      if (level)
        this.#deps.emit({
          type: 'vad.level',
          sinceAt: Math.max(0, this.#measuredTo + FRAME_MS - level.agoMs),
          db: Math.round(level.db),
        });
    }
  }

  #dbAt(at: number): number {
    let power = 10 ** (FLOOR_DB / 10);
    for (const { source, from, to } of this.#sounding) {
      if (at >= from && at < to) power += 10 ** (this.#frameDb(source, at - from, from) / 10);
    }
    return 10 * Math.log10(power);
  }

  #frameDb({ id, db }: Source, ms: number, from: number): number {
    const syllable = Math.floor(ms / SYLLABLE_MS);
    const stress = this.#deps.random.fork('syllable', id, Math.round(from), syllable).normal();
    const phase = (2 * (ms % SYLLABLE_MS)) / SYLLABLE_MS - 1;
    return db + SYLLABLE_DB * stress - DIP_DB * phase * phase;
  }
}
