import { CALLER_DB, roomOf } from './caller-room.ts';
import { atLevel, type CallerVoice, type Manner } from './caller-voice.ts';
import type { LineCondition } from './manners.ts';
import type { Room } from './rooms.ts';

const MAX_KEPT_LINES = 100;

interface How {
  /** Two of the same name speak alike. */
  readonly name: string;
  readonly manner: Manner;
  readonly sampleRateHz: number;
}

/** Makes the sounds of callers and rooms, and keeps them. */
export class Booth {
  readonly #voice: CallerVoice;
  readonly #seed: number;
  readonly #lines = new Map<string, Promise<Int16Array>>();
  readonly #loops = new Map<string, Promise<Room | undefined>>();

  constructor(voice: CallerVoice, seed: number) {
    this.#voice = voice;
    this.#seed = seed;
  }

  line(text: string, { name, manner, sampleRateHz }: How): Promise<Int16Array> {
    const key = `${name} ${sampleRateHz}\n${text}`;
    const made =
      this.#lines.get(key) ??
      this.#voice
        .speak(text, sampleRateHz, manner)
        .then(({ pcm }) => (pcm.length === 0 ? pcm : atLevel(pcm, CALLER_DB)));
    this.#lines.set(key, made);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_KEPT_LINES && oldest !== undefined) this.#lines.delete(oldest);
    return made;
  }

  room(condition: LineCondition): Promise<Room | undefined> {
    // What is lost of a line depends on what was lost before: each call has a line of its own.
    if (condition.loss !== undefined) return roomOf(condition, this.#voice, this.#seed);
    const { name } = condition;
    const made = this.#loops.get(name) ?? roomOf(condition, this.#voice, this.#seed);
    this.#loops.set(name, made);
    return made;
  }
}
