import type { CallEvent } from '../../../src/engine/machine/events.ts';
import { wordTimes } from './mouth.ts';
import type { Random } from './random.ts';
import type { Room, Source } from './room.ts';
import type { Script } from './script.ts';

interface Deps {
  readonly later: (at: number, act: () => void) => void;
  readonly random: Random;
  readonly source: Source;
  readonly room: Pick<Room, 'sounds' | 'take'>;
}

/** Voice activity notices a voice after this, and its end after that. */
const ONSET_MS = 80;
const STOP_MS = 200;
const ALIVE_MS = 500;

/**
 * Of the sentences of a voice beside the caller, the share that a recogniser writes down. Assumed: a recogniser
 * follows the loudest voice, and what is far under it only now and then.
 */
const written = (underDb: number) => (underDb <= 10 ? 0.25 : underDb <= 15 ? 0.08 : 0);

/** A voice that reads on and on, with the breaths of one who reads. */
export class Television {
  readonly #deps: Deps;
  readonly #script: NonNullable<Script['television']>;
  #voiced = false;
  #said = 0;

  constructor(script: NonNullable<Script['television']>, deps: Deps) {
    this.#script = script;
    this.#deps = deps;
  }

  begin(at: number): void {
    const { later, random, source, room } = this.#deps;
    const emit = (event: CallEvent) => room.take(source, event);
    const text = random.pick(this.#script.sentences);
    const ms = Math.round(text.length * random.between(58, 72));
    const breathMs = Math.min(700, random.lognormal(160, 450));
    room.sounds(source, at, at + ms);
    if (!this.#voiced) {
      this.#voiced = true;
      later(at + ONSET_MS, () => emit({ type: 'vad.start', onsetAt: at }));
    }
    for (let t = ALIVE_MS; t < ms; t += ALIVE_MS) later(at + t, () => emit({ type: 'vad.alive' }));
    if (random.chance(written(this.#script.underDb))) this.#write(text, at, ms);
    if (breathMs >= STOP_MS + ONSET_MS) {
      this.#voiced = false;
      later(at + ms + STOP_MS, () => emit({ type: 'vad.stop', speechEndAt: at + ms }));
    }
    later(at + ms + breathMs, () => this.begin(Math.round(at + ms + breathMs)));
  }

  // A part of a sentence, as it surfaces between the caller's own words.
  #write(text: string, at: number, ms: number): void {
    const { later, random, source, room } = this.#deps;
    const emit = (event: CallEvent) => room.take(source, event);
    const timed = wordTimes(text, at, ms);
    const from = random.int(0, Math.max(0, timed.length - 3));
    const words = timed.slice(from, from + random.int(2, 5));
    const [first] = words;
    const last = words.at(-1);
    if (!first || !last) return;
    const segment = {
      segId: `television.${++this.#said}`,
      text: words.map((word) => word.text).join(' '),
      startAt: Math.round(first.from),
      endAt: Math.round(last.to),
    };
    later(last.to + 200, () => emit({ type: 'stt.interim', ...segment, conf: 0.5 }));
    later(last.to + 450, () => emit({ type: 'stt.final', ...segment, conf: 0.6 }));
  }
}
