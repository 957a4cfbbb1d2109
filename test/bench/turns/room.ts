import type { CallEvent } from '../../../src/engine/machine/events.ts';

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

/** One microphone for all the sounds of a room: voice is heard from the first of them to the last. */
export class Room {
  readonly #ears: Ears;
  readonly #emit: (event: CallEvent) => void;
  readonly #voiced = new Set<string>();

  constructor(ears: Ears, emit: (event: CallEvent) => void) {
    this.#ears = ears;
    this.#emit = emit;
  }

  /** Takes what voice activity and recogniser would report of a source that was alone in the room. */
  take({ id, db, confidence }: Source, event: CallEvent): void {
    const voiced = this.#voiced;
    switch (event.type) {
      case 'vad.start':
        if (db < this.#ears.leastDb || confidence < this.#ears.leastConfidence) return;
        if (voiced.size === 0) this.#emit(event);
        voiced.add(id);
        return;
      case 'vad.alive':
        if (voiced.has(id)) this.#emit(event);
        return;
      case 'vad.stop':
        if (voiced.delete(id) && voiced.size === 0) this.#emit(event);
        return;
      default:
        this.#emit(event);
    }
  }
}
